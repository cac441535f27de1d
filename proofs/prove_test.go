package proofs

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"soma.cell/proofs/workers"
	"soma.cell/smt"
	"soma.cell/smt/refute"
	"soma.cell/smt/smtlib"
	"soma.cell/smt/z3"
)

var wantedLine = regexp.MustCompile(`//! verify: (. (\S+).*)`)

// provePrograms are the files of testdata/prove.
func provePrograms(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../testdata/prove/*.cell")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	out := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(file)] = string(text)
	}
	return out
}

// TestProve holds what is said of the programs in testdata/prove against their comments
// `//! verify: MARK TEXT…`: each is the beginning of a line, in any order. Each line about a guard, an
// ensure statement, a memory rule, dead code, or a subject (the first word) that the file speaks of is
// one that some comment expects; remarks may be left out. The lines are about 500 obligations or more.
func TestProve(t *testing.T) {
	expected := 0
	for file, text := range provePrograms(t) {
		expected += len(wantedLine.FindAllString(text, -1))
		t.Run(file, func(t *testing.T) {
			var wanted []string
			subjects := []string{"guard", "ensure", "invariant", "dead"}
			for _, m := range wantedLine.FindAllStringSubmatch(text, -1) {
				wanted = append(wanted, strings.TrimSpace(m[1]))
				subjects = append(subjects, m[2])
			}
			for _, g := range about(verified(t, text), "") {
				found := slices.IndexFunc(wanted, func(w string) bool { return strings.HasPrefix(g, w) })
				switch {
				case found >= 0:
					wanted = slices.Delete(wanted, found, found+1)
				case !strings.HasPrefix(g, "·") && slices.Contains(subjects, strings.Fields(g)[1]):
					t.Errorf("not expected: %s", g)
				}
			}
			for _, w := range wanted {
				t.Errorf("missing: %s", w)
			}
		})
	}
	t.Logf("%d lines expected", expected)
	if expected < 500 {
		t.Error("lines about 500 obligations or more are wanted")
	}
}

// proveQuestions are the questions about all programs of testdata/prove, each once.
func proveQuestions(t *testing.T) []smt.Query {
	t.Helper()
	var asked []smt.Query
	seen := map[string]bool{}
	for _, text := range provePrograms(t) {
		for _, q := range questions(t, text) {
			var script strings.Builder
			if err := smtlib.Write(&script, smt.Query{Assert: q.Assert}); err != nil {
				t.Fatal(err)
			}
			if !seen[script.String()] {
				seen[script.String()] = true
				asked = append(asked, q)
			}
		}
	}
	return asked
}

// TestNothingWithAModelIsRefuted gives the questions of testdata/prove that have a model to the search
// for refutations as well: it must find none.
func TestNothingWithAModelIsRefuted(t *testing.T) {
	solver := opened(t, smt.Limits{Timeout: 20 * time.Second})
	models := 0
	for _, q := range proveQuestions(t) {
		a, err := solver.Check(context.Background(), smt.Query{Name: q.Name, Assert: q.Assert})
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict != smt.Sat {
			continue
		}
		models++
		if _, err := refute.Refute(q.Assert, refute.Limits{Nodes: 200, Pivots: 2000, Lines: 20000}); err == nil {
			t.Errorf("%s has a model and is refuted", q.Name)
		}
	}
	if models < 1000 {
		t.Errorf("%d questions have a model, which is too few", models)
	}
}

// TestNoSeedProvesMore asks the questions about all programs of testdata/prove again: those that are
// not proven with twenty seeds of the solver, under none of which they may be, and the others with a few,
// under which they stay proven.
func TestNoSeedProvesMore(t *testing.T) {
	asked := proveQuestions(t)
	const seeds, few = 20, 3
	answers := make([][seeds]smt.Verdict, len(asked))
	ask := func(seed int, of func(q int) bool) {
		solver, err := z3.Open("", smt.Limits{Timeout: 20 * time.Second, Seed: uint(seed)})
		if err != nil {
			t.Error(err)
			return
		}
		defer solver.Close()
		for i, q := range asked {
			if !of(i) {
				answers[i][seed] = answers[i][0]
				continue
			}
			a, err := solver.Check(context.Background(), smt.Query{Name: q.Name, Assert: q.Assert})
			if err != nil {
				t.Error(err)
			}
			answers[i][seed] = a.Verdict
		}
	}
	ask(0, func(int) bool { return true })
	workers.Each(runtime.GOMAXPROCS(0), seeds-1, func(n int) {
		seed := n + 1
		ask(seed, func(q int) bool { return seed < few || answers[q][0] != smt.Unsat })
	})
	verdicts := map[smt.Verdict]int{}
	for i, q := range asked {
		verdicts[answers[i][0]]++
		for seed := range seeds {
			if answers[i][seed] != answers[i][0] {
				t.Errorf("%s: %v with seed %d, %v with seed 0", q.Name, answers[i][seed], seed, answers[i][0])
			}
		}
	}
	t.Logf("%d questions: %v", len(asked), verdicts)
	if verdicts[smt.Sat] == 0 || verdicts[smt.Unsat] == 0 {
		t.Error("too little was asked")
	}
}
