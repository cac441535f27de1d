package taint

import "soma.cell/smt/term"

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
