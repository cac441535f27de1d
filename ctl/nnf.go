package ctl

// Negation normal form (Baier & Katoen, section 6.2.3): negations are pushed to
// the atoms by duality, and the other operators are unfolded into
//
//	true false p !p && || EX AX E[U] A[U] E[R] A[R].
//
// Both polarities of `<->` need both polarities of its operands, so a tree would
// double at each level. Nodes are therefore built once for each (subformula,
// polarity) and shared, which keeps size and time linear.

// NNF returns the negation normal form of f over the core operators. Equal
// subformulas of the result are the same node.
func NNF(f *Formula) *Formula {
	n := normaliser{done: map[polar]*Formula{}, nodes: map[Formula]*Formula{}}
	return n.normalise(f, false)
}

// polar is a formula (negated: false) or its negation (true).
type polar struct {
	f       *Formula
	negated bool
}

type normaliser struct {
	done  map[polar]*Formula
	nodes map[Formula]*Formula // keyed by operator and operands: hash consing
}

func (n *normaliser) normalise(f *Formula, negated bool) *Formula {
	key := polar{f, negated}
	if g, ok := n.done[key]; ok {
		return g
	}
	g := n.unfold(f, negated)
	n.done[key] = g
	return g
}

// unfold rewrites the outermost operator. A negated node is the dual operator
// over negated operands, so each case states the positive form only.
func (n *normaliser) unfold(f *Formula, negated bool) *Formula {
	node := func(op Op, left, right *Formula) *Formula {
		if negated {
			op = op.dual()
		}
		return n.node(Formula{Op: op, Left: left, Right: right})
	}
	left := func() *Formula { return n.normalise(f.Left, negated) }
	right := func() *Formula { return n.normalise(f.Right, negated) }
	switch f.Op {
	case OpTrue, OpFalse:
		return node(f.Op, nil, nil)
	case OpAtom:
		atom := n.node(Formula{Op: OpAtom, Name: f.Name})
		if negated {
			return n.node(Formula{Op: OpNot, Left: atom})
		}
		return atom
	case OpNot:
		return n.normalise(f.Left, !negated)
	case OpAnd, OpOr, OpEU, OpAU, OpER, OpAR:
		return node(f.Op, left(), right())
	case OpImplies:
		return node(OpOr, n.normalise(f.Left, !negated), right())
	case OpIff:
		return n.iff(f, negated)
	case OpEX, OpAX:
		return node(f.Op, left(), nil)
	case OpEF:
		return node(OpEU, node(OpTrue, nil, nil), left())
	case OpAF:
		return node(OpAU, node(OpTrue, nil, nil), left())
	case OpEG:
		return node(OpER, node(OpFalse, nil, nil), left())
	case OpAG:
		return node(OpAR, node(OpFalse, nil, nil), left())
	case OpEW:
		return node(OpER, right(), node(OpOr, left(), right()))
	case OpAW:
		return node(OpAR, right(), node(OpOr, left(), right()))
	}
	panic(invalidOperator(f.Op).Error())
}

// iff is (p && q) || (!p && !q), or (p && !q) || (!p && q) when negated.
func (n *normaliser) iff(f *Formula, negated bool) *Formula {
	half := func(flip bool) *Formula {
		return n.node(Formula{
			Op:    OpAnd,
			Left:  n.normalise(f.Left, flip),
			Right: n.normalise(f.Right, flip != negated),
		})
	}
	return n.node(Formula{Op: OpOr, Left: half(false), Right: half(true)})
}

func (n *normaliser) node(f Formula) *Formula {
	if shared, ok := n.nodes[f]; ok {
		return shared
	}
	n.nodes[f] = &f
	return &f
}

// dual is the core operator that stands for op under a negation.
func (op Op) dual() Op {
	switch op {
	case OpTrue:
		return OpFalse
	case OpFalse:
		return OpTrue
	case OpAnd:
		return OpOr
	case OpOr:
		return OpAnd
	case OpEX:
		return OpAX
	case OpAX:
		return OpEX
	case OpEU:
		return OpAR
	case OpAR:
		return OpEU
	case OpAU:
		return OpER
	case OpER:
		return OpAU
	}
	panic(invalidOperator(op).Error())
}
