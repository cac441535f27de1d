package termination

import (
	"slices"

	"soma.cell/ir"
)

// body is an automaton with its edges and loops by where they stand.
type body struct {
	*ir.Automaton
	from  map[ir.Loc][]int // the numbers of the edges that leave a location
	loops map[ir.Loc]*ir.Loop
}

func bodyOf(a *ir.Automaton) *body {
	b := &body{a, map[ir.Loc][]int{}, map[ir.Loc]*ir.Loop{}}
	for i, e := range a.Edges {
		b.from[e.From] = append(b.from[e.From], i)
	}
	for _, l := range a.Loops {
		b.loops[l.Head] = l
	}
	return b
}

// inside are the edges between locations of a loop, in order.
func (b *body) inside(l *ir.Loop) []*ir.Edge {
	in := map[ir.Loc]bool{}
	for _, loc := range l.Body {
		in[loc] = true
	}
	var numbers []int
	for loc := range in {
		for _, i := range b.from[loc] {
			if in[b.Edges[i].To] {
				numbers = append(numbers, i)
			}
		}
	}
	slices.Sort(numbers)
	out := make([]*ir.Edge, len(numbers))
	for k, i := range numbers {
		out[k] = b.Edges[i]
	}
	return out
}

// flow follows states along the kept edges from one location, by one pass in topological order;
// what lies on or behind a cycle of them gets none. At each location of forget, the variables
// listed there are known no longer: it is the head of a loop that changes them.
func flow(edges []*ir.Edge, start ir.Loc, first state, keep func(*ir.Edge) bool, forget map[ir.Loc][]string) map[ir.Loc]state {
	out := map[ir.Loc][]*ir.Edge{}
	for _, e := range edges {
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
func avoidable(edges []*ir.Edge, start ir.Loc, edge *ir.Edge, keep func(*ir.Edge) bool, goal func(*ir.Edge) bool) bool {
	out := map[ir.Loc][]*ir.Edge{}
	for _, e := range edges {
		if e != edge && keep(e) {
			out[e.From] = append(out[e.From], e)
		}
	}
	at := map[ir.Loc]bool{}
	for _, l := range reached(start, out) {
		at[l] = true
	}
	for _, e := range edges {
		if e != edge && goal(e) && at[e.From] {
			return true
		}
	}
	return false
}

// assigned are the variables that some edge may change.
func assigned(edges []*ir.Edge) (out []string) {
	for _, e := range edges {
		for _, f := range e.Effects {
			for _, v := range ir.Defs(f) {
				out = append(out, v.Name)
			}
		}
	}
	return out
}
