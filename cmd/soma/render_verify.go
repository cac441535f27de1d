package main

import (
	"fmt"
	"io"

	"soma.cell/proofs"
	"soma.cell/proofs/obligation"
)

// outcome is how a verification ends.
type outcome int

const (
	verifyOK outcome = iota
	verifyFailed
	verifyIncomplete
)

// judgement weighs a report: what was refuted fails, what a limit left open is incomplete,
// and under strict every open line fails, warnings of the check too.
func judgement(r *proofs.Report, strict bool, warnings int) outcome {
	total := proofs.Count(r.Machines)
	for _, blocks := range [][]proofs.Block{r.Invariants, r.Temporal} {
		c := proofs.Count(blocks)
		total.Open += c.Open
		total.Failed += c.Failed
	}
	switch {
	case total.Failed > 0, strict && total.Open+warnings > 0:
		return verifyFailed
	case r.Limited():
		return verifyIncomplete
	}
	return verifyOK
}

func (o outcome) line() string {
	return [...]string{"VERIFY OK", "VERIFY FAILED", "VERIFY INCOMPLETE"}[o]
}

// word is the outcome in documents.
func (o outcome) word() string { return [...]string{"ok", "failed", "incomplete"}[o] }

func (o outcome) err() error {
	switch o {
	case verifyFailed:
		return errFailed
	case verifyIncomplete:
		return errUnknown
	}
	return nil
}

// renderReport prints a report, without the line that names the outcome.
func renderReport(w io.Writer, r *proofs.Report) {
	for _, b := range r.Machines {
		fmt.Fprintf(w, "%s\n\n", blockTitle(b))
		renderLines(w, b.Lines)
		fmt.Fprintln(w)
	}
	for _, b := range r.Invariants {
		fmt.Fprintf(w, "%s/invariants:\n\n", b.Cell)
		renderLines(w, b.Lines)
		fmt.Fprintln(w)
	}
	c := proofs.Count(append(append([]proofs.Block(nil), r.Machines...), r.Invariants...))
	fmt.Fprintf(w, "%d passed, %d warnings, %d failures\n\n", c.Passed, c.Open, c.Failed)
	if len(r.Temporal) > 0 {
		for _, b := range r.Temporal {
			fmt.Fprintf(w, "  %s:\n", temporalTitle(b))
			renderLines(w, b.Lines)
		}
		fmt.Fprintln(w, temporalSummary(proofs.Count(r.Temporal)))
	}
	fmt.Fprintln(w, evidenceLine(r.Obligations))
}

func renderLines(w io.Writer, lines []proofs.Line) {
	for _, l := range lines {
		fmt.Fprintf(w, "  %s %s\n", markSign(l.Mark), printable(l.Text))
		if l.Mark == proofs.Passed || l.Mark == proofs.Remarked {
			continue
		}
		if !l.Span.IsZero() {
			fmt.Fprintf(w, "      --> %s\n", printable(l.Span.String()))
		}
		for _, d := range l.Details {
			fmt.Fprintf(w, "      %s\n", printable(d))
		}
	}
}

func markSign(m proofs.Mark) string {
	switch m {
	case proofs.Passed:
		return "✓"
	case proofs.Failed:
		return "✗"
	case proofs.Remarked:
		return "·"
	}
	return "⚠"
}

func evidenceLine(list []obligation.Obligation) string {
	e := countEvidence(list)
	return fmt.Sprintf("Evidence: %d obligations, %d kernel-checked, %d solver-trusted, %d engine-trusted",
		e.Obligations, e.KernelChecked, e.SolverTrusted, e.EngineTrusted)
}

// renderObligations lists every obligation with its verdict and what decided it.
func renderObligations(w io.Writer, list []obligation.Obligation) {
	fmt.Fprintln(w, "Obligations:")
	for _, o := range list {
		how := o.Evidence.Class.String()
		if o.Evidence.Rule != "" {
			how += " by " + o.Evidence.Rule
		}
		fmt.Fprintf(w, "  %s: %s (%s) — %s\n", o.ID, o.Verdict, how, printable(o.Claim))
		if o.Reason != "" {
			fmt.Fprintf(w, "      %s\n", printable(o.Reason))
		}
		if measure := measureOf(o); measure != "" {
			fmt.Fprintf(w, "      %s\n", printable(measure))
		}
		if o.Told != "" {
			fmt.Fprintf(w, "      %s\n", printable(factText(o)))
		}
		if run := runOfEdge(o); run != nil {
			fmt.Fprintf(w, "      %s\n", printable(runText(run)))
		}
	}
}
