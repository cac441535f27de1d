package expect

import (
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

func TestCompare(t *testing.T) {
	file := source.NewFile("a.cell", "one //! E0001 bad //! E0002 worse\ntwo\n")
	at := func(offset int, code diag.Code, message string) diag.Diagnostic {
		return diag.Diagnostic{Code: code, Message: message, Span: source.Span{File: file, Start: offset, End: offset + 1}}
	}
	for _, c := range []struct {
		name string
		got  []diag.Diagnostic
		want string // "" or a part of the only problem
	}{
		{"met", []diag.Diagnostic{at(0, "E0002", "even worse"), at(0, "E0001", "bad")}, ""},
		{"missing", []diag.Diagnostic{at(0, "E0001", "bad")}, "a.cell:1: missing E0002 worse"},
		{"extra", []diag.Diagnostic{at(0, "E0001", "bad"), at(0, "E0002", "worse"), at(34, "E0001", "bad")}, "a.cell:2: unexpected E0001"},
		{"twice", []diag.Diagnostic{at(0, "E0001", "bad"), at(0, "E0002", "worse"), at(0, "E0001", "bad")}, "a.cell:1: unexpected E0001"},
	} {
		problems := compare([]*source.File{file}, c.got)
		switch {
		case c.want == "" && len(problems) > 0, c.want != "" && len(problems) != 1:
			t.Errorf("%s: problems %q", c.name, problems)
		case c.want != "" && !strings.Contains(problems[0], c.want):
			t.Errorf("%s: %q does not say %q", c.name, problems[0], c.want)
		}
	}
	wrong := compare([]*source.File{file}, []diag.Diagnostic{at(0, "E0001", "good"), at(0, "E0002", "worse")})
	if len(wrong) != 2 {
		t.Errorf("another message: problems %q, want an extra and a missing one", wrong)
	}
}
