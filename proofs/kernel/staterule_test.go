package kernel

import (
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// vault opens only under a pin, which only a shut vault forgets.
func vault() *ir.System {
	p := irtest.NewPlaces("vault.cell", 80)
	id, text := term.Var("id", term.String), term.StringLit
	pin := ir.SlotRef{Cell: "Vault", Slot: "pin"}
	amount := func(has, val *term.Term) *term.Term { return term.Ite(has, val, term.Int64(0)) }
	set := func(has, val *term.Term) *term.Term { return term.Lt(term.Int64(0), amount(has, val)) }
	c := &ir.Cell{
		Name: "Vault", Span: p.Next(),
		Slots: []*ir.Slot{{Name: "pin", Value: term.Int, Type: "Map<String, Int>", Span: p.Next()}},
		Rules: []*ir.Rule{{
			Text: `status == "shut" || (pin ?? 0) > 0`, Guards: []string{"pin"}, Status: true, Span: p.Next(),
			Cond: term.Or(term.Eq(ir.EntryStatus(), text("shut")), set(ir.EntryHas("pin"), ir.EntryVal("pin", term.Int))),
		}},
		Machine: &ir.Machine{Name: "door", States: []string{"shut", "open", "ajar"}, Initial: "shut", Span: p.Next()},
	}
	for _, e := range [][2]string{{"shut", "open"}, {"open", "ajar"}, {"ajar", "shut"}} {
		c.Machine.Edges = append(c.Machine.Edges, &ir.MachineEdge{From: e[0], To: e[1], Span: p.Next()})
	}
	move := func(from, to string) *ir.Move {
		return &ir.Move{Cell: "Vault", ID: id, From: text(from), To: text(to), Literal: true}
	}
	open := irtest.Handler(p, "Vault", "open", id)
	has, val := open.Local("has", term.Bool), open.Local("val", term.Int)
	start := open.Do(&ir.Read{Slot: pin, Key: id, Has: has, Val: val})
	on := open.Loc()
	open.Edge(start, ir.Raised, term.Not(set(has, val)))
	open.Edge(start, on, set(has, val))
	open.Return(move("shut", "open"))
	ease := irtest.Handler(p, "Vault", "ease", id)
	ease.Return(move("open", "ajar"))
	forget := irtest.Handler(p, "Vault", "forget", id)
	state := forget.Local("state", term.String)
	start = forget.Do(&ir.Inspect{Cell: "Vault", ID: id, What: "get_status", Var: state})
	on = forget.Loc()
	forget.Edge(start, ir.Raised, term.Not(term.Eq(state, text("shut"))))
	forget.Edge(start, on, term.Eq(state, text("shut")))
	forget.Return(&ir.Delete{Slot: pin, Key: id})
	c.Automata = []*ir.Automaton{open.Automaton, ease.Automaton, forget.Automaton}
	return &ir.System{Cells: []*ir.Cell{c}}
}

// TestStateRuleFaults: what keeps a rule about the state is a move, a write or a removal as it is,
// and nothing is known of entries that fade.
func TestStateRuleFaults(t *testing.T) {
	make := func() *cert.Certificate { return (&maker{t: t}).certificate(vault()) }
	right := make()
	if err := firstError(Audit(right)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"Vault/open/invariant/1", "Vault/ease/invariant/1", "Vault/forget/invariant/1"} {
		if find(right, id).Verdict != cert.Proven {
			t.Fatalf("%s is not proven", id)
		}
	}
	none := func(*ir.System) {}
	for _, f := range []struct {
		name   string
		system func(s *ir.System)
		spoil  func(c *cert.Certificate)
		want   ErrorKind
	}{
		{"a move is left out", none, func(c *cert.Certificate) {
			for i, o := range c.Obligations {
				if o.ID == "Vault/ease/invariant/1" {
					c.Obligations = append(c.Obligations[:i:i], c.Obligations[i+1:]...)
					return
				}
			}
		}, BadList},
		{"a move said to be a write", none, func(c *cert.Certificate) {
			o := find(c, "Vault/ease/invariant/1")
			o.Claim = cert.ClaimInvariant("ease", "pin", `status == "shut" || (pin ?? 0) > 0`)
		}, BadClaim},
		{"a move said to be trivial", none, func(c *cert.Certificate) {
			find(c, "Vault/ease/invariant/1").Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, NotTrivial},
		{"no look before the move", func(s *ir.System) { s.Cells[0].Automata[0].Edges[2].Guard = term.True }, nil, NotAssumed},
		{"no look before the removal", func(s *ir.System) { s.Cells[0].Automata[2].Edges[2].Guard = term.True }, nil, NotAssumed},
		{"a move from the initial state", func(s *ir.System) {
			s.Cells[0].Automata[1].Edges[0].Effects[0].(*ir.Move).From = nil
			s.Cells[0].Machine.Edges[1].From = "shut"
			s.Cells[0].Machine.Edges[2].From = "open"
		}, nil, NotAssumed},
		{"an initial state that the rule speaks of", func(s *ir.System) { s.Cells[0].Machine.Initial = "open" }, nil, NotAssumed},
		{"entries that fade", func(s *ir.System) { s.Cells[0].Slots[0].Attrs = []string{"ttl(5s)"} }, nil, NotAssumed},
		{"entries that a restart drops", func(s *ir.System) { s.Cells[0].Slots[0].Attrs = []string{"ephemeral"} }, nil, NotAssumed},
		{"entries that others push out", func(s *ir.System) { s.Cells[0].Slots[0].Attrs = []string{"capacity(9)"} }, nil, NotAssumed},
		{"a rule that does not say that it speaks of the state", func(s *ir.System) { s.Cells[0].Rules[0].Status = false }, nil, IllFormed},
		{"no machine", func(s *ir.System) {
			s.Cells[0].Machine = nil
			s.Cells[0].Automata = s.Cells[0].Automata[:0]
		}, nil, IllFormed},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := vault()
			f.system(s)
			refusesWith(t, make(), s, f.spoil, f.want)
		})
	}
}
