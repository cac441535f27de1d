package vc

import (
	"strconv"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// slotMem is a slot as two total arrays, with the number of its entries and their sum where a rule
// speaks of them, else nil.
type slotMem struct{ has, val, size, sum *term.Term }

// memory is every slot and machine of the program.
type memory struct {
	slots  map[ir.SlotRef]slotMem
	states map[string]*term.Term // by cell
}

func (m memory) copy() memory {
	c := memory{slots: make(map[ir.SlotRef]slotMem, len(m.slots)), states: make(map[string]*term.Term, len(m.states))}
	for k, v := range m.slots {
		c.slots[k] = v
	}
	for k, v := range m.states {
		c.states[k] = v
	}
	return c
}

// state is what is known at a place: the terms of variables, the memory, and the memories
// saved by open transactions.
type state struct {
	sys   *ir.System
	ghost *ghosts
	vars  map[string]*term.Term
	mem   memory
	saved []memory
}

func (s *state) copy() *state {
	c := &state{sys: s.sys, ghost: s.ghost, vars: make(map[string]*term.Term, len(s.vars)), mem: s.mem.copy()}
	for k, v := range s.vars {
		c.vars[k] = v
	}
	for _, m := range s.saved {
		c.saved = append(c.saved, m.copy())
	}
	return c
}

// eval is a term of the body under the state.
func (s *state) eval(t *term.Term) *term.Term {
	return term.Subst(t, func(v *term.Term) *term.Term { return s.vars[v.Name] })
}

func hasName(r ir.SlotRef) string    { return r.Cell + "." + r.Slot + ".has" }
func valName(r ir.SlotRef) string    { return r.Cell + "." + r.Slot + ".val" }
func stateName(cell string) string   { return cell + ".state" }
func tagged(base, tag string) string { return base + "@" + tag }

// entry is the state before a body: parameters stand for themselves, everything else is
// unknown.
func (g *Generator) entry(a *ir.Automaton) *state {
	s := &state{sys: g.sys, ghost: g.ghost, vars: map[string]*term.Term{}}
	s.mem = memory{slots: map[ir.SlotRef]slotMem{}, states: map[string]*term.Term{}}
	for _, v := range a.Vars {
		s.vars[v.Term.Name] = term.Var(tagged(v.Term.Name, "0"), v.Term.Sort)
	}
	for _, p := range a.Params {
		s.vars[p.Name] = p
	}
	for _, c := range g.sys.Cells {
		for _, slot := range c.Slots {
			s.freshSlot(ir.SlotRef{Cell: c.Name, Slot: slot.Name}, slot, "0")
		}
		if c.Machine != nil {
			s.freshMachine(c.Name, "0")
		}
	}
	return s
}

func (s *state) freshSlot(r ir.SlotRef, slot *ir.Slot, tag string) {
	m := slotMem{
		has: term.Var(tagged(hasName(r), tag), term.ArraySort(slot.Key(), term.Bool)),
		val: term.Var(tagged(valName(r), tag), term.ArraySort(slot.Key(), slot.Value)),
	}
	if s.ghost.sizes[r] {
		m.size = term.Var(tagged(sizeName(r), tag), term.Int)
	}
	if s.ghost.sums[r] {
		m.sum = term.Var(tagged(sumName(r), tag), term.Int)
	}
	s.mem.slots[r] = m
}

func (s *state) freshMachine(cell, tag string) {
	s.mem.states[cell] = term.Var(tagged(stateName(cell), tag), term.ArraySort(term.String, term.String))
}

// item is one part of a state that a join may have to merge.
type item struct {
	base  string
	depth string // ".d" in a saved memory
	slot  ir.SlotRef
	cell  string // of a machine
	get   func() *term.Term
	set   func(*term.Term)
}

func (i item) name(tag string) string { return tagged(i.base, tag) + i.depth }

// items lists the parts of a state in the order of the contract.
func (s *state) items(a *ir.Automaton) []item {
	var out []item
	for _, v := range a.Vars {
		name := v.Term.Name
		out = append(out, item{base: name,
			get: func() *term.Term { return s.vars[name] },
			set: func(t *term.Term) { s.vars[name] = t }})
	}
	out = append(out, s.memItems(s.mem, "")...)
	for d, m := range s.saved {
		out = append(out, s.memItems(m, "."+strconv.Itoa(d))...)
	}
	return out
}

func (s *state) memItems(m memory, depth string) []item {
	var out []item
	for _, c := range s.sys.Cells {
		for _, slot := range c.Slots {
			r := ir.SlotRef{Cell: c.Name, Slot: slot.Name}
			add := func(base string, part func(*slotMem) **term.Term) {
				at := m.slots[r]
				if *part(&at) == nil {
					return
				}
				out = append(out, item{base: base, depth: depth, slot: r,
					get: func() *term.Term { now := m.slots[r]; return *part(&now) },
					set: func(t *term.Term) { now := m.slots[r]; *part(&now) = t; m.slots[r] = now }})
			}
			add(hasName(r), func(m *slotMem) **term.Term { return &m.has })
			add(valName(r), func(m *slotMem) **term.Term { return &m.val })
			add(sizeName(r), func(m *slotMem) **term.Term { return &m.size })
			add(sumName(r), func(m *slotMem) **term.Term { return &m.sum })
		}
	}
	for _, c := range s.sys.Cells {
		if c.Machine != nil {
			name := c.Name
			out = append(out, item{base: stateName(name), depth: depth, cell: name,
				get: func() *term.Term { return m.states[name] },
				set: func(t *term.Term) { m.states[name] = t }})
		}
	}
	return out
}
