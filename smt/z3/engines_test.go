package z3

import (
	"testing"

	"pgregory.net/rapid"

	"soma.cell/smt"
	"soma.cell/smt/internal/termtest"
	"soma.cell/smt/refute"
	"soma.cell/smt/term"
)

// TestTwoEnginesAgree asks Z3 and the search for refutations about the same random formulas: what one
// refutes has no model for the other.
func TestTwoEnginesAgree(t *testing.T) {
	solver := openSolver(t, patient)
	both, models, alone := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var formulas []*term.Term
		for range rapid.IntRange(1, 5).Draw(t, "formulas") {
			if f := termtest.Term(t, term.Bool, 3); !hasDoubles(f) { // they take long
				formulas = append(formulas, f)
			}
		}
		_, open := refute.Refute(formulas, refute.DefaultLimits())
		switch a := ask(t, solver, smt.Query{Assert: formulas}); {
		case a.Verdict == smt.Sat && open == nil:
			t.Fatalf("%v have a model and are refuted", formulas)
		case a.Verdict == smt.Sat:
			models++
		case a.Verdict == smt.Unsat && open == nil:
			both++
		case a.Verdict == smt.Unsat:
			alone++
		}
	})
	t.Logf("%d refuted by both, %d by Z3 alone, %d have models", both, alone, models)
	if both == 0 || models == 0 {
		t.Error("too little was compared")
	}
}
