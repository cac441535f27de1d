package proofs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/ir/lower"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
	"soma.cell/smt/refute"
)

// TestNothingRestsOnAnUnknown verifies the example programs with a solver that may do no work: what
// it proved before is not proven now, and the whole is reported as limited.
func TestNothingRestsOnAnUnknown(t *testing.T) {
	names, err := filepath.Glob("../testdata/examples/*.cell")
	if err != nil || len(names) < 5 {
		t.Fatal("no examples")
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := resolvetest.Try(source.NewFile(name, string(text)))
		if p == nil {
			t.Fatalf("%s has errors", name)
		}
		solved := map[string]bool{}
		for _, ob := range decided(t, p, smt.Limits{Timeout: time.Minute}).Obligations {
			rule := cert.Rule(ob.Evidence.Rule)
			if ob.Verdict == obligation.Proven && (rule == cert.ByRefutation || rule == cert.ByScript) {
				solved[ob.ID] = true
			}
		}
		if len(solved) == 0 {
			t.Errorf("%s asks nothing of the solver", name)
		}
		r := decided(t, p, smt.Limits{Work: 1})
		for _, ob := range r.Obligations {
			if solved[ob.ID] && (ob.Verdict != obligation.Unknown || !ob.Limited) {
				t.Errorf("%s: %s is %v without a solver", name, ob.ID, ob.Verdict)
			}
			if rule := cert.Rule(ob.Evidence.Rule); rule == cert.ByRefutation || rule == cert.ByScript {
				t.Errorf("%s: %s rests on a solver that did nothing", name, ob.ID)
			}
		}
		if !r.Limited() {
			t.Errorf("%s: nothing says that a limit left something open", name)
		}
	}
}

func decided(t *testing.T, p *resolve.Program, limits smt.Limits) *Report {
	t.Helper()
	solver := opened(t, limits)
	r, err := Verify(context.Background(), lower.Program(p), Options{Solver: solver, Refute: refute.DefaultLimits()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// forgetful answers unknown to some questions.
type forgetful struct {
	smt.Solver
	forgets func(name string) bool
}

func (f forgetful) Check(ctx context.Context, q smt.Query) (smt.Answer, error) {
	if f.forgets(q.Name) {
		return smt.Answer{Verdict: smt.Unknown, Reason: "forgotten"}, nil
	}
	return f.Solver.Check(ctx, q)
}

// TestNothingPassesForWantOfAnAnswer: where it is not known that something fails in every case, the
// whole is reported as limited, and the line says why.
func TestNothingPassesForWantOfAnAnswer(t *testing.T) {
	programs := provePrograms(t)
	const twoMoves = `cell Lock {
    state door { initial: shut  shut -> open { guard { tries < 3 } }  open -> shut }
    on mild(id: String, tries: Int) { transition(id, "shut", "open") }
    on force(id: String, tries: Int) { require tries >= 3 else TooFew  transition(id, "shut", "open") }
    on close(id: String) { transition(id, "open", "shut") }
}`
	never := func(name string) bool { return strings.HasSuffix(name, "/never") }
	for _, c := range []struct {
		text    string
		forgets func(name string) bool
	}{
		{programs["ensures_broken.cell"], never},
		{programs["sizes_broken.cell"], never},
		{programs["sums_broken.cell"], never},
		{twoMoves, func(name string) bool { return strings.HasPrefix(name, "Lock/force/move/") }},
	} {
		sys := lower.Program(resolvetest.Program(t, c.text))
		known := 0 // to fail
		for _, forgets := range []bool{false, true} {
			solver := forgetful{opened(t, smt.Limits{}), func(name string) bool { return forgets && c.forgets(name) }}
			r, err := Verify(context.Background(), sys, Options{Solver: solver, Refute: refute.DefaultLimits()})
			if err != nil {
				t.Fatal(err)
			}
			failed, hidden := 0, 0
			for _, b := range slices.Concat(r.Machines, r.Invariants) {
				for _, l := range b.Lines {
					if l.Mark == Failed {
						failed++
					}
					if l.Limited && strings.Contains(l.Text, "whether it ever holds is not known: forgotten") {
						hidden++
					}
				}
			}
			if !forgets {
				known = failed
			}
			if forgets != (failed < known) || known == 0 || forgets != (hidden > 0) || forgets != r.Limited() {
				t.Errorf("forgetful: %v, %d lines fail, %d say that this is not known, limited: %v, of\n%s", forgets, failed, hidden, r.Limited(), c.text)
			}
		}
	}
}

// TestACutSearchIsTold: dead code that a limit hides is not passed over in silence.
func TestACutSearchIsTold(t *testing.T) {
	p := resolvetest.Program(t, "cell A { on go(n: Int) { if n > 3 { if n < 2 { return 1 } } return 0 } }")
	for work, want := range map[uint]string{0: "dead code: no state and no input lets handler 'go' reach return 1", 1: "dead code: handler 'go' was not looked at to the end"} {
		found := false
		r := decided(t, p, smt.Limits{Work: work})
		for _, b := range slices.Concat(r.Machines, r.Invariants, r.Temporal) {
			for _, l := range b.Lines {
				found = found || strings.HasPrefix(l.Text, want)
			}
		}
		if !found {
			t.Errorf("with a limit of %d, no line says %q", work, want)
		}
	}
}
