package proofs

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/ir/lower"
	"soma.cell/proofs/facts"
	"soma.cell/proofs/workers"
	"soma.cell/smt"
	"soma.cell/smt/refute"
	"soma.cell/smt/smtlib"
)

// secondSolver, when set, says that another solver must be there.
const secondSolver = "SOMA_SECOND_SOLVER"

// TestASecondSolverAgrees gives every query about the project's programs, as the script that is
// shipped, to cvc5: it must never say the opposite, and nearly always the same.
func TestASecondSolverAgrees(t *testing.T) {
	cvc5, err := exec.LookPath("cvc5")
	if err != nil {
		if os.Getenv(secondSolver) != "" {
			t.Fatal(err)
		}
		t.Skip("cvc5 is not installed (Debian: cvc5)")
	}
	queries := asked(t)
	said := make([]string, len(queries))
	workers.Each(2, len(queries), func(i int) { said[i] = second(cvc5, queries[i].script) })
	same, opposite, other := 0, 0, map[string]int{}
	for i, q := range queries {
		switch said[i] {
		case q.verdict.String():
			same++
		case "sat", "unsat":
			opposite++
			t.Errorf("Z3 says %v, cvc5 says %s of\n%s", q.verdict, said[i], q.script)
		default:
			other[said[i]]++
		}
	}
	t.Logf("%d scripts: %d answers are the same, %d opposite, others %v", len(queries), same, opposite, other)
	if len(queries) < 300 || 100*same < 95*len(queries) {
		t.Errorf("too few scripts, or too few answers are the same")
	}
}

// posed is a query that Z3 decided, as a script.
type posed struct {
	script  string
	verdict smt.Verdict
}

// asked verifies programs and gathers what Z3 decided, each script once.
func asked(t *testing.T) []posed {
	solver := opened(t, smt.Limits{Timeout: 5 * time.Second})
	var out []posed
	seen := map[string]bool{}
	for _, pattern := range []string{"../testdata/examples/*.cell", "../testdata/corpus/*/*.cell", "../testdata/prove/*.cell", "../ir/conform/testdata/*.cell"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p := resolvetest.Try(source.NewFile(name, string(text)))
			if p == nil {
				continue // one of several files, or wrong on purpose
			}
			listen := &listener{t: t, Solver: solver}
			if _, err := Verify(context.Background(), lower.Program(p), Options{Solver: listen, Refute: refute.DefaultLimits()}); err != nil {
				t.Fatal(err)
			}
			for _, q := range listen.heard {
				body := q.script[strings.Index(q.script, "\n"):] // without the name
				if !seen[body] {
					seen[body] = true
					out = append(out, q)
				}
			}
		}
	}
	return out
}

// listener is a solver that keeps what was decided, guesses apart.
type listener struct {
	smt.Solver
	t     *testing.T
	mu    sync.Mutex
	heard []posed
}

func (l *listener) Check(ctx context.Context, q smt.Query) (smt.Answer, error) {
	a, err := l.Solver.Check(ctx, q)
	if err == nil && a.Verdict != smt.Unknown && q.Name != facts.Guess {
		var script bytes.Buffer
		if err := smtlib.Write(&script, smt.Query{Name: q.Name, Assert: q.Assert}); err != nil {
			l.t.Error(err)
		}
		l.mu.Lock()
		l.heard = append(l.heard, posed{script.String(), a.Verdict})
		l.mu.Unlock()
	}
	return a, err
}

// second is the first word of what cvc5 answers.
func second(cvc5, script string) string {
	cmd := exec.Command(cvc5, "--lang", "smt2", "--tlimit", "5000")
	cmd.Stdin = strings.NewReader(script)
	answer, _ := cmd.CombinedOutput()
	word, _, _ := strings.Cut(strings.TrimSpace(string(answer)), "\n")
	return word
}
