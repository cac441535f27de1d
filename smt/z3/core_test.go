package z3

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

func TestCoreNamesWhatIsNeeded(t *testing.T) {
	s, err := Open("", smt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	x, y, p := term.Var("x", term.Int), term.Var("y", term.Int), term.Var("core:1", term.Bool)
	a, err := s.Check(context.Background(), smt.Query{Name: "core", Core: true, Assert: []*term.Term{
		term.Lt(y, term.Int64(9)), term.Lt(x, term.Int64(3)), p, term.Lt(term.Int64(5), x), term.Not(term.Var("q", term.Bool)),
	}})
	if err != nil || a.Verdict != smt.Unsat || !slices.Equal(a.Core, []int{1, 3}) {
		t.Errorf("%v, %v", a, err)
	}
}

// TestCoresHaveNoModel holds that the assertions of a core are unsatisfiable by themselves.
func TestCoresHaveNoModel(t *testing.T) {
	s, err := Open("", smt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		var all []*term.Term
		for range 14 {
			a := term.Var(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name"), term.Int)
			b := term.Add(term.Var(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "other"), term.Int), term.Int64(rapid.Int64Range(-3, 3).Draw(t, "n")))
			all = append(all, term.Le(a, b))
		}
		whole, err := s.Check(context.Background(), smt.Query{Name: "all", Assert: all, Core: true})
		if err != nil {
			t.Fatal(err)
		}
		if whole.Verdict != smt.Unsat {
			return
		}
		found++
		var core []*term.Term
		for _, i := range whole.Core {
			core = append(core, all[i])
		}
		if part, err := s.Check(context.Background(), smt.Query{Name: "core", Assert: core}); err != nil || part.Verdict != smt.Unsat {
			t.Fatalf("%v, %v of the core %v", part.Verdict, err, core)
		}
	})
	if found == 0 {
		t.Error("no query was unsatisfiable")
	}
}
