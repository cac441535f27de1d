package format_test

import (
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/format"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// A program over the whole language that is written anew still means something: it resolves
// without errors, and writing it once more changes nothing.
func TestDrawnProgramsAreWrittenAnew(t *testing.T) {
	for seed := range uint64(300) {
		text := progen.New(progen.Seed(seed+300), progen.Options{}).Text
		first := format.File(sound(t, seed, text))
		if again := format.File(sound(t, seed, first)); again != first {
			t.Fatalf("seed %d: written otherwise the second time:\n%s\n--\n%s", seed, first, again)
		}
	}
}

// sound reads a program that must hold no error.
func sound(t *testing.T, seed uint64, text string) *syntax.File {
	t.Helper()
	file, found := syntax.Parse(source.NewFile("app.cell", text))
	_, more := resolve.Resolve([]*syntax.File{file}, "2027")
	for _, d := range diag.Errors(append(found, more...)) {
		t.Fatalf("seed %d: %s: %s: %s\n%s", seed, d.Span, d.Code, d.Message, text)
	}
	return file
}
