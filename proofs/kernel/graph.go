package kernel

import (
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
)

// graph is a graph of a machine: over which edges A ranges and over which E, between the states
// that A's edges reach from the initial one, sorted by name.
type graph struct {
	name   cert.Graph
	states []string
	index  map[string]int
	all    [][]int // the successors over which A ranges, at least one
	some   [][]int // those over which E ranges

	machine  *ir.Machine
	terminal map[string]bool // without a declared exit
	stuck    map[string]bool // with a declared exit, and without one in the may-graph
}

// machineGraphs builds the graphs of a machine from what is known of its edges.
type machineGraphs struct {
	cell    *ir.Cell
	removed []bool     // by declared edge: no body takes it
	seen    []bool     // by declared edge: a run takes it
	class   cert.Class // the weakest evidence that an edge is removed
	graphs  map[cert.Graph]*graph
	reached map[string]bool // along the edges that runs take; nil until it is asked for
}

func (m *machineGraphs) successors(keep func(edge int) bool) map[string][]string {
	out := map[string][]string{}
	for i, e := range m.cell.Machine.Edges {
		if keep(i) {
			out[e.From] = append(out[e.From], e.To)
		}
	}
	return out
}

// graph is one of the graphs, built when it is first asked for: then all that is known of the
// edges must be there. A state without successor stutters. For the implementation, E
// ranges over the edges that runs were seen to take, and A over all that may be taken; where no
// run was seen to leave a state, A also allows for staying there.
func (m *machineGraphs) graph(name cert.Graph) *graph {
	if g := m.graphs[name]; g != nil {
		return g
	}
	m.graphs[name] = m.build(name)
	return m.graphs[name]
}

func (m *machineGraphs) build(name cert.Graph) *graph {
	all := m.successors(func(i int) bool { return name == cert.Declared || !m.removed[i] })
	some := all
	if name == cert.Implementation {
		some = m.successors(func(i int) bool { return m.seen[i] })
	}
	for _, s := range m.cell.Machine.States {
		if len(all[s]) == 0 {
			all[s] = []string{s}
			some[s] = []string{s}
		} else if len(some[s]) == 0 {
			all[s] = append(all[s], s)
		}
	}
	g := &graph{name: name, index: map[string]int{}, machine: m.cell.Machine}
	g.reach(m.cell.Machine.Initial, all)
	for _, s := range g.states {
		g.all = append(g.all, g.indices(all[s]))
		g.some = append(g.some, g.indices(some[s]))
	}
	g.terminal, g.stuck = map[string]bool{}, map[string]bool{}
	declared := m.successors(func(int) bool { return true })
	may := m.successors(func(i int) bool { return !m.removed[i] })
	for _, s := range g.states {
		g.terminal[s] = len(declared[s]) == 0
		g.stuck[s] = len(declared[s]) > 0 && len(may[s]) == 0
	}
	return g
}

// reach finds the reachable states and sorts them.
func (g *graph) reach(initial string, successors map[string][]string) {
	reached := map[string]bool{initial: true}
	g.states = []string{initial}
	for next := 0; next < len(g.states); next++ {
		for _, to := range successors[g.states[next]] {
			if !reached[to] {
				reached[to] = true
				g.states = append(g.states, to)
			}
		}
	}
	slices.Sort(g.states)
	for i, s := range g.states {
		g.index[s] = i
	}
}

func (g *graph) indices(states []string) []int {
	var out []int
	for _, s := range states {
		out = append(out, g.index[s])
	}
	return out
}

// holds tells whether an atom of the machine holds at a state.
func (g *graph) holds(atom string, s int) bool {
	state := g.states[s]
	switch atom {
	case cert.AtomInitial:
		return state == g.machine.Initial
	case cert.AtomTerminal:
		return g.terminal[state]
	case cert.AtomStuck:
		return g.stuck[state]
	}
	return state == atom[strings.LastIndex(atom, ".")+1:]
}

// isAtom tells whether a name is a proposition of the cell's machine: a state, alone or after
// the names of the machine and of the cell, or one of the machine checks.
func isAtom(atom string, c *ir.Cell) bool {
	switch atom {
	case cert.AtomInitial, cert.AtomTerminal, cert.AtomStuck:
		return true
	}
	i := strings.LastIndex(atom, ".") + 1
	prefix, state := atom[:i], atom[i:]
	return contains(c.Machine.States, state) &&
		contains([]string{"", c.Machine.Name + ".", c.Name + "." + c.Machine.Name + "."}, prefix)
}
