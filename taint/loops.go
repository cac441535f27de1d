package taint

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

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

// part is a node of the dependences: a symbol or result of a routine, or a store.
type part struct {
	r  *routine // nil for a store
	at place
}

type dependences struct {
	number map[part]int
	parts  []part
	on     [][]int             // what each part depends on
	step   map[[2]int]stepping // how, at most
}

// stepping is what a step of a dependence does with the value.
type stepping int8

const (
	copies   stepping = iota
	appends           // adds elements to it, as a list
	computes          // anything
)

func (d *dependences) of(p part) int {
	n, ok := d.number[p]
	if !ok {
		n = len(d.parts)
		d.number[p] = n
		d.parts = append(d.parts, p)
		d.on = append(d.on, nil)
	}
	return n
}

func (d *dependences) add(to, on part, step stepping) {
	k := [2]int{d.of(to), d.of(on)}
	old, ok := d.step[k]
	if !ok {
		d.on[k[0]] = append(d.on[k[0]], k[1])
	}
	d.step[k] = max(step, old)
}

// dependences lists what depends on what, in any instance.
func (a *analysis) dependences() *dependences {
	d := &dependences{number: map[part]int{}, step: map[[2]int]stepping{}}
	for _, x := range a.order {
		for _, f := range x.r.flows {
			if x.cell(f.to).max > Chosen {
				x.flowDepends(d, f)
			}
		}
		for _, c := range x.r.calls {
			if !c.byModel && c.unknown == nil {
				x.callDepends(d, c)
			}
		}
	}
	return d
}

func (x *instance) part(p place) part {
	if p.kind == toStore {
		return part{at: p}
	}
	return part{x.r, p}
}

func (x *instance) flowDepends(d *dependences, f *flow) {
	to := x.part(f.to)
	for _, in := range f.in {
		step := computes
		if in.how == copied {
			step = copies
		}
		switch {
		case in.how == choosing || in.kind == fromOrigin:
		case in.kind == fromStore:
			d.add(to, part{at: place{kind: toStore, st: in.st}}, step)
		default:
			x.depends(f.facts, in.v, step, func(s symbol, step stepping) {
				d.add(to, part{x.r, place{sym: s}}, step)
			})
		}
	}
}

func (x *instance) callDepends(d *dependences, c *callSite) {
	callee := x.of.routines[c.callee]
	for i := range callee.g.a.Params {
		if i < len(c.args) && callee.maxOf(i) > Chosen {
			to := part{callee, place{sym: callee.param(i)}}
			x.depends(c.facts, c.args[i], copies, func(s symbol, step stepping) {
				d.add(to, part{x.r, place{sym: s}}, step)
			})
		}
	}
	if c.result != noSymbol && x.syms[c.result].max > Chosen {
		d.add(part{x.r, place{sym: c.result}}, part{callee, place{kind: toResult}}, copies)
	}
}

// depends calls add for each symbol on which a value depends, unless through values that are
// one of finitely many.
func (x *instance) depends(f *facts, v value, step stepping, add func(s symbol, step stepping)) {
	type visit struct {
		v    value
		step stepping
	}
	seen := map[visit]bool{}
	var walk func(f *facts, v value, step stepping)
	walk = func(f *facts, v value, step stepping) {
		if seen[visit{v, step}] || x.limited(f, v) {
			return
		}
		seen[visit{v, step}] = true
		n := x.r.g.bank.at(v)
		switch {
		case n.sym != noSymbol:
			add(n.sym, step)
		case n.op == term.OpIte:
			for i, is := range []bool{true, false} {
				if g := x.r.g.bank.assume(f, n.args[0], is); g != nil && !x.limited(g, n.args[i+1]) {
					walk(f, n.args[i+1], step)
				}
			}
		default:
			for i, a := range n.args {
				if i == 0 && n.op == term.OpApp && n.name == "push" {
					walk(f, a, max(step, appends))
				} else {
					walk(f, a, computes)
				}
			}
		}
	}
	walk(f, v, step)
}

// limited tells whether a value is one of finitely many.
func (x *instance) limited(f *facts, v value) bool {
	b := x.r.g.bank
	n := b.at(v)
	if n.fixed || finite(n.sort) == Chosen {
		return true
	}
	trusted := func(by value) bool { return x.ask(question{f, by, false}).level <= Chosen }
	return f.holds(v, trusted) || b.limits(n, trusted)
}

// steps is the most that some step inside a cycle does.
func (d *dependences) steps(cycle map[int]bool) stepping {
	most := copies
	for n := range cycle {
		for _, on := range d.on[n] {
			if cycle[on] {
				most = max(most, d.step[[2]int{n, on}])
			}
		}
	}
	return most
}

// cycles are the strongly connected components that hold a cycle.
func (d *dependences) cycles() []map[int]bool {
	var out []map[int]bool
	index := make([]int, len(d.parts))
	low := make([]int, len(d.parts))
	onStack := make([]bool, len(d.parts))
	var stack []int
	next := 1
	type visit struct{ node, edge int }
	for root := range d.parts {
		if index[root] != 0 {
			continue
		}
		work := []visit{{node: root}}
		for len(work) > 0 {
			v := &work[len(work)-1]
			n := v.node
			if v.edge == 0 {
				index[n], low[n] = next, next
				next++
				stack = append(stack, n)
				onStack[n] = true
			}
			if v.edge < len(d.on[n]) {
				m := d.on[n][v.edge]
				v.edge++
				switch {
				case index[m] == 0:
					work = append(work, visit{node: m})
				case onStack[m]:
					low[n] = min(low[n], index[m])
				}
				continue
			}
			work = work[:len(work)-1]
			if len(work) > 0 {
				up := work[len(work)-1].node
				low[up] = min(low[up], low[n])
			}
			if low[n] != index[n] {
				continue
			}
			c := map[int]bool{}
			for {
				m := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[m] = false
				c[m] = true
				if m == n {
					break
				}
			}
			if _, self := d.step[[2]int{n, n}]; len(c) > 1 || self {
				out = append(out, c)
			}
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
	for n := range c.nodes {
		if p := c.d.parts[n]; p.r == nil {
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
