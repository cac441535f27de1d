package interp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve/resolvetest"
)

// unsupported builtins parse and check, and raise when they run.
var unsupported = []string{"link", "publish", "subscribe", "ws_connect", "ws_send"}

// shelf is a file system of a test.
type shelf map[string]string

func (s shelf) ReadFile(name string) ([]byte, error) {
	text, ok := s[name]
	if !ok {
		return nil, fmt.Errorf("%s: there is no such file", name)
	}
	return []byte(text), nil
}

func (s shelf) WriteFile(name string, data []byte) error {
	if name == "forbidden" {
		return errors.New("forbidden: no")
	}
	s[name] = string(data)
	return nil
}

func (s shelf) ReadDir(name string) ([]string, error) {
	if name != "." {
		return nil, fmt.Errorf("%s: there is no such folder", name)
	}
	return slices.Sorted(maps.Keys(s)), nil
}

// The programs in testdata/builtins say what every builtin does, at its edges: each assertion
// holds, and each row of the table is called by one of them or listed as not supported.
func TestBuiltinsDoWhatTheyShould(t *testing.T) {
	files, err := filepath.Glob("testdata/builtins/*.cell")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	called := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := resolvetest.Program(t, string(text))
		report := RunTests(context.Background(), p, TestOptions{World: Options{
			Clock: func() time.Time { return time.UnixMilli(1709210096789) },
			Input: func() string { return "typed\n" },
			Files: shelf{"notes.txt": "\ufeffhé\nthere", "people.csv": "name,born\nAnn,1999\n\"Bo, jr\",007\n", "odd.csv": "a,b\n1\n"},
		}})
		if !report.OK() {
			t.Errorf("%s:\n%s", file, failures(report))
		}
		for _, callee := range p.Info.Calls {
			if callee.Builtin != nil {
				called[callee.Builtin.Name] = true
			}
		}
	}
	for _, b := range builtin.All() {
		if refused := slices.Contains(unsupported, b.Name); called[b.Name] == refused {
			t.Errorf("%s: called by a program %v, listed as not supported %v", b.Name, called[b.Name], refused)
		}
	}
}

// failures is what a report says of rules that failed.
func failures(r *Report) string {
	var out []string
	for _, line := range strings.Split(show(r), "\n") {
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "note mock") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// What the table lists and what runs are the same, but for what is not supported: and that
// says so when it runs.
func TestBuiltinsAreCovered(t *testing.T) {
	table := builtinTable()
	for _, b := range builtin.All() {
		_, runs := table[b.Name]
		if refused := slices.Contains(unsupported, b.Name); runs == refused {
			t.Errorf("%s: runs %v, listed as unsupported %v", b.Name, runs, refused)
		}
		delete(table, b.Name)
	}
	for name := range table {
		t.Errorf("%s is no builtin of the language", name)
	}
	for _, name := range unsupported {
		args := strings.TrimSuffix(strings.Repeat("\"x\", ", max(1, builtin.Lookup(name).Min)), ", ")
		p := resolvetest.Program(t, fmt.Sprintf("cell P { on f() { return %s(%s) } }", name, args))
		_, err := New(p, Options{}).Call(context.Background(), "P", "f", nil)
		if e, ok := err.(*Error); !ok || e.Kind != KindUnsupported || !strings.Contains(e.Detail, "`"+name+"`") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
