package interp

import (
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// Names are bound to places before a body is compiled. A `let`, a parameter, a loop variable
// or a name of a pattern is a variable with an index into the frame of its function. A
// variable that a lambda speaks of is captured: it lives in a box of its own, made anew each
// time the variable is bound, and the lambda holds the box. (Flat closures: Cardelli,
// "Compiling a Functional Language", 1984.) So a lambda sees later assignments to the variable
// and each round of a loop has its own; where no lambda looks, a local is one array access.
//
// Scopes are lexical, hence known here. The one exception are the guards of machines: they
// read the locals of whoever calls transition. A guard is compiled once, with the names that
// it leaves open as parameters, and each call of transition notes where it has these names.

// variable is one bound name of a function.
type variable struct {
	name     string
	index    int
	fn       *function
	captured bool
}

// access is how code of one function reaches a variable: in its own frame or through a box
// that the lambda holds. The zero access is that of a name bound nowhere.
type access struct {
	v    *variable
	free bool
	at   int // index into the lambda's boxes when free
}

// function is a body with a frame of its own: of a handler, a lambda, a rule, a guard, or the
// rules of a test cell.
type function struct {
	parent   *function
	params   []*variable
	slots    int // places in use while binding
	size     int // of the frame
	boxed    bool
	captures []access // how the enclosing function reaches the boxes that a lambda holds
	holds    map[*variable]int
}

// unit is what binding learned about one function and the lambdas in it.
type unit struct {
	uses    map[*syntax.Name]access
	binds   map[syntax.Node]*variable // *Let, *For, *Bind, *PrefixPattern, *Property
	lambdas map[*syntax.Lambda]*function
	callees map[syntax.Expr]access            // of calls of a local
	sites   map[syntax.Expr]map[string]access // of calls of transition: the names that guards read
}

// binder binds the names of one unit.
type binder struct {
	w     *World
	cell  *resolve.Cell
	unit  *unit
	fn    *function
	scope *bindScope
}

// bindScope is the names of a block.
type bindScope struct {
	up   *bindScope
	vars []*variable
}

func newBinder(w *World, cell *resolve.Cell) *binder {
	return &binder{w: w, cell: cell, fn: &function{}, scope: &bindScope{}, unit: &unit{
		uses: map[*syntax.Name]access{}, binds: map[syntax.Node]*variable{},
		lambdas: map[*syntax.Lambda]*function{}, callees: map[syntax.Expr]access{},
		sites: map[syntax.Expr]map[string]access{},
	}}
}

// openNames are the names of a guard that may mean locals of whoever calls transition.
func openNames(w *World, guard syntax.Expr) []string {
	var out []string
	syntax.Inspect(guard, func(n syntax.Node) bool {
		x, ok := n.(*syntax.Name)
		if ok && !slices.Contains(out, x.Name) {
			if ref := w.ref(x); ref != nil && ref.Kind == resolve.RefLocal {
				out = append(out, x.Name)
			}
		}
		return true
	})
	return out
}

// declare binds a name in the innermost scope. Bound again in one scope, it keeps its index.
func (b *binder) declare(name string) *variable {
	for _, v := range b.scope.vars {
		if v.name == name {
			return v
		}
	}
	return b.add(name)
}

// param binds a parameter; two of one name are two.
func (b *binder) param(name string) { b.fn.params = append(b.fn.params, b.add(name)) }

func (b *binder) add(name string) *variable {
	v := &variable{name: name, index: b.fn.slots, fn: b.fn}
	b.fn.slots++
	b.fn.size = max(b.fn.size, b.fn.slots)
	b.scope.vars = append(b.scope.vars, v)
	return v
}

// inside binds what do visits in a scope of its own, whose places are free afterwards.
func (b *binder) inside(do func()) {
	outer, slots := b.scope, b.fn.slots
	b.scope = &bindScope{up: outer}
	do()
	b.scope, b.fn.slots = outer, slots
}

func (b *binder) find(name string) access {
	for s := b.scope; s != nil; s = s.up {
		for i := len(s.vars) - 1; i >= 0; i-- {
			if s.vars[i].name == name {
				return reach(s.vars[i], b.fn)
			}
		}
	}
	return access{}
}

// reach gives a function access to a variable of its own or of a function around it.
func reach(v *variable, fn *function) access {
	if v.fn == fn {
		return access{v: v}
	}
	v.captured, v.fn.boxed = true, true
	i, held := fn.holds[v]
	if !held {
		outer := reach(v, fn.parent)
		if fn.holds == nil {
			fn.holds = map[*variable]int{}
		}
		i = len(fn.captures)
		fn.holds[v] = i
		fn.captures = append(fn.captures, outer)
	}
	return access{v: v, free: true, at: i}
}

func (b *binder) name(x *syntax.Name) {
	if ref := b.w.ref(x); ref != nil && (ref.Kind == resolve.RefSlot || ref.Kind == resolve.RefState) {
		return
	}
	b.unit.uses[x] = b.find(x.Name)
}

func (b *binder) block(block *syntax.Block) {
	b.inside(func() {
		for _, s := range block.Stmts {
			b.visit(s)
		}
	})
}

// visit binds the names of a node in the order in which they come into being.
func (b *binder) visit(n syntax.Node) {
	switch n := n.(type) {
	case nil:
	case *syntax.Block:
		if n != nil {
			b.block(n)
		}
	case *syntax.Name:
		b.name(n)
	case *syntax.Let:
		b.visit(n.Value)
		b.unit.binds[n] = b.declare(n.Name.Name)
	case *syntax.For:
		b.visit(n.Bound)
		b.visit(n.In)
		b.inside(func() {
			b.unit.binds[n] = b.declare(n.Var.Name)
			b.block(n.Body)
		})
	case *syntax.Match:
		b.visit(n.X)
		for _, arm := range n.Arms {
			b.arm(arm)
		}
	case *syntax.Bind:
		b.unit.binds[n] = b.declare(n.Name)
	case *syntax.PrefixPattern:
		b.unit.binds[n] = b.declare(n.Rest.Name)
	case *syntax.Lambda:
		b.lambda(n)
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		b.call(n.(syntax.Expr))
	case *syntax.Property:
		b.visit(n.Lo)
		b.visit(n.Hi)
		b.visit(n.Count)
		b.inside(func() {
			b.unit.binds[n] = b.declare(n.Var.Name)
			b.visit(n.Cond)
		})
	default:
		syntax.Inspect(n, func(child syntax.Node) bool {
			if child == n {
				return true
			}
			b.visit(child)
			return false
		})
	}
}

func (b *binder) arm(arm *syntax.Arm) {
	b.inside(func() {
		for _, p := range arm.Patterns {
			b.visit(p)
		}
		b.visit(arm.Guard)
		b.visit(arm.Value)
		b.visit(arm.Body)
	})
}

func (b *binder) lambda(x *syntax.Lambda) {
	outer := b.fn
	b.fn = &function{parent: outer}
	b.unit.lambdas[x] = b.fn
	b.inside(func() {
		for _, p := range x.Params {
			b.param(p.Name)
		}
		b.visit(x.X)
		b.visit(x.Body)
	})
	b.fn = outer
}

func (b *binder) call(x syntax.Expr) {
	name, receiver, args := callParts(x)
	callee := b.w.prog.Info.Calls[x]
	if callee == nil {
		return
	}
	if callee.Receiver || callee.Kind == resolve.CallValue {
		if callee.Kind != resolve.CallSlot {
			b.visit(receiver)
		}
	}
	for _, a := range args {
		b.visit(a)
	}
	switch {
	case callee.Kind == resolve.CallLambda:
		b.unit.callees[x] = b.find(name)
	case callee.Kind == resolve.CallBuiltin && callee.Builtin.Name == "transition":
		b.site(x, callee)
	}
}

// site notes where a call of transition has the names that guards read.
func (b *binder) site(x syntax.Expr, callee *resolve.Callee) {
	m, err := b.w.machineOf(callee, b.cell, "")
	if err != nil {
		return
	}
	names := map[string]access{}
	for _, e := range m.Edges {
		if e.Row.Guard == nil {
			continue
		}
		for _, v := range b.w.guard(m, e.Row).open() {
			if a := b.find(v.name); a.v != nil {
				names[v.name] = a
			}
		}
	}
	b.unit.sites[x] = names
}
