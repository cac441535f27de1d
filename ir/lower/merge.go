package lower

import (
	"slices"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// end is a path that waits to be joined with others: where it stands, what its locals are,
// and the value it gives.
type end struct {
	loc     ir.Loc
	pending []ir.Effect
	env     *scope
	v       value
}

// stop ends the current path, to be joined later.
func (b *builder) stop(v value) end {
	e := end{loc: b.cur, pending: b.pending, env: b.env, v: v}
	b.pending = nil
	return e
}

// resume stands at the end of a path again.
func (b *builder) resume(e end) {
	b.cur, b.pending, b.env = e.loc, e.pending, e.env
}

// merge joins paths whose scopes have the same names: locals whose shape differs, and the
// value, move to a common variable on each path. It stands at the join.
func (b *builder) merge(ends []end, span source.Span) value {
	if len(ends) == 1 {
		b.resume(ends[0])
		return ends[0].v
	}
	joined := ends[0].env.copy()
	chains := make([]*scope, len(ends))
	for i, e := range ends {
		chains[i] = e.env
	}
	for level := joined; level != nil; level = level.up {
		for _, name := range changedNames(chains) {
			vs := make([]value, len(ends))
			for i := range ends {
				vs[i] = *chains[i].vars.find(name)
			}
			level.bind(name, b.unify(ends, vs, name, span))
		}
		for i := range chains {
			chains[i] = chains[i].up
		}
	}
	vs := make([]value, len(ends))
	for i, e := range ends {
		vs[i] = e.v
	}
	v := b.unify(ends, vs, "", span)
	to := b.newLoc()
	for _, e := range ends {
		b.edge(&ir.Edge{From: e.loc, To: to, Effects: e.pending, Span: span})
	}
	b.cur, b.pending, b.env = to, nil, joined
	return v
}

// changedNames are the names whose value is not the same in all scopes, sorted.
func changedNames(scopes []*scope) []string {
	var names []string
	for _, s := range scopes[1:] {
		scopes[0].vars.changed(s.vars, func(name string) { names = append(names, name) })
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// unify finds one value for all ends, binding a common variable at each where they differ.
// Its effects are added to the ends.
func (b *builder) unify(ends []end, vs []value, name string, span source.Span) value {
	same := true
	for _, v := range vs[1:] {
		same = same && sameShape(vs[0], v)
	}
	if same {
		out := keepStatic(vs)
		if out.lambda == nil {
			for _, v := range vs {
				b.escape(v)
			}
		}
		return out
	}
	s, maybe := joinShape(vs)
	out := b.fresh(name, s, maybe, span)
	out.typ = joinType(vs)
	for i, v := range vs {
		ends[i].pending = append(ends[i].pending, b.assign(out, v, span)...)
	}
	return out
}

// keepStatic keeps what is known beyond the term only where all agree on it.
func keepStatic(vs []value) value {
	out := vs[0]
	for _, v := range vs[1:] {
		if out.lambda != v.lambda || out.closure != v.closure {
			out.lambda, out.closure = nil, nil
		}
		if len(out.items) != len(v.items) || len(v.items) > 0 && &out.items[0] != &v.items[0] || out.isList != v.isList {
			out.items, out.isList = nil, false
		}
		if len(out.fields) != len(v.fields) || len(v.fields) > 0 && !sameShape(out.fields["error"], v.fields["error"]) {
			out.fields = nil
		}
	}
	out.typ = joinType(vs)
	return out
}

// fresh declares the variables of a value of the given shape.
func (b *builder) fresh(name string, s *term.Sort, maybe bool, at source.Span) value {
	if s.Kind == term.KindUnit {
		return unit()
	}
	var v value
	if name == "" {
		v.t = b.temp(s, at)
	} else {
		v.t = b.variable(name, s, at)
	}
	if maybe {
		v.has = term.Var(v.t.Name+"?", term.Bool)
		b.a.Vars = append(b.a.Vars, ir.Var{Term: v.has, Span: at})
	}
	return v
}

// assign gives the effects that store a value in the variables of another shape.
func (b *builder) assign(to, v value, span source.Span) []ir.Effect {
	if to.t.Op != term.OpVar {
		return nil
	}
	var out []ir.Effect
	bind := func(x, t *term.Term) {
		if !x.Equal(t) {
			out = append(out, &ir.Bind{At: b.at(span), Var: x, Value: t})
		}
	}
	switch {
	case to.sort().Kind == term.KindOpaque:
		bind(to.t, b.boxed(v))
	case to.has == nil:
		bind(to.t, v.t)
	case v.isUnit():
		bind(to.has, term.False)
	default:
		has := v.present()
		bind(to.has, has)
		bind(to.t, v.t)
	}
	return out
}

// fits tells whether a value can be stored in variables of a shape without a loss.
func fits(to, v value) bool {
	switch {
	case to.sort().Kind == term.KindOpaque:
		return true
	case to.has == nil:
		return v.has == nil && to.sort().Same(v.sort())
	}
	return v.isUnit() || to.sort().Same(v.sort())
}

// keep copies a value into a temporary when code that runs before its use assigns locals.
func (b *builder) keep(v value, later ...syntax.Node) value {
	if v.t.IsLiteral() || v.lambda != nil {
		return v
	}
	for _, n := range later {
		if n != nil && b.assigns(n) {
			return b.store("", v, n.Span())
		}
	}
	return v
}

// store binds a value to new variables of its own shape and keeps what is known of it.
func (b *builder) store(name string, v value, at source.Span) value {
	out := b.fresh(name, v.sort(), v.has != nil, at)
	for _, e := range b.assign(out, v, at) {
		b.emit(e)
	}
	out.typ, out.items, out.isList, out.fields = v.typ, v.items, v.isList, v.fields
	out.lambda, out.closure = v.lambda, v.closure
	return out
}
