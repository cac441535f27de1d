package diag

import (
	"strings"
	"testing"

	"soma.cell/frontend/source"
)

func TestUnlist(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"reads «a», b writes c", "reads b writes c"},
		{"reads a, «b» writes c", "reads a writes c"},
		{"reads a,\n    «b»\n    writes c", "reads a\n    writes c"},
		{"-> Int\n    reads «a»\n    writes c", "-> Int\n    writes c"},
		{"-> Int reads a writes «c» }", "-> Int reads a }"},
		{"f()reads «a» }", "f() }"},
		{"reads /* why */ «a» }", ""},
	} {
		from := strings.Index(c.text, "«")
		text := strings.NewReplacer("«", "", "»", "").Replace(c.text)
		to := strings.Index(c.text, "»") - len("«")
		file := source.NewFile("a", text)
		got := ""
		for _, e := range Unlist(source.Span{File: file, Start: from, End: to}, "reads", "writes") {
			got = text[:e.Span.Start] + e.New + text[e.Span.End:]
		}
		if got != c.want {
			t.Errorf("%q gives %q, not %q", c.text, got, c.want)
		}
	}
}
