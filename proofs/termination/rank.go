package termination

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// maxWork bounds the edges that a search for a measure visits, about a second of work: of a body
// that needs more, no measure is found.
const maxWork = 1 << 22

// rankLoop tells the measure of a while loop.
func rankLoop(b *body, loop *ir.Loop) (text string, ok bool) {
	m, _, ok := rank(b, loop)
	if !ok {
		return "", false
	}
	return m.String(b.Automaton), true
}

// rank looks for a measure of a while loop: a test on an edge that every round takes once, and
// that falls from one time the edge is taken to the next. Cost: for each such edge, linear in the
// loop, up to maxWork.
func rank(b *body, loop *ir.Loop) (m measure, test *ir.Edge, ok bool) {
	edges := b.inside(loop)
	forget := map[ir.Loc][]string{}
	inner := map[ir.Loc]bool{} // locations of loops inside this one
	for _, head := range loop.Body {
		l := b.loops[head]
		if l == nil || l == loop {
			continue
		}
		forget[head] = assigned(b.inside(l))
		for _, loc := range l.Body {
			inner[loc] = true
		}
	}
	closes := func(e *ir.Edge) bool { return e.Back && e.To == loop.Head }
	round := func(e *ir.Edge) bool { return !closes(e) }
	changed := map[string]bool{}
	for _, name := range assigned(edges) {
		changed[name] = true
	}
	work := 0
	for _, test := range edges {
		if work > maxWork {
			break
		}
		candidates := slices.DeleteFunc(measures(test.Guard), func(m measure) bool { return !m.mentions(changed) })
		if len(candidates) == 0 || inner[test.From] {
			continue
		}
		work += len(edges)
		if avoidable(edges, loop.Head, test, round, closes) {
			continue
		}
		work += len(edges) * (1 + len(changed))
		first := state{}
		for _, f := range test.Effects {
			first.after(f)
		}
		next := func(e *ir.Edge) bool { return e != test && (!e.Back || closes(e)) }
		again, ok := flow(edges, test.To, first, next, forget)[test.From]
		if !ok {
			continue
		}
		for _, m := range candidates {
			if m.falls(again.of) {
				return m, test, true
			}
		}
	}
	return measure{}, nil, false
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

// callsWork is about how many steps rankCalls takes.
func callsWork(a *ir.Automaton, calls []selfCall) int {
	tests := 0
	for _, e := range a.Edges {
		if e.Guard != term.True {
			tests++
		}
	}
	return len(a.Edges) * (len(a.Vars) + len(calls)*tests)
}

// rankCalls looks for a measure of the parameters that falls from each call to the calls it
// makes, where every way to such a call passes a test that bounds the measure below.
func rankCalls(b *body, calls []selfCall) (text string, ok bool) {
	a := b.Automaton
	states := statesFromEntry(b)
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

func statesFromEntry(b *body) map[ir.Loc]state {
	forget := map[ir.Loc][]string{}
	for _, l := range b.Loops {
		forget[l.Head] = assigned(b.inside(l))
	}
	return flow(b.Edges, ir.Entry, state{}, forward, forget)
}

func forward(e *ir.Edge) bool { return !e.Back }

// testsBefore are the candidates that every way from the entry to a call has tested, as sums
// over the values at the entry.
func testsBefore(a *ir.Automaton, c selfCall, states map[ir.Loc]state) (out []measure) {
	any := func(*ir.Edge) bool { return true }
	goal := func(e *ir.Edge) bool { return e == c.edge }
	for _, e := range a.Edges {
		candidates := measures(e.Guard)
		if len(candidates) == 0 || states[e.From] == nil || avoidable(a.Edges, ir.Entry, e, any, goal) {
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
