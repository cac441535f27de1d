package types

import "soma.cell/frontend/syntax"

// operate is the type of a op b for the operators that evaluate both sides; ok is false when
// the operator takes no values of these types.
func operate(op syntax.BinOp, x, y *Type) (t *Type, ok bool) {
	if x.Kinds == 0 || y.Kinds == 0 {
		return never, true
	}
	switch op {
	case syntax.EqOp, syntax.NeOp:
		return boolean, comparable(x, y)
	case syntax.LtOp, syntax.LeOp, syntax.GtOp, syntax.GeOp:
		return boolean, x.may(Number) && y.may(Number) || x.may(String) && y.may(String)
	}
	out := arithmetic(op, x, y)
	if op == syntax.AddOp && x.may(String) && y.may(String) {
		out = join(out, text)
	}
	out = join(out, lists(op, x, y))
	return out, out.Kinds != 0
}

// comparable tells whether == takes the types: values of one kind, numbers, or () with
// anything. Functions are not compared with each other.
func comparable(x, y *Type) bool {
	return x.Kinds&y.Kinds&^Function != 0 || x.may(Number) && y.may(Number) || x.may(Unit) || y.may(Unit)
}

// arithmetic is the type of a op b for numbers.
func arithmetic(op syntax.BinOp, x, y *Type) *Type {
	var kinds Kinds
	if x.may(Int) && y.may(Int) {
		kinds |= Int
		if op == syntax.DivOp {
			kinds |= Float
		}
	}
	if x.may(Number) && y.may(Number) && (x.may(Float) || y.may(Float)) {
		kinds |= Float
	}
	return &Type{Kinds: kinds}
}

// lists is the type of a op b where one is a list: lists are joined, vectors and matrices are
// computed with item by item.
func lists(op syntax.BinOp, x, y *Type) *Type {
	out := never
	if op == syntax.AddOp && x.may(List) && y.may(List) {
		out = listOf(joinParts(x.elem, y.elem))
	}
	if op == syntax.RemOp || !(vector(x) && (vector(y) || y.may(Number)) || x.may(Number) && vector(y)) {
		return out
	}
	return join(out, listOf(itemwise(op, x, y)))
}

// vector tells whether a value may be a list of numbers or of lists of them, or an empty one.
func vector(t *Type) bool {
	for _, x := range t.items {
		if !x.may(Number | List) {
			return false
		}
	}
	return t.may(List)
}

// itemwise is the type of the items of a op b, nil where they may be lists themselves.
func itemwise(op syntax.BinOp, x, y *Type) *Type {
	sides := [2]*Type{}
	for i, t := range []*Type{x, y} {
		items := t.only(Number)
		if t.may(List) {
			if t.elem == nil || t.elem.may(List) {
				return nil
			}
			items = join(items, t.elem.only(Number))
		}
		sides[i] = items
	}
	return arithmetic(op, sides[0], sides[1])
}

// binary goes over x op y.
func (b *body) binary(x *syntax.Binary) *Type {
	switch x.Op {
	case syntax.AndOp, syntax.OrOp:
		return b.logic(x)
	case syntax.CoalesceOp:
		return b.coalesce(x)
	}
	left := b.expr(x.X)
	right := b.expr(x.Y)
	if chained(x) {
		return boolean
	}
	t, ok := operate(x.Op, left, right)
	if !ok {
		b.report(badOperands(x, x.Op.String(), x.X, x.Y, left, right))
		return never
	}
	return t
}

// chained tells whether a comparison has another one as its left side, which the parser has
// reported.
func chained(x *syntax.Binary) bool {
	left, ok := x.X.(*syntax.Binary)
	return ok && comparison(x.Op) && comparison(left.Op)
}

func comparison(op syntax.BinOp) bool { return op >= syntax.EqOp && op <= syntax.GeOp }

// logic goes over x && y and x || y: the right side is reached when the left one does not
// decide.
func (b *body) logic(x *syntax.Binary) *Type {
	b.logical(x.X)
	b.fork(
		func() { b.assume(x.X, x.Op == syntax.OrOp) },
		func() {
			b.assume(x.X, x.Op == syntax.AndOp)
			b.logical(x.Y)
		},
	)
	return boolean
}

// logical goes over an operand that must be a Bool.
func (b *body) logical(x syntax.Expr) {
	if t := b.expr(x); t.Kinds != 0 && !t.may(Bool) {
		b.report(notBool(x, t))
	}
}

// coalesce goes over x ?? y, whose right side is reached when the left one may be ().
func (b *body) coalesce(x *syntax.Binary) *Type {
	left := b.expr(x.X)
	if left.Kinds == 0 {
		return never
	}
	out := left.only(Every &^ Unit)
	branches := []func(){}
	if out.Kinds != 0 {
		branches = append(branches, func() {})
	}
	if left.may(Unit) {
		branches = append(branches, func() { out = join(out, b.expr(x.Y)) })
	} else {
		// Never reached, but its parts have types all the same.
		branches = append(branches, func() { b.dead = true; b.expr(x.Y) })
	}
	b.fork(branches...)
	return out
}

// unary goes over !x and -x.
func (b *body) unary(x *syntax.Unary) *Type {
	if x.Not {
		b.logical(x.X)
		return boolean
	}
	t := b.expr(x.X)
	out := t.only(Number)
	if vector(t) {
		out = join(out, listOf(itemwise(syntax.MulOp, t.only(List), integer)))
	}
	if t.Kinds != 0 && out.Kinds == 0 {
		b.report(badOperand(x, "-", t))
		return never
	}
	return out
}

// condition goes over what must be a Bool; () counts as false.
func (b *body) condition(x syntax.Expr) {
	if t := b.expr(x); t.Kinds != 0 && !t.may(Bool|Unit) {
		b.report(notBool(x, t))
	}
}
