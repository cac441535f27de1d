package taint

import "soma.cell/ir"

// What is assembled under untrusted control is untrusted: a text to which a loop adds one
// piece or another as a model's answers go, a counter that a branch on them raises. Each step
// only chooses among values of the program, but together the steps can spell anything.
//
// A value is assembled when it depends on itself through at least one operation: its symbol
// lies on a cycle of dependences (through the rounds of a loop, the calls of a recursion, or
// a slot from one invocation to the next) of which some step is not a mere copy. When all such
// steps append to a list, only the list is assembled, its elements are not. Such a cycle
// is under untrusted control when a branch that is taken anew in each round decides a step of
// it, or a step takes in a value that is chosen anew in each round. Cycles are the strongly
// connected components of the dependences (Tarjan, 1972); values of finite sorts and tested
// values end a dependence, as they are one of finitely many.
//
// Cost: linear in the dependences.

// assemble raises what is assembled under untrusted control.
func (a *analysis) assemble() {
	d := a.dependences()
	for _, c := range d.cycles() {
		if step := d.steps(c); step > copies {
			a.judge(d, c, step)
		}
	}
	for _, x := range a.order {
		for _, f := range x.r.flows {
			if !f.drawn {
				continue
			}
			if l := x.repeats(f.edge); l.level >= Chosen {
				l.level = Untrusted
				a.raise(x.cell(f.to), l, nil)
				for _, in := range f.in { // a counter goes on from there
					if in.kind == fromStore {
						a.raise(a.store(in.st), l, nil)
					}
				}
			}
		}
	}
}

// repeats is Chosen when an untrusted value decides how often an edge is taken.
func (x *instance) repeats(edge int) label {
	l := x.repeated.label()
	e := x.r.g.a.Edges[edge]
	for _, loop := range x.r.g.a.Loops {
		in := region{}
		in.add(loop)
		if in[e.From] {
			l = l.join(x.control(in.only(x.r.control.deciders(edge))))
		}
	}
	return l
}

// region is a set of locations; nil is everything.
type region map[ir.Loc]bool

func (r region) add(l *ir.Loop) {
	for _, b := range l.Body {
		r[b] = true
	}
}

func (r region) holds(l ir.Loc) bool { return r == nil || r[l] }

func (r region) only(ls []ir.Loc) []ir.Loc {
	var out []ir.Loc
	for _, l := range ls {
		if r.holds(l) {
			out = append(out, l)
		}
	}
	return out
}

// cycle is a cycle of dependences where it is judged.
type cycle struct {
	d     *dependences
	nodes map[int]bool
	local *routine // whose symbols it holds, when it holds nothing else
	in    region   // the loops whose rounds it goes through; nil when not only loops
}

func (c *cycle) holds(p part) bool {
	n, ok := c.d.number[p]
	return ok && c.nodes[n]
}

// judge raises a cycle where it is under untrusted control.
func (a *analysis) judge(d *dependences, nodes map[int]bool, step stepping) {
	c := a.place(d, nodes)
	for _, x := range a.order {
		if c.local != nil && c.local != x.r {
			continue
		}
		l := x.influence(c)
		if l.level < Chosen {
			continue
		}
		l.level = Untrusted
		if step == appends {
			l.level = Collected
		}
		if c.local != nil {
			x.lift(c, l)
			continue
		}
		for _, y := range a.order {
			y.lift(c, l)
		}
		a.liftShared(c, l)
	}
}

// place finds out through what a cycle goes.
func (a *analysis) place(d *dependences, nodes map[int]bool) *cycle {
	c := &cycle{d: d, nodes: nodes}
	for n := range nodes {
		p := d.parts[n]
		if p.r == nil || p.at.kind != toSymbol || p.r.g.symbols[p.at.sym].role == initial {
			return &cycle{d: d, nodes: nodes}
		}
		if c.local != nil && c.local != p.r {
			return &cycle{d: d, nodes: nodes}
		}
		c.local = p.r
	}
	for _, l := range c.local.g.a.Loops {
		for n := range nodes {
			if b := c.local.g.symbols[d.parts[n].at.sym]; b.role == selected && b.loc == l.Head {
				if c.in == nil {
					c.in = region{}
				}
				c.in.add(l)
				break
			}
		}
	}
	return c
}

// lift raises the symbols and the result of an instance that lie on a cycle.
func (x *instance) lift(c *cycle, l label) {
	for i, cell := range x.syms {
		if x.r.g.symbols[i].role != initial && c.holds(part{x.r, place{sym: symbol(i)}}) {
			x.of.raise(cell, l, nil)
		}
	}
	if c.holds(part{x.r, place{kind: toResult}}) {
		x.of.raise(x.result, l, nil)
	}
}

// liftShared raises the stores and parameters on a cycle.
func (a *analysis) liftShared(c *cycle, l label) {
	for n, p := range c.d.parts {
		if c.nodes[n] && p.r == nil {
			a.raise(a.store(p.at.st), l, nil)
		}
	}
	for _, r := range a.ordered {
		for i := range r.g.a.Params {
			if !c.holds(part{r, place{sym: r.param(i)}}) {
				continue
			}
			if a.assembled[r] == nil {
				a.assembled[r] = map[int]label{}
			}
			if next := a.assembled[r][i].join(l); next.level != a.assembled[r][i].level {
				a.assembled[r][i] = next
				a.grown = true
			}
		}
	}
}

// influence is at least Chosen when an untrusted value decides a step of a cycle in an
// instance, anew in each round.
func (x *instance) influence(c *cycle) label {
	var l label
	for _, f := range x.r.flows {
		if !c.holds(x.part(f.to)) || !x.within(c, f.edge) {
			continue
		}
		l = l.join(x.control(c.in.only(x.r.control.deciders(f.edge)))).join(x.outside(f))
		for _, in := range f.in {
			if in.kind == fromStore && c.holds(part{at: place{kind: toStore, st: in.st}}) {
				continue
			}
			if in.kind != fromValue {
				l = l.join(x.input(f.facts, in))
				continue
			}
			l = l.join(x.taken(c, f.facts, in.v))
		}
	}
	if c.local == nil {
		l = l.join(x.callInfluence(c))
	}
	return l
}

func (x *instance) callInfluence(c *cycle) label {
	var l label
	for _, s := range x.r.calls {
		callee := x.of.routines[s.callee]
		for i := range callee.g.a.Params {
			if i < len(s.args) && c.holds(part{callee, place{sym: callee.param(i)}}) {
				l = l.join(x.control(x.r.control.deciders(s.edge))).join(x.taken(c, s.facts, s.args[i]))
			}
		}
		if s.result != noSymbol && c.holds(part{x.r, place{sym: s.result}}) {
			l = l.join(x.control(x.r.control.deciders(s.edge)))
		}
	}
	return l
}

// within tells whether an edge is one of the rounds that a cycle goes through.
func (x *instance) within(c *cycle, edge int) bool {
	return c.in.holds(x.r.g.a.Edges[edge].From)
}

// taken is the label of what a step of a cycle takes in beside the cycle itself: only what is
// another value in each round counts.
func (x *instance) taken(c *cycle, f *facts, v value) label {
	var l label
	seen := map[value]bool{}
	var walk func(v value)
	walk = func(v value) {
		if seen[v] {
			return
		}
		seen[v] = true
		n := x.r.g.bank.at(v)
		mixed, fresh := false, c.local == nil
		for _, s := range n.syms {
			mixed = mixed || c.holds(part{x.r, place{sym: s}})
			b := x.r.g.symbols[s]
			fresh = fresh || b.role != initial && c.in.holds(b.loc)
		}
		switch {
		case !mixed || x.limited(f, v):
			if fresh {
				l = l.join(x.eval(f, v))
			}
		case n.sym == noSymbol:
			for _, a := range n.args {
				walk(a)
			}
		}
	}
	walk(v)
	return l
}

// findRecursion marks the calls that may lead back to their own body: each starts one more
// round of a recursion.
func (a *analysis) findRecursion() {
	callers := map[*routine][]*routine{}
	for _, r := range a.ordered {
		for _, c := range r.calls {
			callee := a.routines[c.callee]
			callers[callee] = append(callers[callee], r)
		}
	}
	for _, r := range a.ordered {
		from := map[*routine]bool{r: true} // what leads to r
		work := []*routine{r}
		for len(work) > 0 {
			at := work[0]
			work = work[1:]
			for _, by := range callers[at] {
				if !from[by] {
					from[by] = true
					work = append(work, by)
				}
			}
		}
		for _, c := range r.calls {
			c.again = from[a.routines[c.callee]]
		}
	}
}
