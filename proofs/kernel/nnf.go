package kernel

// normal brings a formula into negation normal form over true, false, atoms, negated atoms, and,
// or, EX, AX, EU, AU, ER, AR (Baier and Katoen, Principles of Model Checking, 6.2.3). Each pair
// of a subformula and a polarity is built once and shared.
func normal(f *formula) *formula {
	return (&normaliser{done: map[polar]*formula{}, nodes: map[formula]*formula{}}).apply(f, false)
}

type polar struct {
	f       *formula
	negated bool
}

type normaliser struct {
	done  map[polar]*formula
	nodes map[formula]*formula
}

// duals gives each operator its dual, which stands for it under a negation.
var duals = map[string]string{
	"true": "false", "false": "true", "and": "or", "or": "and",
	"EX": "AX", "AX": "EX", "EU": "AR", "AR": "EU", "AU": "ER", "ER": "AU",
}

func (n *normaliser) apply(f *formula, negated bool) *formula {
	key := polar{f, negated}
	if g, ok := n.done[key]; ok {
		return g
	}
	g := n.rewrite(f, negated)
	n.done[key] = g
	return g
}

// node is an operator, or its dual when negated, over operands that are normal already.
func (n *normaliser) node(op string, negated bool, left, right *formula) *formula {
	if negated {
		op = duals[op]
	}
	return n.share(formula{op: op, left: left, right: right})
}

func (n *normaliser) share(f formula) *formula {
	if g, ok := n.nodes[f]; ok {
		return g
	}
	n.nodes[f] = &f
	return &f
}

func (n *normaliser) rewrite(f *formula, negated bool) *formula {
	left := func() *formula { return n.apply(f.left, negated) }
	right := func() *formula { return n.apply(f.right, negated) }
	switch f.op {
	case "true", "false":
		return n.node(f.op, negated, nil, nil)
	case "atom":
		atom := n.share(formula{op: "atom", atom: f.atom})
		if negated {
			return n.share(formula{op: "not", left: atom})
		}
		return atom
	case "not":
		return n.apply(f.left, !negated)
	case "=>": // !p || q
		return n.node("or", negated, n.apply(f.left, !negated), right())
	case "<=>": // p && q || !p && !q; negated: p && !q || !p && q
		both := n.share(formula{op: "and", left: n.apply(f.left, false), right: n.apply(f.right, negated)})
		none := n.share(formula{op: "and", left: n.apply(f.left, true), right: n.apply(f.right, !negated)})
		return n.share(formula{op: "or", left: both, right: none})
	case "EX", "AX":
		return n.node(f.op, negated, left(), nil)
	case "EF", "AF": // [true U p]
		return n.node(f.op[:1]+"U", negated, n.node("true", negated, nil, nil), left())
	case "EG", "AG": // [false R p]
		return n.node(f.op[:1]+"R", negated, n.node("false", negated, nil, nil), left())
	case "EW", "AW": // [p W q] is [q R p || q]
		return n.node(f.op[:1]+"R", negated, right(), n.node("or", negated, left(), right()))
	}
	return n.node(f.op, negated, left(), right())
}
