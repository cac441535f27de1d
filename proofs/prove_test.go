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

// TestNoSeedProvesMore asks the questions about all programs of testdata/prove again, each with
// twenty seeds of the solver: what is proven stays proven and what is not is never so.
func TestNoSeedProvesMore(t *testing.T) {
	var asked []smt.Query
	for _, text := range provePrograms(t) {
		asked = append(asked, questions(t, text)...)
	}
	const seeds = 20
	var answers [seeds][]smt.Verdict
	workers.Each(runtime.GOMAXPROCS(0), seeds, func(seed int) {
		solver, err := z3.Open("", smt.Limits{Timeout: 20 * time.Second, Seed: uint(seed)})
		if err != nil {
			t.Error(err)
			return
		}
		defer solver.Close()
		for _, q := range asked {
			a, err := solver.Check(context.Background(), smt.Query{Name: q.Name, Assert: q.Assert})
			if err != nil {
				t.Error(err)
			}
			answers[seed] = append(answers[seed], a.Verdict)
		}
	})
	verdicts := map[smt.Verdict]int{}
	for i, q := range asked {
		verdicts[answers[0][i]]++
		for seed := range seeds {
			if answers[seed][i] != answers[0][i] {
				t.Errorf("%s: %v with seed %d, %v with seed 0", q.Name, answers[seed][i], seed, answers[0][i])
			}
		}
	}
	t.Logf("%d questions: %v", len(asked), verdicts)
	if verdicts[smt.Sat] == 0 || verdicts[smt.Unsat] == 0 {
		t.Error("too little was asked")
	}
}
