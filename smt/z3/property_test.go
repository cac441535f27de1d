package z3

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/smt"
	"soma.cell/smt/internal/termtest"
	"soma.cell/smt/term"
)

// TestAgainstEvaluator fixes all variables and functions and compares Z3's verdict on a random
// formula with its value, and Z3's values with the fixed ones.
func TestAgainstEvaluator(t *testing.T) {
	solver := openSolver(t, patient)
	rapid.Check(t, func(t *rapid.T) {
		model := termtest.RandomModel(t)
		formula := termtest.Term(t, term.Bool, 4)
		q := smt.Query{Assert: append(model.Facts(), formula)}
		want := smt.Unsat
		if model.Holds(formula) {
			want = smt.Sat
		}
		for _, s := range termtest.Scalars {
			q.Wanted = append(q.Wanted, termtest.Term(t, s, 2))
		}
		got := ask(t, solver, q)
		if got.Verdict != want {
			t.Fatalf("%s is %v (%s), want %v", formula, got.Verdict, got.Reason, want)
		}
		for i, v := range got.Values {
			if exact := model.Eval(q.Wanted[i]).Lit; v == nil || !v.Equal(exact) {
				t.Fatalf("%s has the value %v, want %s", q.Wanted[i], v, exact)
			}
		}
	})
}

// TestSameAnswerEveryTime holds that an answer depends on its query alone, not on what the
// process asked before.
func TestSameAnswerEveryTime(t *testing.T) {
	solver := openSolver(t, smt.Limits{Work: 100_000})
	rapid.Check(t, func(t *rapid.T) {
		draw := func() smt.Query {
			q := smt.Query{}
			for range 4 {
				if f := termtest.Term(t, term.Bool, 3); !hasDoubles(f) { // they take long
					q.Assert = append(q.Assert, f)
				}
			}
			for _, s := range []*term.Sort{term.Bool, term.Int, term.String, termtest.Enum} {
				q.Wanted = append(q.Wanted, termtest.Vars(s)...)
			}
			return q
		}
		q := draw()
		first := ask(t, solver, q)
		ask(t, solver, draw())
		second := ask(t, solver, q)
		if first.Verdict != second.Verdict {
			t.Fatalf("%v, then %v", first, second)
		}
		for i, v := range first.Values {
			if w := second.Values[i]; v == nil || !v.Equal(w) {
				t.Fatalf("%s is %v, then %v", q.Wanted[i], v, w)
			}
		}
	})
}

func hasDoubles(t *term.Term) bool {
	return t.Sort == term.Float || slices.ContainsFunc(t.Args, hasDoubles)
}
