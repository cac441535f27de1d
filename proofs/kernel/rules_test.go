package kernel

import (
	"strings"
	"testing"

	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// step is a line with its claim as a term.
type step struct {
	rule  string
	claim *term.Term
	from  []int
	coef  []string
}

// derive writes steps as a refutation.
func derive(steps []step) *cert.Refutation {
	bank, r := term.NewBank(), &cert.Refutation{}
	for _, s := range steps {
		r.Lines = append(r.Lines, cert.Line{Rule: s.rule, Claim: bank.Add(s.claim), From: s.from, Coef: s.coef})
	}
	r.Terms = bank.Nodes()
	return r
}

var (
	p, q   = term.Var("p", term.Bool), term.Var("q", term.Bool)
	x, y   = term.Var("x", term.Int), term.Var("y", term.Int)
	s, u   = term.Var("s", term.String), term.Var("u", term.String)
	a, b   = term.StringLit("a"), term.StringLit("b")
	size   = term.EnumSort("Size", "small", "large")
	z      = term.Var("z", size)
	stock  = term.Var("stock", term.ArraySort(term.String, term.Int))
	stored = term.Store(stock, s, x)
	choice = term.Ite(p, x, y)
)

func lit(n int64) *term.Term { return term.Int64(n) }

// TestRules gives each rule a derivation that holds and twins with one fault. Steps 0 … are
// the assumptions of the first case.
func TestRules(t *testing.T) {
	assume := func(ts ...*term.Term) []step {
		var out []step
		for _, f := range ts {
			out = append(out, step{rule: "assume", claim: f})
		}
		return out
	}
	no := term.False
	for _, c := range []struct {
		name    string
		assumed []*term.Term
		steps   []step
		want    ErrorKind // "" when it holds
	}{
		{"assume", []*term.Term{no}, assume(no), ""},
		{"assume what nobody gave", []*term.Term{p}, assume(no), NotAssumed},
		{"assume from a line", []*term.Term{no}, append(assume(no), step{"assume", no, []int{0}, nil}), BadLine},

		{"conflict", []*term.Term{p, term.Not(p)}, append(assume(p, term.Not(p)), step{"conflict", no, []int{0, 1}, nil}), ""},
		{"conflict of one literal", []*term.Term{term.Eq(s, a)}, append(assume(term.Eq(s, a)), step{"conflict", no, []int{0}, nil}), NotDerived},
		{"conflict of two literals", []*term.Term{term.Eq(s, a), term.Eq(b, s)}, append(assume(term.Eq(s, a), term.Eq(b, s)), step{"conflict", no, []int{0, 1}, nil}), ""},
		{"conflict of doubles", []*term.Term{term.Eq(term.Var("f", term.Float), term.FloatLit(0)), term.Eq(term.Var("f", term.Float), term.FloatLit(1))},
			append(assume(term.Eq(term.Var("f", term.Float), term.FloatLit(0)), term.Eq(term.Var("f", term.Float), term.FloatLit(1))), step{"conflict", no, []int{0, 1}, nil}), NotDerived},
		{"lines out of order", []*term.Term{p, term.Not(p)}, append(assume(p, term.Not(p)), step{"conflict", no, []int{1, 0}, nil}), BadLine},
		{"a later line", []*term.Term{p}, append(assume(p), step{"conflict", no, []int{0, 1}, nil}), BadLine},
		{"unknown rule", []*term.Term{p}, append(assume(p), step{"magic", no, []int{0}, nil}), UnknownLine},
		{"multipliers where there are none", []*term.Term{p, term.Not(p)}, append(assume(p, term.Not(p)), step{"conflict", no, []int{0, 1}, []string{"1", "1"}}), BadLine},
		{"a line of no use", []*term.Term{p, term.Not(p), q}, append(assume(q, p, term.Not(p)), step{"conflict", no, []int{1, 2}, nil}), UnusedLine},
		{"no end", []*term.Term{p}, assume(p), NotFalse},
		{"nothing", []*term.Term{p}, nil, NotFalse},

		{"discharge", []*term.Term{p, term.Not(term.Not(p))}, append(assume(p),
			step{"case", term.Not(p), nil, nil}, step{"conflict", no, []int{0, 1}, nil},
			step{"discharge", p, []int{1, 2}, nil}, step{"case", q, nil, nil}), NotFalse},
		{"an open case", []*term.Term{p}, append(assume(p),
			step{"case", term.Not(p), nil, nil}, step{"conflict", no, []int{0, 1}, nil}), NotFalse},
		{"discharge of no case", []*term.Term{p, term.Not(p)}, append(assume(p, term.Not(p)),
			step{"conflict", no, []int{0, 1}, nil}, step{"discharge", term.Not(p), []int{0, 2}, nil},
			step{"conflict", no, []int{0, 3}, nil}), NotDerived},
		{"discharge of another formula", []*term.Term{p}, append(assume(p),
			step{"case", term.Not(p), nil, nil}, step{"conflict", no, []int{0, 1}, nil},
			step{"discharge", q, []int{1, 2}, nil}), NotDerived},
		{"discharge without false", []*term.Term{p}, append(assume(p),
			step{"case", q, nil, nil}, step{"discharge", term.Not(q), []int{0, 1}, nil}), NotDerived},

		{"and", []*term.Term{term.And(p, q), term.Not(q)}, append(assume(term.And(p, q), term.Not(q)),
			step{"and", q, []int{0}, nil}, step{"conflict", no, []int{1, 2}, nil}), ""},
		{"and of a disjunction", []*term.Term{term.Or(p, q), term.Not(q)}, append(assume(term.Or(p, q), term.Not(q)),
			step{"and", q, []int{0}, nil}, step{"conflict", no, []int{1, 2}, nil}), NotDerived},
		{"and of two lines", []*term.Term{term.And(p, q), p}, append(assume(term.And(p, q), p),
			step{"and", q, []int{0, 1}, nil}), BadLine},

		{"not-or", []*term.Term{term.Not(term.Or(p, q)), q}, append(assume(term.Not(term.Or(p, q)), q),
			step{"not-or", term.Not(q), []int{0}, nil}, step{"conflict", no, []int{1, 2}, nil}), ""},
		{"not-or of a conjunction", []*term.Term{term.Not(term.And(p, q)), q}, append(assume(term.Not(term.And(p, q)), q),
			step{"not-or", term.Not(q), []int{0}, nil}, step{"conflict", no, []int{1, 2}, nil}), NotDerived},

		{"not-implies", []*term.Term{term.Not(term.Implies(p, q)), q}, append(assume(term.Not(term.Implies(p, q)), q),
			step{"not-implies", term.Not(q), []int{0}, nil}, step{"conflict", no, []int{1, 2}, nil}), ""},
		{"not-implies the wrong way", []*term.Term{term.Not(term.Implies(p, q)), term.Not(q)}, append(assume(term.Not(term.Implies(p, q)), term.Not(q)),
			step{"not-implies", q, []int{0}, nil}, step{"conflict", no, []int{1, 2}, nil}), NotDerived},

		{"unit", []*term.Term{term.Or(p, q), term.Not(p), term.Not(q)}, append(assume(term.Or(p, q), term.Not(p), term.Not(q)),
			step{"unit", q, []int{0, 1}, nil}, step{"conflict", no, []int{2, 3}, nil}), ""},
		{"unit of an implication", []*term.Term{term.Implies(p, q), p, term.Not(q)}, append(assume(term.Implies(p, q), p, term.Not(q)),
			step{"unit", no, []int{0, 1, 2}, nil}), ""},
		{"unit of the negation of a conjunction", []*term.Term{term.Not(term.And(p, q)), p, q}, append(assume(term.Not(term.And(p, q)), p, q),
			step{"unit", no, []int{0, 1, 2}, nil}), ""},
		{"unit with an alternative left", []*term.Term{term.Or(p, q), term.Not(q)}, append(assume(term.Or(p, q), term.Not(q)),
			step{"unit", no, []int{0, 1}, nil}), NotDerived},
		{"unit of no disjunction", []*term.Term{p, term.Not(p)}, append(assume(p, term.Not(p)),
			step{"unit", no, []int{0, 1}, nil}), NotDerived},
		{"unit of nothing", []*term.Term{p}, []step{{"unit", no, nil, nil}}, BadLine},
		{"unit with an idle line", []*term.Term{term.Or(p, q), term.Not(p), term.Not(q), term.Eq(s, a)}, append(assume(term.Or(p, q), term.Not(p), term.Not(q), term.Eq(s, a)),
			step{"unit", no, []int{0, 1, 2, 3}, nil}), NotDerived},

		{"congruence", []*term.Term{term.Eq(s, u), term.Not(term.Eq(term.Select(stock, s), term.Select(stock, u)))},
			append(assume(term.Eq(s, u), term.Not(term.Eq(term.Select(stock, s), term.Select(stock, u)))),
				step{"congruence", term.Eq(term.Select(stock, u), term.Select(stock, s)), []int{0}, nil},
				step{"conflict", no, []int{1, 2}, nil}), ""},
		{"congruence of unequal keys", []*term.Term{p, term.Not(term.Eq(term.Select(stock, s), term.Select(stock, u)))},
			append(assume(p, term.Not(term.Eq(term.Select(stock, s), term.Select(stock, u)))),
				step{"congruence", term.Eq(term.Select(stock, u), term.Select(stock, s)), []int{0}, nil},
				step{"conflict", no, []int{1, 2}, nil}), NotDerived},
		{"congruence of IEEE equality", []*term.Term{term.FloatOp(term.OpFEq, term.Var("f", term.Float), term.Var("g", term.Float)), p},
			append(assume(term.FloatOp(term.OpFEq, term.Var("f", term.Float), term.Var("g", term.Float)), p),
				step{"congruence", term.Eq(term.Var("f", term.Float), term.Var("g", term.Float)), []int{0, 1}, nil}), NotDerived},
		{"functions of one name and two sorts", []*term.Term{term.Not(term.Eq(term.App("h", term.Int, s), term.App("h", term.Int, x)))},
			append(assume(term.Not(term.Eq(term.App("h", term.Int, s), term.App("h", term.Int, x)))),
				step{"conflict", no, []int{0}, nil}), NotDerived},

		{"ite", []*term.Term{p, term.Not(term.Eq(choice, x))}, append(assume(p, term.Not(term.Eq(choice, x))),
			step{"ite", term.Implies(p, term.Eq(choice, x)), nil, nil}, step{"unit", no, []int{2, 0, 1}, nil}), ""},
		{"ite of the other side", []*term.Term{p, term.Not(term.Eq(choice, y))}, append(assume(p, term.Not(term.Eq(choice, y))),
			step{"ite", term.Implies(p, term.Eq(choice, y)), nil, nil}, step{"unit", no, []int{2, 0, 1}, nil}), NotDerived},

		{"store", []*term.Term{term.Eq(s, u), term.Not(term.Eq(term.Select(stored, u), x))}, append(assume(term.Eq(s, u), term.Not(term.Eq(term.Select(stored, u), x))),
			step{"store", term.Implies(term.Eq(s, u), term.Eq(term.Select(stored, u), x)), nil, nil}, step{"unit", no, []int{2, 0, 1}, nil}), ""},
		{"store at another key", []*term.Term{term.Not(term.Eq(s, u)), term.Not(term.Eq(term.Select(stored, u), x))}, append(assume(term.Not(term.Eq(s, u)), term.Not(term.Eq(term.Select(stored, u), x))),
			step{"store", term.Implies(term.Not(term.Eq(s, u)), term.Eq(term.Select(stored, u), x)), nil, nil}, step{"unit", no, []int{2, 0, 1}, nil}), NotDerived},

		{"enum", []*term.Term{term.Not(term.Eq(z, term.EnumLit(size, "small"))), term.Not(term.Eq(z, term.EnumLit(size, "large")))},
			append(assume(term.Not(term.Eq(z, term.EnumLit(size, "small"))), term.Not(term.Eq(z, term.EnumLit(size, "large")))),
				step{"enum", term.Or(term.Eq(z, term.EnumLit(size, "small")), term.Eq(z, term.EnumLit(size, "large"))), nil, nil},
				step{"unit", no, []int{2, 0, 1}, nil}), ""},
		{"enum with a value missing", []*term.Term{term.Not(term.Eq(z, term.EnumLit(size, "small")))},
			append(assume(term.Not(term.Eq(z, term.EnumLit(size, "small")))),
				step{"enum", term.Eq(z, term.EnumLit(size, "small")), nil, nil}, step{"conflict", no, []int{0, 1}, nil}), NotDerived},

		{"trichotomy", []*term.Term{term.Not(term.Eq(x, y)), term.Not(term.Lt(x, y)), term.Not(term.Lt(y, x))},
			append(assume(term.Not(term.Eq(x, y)), term.Not(term.Lt(x, y)), term.Not(term.Lt(y, x))),
				step{"trichotomy", term.Or(term.Eq(x, y), term.Lt(x, y), term.Lt(y, x)), nil, nil}, step{"unit", no, []int{3, 0, 1, 2}, nil}), ""},
		{"trichotomy of two parts", []*term.Term{term.Not(term.Eq(x, y)), term.Not(term.Lt(x, y))},
			append(assume(term.Not(term.Eq(x, y)), term.Not(term.Lt(x, y))),
				step{"trichotomy", term.Or(term.Eq(x, y), term.Lt(x, y)), nil, nil}, step{"unit", no, []int{2, 0, 1}, nil}), NotDerived},

		{"linear", []*term.Term{term.Lt(x, y), term.Lt(y, x)}, append(assume(term.Lt(x, y), term.Lt(y, x)), step{"linear", no, []int{0, 1}, []string{"1", "1"}}), ""},
		{"linear with fractions", []*term.Term{term.Le(lit(1), term.Mul(lit(2), x)), term.Le(x, lit(0))},
			append(assume(term.Le(lit(1), term.Mul(lit(2), x)), term.Le(x, lit(0))), step{"linear", no, []int{0, 1}, []string{"1/2", "1"}}), ""},
		{"linear with a wrong multiplier", []*term.Term{term.Lt(x, y), term.Lt(y, x)}, append(assume(term.Lt(x, y), term.Lt(y, x)), step{"linear", no, []int{0, 1}, []string{"1", "2"}}), NotDerived},
		{"linear with a negative multiplier", []*term.Term{term.Le(x, y)}, append(assume(term.Le(x, y)), step{"linear", no, []int{0}, []string{"-1"}}), BadMultiplier},
		{"linear with an equation turned", []*term.Term{term.Eq(x, y), term.Lt(x, y)}, append(assume(term.Eq(x, y), term.Lt(x, y)), step{"linear", no, []int{0, 1}, []string{"-1", "1"}}), ""},
		{"linear with a multiplier not reduced", []*term.Term{term.Lt(x, y), term.Lt(y, x)}, append(assume(term.Lt(x, y), term.Lt(y, x)), step{"linear", no, []int{0, 1}, []string{"2/2", "1"}}), BadMultiplier},
		{"linear with a multiplier 0", []*term.Term{term.Lt(x, y), term.Lt(y, x)}, append(assume(term.Lt(x, y), term.Lt(y, x)), step{"linear", no, []int{0, 1}, []string{"0", "1"}}), BadMultiplier},
		{"linear with a multiplier that is no number", []*term.Term{term.Lt(x, y), term.Lt(y, x)}, append(assume(term.Lt(x, y), term.Lt(y, x)), step{"linear", no, []int{0, 1}, []string{"1e0", "1"}}), BadMultiplier},
		{"linear with a multiplier too few", []*term.Term{term.Lt(x, y), term.Lt(y, x)}, append(assume(term.Lt(x, y), term.Lt(y, x)), step{"linear", no, []int{0, 1}, []string{"1"}}), BadLine},
		{"linear that is 0 <= 0", []*term.Term{term.Le(x, y), term.Le(y, x)}, append(assume(term.Le(x, y), term.Le(y, x)), step{"linear", no, []int{0, 1}, []string{"1", "1"}}), NotDerived},
		{"linear over a disequality", []*term.Term{term.Not(term.Eq(x, y)), term.Le(x, y)}, append(assume(term.Not(term.Eq(x, y)), term.Le(x, y)), step{"linear", no, []int{0, 1}, []string{"1", "1"}}), NotDerived},

		{"round", []*term.Term{term.Le(lit(1), term.Mul(lit(2), x)), term.Le(x, lit(0))},
			append(assume(term.Le(lit(1), term.Mul(lit(2), x)), term.Le(x, lit(0))),
				step{"round", term.Le(lit(1), x), []int{0}, []string{"1"}}, step{"linear", no, []int{1, 2}, []string{"1", "1"}}), ""},
		{"round the wrong way", []*term.Term{term.Le(term.Mul(lit(2), x), lit(1)), term.Le(lit(0), x)},
			append(assume(term.Le(term.Mul(lit(2), x), lit(1)), term.Le(lit(0), x)),
				step{"round", term.Le(x, lit(-1)), []int{0}, []string{"1"}}, step{"linear", no, []int{1, 2}, []string{"1", "1"}}), NotDerived},
		{"round with fractions", []*term.Term{term.Le(lit(1), term.Mul(lit(3), x))},
			append(assume(term.Le(lit(1), term.Mul(lit(3), x))),
				step{"round", term.Le(lit(1), x), []int{0}, []string{"1/2"}}), NotDerived},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := checkRefutation(c.assumed, derive(c.steps), &budget{maxWork})
			switch {
			case err == nil && c.want != "":
				t.Errorf("it is accepted, and should be refused as %s", c.want)
			case err != nil && err.Kind != c.want:
				t.Errorf("refused as %v, want %q", err, c.want)
			}
		})
	}
}

// TestEveryRuleIsTested keeps the table of rules and the test above in step.
func TestEveryRuleIsTested(t *testing.T) {
	for name := range rules() {
		if !strings.Contains("assume case discharge and not-or not-implies unit congruence conflict ite store enum trichotomy linear round", name) {
			t.Errorf("rule %s has no negative test", name)
		}
	}
}

func TestTables(t *testing.T) {
	good := derive([]step{{"assume", p, nil, nil}, {"assume", term.Not(p), nil, nil}, {"conflict", term.False, []int{0, 1}, nil}})
	assumed := []*term.Term{p, term.Not(p)}
	if err := checkRefutation(assumed, good, &budget{maxWork}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(r *cert.Refutation)
		want  ErrorKind
	}{
		{"a term of no use", func(r *cert.Refutation) { r.Terms = append(r.Terms, q.Text()) }, BadTerms},
		{"a term twice", func(r *cert.Refutation) { r.Terms = append([]string{r.Terms[0]}, r.Terms...) }, BadTerms},
		{"no term", func(r *cert.Refutation) { r.Terms[0] = "(var" }, BadTerms},
		{"an ill-sorted term", func(r *cert.Refutation) { r.Terms[1] = "(not (int 1))" }, BadTerms},
		{"a term that refers to itself", func(r *cert.Refutation) { r.Terms[1] = "(not #1)" }, BadTerms},
		{"a claim past the table", func(r *cert.Refutation) { r.Lines[2].Claim = 9 }, BadLine},
		{"a negative claim", func(r *cert.Refutation) { r.Lines[2].Claim = -1 }, BadLine},
		{"a claim that is no formula", func(r *cert.Refutation) { r.Terms, r.Lines[2].Claim = append(r.Terms, "(int 1)"), 3 }, BadLine},
		{"a negative line", func(r *cert.Refutation) { r.Lines[2].From = []int{-1, 1} }, BadLine},
	} {
		r := derive([]step{{"assume", p, nil, nil}, {"assume", term.Not(p), nil, nil}, {"conflict", term.False, []int{0, 1}, nil}})
		c.spoil(r)
		if err := checkRefutation(assumed, r, &budget{maxWork}); err == nil || err.Kind != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestWorkIsBounded: a certificate that makes the kernel close large terms again and again is
// refused.
func TestWorkIsBounded(t *testing.T) {
	sum := x
	for range 500 {
		sum = term.Add(sum, y)
	}
	equal := term.Eq(sum, y)
	steps := []step{{"assume", equal, nil, nil}}
	for range 10_000 {
		steps = append(steps, step{"congruence", equal, []int{len(steps) - 1}, nil})
	}
	if err := checkRefutation([]*term.Term{equal}, derive(steps), &budget{maxWork / 64}); err == nil || err.Kind != TooLarge {
		t.Error(err)
	}
}
