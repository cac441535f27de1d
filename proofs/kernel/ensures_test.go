package kernel

import (
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// surely ensures first what a test before it says, and then what nothing says.
func surely() *ir.System {
	p := irtest.NewPlaces("surely.cell", 60)
	n := term.Var("n", term.Int)
	below := func(k int64) *term.Term { return term.Lt(n, term.Int64(k)) }
	c := &ir.Cell{Name: "Surely", Span: p.Next()}
	ask := irtest.Handler(p, "Surely", "ask", n)
	on, odd, sure, wrong, done := ask.Loc(), ask.Loc(), ask.Loc(), ask.Loc(), ask.Loc()
	ask.Edge(ir.Entry, ir.Raised, term.Not(below(3)), &ir.Raise{Kind: "ensure"})
	ask.Edge(ir.Entry, on, below(3))
	ask.Edge(on, odd, term.Not(below(4)))
	ask.Edge(odd, ir.Raised, term.True, &ir.Raise{Kind: "ensure", Ensures: "n < 4"})
	ask.Edge(on, sure, below(4))
	ask.Edge(sure, wrong, term.Not(below(2)))
	ask.Edge(wrong, ir.Raised, term.True, &ir.Raise{Kind: "ensure", Ensures: "n < 2"})
	ask.Edge(sure, done, below(2))
	ask.Edge(done, ir.Exit, term.True, &ir.Return{Value: term.App("unit", term.Opaque)})
	c.Automata = []*ir.Automaton{ask.Automaton}
	return &ir.System{Cells: []*ir.Cell{c}}
}

// TestEnsureFaults: an ensure statement holds where the certificate shows it, and each has its
// obligation; an error of that kind that a body raises by itself has none.
func TestEnsureFaults(t *testing.T) {
	const holds, fails = "Surely/ask/ensure/1", "Surely/ask/ensure/2"
	right := func() *cert.Certificate { return (&maker{t: t}).certificate(surely()) }
	all := right()
	if err := firstError(Audit(all)); err != nil {
		t.Fatal(err)
	}
	if find(all, holds).Verdict != cert.Proven || find(all, fails).Verdict != cert.RuntimeChecked {
		t.Fatal("the maker proves one, and not the other")
	}
	none := func(*ir.System) {}
	edge := func(s *ir.System, n int) *ir.Edge { return s.Cells[0].Automata[0].Edges[n] }
	for _, f := range []struct {
		name   string
		system func(s *ir.System)
		spoil  func(c *cert.Certificate)
		want   ErrorKind
	}{
		{"what may fail, with the proof of another", none, func(c *cert.Certificate) {
			o := find(c, fails)
			o.Verdict, o.Reason, o.Evidence = cert.Proven, "", find(c, holds).Evidence
		}, NotAssumed},
		{"what may fail, said to be trivial", none, func(c *cert.Certificate) {
			o := find(c, fails)
			o.Verdict, o.Reason, o.Evidence = cert.Proven, "", cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, NotTrivial},
		{"what may fail, on the engine's word", none, func(c *cert.Certificate) {
			o := find(c, fails)
			o.Verdict, o.Reason, o.Evidence = cert.Proven, "", cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByEngine}
		}, UnknownRule},
		{"an omission", none, func(c *cert.Certificate) {
			c.Obligations = c.Obligations[:len(c.Obligations)-1]
		}, BadList},
		{"another condition in the claim", none, func(c *cert.Certificate) {
			find(c, holds).Claim = cert.ClaimEnsure("ask", "n < 2")
		}, BadClaim},
		{"another site", none, func(c *cert.Certificate) { find(c, holds).Site.Edge = 0 }, BadClaim},
		{"one that is refuted", none, func(c *cert.Certificate) {
			o := find(c, holds)
			o.Verdict, o.Reason = cert.Refuted, "it fails"
		}, UnknownRule},
		{"no test before", func(s *ir.System) { edge(s, 1).Guard = term.True }, nil, NotAssumed},
		{"a stronger condition", func(s *ir.System) { edge(s, 2).Guard = term.True }, nil, NotAssumed},
		{"an error of its own that became one", func(s *ir.System) { edge(s, 0).Effects[0].(*ir.Raise).Ensures = "n < 3" }, nil, BadList},
		{"one that is an error of its own", func(s *ir.System) { edge(s, 6).Effects[0].(*ir.Raise).Ensures = "" }, nil, BadList},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := surely()
			f.system(s)
			refusesWith(t, right(), s, f.spoil, f.want)
		})
	}
}
