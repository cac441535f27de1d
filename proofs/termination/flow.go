package termination

import (
	"math/big"
	"slices"

	"soma.cell/ir"
)

// body is an automaton with its edges and loops by where they stand.
type body struct {
	*ir.Automaton
	from   map[ir.Loc][]int // the numbers of the edges that leave a location
	loops  map[ir.Loc]*ir.Loop
	drifts map[*ir.Loop][]drift
	sizes  sizes
}

func bodyOf(a *ir.Automaton, writes writes) *body {
	b := &body{a, map[ir.Loc][]int{}, map[ir.Loc]*ir.Loop{}, map[*ir.Loop][]drift{}, sizesOf(a, writes)}
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

// within are the loops inside a loop.
func (b *body) within(l *ir.Loop) (out []*ir.Loop) {
	for _, head := range l.Body {
		if inner := b.loops[head]; inner != nil && inner != l {
			out = append(out, inner)
		}
	}
	return out
}

// after changes a state to the one behind an effect.
func (b *body) after(s state, f ir.Effect) {
	if bind, ok := f.(*ir.Bind); ok {
		s[bind.Var.Name] = s.eval(bind.Value)
		return
	}
	for _, v := range ir.Defs(f) {
		s[v.Name] = nil
	}
	b.sizes.after(s, f)
}

// along is the state behind some effects.
func (b *body) along(s state, effects []ir.Effect) state {
	out := s.copy()
	for _, f := range effects {
		b.after(out, f)
	}
	return out
}

// flow follows states along the kept edges from one location, by one pass in topological order;
// what lies on or behind a cycle of them gets none. At the head of each of the loops, its rounds
// have changed what they may.
func (b *body) flow(edges []*ir.Edge, start ir.Loc, first state, keep func(*ir.Edge) bool, loops []*ir.Loop) map[ir.Loc]state {
	out, onwards := map[ir.Loc][]*ir.Edge{}, map[ir.Loc][]ir.Loc{}
	for _, e := range edges {
		if keep(e) {
			out[e.From] = append(out[e.From], e)
			onwards[e.From] = append(onwards[e.From], e.To)
		}
	}
	waiting := map[ir.Loc]int{}
	for l := range reached(onwards, start) {
		for _, e := range out[l] {
			waiting[e.To]++
		}
	}
	head := map[ir.Loc]*ir.Loop{}
	for _, l := range loops {
		head[l.Head] = l
	}
	done := map[ir.Loc]state{}
	states := map[ir.Loc]state{start: first}
	ready := []ir.Loc{start}
	for len(ready) > 0 && waiting[start] == 0 {
		l := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		if loop := head[l]; loop != nil {
			for _, d := range b.drift(loop) {
				states[l][d.name] = d.of(states[l].of(d.name))
			}
		}
		done[l] = states[l]
		for _, e := range out[l] {
			s := b.along(states[l], e.Effects)
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

// reached are the locations to which some way leads from one of the starts.
func reached(onwards map[ir.Loc][]ir.Loc, starts ...ir.Loc) map[ir.Loc]bool {
	seen := map[ir.Loc]bool{}
	found := slices.Clone(starts)
	for len(found) > 0 {
		l := found[len(found)-1]
		found = found[:len(found)-1]
		if !seen[l] {
			seen[l] = true
			found = append(found, onwards[l]...)
		}
	}
	return seen
}

// avoidable tells whether some way along the kept edges from a location to a goal leaves out
// the edge.
func avoidable(edges []*ir.Edge, start ir.Loc, edge *ir.Edge, keep func(*ir.Edge) bool, goal func(*ir.Edge) bool) bool {
	onwards := map[ir.Loc][]ir.Loc{}
	for _, e := range edges {
		if e != edge && keep(e) {
			onwards[e.From] = append(onwards[e.From], e.To)
		}
	}
	at := reached(onwards, start)
	for _, e := range edges {
		if e != edge && goal(e) && at[e.From] {
			return true
		}
	}
	return false
}

// drift is what any number of rounds of a loop do to a variable: it never falls, it never rises,
// or nothing is known.
type drift struct {
	name            string
	known, up, down bool
}

// of is a value after the rounds.
func (d drift) of(s *shift) *shift {
	if !d.known || s == nil {
		return nil
	}
	var low, high *big.Int
	if d.up {
		low = new(big.Int)
	}
	if d.down {
		high = new(big.Int)
	}
	return s.plus(low, high)
}

// drift tells what the rounds of a loop do, by what one does. A loop too large to look at may do
// anything to what it changes.
func (b *body) drift(l *ir.Loop) []drift {
	if known, ok := b.drifts[l]; ok {
		return known
	}
	edges := b.inside(l)
	names := b.changed(edges)
	out := make([]drift, len(names))
	for i, name := range names {
		out[i].name = name
	}
	if len(edges)*(1+len(names)) <= maxWork/64 {
		end, again := b.round(l, edges, forward)
		for i, name := range names {
			if s := end.of(name); again && s != nil && s.base == name && !s.positive {
				up, down := s.low != nil && s.low.Sign() >= 0, s.high != nil && s.high.Sign() <= 0
				out[i] = drift{name, up || down, up, down}
			}
		}
	}
	b.drifts[l] = out
	return out
}

// round is the state behind one round of a loop along the kept edges, over the values at its
// head; there is none where no way leads round.
func (b *body) round(l *ir.Loop, edges []*ir.Edge, keep func(*ir.Edge) bool) (end state, again bool) {
	states := b.flow(edges, l.Head, state{}, keep, b.within(l))
	return b.closing(l, edges, states)
}

// closing joins the states behind the edges that close a loop.
func (b *body) closing(l *ir.Loop, edges []*ir.Edge, states map[ir.Loc]state) (end state, again bool) {
	for _, e := range edges {
		before, ok := states[e.From]
		if !ok || !closes(l, e) {
			continue
		}
		s := b.along(before, e.Effects)
		if again {
			s = end.join(s)
		}
		end, again = s, true
	}
	return end, again
}

func closes(l *ir.Loop, e *ir.Edge) bool { return e.Back && e.To == l.Head }

func forward(e *ir.Edge) bool { return !e.Back }

// changed are the variables that some edge may change, sorted, and the sizes of slots.
func (b *body) changed(edges []*ir.Edge) (out []string) {
	for _, e := range edges {
		for _, f := range e.Effects {
			for _, v := range ir.Defs(f) {
				out = append(out, v.Name)
			}
			out = append(out, b.sizes.changed(f)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
