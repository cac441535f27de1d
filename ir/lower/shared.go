package lower

import (
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A function that is kept in a name may run anywhere after it was made, from inside a loop, a
// try, or a scope that hides the locals it speaks of. A local that such a function assigns is
// shared: one variable gathers all that is ever assigned to the name, and whoever reads the
// name gets any value derived from it. Other locals keep the value they have where they are
// bound; those that are assigned, or bound again under the same name, are any value where a
// kept function reads them (captured).

// share prepares the locals of which kept functions of a body speak.
func (b *builder) share(h *resolve.Handler) {
	b.shared, b.gathered = map[string]bool{}, map[string]*term.Term{}
	bound := map[string]int{}
	for _, p := range h.Params {
		bound[p.Name]++
	}
	countBindings(h.Body, bound)
	b.unsteady = assignedNames(h.Body)
	for name, n := range bound {
		if n > 1 {
			b.unsteady[name] = true
		}
	}
	var gathered []string
	for _, f := range b.keptFunctions(h.Body) {
		inside, assigned := map[string]int{}, assignedNames(f)
		countBindings(f, inside)
		for _, p := range f.Params {
			inside[p.Name] = bound[p.Name] // it hides all others
		}
		syntax.Inspect(f, func(n syntax.Node) bool {
			if x, ok := n.(*syntax.Name); ok && b.unsteady[x.Name] && bound[x.Name] > inside[x.Name] {
				b.shared[x.Name] = b.shared[x.Name] || assigned[x.Name]
				gathered = append(gathered, x.Name)
			}
			return true
		})
	}
	slices.Sort(gathered)
	for _, name := range slices.Compact(gathered) {
		all := b.temp(term.Opaque, h.Body.At)
		b.emit(&ir.Bind{At: b.at(h.Body.At), Var: all, Value: unitBox})
		b.gathered[name] = all
	}
}

// bind gives a name a value in the innermost scope.
func (b *builder) bind(name string, v value, at source.Span) {
	b.env.bind(name, v)
	b.gather(name, v, at)
}

// gather notes what is assigned to a name of which a kept function speaks.
func (b *builder) gather(name string, v value, at source.Span) {
	if all := b.gathered[name]; all != nil {
		b.emit(&ir.Havoc{At: b.at(at), Var: all, Origin: ir.Abstraction, Why: sharedLocal, From: []*term.Term{all, b.boxed(v)}})
	}
}

// anyOf is any value that a name may have had so far; in the body of a function that runs
// later, any value at all.
func (b *builder) anyOf(name, why string, at source.Span) value {
	if all := b.gathered[name]; all != nil && !b.later {
		return of(b.havoc(term.Opaque, ir.Abstraction, why, at, all))
	}
	return of(b.havoc(term.Opaque, ir.Abstraction, why, at))
}

// local is the value of a local that is bound.
func (b *builder) local(name string, at source.Span) value {
	if b.shared[name] {
		return b.anyOf(name, sharedLocal, at)
	}
	v, _ := b.env.find(name)
	return v
}

// captured is the scope of a function, where names that the handler assigns anywhere, or
// binds again, are known no longer.
func (b *builder) captured(closure *scope, at source.Span) *scope {
	env := closure.copy()
	for s := env; s != nil; s = s.up {
		for name := range s.vars.all() {
			if b.unsteady[name] {
				s.bind(name, b.anyOf(name, capturedLocal, at))
			}
		}
	}
	return env
}

// keptFunctions are the lambdas of a body that are not given to a builtin that runs them on the spot.
func (b *builder) keptFunctions(body syntax.Node) []*syntax.Lambda {
	var all []*syntax.Lambda
	onTheSpot := map[syntax.Expr]bool{}
	syntax.Inspect(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lambda:
			all = append(all, n)
		case *syntax.Call, *syntax.Method, *syntax.Pipe:
			x := n.(syntax.Expr)
			if c := b.info.Calls[x]; c != nil && c.Kind == resolve.CallBuiltin {
				args := callArgs(x, c.Receiver)
				for i, a := range args {
					onTheSpot[syntax.Unparen(a)] = runs(c.Builtin, args, i)
				}
			}
		}
		return true
	})
	return slices.DeleteFunc(all, func(f *syntax.Lambda) bool { return onTheSpot[f] })
}

// countBindings counts, for each name, the places in n that bind it.
func countBindings(n syntax.Node, count map[string]int) {
	syntax.Inspect(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Let:
			count[n.Name.Name]++
		case *syntax.For:
			count[n.Var.Name]++
		case *syntax.Lambda:
			for _, p := range n.Params {
				count[p.Name]++
			}
		case *syntax.Bind:
			count[n.Name]++
		case *syntax.PrefixPattern:
			count[n.Rest.Name]++
		}
		return true
	})
}
