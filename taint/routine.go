package taint

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// routine is an automaton with all that the analysis knows of it before it knows any level.
type routine struct {
	g       *flowgraph
	control *control
	flows   []*flow
	calls   []*callSite
	sinks   []*sinkSite
	asks    *Origin // a source in the body, which may fail; nil without one
	guards  []value // by edge
	havocs  map[[2]int]*flow
	undoers []ir.Loc
	rounds  map[ir.Loc][]*flow // by head of a loop over a collection: what decides its rounds
}

// collect walks the states of an automaton once more and writes down its flows.
func collect(sys *ir.System, g *flowgraph, origin *Origin) *routine {
	r := &routine{
		g: g, control: newControl(g),
		guards: make([]value, len(g.a.Edges)),
		havocs: map[[2]int]*flow{},
		rounds: map[ir.Loc][]*flow{},
	}
	r.undoers = r.control.undoers(g)
	c := &collector{routine: r, sys: sys, origin: origin}
	c.findDelegates()
	for i := range g.a.Edges {
		g.follow(i, c)
	}
	c.selections()
	for _, l := range g.a.Loops {
		if l.Kind != ir.WhileLoop {
			r.rounds[l.Head] = r.leading(l)
		}
	}
	return r
}

// leading finds the havocs that begin a round of a loop over a collection: they give the
// element, and what it comes from decides how many rounds there are.
func (r *routine) leading(l *ir.Loop) []*flow {
	in := map[ir.Loc]bool{}
	for _, b := range l.Body {
		in[b] = true
	}
	var out []*flow
	seen := map[ir.Loc]bool{}
	work := []ir.Loc{l.Head}
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		for _, i := range r.g.outOf[at] {
			e := r.g.a.Edges[i]
			if !in[e.To] {
				continue
			}
			for k := range e.Effects {
				f := r.havocs[[2]int{i, k}]
				if f == nil {
					break
				}
				out = append(out, f)
			}
			if len(e.Effects) == 0 && e.To != l.Head {
				work = append(work, e.To)
			}
		}
	}
	return out
}

// exclusive tells whether the ways out of a branch are a test and its negation.
func (r *routine) exclusive(ways []int) bool {
	if len(ways) != 2 {
		return false
	}
	a, b := r.guards[ways[0]], r.guards[ways[1]]
	negates := func(x, y value) bool {
		n := r.g.bank.at(x)
		return n.op == term.OpNot && n.args[0] == y
	}
	return negates(a, b) || negates(b, a)
}
