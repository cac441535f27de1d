package vc

import (
	"fmt"
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// step runs effects on a state and gathers what they teach.
type step struct {
	g     *Generator
	state *state
	path  []*term.Term
	tag   string

	labels []Label
}

func (s *step) know(t *term.Term) {
	if t != term.True {
		s.path = append(s.path, t)
	}
}

func (s *step) fresh(x *term.Term) {
	if x != nil {
		s.state.vars[x.Name] = term.Var(tagged(x.Name, s.tag), x.Sort)
	}
}

func (s *step) effect(e ir.Effect) {
	st := s.state
	switch e := e.(type) {
	case *ir.Bind:
		st.vars[e.Var.Name] = st.eval(e.Value)
	case *ir.Havoc:
		s.fresh(e.Var)
	case *ir.Scan:
		s.scan(e)
	case *ir.Read:
		key := st.eval(e.Key)
		m := st.mem.slots[e.Slot]
		if e.Has != nil {
			st.vars[e.Has.Name] = term.Select(m.has, key)
		}
		if e.Val != nil {
			st.vars[e.Val.Name] = term.Select(m.val, key)
		}
		s.stored(e.Slot, key)
		s.counted(e.Slot, key)
	case *ir.Write:
		s.write(e)
	case *ir.Delete:
		s.remove(e)
	case *ir.Push:
		s.counted(e.Slot, nil)
		s.shifted(e.Slot, term.Int64(1))
	case *ir.Move:
		s.move(e)
	case *ir.Inspect:
		s.inspect(e)
	case *ir.Call:
		facts, before := s.g.summary(e), st
		if len(facts) > 0 {
			before = st.copy()
		}
		s.touch(s.g.writes[e.Handler])
		s.fresh(e.Result)
		s.literals(e)
		s.returned(e, facts, before)
	case *ir.Act:
		s.fresh(e.Result)
		for _, t := range e.Tools {
			s.touch(s.g.writes[t])
		}
	case *ir.Unknown:
		s.touch(&touched{all: true})
	case *ir.Begin:
		st.saved = append(st.saved, st.mem.copy())
	case *ir.Commit:
		st.saved = st.saved[:len(st.saved)-1]
	case *ir.Rollback:
		st.mem = st.saved[len(st.saved)-1]
		st.saved = st.saved[:len(st.saved)-1]
	}
}

// stored assumes the rules of a slot of the entry at a key: every entry got there by a write
// that was judged.
func (s *step) stored(slot ir.SlotRef, key *term.Term) {
	c := s.g.sys.Find(slot.Cell)
	s.storedIn(c, neighbours(c, slot.Slot), key)
}

// storedIn assumes the rules about some slots of a cell of the entries at a key.
func (s *step) storedIn(c *ir.Cell, near []string, key *term.Term) {
	for _, r := range c.Rules {
		if !r.Step && !r.Counts() && slices.ContainsFunc(near, func(n string) bool { return judged(r, n) }) {
			s.know(s.state.assumeRule(c, r, key))
		}
	}
}

// neighbours are the slots that rules list together with a slot, itself included: what is
// stored there may matter to a rule about this slot.
func neighbours(c *ir.Cell, slot string) []string {
	var out []string
	for _, r := range c.Rules {
		if judged(r, slot) && !r.Counts() {
			out = append(out, r.Guards...)
		}
	}
	return out
}

// judged tells whether a rule judges the writes of a slot, in a form the terms capture.
func judged(r *ir.Rule, slot string) bool {
	return r.Abstract == "" && !r.Total && slices.Contains(r.Guards, slot)
}

func (s *step) write(e *ir.Write) {
	st := s.state
	key, value := st.eval(e.Key), st.eval(e.Value)
	s.stored(e.Slot, key)
	s.counted(e.Slot, key)
	c := s.g.sys.Find(e.Slot.Cell)
	after := st.mem.slots[e.Slot].stored(c.Slot(e.Slot.Slot).IsList, key, value)
	for _, r := range c.Rules {
		if judged(r, e.Slot.Slot) {
			s.know(st.entries(c, r, key, change{e.Slot.Slot, term.True, value, after.size}))
		}
	}
	st.mem.slots[e.Slot] = after
}

func (s *step) scan(e *ir.Scan) {
	m := s.state.mem.slots[e.Slot]
	switch {
	case m.size != nil && (e.What == "size" || e.What == "len"):
		s.state.vars[e.Var.Name] = m.size
		s.counted(e.Slot, nil)
	case m.sum != nil && e.What == "sum":
		s.state.vars[e.Var.Name] = m.sum
	default:
		s.fresh(e.Var)
	}
}

func (s *step) remove(e *ir.Delete) {
	slot := s.g.sys.Find(e.Slot.Cell).Slot(e.Slot.Slot)
	if slot.IsList {
		s.counted(e.Slot, nil)
		s.shifted(e.Slot, term.Neg(one(wasThere(e, s.tag))))
		s.fresh(e.Had)
		return
	}
	key := s.state.eval(e.Key)
	s.counted(e.Slot, key)
	m := s.state.mem.slots[e.Slot]
	if e.Had != nil {
		s.state.vars[e.Had.Name] = term.Select(m.has, key)
	}
	s.state.mem.slots[e.Slot] = m.removed(key)
}

func (s *step) inspect(e *ir.Inspect) {
	if e.What != "get_status" {
		s.fresh(e.Var)
		return
	}
	m := s.g.sys.Find(e.Cell).Machine
	x := term.Select(s.state.mem.states[e.Cell], s.state.eval(e.ID))
	s.state.vars[e.Var.Name] = x
	var any []*term.Term
	for _, name := range m.States {
		any = append(any, term.Eq(x, term.StringLit(name)))
	}
	s.know(term.Or(any...))
}

// literals assumes the finite set of texts that a callee can return, where it is called for sure.
func (s *step) literals(e *ir.Call) {
	callee := s.g.sys.Handler(e.Handler)
	if e.Result == nil || e.Optional || e.Result.Sort.Kind != term.KindString || callee == nil {
		return
	}
	var any []*term.Term
	seen := map[string]bool{}
	for _, edge := range callee.Edges {
		for _, eff := range edge.Effects {
			ret, ok := eff.(*ir.Return)
			if !ok {
				continue
			}
			if ret.Value.Op != term.OpString {
				return
			}
			if !seen[ret.Value.Name] {
				seen[ret.Value.Name] = true
				any = append(any, term.Eq(s.state.vars[e.Result.Name], ret.Value))
			}
		}
	}
	if len(any) > 0 {
		s.know(term.Or(any...))
	}
}

func (s *step) freshSlot(r ir.SlotRef) {
	s.state.freshSlot(r, s.g.sys.Find(r.Cell).Slot(r.Slot), s.tag)
}

// touch forgets what something may have written.
func (s *step) touch(t *touched) { s.state.forget(t, s.tag) }

func (s *state) forget(t *touched, tag string) {
	for _, c := range s.sys.Cells {
		for _, slot := range c.Slots {
			r := ir.SlotRef{Cell: c.Name, Slot: slot.Name}
			if t.all || t.slots[r] {
				s.freshSlot(r, slot, tag)
			}
		}
		if c.Machine != nil && (t.all || t.machines[c.Name]) {
			s.freshMachine(c.Name, tag)
		}
	}
}

// havocLoop is the state at a loop head: everything a round may change is fresh.
func (b *Body) havocLoop(l *ir.Loop) *state {
	s := b.states[l.Head].copy()
	tag := fmt.Sprintf("H%d", l.Head)
	in := map[ir.Loc]bool{}
	for _, n := range l.Body {
		in[n] = true
	}
	t := newTouched()
	assigned := map[string]bool{}
	for _, e := range b.a.Edges {
		if !in[e.From] || !in[e.To] {
			continue
		}
		for _, eff := range e.Effects {
			t.add(eff, b.g.writes)
			for _, x := range ir.Defs(eff) {
				assigned[x.Name] = true
			}
		}
	}
	for _, v := range b.a.Vars {
		if assigned[v.Term.Name] {
			s.vars[v.Term.Name] = term.Var(tagged(v.Term.Name, tag), v.Term.Sort)
		}
	}
	s.forget(t, tag)
	return s
}
