package main

import (
	"strings"
	"testing"

	"soma.cell/frontend/diag"
)

// TestTableExamples holds that the example of each code triggers exactly that code under the
// whole check, and that its repair is clean.
func TestTableExamples(t *testing.T) {
	for _, e := range diag.Table() {
		wrong := findingsOfText(t, e.Wrong, e.Edition)
		if len(wrong) != 1 || wrong[0].Code != e.Code || wrong[0].Severity != e.Severity {
			t.Errorf("%s %s: the wrong program gives %v", e.Code, e.Name, briefly(wrong))
		}
		if right := findingsOfText(t, e.Right, e.Edition); len(right) > 0 {
			t.Errorf("%s %s: the right program gives %v", e.Code, e.Name, briefly(right))
		}
	}
}

func findingsOfText(t *testing.T, text, edition string) []diag.Diagnostic {
	p, err := checkText("app.cell", text, edition)
	if err != nil {
		t.Fatal(err)
	}
	return p.findings
}

func briefly(list []diag.Diagnostic) []string {
	out := []string{}
	for _, d := range list {
		out = append(out, string(d.Code)+" "+d.Span.String()+" "+d.Message)
	}
	return out
}

// TestExplainEveryCode holds that every page is laid out in full and stays readable.
func TestExplainEveryCode(t *testing.T) {
	for _, e := range diag.Table() {
		status, page := runSoma("explain", string(e.Code))
		if status != statusOK {
			t.Errorf("%s exits %d", e.Code, status)
		}
		for _, part := range []string{
			string(e.Code) + ": " + e.Name, e.Rule, "A program that triggers it", "What soma check prints:",
			"= code: " + string(e.Code), "The repair", "--- wrong.cell",
		} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: the page lacks %q", e.Code, part)
			}
		}
		if len(page) > 20_000 {
			t.Errorf("%s: the page has %d bytes", e.Code, len(page))
		}
	}
}
