package kernel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/ctl"
	"soma.cell/ir"
	"soma.cell/proofs/cert"
)

// The model checker's parser, normal form and labels against the kernel's own.

func randomFormula(t *rapid.T, depth int) *ctl.Formula {
	pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") }
	if depth == 0 || pick(8) == 0 {
		switch pick(8) {
		case 0:
			return ctl.True()
		case 1:
			return ctl.False()
		}
		return ctl.Atom([]string{"s0", "s1", "m.s2", "C.m.s3", cert.AtomStuck, cert.AtomInitial}[pick(6)])
	}
	sub := func() *ctl.Formula { return randomFormula(t, depth-1) }
	switch pick(16) {
	case 0:
		return ctl.Not(sub())
	case 1:
		return ctl.And(sub(), sub())
	case 2:
		return ctl.Or(sub(), sub())
	case 3:
		return ctl.Implies(sub(), sub())
	case 4:
		return ctl.Iff(sub(), sub())
	case 5:
		return ctl.EX(sub())
	case 6:
		return ctl.AX(sub())
	case 7:
		return ctl.EF(sub())
	case 8:
		return ctl.AF(sub())
	case 9:
		return ctl.EG(sub())
	case 10:
		return ctl.AG(sub())
	case 11:
		return ctl.EU(sub(), sub())
	case 12:
		return ctl.AU(sub(), sub())
	case 13:
		return ctl.ER(sub(), sub())
	case 14:
		return ctl.AR(sub(), sub())
	}
	return []func(p, q *ctl.Formula) *ctl.Formula{ctl.EW, ctl.AW}[pick(2)](sub(), sub())
}

var opNames = map[ctl.Op]string{
	ctl.OpTrue: "true", ctl.OpFalse: "false", ctl.OpAtom: "atom", ctl.OpNot: "not", ctl.OpAnd: "and", ctl.OpOr: "or",
	ctl.OpEX: "EX", ctl.OpAX: "AX", ctl.OpEU: "EU", ctl.OpAU: "AU", ctl.OpER: "ER", ctl.OpAR: "AR",
}

// randomCell is a cell C with a machine m over states s0 … s4.
func randomCell(t *rapid.T) *ir.Cell {
	m := &ir.Machine{Name: "m", Initial: "s0"}
	for i := range 5 {
		m.States = append(m.States, fmt.Sprintf("s%d", i))
	}
	for _, from := range m.States {
		for _, to := range m.States {
			if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
				m.Edges = append(m.Edges, &ir.MachineEdge{From: from, To: to})
			}
		}
	}
	return &ir.Cell{Name: "C", Machine: m}
}

// checked labels a graph of the kernel with the model checker.
func checked(t *rapid.T, g *graph, f *ctl.Formula) (cert.Labelling, bool) {
	b := ctl.NewBuilder(len(g.states))
	for from, all := range g.all {
		for _, to := range all {
			b.AddEdge(from, to)
		}
	}
	b.AddInitial(g.index["s0"])
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	atoms := map[string]*ctl.Set{}
	for _, name := range f.Atoms() {
		atoms[name] = ctl.NewSet(len(g.states))
		for i := range g.states {
			if g.holds(name, i) {
				atoms[name].Add(i)
			}
		}
	}
	r, err := ctl.Check(s, atoms, f)
	if err != nil {
		t.Fatal(err)
	}
	l := cert.Labelling{Graph: g.name, States: g.states}
	for _, n := range r.Nodes {
		node := cert.Node{Op: opNames[n.Formula.Op], Left: n.Left, Right: n.Right}
		if n.Formula.Op == ctl.OpAtom {
			node.Atom = n.Formula.Name
		}
		node.Set = slices.Collect(n.Set.All())
		for _, k := range n.Rank {
			node.Rank = append(node.Rank, int(k))
		}
		l.Nodes = append(l.Nodes, node)
	}
	return l, r.Holds()
}

func TestLabellingsAgreeWithTheModelChecker(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := randomFormula(rt, 4)
		mine, failed := parseFormula(f.String())
		if failed != nil {
			rt.Fatalf("%s: %v", f, failed)
		}
		c := randomCell(rt)
		if err := (&auditor{budget: &budget{maxWork}}).checkAtoms(mine, c); err != nil {
			rt.Fatal(err)
		}
		graphs := newMachineGraphs(c)
		for i := range c.Machine.Edges {
			if rapid.IntRange(0, 4).Draw(rt, "removed") == 0 {
				graphs.remove(i, cert.KernelChecked)
			}
		}
		for _, name := range []cert.Graph{cert.Declared, cert.May} {
			g := graphs.graph(name)
			l, holds := checked(rt, g, f)
			answer, err := checkLabelling(&l, g, normal(mine), "s0", &budget{maxWork})
			if err != nil || answer != holds {
				rt.Fatalf("%s: %v, %t; the model checker says %t", f, err, answer, holds)
			}
			spoil(rt, &l)
			if _, err := checkLabelling(&l, g, normal(mine), "s0", &budget{maxWork}); err == nil {
				rt.Fatalf("%s: a changed labelling is accepted", f)
			}
		}
	})
}

// spoil changes one state of one set, with its rank where there is one.
func spoil(t *rapid.T, l *cert.Labelling) {
	n := &l.Nodes[rapid.IntRange(0, len(l.Nodes)-1).Draw(t, "node")]
	s := rapid.IntRange(0, len(l.States)-1).Draw(t, "state")
	in := slices.Contains(n.Set, s)
	if in {
		n.Set = slices.DeleteFunc(n.Set, func(x int) bool { return x == s })
	} else {
		n.Set = append(n.Set, s)
		slices.Sort(n.Set)
	}
	if n.Rank != nil && rapid.Bool().Draw(t, "rank") {
		if n.Rank[s] >= 0 {
			n.Rank[s] = -1
		} else {
			n.Rank[s] = rapid.IntRange(0, len(l.States)).Draw(t, "new rank")
		}
	}
}

// TestMixedReading: what the labelling of the implementation claims holds of every program
// between the edges that runs were seen to take and those that may be taken.
func TestMixedReading(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f, failed := parseFormula(randomFormula(rt, 3).String())
		if failed != nil {
			rt.Fatal(failed)
		}
		if mentionsStuck(f) {
			return // the atom speaks of the may-graph, not of the program
		}
		c := randomCell(rt)
		graphs := newMachineGraphs(c)
		program := &ir.Cell{Name: "C", Machine: &ir.Machine{Name: "m", States: c.Machine.States, Initial: "s0"}}
		for i, e := range c.Machine.Edges {
			switch rapid.IntRange(0, 5).Draw(rt, "edge") {
			case 0:
				graphs.remove(i, cert.KernelChecked)
			case 1: // may be taken, and is not
			case 2:
				program.Machine.Edges = append(program.Machine.Edges, e)
			default:
				graphs.seen[i] = true
				program.Machine.Edges = append(program.Machine.Edges, e)
			}
		}
		_, claimed := naive(normal(f), graphs.graph(cert.Implementation), "s0")
		_, real := naive(normal(f), newMachineGraphs(program).graph(cert.Declared), "s0")
		if claimed && !real {
			rt.Fatalf("claimed of the implementation, and does not hold of a program")
		}
	})
}

func mentionsStuck(f *formula) bool {
	return f != nil && (f.atom == cert.AtomStuck || mentionsStuck(f.left) || mentionsStuck(f.right))
}

func TestFormulasThatDoNotParse(t *testing.T) {
	for _, text := range []string{
		"", "s0 s1", "(s0", "s0)", "A[s0 U s1", "A[s0 s1]", "E s0", "AG", "s0 &&", "-> s0", "!", "s0 & s1", "{stuck",
		"A[s0 U s1 U s2]", "\xff", strings.Repeat("!", 5000) + "s0", strings.Repeat("(", 5000) + "s0" + strings.Repeat(")", 5000),
	} {
		if _, err := parseFormula(text); err == nil || err.Kind != BadProperty {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}
