package cost

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A limit is surely exceeded when every call that returns takes more. The cheapest path to the
// exit, loops left out, bounds from below what any run that returns has taken: answers of models
// and literal sleeps. How many tokens a model writes is its own choice, so they have no such
// bound.

// floor is what a call of an automaton takes at least when it returns.
type floor struct{ calls, latency int64 }

func (f floor) plus(g floor) floor {
	return floor{min(f.calls+g.calls, maxAmount), min(f.latency+g.latency, maxAmount)}
}

func lower(f, g floor) floor { return floor{min(f.calls, g.calls), min(f.latency, g.latency)} }

// floors bounds automata from below.
type floors struct {
	system *ir.System
	known  map[*ir.Automaton]floor
}

func newFloors(s *ir.System) *floors { return &floors{s, map[*ir.Automaton]floor{}} }

// of is what a call takes at least when it returns; nothing where it never does, or where it may
// come to call itself on the way.
func (s *floors) of(a *ir.Automaton) floor {
	if f, ok := s.known[a]; ok {
		return f
	}
	s.known[a] = floor{} // while it is looked at
	b := (&analysis{structural: true}).bodyOf(a, false)
	at := map[ir.Loc]floor{ir.Entry: {}}
	for _, l := range b.order {
		here, reached := at[l]
		if !reached {
			continue
		}
		for _, e := range b.from[l] {
			if e.Back {
				continue
			}
			f := here
			for _, effect := range e.Effects {
				f = f.plus(s.effect(effect))
			}
			if old, ok := at[e.To]; ok {
				f = lower(old, f)
			}
			at[e.To] = f
		}
	}
	s.known[a] = at[ir.Exit]
	return s.known[a]
}

func (s *floors) effect(f ir.Effect) floor {
	switch f := f.(type) {
	case *ir.Act:
		switch {
		case f.Class == "model":
			return floor{calls: 1}
		case f.Class == "sleep" && f.Args[0].Op == term.OpInt && f.Args[0].Int.IsInt64():
			return floor{latency: min(max(0, f.Args[0].Int.Int64()), maxAmount)}
		}
	case *ir.Call:
		if !f.Optional {
			return s.of(s.system.Handler(f.Handler))
		}
	}
	return floor{}
}
