package taint

import (
	"slices"

	"soma.cell/ir"
)

// Control dependence: which branches decide whether an edge is taken (Ferrante, Ottenstein,
// Warren, TOPLAS 1987). The graph has a node for each location and each edge; an edge depends
// on a branch when it postdominates one way out of it but not the branch itself. Postdominators
// are computed by the iteration of Cooper, Harvey and Kennedy (2001).
//
// An error that the body does not catch undoes all that it did, so nothing in the rest of the
// body depends on whether it is raised: edges that only lead there are left out (what other
// calls see of it: undone.go). A caller that catches the
// error branches on it: the call is then one way out of that branch.
//
// Cost: about linear for the graphs of structured programs; the transitive closure may be
// quadratic in the number of nested branches.
type control struct {
	a        *ir.Automaton
	relevant []bool   // by edge: counts for control
	branches []ir.Loc // locations with several relevant ways out, in order
	ways     map[ir.Loc][]int
	// on lists, for each edge, the ways out of branches that lead to it, directly or through
	// other branches, sorted. A way out is the number of its edge.
	on [][]int
}

// newControl analyses the reached edges of an automaton.
func newControl(g *flowgraph) *control {
	c := &control{a: g.a, relevant: make([]bool, len(g.a.Edges)), ways: map[ir.Loc][]int{}, on: make([][]int, len(g.a.Edges))}
	c.mark(g)
	for l := range g.a.Locs {
		var ways []int
		for _, i := range g.outOf[l] {
			if c.relevant[i] {
				ways = append(ways, i)
			}
		}
		if len(ways) > 1 {
			c.branches = append(c.branches, ir.Loc(l))
			c.ways[ir.Loc(l)] = ways
		}
	}
	if len(c.branches) > 0 {
		c.close(c.direct(c.postdominators()))
	}
	return c
}

// mark finds the edges that a run may take on its way to an end that keeps its effects. Where
// there is none (an endless loop), all reached edges count.
func (c *control) mark(g *flowgraph) {
	good := make([]bool, c.a.Locs)
	var work []ir.Loc
	add := func(l ir.Loc) {
		if !good[l] {
			good[l] = true
			work = append(work, l)
		}
	}
	add(ir.Exit)
	grow := func() {
		for len(work) > 0 {
			l := work[len(work)-1]
			work = work[:len(work)-1]
			for _, i := range g.into[l] {
				if g.out[i] != nil {
					add(c.a.Edges[i].From)
				}
			}
		}
	}
	grow()
	for _, i := range c.endless(g, good) {
		add(c.a.Edges[i].To)
	}
	grow()
	for i, e := range c.a.Edges {
		c.relevant[i] = g.out[i] != nil && good[e.To]
	}
}

// endless lists the back edges from which no end is reached.
func (c *control) endless(g *flowgraph, good []bool) []int {
	var out []int
	for i, e := range c.a.Edges {
		if e.Back && g.out[i] != nil && !good[e.To] {
			out = append(out, i)
		}
	}
	return out
}

// graph is the graph of relevant locations and edges: locations first, then edges, then the
// common end.
type graph struct {
	succ, pred [][]int
	end        int
}

func (c *control) graph() *graph {
	n := c.a.Locs + len(c.a.Edges) + 1
	g := &graph{succ: make([][]int, n), pred: make([][]int, n), end: n - 1}
	for i, e := range c.a.Edges {
		if c.relevant[i] {
			g.link(int(e.From), c.a.Locs+i)
			g.link(c.a.Locs+i, int(e.To))
		}
	}
	g.link(int(ir.Exit), g.end)
	// A loop that never ends gets an end of its own.
	seen := g.reaches()
	for i, e := range c.a.Edges {
		if c.relevant[i] && !seen[c.a.Locs+i] && e.Back {
			g.link(c.a.Locs+i, g.end)
			seen = g.reaches()
		}
	}
	return g
}

func (g *graph) link(from, to int) {
	g.succ[from] = append(g.succ[from], to)
	g.pred[to] = append(g.pred[to], from)
}

// reaches tells which nodes reach the end.
func (g *graph) reaches() []bool {
	seen := make([]bool, len(g.succ))
	seen[g.end] = true
	work := []int{g.end}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range g.pred[n] {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
			}
		}
	}
	return seen
}

// postdominators gives the immediate postdominator of each node, -1 where the end is not
// reached.
func (c *control) postdominators() (*graph, []int) {
	g := c.graph()
	order := g.postorder()
	rank := make([]int, len(g.succ))
	for i, n := range order {
		rank[n] = i
	}
	idom := make([]int, len(g.succ))
	for i := range idom {
		idom[i] = -1
	}
	idom[g.end] = g.end
	meet := func(a, b int) int {
		for a != b {
			for rank[a] < rank[b] {
				a = idom[a]
			}
			for rank[b] < rank[a] {
				b = idom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			n, next := order[i], -1
			for _, s := range g.succ[n] {
				switch {
				case idom[s] < 0:
				case next < 0:
					next = s
				default:
					next = meet(next, s)
				}
			}
			if next != idom[n] {
				idom[n] = next
				changed = true
			}
		}
	}
	return g, idom
}

// postorder lists the nodes that reach the end, the end last, along reversed edges.
func (g *graph) postorder() []int {
	var out []int
	seen := make([]bool, len(g.succ))
	type visit struct{ node, next int }
	stack := []visit{{node: g.end}}
	seen[g.end] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(g.pred[top.node]) {
			out = append(out, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		p := g.pred[top.node][top.next]
		top.next++
		if !seen[p] {
			seen[p] = true
			stack = append(stack, visit{node: p})
		}
	}
	return out
}

// direct lists for each node the ways out of branches on which it depends.
func (c *control) direct(g *graph, idom []int) [][]int {
	out := make([][]int, len(g.succ))
	for _, b := range c.branches {
		for _, way := range c.ways[b] {
			for n := c.a.Locs + way; n >= 0 && n != idom[b] && n != g.end; n = idom[n] {
				out[n] = append(out[n], way)
			}
		}
	}
	return out
}

// close adds what the branches themselves depend on. Each round extends the direct ways alone:
// the ways added before are closed over by the branches that brought them.
func (c *control) close(direct [][]int) {
	all := map[ir.Loc][]int{}
	for _, b := range c.branches {
		direct[b] = sorted(direct[b])
		all[b] = direct[b]
	}
	for changed := true; changed; {
		changed = false
		for _, b := range c.branches {
			next := c.extend(direct[b], all)
			if len(next) > len(all[b]) {
				all[b] = next
				changed = true
			}
		}
	}
	for i := range c.a.Edges {
		c.on[i] = c.extend(sorted(direct[c.a.Locs+i]), all)
	}
}

func (c *control) extend(ways []int, all map[ir.Loc][]int) []int {
	out := slices.Clone(ways)
	for _, w := range ways {
		out = append(out, all[c.a.Edges[w].From]...)
	}
	return sorted(out)
}

func sorted(xs []int) []int {
	slices.Sort(xs)
	return slices.Compact(xs)
}

// deciders lists the branches that decide whether an edge is taken.
func (c *control) deciders(edge int) []ir.Loc {
	var out []ir.Loc
	for _, w := range c.on[edge] {
		out = append(out, c.a.Edges[w].From)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// selectors lists the branches that decide which of several edges to a common place is taken.
// A branch that goes the same one way before each of them does not.
func (c *control) selectors(edges []int) []ir.Loc {
	ways := make([]map[ir.Loc][]int, len(edges))
	var out []ir.Loc
	for i, e := range edges {
		ways[i] = map[ir.Loc][]int{}
		for _, w := range c.on[e] {
			b := c.a.Edges[w].From
			ways[i][b] = append(ways[i][b], w)
		}
		out = append(out, c.deciders(e)...)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(b ir.Loc) bool {
		for _, w := range ways {
			if len(w[b]) != 1 || w[b][0] != ways[0][b][0] {
				return false
			}
		}
		return true
	})
}
