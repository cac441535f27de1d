package proofs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/internal/randprog"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
)

// What is proven of counts and sums must not be broken by any run: no write is refused whose rules
// are proven, no call is undone at its end whose rules about sums are proven, and what is said to
// break whenever it commits never commits. The kernel accepts every certificate.
func TestNothingProvenOfNumbersIsFalse(t *testing.T) {
	solver := opened(t, smt.Limits{Timeout: 2 * time.Second})
	seen := numbersSeen{}
	rapid.Check(t, func(t *rapid.T) {
		text := randprog.Numbers(t)
		prog := resolvetest.Drawn(t, text)
		if prog == nil {
			return
		}
		sys := lower.Program(prog)
		report := audited(t, text, sys, Options{Solver: solver})
		for _, o := range report.Obligations {
			switch {
			case o.Kind != obligation.Invariant || o.Verdict != obligation.Proven:
			case strings.Contains(o.Claim, "total("):
				seen.sums++
			case strings.Contains(o.Claim, "size"):
				seen.counts++
			}
			if o.Evidence.Class == obligation.SolverTrusted {
				seen.trusted++
			}
		}
		w := interp.New(prog, interp.Options{Steps: 100_000})
		for range 14 {
			h := rapid.SampledFrom([]string{"h0", "h1"}).Draw(t, "h")
			key := rapid.SampledFrom([]string{"x", "y", "z"})
			args := []interp.Value{interp.String(key.Draw(t, "s")), interp.String(key.Draw(t, "u")), interp.NewInt(rapid.Int64Range(-2, 4).Draw(t, "n"))}
			_, err := w.Call(context.Background(), "N", h, args)
			var e *interp.Error
			switch {
			case err == nil:
				if neverCommits(sys, report, h) {
					t.Fatalf("%s%v committed, which is said to break a rule\n%s", h, args, text)
				}
			case errors.As(err, &e) && e.Kind == interp.KindInvariant:
				seen.refused++
				held(t, sys, report, h, e, text)
			}
		}
	})
	t.Logf("%+v", seen)
	if seen.sums == 0 || seen.counts == 0 || seen.refused == 0 {
		t.Error("too little was compared")
	}
}

type numbersSeen struct{ sums, counts, trusted, refused int }

// held fails where a refusal contradicts what is proven: of a rule about sums, for the handler that
// was called; of another, at the write.
func held(t *rapid.T, sys *ir.System, report *Report, handler string, e *interp.Error, text string) {
	for _, r := range sys.Cells[0].Rules {
		if !r.Total || r.Span != e.Span {
			continue
		}
		for _, o := range report.Obligations {
			if o.Handler == handler && strings.HasSuffix(o.Claim, "keeps "+r.Text+" where it commits") && o.Verdict == obligation.Proven {
				t.Fatalf("%s was undone by %s, which is proven of it\n%s", handler, r.Text, text)
			}
		}
		return
	}
	if judged, open := judgedAt(report, obligation.Invariant, e); judged > 0 && open == 0 {
		t.Fatalf("%s was refused at %s: %s, and every rule is proven there\n%s", handler, e.Span, e.Detail, text)
	}
}

// neverCommits tells whether a handler with one end is said to break a rule about sums there.
func neverCommits(sys *ir.System, report *Report, handler string) bool {
	a := sys.Handler(ir.HandlerRef{Cell: "N", Handler: handler, Arity: 3})
	ends := 0
	for _, e := range a.Edges {
		if e.To == ir.Exit {
			ends++
		}
	}
	return ends == 1 && slices.ContainsFunc(report.Invariants, func(b Block) bool {
		return slices.ContainsFunc(b.Lines, func(l Line) bool {
			return l.Mark == Failed && strings.Contains(l.Text, "total(") && strings.Contains(l.Text, "'"+handler+"'")
		})
	})
}
