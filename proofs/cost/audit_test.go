package cost_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir/lower"
	"soma.cell/proofs"
	"soma.cell/proofs/cost"
	"soma.cell/proofs/kernel"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/termination"
	"soma.cell/taint"
)

// TestTheKernelAgrees: what is proven by structure is derived again by the kernel, to the last
// unit, for the limits that random programs just keep.
func TestTheKernelAgrees(t *testing.T) {
	checked := 0
	for seed := range uint64(160) {
		src := progen.Seed(seed + 5000)
		text := "cell Desk {\n on h0(n: Int) { return 1 }\n"
		for i := 1; i < 4; i++ {
			text += fmt.Sprintf(" on h%d(n: Int) { %s  return 1 }\n", i, block(src, 2, i))
		}
		limits := ""
		high := map[string]int64{}
		for _, b := range cost.Of(lower.Program(resolvetest.Program(t, text+"}"))) {
			for what, amount := range map[string]cost.Amount{"calls": b.Calls, "tokens": b.Tokens, "latency": b.Latency} {
				if n, ok := amount.Known(); ok {
					high[what] = max(high[what], n)
				}
			}
		}
		for _, what := range []string{"calls", "tokens", "latency"} {
			limits += fmt.Sprintf("%s: %d ", what, high[what])
		}
		sys := lower.Program(resolvetest.Program(t, strings.Replace(text, "{\n", "{ cost { "+limits+"}\n", 1)+"}"))
		judged := cost.Check(sys)
		report, err := proofs.Verify(context.Background(), sys, proofs.Options{
			Static: append(taint.Check(sys, "2027").Obligations, termination.Check(sys)...), Limits: judged})
		if err != nil {
			t.Fatal(err)
		}
		audit := kernel.Audit(report.Certificate)
		if !audit.OK() {
			for _, r := range audit.Results {
				if r.Err != nil {
					t.Errorf("seed %d: %s: %v", seed, r.ID, r.Err)
				}
			}
			t.Fatalf("seed %d: %v\n%s with %s", seed, audit.Errors, text, limits)
		}
		for _, j := range judged {
			if j.Obligation.Evidence.Class == obligation.KernelChecked {
				checked++
			}
		}
	}
	if checked < 50 {
		t.Errorf("the kernel checked only %d limits", checked)
	}
}
