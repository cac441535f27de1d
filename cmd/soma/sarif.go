package main

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/proofs"
)

// Findings in the Static Analysis Results Interchange Format 2.1.0, which services for code
// review read: one run for all programs of a call.

// sarifForm is the format of a command whose parts are lists of results.
func sarifForm(part func(*program) (any, error)) form {
	return form{
		part:    part,
		failure: func(path, message string) any { return unread(message) },
		write:   writeSARIF,
	}
}

// unread says why a program could not be treated at all.
type unread string

func writeSARIF(w io.Writer, parts []any) error {
	driver := sarif.NewToolComponent().WithName("soma").WithVersion(version)
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(driver)).WithColumnKind("unicodeCodePoints")
	invocation := sarif.NewInvocation().WithExecutionSuccessful(true)
	for _, part := range parts {
		switch part := part.(type) {
		case unread:
			invocation.WithExecutionSuccessful(false).AddToolExecutionNotification(
				sarif.NewNotification().WithLevel("error").WithMessage(sarif.NewTextMessage(string(part))))
		case []*sarif.Result:
			for _, r := range part {
				run.AddResult(r)
			}
		}
	}
	addRules(run)
	report := sarif.NewReport().AddRun(run.AddInvocation(invocation))
	return report.PrettyWrite(w)
}

// addRules describes the rules that the results name, sorted.
func addRules(run *sarif.Run) {
	var ids []string
	for _, r := range run.Results {
		ids = append(ids, *r.RuleID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		rule := sarif.NewRule(id)
		if e, ok := diag.Lookup(diag.Code(id)); ok {
			rule.WithName(e.Name).WithShortDescription(multiformat(e.Rule)).
				WithHelp(multiformat("soma explain " + id)).
				WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(levelOf(e.Severity)))
		}
		run.Tool.Driver.AddRule(rule)
	}
	for _, r := range run.Results {
		index, _ := slices.BinarySearch(ids, *r.RuleID)
		r.WithRuleIndex(index)
	}
}

func multiformat(text string) *sarif.MultiformatMessageString {
	return sarif.NewMultiformatMessageString().WithText(text)
}

// remarkRule names what has no code.
const remarkRule = "remark"

// findingResults are diagnostics as results.
func findingResults(list []diag.Diagnostic) []*sarif.Result {
	out := []*sarif.Result{}
	for _, d := range list {
		id := string(d.Code)
		if id == "" {
			id = remarkRule
		}
		r := result(id, levelOf(d.Severity), d.Message, d.Span)
		for i, n := range d.Notes {
			if at := locationOf(n.Span); at != nil {
				r.AddRelatedLocation(at.WithID(i + 1).WithMessage(sarif.NewTextMessage(n.Message)))
			}
		}
		if fix := fixOf(d); fix != nil {
			r.AddFixe(fix)
		}
		out = append(out, r)
	}
	return out
}

func result(rule, level, message string, at source.Span) *sarif.Result {
	r := sarif.NewRuleResult(rule).WithLevel(level).WithMessage(sarif.NewTextMessage(message))
	if level == "none" || level == "note" {
		r.WithKind("informational").WithLevel("none")
	}
	if l := locationOf(at); l != nil {
		r.AddLocation(l)
	}
	return r
}

func levelOf(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "note"
}

// locationOf is nil for what has no place.
func locationOf(s source.Span) *sarif.Location {
	if s.IsZero() {
		return nil
	}
	return sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
		WithArtifactLocation(sarif.NewSimpleArtifactLocation(uriOf(s.File.Name))).WithRegion(regionOf(s)))
}

func regionOf(s source.Span) *sarif.Region {
	from, to := s.From(), s.To()
	return sarif.NewRegion().WithStartLine(from.Line).WithStartColumn(from.Col).WithEndLine(to.Line).WithEndColumn(to.Col)
}

// uriOf is a file as it was named, as a reference relative to where the command ran.
func uriOf(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}

// fixOf is the repair that a machine may apply, nil when there is none.
func fixOf(d diag.Diagnostic) *sarif.Fix {
	if len(d.Edits) == 0 {
		return nil
	}
	text := d.Fix
	if text == "" {
		text = d.Message
	}
	fix := sarif.NewFix().WithDescription(sarif.NewTextMessage(text))
	var change *sarif.ArtifactChange
	file := ""
	for _, e := range d.Edits {
		if change == nil || file != e.Span.File.Name {
			file = e.Span.File.Name
			change = sarif.NewArtifactChange().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uriOf(file)))
			fix.AddArtifactChange(change)
		}
		change.AddReplacement(sarif.NewReplacement().WithDeletedRegion(regionOf(e.Span)).
			WithInsertedContent(sarif.NewArtifactContent().WithText(e.New)))
	}
	return fix
}

// verifyResults are the findings of the check and the lines of a verification that are not proven.
func (a *app) verifyResults(ctx context.Context, p *program, v verification) (any, error) {
	out := findingResults(p.findings)
	if !p.sound() {
		return out, errFailed
	}
	r, err := a.prove(ctx, p, v)
	var misfit *misfit
	switch {
	case errors.As(err, &misfit):
		return append(out, findingResults(misfit.findings)...), errFailed
	case err != nil:
		return nil, err
	}
	out = append(out, findingResults(r.notes)...)
	for _, part := range []struct {
		rule   string
		blocks []proofs.Block
	}{{"machine", r.report.Machines}, {"invariant", r.report.Invariants}, {"temporal", r.report.Temporal}} {
		for _, b := range part.blocks {
			for _, l := range b.Lines {
				if l.Mark != proofs.Passed {
					out = append(out, lineResult(part.rule, l, p))
				}
			}
		}
	}
	_, warnings := diag.Count(p.findings)
	return out, judgement(r.report, v.strict, warnings).err()
}

// lineResult is a line about something that is not proven; one without a place is about the
// program.
func lineResult(rule string, l proofs.Line, p *program) *sarif.Result {
	level := "note"
	switch l.Mark {
	case proofs.Failed:
		level = "error"
	case proofs.Open:
		level = "warning"
	}
	at := l.Span
	if at.IsZero() && len(p.project.Files) > 0 {
		at = source.Span{File: p.project.Files[0].Source}
	}
	return result(rule, level, strings.Join(append([]string{l.Text}, l.Details...), "\n"), at)
}
