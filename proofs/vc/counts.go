package vc

import (
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// The number of entries of a slot, and their sum, are no functions of its arrays in first-order
// logic. Each that a rule speaks of is a term of its own, which the effects on the slot update
// by what they change: an induction over effects.

// ghosts are the slots whose entries some rule counts or sums.
type ghosts struct{ sizes, sums map[ir.SlotRef]bool }

func ghostsOf(sys *ir.System) *ghosts {
	g := &ghosts{sizes: map[ir.SlotRef]bool{}, sums: map[ir.SlotRef]bool{}}
	for _, c := range sys.Cells {
		for _, r := range c.Rules {
			if r.Abstract != "" {
				continue
			}
			for _, x := range term.Vars(r.Cond) {
				if slot, ok := strings.CutSuffix(x.Name, "#"); ok {
					g.sizes[ir.SlotRef{Cell: c.Name, Slot: slot}] = true
				}
				if slot, ok := strings.CutSuffix(x.Name, "#sum"); ok {
					g.sums[ir.SlotRef{Cell: c.Name, Slot: slot}] = true
				}
			}
		}
	}
	return g
}

func sizeName(r ir.SlotRef) string { return r.Cell + "." + r.Slot + ".size" }
func sumName(r ir.SlotRef) string  { return r.Cell + "." + r.Slot + ".sum" }

// one is 1 where something holds, else 0.
func one(holds *term.Term) *term.Term { return term.Ite(holds, term.Int64(1), term.Int64(0)) }

// stored is a slot after a write at a key. A write into a list replaces an entry that is there.
func (m slotMem) stored(isList bool, key, value *term.Term) slotMem {
	out := m
	if m.size != nil && !isList {
		out.size = term.Add(m.size, one(term.Not(term.Select(m.has, key))))
	}
	if m.sum != nil {
		out.sum = term.Add(m.sum, value, term.Neg(m.amount(key)))
	}
	out.has, out.val = term.Store(m.has, key, term.True), term.Store(m.val, key, value)
	return out
}

// removed is a map slot after a delete at a key.
func (m slotMem) removed(key *term.Term) slotMem {
	out := m
	if m.size != nil {
		out.size = term.Sub(m.size, one(term.Select(m.has, key)))
	}
	if m.sum != nil {
		out.sum = term.Sub(m.sum, m.amount(key))
	}
	out.has = term.Store(m.has, key, term.False)
	return out
}

// amount is what an entry adds to the sum.
func (m slotMem) amount(key *term.Term) *term.Term {
	return term.Ite(term.Select(m.has, key), term.Select(m.val, key), term.Int64(0))
}

// shifted is a list slot after an effect that moves or appends entries, of which only the number
// is known to change.
func (s *step) shifted(slot ir.SlotRef, by *term.Term) {
	before := s.state.mem.slots[slot].size
	s.freshSlot(slot)
	if before != nil {
		m := s.state.mem.slots[slot]
		m.size = term.Add(before, by)
		s.state.mem.slots[slot] = m
	}
}

// wasThere is the variable that tells whether a delete finds an entry in a list.
func wasThere(e *ir.Delete, tag string) *term.Term {
	if e.Had != nil {
		return term.Var(tagged(e.Had.Name, tag), term.Bool)
	}
	return term.Var(tagged("had", tag), term.Bool)
}

// counted assumes what holds of the number of entries of a slot: it is not negative, not zero
// where there is an entry at the key, and the rules about numbers alone hold at all times.
func (s *step) counted(slot ir.SlotRef, key *term.Term) {
	m := s.state.mem.slots[slot]
	if m.size == nil {
		return
	}
	s.know(term.Le(term.Int64(0), m.size))
	if key != nil {
		s.know(term.Implies(term.Select(m.has, key), term.Le(term.Int64(1), m.size)))
	}
	c := s.g.sys.Find(slot.Cell)
	for _, r := range c.Rules {
		if r.Counts() && !r.Step && slices.Contains(r.Guards, slot.Slot) {
			s.know(s.state.holdsOrEmpty(c, r))
		}
	}
}

// holdsOrEmpty is a rule about counts and sums as a hypothesis: it holds since the first effect
// that it judged; before that there was nothing.
func (s *state) holdsOrEmpty(c *ir.Cell, r *ir.Rule) *term.Term {
	empty := term.Subst(r.Cond, func(*term.Term) *term.Term { return term.Int64(0) })
	cond := s.numbers(c, r)
	if empty == term.True {
		return cond
	}
	zeros := []*term.Term{}
	for _, x := range term.Vars(r.Cond) {
		zeros = append(zeros, term.Eq(s.number(c, x), term.Int64(0)))
	}
	return term.Or(cond, term.And(zeros...))
}

// numbers is a rule about counts and sums in a state.
func (s *state) numbers(c *ir.Cell, r *ir.Rule) *term.Term {
	return term.Subst(r.Cond, func(x *term.Term) *term.Term { return s.number(c, x) })
}

// number is the count or sum that a variable of a rule stands for; nil when it is neither.
func (s *state) number(c *ir.Cell, x *term.Term) *term.Term {
	if slot, ok := strings.CutSuffix(x.Name, "#"); ok {
		return s.mem.slots[ir.SlotRef{Cell: c.Name, Slot: slot}].size
	}
	if slot, ok := strings.CutSuffix(x.Name, "#sum"); ok {
		return s.mem.slots[ir.SlotRef{Cell: c.Name, Slot: slot}].sum
	}
	return nil
}

// MayWrite tells whether a body, with what it calls, may write a slot that a rule judges. What a
// rule about sums reads beside is not known where it is not captured: then any slot of its cell
// counts.
func (g *Generator) MayWrite(a *ir.Automaton, c *ir.Cell, r *ir.Rule) bool {
	t := g.writes[a.Ref()]
	return slices.ContainsFunc(c.Slots, func(slot *ir.Slot) bool {
		return (t.all || t.slots[ir.SlotRef{Cell: c.Name, Slot: slot.Name}]) &&
			(r.Abstract != "" || slices.Contains(r.Guards, slot.Name))
	})
}

// Commits is the claim that a rule about sums holds at a site, and what is assumed for it: that
// it held when the body began.
func (b *Body) Commits(s Site, c *ir.Cell, r *ir.Rule) (assume []*term.Term, goal *term.Term) {
	assume = append(assume, s.Assume...)
	if !r.Step {
		if held := b.g.entry(b.a).holdsOrEmpty(c, r); held != term.True {
			assume = append(assume, held)
		}
	}
	return assume, s.state.numbers(c, r)
}

// Sum is the sum of a slot when the body began, and at the site; nil where no rule sums it.
func (s Site) Sum(slot ir.SlotRef) (before, after *term.Term) {
	if after = s.state.mem.slots[slot].sum; after != nil {
		before = term.Var(tagged(sumName(slot), "0"), term.Int)
	}
	return before, after
}
