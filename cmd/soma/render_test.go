package main

import (
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

func rendered(d diag.Diagnostic) string {
	var b strings.Builder
	renderDiagnostic(&b, d)
	return b.String()
}

// spanOf is the first place of a part of a text.
func spanOf(name, text, part string) source.Span {
	at := strings.Index(text, part)
	return source.Span{File: source.NewFile(name, text), Start: at, End: at + len(part)}
}

func TestRenderDiagnostic(t *testing.T) {
	for _, c := range []struct {
		name string
		d    diag.Diagnostic
		want string
	}{
		{"two figures", diag.Diagnostic{Code: "E0001", Message: "bad", Span: spanOf("a.cell", strings.Repeat("\n", 11)+"  here", "here")},
			"error: bad\n  --> a.cell:12:3\n   |\n12 |   here\n   |   ^\n  = code: E0001\n"},
		{"three figures", diag.Diagnostic{Code: "E0001", Message: "bad", Span: spanOf("a.cell", strings.Repeat("\n", 99)+"here", "here")},
			"error: bad\n  --> a.cell:100:1\n    |\n100 | here\n    | ^\n  = code: E0001\n"},
		{"characters, not bytes", diag.Diagnostic{Code: "E0001", Message: "bad", Span: spanOf("a.cell", "\tü→ here", "here")},
			"error: bad\n  --> a.cell:1:5\n   |\n 1 | \tü→ here\n   | \t   ^\n  = code: E0001\n"},
		{"escapes widen", diag.Diagnostic{Code: "E0001", Message: "a\x1bb\nc", Span: spanOf("a.cell", "x\x1b\xff\u202ehere", "here")},
			"error: a\\u{1b}b\\nc\n  --> a.cell:1:5\n   |\n 1 | x\\u{1b}\\xff\\u{202e}here\n   |  " +
				strings.Repeat(" ", len(`\u{1b}\xff\u{202e}`)) + "^\n  = code: E0001\n"},
		{"empty line", diag.Diagnostic{Code: "E0001", Message: "bad", Span: source.Span{File: source.NewFile("a.cell", "")}},
			"error: bad\n  --> a.cell:1:1\n   |\n 1 |\n   | ^\n  = code: E0001\n"},
		{"no place", diag.Diagnostic{Code: "W0001", Severity: diag.Warning, Message: "bad"}, "warning: bad\n  = code: W0001\n"},
		{"fix apart", diag.Diagnostic{Code: "E0001", Message: "bad", Fix: "do good"}, "error: bad\n  = code: E0001\n  = fix: do good\n"},
		{"fix said", diag.Diagnostic{Code: "E0001", Message: "bad; do  good", Fix: "do good"}, "error: bad; do  good\n  = code: E0001\n"},
		{"note", diag.Diagnostic{Code: "E0001", Message: "bad", Notes: []diag.Note{{Message: "see", Span: spanOf("b.cell", "x", "x")}}},
			"error: bad\n  = code: E0001\nnote: see\n  --> b.cell:1:1\n   |\n 1 | x\n   | ^\n"},
	} {
		if got := rendered(c.d); got != c.want {
			t.Errorf("%s:\n%q\nwanted\n%q", c.name, got, c.want)
		}
	}
}

// A long line is cut around the caret, which still stands below its character.
func TestLongLinesAreCut(t *testing.T) {
	for _, before := range []int{0, 10, 59, 60, 61, 500, 100_000} {
		for _, after := range []int{0, 10, 300, 100_000} {
			text := strings.Repeat("a", before) + "X" + strings.Repeat("b", after)
			lines := strings.Split(rendered(diag.Diagnostic{Message: "m", Span: spanOf("a.cell", text, "X")}), "\n")
			shown, caret := []rune(lines[3]), []rune(lines[4])
			if len(shown) > longLine+10 {
				t.Errorf("%d before, %d after: %d characters shown", before, after, len(shown))
			}
			if at := len(caret) - 1; caret[at] != '^' || shown[at] != 'X' {
				t.Errorf("%d before, %d after: the caret is not below the X:\n%s\n%s", before, after, string(shown), string(caret))
			}
		}
	}
}

func TestClosingLine(t *testing.T) {
	for _, c := range []struct {
		errors, warnings int
		want             string
	}{
		{0, 0, "✓ All checks passed."}, {0, 2, "✓ 0 error(s), 2 warning(s)."}, {1, 2, "✗ 1 error(s), 2 warning(s)."},
	} {
		if got := closingLine(c.errors, c.warnings); got != c.want {
			t.Errorf("%d, %d: %s", c.errors, c.warnings, got)
		}
	}
}
