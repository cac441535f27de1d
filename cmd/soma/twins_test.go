package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"soma.cell/frontend/project"
)

// twin is a wrong program with what a command must say of it.
type twin struct {
	command string
	edition string
	status  int
	text    string
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
	archives, err := filepath.Glob(filepath.Join(twinsFolder, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(archives) < 6 {
		t.Fatalf("only %d archives of twins", len(archives))
	}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".txtar")
		example, err := os.ReadFile(filepath.Join(examplesFolder, name+".cell"))
		if err != nil {
			t.Fatal(err)
		}
		ar, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			t.Run(name+"/"+f.Name, func(t *testing.T) {
				tw, err := parseTwin(string(example), string(f.Data))
				if err != nil {
					t.Fatal(err)
				}
				tw.hold(t)
			})
		}
	}
}

// hold runs the command on the twin and compares findings with expectations.
func (w *twin) hold(t *testing.T) {
	folder := t.TempDir()
	path := writeTemp(t, folder, "twin.cell", w.text)
	writeTemp(t, folder, "soma.toml", editionManifest(w.edition))
	status, output := runSoma(append(w.args(), "--json", path)...)
	if status != w.status {
		t.Errorf("soma %s exits %d, wanted %d", w.command, status, w.status)
	}
	got := findingsOfRun(t, output)
	met := make([]bool, len(w.wanted))
	for _, f := range got {
		expected := false
		for i, e := range w.wanted {
			if e.fits(f) {
				met[i], expected = true, true
			}
		}
		if !expected {
			t.Errorf("not expected: %s at line %d: %s", f.mark, f.line, f.text)
		}
	}
	for i, e := range w.wanted {
		if !met[i] {
			t.Errorf("missing: %s at line %d: …%s…", e.mark, e.line, e.part)
		}
	}
	if t.Failed() {
		_, plain := runSoma(append(w.args(), path)...)
		t.Logf("soma %s prints:\n%s", w.command, plain)
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
