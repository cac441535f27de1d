package lower

import (
	"math/big"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

func (b *builder) unary(x *syntax.Unary) value {
	if x.Not {
		return of(term.Not(b.condition(x.X)))
	}
	v := b.expr(x.X)
	return b.operation(x.At, func() value { return b.negated(v, x) })
}

func (b *builder) negated(v value, x *syntax.Unary) value {
	v = b.definite(v, x.At)
	switch v.sort().Kind {
	case term.KindInt:
		return of(term.Neg(v.t))
	case term.KindFloat:
		if v.t.Op == term.OpFloat {
			return of(term.FloatLit(-v.t.Num))
		}
		return of(term.App("neg", term.Float, v.t))
	}
	b.mayRaise("type", x.At)
	return of(term.App("neg", term.Opaque, b.boxed(v)))
}

// definite is the value where it must not be unit; otherwise an error is raised.
func (b *builder) definite(v value, span source.Span) value {
	if v.has != nil {
		b.raiseWhen(term.Not(v.has), "type", span)
		v.has = nil
	}
	return v
}

// binary lowers an operator. Chains lean to the left and are walked without recursion, so
// that their length costs no stack.
func (b *builder) binary(x *syntax.Binary) value {
	chain := []*syntax.Binary{x}
	for {
		left, ok := syntax.Unparen(chain[len(chain)-1].X).(*syntax.Binary)
		if !ok {
			break
		}
		chain = append(chain, left)
	}
	v := b.expr(chain[len(chain)-1].X)
	for i := len(chain) - 1; i >= 0; i-- {
		v = b.step(chain[i], v)
	}
	return v
}

func (b *builder) step(x *syntax.Binary, left value) value {
	switch x.Op {
	case syntax.AndOp, syntax.OrOp:
		return b.logical(x, b.truth(left, x.X.Span()))
	case syntax.CoalesceOp:
		return b.coalesce(x, left)
	}
	left = b.keep(left, x.Y)
	return b.operate(x.Op, left, b.expr(x.Y), x.At)
}

// logical lowers && and ||. A right side with effects is evaluated only where it is reached.
func (b *builder) logical(x *syntax.Binary, left *term.Term) value {
	join := term.And
	skip := term.Not(left) // where the right side is not reached
	if x.Op == syntax.OrOp {
		join, skip = term.Or, left
	}
	if b.effectFree(x.Y) {
		return of(join(left, b.truth(b.aside(x.Y), x.Y.Span())))
	}
	return b.either(skip, of(term.BoolLit(x.Op == syntax.OrOp)), func() value { return of(b.condition(x.Y)) }, x.At)
}

// coalesce lowers a ?? b.
func (b *builder) coalesce(x *syntax.Binary, left value) value {
	present := left.present()
	switch {
	case present == term.True:
		// The right side is never reached, but its effects are shown to the analyses.
	case present == term.False && b.effectFree(x.Y):
		return b.expr(x.Y)
	}
	sure := left
	sure.has = nil
	if b.effectFree(x.Y) {
		return b.choose(present, sure, b.aside(x.Y))
	}
	return b.either(present, sure, func() value { return b.expr(x.Y) }, x.At)
}

// aside lowers a right side that a run may skip.
func (b *builder) aside(x syntax.Expr) value {
	b.asides++
	defer func() { b.asides-- }()
	return b.expr(x)
}

// choose is a value by a condition, without a branch.
func (b *builder) choose(cond *term.Term, yes, no value) value {
	if cond == term.True {
		return yes
	}
	s, maybe := joinShape([]value{yes, no})
	if s.Kind == term.KindOpaque {
		return value{t: term.Ite(cond, b.boxed(yes), b.boxed(no)), typ: joinType([]value{yes, no})}
	}
	out := value{typ: joinType([]value{yes, no})}
	switch {
	case s.Kind == term.KindUnit:
		return unit()
	case yes.isUnit():
		out.t = no.t
	case no.isUnit():
		out.t = yes.t
	default:
		out.t = term.Ite(cond, yes.t, no.t)
	}
	if maybe {
		out.has = term.Ite(cond, yes.present(), no.present())
	}
	return out
}

// either branches: the value yes where cond holds, else what no gives.
func (b *builder) either(cond *term.Term, yes value, no func() value, span source.Span) value {
	from := b.flush(span)
	env := b.env
	b.env = env.copy()
	b.when(from, cond, span)
	first := b.stop(yes)
	b.env = env
	b.when(from, term.Not(cond), span)
	return b.merge([]end{first, b.stop(no())}, span)
}

// exactFloats turns an Int literal beside a Float into the Float it equals exactly.
func exactFloats(x, y value) (value, value) {
	if x.sort().Kind == term.KindFloat {
		y = exactFloat(y)
	} else if y.sort().Kind == term.KindFloat {
		x = exactFloat(x)
	}
	return x, y
}

func exactFloat(v value) value {
	if v.t.Op != term.OpInt {
		return v
	}
	if f, accuracy := new(big.Float).SetInt(v.t.Int).Float64(); accuracy == big.Exact {
		return of(term.FloatLit(f))
	}
	return v
}

// operate lowers an operator on two values.
func (b *builder) operate(op syntax.BinOp, x, y value, span source.Span) value {
	return b.operation(span, func() value { return b.operated(op, x, y, span) })
}

func (b *builder) operated(op syntax.BinOp, x, y value, span source.Span) value {
	x, y = exactFloats(x, y)
	switch op {
	case syntax.EqOp:
		return of(b.equal(x, y, span))
	case syntax.NeOp:
		return of(term.Not(b.equal(x, y, span)))
	}
	x, y = b.definite(x, span), b.definite(y, span)
	switch op {
	case syntax.LtOp:
		return of(b.less(x, y, false, span))
	case syntax.LeOp:
		return of(b.less(x, y, true, span))
	case syntax.GtOp:
		return of(b.less(y, x, false, span))
	case syntax.GeOp:
		return of(b.less(y, x, true, span))
	}
	kinds := [2]term.Kind{x.sort().Kind, y.sort().Kind}
	switch kinds {
	case [2]term.Kind{term.KindInt, term.KindInt}:
		return b.integer(op, x.t, y.t, span)
	case [2]term.Kind{term.KindFloat, term.KindFloat}:
		switch op {
		case syntax.AddOp:
			return of(term.FloatOp(term.OpFAdd, x.t, y.t))
		case syntax.SubOp:
			return of(term.FloatOp(term.OpFSub, x.t, y.t))
		case syntax.MulOp:
			return of(term.FloatOp(term.OpFMul, x.t, y.t))
		case syntax.DivOp:
			b.raiseWhen(term.FloatOp(term.OpFEq, y.t, term.FloatLit(0)), "division_by_zero", span)
			return of(term.FloatOp(term.OpFDiv, x.t, y.t))
		}
	case [2]term.Kind{term.KindString, term.KindString}:
		if op == syntax.AddOp {
			return of(term.Concat(x.t, y.t))
		}
	}
	if op == syntax.DivOp || op == syntax.RemOp {
		b.mayRaise("division_by_zero", span)
	}
	b.mayRaise("range", span) // lists of different lengths
	b.mayRaise("type", span)
	return of(term.App("op:"+op.String(), term.Opaque, b.boxed(x), b.boxed(y)))
}

// integer lowers + - * / % on two Ints. A quotient is an Int only when it is exact.
func (b *builder) integer(op syntax.BinOp, x, y *term.Term, span source.Span) value {
	switch op {
	case syntax.AddOp:
		return of(term.Add(x, y))
	case syntax.SubOp:
		return of(term.Sub(x, y))
	case syntax.MulOp:
		return of(term.Mul(x, y))
	}
	b.raiseWhen(term.Eq(y, term.Int64(0)), "division_by_zero", span)
	if op == syntax.RemOp {
		return of(term.App("op:%", term.Int, x, y))
	}
	return of(term.App("op:/", term.Opaque, x, y))
}

// equal is the language's ==. It is the equality of the sort at Int, String, Bool and Unit,
// and an uninterpreted predicate elsewhere. Unit equals only unit.
func (b *builder) equal(x, y value, span source.Span) *term.Term {
	switch {
	case x.isUnit():
		return term.Not(y.present())
	case y.isUnit():
		return term.Not(x.present())
	case x.has != nil && y.has != nil:
		return term.And(iff(x.has, y.has), term.Implies(x.has, b.same(x.t, y.t, span)))
	case x.has != nil:
		return term.And(x.has, b.same(x.t, y.t, span))
	case y.has != nil:
		return term.And(y.has, b.same(x.t, y.t, span))
	}
	return b.same(x.t, y.t, span)
}

func iff(a, b *term.Term) *term.Term { return term.And(term.Implies(a, b), term.Implies(b, a)) }

func (b *builder) same(x, y *term.Term, span source.Span) *term.Term {
	if x.Sort.Same(y.Sort) {
		switch x.Sort.Kind {
		case term.KindInt, term.KindString, term.KindBool:
			return term.Eq(x, y)
		case term.KindFloat:
			return term.FloatOp(term.OpFEq, x, y)
		}
	}
	b.mayRaise("type", span)
	return term.App("eq", term.Bool, box(x), box(y))
}

// less is < or <=: on Ints and Floats their order, uninterpreted elsewhere.
func (b *builder) less(x, y value, orEqual bool, span source.Span) *term.Term {
	if x.sort().Same(y.sort()) {
		switch x.sort().Kind {
		case term.KindInt:
			if orEqual {
				return term.Le(x.t, y.t)
			}
			return term.Lt(x.t, y.t)
		case term.KindFloat:
			if orEqual {
				return term.FloatOp(term.OpFLe, x.t, y.t)
			}
			return term.FloatOp(term.OpFLt, x.t, y.t)
		}
	}
	name := "op:<"
	if orEqual {
		name = "op:<="
	}
	b.mayRaise("type", span)
	return term.App(name, term.Bool, b.boxed(x), b.boxed(y))
}

// convert makes a value fit a declared type, as a typed slot or parameter does: an Int
// becomes a Float, anything else that does not fit raises.
func (b *builder) convert(v value, s *term.Sort, span source.Span) *term.Term {
	switch {
	case s.Kind == term.KindOpaque:
		b.mayRaise("type", span)
		return b.boxed(v)
	case v.isUnit():
		b.mayRaise("type", span)
		return b.havoc(s, ir.Abstraction, unitInstead(s), span)
	}
	v = b.definite(v, span)
	switch {
	case v.sort().Same(s):
		return v.t
	case s.Kind == term.KindFloat && v.sort().Kind == term.KindInt:
		return asFloat(v.t)
	}
	b.mayRaise("type", span)
	return unbox(b.boxed(v), s)
}

// asFloat is the double nearest to an Int: of a literal one that is known.
func asFloat(t *term.Term) *term.Term {
	if t.Op != term.OpInt {
		return term.App("float", term.Float, t)
	}
	f, _ := new(big.Float).SetInt(t.Int).Float64()
	return term.FloatLit(f)
}
