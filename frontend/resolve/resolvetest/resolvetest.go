// Package resolvetest reads the texts of test programs.
package resolvetest

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// edition is that of all test programs: the one that forbids most.
const edition = "2027"

// TB is what is asked of a test; those of package testing and of rapid have it.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Program resolves a text, which must hold no error.
func Program(t TB, text string) *resolve.Program {
	t.Helper()
	program, unread, wrong := read(named(text))
	for _, d := range append(unread, wrong...) {
		t.Fatalf("%s: %s: %s\n%s", d.Span, d.Code, d.Message, text)
	}
	return program
}

// Drawn resolves a text made at random: it must parse, and gives nil where it is wrong in
// another way.
func Drawn(t TB, text string) *resolve.Program {
	t.Helper()
	program, unread, _ := read(named(text))
	for _, d := range unread {
		t.Fatalf("%s: %s: %s\n%s", d.Span, d.Code, d.Message, text)
	}
	return program
}

// Try resolves a file and gives nil where it holds an error.
func Try(f *source.File) *resolve.Program {
	program, _, _ := read(f)
	return program
}

// named is the file of a text that has none.
func named(text string) *source.File { return source.NewFile("app.cell", text) }

// read gives the program of a file, or the errors of the parser, or those of resolution.
func read(f *source.File) (program *resolve.Program, unread, wrong []diag.Diagnostic) {
	file, found := syntax.Parse(f)
	if unread = diag.Errors(found); unread != nil {
		return nil, unread, nil
	}
	program, found = resolve.Resolve([]*syntax.File{file}, edition)
	if wrong = diag.Errors(found); wrong != nil {
		return nil, nil, wrong
	}
	return program, nil, nil
}
