package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// renderDiagnostics prints findings in their order and one closing line.
func renderDiagnostics(w io.Writer, list []diag.Diagnostic) {
	for _, d := range list {
		renderDiagnostic(w, d)
	}
	errors, warnings := diag.Count(list)
	fmt.Fprintln(w, closingLine(errors, warnings))
}

func renderDiagnostic(w io.Writer, d diag.Diagnostic) {
	renderPlace(w, severityWord(d.Severity), d.Message, d.Span)
	if d.Code != "" {
		fmt.Fprintf(w, "  = code: %s\n", d.Code)
	}
	if d.Fix != "" && !strings.Contains(foldSpace(d.Message), foldSpace(d.Fix)) {
		fmt.Fprintf(w, "  = fix: %s\n", printable(d.Fix))
	}
	for _, n := range d.Notes {
		renderPlace(w, severityWord(diag.Remark), n.Message, n.Span)
	}
}

func severityWord(s diag.Severity) string {
	switch s {
	case diag.Warning:
		return "warning"
	case diag.Remark:
		return "note"
	}
	return "error"
}

// renderPlace prints a message and, when it has a place, the line with a caret below it.
func renderPlace(w io.Writer, word, message string, at source.Span) {
	fmt.Fprintf(w, "%s: %s\n", word, printable(message))
	if at.IsZero() {
		return
	}
	from := at.From()
	number := strconv.Itoa(from.Line)
	if len(number) < 2 {
		number = " " + number
	}
	gutter := strings.Repeat(" ", len(number))
	text, pad := windowed(at.File.Line(from.Line), from.Col)
	fmt.Fprintf(w, "  --> %s:%d:%d\n", printable(at.File.Name), from.Line, from.Col)
	fmt.Fprintf(w, "%s |\n", gutter)
	fmt.Fprintln(w, strings.TrimRight(number+" | "+text, " "))
	fmt.Fprintf(w, "%s | %s^\n", gutter, pad)
}

// The part of a long line that is shown: characters before and after the caret.
const (
	longLine    = 160
	windowLeft  = 60
	windowRight = 80
)

// windowed is the line as it is shown and what stands before the caret on the line below it:
// blanks of the same width, tabs kept. Col counts characters from 1.
func windowed(line string, col int) (text, pad string) {
	var b, p strings.Builder
	first, last := 0, utf8.RuneCountInString(line)
	if last > longLine {
		first, last = max(0, col-1-windowLeft), min(last, col-1+windowRight)
	}
	if first > 0 {
		b.WriteString("…")
		p.WriteByte(' ')
	}
	n := 0
	for rest := line; rest != "" && n < last; n++ {
		r, size := utf8.DecodeRuneInString(rest)
		if n >= first {
			shown := printableRune(r, rest[:size])
			b.WriteString(shown)
			if n < col-1 {
				p.WriteString(blank(shown))
			}
		}
		rest = rest[size:]
		if n+1 == last && rest != "" {
			b.WriteString("…")
		}
	}
	return b.String(), p.String()
}

// blank is white space of the width of a shown character.
func blank(shown string) string {
	if shown == "\t" {
		return shown
	}
	return strings.Repeat(" ", utf8.RuneCountInString(shown))
}

// printable escapes what a terminal would act on or hide: control characters, marks that
// reorder text, bytes that are no UTF-8. Tabs stay.
func printable(s string) string {
	var b strings.Builder
	for rest := s; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		b.WriteString(printableRune(r, rest[:size]))
		rest = rest[size:]
	}
	return b.String()
}

func printableRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\t' || unicode.IsPrint(r):
		return raw
	}
	return fmt.Sprintf(`\u{%x}`, r)
}

// foldSpace turns each run of white space into one space.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
