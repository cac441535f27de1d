package lower

import (
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// tryFrame is an open try: the paths on which its block raised, and what is known of the
// error. Writes and moves of the block are rolled back on them; locals keep their values.
type tryFrame struct {
	failed       []end
	depth        int // scopes around the block
	callers      int // bodies being inlined around the block
	kind, detail *term.Term
}

// fail adds a path on which the innermost try catches an error.
func (b *builder) fail(e *ir.Edge, kind string, span source.Span) {
	f := b.tries[len(b.tries)-1]
	e.Effects = append(e.Effects, &ir.Rollback{At: b.at(span)})
	if kind != "" {
		e.Effects = append(e.Effects, &ir.Bind{At: b.at(span), Var: f.kind, Value: term.StringLit(kind)})
	} else {
		e.Effects = append(e.Effects, &ir.Havoc{At: b.at(span), Var: f.kind, Origin: ir.Environment, Why: caughtText})
	}
	e.Effects = append(e.Effects, &ir.Havoc{At: b.at(span), Var: f.detail, Origin: ir.Environment, Why: caughtText})
	e.To = b.newLoc()
	env := b.env
	if len(b.callers) > f.callers {
		// Raised in a function that the block calls: its locals are gone.
		env = b.callers[f.callers]
	}
	f.failed = append(f.failed, end{loc: e.To, env: env.copy().trim(f.depth), v: unit()})
}

// try lowers try { … }: a nested transaction that gives {value, error, kind, detail}.
func (b *builder) try(x *syntax.Try) value {
	f := &tryFrame{depth: b.env.depth(), callers: len(b.callers), kind: b.temp(term.String, x.At), detail: b.temp(term.String, x.At)}
	failed := b.temp(term.Bool, x.At)
	bind := func(v, t *term.Term) { b.emit(&ir.Bind{At: b.at(x.At), Var: v, Value: t}) }

	b.emit(&ir.Begin{At: b.at(x.At)})
	b.tries = append(b.tries, f)
	v := b.block(x.Body, true)
	if len(f.failed) == 0 {
		b.mayRaise("", x.At) // both outcomes have a place
	}
	b.tries = b.tries[:len(b.tries)-1]
	b.emit(&ir.Commit{At: b.at(x.At)})
	bind(failed, term.False)
	bind(f.kind, term.StringLit(""))
	bind(f.detail, term.StringLit(""))
	v = b.store("", v, x.At)
	success := b.stop(v)

	b.merge(f.failed, x.At)
	bind(failed, term.True)
	out := b.merge([]end{success, b.stop(unit())}, x.At)

	// An error without a detail is its kind alone.
	message := term.Ite(term.Eq(f.detail, term.StringLit("")), f.kind, term.Concat(term.Concat(f.kind, term.StringLit(": ")), f.detail))
	whole := b.store("", of(term.App("caught", term.Opaque, failed, b.boxed(out), f.kind, f.detail)), x.At)
	return value{t: whole.t, fields: map[string]value{
		"value":  out,
		"error":  {t: message, has: failed},
		"kind":   {t: f.kind, has: failed},
		"detail": {t: f.detail, has: failed},
	}}
}

// propagate lowers e?: the value of a try, or its error raised again.
func (b *builder) propagate(x *syntax.Propagate) value {
	v := b.expr(x.X)
	failed, ok := v.fields["error"]
	if !ok {
		b.mayRaise("", x.At)
		return of(term.App("field", term.Opaque, b.boxed(v), term.StringLit("value")))
	}
	from := b.flush(x.At)
	b.raiseEdge(from, failed.has, &ir.Raise{At: b.at(x.At)}, "", x.At)
	b.when(from, term.Not(failed.has), x.At)
	return v.fields["value"]
}
