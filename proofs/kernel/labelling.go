package kernel

import (
	"slices"

	"soma.cell/proofs/cert"
)

// A labelling is checked by looking at each state and its successors once for each subformula.
// Least fixpoints (until, and the failure of release) need a rank that falls, so that what
// holds is reached in finitely many steps; greatest ones are closed under their own condition.
// As each set is checked both ways, it is exact.

// checkLabelling checks the states, nodes, sets and ranks, and returns whether the formula
// holds at the initial state.
func checkLabelling(l *cert.Labelling, g *graph, f *formula, initial string, work *budget) (bool, *Error) {
	if !slices.Equal(l.States, g.states) {
		return false, errStates(g.name)
	}
	if err := checkNodes(l.Nodes, f); err != nil {
		return false, err
	}
	c := &labelChecker{g: g}
	steps := len(g.states)
	for _, next := range g.all {
		steps += len(next)
	}
	for i, n := range l.Nodes {
		if !work.spend(1 + steps/8) {
			return false, errWork()
		}
		if err := c.node(i, n); err != nil {
			return false, err
		}
	}
	return c.sets[len(l.Nodes)-1][g.index[initial]], nil
}

// checkNodes tells whether the nodes are exactly the distinct subformulas of f, operands first.
func checkNodes(nodes []cert.Node, f *formula) *Error {
	number := map[*formula]int{}
	var visit func(g *formula) int
	var order []*formula
	visit = func(g *formula) int {
		if g == nil {
			return -1
		}
		if i, ok := number[g]; ok {
			return i
		}
		visit(g.left)
		visit(g.right)
		number[g] = len(order)
		order = append(order, g)
		return number[g]
	}
	visit(f)
	if len(nodes) != len(order) {
		return errNodeCount(len(nodes), len(order))
	}
	for i, g := range order {
		n := nodes[i]
		if n.Op != g.op || n.Atom != g.atom || n.Left != visit(g.left) || n.Right != visit(g.right) {
			return errNode(i)
		}
	}
	return nil
}

type labelChecker struct {
	g    *graph
	sets [][]bool
}

// node reads the set of node i and checks it at each state.
func (c *labelChecker) node(i int, n cert.Node) *Error {
	set := make([]bool, len(c.g.states))
	last := -1
	for _, s := range n.Set {
		if s <= last || s >= len(set) {
			return errSetShape(i)
		}
		set[s], last = true, s
	}
	c.sets = append(c.sets, set)
	ranked := slices.Contains([]string{"EU", "AU", "ER", "AR"}, n.Op)
	if ranked && len(n.Rank) != len(set) || !ranked && len(n.Rank) != 0 {
		return errRankCount(i)
	}
	for s := range set {
		if err := c.state(i, n, s); err != nil {
			return err
		}
	}
	return nil
}

// state checks the set of node i at one state.
func (c *labelChecker) state(i int, n cert.Node, s int) *Error {
	left := func(s int) bool { return c.sets[n.Left][s] }
	right := func(s int) bool { return c.sets[n.Right][s] }
	var want bool
	switch n.Op {
	case "EU", "AU", "ER", "AR":
		return c.fixpoint(i, n, s)
	case "true", "false":
		want = n.Op == "true"
	case "atom":
		want = c.g.holds(n.Atom, s)
	case "not":
		want = !left(s)
	case "and":
		want = left(s) && right(s)
	case "or":
		want = left(s) || right(s)
	case "EX":
		want = slices.ContainsFunc(c.g.some[s], left)
	case "AX":
		want = every(c.g.all[s], left)
	}
	if c.sets[i][s] != want {
		return errSet(i, c.g.states[s])
	}
	return nil
}

func every(list []int, holds func(int) bool) bool {
	return !slices.ContainsFunc(list, func(s int) bool { return !holds(s) })
}

// fixpoint checks an until or release at one state. An until is the ranked fixpoint itself, a
// release the complement of the ranked one of its dual.
func (c *labelChecker) fixpoint(i int, n cert.Node, s int) *Error {
	set, rank := c.sets[i], n.Rank[s]
	until := n.Op[1] == 'U'
	p := c.sets[n.Left][s] == until  // may go on
	q := c.sets[n.Right][s] == until // is there
	inside := set[s] == until        // of the ranked fixpoint
	// The ranked fixpoint of a release negates, so that E and A change places.
	exists := (n.Op[0] == 'E') == until
	successors := c.g.all[s]
	if n.Op[0] == 'E' {
		successors = c.g.some[s]
	}
	outside := func(t int) bool { return set[t] != until }
	switch {
	case inside != (rank >= 0), rank < -1:
		return errRank(i, c.g.states[s])
	case (rank == 0) != q:
		return errRank(i, c.g.states[s])
	case rank == 0:
		return nil
	case rank > 0:
		if !p || rank != nextRank(n.Rank, successors, exists) {
			return errRank(i, c.g.states[s])
		}
		return nil
	}
	// outside: it is not there, and cannot go on, or its successors lead outside
	if leaves := exists && every(successors, outside) || !exists && slices.ContainsFunc(successors, outside); p && !leaves {
		return errSet(i, c.g.states[s])
	}
	return nil
}

// nextRank is the rank of a state that is not there yet: one more than the least rank of its
// successors, or, when every one must have a rank, than the greatest. -1 when it has none.
func nextRank(rank, successors []int, exists bool) int {
	least, greatest := -1, 0
	for _, t := range successors {
		switch r := rank[t]; {
		case r < 0 && !exists:
			return -1
		case r >= 0:
			greatest = max(greatest, r)
			if least < 0 || r < least {
				least = r
			}
		}
	}
	switch {
	case !exists:
		return greatest + 1
	case least < 0:
		return -1
	}
	return least + 1
}

// checkTrace walks a trace again.
func checkTrace(t *cert.Trace, g *graph, initial string) *Error {
	states := slices.Concat(t.Path, t.Loop)
	if len(states) == 0 || states[0] != initial {
		return errTraceStart(initial)
	}
	if len(t.Loop) > 0 {
		if len(t.Closed) > 0 {
			return errTraceShape()
		}
		states = append(states, t.Loop[0])
	}
	for _, s := range append(slices.Clone(states), t.Closed...) {
		if _, ok := g.index[s]; !ok {
			return errTraceState(s)
		}
	}
	for i, s := range states[1:] {
		if !slices.Contains(g.all[g.index[states[i]]], g.index[s]) {
			return errTraceStep(states[i], s)
		}
	}
	if len(t.Closed) == 0 {
		return nil
	}
	return checkClosed(t.Closed, g, states[len(states)-1])
}

func checkClosed(closed []string, g *graph, end string) *Error {
	inside := map[int]bool{}
	for i, s := range closed {
		if i > 0 && closed[i-1] >= s {
			return errTraceShape()
		}
		inside[g.index[s]] = true
	}
	if !inside[g.index[end]] {
		return errTraceStep(end, closed[0])
	}
	for _, s := range closed {
		if !every(g.all[g.index[s]], func(t int) bool { return inside[t] }) {
			return errTraceLeaves(s)
		}
	}
	return nil
}
