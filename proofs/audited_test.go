package proofs

import (
	"context"
	"testing"

	"soma.cell/ir"
	"soma.cell/proofs/cost"
	"soma.cell/proofs/frame"
	"soma.cell/proofs/kernel"
	"soma.cell/proofs/termination"
	"soma.cell/smt"
	"soma.cell/smt/refute"
	"soma.cell/smt/z3"
	"soma.cell/taint"
)

// opened is Z3 for as long as a test runs.
func opened(t *testing.T, limits smt.Limits) *z3.Solver {
	t.Helper()
	solver, err := z3.Open("", limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { solver.Close() })
	return solver
}

// fatal is a test or a property.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// audited proves a system as soma verify does, and has the kernel accept the certificate; the text
// of the program is shown where that fails.
func audited(t fatal, text string, sys *ir.System, o Options) *Report {
	t.Helper()
	_, frames := frame.Check(sys, Targets(sys, refute.DefaultLimits()))
	o.Static = append(append(frames, taint.Check(sys, "2027").Obligations...), termination.Check(sys)...)
	o.Limits, o.Refute = cost.Check(sys), refute.DefaultLimits()
	r, err := Verify(context.Background(), sys, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	audit := kernel.Audit(r.Certificate)
	for _, err := range audit.Errors {
		t.Fatalf("audit: %v\n%s", err, text)
	}
	for _, x := range audit.Results {
		if x.Outcome == kernel.Failed {
			t.Fatalf("audit: %s: %v\n%s", x.ID, x.Err, text)
		}
	}
	return r
}
