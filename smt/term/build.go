package term

import (
	"math"
	"math/big"
	"slices"
)

var (
	True    = mk(Term{Op: OpTrue, Sort: Bool})
	False   = mk(Term{Op: OpFalse, Sort: Bool})
	UnitLit = mk(Term{Op: OpUnit, Sort: Unit})
)

// Var is a free constant of the given sort. Names hold no white space, parenthesis or quote.
func Var(name string, s *Sort) *Term { return mk(Term{Op: OpVar, Sort: s, Name: name}) }

// IntLit is an integer literal; n is copied.
func IntLit(n *big.Int) *Term {
	return mk(Term{Op: OpInt, Sort: Int, Int: new(big.Int).Set(n)})
}

// Int64 is an integer literal.
func Int64(n int64) *Term { return IntLit(big.NewInt(n)) }

// StringLit is a text literal: any bytes, valid UTF-8 or not.
func StringLit(s string) *Term { return mk(Term{Op: OpString, Sort: String, Name: s}) }

// FloatLit is a literal double. There is one not-a-number: its payload bits are dropped, as the
// sort has no others, and two literals must be different values when they are different terms.
func FloatLit(f float64) *Term {
	if f != f {
		f = math.NaN()
	}
	return mk(Term{Op: OpFloat, Sort: Float, Num: f})
}

// BoolLit is True or False.
func BoolLit(b bool) *Term {
	if b {
		return True
	}
	return False
}

// EnumLit is a value of an enum sort.
func EnumLit(s *Sort, value string) *Term { return mk(Term{Op: OpEnum, Sort: s, Name: value}) }

// Not is negation; a double negation cancels.
func Not(t *Term) *Term {
	switch t.Op {
	case OpTrue:
		return False
	case OpFalse:
		return True
	case OpNot:
		return t.Args[0]
	}
	return mk(Term{Op: OpNot, Sort: Bool, Args: []*Term{t}})
}

// And is conjunction; nested conjunctions are flattened and units dropped.
func And(ts ...*Term) *Term { return nary(OpAnd, True, False, ts) }

// Or is disjunction; nested disjunctions are flattened and units dropped.
func Or(ts ...*Term) *Term { return nary(OpOr, False, True, ts) }

func nary(op Op, unit, zero *Term, ts []*Term) *Term {
	var args []*Term
	for _, t := range ts {
		switch {
		case t == unit:
		case t == zero:
			return zero
		case t.Op == op:
			args = append(args, t.Args...)
		default:
			args = append(args, t)
		}
	}
	switch len(args) {
	case 0:
		return unit
	case 1:
		return args[0]
	}
	return mk(Term{Op: op, Sort: Bool, Args: args})
}

// Implies is implication.
func Implies(a, b *Term) *Term {
	switch {
	case a == True:
		return b
	case a == False || b == True:
		return True
	}
	return mk(Term{Op: OpImplies, Sort: Bool, Args: []*Term{a, b}})
}

// Eq is the equality of the common sort of a and b. Two literals are decided; a term equals
// itself.
func Eq(a, b *Term) *Term {
	if a.Equal(b) {
		return True
	}
	if a.IsLiteral() && b.IsLiteral() {
		return False
	}
	return mk(Term{Op: OpEq, Sort: Bool, Args: []*Term{a, b}})
}

// Ite is "if c then a else b" at the common sort of a and b.
func Ite(c, a, b *Term) *Term {
	switch {
	case c == True || a.Equal(b):
		return a
	case c == False:
		return b
	}
	return mk(Term{Op: OpIte, Sort: a.Sort, Args: []*Term{c, a, b}})
}

// Add is the sum of integers; literals alone are folded.
func Add(ts ...*Term) *Term {
	sum, literal := new(big.Int), true
	for _, t := range ts {
		if t.Op != OpInt {
			literal = false
			break
		}
		sum.Add(sum, t.Int)
	}
	if literal {
		return IntLit(sum)
	}
	if len(ts) == 1 {
		return ts[0]
	}
	return mk(Term{Op: OpAdd, Sort: Int, Args: slices.Clone(ts)})
}

// Mul is the product of two integers; literals alone are folded.
func Mul(a, b *Term) *Term {
	if a.Op == OpInt && b.Op == OpInt {
		return IntLit(new(big.Int).Mul(a.Int, b.Int))
	}
	return mk(Term{Op: OpMul, Sort: Int, Args: []*Term{a, b}})
}

// Neg is -a.
func Neg(a *Term) *Term { return Mul(Int64(-1), a) }

// Sub is a - b.
func Sub(a, b *Term) *Term { return Add(a, Neg(b)) }

// Le is a <= b on integers.
func Le(a, b *Term) *Term {
	if a.Op == OpInt && b.Op == OpInt {
		return BoolLit(a.Int.Cmp(b.Int) <= 0)
	}
	return mk(Term{Op: OpLe, Sort: Bool, Args: []*Term{a, b}})
}

// Lt is a < b on integers.
func Lt(a, b *Term) *Term {
	if a.Op == OpInt && b.Op == OpInt {
		return BoolLit(a.Int.Cmp(b.Int) < 0)
	}
	return mk(Term{Op: OpLt, Sort: Bool, Args: []*Term{a, b}})
}

// Concat joins two texts; literals are folded.
func Concat(a, b *Term) *Term {
	if a.Op == OpString && b.Op == OpString {
		return StringLit(a.Name + b.Name)
	}
	return mk(Term{Op: OpConcat, Sort: String, Args: []*Term{a, b}})
}

// FloatOp is an IEEE operation (OpFAdd … OpFEq) on two doubles; nothing is folded.
func FloatOp(op Op, a, b *Term) *Term {
	s := Float
	if op == OpFLe || op == OpFLt || op == OpFEq {
		s = Bool
	}
	return mk(Term{Op: op, Sort: s, Args: []*Term{a, b}})
}

// Select reads an array.
func Select(array, key *Term) *Term {
	return mk(Term{Op: OpSelect, Sort: array.Sort.Elem, Args: []*Term{array, key}})
}

// Store is the array with one entry replaced.
func Store(array, key, value *Term) *Term {
	return mk(Term{Op: OpStore, Sort: array.Sort, Args: []*Term{array, key, value}})
}

// App applies an uninterpreted function. A name stands for one signature throughout a query.
func App(name string, result *Sort, args ...*Term) *Term {
	return mk(Term{Op: OpApp, Sort: result, Name: name, Args: slices.Clone(args)})
}
