package resolve

import (
	"fmt"
	"strconv"
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
)

// All wording of the package stands in the files errors*.go: here how a finding is made, beside
// it the findings by what they are about. A message says what is wrong in the words of the
// source and, where there is one, the repair.

func fault(code diag.Code, at source.Span, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Span: at, Message: fmt.Sprintf(format, args...)}
}

func warning(code diag.Code, at source.Span, format string, args ...any) diag.Diagnostic {
	d := fault(code, at, format, args...)
	d.Severity = diag.Warning
	return d
}

func noted(d diag.Diagnostic, at source.Span, note string) diag.Diagnostic {
	if !at.IsZero() {
		d.Notes = append(d.Notes, diag.Note{Message: note, Span: at})
	}
	return d
}

// meant closes a message with the nearest name, if there is one.
func meant(guess near.Guess) string {
	if guess.Name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean `%s`?", guess.Name)
}

// spelt gives a finding about a misspelled name the edit that corrects it, where there is no
// doubt which name was meant and the place holds that name alone, maybe in quotes.
func spelt(d diag.Diagnostic, at source.Span, name string, guess near.Guess) diag.Diagnostic {
	switch text := at.Text(); {
	case !guess.Sure:
	case text == name:
		d.Edits = append(d.Edits, diag.Edit{Span: at, New: guess.Name})
	case text == strconv.Quote(name):
		d.Edits = append(d.Edits, diag.Edit{Span: at, New: strconv.Quote(guess.Name)})
	}
	return d
}

// before and behind are the empty places at both ends of a span.
func before(at source.Span) source.Span {
	return source.Span{File: at.File, Start: at.Start, End: at.Start}
}

func behind(at source.Span) source.Span {
	return source.Span{File: at.File, Start: at.End, End: at.End}
}

func quoteAll(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}
