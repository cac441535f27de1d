package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
)

// forHidden runs a test for each effect at each place, and for each other form at some places.
func forHidden(t *testing.T, test func(t *testing.T, p hidingPlace, e hiddenEffect)) {
	for i, p := range hidingPlaces {
		effects := hiddenEffects
		if i%9 == 0 && !strings.Contains(p.body, "{§E}") {
			effects = append(effects[:len(effects):len(effects)], otherForms...)
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for _, e := range effects {
				if !skipped(p, e) {
					t.Run(e.name, func(t *testing.T) { test(t, p, e) })
				}
			}
		})
	}
}

// TestFramesSeeHiddenPlaces holds that a frame which allows what is hidden is clean, and that one
// which lacks the clause is refused at the very place.
func TestFramesSeeHiddenPlaces(t *testing.T) {
	forHidden(t, func(t *testing.T, p hidingPlace, e hiddenEffect) {
		right, _ := hide(p, e, e.clause)
		var rest []string
		for _, d := range findingsOfText(t, right, "2027") {
			if !p.kept || d.Code != diag.FrameUnknown {
				rest = append(rest, briefly([]diag.Diagnostic{d})...)
			}
		}
		if len(rest) > 0 {
			t.Errorf("the right program: %s\n%s", strings.Join(rest, "\n"), right)
		}
		wrong, offset := hide(p, e, "")
		at := source.Span{File: source.NewFile("app.cell", wrong), Start: offset, End: offset}.From()
		var got []string
		for _, d := range findingsOfText(t, wrong, "2027") {
			if !p.kept || d.Code != diag.FrameUnknown {
				got = append(got, fmt.Sprintf("%s %d:%d", d.Code, d.Span.From().Line, d.Span.From().Col))
			}
		}
		if want := fmt.Sprintf("%s %d:%d", e.code, at.Line, at.Col); strings.Join(got, ", ") != want {
			t.Errorf("the wrong program: %v, wanted %s\n%s", got, want, wrong)
		}
	})
}

// TestHiddenPlacesRun holds the table itself against the interpreter: what is hidden at a place
// is evaluated when the handler runs, and leaves its step.
func TestHiddenPlacesRun(t *testing.T) {
	forHidden(t, func(t *testing.T, p hidingPlace, e hiddenEffect) {
		text, offset := hide(p, e, "")
		evaluated, shown := false, e.shows == nil
		w := interp.New(resolvetest.Program(t, text), interp.Options{
			Trace:   func(s interp.Step) { shown = shown || e.shows != nil && e.shows(s) },
			Observe: func(x syntax.Expr, _ interp.Value) { evaluated = evaluated || x.Span().Start == offset },
		})
		_, err := w.Call(context.Background(), "Office", "work", []interp.Value{interp.String("sent"), interp.NewInt(1)})
		if !shown || !evaluated && e.expr != "" {
			t.Errorf("evaluated: %v, shown: %v (%v)\n%s", evaluated, shown, err, text)
		}
	})
}
