package main

import (
	"io"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/project"
	"soma.cell/frontend/source"
)

// maxRounds bounds how often repairs are applied: a repair may bring to light what another mends.
const maxRounds = 10

// repaired applies the repairs that a machine may apply until none is left, writes the files that
// changed, all of them or none, and prints the change as a unified diff. What it gives is the
// program as it stands then. Nothing is written before the result was checked: repairs that would
// lead to more errors than there were are left out.
func repaired(w io.Writer, p *program) (*program, error) {
	patch := &patch{old: map[string]string{}, now: map[string]string{}}
	after := p
	for range maxRounds {
		next, ok := patch.apply(after)
		if !ok {
			break
		}
		after = next
	}
	if len(patch.now) == 0 {
		return p, nil
	}
	if err := writeFiles(patch.now); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(patch.now)) {
		if _, err := io.WriteString(w, unifiedDiff(name, patch.old[name], name, patch.now[name])); err != nil {
			return nil, err
		}
	}
	return after, nil
}

// patch is the texts of files before and after their repair, by name.
type patch struct{ old, now map[string]string }

// apply applies the repairs of a program's findings, together where that does good and else one
// by one. It tells whether any was applied.
func (c *patch) apply(p *program) (*program, bool) {
	var some [][]diag.Diagnostic
	for _, d := range p.findings {
		if len(d.Edits) > 0 {
			some = append(some, []diag.Diagnostic{d})
		}
	}
	if len(some) > 1 {
		some = append([][]diag.Diagnostic{p.findings}, some...)
	}
	for _, findings := range some {
		texts := maps.Clone(c.now)
		for _, r := range repairs(findings) {
			texts[r.file.Name] = r.text
		}
		after, err := loadExplained(p.name, edited(texts))
		if err != nil || worseThan(after, p) {
			continue
		}
		for name, text := range texts {
			if _, known := c.old[name]; !known {
				c.old[name] = p.text(name)
			}
			c.now[name] = text
		}
		return after, true
	}
	return p, false
}

// text is the text of a file of the program as it was read.
func (p *program) text(name string) string {
	for _, f := range p.project.Files {
		if f.Source.Name == name {
			return f.Source.Text
		}
	}
	return ""
}

// worseThan tells whether a repair did harm: there are more errors, although none of what cannot
// be parsed became readable.
func worseThan(after, before *program) bool {
	unread, _ := diag.Count(after.project.Diagnostics)
	unreadBefore, _ := diag.Count(before.project.Diagnostics)
	if unread != unreadBefore {
		return unread > unreadBefore
	}
	errors, _ := diag.Count(after.findings)
	errorsBefore, _ := diag.Count(before.findings)
	return errors > errorsBefore
}

// edited is the disk with other texts in some files, by the names under which they were read.
func edited(texts map[string]string) project.Folders {
	e := editedFiles{text: map[string]string{}}
	for name, text := range texts {
		if abs, err := e.Abs(name); err == nil {
			e.text[abs] = text
		}
	}
	return e
}

type editedFiles struct {
	project.Disk
	text map[string]string // by absolute path
}

// ReadFile gives the edited text where there is one.
func (e editedFiles) ReadFile(name string) ([]byte, error) {
	if abs, err := e.Abs(name); err == nil {
		if text, ok := e.text[abs]; ok {
			return []byte(text), nil
		}
	}
	return e.Disk.ReadFile(name)
}

// repairedFile is a file with its new text.
type repairedFile struct {
	file *source.File
	text string
}

// repairs applies the edits of all findings, file by file in order of name. Of two findings
// whose edits overlap the later one waits for the next round.
func repairs(findings []diag.Diagnostic) []repairedFile {
	edits := map[*source.File][]diag.Edit{}
	for _, d := range findings {
		if !fits(edits, d.Edits) {
			continue
		}
		for _, e := range d.Edits {
			edits[e.Span.File] = append(edits[e.Span.File], e)
		}
	}
	var out []repairedFile
	for file, list := range edits {
		out = append(out, repairedFile{file, apply(file.Text, list)})
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

// writeFiles writes the texts of files, all of them or none.
func writeFiles(texts map[string]string) error {
	names := slices.Sorted(maps.Keys(texts))
	var ready []*staged
	defer func() {
		for _, s := range ready {
			s.discard()
		}
	}()
	for _, name := range names {
		s, err := stage(name, []byte(texts[name]))
		if err != nil {
			return usageError(cannotWrite(name, err))
		}
		ready = append(ready, s)
	}
	for i, s := range ready {
		old, err := os.ReadFile(s.target)
		if err == nil {
			s.old = old
			err = s.commit()
		}
		if err != nil {
			for _, done := range ready[:i] {
				// Back to what was; should this fail as well, the first failure is the one to tell.
				_ = writeFile(done.target, done.old)
			}
			return usageError(cannotWrite(names[i], err))
		}
	}
	return nil
}
