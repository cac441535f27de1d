package syntax

import (
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

func parse(text string) (*File, []diag.Diagnostic) {
	return Parse(source.NewFile("app.cell", text))
}

// Each code of lexer and parser has a program that yields exactly that code, and a repair
// that yields none.
func TestTableOfCodes(t *testing.T) {
	for _, e := range diag.Table() {
		if e.Code >= "E0100" {
			continue
		}
		_, wrong := parse(e.Wrong)
		if len(wrong) != 1 || wrong[0].Code != e.Code {
			t.Errorf("%s %s: the wrong program yields %v", e.Code, e.Name, wrong)
		}
		if _, right := parse(e.Right); len(right) != 0 {
			t.Errorf("%s %s: the right program yields %v", e.Code, e.Name, right)
		}
	}
}
