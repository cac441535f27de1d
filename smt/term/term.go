// Package term holds sorted first-order terms: the common language of the transition
// systems, the provers and the checker of evidence.
//
// Terms are immutable and may be shared. Constructors do only trivial simplification (a
// double negation, a conjunction of one), the same for everybody, so that two independent
// generators of conditions agree on the shape of what they build.
package term

import (
	"hash/fnv"
	"math"
	"math/big"
	"strings"
)

// Kind tells sorts apart.
type Kind int

const (
	KindBool Kind = iota
	KindInt       // unbounded
	KindString
	KindFloat // IEEE 754 double
	KindUnit
	KindOpaque // any value of the language; known only through uninterpreted functions
	KindEnum   // a finite sort with named values
	KindArray  // a total map
)

// Sort is the type of a term. Sorts are compared by their String.
type Sort struct {
	Kind   Kind
	Name   string   // of an enum
	Values []string // of an enum, in declaration order
	Key    *Sort    // of an array
	Elem   *Sort    // of an array
}

var (
	Bool   = &Sort{Kind: KindBool}
	Int    = &Sort{Kind: KindInt}
	String = &Sort{Kind: KindString}
	Float  = &Sort{Kind: KindFloat}
	Unit   = &Sort{Kind: KindUnit}
	Opaque = &Sort{Kind: KindOpaque}
)

// EnumSort is the finite sort of the named values.
func EnumSort(name string, values ...string) *Sort {
	return &Sort{Kind: KindEnum, Name: name, Values: values}
}

// ArraySort is the sort of total maps from key to elem.
func ArraySort(key, elem *Sort) *Sort { return &Sort{Kind: KindArray, Key: key, Elem: elem} }

// String is the sort in the notation of certificates, as "(Array String Int)".
func (s *Sort) String() string {
	switch s.Kind {
	case KindBool:
		return "Bool"
	case KindInt:
		return "Int"
	case KindString:
		return "String"
	case KindFloat:
		return "Float"
	case KindUnit:
		return "Unit"
	case KindOpaque:
		return "Opaque"
	case KindEnum:
		return "(Enum " + s.Name + " " + strings.Join(s.Values, " ") + ")"
	case KindArray:
		return "(Array " + s.Key.String() + " " + s.Elem.String() + ")"
	}
	return "?"
}

// Same tells whether two sorts are the same.
func (s *Sort) Same(t *Sort) bool { return s == t || s.String() == t.String() }

// Op is the head symbol of a term.
type Op int

const (
	OpVar Op = iota
	OpTrue
	OpFalse
	OpInt    // literal
	OpString // literal
	OpFloat  // literal
	OpUnit
	OpEnum // literal
	OpNot
	OpAnd
	OpOr
	OpImplies
	OpEq  // equality of the sort, at any sort; not the language's ==
	OpIte // condition, then, else
	OpAdd // Int, n-ary
	OpMul // Int, binary
	OpLe  // Int
	OpLt  // Int
	OpConcat
	OpFAdd // Float: IEEE double, round to nearest even
	OpFSub
	OpFMul
	OpFDiv
	OpFLe
	OpFLt
	OpFEq // IEEE equality: NaN differs from itself
	OpSelect
	OpStore
	OpApp // an uninterpreted function
)

// Term is a sorted term. Use the constructors; the fields are read-only.
type Term struct {
	Op   Op
	Sort *Sort
	Args []*Term
	Name string   // of OpVar, OpApp, OpEnum; the value of OpString
	Int  *big.Int // of OpInt
	Num  float64  // of OpFloat
	hash uint64
}

func mk(t Term) *Term {
	h := fnv.New64a()
	var buf [8]byte
	put := func(x uint64) {
		for i := range buf {
			buf[i] = byte(x >> (8 * i))
		}
		h.Write(buf[:])
	}
	put(uint64(t.Op))
	h.Write([]byte(t.Sort.String()))
	h.Write([]byte(t.Name))
	if t.Int != nil {
		h.Write([]byte(t.Int.String()))
	}
	put(math.Float64bits(t.Num))
	for _, a := range t.Args {
		put(a.hash)
	}
	t.hash = h.Sum64()
	return &t
}

// Hash is a structural hash: equal terms have equal hashes.
func (t *Term) Hash() uint64 { return t.hash }

// Equal tells whether two terms are the same tree (floats by their bits).
func (t *Term) Equal(u *Term) bool {
	if t == u {
		return true
	}
	if t.hash != u.hash || t.Op != u.Op || t.Name != u.Name || len(t.Args) != len(u.Args) || !t.Sort.Same(u.Sort) {
		return false
	}
	if t.Op == OpInt && t.Int.Cmp(u.Int) != 0 || t.Op == OpFloat && math.Float64bits(t.Num) != math.Float64bits(u.Num) {
		return false
	}
	for i := range t.Args {
		if !t.Args[i].Equal(u.Args[i]) {
			return false
		}
	}
	return true
}

// IsLiteral tells whether the term is a literal value.
func (t *Term) IsLiteral() bool {
	switch t.Op {
	case OpTrue, OpFalse, OpInt, OpString, OpFloat, OpUnit, OpEnum:
		return true
	}
	return false
}
