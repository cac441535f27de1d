package vc

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
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
			out[Ref(a)] = newTouched()
		}
	}
	for changed := true; changed; {
		changed = false
		for _, a := range bodies {
			for _, e := range a.Edges {
				for _, eff := range e.Effects {
					changed = out[Ref(a)].add(eff, out) || changed
				}
			}
		}
	}
	return out
}

// Ref names an automaton.
func Ref(a *ir.Automaton) ir.HandlerRef {
	return ir.HandlerRef{Cell: a.Cell, Handler: a.Name, Arity: len(a.Params)}
}

// Assigned are the variables an effect gives a value.
func Assigned(e ir.Effect) []*term.Term {
	var out []*term.Term
	add := func(xs ...*term.Term) {
		for _, x := range xs {
			if x != nil {
				out = append(out, x)
			}
		}
	}
	switch e := e.(type) {
	case *ir.Bind:
		add(e.Var)
	case *ir.Havoc:
		add(e.Var)
	case *ir.Read:
		add(e.Has, e.Val)
	case *ir.Scan:
		add(e.Var)
	case *ir.Delete:
		add(e.Had)
	case *ir.Inspect:
		add(e.Var)
	case *ir.Call:
		add(e.Result)
	case *ir.Act:
		add(e.Result)
	}
	return out
}
