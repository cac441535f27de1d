package kernel

import (
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// twice asks the same question twice: the second time there is one answer.
func twice() *ir.System {
	p := irtest.NewPlaces("twice.cell", 60)
	n := term.Var("n", term.Int)
	few := term.Lt(n, term.Int64(3))
	c := &ir.Cell{Name: "Twice", Span: p.Next()}
	ask := irtest.Handler(p, "Twice", "ask", n)
	on, late, done := ask.Loc(), ask.Loc(), ask.Loc()
	ask.Edge(ir.Entry, ir.Raised, term.Not(few))
	ask.Edge(ir.Entry, on, few)
	ask.Edge(on, late, term.Not(few))
	ask.Edge(on, done, few)
	unit := &ir.Return{Value: term.App("unit", term.Opaque)}
	ask.Edge(late, ir.Exit, term.True, unit)
	ask.Edge(done, ir.Exit, term.True, unit)
	ask.Stmts = []ir.Stmt{{Loc: late, Span: p.Next()}, {Loc: done, Span: p.Next()}, {Loc: late, Effect: 1, Span: p.Next()}, {Loc: ir.Exit, Span: p.Next()}, {Loc: late, Behind: true, Span: p.Next()},
		{Loc: done, Behind: true, Span: p.Next()}}
	c.Automata = []*ir.Automaton{ask.Automaton}
	return &ir.System{Cells: []*ir.Cell{c}}
}

// TestDeadCodeFaults: what is claimed dead must be shown so; what is not claimed may be left out.
func TestDeadCodeFaults(t *testing.T) {
	const first, second, third = "Twice/ask/dead-code/1", "Twice/ask/dead-code/3", "Twice/ask/dead-code/5"
	all := func() *cert.Certificate {
		return (&maker{t: t, dead: []string{first, second, third}}).certificate(twice())
	}
	if err := firstError(Audit(all())); err != nil {
		t.Fatal(err)
	}
	less := (&maker{t: t, dead: []string{second}}).certificate(twice())
	if err := firstError(Audit(less)); err != nil {
		t.Errorf("one claim fewer: %v", err)
	}
	none := func(*ir.System) {}
	renamed := func(n string, number int, s ir.Stmt) func(c *cert.Certificate) {
		return func(c *cert.Certificate) {
			o := find(c, second)
			o.ID, o.Claim = "Twice/ask/dead-code/"+n, cert.ClaimDeadCode("ask", number, s)
		}
	}
	for _, f := range []struct {
		name   string
		system func(s *ir.System)
		spoil  func(c *cert.Certificate)
		want   ErrorKind
	}{
		{"a statement that is reached", none, renamed("2", 2, ir.Stmt{Loc: ir.FirstLoc}), NotAssumed},
		{"the end", none, renamed("4", 4, ir.Stmt{Loc: ir.Exit}), NotAssumed},
		{"no such statement", none, renamed("7", 7, ir.Stmt{Loc: ir.FirstLoc}), BadList},
		{"the claim of another", none, func(c *cert.Certificate) { find(c, first).Claim = find(c, second).Claim }, BadClaim},
		{"a statement said to be trivially dead", none, func(c *cert.Certificate) {
			find(c, first).Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, NotTrivial},
		{"what is behind an operation that may pass", none, renamed("6", 6, ir.Stmt{Behind: true}), BadList},
		{"what is behind an operation, said of its beginning", none, func(c *cert.Certificate) {
			find(c, first).Claim = cert.ClaimDeadCode("ask", 1, ir.Stmt{Loc: ir.FirstLoc, Behind: true})
		}, BadClaim},
		{"a statement that became an operation", func(s *ir.System) { s.Cells[0].Automata[0].Stmts[0].Behind = true }, nil, BadClaim},
		{"left to the runtime", none, func(c *cert.Certificate) {
			o := find(c, first)
			o.Verdict, o.Reason, o.Evidence = cert.RuntimeChecked, "who knows", cert.Evidence{Class: cert.NoEvidence}
		}, BadVerdict},
		{"no test before", func(s *ir.System) { s.Cells[0].Automata[0].Edges[1].Guard = term.True }, nil, NotAssumed},
		{"another statement", func(s *ir.System) { s.Cells[0].Automata[0].Stmts[0].Loc = s.Cells[0].Automata[0].Stmts[1].Loc }, nil, NotAssumed},
		{"a statement nowhere", func(s *ir.System) { s.Cells[0].Automata[0].Stmts[0].Loc = 77 }, nil, BadSystem},
		{"a statement behind the edge's effects", func(s *ir.System) { s.Cells[0].Automata[0].Stmts[2].Effect = 2 }, nil, BadSystem},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := twice()
			f.system(s)
			refusesWith(t, all(), s, f.spoil, f.want)
		})
	}
}
