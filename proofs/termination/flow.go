package termination

import "soma.cell/ir"

// flow follows states along the kept edges from one location, by one pass in topological order;
// what lies on or behind a cycle of them gets none. At each location of forget, the variables
// listed there are known no longer: it is the head of a loop that changes them.
func flow(a *ir.Automaton, start ir.Loc, first state, keep func(*ir.Edge) bool, forget map[ir.Loc][]string) map[ir.Loc]state {
	out := map[ir.Loc][]*ir.Edge{}
	for _, e := range a.Edges {
		if keep(e) {
			out[e.From] = append(out[e.From], e)
		}
	}
	waiting := map[ir.Loc]int{}
	for _, l := range reached(start, out) {
		for _, e := range out[l] {
			waiting[e.To]++
		}
	}
	done := map[ir.Loc]state{}
	states := map[ir.Loc]state{start: first}
	ready := []ir.Loc{start}
	for len(ready) > 0 && waiting[start] == 0 {
		l := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		done[l] = states[l]
		for _, name := range forget[l] {
			states[l][name] = nil
		}
		for _, e := range out[l] {
			s := states[l].copy()
			for _, f := range e.Effects {
				s.after(f)
			}
			if old, ok := states[e.To]; ok {
				s = old.join(s)
			}
			states[e.To] = s
			if waiting[e.To]--; waiting[e.To] == 0 {
				ready = append(ready, e.To)
			}
		}
	}
	return done
}

func reached(start ir.Loc, out map[ir.Loc][]*ir.Edge) []ir.Loc {
	seen := map[ir.Loc]bool{start: true}
	found := []ir.Loc{start}
	for next := 0; next < len(found); next++ {
		for _, e := range out[found[next]] {
			if !seen[e.To] {
				seen[e.To] = true
				found = append(found, e.To)
			}
		}
	}
	return found
}

// avoidable tells whether some way along the kept edges from a location to a goal leaves out
// the edge.
func avoidable(a *ir.Automaton, start ir.Loc, edge *ir.Edge, keep func(*ir.Edge) bool, goal func(*ir.Edge) bool) bool {
	out := map[ir.Loc][]*ir.Edge{}
	for _, e := range a.Edges {
		if e != edge && keep(e) {
			out[e.From] = append(out[e.From], e)
		}
	}
	at := map[ir.Loc]bool{}
	for _, l := range reached(start, out) {
		at[l] = true
	}
	for _, e := range a.Edges {
		if e != edge && goal(e) && at[e.From] {
			return true
		}
	}
	return false
}

// assigned are the variables that a loop's body may change.
func assigned(a *ir.Automaton, l *ir.Loop) (out []string) {
	in := bodyOf(l)
	for _, e := range a.Edges {
		if in[e.From] && in[e.To] {
			for _, f := range e.Effects {
				for _, v := range ir.Defs(f) {
					out = append(out, v.Name)
				}
			}
		}
	}
	return out
}

func bodyOf(l *ir.Loop) map[ir.Loc]bool {
	in := map[ir.Loc]bool{}
	for _, loc := range l.Body {
		in[loc] = true
	}
	return in
}
