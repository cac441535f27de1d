package termination

import (
	"slices"

	"soma.cell/ir"
)

// maxWork bounds the edges that a search for a measure visits, about a second of work: of a body
// that needs more, no measure is found.
const maxWork = 1 << 22

// rankLoop tells the measure of a while loop.
func rankLoop(b *body, loop *ir.Loop) (text string, ok bool) {
	if m, _, ok := rank(b, loop); ok {
		return falling(b.Automaton, m), true
	}
	if parts := lexicographic(b, loop); parts != nil {
		return falling(b.Automaton, parts...), true
	}
	return "", false
}

// rank looks for a measure of a while loop: a test on an edge that every round takes once, and
// that falls from one time the edge is taken to the next. Cost: for each such edge, linear in the
// loop, up to maxWork.
func rank(b *body, loop *ir.Loop) (m measure, test *ir.Edge, ok bool) {
	edges := b.inside(loop)
	inner := b.innerLocs(loop)
	closing := func(e *ir.Edge) bool { return closes(loop, e) }
	round := func(e *ir.Edge) bool { return !closing(e) }
	changed := map[string]bool{}
	for _, name := range b.changed(edges) {
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
		if avoidable(edges, loop.Head, test, round, closing) {
			continue
		}
		work += len(edges) * (1 + len(changed))
		first := b.along(state{}, test.Effects)
		next := func(e *ir.Edge) bool { return e != test && (!e.Back || closing(e)) }
		again, ok := b.flow(edges, test.To, first, next, b.within(loop))[test.From]
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

// innerLocs are the locations of the loops inside a loop.
func (b *body) innerLocs(loop *ir.Loop) map[ir.Loc]bool {
	inner := map[ir.Loc]bool{}
	for _, l := range b.within(loop) {
		for _, loc := range l.Body {
			inner[loc] = true
		}
	}
	return inner
}
