package types

import (
	"path/filepath"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/internal/expect"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// check is what the pass says of a file; resolution must find no error in it.
func check(t *testing.T, f *source.File) []diag.Diagnostic {
	t.Helper()
	file, problems := syntax.Parse(f)
	p, more := resolve.Resolve([]*syntax.File{file}, "2026")
	for _, d := range diag.Errors(append(problems, more...)) {
		t.Errorf("%s: %s: %s", d.Span, d.Code, d.Message)
	}
	_, found := Check(p)
	return found
}

// Every program of testdata carries what is certain about it; nothing else is said.
func TestPrograms(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.cell")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test programs: %v", err)
	}
	for _, path := range paths {
		for _, f := range expect.Programs(t, path) {
			expect.Check(t, []*source.File{f}, check(t, f))
		}
	}
}
