package kernel

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// layout numbers what a program remembers: first both arrays of every slot and the numbers that
// rules speak of, in order of cells and slots, then the machine of every cell. A memory is a list
// of terms in that order.
type layout struct {
	system  *ir.System
	names   []string
	sorts   []*term.Sort
	slot    map[ir.SlotRef]int // the place of has; val follows
	numbers map[*ir.Rule]numbers
	counted map[ir.SlotRef]int // the place of the number of entries, where there is one
	summed  map[ir.SlotRef]int // the place of their sum, where there is one
	machine map[string]int     // by cell
	place   map[string]int     // by name
}

func newLayout(s *ir.System) *layout {
	l := &layout{system: s, slot: map[ir.SlotRef]int{}, machine: map[string]int{}, place: map[string]int{},
		numbers: map[*ir.Rule]numbers{}, counted: map[ir.SlotRef]int{}, summed: map[ir.SlotRef]int{}}
	for _, c := range s.Cells {
		spoken := l.spokenOf(c)
		for _, slot := range c.Slots {
			ref := ir.SlotRef{Cell: c.Name, Slot: slot.Name}
			l.slot[ref] = len(l.names)
			name := c.Name + "." + slot.Name
			l.add(name+".has", term.ArraySort(slot.Key(), term.Bool))
			l.add(name+".val", term.ArraySort(slot.Key(), slot.Value))
			l.addNumbers(spoken, ref)
		}
	}
	for _, c := range s.Cells {
		if c.Machine != nil {
			l.machine[c.Name] = len(l.names)
			l.add(c.Name+".state", term.ArraySort(term.String, term.String))
		}
	}
	return l
}

func (l *layout) add(name string, sort *term.Sort) {
	l.place[name] = len(l.names)
	l.names, l.sorts = append(l.names, name), append(l.sorts, sort)
}

func (l *layout) fresh(place int, tag string) *term.Term {
	return term.Var(l.names[place]+"@"+tag, l.sorts[place])
}

// writeSet marks the places of a memory that code may write.
type writeSet []bool

func (w writeSet) merge(other writeSet) (news bool) {
	for i, b := range other {
		news = news || b && !w[i]
		w[i] = w[i] || b
	}
	return news
}

// writeSets computes what each handler may write, with what it calls, as a least fixpoint.
func (g *generator) writeSets() map[*ir.Automaton]writeSet {
	sets, callees := map[*ir.Automaton]writeSet{}, map[*ir.Automaton][]*ir.Automaton{}
	for _, c := range g.system.Cells {
		for _, a := range c.Automata {
			sets[a] = make(writeSet, len(g.names))
			for _, e := range a.Edges {
				g.writes(sets[a], e.Effects)
				callees[a] = append(callees[a], g.started(e.Effects)...)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range g.system.Cells {
			for _, a := range c.Automata {
				for _, callee := range callees[a] {
					if g.work.spend(1+len(g.names)/16) && sets[a].merge(sets[callee]) {
						changed = true
					}
				}
			}
		}
	}
	return sets
}

// writtenBy marks what effects write, and what they start.
func (g *generator) writtenBy(effects []ir.Effect) writeSet {
	w := make(writeSet, len(g.names))
	g.writes(w, effects)
	for _, callee := range g.started(effects) {
		w.merge(g.sets[callee])
	}
	return w
}

// started lists the handlers that effects call, or let a model call.
func (l *layout) started(effects []ir.Effect) []*ir.Automaton {
	var out []*ir.Automaton
	for _, f := range effects {
		switch f := f.(type) {
		case *ir.Call:
			out = append(out, l.system.Handler(f.Handler))
		case *ir.Act:
			for _, tool := range f.Tools {
				out = append(out, l.system.Handler(tool))
			}
		}
	}
	return out
}

// writes marks what effects write by themselves.
func (l *layout) writes(w writeSet, effects []ir.Effect) {
	for _, f := range effects {
		switch f := f.(type) {
		case *ir.Write:
			w.slot(l, f.Slot)
		case *ir.Delete:
			w.slot(l, f.Slot)
		case *ir.Push:
			w.slot(l, f.Slot)
		case *ir.Move:
			w[l.machine[f.Cell]] = true
		case *ir.Unknown:
			for i := range w {
				w[i] = true
			}
		}
	}
}

func (w writeSet) slot(l *layout, ref ir.SlotRef) {
	w[l.slot[ref]], w[l.slot[ref]+1] = true, true
	for _, numbers := range []map[ir.SlotRef]int{l.counted, l.summed} {
		if place, ok := numbers[ref]; ok {
			w[place] = true
		}
	}
}

// state is what is known at a place of a body: a term for each variable, in the order of the
// automaton's list, the memory, and the memories that open transactions saved.
type state struct {
	vars   []*term.Term
	memory []*term.Term
	saved  [][]*term.Term
}

func (s *state) clone() *state {
	c := &state{vars: cloneTerms(s.vars), memory: cloneTerms(s.memory)}
	for _, m := range s.saved {
		c.saved = append(c.saved, cloneTerms(m))
	}
	return c
}

func cloneTerms(ts []*term.Term) []*term.Term { return append([]*term.Term(nil), ts...) }

// items are the places of a state in the order in which joins take them.
func (s *state) items() []**term.Term {
	var out []**term.Term
	for _, list := range append([][]*term.Term{s.vars, s.memory}, s.saved...) {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}
