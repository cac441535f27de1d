// Package expect holds test programs that carry the diagnostics they must cause:
//
//	let x = y //! E0220 bound nowhere
//
// A line may carry several expectations. Both a missing and an extra diagnostic fail.
package expect

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

const mark = "//!"

// Programs cuts a file of test programs at its lines "---". Each program keeps the line
// numbers of the file.
func Programs(t testing.TB, path string) []*source.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []*source.File
	var text strings.Builder
	empty := true
	flush := func() {
		if !empty {
			out = append(out, source.NewFile(path, text.String()))
		}
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) == "---" {
			flush()
			text.Reset()
			text.WriteString(strings.Repeat("\n", i+1))
			empty = true
			continue
		}
		empty = empty && strings.TrimSpace(line) == ""
		text.WriteString(line + "\n")
	}
	flush()
	return out
}

// Check compares diagnostics with the expectations in the files.
func Check(t testing.TB, files []*source.File, got []diag.Diagnostic) {
	t.Helper()
	for _, problem := range compare(files, got) {
		t.Error(problem)
	}
}

// wanted is one expectation.
type wanted struct {
	code, text string
	met        bool
}

func compare(files []*source.File, got []diag.Diagnostic) []string {
	var problems []string
	open := map[string][]*wanted{}
	var order []string
	for _, f := range files {
		for i, line := range strings.Split(f.Text, "\n") {
			place := fmt.Sprintf("%s:%d", f.Name, i+1)
			for _, part := range strings.Split(line, mark)[1:] {
				code, text, _ := strings.Cut(strings.TrimSpace(part), " ")
				open[place] = append(open[place], &wanted{code: code, text: strings.TrimSpace(text)})
				order = append(order, place)
			}
		}
	}
	for _, d := range got {
		place := "-"
		if !d.Span.IsZero() {
			place = fmt.Sprintf("%s:%d", d.Span.File.Name, d.Span.From().Line)
		}
		if !meet(open[place], d) {
			problems = append(problems, fmt.Sprintf("%s: unexpected %s: %s", place, d.Code, d.Message))
		}
	}
	for _, place := range order {
		for _, w := range open[place] {
			if !w.met {
				problems = append(problems, fmt.Sprintf("%s: missing %s %s", place, w.code, w.text))
				w.met = true
			}
		}
	}
	return problems
}

// meet finds an open expectation that the diagnostic fulfils.
func meet(list []*wanted, d diag.Diagnostic) bool {
	for _, w := range list {
		if !w.met && w.code == string(d.Code) && strings.Contains(d.Message, w.text) {
			w.met = true
			return true
		}
	}
	return false
}
