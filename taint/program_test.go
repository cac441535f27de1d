package taint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/taint"
)

// lowered turns a program into a system; it must be free of errors of earlier stages.
func lowered(t testing.TB, f *source.File) *ir.System {
	t.Helper()
	return lower.Program(resolvetest.Program(t, f.Text))
}

// programs reads the test programs of a file: its lines "--- NAME" begin one each. Every
// program stands inside the cell of the file's header, which comes before the first.
func programs(t testing.TB, path string) (names []string, files []*source.File) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split("\n"+string(data), "\n--- ")
	for _, p := range parts[1:] {
		name, text, _ := strings.Cut(p, "\n")
		names = append(names, name)
		files = append(files, source.NewFile(name, text))
	}
	return names, files
}

// expected is what a line of a program says of itself: "//! x y" expects a finding at each of
// the arguments x and y.
func expected(f *source.File) map[string]int {
	out := map[string]int{}
	for i, line := range strings.Split(f.Text, "\n") {
		_, marks, found := strings.Cut(line, "//!")
		if !found {
			continue
		}
		for _, m := range strings.Split(marks, ";") {
			out[fmt.Sprintf("%d: %s", i+1, strings.TrimSpace(m))]++
		}
	}
	return out
}

// TestPrograms holds findings and expectations against each other, both ways, and the
// derivation against its checker.
func TestPrograms(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.cells")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, path := range paths {
		names, files := programs(t, path)
		for i, f := range files {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".cells")+"/"+names[i], func(t *testing.T) {
				sys := lowered(t, f)
				r := taint.Check(sys, "2027")
				want := expected(f)
				for _, found := range r.Findings {
					got := fmt.Sprintf("%d: %s", found.Span.From().Line, found.Span.Normal())
					if want[got] <= 0 {
						t.Errorf("unexpected finding at line %s", got)
					}
					want[got]--
				}
				for w, n := range want {
					if n > 0 {
						t.Errorf("no finding at line %s", w)
					}
				}
				verified(t, sys, r)
			})
		}
	}
}

// verified holds a derivation against its checker, which must refuse exactly what Check finds.
func verified(t *testing.T, sys *ir.System, r *taint.Result) {
	t.Helper()
	err := taint.Verify(sys, r.Derivation)
	if (err == nil) != (len(r.Findings) == 0) {
		t.Errorf("the checker of derivations says %v", err)
	}
}
