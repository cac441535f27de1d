package kernel

import (
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// lock is a door that opens after less than three tries, and that something unknown closes.
func lock() *ir.System {
	p := irtest.NewPlaces("lock.cell", 60)
	id, n := term.Var("id", term.String), term.Var("n", term.Int)
	few := func(n *term.Term) *term.Term { return term.Lt(n, term.Int64(3)) }
	c := &ir.Cell{Name: "Lock", Span: p.Next(), Machine: &ir.Machine{
		Name: "door", States: []string{"shut", "open"}, Initial: "shut", Span: p.Next(),
		Edges: []*ir.MachineEdge{
			{From: "shut", To: "open", Guard: "n < 3", Span: p.Next()},
			{From: "open", To: "shut", Guard: "calm()", Span: p.Next()},
		},
	}}
	open := irtest.Handler(p, "Lock", "open", id, n)
	on := open.Loc()
	open.Edge(ir.Entry, ir.Raised, term.Not(few(n)))
	open.Edge(ir.Entry, on, few(n))
	done := open.Loc()
	open.Edge(on, done, term.True, &ir.Move{Cell: "Lock", ID: id, From: term.StringLit("shut"), To: term.StringLit("open"), Literal: true,
		Guards: []ir.EdgeGuard{{Edge: 0, Cond: few(n)}}})
	open.Edge(done, ir.Exit, term.True, &ir.Return{Value: term.App("unit", term.Opaque)})
	shut := irtest.Handler(p, "Lock", "shut", id)
	shut.Return(&ir.Move{Cell: "Lock", ID: id, To: term.StringLit("shut"), Literal: true,
		Guards: []ir.EdgeGuard{{Edge: 1, Cond: term.True, Abstract: true}}})
	c.Automata = []*ir.Automaton{open.Automaton, shut.Automaton}
	return &ir.System{Cells: []*ir.Cell{c}}
}

func lockCertificate(t testing.TB) *cert.Certificate {
	m := &maker{t: t}
	return m.certificate(lock())
}

// TestGuardFaults: a proof of a guard holds for the system it was made for alone, and no guard is
// proven without a condition.
func TestGuardFaults(t *testing.T) {
	const proven, unknown = "Lock/open/guard/1", "Lock/shut/guard/1"
	right := lockCertificate(t)
	if err := firstError(Audit(right)); err != nil {
		t.Fatal(err)
	}
	if find(right, proven).Verdict != cert.Proven || find(right, unknown).Verdict != cert.RuntimeChecked {
		t.Fatal("the maker proves one guard, and not the other")
	}
	move := func(s *ir.System, name string) *ir.Move {
		for _, e := range s.Handler(ir.HandlerRef{Cell: "Lock", Handler: name, Arity: -1}).Edges {
			for _, f := range e.Effects {
				if mv, ok := f.(*ir.Move); ok {
					return mv
				}
			}
		}
		panic("no move")
	}
	none := func(*ir.System) {}
	for _, f := range []struct {
		name   string
		system func(s *ir.System)
		spoil  func(c *cert.Certificate)
		want   ErrorKind
	}{
		{"an omission", none, func(c *cert.Certificate) {
			for i, o := range c.Obligations {
				if o.ID == proven {
					c.Obligations = append(c.Obligations[:i:i], c.Obligations[i+1:]...)
					return
				}
			}
		}, BadList},
		{"another edge in the claim", none, func(c *cert.Certificate) {
			find(c, proven).Claim = cert.ClaimGuard("open", "door", "open", "shut", "n < 3")
		}, BadClaim},
		{"another site", none, func(c *cert.Certificate) { find(c, proven).Site.Edge = 3 }, BadClaim},
		{"an unknown guard that is proven", none, func(c *cert.Certificate) {
			o := find(c, unknown)
			o.Verdict, o.Reason, o.Evidence = cert.Proven, "", cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, NoCondition},
		{"a guard said to be trivial", none, func(c *cert.Certificate) {
			find(c, proven).Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, NotTrivial},
		{"a guard that is refuted", none, func(c *cert.Certificate) {
			o := find(c, proven)
			o.Verdict, o.Reason = cert.Refuted, "it fails"
		}, UnknownRule},
		{"a stronger guard", func(s *ir.System) {
			move(s, "open").Guards[0].Cond = term.Lt(term.Var("n", term.Int), term.Int64(2))
		}, nil, NotAssumed},
		{"no test before", func(s *ir.System) { s.Cells[0].Automata[0].Edges[1].Guard = term.True }, nil, NotAssumed},
		{"a guard that became unknown", func(s *ir.System) { move(s, "open").Guards[0].Abstract = true }, nil, NoCondition},
		{"a guard that is missing at the move", func(s *ir.System) { move(s, "open").Guards = nil }, nil, NoCondition},
		{"an edge that lost its guard", func(s *ir.System) { s.Cells[0].Machine.Edges[1].Guard = "" }, nil, BadList},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := lock()
			f.system(s)
			refusesWith(t, lockCertificate(t), s, f.spoil, f.want)
		})
	}
}
