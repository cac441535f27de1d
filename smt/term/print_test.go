package term_test

import (
	"math"
	"strconv"
	"testing"

	"soma.cell/smt/term"
)

func itoa(i int) string { return strconv.Itoa(i) }

func TestInfixNotation(t *testing.T) {
	var (
		a, b, c = term.Var("a", term.Bool), term.Var("b", term.Bool), term.Var("c", term.Bool)
		x, y, z = term.Var("x", term.Int), term.Var("y", term.Int), term.Var("z", term.Int)
		f, g    = term.Var("f", term.Float), term.Var("g", term.Float)
		s       = term.Var("s", term.String)
		door    = term.EnumSort("Door", "open", "shut")
		m       = term.Var("m", term.ArraySort(term.String, term.Int))
		num     = term.Int64
	)
	for _, c := range []struct {
		term *term.Term
		want string
	}{
		{term.Le(term.Add(x, num(1)), y), "x + 1 <= y"},
		{term.Not(term.Eq(x, y)), "not (x = y)"},
		{term.Not(a), "not a"},
		{term.And(term.Not(a), b), "not a and b"},
		{term.And(a, term.Or(b, c)), "a and (b or c)"},
		{term.Or(term.And(a, b), c), "a and b or c"},
		{term.Implies(a, term.Implies(b, c)), "a => b => c"},
		{term.Implies(term.Implies(a, b), c), "(a => b) => c"},
		{term.Eq(a, term.Eq(b, c)), "a = (b = c)"},
		{term.Eq(a, term.And(b, c)), "a = (b and c)"},
		{term.Ite(a, x, term.Ite(b, y, z)), "if a then x else if b then y else z"},
		{term.Ite(a, term.Ite(b, x, y), z), "if a then (if b then x else y) else z"},
		{term.Add(term.Ite(a, x, y), z), "(if a then x else y) + z"},
		{term.Sub(x, y), "x - y"},
		{term.Sub(x, term.Add(y, z)), "x - (y + z)"},
		{term.Add(x, num(-3)), "x - 3"},
		{term.Add(term.Add(x, y), z), "x + y + z"},
		{term.Add(x, term.Add(y, z)), "x + (y + z)"},
		{term.Neg(x), "-x"},
		{term.Neg(term.Add(x, y)), "-(x + y)"},
		{term.Mul(x, term.Add(y, z)), "x * (y + z)"},
		{term.Mul(term.Mul(x, y), z), "x * y * z"},
		{term.Mul(x, term.Mul(y, z)), "x * (y * z)"},
		{term.Add(term.Mul(num(2), x), y), "2 * x + y"},
		{term.Select(m, s), "select(m, s)"},
		{term.Store(m, term.StringLit("k\n"), num(1)), `store(m, "k\n", 1)`},
		{term.App("len", term.Int, term.Concat(s, term.StringLit("!"))), `len(s ++ "!")`},
		{term.FloatOp(term.OpFLe, term.FloatOp(term.OpFAdd, f, term.FloatLit(1)), g), "f +. 1.0 <=. g"},
		{term.FloatOp(term.OpFSub, f, term.FloatOp(term.OpFSub, g, f)), "f -. (g -. f)"},
		{term.FloatOp(term.OpFEq, f, term.FloatLit(math.NaN())), "f ==. NaN"},
		{term.FloatOp(term.OpFLt, f, term.FloatLit(math.Inf(-1))), "f <. -Inf"},
		{term.Eq(term.Var("d", door), term.EnumLit(door, "open")), "d = Door.open"},
		{term.Eq(term.Var("u", term.Unit), term.UnitLit), "u = ()"},
		{term.True, "true"},
	} {
		if got := c.term.String(); got != c.want {
			t.Errorf("%s is shown as %q, want %q", c.term.Text(), got, c.want)
		}
	}
}
