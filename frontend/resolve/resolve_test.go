package resolve_test

import (
	"path/filepath"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/internal/expect"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/frontend/types"
)

// check parses and resolves one file.
func check(f *source.File) (*resolve.Program, []diag.Diagnostic) {
	file, problems := syntax.Parse(f)
	files := []*syntax.File{file}
	p, more := resolve.Resolve(files, "2026")
	_, misfits := types.Check(p)
	return p, append(append(problems, resolve.DropEchoes(files, problems, more)...), misfits...)
}

// Every program of testdata carries its diagnostics; a program without any must be clean.
func TestPrograms(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.cell")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test programs: %v", err)
	}
	for _, path := range paths {
		for _, f := range expect.Programs(t, path) {
			_, got := check(f)
			expect.Check(t, []*source.File{f}, got)
		}
	}
}

// The table promises that each wrong program triggers its code and nothing else, and that
// the repaired one is clean. Codes of other stages are held by those.
func TestTableExamples(t *testing.T) {
	seen := 0
	for _, e := range diag.Table() {
		if !(e.Code >= "E0200" && e.Code < diag.MissingUse) && !(e.Code >= "W0101" && e.Code < "W0200") {
			continue
		}
		seen++
		_, wrong := check(source.NewFile("app.cell", e.Wrong))
		if len(wrong) != 1 || wrong[0].Code != e.Code || wrong[0].Severity != e.Severity {
			t.Errorf("%s %s: the wrong program gives %v\n%s", e.Code, e.Name, wrong, e.Wrong)
		}
		if _, right := check(source.NewFile("app.cell", e.Right)); len(right) > 0 {
			t.Errorf("%s %s: the right program gives %v\n%s", e.Code, e.Name, right, e.Right)
		}
	}
	if seen < 50 {
		t.Errorf("the table holds only %d codes of resolution", seen)
	}
}

// The cells of a used file that is not there are not missed a second time.
func TestMissingUseHasNoEchoes(t *testing.T) {
	f := source.NewFile("app.cell", "use lib::shop\ncell A {\n    on x(n: Int) {\n        return sell(n) + Shop.sell(n) + m\n    }\n}\n")
	file, problems := syntax.Parse(f)
	files := []*syntax.File{file}
	_, found := resolve.Resolve(files, "2026")
	lost := diag.Diagnostic{Code: diag.MissingUse, Span: file.Uses[0].At}
	got := resolve.DropEchoes(files, append(problems, lost), found)
	if len(found) != 3 || len(got) != 1 || got[0].Code != diag.UndefinedName {
		t.Errorf("found %v, kept %v", found, got)
	}
}
