package taint

import "soma.cell/smt/term"

// eval is the label of a value where the facts hold.
func (x *instance) eval(f *facts, v value) label { return x.ask(question{f, v, true}) }

// ask evaluates, with or without endorsement by bounds: bounds themselves are evaluated
// without, so that two values that bound each other do not vouch for each other.
func (x *instance) ask(q question) label {
	if l, ok := x.memo[q]; ok {
		return l
	}
	l := x.compute(q)
	n := x.r.g.bank.at(q.v)
	l = l.cap(finite(n.sort))
	l = x.endorse(q, l)
	x.memo[q] = l
	return l
}

// endorse lowers the label of a value that the facts speak of.
func (x *instance) endorse(q question, l label) label {
	if l.level < Prefixed {
		return l
	}
	trusted := func(by value) bool {
		return q.bounds && x.ask(question{q.f, by, false}).level <= Chosen
	}
	if q.f.holds(q.v, trusted) {
		return l.cap(Chosen)
	}
	if c, _ := q.f.of.at(q.v); c.prefixed {
		return l.cap(Prefixed)
	}
	return l
}

func (x *instance) compute(q question) label {
	n := x.r.g.bank.at(q.v)
	part := func(v value) label { return x.ask(question{q.f, v, q.bounds}) }
	switch {
	case n.fixed:
		return label{}
	case n.sym != noSymbol:
		return x.syms[n.sym].label()
	case n.op == term.OpConcat:
		return concat(part(n.args[0]), part(n.args[1]))
	case n.op == term.OpIte:
		l := part(n.args[0]).cap(Chosen)
		return l.join(x.branchOf(q, n, 1, true)).join(x.branchOf(q, n, 2, false))
	}
	var l label
	for i, a := range n.args {
		l = l.join(n.argument(i, part(a)))
	}
	if x.r.g.bank.limits(n, func(v value) bool { return part(v).level <= Chosen }) {
		l = l.cap(Chosen)
	}
	return l
}

// branchOf is the label of one alternative of a choice, where its condition is known.
func (x *instance) branchOf(q question, n *node, i int, is bool) label {
	f := x.r.g.bank.assume(q.f, n.args[0], is)
	if f == nil {
		return label{}
	}
	l := x.ask(question{q.f, n.args[i], q.bounds})
	return x.endorse(question{f, n.args[i], q.bounds}, l)
}

// concat is the label of a joined text: it begins as its first part does, and one that begins
// with a trusted text and goes on like a prefixed one is as good as that.
func concat(a, b label) label {
	switch {
	case a.level == Prefixed:
		return a
	case a.level > Chosen || b.level == Prefixed:
		return a.join(b)
	}
	return a.join(b.derived())
}

// argument is what the i-th argument of an operation leaves in its result.
func (n *node) argument(i int, l label) label {
	if i == 0 && n.op == term.OpApp {
		switch n.name {
		case "index", "nth":
			return l.element()
		case "push":
			if l.level == Collected {
				return l
			}
		}
	}
	return l.derived()
}

// limits tells whether a function gives one of finitely many values of the program, or a
// number between trusted bounds, whatever its other arguments are.
func (b *bank) limits(n *node, trusted func(value) bool) bool {
	if n.op != term.OpApp {
		return false
	}
	switch n.name {
	case "clamp":
		return len(n.args) == 3 && trusted(n.args[1]) && trusted(n.args[2])
	case "index", "field", "nth", "get":
		return len(n.args) > 0 && b.at(n.args[0]).fixed
	}
	return false
}
