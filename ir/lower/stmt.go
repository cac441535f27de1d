package lower

import (
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// block lowers a block in a scope of its own; its value, where wanted, is that of its last
// expression.
func (b *builder) block(blk *syntax.Block, wanted bool) value {
	b.open()
	defer b.close()
	var before place
	for i, s := range blk.Stmts {
		if i == 0 || b.mayEndAfter(before) {
			b.begins(s.Span())
		}
		before = b.place()
		x, ok := s.(*syntax.ExprStmt)
		switch {
		case !ok:
			b.stmt(s)
		case wanted && i == len(blk.Stmts)-1:
			return b.expr(x.X)
		default:
			b.discard(x.X)
		}
	}
	return unit()
}

func (b *builder) open()  { b.env = &scope{up: b.env} }
func (b *builder) close() { b.env = b.env.up }

// stmt lowers a statement other than an expression.
func (b *builder) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Let:
		b.let(s.Name.Name, b.expr(s.Value), s.At)
	case *syntax.Assign:
		b.assignment(s)
	case *syntax.For:
		b.forLoop(s)
	case *syntax.While:
		b.whileLoop(s)
	case *syntax.Break:
		b.leave(false, s.At)
	case *syntax.Continue:
		b.leave(true, s.At)
	case *syntax.Return:
		v := unit()
		if s.Value != nil {
			v = b.expr(s.Value)
		}
		b.ret(v, s.At)
	case *syntax.Require:
		b.require(s.Cond, &ir.Raise{At: b.at(s.At), Kind: s.Tag.Name}, s.Message)
	case *syntax.Ensure:
		b.require(s.Cond, &ir.Raise{At: b.at(s.At), Kind: "ensure", Ensures: s.Cond.Span().Normal()}, nil)
	case *syntax.Emit:
		b.emitEvent(s)
	}
}

// let binds a name to a value in the innermost scope.
func (b *builder) let(name string, v value, at source.Span) {
	if v.lambda == nil {
		b.knowShown(v, at)
		v = b.store(name, v, at)
	}
	b.bind(name, v, at)
}

// require lowers require c else Tag "message": c on the path that goes on, an error on the
// other, whose message is evaluated there.
func (b *builder) require(cond syntax.Expr, raise *ir.Raise, message syntax.Expr) {
	c, span := b.condition(cond), raise.Span
	from := b.flush(span)
	env := b.env.copy()
	b.when(from, term.Not(c), span)
	if message != nil {
		b.expr(message)
	}
	b.raise(raise)
	b.env = env
	b.when(from, c, span)
}

// condition lowers an expression as a Bool; unit counts as false.
func (b *builder) condition(x syntax.Expr) *term.Term { return b.truth(b.expr(x), x.Span()) }

func (b *builder) truth(v value, span source.Span) *term.Term {
	switch v.sort().Kind {
	case term.KindBool:
		if v.has != nil {
			return term.And(v.has, v.t)
		}
		return v.t
	case term.KindUnit:
		return term.False
	}
	b.mayRaise("type", span)
	return term.App("truth", term.Bool, b.boxed(v))
}

// assignment lowers x = e, x += e, place[i] = e, place.f = e.
func (b *builder) assignment(s *syntax.Assign) {
	switch t := syntax.Unparen(s.Target).(type) {
	case *syntax.Name:
		v := b.combined(s, func() value { return b.name(t) })
		b.rebind(t.Name, v, s.At)
	case *syntax.Field:
		b.assignPlace(s, t)
	case *syntax.Index:
		b.assignPlace(s, t)
	}
}

// combined is the value to assign: e, or old op e, where old is read after e is evaluated.
func (b *builder) combined(s *syntax.Assign, old func() value) value {
	v := b.expr(s.Value)
	if s.Op == syntax.NoOp {
		return v
	}
	return b.operate(s.Op, old(), v, s.At)
}

// rebind stores a value in a local, in the same variables when its shape is the same.
func (b *builder) rebind(name string, v value, at source.Span) {
	b.knowShown(v, at)
	b.gather(name, v, at)
	if b.shared[name] {
		return
	}
	old, ok := b.env.find(name)
	if !ok || v.lambda != nil {
		b.env.set(name, v)
		return
	}
	if old.lambda == nil && old.t.Op == term.OpVar && old.sort().Same(v.sort()) && (old.has == nil) == (v.has == nil) {
		for _, e := range b.assign(old, v, at) {
			b.emit(e)
		}
		v.t, v.has = old.t, old.has
		b.env.set(name, v)
		return
	}
	b.env.set(name, b.store(name, v, at))
}

// assignPlace lowers an assignment to an entry of a slot, or inside a local value.
func (b *builder) assignPlace(s *syntax.Assign, target syntax.Expr) {
	if slot, key, inner := b.slotPlace(target); slot != nil {
		b.assignSlot(s, slot, key, inner, target)
		return
	}
	name := rootName(target)
	if _, ok := b.env.find(name); !ok {
		b.expr(s.Value)
		return
	}
	path := b.path(target, nil, s.Value)
	v := b.combined(s, func() value {
		old := b.local(name, s.At)
		for _, p := range path {
			b.mayRaise(p.raises, s.At)
			old = of(term.App(p.kind, term.Opaque, b.boxed(old), b.boxed(p.index)))
		}
		return old
	})
	from := []*term.Term{b.boxed(b.local(name, s.At))}
	for _, p := range path {
		from = append(from, b.boxed(p.index))
	}
	from = append(from, b.boxed(v))
	b.mayRaise("type", s.At)
	b.mayRaise("index", s.At)
	b.rebind(name, of(term.App("replaced", term.Opaque, from...)), s.At)
}

// accessor is one step into a value: an index, or a field by its name.
type accessor struct {
	kind, raises string
	index        value
}

// path evaluates the accessors of a place below root (nil: below its local), left to right,
// and keeps them over what is evaluated later.
func (b *builder) path(target syntax.Expr, root *syntax.Index, later syntax.Expr) []accessor {
	switch t := syntax.Unparen(target).(type) {
	case *syntax.Field:
		return append(b.path(t.X, root, later), accessor{"field", "type", of(term.StringLit(t.Name.Name))})
	case *syntax.Index:
		if t == root {
			return nil
		}
		out := b.path(t.X, root, later)
		for i := range out {
			out[i].index = b.keep(out[i].index, t.I)
		}
		return append(out, accessor{"index", "index", b.keep(b.expr(t.I), later)})
	}
	return nil
}

// emitEvent lowers emit e(args): the listeners run here, inside this transaction.
func (b *builder) emitEvent(s *syntax.Emit) {
	args := b.args(s.Args)
	b.emit(&ir.Emit{At: b.at(s.At), Event: s.Event.Name, Args: args})
	for _, h := range b.info.Listeners[s] {
		b.mayBeRefused("", s.At)
		b.emit(&ir.Call{At: b.at(s.At), Handler: handlerRef(h), Args: args, Via: "emit"})
	}
}

// args lowers arguments in order and gives their terms.
func (b *builder) args(xs []syntax.Expr) []*term.Term {
	return b.plains(b.values(xs))
}

// values lowers expressions in order; an earlier value is kept where a later expression
// assigns locals.
func (b *builder) values(xs []syntax.Expr) []value {
	out := make([]value, len(xs))
	last := 0 // the last expression that assigns locals
	for i, x := range xs {
		if b.assigns(x) {
			last = i
		}
	}
	for i, x := range xs {
		out[i] = b.expr(x)
		if i < last {
			out[i] = b.keep(out[i], xs[last])
		}
	}
	return out
}
