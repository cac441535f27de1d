package ctl

// Traces are read off the labelling (Baier & Katoen, section 6.6). A tracer
// holds a claim that is true at the last state of its path and extends the path
// until it shows why:
//
//	p && q      follow the operand that has a temporal operator
//	p || q      follow an operand that is true, a propositional one for preference
//	EX p        step to a successor with p, follow p
//	E[p U q]    walk down the ranks to q, follow q
//	E[p R q]    walk to the nearest p && q and follow p, else a lasso inside q
//	A[p R q]    all reachable states, if q holds in them; else its p && q if here
//	A[p U q]    follow q if it holds here
//
// A counterexample is a trace of the negation. Its subformulas are the duals of
// the labelled ones, with the complements of their sets and the very same ranks,
// so nothing is computed twice.

// Counterexample explains why the formula fails at the lowest-numbered initial
// state where it does. It fails when the formula holds at every initial state.
func Counterexample(r *Result) (*Trace, error) {
	if r.Holds() {
		return nil, nothingToRefute(r.Formula)
	}
	return explain(r, r.Failing().First(), true), nil
}

// Witness explains why the formula holds at the lowest-numbered initial state. It
// fails when the formula does not hold at every initial state.
func Witness(r *Result) (*Trace, error) {
	if !r.Holds() {
		return nil, nothingToWitness(r.Formula)
	}
	return explain(r, r.Structure.Initial().First(), false), nil
}

func explain(r *Result, state int, negated bool) *Trace {
	t := &tracer{r: r, s: r.Structure, propositional: propositionalNodes(r.Nodes)}
	t.trace = &Trace{Prefix: []int{state}, Complete: true}
	c := claim{len(r.Nodes) - 1, negated}
	for done := false; !done; {
		c, done = t.follow(c)
	}
	return t.trace
}

// propositionalNodes marks the nodes without temporal operator.
func propositionalNodes(nodes []Node) []bool {
	out := make([]bool, len(nodes))
	for i, n := range nodes {
		switch n.Formula.Op {
		case OpTrue, OpFalse, OpAtom, OpNot:
			out[i] = true
		case OpAnd, OpOr:
			out[i] = out[n.Left] && out[n.Right]
		}
	}
	return out
}

// claim is a node's formula or, if negated, the negation of it.
type claim struct {
	node    int
	negated bool
}

type tracer struct {
	r             *Result
	s             *Structure
	propositional []bool // by node
	trace         *Trace
}

func (t *tracer) node(c claim) *Node { return &t.r.Nodes[c.node] }

// operator is the core operator of the claim's own normal form.
func (t *tracer) operator(c claim) Op {
	op := t.node(c).Formula.Op
	if c.negated {
		return op.dual()
	}
	return op
}

func (t *tracer) left(c claim) claim { return claim{t.node(c).Left, c.negated} }

func (t *tracer) right(c claim) claim { return claim{t.node(c).Right, c.negated} }

func (t *tracer) isPropositional(c claim) bool { return t.propositional[c.node] }

func (t *tracer) holds(c claim, state int) bool { return t.node(c).Set.Has(state) != c.negated }

func (t *tracer) set(c claim) *Set {
	if c.negated {
		return t.node(c).Set.Not()
	}
	return t.node(c).Set
}

func (t *tracer) formula(c claim) *Formula {
	if c.negated {
		return NNF(Not(t.node(c).Formula))
	}
	return t.node(c).Formula
}

func (t *tracer) here() int { return t.trace.Prefix[len(t.trace.Prefix)-1] }

func (t *tracer) walk(states ...int) { t.trace.Prefix = append(t.trace.Prefix, states...) }

// demand notes that the trace does not show c unless it is propositional.
func (t *tracer) demand(c claim) {
	if !t.isPropositional(c) {
		t.trace.Complete = false
	}
}

// stop ends the trace with what it has led to.
func (t *tracer) stop(c claim) (claim, bool) {
	t.trace.Claim = t.formula(c)
	return c, true
}

// follow extends the trace by one operator. It returns the claim to follow next,
// true at the new end, or whether the trace is done.
func (t *tracer) follow(c claim) (next claim, done bool) {
	if t.isPropositional(c) {
		return t.stop(c)
	}
	left, right := t.left(c), t.right(c)
	switch t.operator(c) {
	case OpAnd:
		return t.both(left, right), false
	case OpOr:
		return t.either(left, right), false
	case OpEX:
		t.walk(t.successor(func(state int) bool { return t.holds(left, state) }))
		return left, false
	case OpEU:
		t.descend(c)
		return right, false
	case OpER:
		return t.release(c)
	case OpAR:
		if t.holds(left, t.here()) {
			return t.both(left, right), false
		}
		return t.always(c)
	case OpAU:
		if t.holds(right, t.here()) {
			return right, false
		}
	}
	t.trace.Complete = false
	return t.stop(c)
}

// both chooses between two claims that are both needed and both hold here.
func (t *tracer) both(left, right claim) claim {
	if t.isPropositional(right) {
		return left
	}
	t.demand(left)
	if t.isPropositional(left) {
		return right
	}
	return left
}

// either chooses between two claims of which one is needed and holds here.
func (t *tracer) either(left, right claim) claim {
	here := t.here()
	switch {
	case !t.holds(left, here):
		return right
	case t.holds(right, here) && t.isPropositional(right) && !t.isPropositional(left):
		return right
	}
	return left
}

// successor is the lowest-numbered successor that satisfies good.
func (t *tracer) successor(good func(state int) bool) int {
	for _, next := range t.s.Succ(t.here()) {
		if good(int(next)) {
			return int(next)
		}
	}
	panic(brokenLabelling(t.here()).Error())
}

// descend walks E[p U q] down its ranks, a shortest path to q.
func (t *tracer) descend(c claim) {
	rank := t.node(c).Rank
	if rank[t.here()] > 0 {
		t.demand(t.left(c))
	}
	for rank[t.here()] > 0 {
		below := rank[t.here()] - 1
		t.walk(t.successor(func(state int) bool { return rank[state] == below }))
	}
}

// release shows E[p R q]: a shortest path inside it to p, which ends the duty to
// satisfy q, or else a lasso inside it.
func (t *tracer) release(c claim) (next claim, done bool) {
	left, right := t.left(c), t.right(c)
	within := t.set(c)
	path := shortestPath(t.s, within, t.here(), func(state int) bool { return t.holds(left, state) })
	if path == nil {
		t.lasso(within)
		t.demand(right)
		return t.stop(right)
	}
	if len(path) > 1 {
		t.demand(right)
	}
	t.walk(path[1:]...)
	return t.both(left, right), false
}

// lasso goes on to the nearest cycle inside within and once around it, by a
// shortest cycle through the state where it is met.
func (t *tracer) lasso(within *Set) {
	cyclic := cyclicStates(t.s, within, t.here())
	path := shortestPath(t.s, within, t.here(), cyclic.Has)
	t.walk(path[1:]...)
	entry := t.here()
	t.trace.Prefix = t.trace.Prefix[:len(t.trace.Prefix)-1]
	t.trace.Loop = shortestPath(t.s, cyclic, entry, func(state int) bool { return t.s.HasEdge(state, entry) })
}

// always shows A[p R q] by the set of all reachable states, if q holds in them.
func (t *tracer) always(c claim) (next claim, done bool) {
	right := t.right(c)
	region := t.s.closure(SetOf(t.s.Len(), t.here()))
	if !region.SubsetOf(t.set(right)) {
		t.trace.Complete = false
		return t.stop(c)
	}
	t.trace.Closed = region
	t.demand(right)
	return t.stop(right)
}
