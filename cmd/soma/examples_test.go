package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The example programs, and their wrong twins. A twin is an example with exactly one fault;
// testdata/twins holds, for each example, an archive of twins:
//
//	-- name --
//	verify 0                     the command, the exit status it must have, maybe the edition
//	- a line of the example      one or more adjacent lines, found wherever they stand
//	+ what stands there instead  //! E0402 a part of the message
//	//! ⚠ a part of the line     a finding without a place
//
// A finding of the command that no expectation names is a failure, as is an expectation that
// nothing meets. Lines are compared without their indentation.

const (
	examplesFolder = "../../testdata/examples"
	twinsFolder    = "../../testdata/twins"
	tempFileMode   = 0o644
)

// exampleFiles are the entry files of the examples.
func exampleFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(examplesFolder, "*.cell"))
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(examplesFolder, "*", "soma.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, manifest := range folders {
		files = append(files, filepath.Dir(manifest))
	}
	if len(files) < 6 {
		t.Fatalf("only %d examples", len(files))
	}
	return files
}

// runSoma runs the command in this process, with an empty environment.
func runSoma(args ...string) (status int, output string) {
	var out, progress bytes.Buffer
	a := &app{
		out: &out, progress: &progress,
		lookup: func(string) (string, bool) { return "", false },
		now:    func() time.Time { return time.Unix(0, 0) },
	}
	status = a.run(context.Background(), args)
	return status, out.String()
}

func TestExamplesHold(t *testing.T) {
	for _, file := range exampleFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			certificate := filepath.Join(t.TempDir(), "cert.json")
			for _, args := range [][]string{
				{"check", file}, {"test", file}, {"verify", "--strict", "--cert", certificate, file},
				{"audit", certificate}, {"describe", file}, {"skeleton", file}, {"graph", file},
			} {
				if status, output := runSoma(args...); status != statusOK {
					t.Fatalf("soma %s exits %d:\n%s", strings.Join(args, " "), status, output)
				}
			}
		})
	}
}

// TestRunsAreTheSame holds that output depends on nothing but the input.
func TestRunsAreTheSame(t *testing.T) {
	file := exampleFiles(t)[0]
	for _, command := range []string{"check", "test", "verify", "describe", "skeleton", "graph"} {
		_, first := runSoma(command, file)
		for range 3 {
			if _, again := runSoma(command, file); again != first {
				t.Errorf("soma %s differs from run to run", command)
			}
		}
	}
}

// found is what a command said of a program: code or mark, message, and the line in the
// entry file, 0 for none.
type found struct {
	mark, text string
	line       int
}

// findingsOfRun reads the findings out of the document of a command: diagnostics that are
// errors or warnings, failed rules of tests, open and refuted lines of verify.
func findingsOfRun(t *testing.T, output string) []found {
	t.Helper()
	var doc struct {
		Errors, Warnings               []findingDoc
		Machines, Invariants, Temporal []blockDoc
		Tests                          []testCellDoc
	}
	if err := json.Unmarshal([]byte(output), &doc); err != nil {
		t.Fatalf("%v in:\n%s", err, output)
	}
	var out []found
	for _, f := range append(doc.Errors, doc.Warnings...) {
		out = append(out, found{f.Code, f.Message, f.Line})
	}
	for _, b := range append(append(doc.Machines, doc.Invariants...), doc.Temporal...) {
		for _, l := range b.Lines {
			switch l.Verdict {
			case "open":
				out = append(out, found{"⚠", l.Text, l.Line})
			case "refuted":
				out = append(out, found{"✗", l.Text, l.Line})
			}
		}
	}
	for _, c := range doc.Tests {
		for _, i := range c.Items {
			if i.Kind != "note" && i.Kind != "printed" && !i.Passed {
				out = append(out, found{"✗", i.Source + " " + i.Text, i.Line})
			}
		}
	}
	return out
}

func writeTemp(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), tempFileMode); err != nil {
		t.Fatal(err)
	}
	return path
}
