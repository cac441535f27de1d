package vc

import (
	"soma.cell/ir"
)

// touched is what code may write: slots, and machines by their cell.
type touched struct {
	all      bool
	slots    map[ir.SlotRef]bool
	machines map[string]bool
}

func newTouched() *touched {
	return &touched{slots: map[ir.SlotRef]bool{}, machines: map[string]bool{}}
}

// merge adds what other touches and tells whether that was news.
func (t *touched) merge(other *touched) bool {
	if other == nil {
		// A handler that the system does not hold may do anything.
		other = &touched{all: true}
	}
	news := other.all && !t.all
	t.all = t.all || other.all
	for s := range other.slots {
		news = news || !t.slots[s]
		t.slots[s] = true
	}
	for m := range other.machines {
		news = news || !t.machines[m]
		t.machines[m] = true
	}
	return news
}

// add adds what an effect touches, calls through the closure of their callee.
func (t *touched) add(e ir.Effect, closed map[ir.HandlerRef]*touched) bool {
	one := newTouched()
	switch e := e.(type) {
	case *ir.Write:
		one.slots[e.Slot] = true
	case *ir.Delete:
		one.slots[e.Slot] = true
	case *ir.Push:
		one.slots[e.Slot] = true
	case *ir.Move:
		one.machines[e.Cell] = true
	case *ir.Call:
		return t.merge(closed[e.Handler])
	case *ir.Act:
		for _, tool := range e.Tools {
			one.merge(closed[tool])
		}
	case *ir.Unknown:
		one.all = true
	}
	return t.merge(one)
}

// closure is the least fixpoint of what each handler may write, callees and tools included.
func closure(sys *ir.System) map[ir.HandlerRef]*touched {
	out := map[ir.HandlerRef]*touched{}
	var bodies []*ir.Automaton
	for _, c := range sys.Cells {
		for _, a := range c.Automata {
			bodies = append(bodies, a)
			out[a.Ref()] = newTouched()
		}
	}
	for changed := true; changed; {
		changed = false
		for _, a := range bodies {
			for _, e := range a.Edges {
				for _, eff := range e.Effects {
					changed = out[a.Ref()].add(eff, out) || changed
				}
			}
		}
	}
	return out
}
