package proofs

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/project"
	"soma.cell/frontend/resolve"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
	"soma.cell/smt/term"
	"soma.cell/smt/z3"
)

// A theory is what a query speaks of beyond the ones before it: each is harder than the one before,
// and a query belongs to the hardest of which it holds a term.
type theory int

const (
	booleans theory = iota
	constants
	equality
	arrays
	linear
	nonlinear
	floats
	texts
	theories
)

var theoryNames = [theories]string{
	"Booleans alone", "enumerations, constants of texts", "equality, uninterpreted functions", "arrays: `select`, `store`",
	"linear arithmetic of integers", "products of unknowns, quotients", "floats", "joined texts",
}

// theoryOf is the hardest theory that an operation of a query belongs to.
func theoryOf(assert []*term.Term) theory {
	hardest := booleans
	term.Each(func(t *term.Term) { hardest = max(hardest, ownTheory(t)) }, assert...)
	return hardest
}

func ownTheory(t *term.Term) theory {
	switch t.Op {
	case term.OpConcat:
		return texts
	case term.OpFAdd, term.OpFSub, term.OpFMul, term.OpFDiv, term.OpFLe, term.OpFLt, term.OpFEq:
		return floats
	case term.OpSelect, term.OpStore:
		return arrays
	case term.OpAdd, term.OpLe, term.OpLt:
		return linear
	case term.OpMul:
		if t.Args[0].Op == term.OpInt || t.Args[1].Op == term.OpInt {
			return linear
		}
		return nonlinear
	case term.OpApp:
		if t.Name == "op:/" || t.Name == "op:%" {
			return nonlinear
		}
		return equality
	case term.OpEq:
		switch t.Args[0].Sort.Kind {
		case term.KindBool:
			return booleans
		case term.KindString, term.KindEnum:
			return constants
		case term.KindInt:
			return linear
		case term.KindFloat:
			return floats
		}
		return equality
	}
	return booleans
}

// evidenceTally counts the obligations of a theory that the solver proved by what they rest on. Facts
// of loops and calls stand apart: one that cannot be rebuilt is not used, so they say nothing of how
// many can.
type evidenceTally struct{ kernel, solver, facts int }

// TestEvidenceByTheory verifies the project's programs, wrong ones of testdata/prove included, and
// prints how much of what the solver proved was rebuilt as refutations that the kernel has checked, by
// theory. An obligation of several conditions belongs to the hardest theory of them, and is
// rebuilt when all are. The table stands in docs/proofs.md.
func TestEvidenceByTheory(t *testing.T) {
	var tallies [theories]evidenceTally
	trivial, programs := 0, 0
	for name, p := range projectPrograms(t) {
		programs++
		sys := lower.Program(p)
		report, asked := heard(t, name, sys)
		for _, o := range report.Obligations {
			rules := rulesOf(&o)
			switch {
			case len(rules) == 0:
			case !slices.ContainsFunc(rules, func(r cert.Rule) bool { return r != cert.ByTrivial }):
				trivial++
			default:
				of := theoryOf(queriesOf(t, sys, &o, asked))
				switch {
				case o.Kind == obligation.Fact:
					tallies[of].facts++
				case o.Evidence.Class == obligation.KernelChecked:
					tallies[of].kernel++
				default:
					tallies[of].solver++
				}
			}
		}
	}
	decidable := evidenceTally{}
	var table strings.Builder
	for i, n := range tallies {
		fmt.Fprintf(&table, "| %s | %d | %d | %d |\n", theoryNames[i], n.kernel, n.solver, n.facts)
		if theory(i) <= linear {
			decidable.kernel += n.kernel
			decidable.solver += n.solver
		}
	}
	t.Logf("%d programs, %d obligations are trivial\n| theory | kernel-checked | solver-trusted | facts |\n%s", programs, trivial, table.String())
	if all := decidable.kernel + decidable.solver; all < 300 || 100*decidable.kernel < 95*all {
		t.Errorf("of %d in linear arithmetic, arrays, equality, enumerations and constants %d are kernel-checked", all, decidable.kernel)
	}
	if trivial == 0 || tallies[arrays].kernel == 0 || tallies[floats].solver == 0 || tallies[linear].facts == 0 {
		t.Error("too little was counted")
	}
}

// rulesOf are the rules of evidence of what was proven by conditions; none of anything else.
func rulesOf(o *obligation.Obligation) []cert.Rule {
	shown := o.Verdict == obligation.Proven || o.Kind == obligation.EdgeTaken && o.Verdict == obligation.Refuted
	switch o.Kind {
	case obligation.Fact, obligation.Invariant, obligation.EdgeDeclared, obligation.Guard, obligation.Ensure, obligation.DeadCode, obligation.EdgeTaken,
		obligation.ThinkIsolated:
	default:
		return nil
	}
	if !shown {
		return nil
	}
	cases, ok := o.Evidence.Data.(*cert.Cases)
	if !ok {
		if o.Evidence.Rule == string(cert.ByRun) {
			return nil
		}
		return []cert.Rule{cert.Rule(o.Evidence.Rule)}
	}
	var out []cert.Rule
	for _, c := range cases.Cases {
		out = append(out, c.Rule)
	}
	return out
}

// queriesOf are the assertions of the queries behind an obligation. Those of rules on sums and of facts
// begin with its name, those at a move have the move in theirs.
func queriesOf(t *testing.T, sys *ir.System, o *obligation.Obligation, asked []smt.Query) []*term.Term {
	t.Helper()
	names := []string{o.ID}
	if cases, ok := o.Evidence.Data.(*cert.Cases); ok && o.Kind != obligation.Invariant && o.Kind != obligation.Fact {
		for _, c := range cases.Cases {
			a := sys.Find(c.Site.Cell).Automata[c.Site.Automaton]
			names = append(names, fmt.Sprintf("%s/%s/move/%d.%d", a.Cell, a.Name, c.Site.Edge, c.Site.Effect))
		}
	}
	var out []*term.Term
	for _, q := range asked {
		for _, name := range names {
			if q.Name == name || strings.HasPrefix(q.Name, name+"/") {
				out = append(out, q.Assert...)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("nothing was asked about %s", o.ID)
	}
	return out
}

// heard verifies a program and keeps what is asked.
func heard(t *testing.T, name string, sys *ir.System) (*Report, []smt.Query) {
	t.Helper()
	solver, err := z3.Open("", smt.Limits{Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	var asked []smt.Query
	r := audited(t, name, sys, Options{Solver: solver, Asked: func(qs []smt.Query) { asked = append(asked, qs...) }})
	return r, asked
}

// projectPrograms are all right programs of testdata, and those of testdata/prove of which something
// is open, by their paths. A folder with a manifest is one program.
func projectPrograms(t *testing.T) map[string]*resolve.Program {
	t.Helper()
	out := map[string]*resolve.Program{}
	err := filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder := false
		if d.IsDir() {
			manifest, _ := filepath.Glob(filepath.Join(path, "*.toml"))
			cells, _ := filepath.Glob(filepath.Join(path, "*.cell"))
			folder = len(manifest) > 0 && len(cells) > 0
		}
		if !folder && filepath.Ext(path) != ".cell" {
			return nil
		}
		read, err := project.Load(path, project.Disk{})
		if err != nil {
			return err
		}
		p, _ := resolve.Resolve(read.Files, read.Manifest.Package.Edition)
		out[path] = p
		if folder {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
