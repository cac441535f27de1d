package interp

import (
	"math"
	"math/big"
	"math/bits"

	"soma.cell/frontend/syntax"
)

// boxed is an Int as a value.
func boxed(i Int) Value {
	if i.big == nil {
		return small(i.small)
	}
	return i
}

func addInt(a, b Int) Int {
	if a.big == nil && b.big == nil {
		if s := a.small + b.small; (s > a.small) == (b.small > 0) {
			return NewInt(s)
		}
	}
	return BigInt(new(big.Int).Add(a.Big(), b.Big()))
}

func negInt(a Int) Int {
	if a.big == nil && a.small != math.MinInt64 {
		return NewInt(-a.small)
	}
	return BigInt(new(big.Int).Neg(a.Big()))
}

func subInt(a, b Int) Int {
	if a.big == nil && b.big == nil {
		if d := a.small - b.small; (d < a.small) == (b.small > 0) {
			return NewInt(d)
		}
	}
	return BigInt(new(big.Int).Sub(a.Big(), b.Big()))
}

func mulInt(a, b Int) (Int, error) {
	if a.big == nil && b.big == nil && a.small != math.MinInt64 && b.small != math.MinInt64 {
		hi, lo := bits.Mul64(uint64(max(a.small, -a.small)), uint64(max(b.small, -b.small)))
		if hi == 0 && lo <= math.MaxInt64 {
			if (a.small < 0) != (b.small < 0) {
				return NewInt(-int64(lo)), nil
			}
			return NewInt(int64(lo)), nil
		}
	}
	x, y := a.Big(), b.Big()
	if x.BitLen()+y.BitLen() > maxBits {
		return Int{}, errMemory()
	}
	return BigInt(new(big.Int).Mul(x, y)), nil
}

// cmpInt is -1, 0 or 1.
func cmpInt(a, b Int) int {
	if a.big == nil && b.big == nil {
		switch {
		case a.small < b.small:
			return -1
		case a.small > b.small:
			return 1
		}
		return 0
	}
	return a.Big().Cmp(b.Big())
}

// float is the nearest double.
func (i Int) float() float64 {
	if i.big == nil {
		return float64(i.small)
	}
	f, _ := new(big.Float).SetInt(i.big).Float64()
	return f
}

// asFloat converts a number.
func asFloat(v Value) (float64, bool) {
	switch v := v.(type) {
	case Int:
		return v.float(), true
	case Float:
		return float64(v), true
	}
	return 0, false
}

// size is the length of an Int in machine words; 1 for small ones, more for all others.
func (i Int) size() int {
	if i.big == nil {
		return 1
	}
	return 1 + len(i.big.Bits())
}

// price is what an operation on Ints costs, in steps: multiplying n words takes about n·√n
// operations, and dividing several times that. One word is free.
func price(words int) int {
	if words <= 1 {
		return 0
	}
	return 16 + words + int(float64(words)*math.Sqrt(float64(words))/8)
}

// arithmetic is a op b on two numbers.
func arithmetic(op syntax.BinOp, a, b Value) (Value, error) {
	x, xInt := a.(Int)
	y, yInt := b.(Int)
	if xInt && yInt {
		return intArithmetic(op, x, y)
	}
	f, ok := asFloat(a)
	g, ok2 := asFloat(b)
	if !ok || !ok2 {
		return nil, errOperands(op, a, b)
	}
	return floatArithmetic(op, f, g)
}

func intArithmetic(op syntax.BinOp, x, y Int) (Value, error) {
	switch op {
	case syntax.AddOp:
		return boxed(addInt(x, y)), nil
	case syntax.SubOp:
		return boxed(subInt(x, y)), nil
	case syntax.MulOp:
		p, err := mulInt(x, y)
		return boxed(p), err
	}
	if y.Sign() == 0 {
		return nil, errDivision()
	}
	q, r := new(big.Int).QuoRem(x.Big(), y.Big(), new(big.Int))
	if op == syntax.RemOp {
		return BigInt(r), nil
	}
	if r.Sign() == 0 {
		return BigInt(q), nil
	}
	f, _ := new(big.Rat).SetFrac(x.Big(), y.Big()).Float64()
	return Float(f), nil
}

func floatArithmetic(op syntax.BinOp, f, g float64) (Value, error) {
	switch op {
	case syntax.AddOp:
		return Float(f + g), nil
	case syntax.SubOp:
		return Float(f - g), nil
	case syntax.MulOp:
		return Float(f * g), nil
	}
	if g == 0 {
		return nil, errDivision()
	}
	if op == syntax.RemOp {
		return Float(math.Mod(f, g)), nil
	}
	return Float(f / g), nil
}

// truncate is the Int part of a double; false for NaN and the infinities.
func truncate(f float64) (Int, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Int{}, false
	}
	n, _ := new(big.Float).SetFloat64(math.Trunc(f)).Int(nil)
	return BigInt(n), true
}
