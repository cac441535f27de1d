package refute

import (
	"slices"

	"soma.cell/smt/term"
)

// branch is a node of the tableau: the facts that hold in it, each with the line that says so.
type branch struct {
	e     *engine
	facts map[int]int // index of a formula in the bank → line
	order []int       // the facts, in the order in which they came
	fresh []int       // facts to be taken apart

	disjunctions []int // facts with alternatives
	instances    map[[2]int]bool
	scanned      map[int]bool
	closure      *closure
	model        *model // of the linear facts, once saturated
}

func (e *engine) newBranch() *branch {
	return &branch{e: e, facts: map[int]int{}, instances: map[[2]int]bool{}, scanned: map[int]bool{}, closure: newClosure(e.bank)}
}

// clone copies a branch; its closure is built again from the facts.
func (b *branch) clone() *branch {
	c := b.e.newBranch()
	c.disjunctions, c.fresh = slices.Clone(b.disjunctions), slices.Clone(b.fresh)
	for k := range b.instances {
		c.instances[k] = true
	}
	for k := range b.scanned {
		c.scanned[k] = true
	}
	for _, id := range b.order {
		c.order = append(c.order, id)
		c.facts[id] = b.facts[id]
		c.closure.assert(id, b.facts[id])
	}
	for _, d := range c.disjunctions {
		c.registerAlternatives(d)
	}
	return c
}

// add makes the claim of a line a fact; a fact that is known already stays as it is.
func (b *branch) add(line int) {
	id := b.e.bank.Add(b.e.lines[line].Claim)
	if _, known := b.facts[id]; known {
		return
	}
	b.facts[id] = line
	b.order = append(b.order, id)
	b.fresh = append(b.fresh, id)
	b.closure.assert(id, line)
}

// saturate draws all cheap conclusions. It returns the line that claims false, or -1 when
// there is none yet.
func (b *branch) saturate() (closed int, err error) {
	for {
		if b.e.full {
			return 0, &LimitError{What: "lines"}
		}
		for len(b.fresh) > 0 {
			id := b.fresh[0]
			b.fresh = b.fresh[1:]
			if b.e.bank.Term(id).Op == term.OpFalse {
				return b.facts[id], nil
			}
			b.takeApart(id)
		}
		b.closure.close()
		if clash := b.closure.clash; clash != nil {
			return b.e.line(Conflict, term.False, b.closure.explain(*clash)...), nil
		}
		if b.propagate() || b.units() || b.arrays() {
			continue
		}
		return b.linear()
	}
}

// takeApart draws what the shape of a fact gives.
func (b *branch) takeApart(id int) {
	e, line := b.e, b.facts[id]
	t := e.bank.Term(id)
	b.conditionals(t)
	switch {
	case t.Op == term.OpAnd:
		for _, a := range t.Args {
			b.add(e.line(And, a, line))
		}
	case t.Op == term.OpNot && t.Args[0].Op == term.OpOr:
		for _, a := range t.Args[0].Args {
			b.add(e.line(NotOr, term.Not(a), line))
		}
	case t.Op == term.OpNot && t.Args[0].Op == term.OpImplies:
		b.add(e.line(NotImplies, t.Args[0].Args[0], line))
		b.add(e.line(NotImplies, term.Not(t.Args[0].Args[1]), line))
	case alternatives(t) != nil:
		b.disjunctions = append(b.disjunctions, id)
		b.registerAlternatives(id)
	}
}

// conditionals states the two cases of each conditional in a term, once.
func (b *branch) conditionals(t *term.Term) {
	id := b.e.bank.Add(t)
	if b.scanned[id] {
		return
	}
	b.scanned[id] = true
	for _, a := range t.Args {
		b.conditionals(a)
	}
	if t.Op != term.OpIte {
		return
	}
	c := t.Args[0]
	b.axiom(Ite, term.Implies(c, term.Eq(t, t.Args[1])))
	b.axiom(Ite, term.Implies(term.Not(c), term.Eq(t, t.Args[2])))
}

// axiom adds a formula that needs no line, unless it is known or says nothing.
func (b *branch) axiom(rule Rule, t *term.Term) {
	if t.Op == term.OpTrue {
		return
	}
	if _, known := b.facts[b.e.bank.Add(t)]; !known {
		b.add(b.e.line(rule, t))
	}
}

// alternatives are the formulas of which one holds when t does; nil when t is no disjunction.
func alternatives(t *term.Term) []*term.Term {
	switch {
	case t.Op == term.OpOr:
		return t.Args
	case t.Op == term.OpImplies:
		return []*term.Term{term.Not(t.Args[0]), t.Args[1]}
	case t.Op == term.OpNot && t.Args[0].Op == term.OpAnd:
		var out []*term.Term
		for _, a := range t.Args[0].Args {
			out = append(out, term.Not(a))
		}
		return out
	}
	return nil
}

// alternatives are those of a disjunction, each once.
func (b *branch) alternatives(disjunction int) []*term.Term {
	seen := map[int]bool{}
	return slices.DeleteFunc(slices.Clone(alternatives(b.e.bank.Term(disjunction))), func(a *term.Term) bool {
		id := b.e.bank.Add(a)
		again := seen[id]
		seen[id] = true
		return again
	})
}

func (b *branch) registerAlternatives(id int) {
	for _, a := range alternatives(b.e.bank.Term(id)) {
		b.closure.register(b.e.bank.Add(a))
	}
}

// propagate makes facts of the formulas that the closure decides and that something can be
// drawn from.
func (b *branch) propagate() (more bool) {
	for _, id := range b.closure.nodes {
		t := b.e.bank.Term(id)
		switch t.Op {
		case term.OpAnd, term.OpOr, term.OpImplies, term.OpLe, term.OpLt:
		case term.OpEq:
			if !t.Args[0].Sort.Same(term.Int) {
				continue
			}
		default:
			continue
		}
		truth, known := b.closure.value(id)
		if !known {
			continue
		}
		claim := t
		if !truth {
			claim = term.Not(t)
		}
		if _, isFact := b.facts[b.e.bank.Add(claim)]; !isFact && claim.Op != term.OpFalse {
			b.add(b.derive(claim))
			more = true
		}
	}
	return more
}

// derive writes what the closure knows to be true.
func (b *branch) derive(claim *term.Term) int {
	id := b.e.bank.Add(claim)
	if line, ok := b.facts[id]; ok {
		return line
	}
	var lines []int
	if t := claim; t.Op == term.OpNot {
		lines = b.closure.explain([2]int{b.e.bank.Add(t.Args[0]), b.closure.truth[0]})
	} else if _, ok := b.closure.root[id]; ok && b.closure.same(id, b.closure.truth[1]) {
		lines = b.closure.explain([2]int{id, b.closure.truth[1]})
	} else { // an equation that nobody wrote
		lines = b.closure.explain([2]int{b.e.bank.Add(t.Args[0]), b.e.bank.Add(t.Args[1])})
	}
	return b.e.line(Congruence, claim, lines...)
}

// units finds disjunctions with one alternative left.
func (b *branch) units() (more bool) {
	for _, id := range b.disjunctions {
		left, satisfied := b.open(id)
		if satisfied || len(left) > 1 {
			continue
		}
		claim := term.False
		if len(left) == 1 {
			claim = left[0]
		}
		if _, known := b.facts[b.e.bank.Add(claim)]; known {
			continue
		}
		var refuting []int
		for _, a := range b.alternatives(id) {
			if !a.Equal(claim) && a.Op != term.OpFalse {
				refuting = append(refuting, b.derive(term.Not(a)))
			}
		}
		refuting, _ = sorted(refuting, nil)
		b.add(b.e.line(Unit, claim, append([]int{b.facts[id]}, refuting...)...))
		more = true
	}
	return more
}

// open lists the alternatives that the closure does not know to be false, and tells whether it
// knows one to be true.
func (b *branch) open(disjunction int) (left []*term.Term, satisfied bool) {
	for _, a := range b.alternatives(disjunction) {
		switch truth, known := b.closure.value(b.e.bank.Add(a)); {
		case a.Op == term.OpFalse:
		case !known:
			left = append(left, a)
		case truth:
			return nil, true
		}
	}
	return left, false
}
