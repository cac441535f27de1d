// Package term holds sorted first-order terms: the common language of the transition
// systems, the provers and the checker of evidence.
//
// Terms are immutable and may be shared. Constructors do only trivial simplification (a
// double negation, a conjunction of one), the same for everybody, so that two independent
// generators of conditions agree on the shape of what they build.
package term

import (
	"math"
	"math/big"
	"slices"
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

// Sort is the type of a term. Sorts are compared by Same, never by pointer.
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
	return &Sort{Kind: KindEnum, Name: name, Values: slices.Clone(values)}
}

// ArraySort is the sort of total maps from key to elem.
func ArraySort(key, elem *Sort) *Sort { return &Sort{Kind: KindArray, Key: key, Elem: elem} }

// String is the sort in the notation of certificates, as "(Array String Int)". Two sorts have
// the same String exactly when they are the same.
func (s *Sort) String() string {
	if s == nil {
		return "?"
	}
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
		var b strings.Builder
		b.WriteString("(Enum " + symbol(s.Name))
		for _, v := range s.Values {
			b.WriteString(" " + symbol(v))
		}
		return b.String() + ")"
	case KindArray:
		return "(Array " + s.Key.String() + " " + s.Elem.String() + ")"
	}
	return "?"
}

// Same tells whether two sorts are the same.
func (s *Sort) Same(t *Sort) bool {
	if s == t {
		return true
	}
	if s == nil || t == nil || s.Kind != t.Kind {
		return false
	}
	switch s.Kind {
	case KindEnum:
		return s.Name == t.Name && slices.Equal(s.Values, t.Values)
	case KindArray:
		return s.Key.Same(t.Key) && s.Elem.Same(t.Elem)
	}
	return true
}

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
	Op    Op
	Sort  *Sort
	Args  []*Term
	Name  string   // of OpVar, OpApp, OpEnum; the value of OpString
	Int   *big.Int // of OpInt
	Num   float64  // of OpFloat
	hash  uint64
	depth int
}

func mk(t Term) *Term {
	h := hasher(14695981039346656037)
	h.word(uint64(t.Op))
	if t.Sort != nil { // an ill-sorted term is left to Check
		h.word(uint64(t.Sort.Kind))
		h.bytes(t.Sort.Name)
	}
	h.bytes(t.Name)
	if t.Int != nil {
		h.word(uint64(t.Int.Sign()))
		h.bytes(string(t.Int.Bytes()))
	}
	h.word(math.Float64bits(t.Num))
	for _, a := range t.Args {
		h.word(a.hash)
		t.depth = max(t.depth, a.depth)
	}
	t.depth++
	t.hash = uint64(h)
	return &t
}

// hasher is FNV-1a over words and byte strings.
type hasher uint64

func (h *hasher) word(x uint64) {
	for range 8 {
		*h = (*h ^ hasher(x&0xff)) * 1099511628211
		x >>= 8
	}
}

func (h *hasher) bytes(s string) {
	h.word(uint64(len(s)))
	for i := range len(s) {
		*h = (*h ^ hasher(s[i])) * 1099511628211
	}
}

// Hash is a structural hash: equal terms have equal hashes.
func (t *Term) Hash() uint64 { return t.hash }

// Depth is the number of nodes on the longest way from the term to a leaf; 1 for a leaf.
func (t *Term) Depth() int { return t.depth }

// Equal tells whether two terms are the same tree (floats by their bits). Pairs of shared
// subterms are compared once.
func (t *Term) Equal(u *Term) bool {
	var seen map[[2]*Term]bool
	var equal func(t, u *Term) bool
	equal = func(t, u *Term) bool {
		if t == u {
			return true
		}
		if !t.sameHead(u) {
			return false
		}
		if len(t.Args) == 0 {
			return true
		}
		pair := [2]*Term{t, u}
		if seen[pair] {
			return true
		}
		for i := range t.Args {
			if !equal(t.Args[i], u.Args[i]) {
				return false
			}
		}
		if seen == nil {
			seen = map[[2]*Term]bool{}
		}
		seen[pair] = true
		return true
	}
	return equal(t, u)
}

func (t *Term) sameHead(u *Term) bool {
	if t.hash != u.hash || t.Op != u.Op || t.Name != u.Name || len(t.Args) != len(u.Args) || !t.Sort.Same(u.Sort) {
		return false
	}
	switch t.Op {
	case OpInt:
		return t.Int.Cmp(u.Int) == 0
	case OpFloat:
		return math.Float64bits(t.Num) == math.Float64bits(u.Num)
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
