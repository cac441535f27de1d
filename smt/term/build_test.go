package term_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/smt/internal/termtest"
	"soma.cell/smt/term"
)

// TestConstructorsKeepTheMeaning rebuilds a random term, whose constructors have simplified what
// they could, and compares it with the same operators read without any simplification.
func TestConstructorsKeepTheMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		model := termtest.RandomModel(t)
		args := func(s *term.Sort) *term.Term { return termtest.Term(t, s, 2) }
		p, q, r := args(term.Bool), args(term.Bool), args(term.Bool)
		x, y := args(term.Int), args(term.Int)
		s, u := args(term.String), args(term.String)
		f, g := args(term.Float), args(term.Float)
		for _, c := range []struct {
			op    string
			built *term.Term
			args  []*term.Term
		}{
			{"not", term.Not(p), []*term.Term{p}},
			{"and", term.And(p, q, r), []*term.Term{p, q, r}},
			{"or", term.Or(p, q, r), []*term.Term{p, q, r}},
			{"=>", term.Implies(p, q), []*term.Term{p, q}},
			{"=", term.Eq(p, q), []*term.Term{p, q}},
			{"=", term.Eq(x, y), []*term.Term{x, y}},
			{"=", term.Eq(s, u), []*term.Term{s, u}},
			{"=", term.Eq(f, g), []*term.Term{f, g}},
			{"ite", term.Ite(p, x, y), []*term.Term{p, x, y}},
			{"+", term.Add(x, y, x), []*term.Term{x, y, x}},
			{"*", term.Mul(x, y), []*term.Term{x, y}},
			{"*", term.Neg(x), []*term.Term{term.Int64(-1), x}},
			{"+", term.Sub(x, y), []*term.Term{x, term.Neg(y)}},
			{"<=", term.Le(x, y), []*term.Term{x, y}},
			{"<", term.Lt(x, y), []*term.Term{x, y}},
			{"++", term.Concat(s, u), []*term.Term{s, u}},
			{"f+", term.FloatOp(term.OpFAdd, f, g), []*term.Term{f, g}},
			{"f=", term.FloatOp(term.OpFEq, f, g), []*term.Term{f, g}},
		} {
			var text strings.Builder
			text.WriteString("(" + c.op)
			for _, a := range c.args {
				text.WriteString(" " + a.Text())
			}
			plain, err := term.Parse(text.String() + ")")
			if err != nil {
				t.Fatal(err)
			}
			got, want := model.Eval(c.built).Lit, model.Eval(plain).Lit
			if !got.Equal(want) {
				t.Fatalf("%s means %s, built as %s it means %s", plain, want, c.built, got)
			}
		}
	})
}

func TestSimplifications(t *testing.T) {
	p, q, r := term.Var("p", term.Bool), term.Var("q", term.Bool), term.Var("r", term.Bool)
	x := term.Var("x", term.Int)
	nan := math.Float64frombits(0x7ff8000000000099)
	for _, c := range []struct {
		built *term.Term
		text  string
	}{
		{term.Not(term.Not(p)), "(var p Bool)"},
		{term.Not(term.True), "false"},
		{term.And(), "true"},
		{term.Or(), "false"},
		{term.And(p), "(var p Bool)"},
		{term.And(p, term.True), "(var p Bool)"},
		{term.And(p, term.False, q), "false"},
		{term.Or(p, term.True), "true"},
		{term.And(term.And(p, q), r), "(and (var p Bool) (var q Bool) (var r Bool))"},
		{term.Or(p, term.And(q, r)), "(or (var p Bool) (and (var q Bool) (var r Bool)))"},
		{term.Implies(p, term.True), "true"},
		{term.Implies(term.False, p), "true"},
		{term.Implies(term.True, p), "(var p Bool)"},
		{term.Implies(p, term.False), "(=> (var p Bool) false)"},
		{term.Eq(x, term.Var("x", term.Int)), "true"},
		{term.Eq(term.Int64(1), term.Int64(2)), "false"},
		{term.Eq(term.FloatLit(nan), term.FloatLit(math.NaN())), "true"},
		{term.Eq(term.FloatLit(0), term.FloatLit(math.Copysign(0, -1))), "false"},
		{term.FloatOp(term.OpFEq, term.FloatLit(1), term.FloatLit(1)),
			"(f= (float 0x3ff0000000000000) (float 0x3ff0000000000000))"},
		{term.Ite(term.True, x, term.Int64(0)), "(var x Int)"},
		{term.Ite(p, x, x), "(var x Int)"},
		{term.Add(), "(int 0)"},
		{term.Add(x), "(var x Int)"},
		{term.Sub(term.Int64(3), term.Int64(5)), "(int -2)"},
		{term.Lt(term.Int64(3), term.Int64(3)), "false"},
		{term.Concat(term.StringLit("a"), term.StringLit("b")), `(str "ab")`},
	} {
		if got := c.built.Text(); got != c.text {
			t.Errorf("built %s, want %s", got, c.text)
		}
	}
}

func TestTermsOwnTheirData(t *testing.T) {
	n := big.NewInt(7)
	args := []*term.Term{term.Int64(1)}
	values := []string{"a", "b"}
	lit, app, enum := term.IntLit(n), term.App("f", term.Int, args...), term.EnumSort("E", values...)
	n.SetInt64(8)
	args[0] = term.True
	values[0] = "z"
	if got := term.Eq(lit, app).Text() + enum.String(); got != "(= (int 7) (app f Int (int 1)))(Enum E a b)" {
		t.Errorf("a caller's change reached the term: %s", got)
	}
}

func TestSubstAndVars(t *testing.T) {
	x, y := term.Var("x", term.Int), term.Var("y", term.Int)
	other := term.Var("x", term.Bool)
	u := term.Subst(term.And(other, term.Le(term.Add(x, y), x)), func(v *term.Term) *term.Term {
		if v.Equal(x) {
			return term.Int64(2)
		}
		return nil
	})
	if got := u.String(); got != "x and 2 + y <= 2" {
		t.Errorf("substitution gives %s", got)
	}
	vars := term.Vars(term.Le(y, x), term.And(other, term.Lt(x, y)))
	if len(vars) != 3 || !vars[0].Equal(y) || !vars[1].Equal(x) || !vars[2].Equal(other) {
		t.Errorf("variables %v", vars)
	}
}

func TestCheckRefusesIllSortedTerms(t *testing.T) {
	x, m := term.Var("x", term.Int), term.Var("m", term.ArraySort(term.Int, term.Bool))
	bad := map[string]*term.Term{
		"not: argument 1 has sort Int":            term.Not(x),
		"=: argument 2 has sort Bool":             term.Eq(x, term.Var("b", term.Bool)),
		"ite: argument 3 has sort String":         term.Ite(term.Var("b", term.Bool), x, term.StringLit("s")),
		"select: argument 2 has sort Float":       term.Select(m, term.FloatLit(1)),
		"store: argument 1 has sort Int":          term.Select(term.Store(x, x, x), x),
		"store: argument 3 has sort Int":          term.Store(m, x, x),
		"and: argument 2 has sort Unit":           term.And(term.Var("b", term.Bool), term.UnitLit),
		`"c" is no value of`:                      term.EnumLit(term.EnumSort("E", "a"), "c"),
		"an enum needs a value":                   term.Var("e", term.EnumSort("E")),
		"value a occurs twice":                    term.Var("e", term.EnumSort("E", "a", "a")),
		"a sort is missing":                       term.Var("e", term.ArraySort(term.Int, nil)),
		"f<: argument 1 has sort Int, not Float":  term.FloatOp(term.OpFLt, x, term.FloatLit(1)),
		"++: argument 1 has sort Int, not String": term.Concat(x, term.StringLit("a")),
	}
	for why, u := range bad {
		for _, wrapped := range []*term.Term{u, term.App("f", term.Bool, u)} {
			if err := term.Check(term.True, wrapped); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("Check says %v, want %q", err, why)
			}
		}
	}
	if err := term.Check(nil); err == nil {
		t.Error("a missing term is accepted")
	}
	if err := term.Check(doubling(100)); err != nil {
		t.Error(err)
	}
}
