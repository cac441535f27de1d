package interp

import (
	"cmp"
	"math"
	"math/big"
	"strings"
)

// Equal is the language's ==. Different kinds raise type, except that Int and Float compare
// exactly and () compares with anything. Inside lists, maps and variants different kinds are
// merely unequal.
func Equal(a, b Value) (bool, error) {
	if depthOf(a) > maxDepth || depthOf(b) > maxDepth {
		return false, errDeep()
	}
	if !comparable(a, b) {
		return false, errCompare(a, b)
	}
	return same(a, b), nil
}

func comparable(a, b Value) bool {
	ka, kb := a.Kind(), b.Kind()
	return ka == kb && ka != FunctionKind || ka == UnitKind || kb == UnitKind || isNumber(a) && isNumber(b)
}

func isNumber(v Value) bool {
	k := v.Kind()
	return k == IntKind || k == FloatKind
}

// same is structural equality without errors.
func same(a, b Value) bool {
	switch x := a.(type) {
	case Unit:
		return b.Kind() == UnitKind
	case Bool:
		y, ok := b.(Bool)
		return ok && x == y
	case String:
		y, ok := b.(String)
		return ok && x == y
	case Int, Float:
		return isNumber(b) && sameNumber(a, b)
	case *List:
		y, ok := b.(*List)
		return ok && sameAll(x.items, y.items)
	case *Map:
		y, ok := b.(*Map)
		return ok && sameMap(x, y)
	case *Variant:
		y, ok := b.(*Variant)
		return ok && x.Of == y.Of && sameAll(x.Fields, y.Fields)
	}
	return false
}

func sameNumber(a, b Value) bool {
	c, ordered := compareNumbers(a, b)
	return ordered && c == 0
}

func sameAll(xs, ys []Value) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !same(xs[i], ys[i]) {
			return false
		}
	}
	return true
}

func sameMap(x, y *Map) bool {
	if x.Len() != y.Len() {
		return false
	}
	for i, k := range x.Keys() {
		v, ok := y.Get(k)
		if !ok || !same(x.vals[i], v) {
			return false
		}
	}
	return true
}

// compareNumbers compares exactly; ordered is false when a NaN is involved.
func compareNumbers(a, b Value) (c int, ordered bool) {
	x, xInt := a.(Int)
	y, yInt := b.(Int)
	switch {
	case xInt && yInt:
		return cmpInt(x, y), true
	case xInt:
		return compareIntFloat(x, float64(b.(Float)))
	case yInt:
		c, ordered = compareIntFloat(y, float64(a.(Float)))
		return -c, ordered
	}
	f, g := a.(Float), b.(Float)
	switch {
	case f < g:
		return -1, true
	case f > g:
		return 1, true
	}
	return 0, f == g
}

// compareIntFloat compares without rounding: doubles of 2⁶³ and more are whole numbers, and
// below that a double's whole part fits 64 bits.
func compareIntFloat(i Int, f float64) (c int, ordered bool) {
	const two63 = 1 << 63
	switch {
	case math.IsNaN(f):
		return 0, false
	case math.IsInf(f, 1):
		return -1, true
	case math.IsInf(f, -1):
		return 1, true
	case f >= two63 || f < -two63:
		n, _ := new(big.Float).SetFloat64(f).Int(nil)
		return i.Big().Cmp(n), true
	case i.big != nil:
		return i.big.Sign(), true
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(i.small, int64(whole)); c != 0 {
		return c, true
	}
	return cmp.Compare(whole, f), true
}

// compare orders two numbers or two strings; ordered is false when a NaN is involved.
func compare(a, b Value) (c int, ordered bool, err error) {
	if isNumber(a) && isNumber(b) {
		c, ordered = compareNumbers(a, b)
		return c, ordered, nil
	}
	x, ok := a.(String)
	y, ok2 := b.(String)
	if !ok || !ok2 {
		return 0, false, errOrder(a, b)
	}
	return strings.Compare(string(x), string(y)), true, nil
}
