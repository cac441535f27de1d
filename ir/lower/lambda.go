package lower

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A builtin that runs a lambda is a loop: the lambda's body runs any finite number of times, on
// elements of the collection. What the rounds give gathers in one term, as a sequence; the result
// is a function of the collection and of that sequence, which is exact as far as it goes. What
// any, all, count, find and reduce give is computed round by round.

// higherOrder lowers a builtin that runs lambdas on the spot.
func (b *builder) higherOrder(f *builtin.Builtin, args []syntax.Expr, span source.Span) value {
	var plain []syntax.Expr
	var lambdas []*syntax.Lambda
	for i, a := range args {
		if l, ok := syntax.Unparen(a).(*syntax.Lambda); ok && runs(f, args, i) {
			lambdas = append(lambdas, l)
		} else {
			plain = append(plain, a)
		}
	}
	vs := b.values(plain)
	for i := range vs {
		for _, l := range lambdas { // the rounds may assign what these are
			vs[i] = b.keep(vs[i], l)
		}
	}
	list := len(vs) > 0 && surelyList(vs[0])
	if f.Name == "map" && len(vs) == 1 && !list {
		// Under a key, map keeps the function instead.
		for _, l := range lambdas {
			b.escape(b.lambda(l))
		}
	}
	if f.Name == "reduce" && len(vs) == 2 && len(lambdas) == 1 {
		return b.reduce(vs[0], vs[1], lambdas[0], span)
	}
	r := &rounds{name: f.Name, from: b.plains(vs), gathered: b.temp(term.Opaque, span)}
	b.emit(&ir.Bind{At: b.at(span), Var: r.gathered, Value: unitBox})
	if list {
		r.elem = vs[0].typ.Elem
	}
	give := b.fold(r, span)
	if len(vs) > 0 && onceEach(f) {
		r.most = length(vs[0])
	}
	for _, l := range lambdas {
		b.lambdaLoop(r, l)
	}
	b.mayRaise("type", span)
	if give != nil {
		return *give
	}
	v := value{t: b.temp(anySort(f), span), typ: resultType(f)}
	b.emit(&ir.Bind{At: b.at(span), Var: v.t, Value: term.App("run:"+f.Name, v.sort(), append(r.from, r.gathered)...)})
	if list && b.rule == nil && (f.Name == "filter" || f.Name == "map") {
		b.lengths(f.Name, r.from[0], v.t, span)
	}
	return v
}

// onceEach tells whether a builtin runs its function at most once for each element of its first
// argument, a list.
func onceEach(f *builtin.Builtin) bool {
	switch f.Name {
	case "map", "filter", "find", "any", "all", "count":
		return true
	}
	return false
}

// rounds is a builtin that runs lambdas.
type rounds struct {
	name     string
	from     []*term.Term           // what the builtin works on
	gathered *term.Term             // the sequence of what the rounds gave
	elem     *resolve.Type          // of the elements, nil when not known
	most     *int64                 // rounds, nil when not known
	each     func(element, v value) // what a round does with what it gave
}

// fold prepares what any, all, count and find give, nil for other builtins.
func (b *builder) fold(r *rounds, span source.Span) *value {
	bind := func(x, t *term.Term) { b.emit(&ir.Bind{At: b.at(span), Var: x, Value: t}) }
	start := func(s *term.Sort, t *term.Term) *term.Term {
		x := b.temp(s, span)
		bind(x, t)
		return x
	}
	switch r.name {
	case "any":
		x := start(term.Bool, term.False)
		r.each = func(_, v value) { bind(x, term.Or(x, b.truth(v, span))) }
		return &value{t: x}
	case "all":
		x := start(term.Bool, term.True)
		r.each = func(_, v value) { bind(x, term.And(x, b.truth(v, span))) }
		return &value{t: x}
	case "count":
		x := start(term.Int, term.Int64(0))
		r.each = func(_, v value) { bind(x, term.Ite(b.truth(v, span), term.Add(x, term.Int64(1)), x)) }
		return &value{t: x}
	case "find":
		x := start(term.Opaque, unitBox)
		r.each = func(element, v value) { bind(x, term.Ite(b.truth(v, span), b.boxed(element), x)) }
		return &value{t: x}
	}
	return nil
}

// lengths says how long the result of filter and map is.
func (b *builder) lengths(name string, from, to *term.Term, span source.Span) {
	before, after := term.App("len", term.Int, from), term.App("len", term.Int, to)
	fact := term.Eq(after, before)
	if name == "filter" {
		fact = term.And(term.Le(term.Int64(0), after), term.Le(after, before))
	}
	b.when(b.flush(span), fact, span)
}

// lambdaLoop lowers the rounds of one lambda.
func (b *builder) lambdaLoop(r *rounds, f *syntax.Lambda) {
	info := &ir.Loop{Kind: ir.LambdaLoop, Span: f.At, Bound: r.most}
	b.loop(b.loopNames(f), info, func(head ir.Loc) []end {
		exit := b.exitFrom(head, nil, f.At)
		b.when(head, term.True, f.At)
		if r.name == ir.KeptFunction {
			b.emit(&ir.Unknown{At: b.at(f.At), Why: ir.KeptFunction})
		}
		b.open()
		var element value
		for _, p := range f.Params {
			element = b.argument(r, p)
			b.bind(p.Name, element, p.At)
			element = b.keep(element, f) // a body may assign its parameter
		}
		v := b.inside(f)
		if r.each != nil && len(f.Params) == 1 {
			r.each(element, v)
		}
		b.emit(&ir.Bind{At: b.at(f.At), Var: r.gathered, Value: term.App("gathered", term.Opaque, r.gathered, b.boxed(v))})
		b.close()
		return []end{exit}
	})
}

// argument is what a round gives its lambda: an element of the collection; anything, for a
// function that is kept.
func (b *builder) argument(r *rounds, p syntax.Ident) value {
	sort, origin := term.Opaque, ir.Environment
	if r.elem != nil {
		if s := sortOf(r.elem); s.Kind != term.KindUnit {
			sort = s
		}
	}
	if r.name == ir.KeptFunction {
		origin = ir.Abstraction
	}
	x := b.variable(p.Name, sort, p.At)
	b.emit(&ir.Havoc{At: b.at(p.At), Var: x, Origin: origin, Why: r.name, From: append(append([]*term.Term(nil), r.from...), r.gathered)})
	return value{t: x, typ: r.elem}
}

// inside lowers the body of a lambda in the scope at hand.
func (b *builder) inside(f *syntax.Lambda) value {
	if f.Body != nil {
		return b.block(f.Body, true)
	}
	return b.expr(f.X)
}

// accumulator is the name, which no program can write, under which a reduce keeps what the rounds
// before gave: a local of the loop like any other.
const accumulator = "p.acc"

// reduce lowers reduce(list, init, p => …), or (acc, x) => …: each round gives what the next one
// gets as p.acc.
func (b *builder) reduce(list, init value, f *syntax.Lambda, span source.Span) value {
	r := &rounds{name: "reduce", from: b.plains([]value{list})}
	if surelyList(list) {
		r.elem = list.typ.Elem
	}
	b.open()
	b.env.bind(accumulator, b.store("", init, span))
	info := &ir.Loop{Kind: ir.LambdaLoop, Span: f.At, Bound: length(list)}
	b.loop(append(b.loopNames(f), accumulator), info, func(head ir.Loc) []end {
		exit := b.exitFrom(head, nil, f.At)
		b.when(head, term.True, f.At)
		b.open()
		r.gathered = b.boxed(b.local(accumulator, f.At))
		acc := b.local(accumulator, f.At)
		if ps := f.Params; len(ps) == 2 {
			b.let(ps[0].Name, acc, ps[0].At)
			b.bind(ps[1].Name, b.argument(r, ps[1]), ps[1].At)
		} else {
			for _, p := range ps {
				element := b.argument(r, p)
				whole := term.App("reduce step", term.Opaque, b.boxed(acc), b.boxed(element))
				b.bind(p.Name, value{t: whole, fields: map[string]value{"acc": acc, "val": element}}, p.At)
			}
		}
		v := b.inside(f)
		b.close()
		b.env.set(accumulator, b.store("", v, f.At))
		return []end{exit}
	})
	out := b.local(accumulator, span)
	b.close()
	b.mayRaise("type", span)
	return out
}

// resultType is the type that a builtin's result surely has, where the sort does not tell.
func resultType(f *builtin.Builtin) *resolve.Type {
	if f.Result == "List" {
		return &resolve.Type{Kind: resolve.ListType}
	}
	return nil
}

// surelyList tells whether a value is known to be a list.
func surelyList(v value) bool {
	return v.isList || v.has == nil && v.typ != nil && v.typ.Kind == resolve.ListType
}
