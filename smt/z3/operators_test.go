package z3

import (
	"math"
	"testing"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

// TestTwins asks, for every operator and sort, a satisfiable query and an unsatisfiable one that
// differs from it in little.
func TestTwins(t *testing.T) {
	var (
		a, b   = variable("a", term.Bool), variable("b", term.Bool)
		x, y   = variable("x", term.Int), variable("y", term.Int)
		s, u   = variable("s", term.String), variable("u", term.String)
		f, g   = variable("f", term.Float), variable("g", term.Float)
		door   = term.EnumSort("Door", "open", "shut")
		d, e   = variable("d", door), variable("e", door)
		i, j   = variable("i", term.Unit), variable("j", term.Unit)
		o, p   = variable("o", term.Opaque), variable("p", term.Opaque)
		m      = variable("m", term.ArraySort(term.String, term.Int))
		n      = variable("n", term.ArraySort(term.String, term.Int))
		nested = variable("nested", term.ArraySort(term.Int, term.ArraySort(door, term.Opaque)))
		is     = func(t *term.Term) *term.Term { return t }
		open   = term.EnumLit(door, "open")
		shut   = term.EnumLit(door, "shut")
		other  = term.EnumSort("Other", "open", "shut")
		nan    = double(math.NaN())
		zero   = double(0)
		minus0 = double(math.Copysign(0, -1))
		huge   = term.IntLit(num(1).Int.Lsh(num(1).Int, 300))
		length = func(t *term.Term) *term.Term { return term.App("len", term.Int, t) }
	)
	type formulas = []*term.Term
	for _, c := range []struct {
		name       string
		sat, unsat formulas
	}{
		{"true and false", formulas{term.True}, formulas{term.False}},
		{"bool", formulas{a}, formulas{a, term.Not(a)}},
		{"and", formulas{term.And(a, b)}, formulas{term.And(a, b), term.Not(b)}},
		{"or", formulas{term.Or(a, b), term.Not(b)}, formulas{term.Or(a, b), term.Not(b), term.Not(a)}},
		{"implies", formulas{term.Implies(a, b), term.Not(a)}, formulas{term.Implies(a, b), a, term.Not(b)}},
		{"eq bool", formulas{term.Eq(a, b), a}, formulas{term.Eq(a, b), a, term.Not(b)}},
		{"ite", formulas{term.Eq(term.Ite(a, x, y), num(1)), a, term.Eq(y, num(2))},
			formulas{term.Eq(term.Ite(a, x, y), num(1)), term.Not(a), term.Eq(y, num(2))}},
		{"add", formulas{term.Eq(term.Add(x, y, num(1)), num(3)), term.Eq(x, num(1)), term.Eq(y, num(1))},
			formulas{term.Eq(term.Add(x, y, num(1)), num(3)), term.Eq(x, num(1)), term.Eq(y, num(2))}},
		{"mul", formulas{term.Eq(term.Mul(x, y), num(6)), term.Eq(x, num(-2)), term.Eq(y, num(-3))},
			formulas{term.Eq(term.Mul(x, y), num(6)), term.Eq(x, num(-2)), term.Eq(y, num(3))}},
		{"integers are no rationals", formulas{term.Eq(term.Mul(num(2), x), num(4))},
			formulas{term.Eq(term.Mul(num(2), x), num(5))}},
		{"le", formulas{term.Le(x, y), term.Le(y, x)}, formulas{term.Le(x, y), term.Le(y, x), term.Not(term.Eq(x, y))}},
		{"lt", formulas{term.Lt(x, y), term.Lt(y, term.Add(x, num(2)))}, formulas{term.Lt(x, y), term.Lt(y, term.Add(x, num(1)))}},
		{"integers are unbounded", formulas{term.Lt(huge, x)}, formulas{term.Lt(x, huge), term.Lt(huge, x)}},
		{"literals of any size", formulas{term.Eq(x, huge), term.Eq(term.Sub(x, huge), num(0))},
			formulas{term.Eq(x, huge), term.Eq(term.Sub(x, huge), num(1))}},
		{"concat", formulas{term.Eq(term.Concat(s, u), text("ab")), term.Eq(s, text("a")), term.Eq(u, text("b"))},
			formulas{term.Eq(term.Concat(s, u), text("ab")), term.Eq(s, text("a")), term.Eq(u, text("a"))}},
		{"concat cancels", formulas{term.Eq(term.Concat(text("k-"), s), term.Concat(text("k-"), u))},
			formulas{term.Eq(term.Concat(text("k-"), s), term.Concat(text("k-"), u)), term.Not(term.Eq(s, u))}},
		{"string", formulas{term.Not(term.Eq(s, text("a")))}, formulas{term.Eq(s, text("a")), term.Eq(s, text("A"))}},
		{"float add", formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFAdd, double(0.1), double(0.2)), double(0.30000000000000004))},
			formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFAdd, double(0.1), double(0.2)), double(0.3))}},
		{"float sub", formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFSub, double(3), double(1)), double(2))},
			formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFSub, double(1), double(3)), double(2))}},
		{"float mul", formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFMul, double(1e200), double(1e200)), double(math.Inf(1)))},
			formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFMul, double(1e200), double(1e200)), double(1e300))}},
		{"float div", formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFDiv, double(1), minus0), double(math.Inf(-1)))},
			formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFDiv, double(1), zero), double(math.Inf(-1)))}},
		{"float rounding to even", formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFAdd, double(1<<53), double(1)), double(1<<53))},
			formulas{term.FloatOp(term.OpFEq, term.FloatOp(term.OpFAdd, double(1<<53+2), double(1)), double(1<<53+2))}},
		{"float le", formulas{term.FloatOp(term.OpFLe, f, g), term.FloatOp(term.OpFLe, g, f)},
			formulas{term.FloatOp(term.OpFLe, f, g), term.FloatOp(term.OpFLt, g, f)}},
		{"float lt", formulas{term.FloatOp(term.OpFLt, f, double(5e-324)), term.FloatOp(term.OpFLe, zero, f)},
			formulas{term.FloatOp(term.OpFLt, f, double(5e-324)), term.FloatOp(term.OpFLt, zero, f)}},
		{"float is partly ordered", formulas{term.Not(term.FloatOp(term.OpFLe, f, g)), term.Not(term.FloatOp(term.OpFLt, g, f))},
			formulas{term.Not(term.FloatOp(term.OpFLe, f, f)), term.FloatOp(term.OpFEq, f, f)}},
		{"NaN under =", formulas{term.Eq(f, nan), term.Eq(g, nan), term.Eq(f, g)}, formulas{term.Eq(f, nan), term.Eq(g, nan), term.Not(term.Eq(f, g))}},
		{"NaN under IEEE", formulas{term.Eq(f, nan), term.Not(term.FloatOp(term.OpFEq, f, f))}, formulas{term.Eq(f, nan), term.FloatOp(term.OpFEq, f, f)}},
		{"zeros under =", formulas{term.Eq(f, zero), term.Eq(g, minus0), term.Not(term.Eq(f, g))}, formulas{term.Eq(f, zero), term.Eq(g, minus0), term.Eq(f, g)}},
		{"zeros under IEEE", formulas{term.Eq(f, zero), term.Eq(g, minus0), term.FloatOp(term.OpFEq, f, g)},
			formulas{term.Eq(f, zero), term.Eq(g, minus0), term.Not(term.FloatOp(term.OpFEq, f, g))}},
		{"enum", formulas{term.Not(term.Eq(d, open)), term.Eq(d, shut)}, formulas{term.Not(term.Eq(d, open)), term.Not(term.Eq(d, shut))}},
		{"enum values differ", formulas{term.Eq(d, open), term.Eq(e, shut)}, formulas{term.Eq(d, open), term.Eq(e, shut), term.Eq(d, e)}},
		{"enums of equal values", formulas{term.Eq(d, open), term.Eq(variable("d", other), term.EnumLit(other, "shut"))},
			formulas{term.Eq(variable("d", other), term.EnumLit(other, "shut")), term.Eq(variable("d", other), term.EnumLit(other, "open"))}},
		{"enum of one name twice", formulas{
			term.Eq(d, shut), term.Not(term.Eq(variable("w", term.EnumSort("Door", "shut", "ajar", "open")), term.EnumLit(term.EnumSort("Door", "shut", "ajar", "open"), "shut")))},
			formulas{term.Not(term.Eq(d, shut)), term.Not(term.Eq(d, open)), variable("a", term.Bool)}},
		{"unit", formulas{term.Eq(i, j)}, formulas{term.Not(term.Eq(i, j))}},
		{"unit literal", formulas{term.Eq(i, term.UnitLit)}, formulas{term.Not(term.Eq(i, term.UnitLit))}},
		{"opaque", formulas{term.Not(term.Eq(o, p))}, formulas{term.Not(term.Eq(o, p)), term.Eq(p, o)}},
		{"select", formulas{term.Not(term.Eq(term.Select(m, s), term.Select(m, u)))},
			formulas{term.Not(term.Eq(term.Select(m, s), term.Select(m, u))), term.Eq(s, u)}},
		{"store", formulas{term.Eq(term.Select(term.Store(m, s, num(1)), u), num(2))},
			formulas{term.Eq(term.Select(term.Store(m, s, num(1)), u), num(2)), term.Eq(s, u)}},
		{"store elsewhere", formulas{term.Not(term.Eq(term.Select(term.Store(m, s, num(1)), u), term.Select(m, u)))},
			formulas{term.Not(term.Eq(term.Select(term.Store(m, s, num(1)), u), term.Select(m, u))), term.Not(term.Eq(s, u))}},
		{"arrays are extensional", formulas{term.Eq(m, n)}, formulas{term.Eq(m, n), term.Not(term.Eq(term.Select(m, s), term.Select(n, s)))}},
		{"arrays of arrays", formulas{term.Not(term.Eq(term.Select(term.Select(nested, x), d), o))},
			formulas{term.Not(term.Eq(term.Select(term.Select(nested, x), d), term.Select(term.Select(nested, y), e))), term.Eq(x, y), term.Eq(d, e)}},
		{"app", formulas{term.Not(term.Eq(length(s), length(u)))}, formulas{term.Not(term.Eq(length(s), length(u))), term.Eq(s, u)}},
		{"app without arguments", formulas{term.Not(term.Eq(term.App("now", term.Int), x))},
			formulas{term.Lt(term.App("now", term.Int), term.App("now", term.Int))}},
		{"app and variable of one name", formulas{term.Not(term.Eq(term.App("x", term.Int), x))},
			formulas{term.Not(term.Eq(term.App("x", term.Int), term.App("x", term.Int))), is(a)}},
		{"app at two signatures", formulas{term.Eq(term.App("h", term.Int, x), num(1)), term.Eq(term.App("h", term.Int, x, x), num(2)),
			term.Eq(term.App("h", term.String, x), text("no"))},
			formulas{term.Eq(term.App("h", term.Int, x), num(1)), term.Eq(term.App("h", term.Int, x), num(2))}},
		{"app on opaque", formulas{term.App("eq", term.Bool, o, p), term.Not(term.App("eq", term.Bool, p, o))},
			formulas{term.App("eq", term.Bool, o, p), term.Not(term.App("eq", term.Bool, p, o)), term.Eq(o, p)}},
		{"one name at two sorts", formulas{term.Eq(variable("x", term.String), text("1")), term.Eq(x, num(2))},
			formulas{term.Eq(variable("x", term.String), text("1")), term.Eq(variable("x", term.String), text("2"))}},
		{"names that are not plain", formulas{variable("a\x00b", term.Bool), term.Not(variable("a\x00c", term.Bool)), term.Not(variable("a", term.Bool))},
			formulas{variable("a\x00b", term.Bool), term.Not(variable("a\x00b", term.Bool))}},
	} {
		solver := openSolver(t, patient)
		if got := ask(t, solver, smt.Query{Name: c.name, Assert: c.sat}); got.Verdict != smt.Sat {
			t.Errorf("%s: the satisfiable twin is %v (%s)", c.name, got.Verdict, got.Reason)
		}
		if got := ask(t, solver, smt.Query{Name: c.name, Assert: c.unsat}); got.Verdict != smt.Unsat {
			t.Errorf("%s: the unsatisfiable twin is %v (%s)", c.name, got.Verdict, got.Reason)
		}
		for _, twin := range []formulas{c.sat, c.unsat} {
			compareScript(t, solver, smt.Query{Name: c.name, Assert: twin})
		}
	}
}

// TestHostileTexts holds that texts which a careless translation would confuse, cut or read as
// escapes stay different, and come back from a model as they were.
func TestHostileTexts(t *testing.T) {
	texts := []string{"", "\x00", "a\x00", "a\x00b", `\`, `\\`, `\u{10FFFF}`, `\u{FFFF}`, "\U0010FFFF", "\uFFFF",
		`\x41`, "A", `%41`, "%", "%%", `"`, `""`, "|", "\n", "\r\n", "\x7f", "\x80", "\xff", "é", "\xc3", "\xa9", "e\u0301",
		"日本", "\ufffd", "(str \"a\")", ";", " ", "\\u0041", `\101`}
	solver := openSolver(t, patient)
	v := variable("v", term.String)
	for _, one := range texts {
		got := ask(t, solver, smt.Query{Assert: []*term.Term{term.Eq(v, text(one))}, Wanted: []*term.Term{v, term.Concat(v, v)}})
		if got.Verdict != smt.Sat || got.Values[0].Name != one || got.Values[1].Name != one+one {
			t.Errorf("%q comes back as %v", one, got)
		}
	}
	var different []*term.Term
	for i, one := range texts {
		v := variable("v"+string(rune('A'+i)), term.String)
		different = append(different, term.Eq(v, text(one)))
		for j := range i {
			different = append(different, term.Not(term.Eq(v, variable("v"+string(rune('A'+j)), term.String))))
		}
	}
	if got := ask(t, solver, smt.Query{Assert: different}); got.Verdict != smt.Sat {
		t.Errorf("different texts are not different: %v", got)
	}
	halves := smt.Query{Assert: []*term.Term{term.Eq(v, text("\xc3")), term.Eq(variable("w", term.String), text("\xa9")),
		term.Not(term.Eq(term.Concat(v, variable("w", term.String)), text("é")))}}
	if got := ask(t, solver, halves); got.Verdict != smt.Unsat {
		t.Errorf("two halves of a character do not make it: %v", got)
	}
}
