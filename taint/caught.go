package taint

import "soma.cell/ir"

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
			walkCalls(a, func(ref ir.HandlerRef, tried bool) {
				if tried {
					mark(ref)
				}
			})
		}
	}
	for len(work) > 0 {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		walkCalls(a, func(ref ir.HandlerRef, _ bool) { mark(ref) })
	}
	return caught
}

// hasUnknown tells whether some construct may run any handler.
func hasUnknown(sys *ir.System) bool {
	for _, c := range sys.Cells {
		for _, a := range c.Automata {
			for _, e := range a.Edges {
				for _, f := range e.Effects {
					if _, ok := f.(*ir.Unknown); ok {
						return true
					}
				}
			}
		}
	}
	return false
}

// walkCalls calls f for each handler that an automaton may run; tried tells whether a
// transaction of a try may be open there. A model that calls a tool is told of its errors.
func walkCalls(a *ir.Automaton, f func(ref ir.HandlerRef, tried bool)) {
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
