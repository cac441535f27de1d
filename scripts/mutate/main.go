// Command mutate changes programs in small ways and looks for false proofs:
//
//	go run ./scripts/mutate [-calls 4000] [-sample N] FOLDER…
//
// A mutant is a program with one operator, constant, comparison, state, branch, argument or
// statement changed, printed anew from its tree. One that passes the check is verified. Whatever
// is said to be proven of it (memory rules at writes, moves and ends of calls, guards, computed
// targets, isolation from a model, edges nobody takes, states never reached, dead code, termination) is then held against runs: a
// search to a small depth must find none that breaks it. The exit status is 1 when one does.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"soma.cell/frontend/source"
	"soma.cell/smt"
	"soma.cell/smt/z3"
)

func main() {
	calls := flag.Int("calls", 4000, "the most calls of a search for a run")
	sample := flag.Int("sample", 0, "how many mutants, drawn by a fixed seed; 0 is all")
	flag.Parse()
	t, err := run(flag.Args(), *sample, *calls, func(text string) { fmt.Println(text) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	fmt.Println(t)
	if t.broken > 0 {
		os.Exit(1)
	}
}

// tally counts mutants by what became of them.
type tally struct {
	mutants int
	refused int // by the check
	changed int // other verdicts than those of the original
	failing int // the same verdicts, and the program's tests fail
	same    int // the same verdicts, and no test fails
	proven  int // claims held against runs
	calls   int // made for that
	broken  int // false proofs
}

func (t tally) String() string {
	return fmt.Sprintf("%d mutants: %d refused by the check, %d with changed verdicts, %d found by tests, %d neither; "+
		"%d proven claims held against %d calls, %d false proofs",
		t.mutants, t.refused, t.changed, t.failing, t.same, t.proven, t.calls, t.broken)
}

// progress is after how many mutants something is told.
const progress = 500

// site is one change of one program.
type site struct {
	file *source.File
	i    int
}

// run judges the mutants of the programs in folders, and tells of each false proof.
func run(folders []string, sample, calls int, tell func(string)) (tally, error) {
	var t tally
	files, err := programs(folders)
	if err != nil {
		return t, err
	}
	z, err := z3.Open("", smt.Limits{Timeout: 2 * time.Second})
	if err != nil {
		return t, err
	}
	defer z.Close()
	solver := &memory{Solver: z, known: map[string]smt.Verdict{}}
	var sites []site
	for _, f := range files {
		if checked(f) == nil {
			continue
		}
		for i := range changes(f) {
			sites = append(sites, site{f, i})
		}
	}
	if sample > 0 {
		rand.New(rand.NewPCG(1, 0)).Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
		sites = sites[:min(sample, len(sites))]
	}
	originals := map[*source.File]string{}
	for _, s := range sites {
		if _, known := originals[s.file]; !known {
			r, err := checked(s.file).verify(solver)
			if err != nil {
				return t, err
			}
			originals[s.file] = verdicts(r)
		}
		if err := t.judge(s, originals[s.file], solver, calls, tell); err != nil {
			return t, err
		}
		if t.mutants%progress == 0 {
			tell(fmt.Sprintf("%d of %d", t.mutants, len(sites)))
		}
	}
	return t, nil
}

// judge looks at one mutant.
func (t *tally) judge(s site, original string, solver smt.Solver, calls int, tell func(string)) error {
	change, text := mutant(s.file, s.i)
	t.mutants++
	p := checked(source.NewFile(s.file.Name, text))
	if p == nil {
		t.refused++
		return nil
	}
	r, err := p.verify(solver)
	if err != nil {
		return fmt.Errorf("%s:%d: %s: %w", s.file.Name, change.at.Line, change.what, err)
	}
	switch {
	case verdicts(r) != original:
		t.changed++
	case !p.passes():
		t.failing++
	default:
		t.same++
	}
	c := &claims{program: p, report: r}
	t.proven += c.proven()
	broken, made, err := hold(c, calls)
	if err != nil {
		return err
	}
	t.calls += made
	if broken != "" {
		t.broken++
		tell(fmt.Sprintf("%s:%d: %s: %s", s.file.Name, change.at.Line, change.what, broken))
	}
	return nil
}

// hold holds what is claimed of a program against runs of it, and what is claimed to be dead against
// runs of the program with marks. It gives the first claim that a run breaks, and how many calls it made.
func hold(c *claims, calls int) (broken string, made int, err error) {
	if broken, made = explore(c, calls); broken != "" {
		return broken, made, nil
	}
	marked, err := c.marked()
	if marked == nil {
		return "", made, err
	}
	broken, more := explore(marked, calls)
	return broken, made + more, nil
}

// programs are the files of programs below folders.
func programs(folders []string) ([]*source.File, error) {
	var out []*source.File
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".cell") {
				return err
			}
			text, err := os.ReadFile(path)
			out = append(out, source.NewFile(path, string(text)))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
