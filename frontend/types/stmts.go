package types

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// block goes over a block and gives the type of its value.
func (b *body) block(x *syntax.Block) *Type {
	b.push()
	defer b.pop()
	out := unit
	for _, s := range x.Stmts {
		out = b.stmt(s)
	}
	if b.dead {
		out = never
	}
	b.values[x] = out
	return out
}

// stmt goes over a statement and gives the type of its value: that of an expression, else ().
func (b *body) stmt(s syntax.Stmt) *Type {
	switch s := s.(type) {
	case *syntax.Let:
		b.bind(s.Name, b.expr(s.Value))
	case *syntax.Assign:
		b.assignment(s)
	case *syntax.ExprStmt:
		return b.expr(s.X)
	case *syntax.For:
		b.forStmt(s)
	case *syntax.While:
		b.while(s)
	case *syntax.Break, *syntax.Continue:
		b.dead = true
	case *syntax.Return:
		b.returns(s)
	case *syntax.Require:
		b.require(s)
	case *syntax.Ensure:
		b.condition(s.Cond)
		b.assume(s.Cond, true)
	case *syntax.Emit:
		b.emit(s)
	case *syntax.Mock, *syntax.Assert, *syntax.AssertFails, *syntax.Property:
		b.testStmt(s)
	case *syntax.BadStmt:
		b.given = anything // it may have returned anything
		return anything
	}
	return unit
}

// forStmt goes over a loop over items, entries or lines.
func (b *body) forStmt(s *syntax.For) {
	t := b.expr(s.In)
	if t.Kinds != 0 && !t.may(List|Map|String|Unit) {
		b.report(notIterable(s.In, t))
	}
	item := never
	if t.may(List) {
		item = join(item, t.elemType())
	}
	if t.may(Map) {
		item = join(item, entryOf(t.valueType()))
	}
	if t.may(String) {
		item = join(item, text)
	}
	b.loop(s, func() {
		b.push()
		b.bind(s.Var, item)
		b.block(s.Body)
		b.pop()
	})
}

// entryOf is an entry of a map as for gives it.
func entryOf(value *Type) *Type { return mapWith([]field{{"key", text}, {"value", value}}, "") }

func (b *body) while(s *syntax.While) {
	b.loop(s, func() {
		b.condition(s.Cond)
		b.assume(s.Cond, true)
		b.block(s.Body)
	})
}

func (b *body) returns(s *syntax.Return) {
	t := unit
	if s.Value != nil {
		t = b.returned(s.Value, b.expr(s.Value))
	}
	if !b.dead && b.lambdas == 0 {
		b.given = join(b.given, t)
	}
	b.dead = true
}

// require goes over a requirement; its message is evaluated where it does not hold.
func (b *body) require(s *syntax.Require) {
	b.condition(s.Cond)
	b.fork(
		func() { b.assume(s.Cond, true) },
		func() {
			b.assume(s.Cond, false)
			if s.Message != nil {
				b.expr(s.Message)
			}
			b.dead = true
		},
	)
}

// emit goes over an event: each listener takes the arguments by its own types.
func (b *body) emit(s *syntax.Emit) {
	args := b.exprs(s.Args)
	for _, h := range b.info.Listeners[s] {
		for i := range h.Params {
			b.argument(s.Args[i], args[i], h, i)
		}
	}
}

// give goes over the body of a handler, whose last expression is its result.
func (b *body) give(x *syntax.Block) {
	t := b.block(x)
	dead := b.dead
	b.dead = false // whether a value is reached shows in its type
	t = b.tail(x, t)
	if b.dead = dead; !dead {
		b.given = join(b.given, t)
	}
}

// tail checks the last expression of a block that gives the result, in all its branches, and
// is the type of what may be given.
func (b *body) tail(x *syntax.Block, t *Type) *Type {
	if len(x.Stmts) == 0 {
		return t
	}
	s, ok := x.Stmts[len(x.Stmts)-1].(*syntax.ExprStmt)
	if !ok {
		return t
	}
	return b.tailValue(s.X, t)
}

func (b *body) tailValue(x syntax.Expr, t *Type) *Type {
	switch y := syntax.Unparen(x).(type) {
	case *syntax.If:
		if y.Else == nil {
			return t
		}
		out := b.tail(y.Then, b.values[y.Then])
		switch e := y.Else.(type) {
		case *syntax.Block:
			out = join(out, b.tail(e, b.values[e]))
		case *syntax.If:
			out = join(out, b.tailValue(e, orAny(b.types[e])))
		}
		return out
	case *syntax.Match:
		out := never
		for _, arm := range y.Arms {
			if arm.Body != nil {
				out = join(out, b.tail(arm.Body, b.values[arm.Body]))
			} else if arm.Value != nil {
				out = join(out, b.tailValue(arm.Value, orAny(b.types[arm.Value])))
			}
		}
		return out
	}
	return b.returned(x, t)
}

// returned checks a returned value against the face. () is let pass: it stands for nothing to
// give. What does not fit counts as no result, so that callers do not suffer from it again.
func (b *body) returned(x syntax.Expr, t *Type) *Type {
	if b.handler == nil || b.handler.Signal == nil || b.lambdas > 0 {
		return t
	}
	s := b.handler.Signal
	if t.may(Unit) || s.Result.Kind == resolve.UnitType || conforms(t, s.Result) {
		return t
	}
	b.report(b.misfit(x, t, s.Result, result{s}))
	return never
}
