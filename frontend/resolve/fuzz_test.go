package resolve_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/frontend/types"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs"
	"soma.cell/proofs/frame"
	"soma.cell/smt/refute"
	"soma.cell/taint"
)

// FuzzResolve holds for every program that progen draws, and for what edits make of its text:
// reading and checking end without a panic, give the same findings twice, each with a code of
// the table and a place in a file; and what passes resolution lowers to a valid system. Without
// edits nothing is wrong.
func FuzzResolve(f *testing.F) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 3))
		program := make([]byte, 700)
		for i := range program {
			program[i] = byte(r.Uint32())
		}
		f.Add(program, []byte(nil))
		f.Add(program, program[:20])
	}
	f.Fuzz(func(t *testing.T, program, edits []byte) {
		p := progen.New(progen.Bytes(program), progen.Options{Library: true, Size: 1})
		p.Text = edited(p.Text, edits)
		one, errs := findings(t, p)
		if two, _ := findings(t, p); one != two {
			t.Fatalf("two runs differ:\n%s\n--\n%s\n--\n%s", one, two, p.Text)
		}
		if len(edits) == 0 && errs > 0 {
			t.Fatalf("a drawn program is wrong:\n%s\n%s\n%s", one, p.Text, p.Library)
		}
	})
}

// FuzzResolveText holds the same for any text; it starts from the examples of all findings.
func FuzzResolveText(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.cell")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, e := range diag.Table() {
		if len(e.Wrong) < 4<<10 { // mutants of the chains that are too long teach nothing
			f.Add(e.Wrong)
			f.Add(e.Right)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := &progen.Program{Text: text}
		one, _ := findings(t, p)
		if two, _ := findings(t, p); one != two {
			t.Fatalf("two runs differ:\n%s\n--\n%s\n--\n%s", one, two, text)
		}
	})
}

// edited changes a text as bytes say: words are dropped, doubled, swapped and exchanged for
// others of the text.
func edited(text string, edits []byte) string {
	src := progen.Bytes(edits)
	words := tokens(text)
	for n := min(len(edits)/4, 40); n > 0 && len(words) > 1; n-- {
		at, other := src.Int(256)*256+src.Int(256), src.Int(256)
		i, j := at%len(words), (at+other)%len(words)
		switch src.Int(6) {
		case 0:
			words[i] = ""
		case 1:
			if len(words[i]) < 100 {
				words[i] += words[i]
			}
		case 2:
			words[i], words[j] = words[j], words[i]
		case 3, 4:
			words[i] = words[j]
		case 5:
			words[i] = []string{" ", "(", "}", "\n", "::", "\"", "=>", "_", "§", "match "}[other%10]
		}
	}
	return strings.Join(words, "")
}

// tokens cuts a text into words and what stands between them.
func tokens(text string) []string {
	letter := func(b byte) bool {
		return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
	}
	var out []string
	start := 0
	for i := 1; i <= len(text); i++ {
		if i == len(text) || !letter(text[i]) || !letter(text[i-1]) {
			out = append(out, text[start:i])
			start = i
		}
	}
	return out
}

// findings writes down what the check says, and counts the errors.
func findings(t *testing.T, p *progen.Program) (string, int) {
	var files []*syntax.File
	var found []diag.Diagnostic
	for _, f := range p.Files() {
		file, wrong := syntax.Parse(f)
		files, found = append(files, file), append(found, wrong...)
	}
	unread := len(found)
	program, more := resolve.Resolve(files, "2027")
	found = append(found, resolve.DropEchoes(files, found, more)...)
	_, misfits := types.Check(program)
	found = append(found, misfits...)
	if len(diag.Errors(more)) == 0 && unread == 0 {
		system := lower.Program(program)
		if err := ir.Validate(system); err != nil {
			t.Fatalf("%v\n%s", err, p.Text)
		}
		wide, _ := frame.Check(system, proofs.Targets(system, refute.DefaultLimits()))
		found = append(append(found, wide...), taint.Check(system, "2027").Diagnostics...)
	}
	var b strings.Builder
	for _, d := range diag.Sort(found) {
		checkPlace(t, d.Span, d.Code)
		fmt.Fprintf(&b, "%s %d %s %s\n", d.Code, d.Severity, d.Span, d.Message)
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "  %s %s\n", n.Span, n.Message)
		}
		for _, e := range d.Edits {
			checkPlace(t, e.Span, d.Code)
			fmt.Fprintf(&b, "  %s %q\n", e.Span, e.New)
		}
	}
	return b.String(), len(diag.Errors(found))
}

// A declaration without a name is reported for that, and for nothing that follows.
func TestNamelessDeclarations(t *testing.T) {
	p := &progen.Program{Text: "skeleton { memory { a: Map<String, Int> } }\nflesh { on x() { } }\ncell { }\ncell { }\ncell type { variants { A } }\n"}
	text, _ := findings(t, p)
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.HasPrefix(line, string(diag.Unexpected)) {
			t.Error(line)
		}
	}
}

func checkPlace(t *testing.T, s source.Span, code diag.Code) {
	t.Helper()
	if s.File == nil || s.Start < 0 || s.End < s.Start || s.End > len(s.File.Text) {
		t.Fatalf("%s stands at %d..%d, outside its file", code, s.Start, s.End)
	}
}
