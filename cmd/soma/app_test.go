package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/proofs"
)

func TestFlagsFirst(t *testing.T) {
	flags := []cli.Flag{&cli.BoolFlag{Name: "json"}, &cli.StringFlag{Name: "cert", Aliases: []string{"c"}}}
	for _, c := range []struct{ in, want string }{
		{"a b", "-- a b"},
		{"a --json", "--json -- a"},
		{"a --cert f b", "--cert f -- a b"},
		{"a -c f", "-c f -- a"},
		{"a --cert=f b", "--cert=f -- a b"},
		{"a -- --json", "-- a --json"},
		{"- --json", "--json -- -"},
		{"a --cert", "--cert -- a"},
	} {
		if got := strings.Join(flagsFirst(flags, strings.Fields(c.in)), " "); got != c.want {
			t.Errorf("%q becomes %q, wanted %q", c.in, got, c.want)
		}
	}
}

func TestTheWorstOutcomeDecides(t *testing.T) {
	usage := usageError("no file")
	inOrder := []error{nil, errUnknown, errFailed, usage}
	for i, a := range inOrder {
		for j, b := range inOrder {
			if got, want := statusOf(worse(a, b)), statusOf(inOrder[max(i, j)]); got != want {
				t.Errorf("%v and %v give %d, wanted %d", a, b, got, want)
			}
		}
	}
	if statusOf(errors.New("some other error")) != statusUsage {
		t.Error("an unknown error is no success")
	}
}

// failingWriter is an output that is full.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	a := &app{out: failingWriter{}, progress: failingWriter{}, lookup: os.LookupEnv, now: time.Now}
	if status := a.run(context.Background(), []string{"explain"}); status != statusUsage {
		t.Errorf("exit status %d", status)
	}
}

// A fault inside ends in one line, not in a trace of the stack.
func TestPanicsEndInOneLine(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &out, lookup: func(string) (string, bool) { panic("broken promise") }, now: time.Now}
	status := a.run(context.Background(), []string{"test", exampleFiles(t)[0]})
	if status != statusUsage || !strings.HasPrefix(out.String(), "internal error: broken promise") || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("exit status %d:\n%s", status, out.String())
	}
}

func TestJudgement(t *testing.T) {
	report := func(lines ...proofs.Line) *proofs.Report {
		return &proofs.Report{Temporal: []proofs.Block{{Lines: lines}}}
	}
	open, limited := proofs.Line{Mark: proofs.Open}, proofs.Line{Mark: proofs.Open, Limited: true}
	failed, passed := proofs.Line{Mark: proofs.Failed}, proofs.Line{Mark: proofs.Passed}
	for _, c := range []struct {
		name     string
		report   *proofs.Report
		strict   bool
		warnings int
		want     outcome
	}{
		{"proven", report(passed), true, 0, verifyOK},
		{"open", report(passed, open), false, 0, verifyOK},
		{"open, strict", report(open), true, 0, verifyFailed},
		{"a warning of the check", report(passed), false, 1, verifyOK},
		{"a warning of the check, strict", report(passed), true, 1, verifyFailed},
		{"limited", report(limited), false, 0, verifyIncomplete},
		{"limited, strict", report(limited), true, 0, verifyFailed},
		{"refuted and limited", report(failed, limited), false, 0, verifyFailed},
	} {
		if got := judgement(c.report, c.strict, c.warnings); got != c.want {
			t.Errorf("%s: %s", c.name, got.line())
		}
	}
}

func TestPropertiesInCTL(t *testing.T) {
	names := func(list ...string) (out []syntax.Ident) {
		for _, n := range list {
			out = append(out, syntax.Ident{Name: n})
		}
		return out
	}
	x := &syntax.Ident{Name: "x"}
	for _, c := range []struct {
		prop                 syntax.Prop
		title, want, subject string
	}{
		{syntax.Prop{Kind: syntax.PropEventually, States: names("a", "b")}, "eventually [a, b]", "AF (a || b)", ""},
		{syntax.Prop{Kind: syntax.PropNever, States: names("a")}, "never [a]", "AG !a", ""},
		{syntax.Prop{Kind: syntax.PropAlways, States: names("a", "b")}, "always [a, b]", "AG (a || b)", ""},
		{syntax.Prop{Kind: syntax.PropAfterEventually, Subject: x, States: names("a")}, "after x eventually [a]", "AG (x -> AF a)", "x"},
		{syntax.Prop{Kind: syntax.PropAfterNever, Subject: x, States: names("a", "b")}, "after x never [a, b]", "AG (x -> AG !(a || b))", "x"},
		{syntax.Prop{Kind: syntax.PropBeforeRequires, Subject: x, States: names("a", "b")}, "before x requires [a, b]", "!E[!(a || b) U x]", "x"},
		{syntax.Prop{Kind: syntax.PropBeforeRequiresAll, Subject: x, States: names("a", "b")}, "before x requires_all [a, b]", "!E[!a U x] && !E[!b U x]", "x"},
		{syntax.Prop{Kind: syntax.PropCTL, CTL: "AG(m.a -> EF C.m.b)"}, "AG(m.a -> EF C.m.b)", "AG (a -> EF b)", "a"},
		{syntax.Prop{Kind: syntax.PropCTL, Name: "n", CTL: "EF a"}, "n: EF a", "EF a", ""},
	} {
		f, subject, err := formulaOf(&c.prop)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if subject != nil {
			got = subject.String()
		}
		if f.String() != c.want || titleOf(&c.prop) != c.title || got != c.subject {
			t.Errorf("%s: %s (%s), wanted %s: %s (%s)", titleOf(&c.prop), f, got, c.title, c.want, c.subject)
		}
	}
}

func TestRepairs(t *testing.T) {
	file := source.NewFile("a.cell", "abcdef")
	edit := func(start, end int, text string) diag.Diagnostic {
		return diag.Diagnostic{Edits: []diag.Edit{{Span: source.Span{File: file, Start: start, End: end}, New: text}}}
	}
	for _, c := range []struct {
		name string
		list []diag.Diagnostic
		want string
	}{
		{"apart, in any order", []diag.Diagnostic{edit(4, 5, "E"), edit(0, 1, "A")}, "AbcdEf"},
		{"insertions at one place keep their order", []diag.Diagnostic{edit(3, 3, "1"), edit(3, 3, "2")}, "abc12def"},
		{"of two that overlap the first", []diag.Diagnostic{edit(1, 4, "X"), edit(2, 3, "Y")}, "aXef"},
		{"one inside of another", []diag.Diagnostic{edit(2, 3, "Y"), edit(1, 4, "X")}, "abYdef"},
		{"an insertion beside a deletion", []diag.Diagnostic{edit(1, 3, ""), edit(3, 3, "+")}, "a+def"},
	} {
		got := repairs(c.list)
		if len(got) != 1 || got[0].text != c.want {
			t.Errorf("%s: %v, wanted %s", c.name, got, c.want)
		}
	}
	if got := repairs([]diag.Diagnostic{{Message: "no repair"}}); got != nil {
		t.Errorf("nothing to repair gives %v", got)
	}
}

func TestWriteFile(t *testing.T) {
	folder := t.TempDir()
	path := writeTemp(t, folder, "a.txt", "old")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "link.txt")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != "new" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q with mode %v", data, info.Mode())
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if d := cmp.Diff([]string{"a.txt", "link.txt"}, names); d != "" {
		t.Errorf("files left behind:\n%s", d)
	}
}

// Where results and progress go to the same place, each line stands whole and in order.
func TestProgressFollowsResults(t *testing.T) {
	var both bytes.Buffer
	a := &app{out: &both, progress: &both, lookup: os.LookupEnv, now: time.Now}
	if status := a.run(context.Background(), []string{"verify", "-v", "../../testdata/examples/refund_desk.cell"}); status != statusOK {
		t.Fatalf("status %d\n%s", status, both.String())
	}
	lines := strings.Split(strings.TrimSpace(both.String()), "\n")
	if len(lines) < 3 || !regexp.MustCompile(`^\d+ obligations in \d+ ms`).MatchString(lines[len(lines)-2]) {
		t.Errorf("the line before the last is not the one about time:\n%s", both.String())
	}
}
