package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"soma.cell/frontend/project"
)

// example is a right program: its entry file and what lies beside it, by name.
type example struct {
	entry string
	files map[string]string
}

// twin is a wrong program with what a command must say of it.
type twin struct {
	command string
	edition string
	status  int
	text    string // of the entry file
	wanted  []expectation
}

// expectation is a finding that must be there.
type expectation struct {
	mark, part string
	line       int // 0 when the finding may stand anywhere
}

func (e expectation) fits(f found) bool {
	return e.mark == f.mark && strings.Contains(f.text, e.part) && (e.line == 0 || e.line == f.line)
}

func TestWrongTwins(t *testing.T) {
	forTwins(t, func(t *testing.T, original example, archive []namedTwin) {
		for _, tw := range archive {
			t.Run(tw.name, func(t *testing.T) { tw.hold(t, original) })
		}
	})
}

// rules are what every example has a twin against: how the mark and the part of a finding begin
// that tells of the fault, and how the twin's name begins where these do not say enough.
var rules = []struct{ rule, mark, part, twin string }{
	{rule: "syntax", mark: "E00"},
	{rule: "names", mark: "E022"},
	{rule: "argument counts", mark: "E0227"},
	{rule: "face, skeleton and flesh", mark: "E020"},
	{rule: "reads", mark: "E0401"},
	{rule: "writes", mark: "E0402"},
	{rule: "moves", mark: "E0403"},
	{rule: "calls", mark: "E0404"},
	{rule: "calls in interpolations", mark: "E0404", twin: "hidden_think"},
	{rule: "declared edges", mark: "E025"},
	{rule: "edges that are taken", mark: "⚠", twin: "dead_edge"},
	{rule: "invariants, unproven", mark: "⚠", part: "invariant"},
	{rule: "invariants, broken", mark: "✗", part: "invariant"},
	{rule: "isolation", mark: "⚠", part: "think-isolated"},
	{rule: "termination", mark: "⚠", part: "termination"},
	{rule: "flows", mark: "E0113"},
	{rule: "flows in the older edition", mark: "W0018"},
	{rule: "tests the wrong way round", mark: "E0113", twin: "reversed_test"},
	{rule: "temporal properties", mark: "✗", twin: "false_"},
}

func TestEveryExampleHasATwinForEachRule(t *testing.T) {
	forTwins(t, func(t *testing.T, _ example, archive []namedTwin) {
		for _, r := range rules {
			if !slices.ContainsFunc(archive, func(tw namedTwin) bool {
				return strings.HasPrefix(tw.name, r.twin) && slices.ContainsFunc(tw.wanted, func(e expectation) bool {
					return strings.HasPrefix(e.mark, r.mark) && strings.HasPrefix(e.part, r.part)
				})
			}) {
				t.Errorf("no twin breaks the rule of %s", r.rule)
			}
		}
	})
}

type namedTwin struct {
	name string
	*twin
}

// forTwins runs a test for each example with its twins.
func forTwins(t *testing.T, run func(t *testing.T, original example, archive []namedTwin)) {
	for _, file := range exampleFiles(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".cell")
		t.Run(name, func(t *testing.T) {
			original := readExample(t, file)
			ar, err := txtar.ParseFile(filepath.Join(twinsFolder, name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			var archive []namedTwin
			for _, f := range ar.Files {
				tw, err := parseTwin(original.files[original.entry], string(f.Data))
				if err != nil {
					t.Errorf("%s: %v", f.Name, err)
					continue
				}
				archive = append(archive, namedTwin{f.Name, tw})
			}
			run(t, original, archive)
		})
	}
}

// readExample reads an example of one file, or of a folder.
func readExample(t *testing.T, path string) example {
	t.Helper()
	p, err := project.Load(path, project.Disk{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Entry == path {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		entry := filepath.Base(path)
		return example{entry: entry, files: map[string]string{entry: string(text)}}
	}
	out := example{files: map[string]string{}}
	if out.entry, err = filepath.Rel(path, p.Entry); err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(os.DirFS(path), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(path, name))
		out.files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// manifest is the example's soma.toml with the edition of the twin.
func (w *twin) manifest(original example) string {
	if text, ok := original.files["soma.toml"]; ok {
		return regexp.MustCompile(`edition = "\d+"`).ReplaceAllString(text, `edition = "`+w.edition+`"`)
	}
	return editionManifest(w.edition)
}

// materialize writes the twin with the other files of its example into a folder of its own, and
// gives the path of its entry.
func (w *twin) materialize(t *testing.T, original example) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range original.files {
		writeTemp(t, folder, name, text)
	}
	writeTemp(t, folder, "soma.toml", w.manifest(original))
	return writeTemp(t, folder, original.entry, w.text)
}

// hold runs the command on the twin and compares findings with expectations.
func (w *twin) hold(t *testing.T, original example) {
	path := w.materialize(t, original)
	status, output := runSoma(append(w.args(), "--json", path)...)
	if status != w.status {
		t.Errorf("soma %s exits %d, wanted %d", w.command, status, w.status)
	}
	compareFindings(t, findingsOfRun(t, output), w.wanted)
	if t.Failed() {
		_, plain := runSoma(append(w.args(), path)...)
		t.Logf("soma %s prints:\n%s", w.command, plain)
	}
}

// compareFindings refuses a finding that nothing expects, and an expectation that nothing meets.
func compareFindings(t *testing.T, got []found, wanted []expectation) {
	t.Helper()
	met := make([]bool, len(wanted))
	for _, f := range got {
		expected := false
		for i, e := range wanted {
			if e.fits(f) {
				met[i], expected = true, true
			}
		}
		if !expected {
			t.Errorf("not expected: %s at line %d: %s", f.mark, f.line, f.text)
		}
	}
	for i, e := range wanted {
		if !met[i] {
			t.Errorf("missing: %s at line %d: …%s…", e.mark, e.line, e.part)
		}
	}
}

// parseTwin applies the changes of a twin to its example.
func parseTwin(example, text string) (*twin, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	w := &twin{edition: project.DefaultEdition}
	if n, _ := fmt.Sscan(lines[0], &w.command, &w.status, &w.edition); n < 2 {
		return nil, fmt.Errorf("%q is no command with an exit status", lines[0])
	}
	var err error
	program := strings.Split(example, "\n")
	for i := 1; i < len(lines); {
		var old, fresh []string
		for ; i < len(lines) && strings.HasPrefix(lines[i], "-"); i++ {
			old = append(old, strings.TrimSpace(lines[i][1:]))
		}
		for ; i < len(lines) && strings.HasPrefix(lines[i], "+"); i++ {
			fresh = append(fresh, lines[i][1:])
		}
		switch {
		case old != nil:
			if program, err = replaceLines(program, old, fresh); err != nil {
				return nil, err
			}
		case strings.HasPrefix(lines[i], "//!"):
			w.want(lines[i], 0)
			i++
		case strings.TrimSpace(lines[i]) == "":
			i++
		default:
			return nil, fmt.Errorf("what is %q?", lines[i])
		}
	}
	for i, line := range program {
		code, expected, ok := strings.Cut(line, "//!")
		if ok {
			w.want("//!"+expected, i+1)
			program[i] = strings.TrimRight(code, " ")
		}
	}
	w.text = strings.Join(program, "\n")
	if w.text == example {
		return nil, fmt.Errorf("the twin is the example itself")
	}
	return w, nil
}

// want reads expectations: //! MARK part, several on one line apart by another //!.
func (w *twin) want(text string, line int) {
	for _, one := range strings.Split(text, "//!")[1:] {
		mark, part, _ := strings.Cut(strings.TrimSpace(one), " ")
		w.wanted = append(w.wanted, expectation{mark, strings.TrimSpace(part), line})
	}
}

// replaceLines replaces the one place where the old lines stand, keeping its indentation.
func replaceLines(program, old, fresh []string) ([]string, error) {
	at := -1
	for i := 0; i+len(old) <= len(program); i++ {
		same := true
		for j, o := range old {
			same = same && strings.TrimSpace(program[i+j]) == o
		}
		if same && at >= 0 {
			return nil, fmt.Errorf("%q stands in the example twice", old[0])
		}
		if same {
			at = i
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("%q does not stand in the example", strings.Join(old, "\n"))
	}
	indent := program[at][:len(program[at])-len(strings.TrimLeft(program[at], " "))]
	var out []string
	out = append(out, program[:at]...)
	for _, f := range fresh {
		out = append(out, indent+strings.TrimPrefix(f, " "))
	}
	return append(out, program[at+len(old):]...), nil
}

// args are the command's own words; strict is verify with that option.
func (w *twin) args() []string {
	if w.command == "strict" {
		return []string{"verify", "--strict"}
	}
	return []string{w.command}
}
