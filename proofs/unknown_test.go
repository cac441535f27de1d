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
