package vc

import (
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// entries is a rule at a key: its entry variables are replaced by the stored entries, those
// of the slot being written or (has false) removed, if any, by what is given.
func (s *state) entries(c *ir.Cell, r *ir.Rule, key *term.Term, written string, has, val *term.Term) *term.Term {
	return s.instance(c, r, key, nil, written, has, val)
}

// instance is entries with the state that is given, if any.
func (s *state) instance(c *ir.Cell, r *ir.Rule, key, status *term.Term, written string, has, val *term.Term) *term.Term {
	return term.Subst(r.Cond, func(v *term.Term) *term.Term {
		switch v.Name {
		case "!key":
			return key
		case "!status":
			if status != nil {
				return status
			}
			return term.Select(s.mem.states[c.Name], key)
		}
		name := strings.TrimRight(v.Name, "?!")
		m := s.mem.slots[ir.SlotRef{Cell: c.Name, Slot: name}]
		isHas := strings.HasSuffix(v.Name, "?")
		switch {
		case name == written && isHas:
			return has
		case name == written:
			return val
		case isHas:
			return term.Select(m.has, key)
		}
		return term.Select(m.val, key)
	})
}

// assumeRule is a rule as a hypothesis about the stored entries at a key. A rule about the state
// was judged at every move as well, so that it holds of an instance that moved even without an
// entry, unless the entry may have faded since.
func (s *state) assumeRule(c *ir.Cell, r *ir.Rule, key *term.Term) *term.Term {
	var has []*term.Term
	for _, g := range r.Guards {
		has = append(has, term.Select(s.mem.slots[ir.SlotRef{Cell: c.Name, Slot: g}].has, key))
	}
	if r.Status && lasts(c, r) {
		initial := term.StringLit(c.Machine.Initial)
		has = append(has, term.Not(term.Eq(term.Select(s.mem.states[c.Name], key), initial)))
	}
	return term.Implies(term.Or(has...), s.entries(c, r, key, "", nil, nil))
}

// Stated tells whether a rule can be put as a goal at an effect that changes a slot it
// guards: not where the terms do not capture it (Rule.Abstract and its kin), and at a removal
// only where the rule is about more than the entry that goes away.
func (g *Generator) Stated(r *ir.Rule, e ir.Effect) bool {
	switch e := e.(type) {
	case *ir.Write:
		return judged(r, e.Slot.Slot)
	case *ir.Push:
		return judged(r, e.Slot.Slot)
	case *ir.Delete:
		return judged(r, e.Slot.Slot) && (len(r.Guards) > 1 || r.Status) && !g.sys.Find(e.Slot.Cell).Slot(e.Slot.Slot).IsList
	case *ir.Move:
		return aboutState(r)
	}
	return false
}

// RuleAt is the goal of a rule that is Stated at an effect. The tag names the place of the
// effect, as "e.i".
func (s Site) RuleAt(r *ir.Rule, e ir.Effect, tag string) *term.Term {
	st := s.state
	switch e := e.(type) {
	case *ir.Write:
		return st.entries(s.cell(e.Slot), r, st.eval(e.Key), e.Slot.Slot, term.True, st.eval(e.Value))
	case *ir.Push:
		key := term.Var(tagged("key", tag), term.Int)
		return st.entries(s.cell(e.Slot), r, key, e.Slot.Slot, term.True, st.eval(e.Value))
	case *ir.Delete:
		gone := term.Var(tagged("val", tag), s.cell(e.Slot).Slot(e.Slot.Slot).Value)
		return st.entries(s.cell(e.Slot), r, st.eval(e.Key), e.Slot.Slot, term.False, gone)
	case *ir.Move:
		return st.instance(s.g.sys.Find(e.Cell), r, st.eval(e.ID), st.eval(e.To), "", nil, nil)
	}
	panic("vc: a rule at an effect that changes no slot")
}

func (s Site) cell(r ir.SlotRef) *ir.Cell { return s.g.sys.Find(r.Cell) }

// Eval is a term of the body in the state of the site.
func (s Site) Eval(t *term.Term) *term.Term { return s.state.eval(t) }

// Hypotheses are the rules of a slot, assumed of the entry at the key of a write.
func (s Site) Hypotheses(slot ir.SlotRef, key *term.Term) []*term.Term {
	st := &step{g: s.g, state: s.state}
	st.stored(slot, s.state.eval(key))
	return st.path
}

// Before is a slot's entry at a key, before the site.
func (s Site) Before(slot ir.SlotRef, key *term.Term) (has, val *term.Term) {
	m := s.state.mem.slots[slot]
	k := s.state.eval(key)
	return term.Select(m.has, k), term.Select(m.val, k)
}

// Status is the state of a machine instance before the site.
func (s Site) Status(cell string, id *term.Term) *term.Term {
	return term.Select(s.state.mem.states[cell], s.state.eval(id))
}

// MoveTakes is the condition under which a move takes a declared edge.
func (s Site) MoveTakes(mv *ir.Move, edge int) *term.Term {
	e := s.g.sys.Find(mv.Cell).Machine.Edges[edge]
	if excluded(mv.To, e.To) || mv.From != nil && excluded(mv.From, e.From) {
		return term.False
	}
	parts := s.asks(mv, e)
	for _, g := range mv.Guards {
		if g.Edge == edge && !g.Abstract {
			parts = append(parts, s.state.eval(g.Cond))
		}
	}
	return term.And(parts...)
}

// asks says that a move asks for an edge: its guard is judged then.
func (s Site) asks(mv *ir.Move, e *ir.MachineEdge) []*term.Term {
	from, to := term.StringLit(e.From), term.StringLit(e.To)
	parts := []*term.Term{term.Eq(s.Status(mv.Cell, mv.ID), from)}
	if mv.From != nil {
		parts = append(parts, term.Eq(s.state.eval(mv.From), from))
	}
	return append(parts, term.Eq(s.state.eval(mv.To), to))
}

// GuardHolds is the claim that a guard holds whenever the move asks for its edge.
func (s Site) GuardHolds(mv *ir.Move, g ir.EdgeGuard) *term.Term {
	e := s.g.sys.Find(mv.Cell).Machine.Edges[g.Edge]
	return term.Implies(term.And(s.asks(mv, e)...), s.state.eval(g.Cond))
}

// Guarded are the guarded edges that a move may ask for, by what is literal in it, in the order of
// the machine.
func Guarded(mv *ir.Move, m *ir.Machine) []int {
	var out []int
	for i, e := range m.Edges {
		if e.Guard != "" && !excluded(mv.To, e.To) && (mv.From == nil || !excluded(mv.From, e.From)) {
			out = append(out, i)
		}
	}
	return out
}

// excluded tells whether a term is a literal other than the state.
func excluded(t *term.Term, state string) bool { return t.Op == term.OpString && t.Name != state }

// MoveAllowed is the condition under which a move takes some declared edge.
func (s Site) MoveAllowed(mv *ir.Move) *term.Term {
	var any []*term.Term
	for i := range s.g.sys.Find(mv.Cell).Machine.Edges {
		any = append(any, s.MoveTakes(mv, i))
	}
	return term.Or(any...)
}

// TargetIn is the claim that a move's target is one of the states.
func (s Site) TargetIn(mv *ir.Move, states []string) *term.Term {
	var any []*term.Term
	for _, name := range states {
		any = append(any, term.Eq(s.state.eval(mv.To), term.StringLit(name)))
	}
	return term.Or(any...)
}

// InTry tells whether the site stands inside a nested transaction.
func (s Site) InTry() bool { return len(s.state.saved) > 0 }
