package termination

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// rankLoop looks for a measure of a while loop: a test on an edge that every round takes once,
// and that falls from one time the edge is taken to the next. Cost: for each such edge, linear
// in the loop.
func rankLoop(a *ir.Automaton, loop *ir.Loop) (text string, ok bool) {
	in := bodyOf(loop)
	forget := map[ir.Loc][]string{}
	inner := map[ir.Loc]bool{} // locations of loops inside this one
	for _, l := range a.Loops {
		if l == loop || !in[l.Head] {
			continue
		}
		forget[l.Head] = assigned(a, l)
		for _, loc := range l.Body {
			inner[loc] = true
		}
	}
	inside := func(e *ir.Edge) bool { return in[e.From] && in[e.To] }
	closes := func(e *ir.Edge) bool { return e.Back && e.To == loop.Head }
	round := func(e *ir.Edge) bool { return inside(e) && !closes(e) }
	changed := map[string]bool{}
	for _, name := range assigned(a, loop) {
		changed[name] = true
	}
	for _, test := range a.Edges {
		if !inside(test) {
			continue
		}
		candidates := slices.DeleteFunc(measures(test.Guard), func(m measure) bool { return !m.mentions(changed) })
		if len(candidates) == 0 || inner[test.From] || avoidable(a, loop.Head, test, round, closes) {
			continue
		}
		first := state{}
		for _, f := range test.Effects {
			first.after(f)
		}
		next := func(e *ir.Edge) bool { return e != test && inside(e) && (!e.Back || closes(e)) }
		again, ok := flow(a, test.To, first, next, forget)[test.From]
		if !ok {
			continue
		}
		for _, m := range candidates {
			if m.falls(again.of) {
				return m.String(a), true
			}
		}
	}
	return "", false
}

// selfCall is a call of an automaton by itself.
type selfCall struct {
	edge *ir.Edge
	at   int // the effect
	call *ir.Call
}

// selfCalls lists them; indirect names the way of one that is no plain call.
func selfCalls(a *ir.Automaton) (calls []selfCall, indirect string) {
	for _, e := range a.Edges {
		for i, f := range e.Effects {
			switch f := f.(type) {
			case *ir.Call:
				if f.Handler != a.Ref() {
					continue
				}
				if f.Optional || f.Via == "emit" || f.Via == "tool" {
					return nil, f.Via
				}
				calls = append(calls, selfCall{e, i, f})
			case *ir.Act:
				for _, t := range f.Tools {
					if t == a.Ref() {
						return nil, "tool"
					}
				}
			}
		}
	}
	return calls, ""
}

// rankCalls looks for a measure of the parameters that falls from each call to the calls it
// makes, where every way to such a call passes a test that bounds the measure below.
func rankCalls(a *ir.Automaton, calls []selfCall) (text string, ok bool) {
	states := statesFromEntry(a)
	var live []selfCall // calls that some path reaches
	for _, c := range calls {
		if states[c.edge.From] != nil {
			live = append(live, c)
		}
	}
	if len(live) == 0 {
		return deadRecursion, true
	}
	tests := make([][]measure, len(live))
	for i, c := range live {
		tests[i] = testsBefore(a, c, states)
	}
	for _, m := range tests[0] {
		if allFall(a, m, live, tests, states) {
			return m.String(a), true
		}
	}
	return "", false
}

func statesFromEntry(a *ir.Automaton) map[ir.Loc]state {
	forget := map[ir.Loc][]string{}
	for _, l := range a.Loops {
		forget[l.Head] = assigned(a, l)
	}
	return flow(a, ir.Entry, state{}, forward, forget)
}

func forward(e *ir.Edge) bool { return !e.Back }

// testsBefore are the candidates that every way from the entry to a call has tested, as sums
// over the values at the entry.
func testsBefore(a *ir.Automaton, c selfCall, states map[ir.Loc]state) (out []measure) {
	any := func(*ir.Edge) bool { return true }
	goal := func(e *ir.Edge) bool { return e == c.edge }
	for _, e := range a.Edges {
		candidates := measures(e.Guard)
		if len(candidates) == 0 || states[e.From] == nil || avoidable(a, ir.Entry, e, any, goal) {
			continue
		}
		for _, m := range candidates {
			if m, ok := m.atEntry(states[e.From]); ok {
				out = append(out, m)
			}
		}
	}
	return out
}

// atEntry says a candidate over the values at the entry, if all its variables are still what
// some parameter was.
func (m measure) atEntry(now state) (measure, bool) {
	out := measure{linear: linearOf(term.Int64(0)), low: m.low}
	out.constant.Set(m.constant)
	for _, key := range m.keys() {
		same := true
		atom := term.Subst(m.atoms[key], func(v *term.Term) *term.Term {
			s := now.of(v.Name)
			if s == nil || !s.is(s.base) {
				same = false
				return nil
			}
			return term.Var(s.base, v.Sort)
		})
		if !same {
			return out, false
		}
		out.addAtom(atom, m.times[key])
	}
	return out, true
}

// allFall tells whether a candidate falls at each call, and is tested before each.
func allFall(a *ir.Automaton, m measure, calls []selfCall, tests [][]measure, states map[ir.Loc]state) bool {
	for i, c := range calls {
		now := states[c.edge.From].copy()
		for _, f := range c.edge.Effects[:c.at] {
			now.after(f)
		}
		after := func(name string) *shift {
			for k, p := range a.Params {
				if p.Name == name && k < len(c.call.Args) {
					return now.eval(c.call.Args[k])
				}
			}
			return nil
		}
		tested := false
		for _, t := range tests[i] {
			tested = tested || t.parallel(&m.linear) && t.falls(after)
		}
		if !tested {
			return false
		}
	}
	return true
}
