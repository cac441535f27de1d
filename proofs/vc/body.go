// Package vc generates conditions: what must be unsatisfiable for a claim about a body to
// hold.
//
// The form is the passive one of Flanagan and Saxe ("Avoiding exponential explosion:
// generating compact verification conditions", POPL 2001): each location has one symbolic
// state; where paths meet, the items that differ get a fresh constant that is defined on each
// incoming edge. One pass in topological order; linear in the size of the body times the
// number of its variables and slots. Back edges are cut: at a loop head everything that the
// loop may change is fresh. docs/conditions.md is the exact contract.
package vc

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Generator makes conditions for the bodies of one system.
type Generator struct {
	sys    *ir.System
	ghost  *ghosts
	writes map[ir.HandlerRef]*touched

	facts    map[place][]numbered
	labelled bool
}

// New prepares a generator.
func New(sys *ir.System) *Generator {
	g := &Generator{sys: sys, ghost: ghostsOf(sys)}
	g.writes = closure(sys)
	return g
}

// Body holds the symbolic states of one automaton.
type Body struct {
	g      *Generator
	a      *ir.Automaton
	states []*state       // at each location, nil where it is not reached
	paths  [][]*term.Term // at each location
	joins  []join         // in topological order
	into   [][]int        // counted edges into each location
	edges  []bool         // edges that a run may take
	heads  map[ir.Loc]*head
	labels []Label
	knows  bool
}

// join is a location where several paths meet, with its axioms.
type join struct {
	loc    ir.Loc
	axioms []*term.Term
}

// Site is a place in a body: what is known there, and the state.
type Site struct {
	// Assume holds whenever the place is reached.
	Assume []*term.Term
	// Labels say what the constants of a labelled body mean.
	Labels []Label
	// Of is the body, and Knows tells whether some condition of it may assume a fact.
	Of    *ir.Automaton
	Knows bool
	state *state
	g     *Generator
}

// Body walks an automaton. The automaton must be well-formed (ir.Validate).
func (g *Generator) Body(a *ir.Automaton) *Body {
	b := &Body{
		g: g, a: a,
		states: make([]*state, a.Locs),
		paths:  make([][]*term.Term, a.Locs),
		into:   make([][]int, a.Locs),
		edges:  make([]bool, len(a.Edges)),
		heads:  map[ir.Loc]*head{},
	}
	b.knows = b.mayKnow()
	b.states[ir.Entry] = g.entry(a)
	out := make([][]int, a.Locs)
	for i, e := range a.Edges {
		out[e.From] = append(out[e.From], i)
	}
	for _, loc := range topological(a) {
		b.enter(loc)
		if b.states[loc] == nil {
			continue
		}
		for _, i := range out[loc] {
			e := a.Edges[i]
			if b.states[loc].eval(e.Guard) == term.False {
				continue
			}
			b.edges[i] = true
			if !e.Back && e.To != ir.Raised {
				b.into[e.To] = append(b.into[e.To], i)
			}
		}
	}
	return b
}

// topological orders the locations by the edges that are not Back, the smallest number
// first among those that are free.
func topological(a *ir.Automaton) []ir.Loc {
	indegree := make([]int, a.Locs)
	out := make([][]ir.Loc, a.Locs)
	for _, e := range a.Edges {
		if !e.Back && e.To != ir.Raised {
			indegree[e.To]++
			out[e.From] = append(out[e.From], e.To)
		}
	}
	var free locHeap
	for l := range indegree {
		if indegree[l] == 0 {
			free.push(ir.Loc(l))
		}
	}
	var order []ir.Loc
	for len(free) > 0 {
		l := free.pop()
		order = append(order, l)
		for _, to := range out[l] {
			if indegree[to]--; indegree[to] == 0 {
				free.push(to)
			}
		}
	}
	return order
}

// enter finds the state and path of a location from its counted incoming edges.
func (b *Body) enter(loc ir.Loc) {
	edges := b.into[loc]
	sort.Ints(edges)
	switch {
	case loc == ir.Entry || loc == ir.Raised || len(edges) == 0:
	case len(edges) == 1:
		e := b.a.Edges[edges[0]]
		s := b.run(edges[0], len(e.Effects))
		b.states[loc], b.paths[loc] = s.state, s.Assume
		b.labels = append(b.labels, s.Labels...)
	default:
		b.join(loc, edges)
	}
	if b.states[loc] != nil {
		for _, l := range b.a.Loops {
			if l.Head == loc {
				b.enterLoop(l)
			}
		}
	}
}

// run follows an edge over its first n effects from the state of its source. Assume holds
// the path, without the axioms of joins.
func (b *Body) run(edge, n int) Site {
	e := b.a.Edges[edge]
	s := &step{g: b.g, state: b.states[e.From].copy()}
	s.path = append([]*term.Term(nil), b.paths[e.From]...)
	s.know(s.state.eval(e.Guard))
	for i := range n {
		s.tag = fmt.Sprintf("%d.%d", edge, i)
		s.effect(e.Effects[i])
	}
	return Site{Assume: s.path, Labels: s.labels, Of: b.a, Knows: b.knows, state: s.state, g: b.g}
}

// join merges the states of several edges.
func (b *Body) join(loc ir.Loc, edges []int) {
	sites := make([]Site, len(edges))
	for i, e := range edges {
		sites[i] = b.run(e, len(b.a.Edges[e].Effects))
		b.labels = append(b.labels, sites[i].Labels...)
	}
	merged := sites[0].state.copy()
	tag := fmt.Sprintf("L%d", loc)
	defs := make([][]*term.Term, len(edges))
	lists := make([][]item, len(edges))
	for i, s := range sites {
		lists[i] = s.state.items(b.a)
	}
	for k, it := range merged.items(b.a) {
		same := true
		for i := range sites {
			same = same && lists[i][k].get().Equal(lists[0][k].get())
		}
		if same {
			continue
		}
		fresh := term.Var(it.name(tag), it.get().Sort)
		for i := range sites {
			defs[i] = append(defs[i], term.Eq(fresh, lists[i][k].get()))
		}
		it.set(fresh)
	}
	j := join{loc: loc}
	var ins []*term.Term
	for i, e := range edges {
		in := term.Var(inEdge+strconv.Itoa(e), term.Bool)
		ins = append(ins, in)
		j.axioms = append(j.axioms, term.Implies(in, term.And(append(append([]*term.Term(nil), sites[i].Assume...), defs[i]...)...)))
	}
	b.joins = append(b.joins, j)
	b.states[loc] = merged
	b.paths[loc] = []*term.Term{term.Or(ins...)}
}

// IsJoin tells whether an assumption says how a state came about where paths meet: what Assume
// holds beside these is about the last stretch of the path alone.
func IsJoin(t *term.Term) bool {
	return t.Op == term.OpImplies && t.Args[0].Op == term.OpVar && strings.HasPrefix(t.Args[0].Name, inEdge)
}

// inEdge begins the names of the constants that say by which edge a run came.
const inEdge = "in@"

// At is the place just before effect i of an edge; ok is false where no run reaches it.
func (b *Body) At(edge, i int) (Site, bool) {
	e := b.a.Edges[edge]
	if !b.edges[edge] {
		return Site{}, false
	}
	s := b.run(edge, i)
	s.Assume = append(b.axioms(e.From), s.Assume...)
	s.Labels = slices.Concat(b.labels, s.Labels)
	return s, true
}

// axioms are those of the joins from which a location is reached.
func (b *Body) axioms(loc ir.Loc) []*term.Term {
	seen := make([]bool, b.a.Locs)
	work := []ir.Loc{loc}
	seen[loc] = true
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range b.into[l] {
			if from := b.a.Edges[i].From; !seen[from] {
				seen[from] = true
				work = append(work, from)
			}
		}
	}
	var out []*term.Term
	for _, j := range b.joins {
		if seen[j.loc] {
			out = append(out, j.axioms...)
		}
	}
	return out
}

// locHeap is a small priority queue of locations, the smallest last.
type locHeap []ir.Loc

func (h *locHeap) push(l ir.Loc) {
	i := sort.Search(len(*h), func(i int) bool { return (*h)[i] < l })
	*h = append(*h, 0)
	copy((*h)[i+1:], (*h)[i:])
	(*h)[i] = l
}

func (h *locHeap) pop() ir.Loc {
	last := len(*h) - 1
	l := (*h)[last]
	*h = (*h)[:last]
	return l
}
