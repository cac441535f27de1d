package taint

import (
	"soma.cell/frontend/source"
	"soma.cell/ir"
)

// caughtHandlers finds the automata that may run inside a try: an error they raise may be
// caught, and then the program goes on, knowing of it.
func caughtHandlers(sys *ir.System) map[*ir.Automaton]bool {
	caught := map[*ir.Automaton]bool{}
	var work []*ir.Automaton
	mark := func(ref ir.HandlerRef) {
		if a := sys.Handler(ref); a != nil && !caught[a] {
			caught[a] = true
			work = append(work, a)
		}
	}
	anything := hasUnknown(sys)
	for _, c := range sys.Cells {
		for _, a := range c.Automata {
			if a.Tool || anything {
				mark(a.Ref())
			}
			walkCalls(sys, a, func(ref ir.HandlerRef, tried bool) {
				if tried {
					mark(ref)
				}
			})
		}
	}
	for len(work) > 0 {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		walkCalls(sys, a, func(ref ir.HandlerRef, _ bool) { mark(ref) })
	}
	return caught
}

// hasUnknown tells whether some construct may run any handler.
func hasUnknown(sys *ir.System) bool {
	for _, c := range sys.Cells {
		for _, a := range c.Automata {
			delegates := map[source.Span]bool{}
			for _, f := range effects(a) {
				if act, ok := f.(*ir.Act); ok && act.Class == "call" {
					delegates[act.Span] = true
				}
			}
			for _, f := range effects(a) {
				if u, ok := f.(*ir.Unknown); ok && !delegates[u.Span] {
					return true
				}
			}
		}
	}
	return false
}

// effects are those of all edges, in order.
func effects(a *ir.Automaton) []ir.Effect {
	var out []ir.Effect
	for _, e := range a.Edges {
		out = append(out, e.Effects...)
	}
	return out
}

// walkCalls calls f for each handler that an automaton may run; tried tells whether a
// transaction of a try may be open there. A model that calls a tool is told of its errors.
func walkCalls(sys *ir.System, a *ir.Automaton, f func(ref ir.HandlerRef, tried bool)) {
	for i, depths := range openTries(a) {
		for d := range depths {
			for _, e := range a.Edges[i].Effects {
				switch e := e.(type) {
				case *ir.Begin:
					d++
				case *ir.Commit, *ir.Rollback:
					d--
				case *ir.Call:
					f(e.Handler, d > 0)
				case *ir.Act:
					for _, t := range e.Tools {
						f(t, true)
					}
					if e.Class == "call" {
						for _, callee := range delegated(sys, e) {
							f(callee.Ref(), d > 0)
						}
					}
				}
			}
		}
	}
}

// openTries gives, for each edge, the numbers of transactions that may be open before it. A
// well-formed automaton has one number at each location.
func openTries(a *ir.Automaton) []map[int]bool {
	out := make([]map[int]bool, len(a.Edges))
	type point struct {
		loc   ir.Loc
		depth int
	}
	from := map[ir.Loc][]int{}
	for i, e := range a.Edges {
		out[i] = map[int]bool{}
		from[e.From] = append(from[e.From], i)
	}
	seen := map[point]bool{}
	work := []point{{ir.Entry, 0}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[p] || p.depth > len(a.Edges) {
			continue
		}
		seen[p] = true
		for _, i := range from[p.loc] {
			out[i][p.depth] = true
			d := p.depth
			for _, e := range a.Edges[i].Effects {
				switch e.(type) {
				case *ir.Begin:
					d++
				case *ir.Commit, *ir.Rollback:
					d--
				}
			}
			work = append(work, point{a.Edges[i].To, d})
		}
	}
	return out
}
