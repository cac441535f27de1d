package proofs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/interp/interptest"
	"soma.cell/ir/lower"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
)

// TestNothingProvenOfDrawnPrograms is TestNothingProvenIsFalse over the whole language: agents,
// tools, events, timers, several cells and machines. Such programs have less that can be proven.
func TestNothingProvenOfDrawnPrograms(t *testing.T) {
	solver := opened(t, smt.Limits{Timeout: time.Second})
	proven, refused, moves := 0, 0, 0
	for seed := range uint64(60) {
		text := progen.New(progen.Seed(seed+7000), progen.Options{Size: 1, Without: progen.Tests}).Text
		prog := resolvetest.Drawn(t, text)
		report := audited(t, fmt.Sprintf("seed %d:\n%s", seed, text), lower.Program(prog), Options{Solver: solver})
		for _, o := range report.Obligations {
			if o.Kind == obligation.Invariant && o.Verdict == obligation.Proven {
				proven++
			}
		}
		src := progen.Seed(seed)
		o := interptest.Options(src)
		o.Steps = 50_000
		w := interp.New(prog, o)
		for range 30 {
			call := interptest.Draw(src, prog)
			if call == nil {
				break
			}
			before := len(w.Moves())
			_, err := call.Run(context.Background(), w)
			for _, m := range w.Moves()[before:] {
				moves++
				if o, ok := taken(report, m); ok && o.Verdict == obligation.Refuted {
					t.Fatalf("seed %d: %s took %s -> %s, which no handler is said to take\n%s", seed, call.Handler.Name, m.From, m.To, text)
				}
			}
			var e *interp.Error
			if !errors.As(err, &e) || strings.Contains(e.Detail, "is immutable") {
				continue
			}
			if kind, judges := judgedBy[e.Kind]; judges {
				refused++
				if judged, open := judgedAt(report, kind, e); judged > 0 && open == 0 {
					t.Fatalf("seed %d: %s(%v) raised %s at %s, and every %s is proven there\n%s", seed, call.Handler.Name, call.Args, e, e.Span, kind, text)
				}
			}
		}
	}
	t.Logf("%d rules proven at writes, %d writes refused, %d moves", proven, refused, moves)
	if proven < 20 || refused < 5 || moves < 5 {
		t.Error("too little was compared")
	}
}

// taken finds the obligation about an edge of a machine.
func taken(r *Report, m interp.Move) (obligation.Obligation, bool) {
	for _, o := range r.Obligations {
		if o.Kind == obligation.EdgeTaken && o.Cell == m.Machine.Cell.Name {
			if e := m.Machine.Edge(m.From, m.To); e != nil && o.Span == e.Row.At {
				return o, true
			}
		}
	}
	return obligation.Obligation{}, false
}

// judgedAt counts the obligations of a kind where an error arose, and those that are not proven.
func judgedAt(r *Report, kind obligation.Kind, e *interp.Error) (judged, open int) {
	for _, o := range r.Obligations {
		if o.Kind == kind && o.Span.Start <= e.Span.Start && e.Span.End <= o.Span.End {
			judged++
			if o.Verdict != obligation.Proven {
				open++
			}
		}
	}
	return judged, open
}
