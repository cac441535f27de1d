package vc

import (
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// change is what an effect makes of an entry of a slot, and of the number of its entries.
type change struct {
	slot           string
	has, val, size *term.Term
}

// entries is a rule at a key: its entry variables are replaced by the stored entries, those
// of a slot that changes by what they become.
func (s *state) entries(c *ir.Cell, r *ir.Rule, key *term.Term, ch change) *term.Term {
	return s.instance(c, r, key, nil, ch)
}

// instance is entries with the state that is given, if any.
func (s *state) instance(c *ir.Cell, r *ir.Rule, key, status *term.Term, ch change) *term.Term {
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
		if slot, ok := strings.CutSuffix(v.Name, "#"); ok {
			if slot == ch.slot {
				return ch.size
			}
			return s.number(c, v)
		}
		name := strings.TrimRight(v.Name, "?!")
		m := s.mem.slots[ir.SlotRef{Cell: c.Name, Slot: name}]
		isHas := strings.HasSuffix(v.Name, "?")
		switch {
		case name == ch.slot && isHas:
			return ch.has
		case name == ch.slot:
			return ch.val
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
	return term.Implies(term.Or(has...), s.entries(c, r, key, change{}))
}

// Stated tells whether a rule can be put as a goal at an effect that changes a slot it
// guards: not where the terms do not capture it (Rule.Abstract) or a later place judges it
// (Rule.Total), and at a removal only where the rule is about more than the entry that goes away.
func (g *Generator) Stated(r *ir.Rule, e ir.Effect) bool {
	switch e := e.(type) {
	case *ir.Write:
		return judged(r, e.Slot.Slot)
	case *ir.Push:
		return judged(r, e.Slot.Slot)
	case *ir.Delete:
		return judged(r, e.Slot.Slot) && (r.Counts() || (len(r.Guards) > 1 || r.Status) && !g.sys.Find(e.Slot.Cell).Slot(e.Slot.Slot).IsList)
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
		key, value := st.eval(e.Key), st.eval(e.Value)
		after := st.mem.slots[e.Slot].stored(s.cell(e.Slot).Slot(e.Slot.Slot).IsList, key, value)
		return st.entries(s.cell(e.Slot), r, key, change{e.Slot.Slot, term.True, value, after.size})
	case *ir.Push:
		key := term.Var(tagged("key", tag), term.Int)
		return st.entries(s.cell(e.Slot), r, key, change{e.Slot.Slot, term.True, st.eval(e.Value), s.sizePlus(e.Slot, 1)})
	case *ir.Delete:
		return s.ruleWithout(r, e, tag)
	case *ir.Move:
		return st.instance(s.g.sys.Find(e.Cell), r, st.eval(e.ID), st.eval(e.To), change{})
	}
	panic("vc: a rule at an effect that changes no slot")
}

// ruleWithout is the goal of a rule at a removal. Where nothing is removed, no rule on counts is
// judged.
func (s Site) ruleWithout(r *ir.Rule, e *ir.Delete, tag string) *term.Term {
	key, slot := s.state.eval(e.Key), s.cell(e.Slot).Slot(e.Slot.Slot)
	gone := term.Var(tagged("val", tag), slot.Value)
	goal := s.state.entries(s.cell(e.Slot), r, key, change{e.Slot.Slot, term.False, gone, s.sizePlus(e.Slot, -1)})
	switch {
	case !r.Size:
		return goal
	case slot.IsList:
		return term.Implies(wasThere(e, tag), goal)
	}
	return term.Implies(term.Select(s.state.mem.slots[e.Slot].has, key), goal)
}

// sizePlus is the number of entries of a slot after some come or go; nil where no rule counts them.
func (s Site) sizePlus(slot ir.SlotRef, n int64) *term.Term {
	if size := s.state.mem.slots[slot].size; size != nil {
		return term.Add(size, term.Int64(n))
	}
	return nil
}

func (s Site) cell(r ir.SlotRef) *ir.Cell { return s.g.sys.Find(r.Cell) }

// Eval is a term of the body in the state of the site.
func (s Site) Eval(t *term.Term) *term.Term { return s.state.eval(t) }

// Hypotheses are what is assumed of a slot that changes: the rules of the entry at the key, if
// there is one, and what is known of the number of entries.
func (s Site) Hypotheses(slot ir.SlotRef, key *term.Term) []*term.Term {
	st := &step{g: s.g, state: s.state}
	if key != nil {
		key = s.state.eval(key)
		st.stored(slot, key)
	}
	st.counted(slot, key)
	return st.path
}

// Size is the number of entries of a slot before the site, nil where no rule counts them.
func (s Site) Size(slot ir.SlotRef) *term.Term { return s.state.mem.slots[slot].size }

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
