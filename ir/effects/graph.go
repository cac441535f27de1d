package effects

import (
	"slices"

	"soma.cell/ir"
)

// Graph is the call graph of a system: its automata and who may start whom, by calls (listeners
// and delegates with a computed name included), as tools of a model, or because an effect is
// unknown and may start any handler.
type Graph struct {
	Automata []*ir.Automaton // in the order of the system
	// Callees are the indices an automaton may start, sorted, by index.
	Callees [][]int

	index  map[ir.HandlerRef]int // of handlers
	of     map[*ir.Automaton]int
	direct []*Summary
}

// NewGraph builds the call graph. The system must be valid. Cost: linear in the edges but for
// sorting.
func NewGraph(s *ir.System) *Graph {
	g := &Graph{index: map[ir.HandlerRef]int{}, of: map[*ir.Automaton]int{}}
	var handlers []int
	for _, c := range s.Cells {
		for _, a := range c.Automata {
			i := len(g.Automata)
			g.Automata = append(g.Automata, a)
			g.of[a] = i
			g.direct = append(g.direct, Direct(a))
			if a.Kind == ir.Handler {
				g.index[a.Ref()] = i
				handlers = append(handlers, i)
			}
		}
	}
	for _, d := range g.direct {
		g.Callees = append(g.Callees, g.callees(d, handlers))
	}
	return g
}

func (g *Graph) callees(d *Summary, handlers []int) []int {
	if len(d.Unknown) > 0 {
		return handlers
	}
	var out []int
	for _, c := range d.Calls {
		if i, ok := g.index[c.Handler]; ok {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Index is the number of an automaton of the system.
func (g *Graph) Index(a *ir.Automaton) int { return g.of[a] }

// Find is the number of a handler, or -1.
func (g *Graph) Find(h ir.HandlerRef) int {
	if i, ok := g.index[h]; ok {
		return i
	}
	return -1
}

// Direct sums up the body of an automaton alone.
func (g *Graph) Direct(a *ir.Automaton) *Summary { return g.direct[g.of[a]] }

// Closure sums up an automaton with everything that it may start. Places lie in the bodies that
// do it. Where Unknown is not empty, the body may also do what no list says.
func (g *Graph) Closure(a *ir.Automaton) *Summary {
	s := &Summary{}
	for _, i := range g.Reachable(a, func(*ir.Automaton) bool { return true }) {
		s.merge(g.direct[i])
	}
	s.normalise()
	return s
}

// Reachable lists the automaton and those it may start, through bodies that pass alone, in the
// order in which a search finds them.
func (g *Graph) Reachable(a *ir.Automaton, pass func(callee *ir.Automaton) bool) []int {
	seen := make([]bool, len(g.Automata))
	found := []int{g.of[a]}
	seen[g.of[a]] = true
	for next := 0; next < len(found); next++ {
		for _, i := range g.Callees[found[next]] {
			if !seen[i] && pass(g.Automata[i]) {
				seen[i] = true
				found = append(found, i)
			}
		}
	}
	return found
}
