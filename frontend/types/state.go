package types

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// A body is gone over once in the order of its evaluation. The types of locals at the place
// that is reached stand in the locals themselves. Every change is kept in a trail, so that a
// branch can be undone; where branches meet, only what one of them changed is joined.
//
// Places that control comes back to, or leaves from anywhere (loops, try), are regions: what is
// assigned in a region is joined as it comes. At the head of a loop, and behind it, a local has
// its type from before or one that the loop assigned; behind a try likewise.
//
// Lambdas run whenever somebody calls them. A local that is assigned inside one, or captured
// by one and assigned anywhere, is shared: it has one type in the whole body, the join of all
// that is assigned to it, found by going over the body until it grows no more.

// body is one body, rule or condition that is gone over.
type body struct {
	*checker
	handler *resolve.Handler // nil outside handlers
	inTest  bool
	rule    *rule                   // of an invariant
	special func(name string) *Type // of names that the place binds; nil elsewhere

	scope   *scope
	trail   []change
	dead    bool  // control does not come here
	quiet   int   // constructs around this place in which a failure may be wanted
	lambdas int   // lambdas around this place
	given   *Type // join of what is returned
	found   []diag.Diagnostic
	values  map[*syntax.Block]*Type // of the blocks gone over

	shared  map[string]bool                // names of shared locals
	joined  map[span]*Type                 // the types of shared locals, by where they are bound
	grown   bool                           // some of them grew in this round
	heads   map[syntax.Node]map[span]*Type // what loops assign, by where it is bound
	regions []*region
	live    map[span]*local

	steps  int  // expressions gone over so far
	budget int  // of steps
	spent  bool // it is used up: locals are not followed any more
}

// local is a name that is bound.
type local struct {
	at     span
	typ    *Type
	shared bool
	depth  int // the number of regions around its binding
}

type scope struct {
	parent *scope
	locals map[string]*local
}

type change struct {
	l   *local
	old *Type
}

// region gathers what is assigned inside of it.
type region struct {
	assigned map[*local]*Type
	order    []*local
}

const (
	maxRounds = 3  // over a loop or body before the locals that still grow are given up
	maxVisits = 10 // of each node of a body, on the average
	freeSteps = 10_000
)

func (c *checker) body(root syntax.Node) *body {
	b := &body{checker: c, values: map[*syntax.Block]*Type{}, joined: map[span]*Type{}, heads: map[syntax.Node]map[span]*Type{}}
	nodes := 0
	b.shared, nodes = sharedNames(root)
	b.budget = freeSteps + maxVisits*nodes
	return b
}

// run goes over a body until the types of its shared locals hold, and gives the join of what
// it gives.
func (b *body) run(once func()) *Type {
	for round := 0; ; round++ {
		spent := b.spent
		b.scope, b.trail, b.dead, b.grown = &scope{}, nil, false, false
		b.given, b.found, b.live = never, nil, map[span]*local{}
		once()
		if !b.grown || spent {
			break
		}
		b.spent = b.spent || round == maxRounds || b.steps > b.budget
	}
	b.diags = append(b.diags, b.found...)
	return b.given
}

func (b *body) push() { b.scope = &scope{parent: b.scope} }
func (b *body) pop()  { b.scope = b.scope.parent }

// lookup finds a local, or nil.
func (b *body) lookup(name string) *local {
	for s := b.scope; s != nil; s = s.parent {
		if l := s.locals[name]; l != nil {
			return l
		}
	}
	return nil
}

// bind makes a local. A let of a name that its scope has is an assignment to that one.
func (b *body) bind(name syntax.Ident, t *Type) {
	if name.Name == "_" {
		return
	}
	if l := b.scope.locals[name.Name]; l != nil {
		b.assign(l, t)
		return
	}
	l := &local{at: name.At, typ: t, shared: b.shared[name.Name], depth: len(b.regions)}
	if l.shared {
		b.widen(l, t)
	}
	if b.scope.locals == nil {
		b.scope.locals = map[string]*local{}
	}
	b.scope.locals[name.Name] = l
	b.live[l.at] = l
}

// widen joins a type into that of a shared local.
func (b *body) widen(l *local, t *Type) {
	old := b.joined[l.at]
	if old == nil {
		old = never
	}
	l.typ = join(old, t)
	if !same(old, l.typ) {
		b.joined[l.at] = l.typ
		b.grown = true
	}
}

// assign gives a local a new value.
func (b *body) assign(l *local, t *Type) {
	switch {
	case b.dead:
	case l.shared:
		b.widen(l, t)
	default:
		b.keep(l, t)
		b.set(l, t)
	}
}

// keep tells the innermost region, if the local is bound outside of it, of an assignment.
func (b *body) keep(l *local, t *Type) {
	if n := len(b.regions); n > l.depth {
		b.regions[n-1].add(l, t)
	}
}

func (r *region) add(l *local, t *Type) {
	old, seen := r.assigned[l]
	if !seen {
		old = never
		r.order = append(r.order, l)
	}
	r.assigned[l] = join(old, t)
}

// set changes what is known of a local from here on.
func (b *body) set(l *local, t *Type) {
	if l.shared || l.typ == t {
		return
	}
	b.trail = append(b.trail, change{l, l.typ})
	l.typ = t
}

// typeOfLocal is what is known of a local here.
func (b *body) typeOfLocal(l *local) *Type {
	if b.spent {
		return anything
	}
	return l.typ
}

// outcome is how a branch changes what is known.
type outcome struct {
	changed map[*local]*Type
	order   []*local
}

// undo goes back to an earlier place of the trail and tells what had changed since.
func (b *body) undo(mark int) outcome {
	out := outcome{changed: map[*local]*Type{}}
	for i := len(b.trail) - 1; i >= mark; i-- {
		ch := b.trail[i]
		if _, seen := out.changed[ch.l]; !seen {
			out.changed[ch.l] = ch.l.typ
			out.order = append(out.order, ch.l)
		}
		ch.l.typ = ch.old
	}
	b.trail = b.trail[:mark]
	return out
}

// fork goes over branches of which one is taken, and joins what is known behind them.
func (b *body) fork(branches ...func()) {
	mark, dead, quiet := len(b.trail), b.dead, b.quiet
	var alive []outcome
	for _, branch := range branches {
		b.dead, b.quiet = dead, quiet
		branch()
		reached := !b.dead
		if out := b.undo(mark); reached {
			alive = append(alive, out)
		}
	}
	b.quiet = quiet
	b.dead = len(alive) == 0
	joined, branchesOf := map[*local]*Type{}, map[*local]int{}
	var order []*local
	for _, out := range alive {
		for _, l := range out.order {
			if branchesOf[l]++; branchesOf[l] == 1 {
				joined[l] = never
				order = append(order, l)
			}
			joined[l] = join(joined[l], out.changed[l])
		}
	}
	for _, l := range order {
		if branchesOf[l] < len(alive) {
			joined[l] = join(joined[l], l.typ)
		}
		b.set(l, joined[l])
	}
}

// within goes over a region and gives what is assigned in it; what is known is afterwards as
// it was before.
func (b *body) within(inside func()) *region {
	mark, dead := len(b.trail), b.dead
	r := &region{assigned: map[*local]*Type{}}
	b.regions = append(b.regions, r)
	inside()
	b.regions = b.regions[:len(b.regions)-1]
	b.undo(mark)
	b.dead = dead
	return r
}

// afterwards makes locals what they were or became in a region that may have been left
// anywhere.
func (b *body) afterwards(r *region) {
	for _, l := range r.order {
		b.keep(l, r.assigned[l])
		b.set(l, join(l.typ, r.assigned[l]))
	}
}

// loop goes over a loop until what is known at its head holds. The round takes place in a
// region; what is known behind it is what is known at its head.
func (b *body) loop(node syntax.Node, round func()) {
	head := b.heads[node]
	if head == nil {
		head = map[span]*Type{}
		b.heads[node] = head
	}
	found, mark := len(b.found), len(b.trail)
	for n := 0; ; n++ {
		spent := b.spent
		for at, t := range head {
			if l := b.live[at]; l != nil {
				b.set(l, join(l.typ, t))
			}
		}
		r := b.within(round)
		if b.grows(r, head, n >= maxRounds) && !spent {
			b.undo(mark)
			b.found = b.found[:found]
			b.spent = b.spent || b.steps > b.budget
			continue
		}
		b.afterwards(r)
		return
	}
}

// grows tells whether a round of a loop assigned what its head does not know of, and adds that
// to the head.
func (b *body) grows(r *region, head map[span]*Type, giveUp bool) bool {
	grown := false
	for _, l := range r.order {
		t := join(l.typ, r.assigned[l])
		if same(t, l.typ) {
			continue
		}
		if giveUp {
			t = anything
		}
		grown = true
		head[l.at] = join(orNever(head[l.at]), t)
	}
	return grown
}

func orNever(t *Type) *Type {
	if t == nil {
		return never
	}
	return t
}

// sharedNames are the names that a lambda and the code around it may both change or see
// change: assigned inside a lambda, or named inside one and assigned anywhere. What the guard
// of an arm assigns is shared as well: it runs before it is known whether the arm is taken.
// The number is that of the nodes.
func sharedNames(root syntax.Node) (shared map[string]bool, nodes int) {
	lets, assigned, captured := map[string]int{}, map[string]bool{}, map[string]bool{}
	var inside func(n syntax.Node, lambda bool)
	inside = func(n syntax.Node, lambda bool) {
		syntax.Inspect(n, func(m syntax.Node) bool {
			nodes++
			switch m := m.(type) {
			case *syntax.Lambda:
				if !lambda {
					inside(m, true)
					return false
				}
			case *syntax.Arm:
				syntax.Inspect(m.Guard, func(n syntax.Node) bool {
					if a, ok := n.(*syntax.Assign); ok {
						captured[rootName(a.Target)] = true
					}
					return true
				})
			case *syntax.Let:
				lets[m.Name.Name]++
			case *syntax.Assign:
				assigned[rootName(m.Target)] = true
			case *syntax.Name:
				if lambda {
					captured[m.Name] = true
				}
			}
			return true
		})
	}
	inside(root, false)
	shared = map[string]bool{}
	for name := range captured {
		if assigned[name] || lets[name] > 1 {
			shared[name] = true
		}
	}
	return shared, nodes
}

// rootName is the name that an assignable place starts from, or "".
func rootName(x syntax.Expr) string {
	var root syntax.Expr
	for root = range syntax.Path(x) {
	}
	if name, ok := root.(*syntax.Name); ok {
		return name.Name
	}
	return ""
}
