package diag

import (
	"strings"
	"testing"
)

func TestBrief(t *testing.T) {
	long := strings.Repeat("é", maxQuote)
	list := Brief([]Diagnostic{{
		Message: "`" + long + "` fits, `" + long + "x` does not",
		Fix:     "write `" + long + long + "`",
		Notes:   []Note{{Message: "short `a`"}, {Message: long + "`" + long + "`" + long}},
	}})
	cut := strings.Repeat("é", maxQuote-1) + "…"
	d := list[0]
	if d.Message != "`"+long+"` fits, `"+cut+"` does not" || d.Fix != "write `"+cut+"`" {
		t.Errorf("message %s\nfix %s", d.Message, d.Fix)
	}
	if d.Notes[0].Message != "short `a`" || d.Notes[1].Message != long+"`"+long+"`"+long {
		t.Errorf("notes %v", d.Notes)
	}
}
