// Package interp runs resolved programs: an interpreter that compiles the syntax tree to closures.
//
// It is a semantics of its own, independent of the transition systems that the proofs use:
// comparing the two is what tests the lowering. It serves test cells (RunTests) and the
// search for runs that take a machine's edges (package witness).
//
// A World is the state of one program: slots, machine instances, counters. A public call is
// a transaction on it; whatever raises leaves no write and no move. Errors of the language
// are values of type *Error.
package interp

import (
	"math/big"

	"soma.cell/frontend/resolve"
)

// Kind tells values apart; its text is what type_of answers.
type Kind int

const (
	UnitKind Kind = iota
	BoolKind
	IntKind
	FloatKind
	StringKind
	ListKind
	MapKind
	VariantKind
	FunctionKind
)

// String is the name that type_of gives.
func (k Kind) String() string {
	return [...]string{"Unit", "Bool", "Int", "Float", "String", "List", "Map", "Variant", "Function"}[k]
}

// Value is a value of the language. Values are never mutated once another may see them: an
// assignment to an element makes a new value, so copies are free.
type Value interface{ Kind() Kind }

// Unit is ().
type Unit struct{}

// Bool is true or false.
type Bool bool

// Float is an IEEE double.
type Float float64

// String is Unicode text.
type String string

// Int is an integer of any size. big is nil when the value fits 64 bits.
type Int struct {
	small int64
	big   *big.Int
}

// Variant is a value of a sum type; Fields are in order of declaration.
type Variant struct {
	Of     *resolve.Variant
	Fields []Value
	depth  int
}

func (Unit) Kind() Kind      { return UnitKind }
func (Bool) Kind() Kind      { return BoolKind }
func (Int) Kind() Kind       { return IntKind }
func (Float) Kind() Kind     { return FloatKind }
func (String) Kind() Kind    { return StringKind }
func (*List) Kind() Kind     { return ListKind }
func (*Map) Kind() Kind      { return MapKind }
func (*Variant) Kind() Kind  { return VariantKind }
func (*Function) Kind() Kind { return FunctionKind }

// NewInt is the integer n.
func NewInt(n int64) Int { return Int{small: n} }

// BigInt is the integer n; n must not change afterwards.
func BigInt(n *big.Int) Int {
	if n.IsInt64() {
		return Int{small: n.Int64()}
	}
	return Int{big: n}
}

// Big is the value as a big integer that the caller must not change.
func (i Int) Big() *big.Int {
	if i.big != nil {
		return i.big
	}
	return big.NewInt(i.small)
}

// Int64 is the value, if it fits.
func (i Int) Int64() (int64, bool) { return i.small, i.big == nil }

// Sign is -1, 0 or 1.
func (i Int) Sign() int {
	switch {
	case i.big != nil:
		return i.big.Sign()
	case i.small < 0:
		return -1
	case i.small > 0:
		return 1
	}
	return 0
}

// String is the digits.
func (i Int) String() string { return i.Big().String() }

// NewVariant builds a variant from its fields in order of declaration.
func NewVariant(of *resolve.Variant, fields ...Value) *Variant {
	return &Variant{Of: of, Fields: fields, depth: 1 + deepest(fields)}
}

// field finds a named field of a struct variant.
func (v *Variant) field(name string) (Value, bool) {
	if v.Of.Struct {
		for i, f := range v.Of.Fields {
			if f.Name == name {
				return v.Fields[i], true
			}
		}
	}
	return nil, false
}

// depthOf is the height of a value as a tree: recursion over values is refused above maxDepth.
func depthOf(v Value) int {
	switch v := v.(type) {
	case *List:
		return v.depth
	case *Map:
		return v.depth
	case *Variant:
		return v.depth
	}
	return 0
}

func deepest(vs []Value) int {
	d := 0
	for _, v := range vs {
		d = max(d, depthOf(v))
	}
	return d
}
