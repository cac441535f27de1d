package proofs

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/ir/lower"
	"soma.cell/proofs/internal/randprog"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
)

// What is proven of a random program must not be broken by any run of the interpreter: no
// write is refused whose rules are proven, no edge is taken that is refuted, and no computed
// target is refused that is proven declared. The kernel accepts every certificate.
func TestNothingProvenIsFalse(t *testing.T) {
	solver := opened(t, smt.Limits{Timeout: 2 * time.Second})
	proven, ensured, broken := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := randprog.Program(t, true)
		prog := resolvetest.Drawn(t, text)
		if prog == nil {
			return
		}
		report := audited(t, text, lower.Program(prog), Options{Solver: solver})
		for _, o := range report.Obligations {
			switch {
			case o.Verdict != obligation.Proven:
			case o.Kind == obligation.Invariant:
				proven++
			case o.Kind == obligation.Ensure:
				ensured++
			}
		}
		broken += runs(t, prog, report, text)
	})
	t.Logf("%d rules proven at writes, %d ensure statements, %d refused by runs", proven, ensured, broken)
	if proven == 0 || ensured == 0 || broken == 0 {
		t.Error("nothing was compared")
	}
}

// judgedBy are the obligations that say where errors of a kind do not arise.
var judgedBy = map[string]obligation.Kind{interp.KindInvariant: obligation.Invariant, interp.KindGuardFailed: obligation.Guard,
	interp.KindEnsure: obligation.Ensure}

// runs calls the handler from states that earlier calls left, and counts what is refused.
func runs(t *rapid.T, prog *resolve.Program, report *Report, text string) int {
	w := interp.New(prog, interp.Options{Steps: 100_000})
	refused := 0
	for range 12 {
		n := rapid.Int64Range(-3, 8).Draw(t, "n")
		s := rapid.SampledFrom([]string{"", "a", "b", "c", "zz", "k"}).Draw(t, "s")
		f := rapid.Bool().Draw(t, "f")
		before := len(w.Moves())
		_, err := w.Call(context.Background(), "P", "h", []interp.Value{interp.NewInt(n), interp.String(s), interp.Bool(f)})
		for _, m := range w.Moves()[before:] {
			for i, e := range prog.Cells[0].Machine.Edges {
				if e.From == m.From && e.To == m.To && edgeTaken(report, i).Verdict == obligation.Refuted {
					t.Fatalf("h(%d, %q, %v) took %s -> %s, which no handler is said to take\n%s", n, s, f, m.From, m.To, text)
				}
			}
		}
		var e *interp.Error
		if !errors.As(err, &e) {
			continue
		}
		kind, judges := judgedBy[e.Kind]
		if !judges {
			continue
		}
		refused++
		if judged, open := judgedAt(report, kind, e); judged > 0 && open == 0 {
			t.Fatalf("h(%d, %q, %v) raised %s: %s, and every %s is proven there\n%s", n, s, f, e.Kind, e.Detail, kind, text)
		}
	}
	return refused
}

func edgeTaken(r *Report, i int) obligation.Obligation {
	for _, o := range r.Obligations {
		if o.Kind == obligation.EdgeTaken {
			if i == 0 {
				return o
			}
			i--
		}
	}
	panic("no such edge")
}
