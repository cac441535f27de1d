package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// The corpus: programs for every part of the language, by section. A program is a file
// SECTION/NAME.cell, or a folder SECTION/NAME with a soma.toml. Its tests pass, its check finds
// what `//! CODE part` at the ends of its lines says and nothing else, and
//
//	// verify: 1
//
// in its head says how verify ends where that is not 0. SECTION/NAME.wrong.txtar holds its wrong
// twins, in the format of testdata/twins; «30×text» stands there for 30 times the text, «xFF» for
// that byte.
const (
	corpusFolder  = "../../testdata/corpus"
	corpusEdition = "2027" // of programs without a manifest; testdata/corpus/soma.toml says the same
)

// corpusPrograms are the programs of the corpus, by their paths below its folder.
func corpusPrograms(t *testing.T) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS(corpusFolder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.Count(name, "/") == 1 {
			out = append(out, name)
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".cell") {
			out = append(out, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var verifyHeader = regexp.MustCompile(`(?m)^// verify: (\d)$`)

// wantedVerify is how verify of a program ends.
func wantedVerify(text string) int {
	if m := verifyHeader.FindStringSubmatch(text); m != nil {
		status, _ := strconv.Atoi(m[1])
		return status
	}
	return statusOK
}

// wantedFindings reads the expectations at the ends of a program's lines.
func wantedFindings(text string) []expectation {
	var w twin
	for i, line := range strings.Split(text, "\n") {
		if _, wanted, ok := strings.Cut(line, "//!"); ok {
			w.want("//!"+wanted, i+1)
		}
	}
	return w.wanted
}

func TestCorpus(t *testing.T) {
	for _, name := range corpusPrograms(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			original := readExample(t, filepath.Join(corpusFolder, name))
			text := original.files[original.entry]
			path := original.copy(t)
			_, output := runSoma("check", "--json", path)
			compareFindings(t, findingsOfRun(t, output), wantedFindings(text))
			if t.Failed() {
				return
			}
			for _, c := range []struct {
				command string
				status  int
			}{{"check", statusOK}, {"test", statusOK}, {"verify", wantedVerify(text)}} {
				if status, output := runSoma(c.command, path); status != c.status {
					t.Errorf("soma %s exits %d, wanted %d:\n%s", c.command, status, c.status, output)
				}
			}
		})
	}
}

// TestCorpusWrittenAnew holds that a program written from its tree does the same: its check finds
// as much, and its tests pass.
func TestCorpusWrittenAnew(t *testing.T) {
	for _, name := range corpusPrograms(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			original := readExample(t, filepath.Join(corpusFolder, name))
			wanted := wantedFindings(original.files[original.entry])
			for file, text := range original.files {
				if filepath.Ext(file) == ".cell" {
					tree, _ := syntax.Parse(source.NewFile(file, text))
					original.files[file] = format.File(tree)
				}
			}
			for i := range wanted {
				wanted[i].line = 0
			}
			path := original.copy(t)
			_, output := runSoma("check", "--json", path)
			compareFindings(t, findingsOfRun(t, output), wanted)
			if status, output := runSoma("test", path); status != statusOK {
				t.Errorf("soma test exits %d:\n%s\n%s", status, output, original.files[original.entry])
			}
		})
	}
}

// copy writes a program into a folder of its own, since tests may write files beside theirs, and
// gives the path of its entry.
func (e example) copy(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if _, ok := e.files["soma.toml"]; !ok {
		writeTemp(t, folder, "soma.toml", editionManifest(corpusEdition))
	}
	for name, text := range e.files {
		writeTemp(t, folder, name, text)
	}
	return filepath.Join(folder, e.entry)
}

func TestCorpusTwins(t *testing.T) {
	for _, file := range corpusTwins(t) {
		original := readExample(t, corpusOriginal(file))
		forCorpusTwins(t, file, original, func(tw namedTwin) {
			t.Run(filepath.Base(file)+"/"+tw.name, func(t *testing.T) {
				t.Parallel()
				tw.hold(t, original)
			})
		})
	}
}

// TestCorpusRepairs holds that what `check --fix` changes in a twin of one finding settles it.
func TestCorpusRepairs(t *testing.T) {
	repaired := 0
	for _, file := range corpusTwins(t) {
		original := readExample(t, corpusOriginal(file))
		ownFindings := wantedFindings(original.files[original.entry])
		forCorpusTwins(t, file, original, func(tw namedTwin) {
			if tw.command != "check" || len(tw.wanted) != 1 {
				return
			}
			path := tw.materialize(t, original)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			runSoma("check", "--fix", path)
			if after, err := os.ReadFile(path); err != nil || string(after) == string(before) {
				return
			}
			repaired++
			_, output := runSoma("check", "--json", path)
			for _, f := range findingsOfRun(t, output) {
				fits := func(e expectation) bool { return e.mark == f.mark }
				if slices.ContainsFunc(tw.wanted, fits) && !slices.ContainsFunc(ownFindings, fits) {
					t.Errorf("%s: %s: after the repair there is still %s: %s", filepath.Base(file), tw.name, f.mark, f.text)
				}
			}
		})
	}
	if repaired < 30 {
		t.Errorf("only %d twins are repaired", repaired)
	}
}

// corpusTwins are the archives of wrong twins.
func corpusTwins(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpusFolder, "*", "*.wrong.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// corpusOriginal is the program, a file or a folder, of an archive of twins.
func corpusOriginal(archive string) string {
	base := strings.TrimSuffix(archive, ".wrong.txtar")
	if _, err := os.Stat(base); err == nil {
		return base
	}
	return base + ".cell"
}

func forCorpusTwins(t *testing.T, file string, original example, run func(namedTwin)) {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		tw, err := parseTwin(original.files[original.entry], expandTwin(string(f.Data)))
		if err != nil {
			t.Errorf("%s: %s: %v", file, f.Name, err)
			continue
		}
		run(namedTwin{f.Name, tw})
	}
}

var (
	repeated = regexp.MustCompile(`«(\d+)×([^»]+)»`)
	rawByte  = regexp.MustCompile(`«x([0-9A-F]{2})»`)
)

// expandTwin writes out what nobody wants to read: repetitions, and bytes that are no text.
func expandTwin(text string) string {
	text = repeated.ReplaceAllStringFunc(text, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1])
		return strings.Repeat(m[2], n)
	})
	return rawByte.ReplaceAllStringFunc(text, func(s string) string {
		b, _ := strconv.ParseUint(rawByte.FindStringSubmatch(s)[1], 16, 8)
		return string([]byte{byte(b)})
	})
}
