package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/builtin"
)

// The books are held to what the toolkit does. A fenced block says by its info string what it
// holds:
//
//	soma            a program that checks without a finding, and whose test cells pass
//	soma E0113 …    a program of which the check says these codes, in this order, and no others
//	console         `$ command` lines, each followed by all that it prints; a line `…` stands
//	                for any number of lines
//
// Programs are read under edition 2027. Commands run at the top of the project, in a folder
// that is thrown away.

const booksFolder = "../.."

var update = flag.Bool("update", false, "rewrite docs/builtins.md")

// block is a fenced block of a book.
type block struct {
	info, text string
	line       int // of the fence
}

// blocks cuts out the fenced blocks of a page.
func blocks(page string) []block {
	var out []block
	var open *block
	for i, line := range strings.Split(page, "\n") {
		info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case open == nil && fence:
			open = &block{info: info, line: i + 1}
		case open != nil && fence:
			out = append(out, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return out
}

// eachBlock runs a test on every block of the books of one kind: the first word of its info
// string.
func eachBlock(t *testing.T, kind string, test func(t *testing.T, b block, rest []string)) {
	t.Helper()
	found := 0
	for _, book := range []string{"README.md", "docs/language.md"} {
		page, err := os.ReadFile(filepath.Join(booksFolder, book))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks(string(page)) {
			words := strings.Fields(b.info)
			if len(words) == 0 || words[0] != kind {
				continue
			}
			found++
			t.Run(fmt.Sprintf("%s:%d", book, b.line), func(t *testing.T) { test(t, b, words[1:]) })
		}
	}
	if found == 0 {
		t.Errorf("the books hold no block of kind %s", kind)
	}
}

func TestProgramsOfTheBooks(t *testing.T) {
	eachBlock(t, "soma", func(t *testing.T, b block, wanted []string) {
		folder := t.TempDir()
		path := writeTemp(t, folder, "page.cell", b.text)
		writeTemp(t, folder, "soma.toml", editionManifest("2027"))
		p, err := load(path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range p.findings {
			got = append(got, string(d.Code))
		}
		if !slices.Equal(got, wanted) {
			_, output := runSoma("check", path)
			t.Fatalf("the check says %v, the book %v:\n%s", got, wanted, output)
		}
		if len(p.resolved.Tests) == 0 {
			return
		}
		if status, output := runSoma("test", path); status != statusOK {
			t.Errorf("its tests do not pass:\n%s", output)
		}
	})
}

func TestCommandsOfTheBooks(t *testing.T) {
	top, err := filepath.Abs(booksFolder)
	if err != nil {
		t.Fatal(err)
	}
	eachBlock(t, "console", func(t *testing.T, b block, _ []string) {
		folder := t.TempDir()
		if err := os.Symlink(filepath.Join(top, "testdata"), filepath.Join(folder, "testdata")); err != nil {
			t.Fatal(err)
		}
		writeTemp(t, folder, "soma.toml", "")
		t.Chdir(folder)
		for _, shown := range strings.Split("\n"+b.text, "\n$ ")[1:] {
			command, output, _ := strings.Cut(shown, "\n")
			got := typed(t, command)
			if !matchElided(strings.Split(strings.TrimRight(output, "\n"), "\n"), strings.Split(strings.TrimRight(got, "\n"), "\n")) {
				t.Errorf("$ %s\nprints\n%s\nthe book shows\n%s", command, got, output)
			}
		}
	})
}

// typed is what a command prints: soma itself in this process, others by the shell.
func typed(t *testing.T, command string) string {
	t.Helper()
	if args, ok := strings.CutPrefix(command, "bin/soma "); ok {
		_, output := runSoma(strings.Fields(args)...)
		return output
	}
	output, err := exec.Command("sh", "-c", command).CombinedOutput()
	if err != nil {
		t.Fatalf("$ %s: %v\n%s", command, err, output)
	}
	return string(output)
}

// matchElided tells whether lines are as shown, where a shown … stands for any lines.
func matchElided(shown, lines []string) bool {
	if len(shown) == 0 {
		return len(lines) == 0
	}
	if strings.TrimSpace(shown[0]) == "…" {
		for n := range len(lines) + 1 {
			if matchElided(shown[1:], lines[n:]) {
				return true
			}
		}
		return false
	}
	return len(lines) > 0 && shown[0] == lines[0] && matchElided(shown[1:], lines[1:])
}

func TestElidedLines(t *testing.T) {
	for _, c := range []struct {
		shown, lines string
		want         bool
	}{
		{"a b", "a b", true},
		{"a …", "a b c", true},
		{"… c", "a b c", true},
		{"a … c", "a c", true},
		{"a … b", "a b c", false},
		{"a", "a b", false},
		{"a b", "a", false},
	} {
		if got := matchElided(strings.Fields(c.shown), strings.Fields(c.lines)); got != c.want {
			t.Errorf("%q against %q: %v", c.shown, c.lines, got)
		}
	}
}

// TestBuiltinsBook holds docs/builtins.md against the table; -update rewrites it.
func TestBuiltinsBook(t *testing.T) {
	path := filepath.Join(booksFolder, "docs", "builtins.md")
	want := builtinsBook()
	if *update {
		if err := os.WriteFile(path, []byte(want), tempFileMode); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/builtins.md is not what the table gives: run `go test ./cmd/soma -run Builtins -update`")
	}
}

// builtinsBook is the table of builtins as a page: those with an effect by class, the pure
// ones after them.
func builtinsBook() string {
	byClass := map[builtin.Class][]*builtin.Builtin{}
	for _, b := range builtin.All() {
		byClass[b.Class] = append(byClass[b.Class], b)
	}
	var page strings.Builder
	page.WriteString(builtinsHead)
	for _, c := range builtinClasses {
		fmt.Fprintf(&page, "\n## %s: %s\n\n| signature | gives | raises |\n|---|---|---|\n", c.class, c.title)
		for _, b := range byClass[c.class] {
			forms := strings.Join(b.Signatures(), "`<br>`")
			fmt.Fprintf(&page, "| `%s` | %s | %s |\n", cellText(forms), cellText(b.Doc), raisedKinds(b))
		}
		delete(byClass, c.class)
	}
	for class := range byClass {
		panic(fmt.Sprintf("class %s has no title", class))
	}
	return page.String()
}

// cellText is a text in a cell of a table.
func cellText(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func raisedKinds(b *builtin.Builtin) string {
	if slices.Contains(b.Raises, builtin.AnyKind) {
		return "any kind"
	}
	var kinds []string
	for _, k := range b.Raises {
		kinds = append(kinds, "`"+k+"`")
	}
	return strings.Join(kinds, ", ")
}

const builtinsHead = `# Builtins

Written from the table of the code, which also serves the check, the interpreter and the
proofs: ` + "`go test ./cmd/soma -run Builtins -update`" + ` writes this page, and a test holds it.
` + "`soma describe --builtins`" + ` prints the same list.

` + "`name?`" + ` is an argument that may be left out, ` + "`name...`" + ` one that may be repeated, ` + "`Int?`" + ` a value or
` + "`()`" + `. A capital letter stands for one type wherever it occurs; ` + "`T => Bool`" + ` is a function of a ` + "`T`" + `
that gives a Bool, ` + "`{left: T, right: U}`" + ` a map with just these keys. A wrong kind of argument raises ` + "`type`" + ` beside what the last column says; a wrong number of
arguments is an error of the check. Every class but pure and machine needs a ` + "`calls`" + ` clause in
a frame; moves need ` + "`moves`" + `.
`

// builtinClasses lists the classes in the order of the page.
var builtinClasses = []struct {
	class builtin.Class
	title string
}{
	{builtin.Machine, "moving and reading machines"},
	{builtin.Model, "asking the model"},
	{builtin.Budget, "tokens and the trace"},
	{builtin.Human, "asking a person"},
	{builtin.Call, "handlers by name"},
	{builtin.IDs, "numbers of their own"},
	{builtin.Memory, "what an agent remembers"},
	{builtin.Net, "the network"},
	{builtin.FileIO, "files"},
	{builtin.Print, "printing"},
	{builtin.Clock, "the time"},
	{builtin.Random, "chance"},
	{builtin.Sleep, "waiting"},
	{builtin.Pure, "computing"},
}
