package main

import (
	"io"
	"sort"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// repairFiles applies the repairs that a machine may apply, writes the files and prints what
// it changed as a unified diff. It tells whether there was anything to change.
func repairFiles(w io.Writer, findings []diag.Diagnostic) (changed bool, err error) {
	for _, r := range repairs(findings) {
		if err := writeFile(r.file.Name, []byte(r.text)); err != nil {
			return changed, err
		}
		changed = true
		if _, err := io.WriteString(w, unifiedDiff(r.file.Name, r.file.Text, r.file.Name, r.text)); err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// repaired is a file with its new text.
type repaired struct {
	file *source.File
	text string
}

// repairs applies the edits of all findings, file by file in order of name. Of two findings
// whose edits overlap the later one waits for the next run.
func repairs(findings []diag.Diagnostic) []repaired {
	edits := map[*source.File][]diag.Edit{}
	for _, d := range findings {
		if !fits(edits, d.Edits) {
			continue
		}
		for _, e := range d.Edits {
			edits[e.Span.File] = append(edits[e.Span.File], e)
		}
	}
	var out []repaired
	for file, list := range edits {
		out = append(out, repaired{file, apply(file.Text, list)})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].file.Name < out[j].file.Name })
	return out
}

// fits tells whether edits stand apart from those that were taken before.
func fits(taken map[*source.File][]diag.Edit, edits []diag.Edit) bool {
	for _, e := range edits {
		for _, t := range taken[e.Span.File] {
			if e.Span.Start < t.Span.End && t.Span.Start < e.Span.End {
				return false
			}
		}
	}
	return true
}

// apply makes edits that stand apart; those at one place in their order.
func apply(text string, edits []diag.Edit) string {
	edits = append([]diag.Edit(nil), edits...)
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Span.Start < edits[j].Span.Start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Span.Start])
		b.WriteString(e.New)
		at = e.Span.End
	}
	return b.String() + text[at:]
}

// unifiedDiff is the difference between two texts, without the line that names a command.
func unifiedDiff(oldName, old, newName, new string) string {
	text := string(diff.Diff(oldName, []byte(old), newName, []byte(new)))
	_, text, _ = strings.Cut(text, "\n")
	return text
}
