// Package diag holds diagnostics as data. Analyses build them; only the command renders them.
package diag

import (
	"sort"

	"soma.cell/frontend/source"
)

// Severity tells an error from a warning; the zero value is an error, so that a forgotten
// severity never hides a fault.
type Severity int

const (
	Error Severity = iota
	Warning
	Remark // a note that stands alone: it counts neither as error nor as warning
)

// Note is a related place.
type Note struct {
	Message string
	Span    source.Span
}

// Diagnostic is one finding at one place.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Message  string
	Span     source.Span
	Fix      string // the repair in words; shown apart only where Message does not hold it
	Edits    []Edit // the repair as edits, when a machine may apply it
	Notes    []Note
}

// Edit replaces the text of a span.
type Edit struct {
	Span source.Span
	New  string
}

// Code names a rule, as "E0113". Codes are never renumbered.
type Code string

// Sort orders diagnostics by place, then code, then message, and drops exact repetitions.
func Sort(list []Diagnostic) []Diagnostic {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if c := source.Compare(a.Span, b.Span); c != 0 {
			return c < 0
		}
		if a.Code != b.Code {
			return a.Code < b.Code
		}
		return a.Message < b.Message
	})
	out := list[:0]
	for i, d := range list {
		if i > 0 && d.Code == list[i-1].Code && d.Span == list[i-1].Span && d.Message == list[i-1].Message {
			continue
		}
		out = append(out, d)
	}
	return out
}

// Errors gives the findings that are errors.
func Errors(list []Diagnostic) (errors []Diagnostic) {
	for _, d := range list {
		if d.Severity == Error {
			errors = append(errors, d)
		}
	}
	return errors
}

// Count returns the numbers of errors and of warnings.
func Count(list []Diagnostic) (errors, warnings int) {
	for _, d := range list {
		switch d.Severity {
		case Error:
			errors++
		case Warning:
			warnings++
		}
	}
	return errors, warnings
}
