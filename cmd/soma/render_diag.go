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
	text, pad := windowed(at.File.LineAround(at.Start))
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
// blanks of the same width, tabs kept. The caret stands under the character at a byte offset.
func windowed(line string, at int) (text, pad string) {
	var b, p strings.Builder
	before, after := line[:at], line[at:]
	if !shorter(line, longLine) {
		before, after = line[start(before, windowLeft):at], after[:end(after, windowRight)]
	}
	if len(before) < at {
		b.WriteString("…")
		p.WriteByte(' ')
	}
	for i, r := range before {
		shown := printableRune(r, before[i:i+width(before[i:])])
		b.WriteString(shown)
		p.WriteString(blank(shown))
	}
	b.WriteString(printable(after))
	if at+len(after) < len(line) {
		b.WriteString("…")
	}
	return b.String(), p.String()
}

// shorter tells whether a text has at most n characters.
func shorter(s string, n int) bool { return len(s) <= n || end(s, n) == len(s) }

// start is where the last n characters of a text begin.
func start(s string, n int) int {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return i
}

// end is where the first n characters of a text end.
func end(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		i += width(s[i:])
	}
	return i
}

func width(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
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
