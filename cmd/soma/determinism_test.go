package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"soma.cell/scripts/bench/bigprog"
)

// Two runs print the same, whatever the number of jobs. Maps of Go are ranged over in another
// order each time, so that an output that depends on one differs sooner or later.
func TestOutputDependsOnTheInputAlone(t *testing.T) {
	files := programsCopied(t)
	folder := t.TempDir()
	writeTemp(t, folder, "soma.toml", "")
	for _, s := range bigprog.Shapes() {
		files = append(files, writeTemp(t, folder, strings.ReplaceAll(s.Name, " ", "_")+".cell", s.Text(12)))
	}
	files = append(files, filepath.Join(folder, "nowhere.cell"))

	for _, command := range []string{
		"check", "check --json", "check --format sarif", "test", "test --json", "test --format junit", "describe --json",
	} {
		t.Run(command, func(t *testing.T) {
			args := append(strings.Fields(command), files...)
			sameTwice(t, args, command != "describe --json")
		})
	}
	for _, command := range []string{"describe", "describe --ir", "skeleton", "graph"} {
		t.Run(command, func(t *testing.T) {
			for _, f := range files {
				sameTwice(t, append(strings.Fields(command), f), false)
			}
		})
	}
}

// A verification prints the same, and writes the same certificate and the same scripts, whatever
// the number of jobs.
func TestVerificationDependsOnTheInputAlone(t *testing.T) {
	for _, f := range programsCopied(t) {
		var written [2]map[string]string
		var output [2]string
		for i, jobs := range []string{"1", "8"} {
			folder := t.TempDir()
			_, output[i] = runSoma("verify", "--json", "--jobs", jobs, "--cert", filepath.Join(folder, "cert.json"),
				"--smt2", filepath.Join(folder, "smt2"), f)
			written[i] = filesIn(t, folder)
		}
		if d := cmp.Diff(output[0], output[1]); d != "" {
			t.Errorf("%s:\n%s", f, d)
		}
		if d := cmp.Diff(written[0], written[1]); d != "" {
			t.Errorf("%s: other files are written:\n%s", f, d)
		}
	}
}

// programsCopied are the examples and the corpus, in a folder of their own: their tests may write.
func programsCopied(t *testing.T) []string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(corpusFolder)); err != nil {
		t.Fatal(err)
	}
	files := exampleFiles(t)
	for _, name := range corpusPrograms(t) {
		files = append(files, filepath.Join(folder, name))
	}
	return files
}

// sameTwice runs the command twice, with one job and with eight where it takes jobs.
func sameTwice(t *testing.T, args []string, jobs bool) {
	t.Helper()
	one, eight := args, args
	if jobs {
		one = append([]string{args[0], "--jobs", "1"}, args[1:]...)
		eight = append([]string{args[0], "--jobs", "8"}, args[1:]...)
	}
	status, first := runSoma(one...)
	again, second := runSoma(eight...)
	if status != again {
		t.Errorf("soma %s exits %d, then %d", strings.Join(args, " "), status, again)
	}
	if first != second {
		t.Errorf("soma %s differs:\n%s", strings.Join(args, " "), cmp.Diff(strings.Split(first, "\n"), strings.Split(second, "\n")))
	}
}

// filesIn are the texts of the files below a folder, by name.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, folder)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
