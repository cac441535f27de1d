package interp

import "soma.cell/frontend/syntax"

func (w *World) evalBinary(f *frame, x *syntax.Binary) (Value, error) {
	a, err := w.eval(f, x.X)
	if err != nil {
		return nil, err
	}
	switch x.Op {
	case syntax.AndOp, syntax.OrOp:
		return w.evalLogic(f, x, a)
	case syntax.CoalesceOp:
		if a.Kind() != UnitKind {
			return a, nil
		}
		return w.eval(f, x.Y)
	}
	b, err := w.eval(f, x.Y)
	if err != nil {
		return nil, err
	}
	return w.operate(x.Op, a, b)
}

// evalLogic is && and ||, which look at the right side only when they must.
func (w *World) evalLogic(f *frame, x *syntax.Binary, a Value) (Value, error) {
	left, ok := a.(Bool)
	if !ok {
		return nil, errNeedsBool(x.Op.String(), a)
	}
	if bool(left) == (x.Op == syntax.OrOp) {
		return left, nil
	}
	b, err := w.eval(f, x.Y)
	if err != nil {
		return nil, err
	}
	if _, ok := b.(Bool); !ok {
		return nil, errNeedsBool(x.Op.String(), b)
	}
	return b, nil
}

// operate is a op b for the operators that need both sides.
func (w *World) operate(op syntax.BinOp, a, b Value) (Value, error) {
	switch op {
	case syntax.EqOp, syntax.NeOp:
		if depthOf(a) <= maxDepth {
			if err := w.spend(weigh(a, w.steps) - 1); err != nil {
				return nil, err
			}
		}
		eq, err := Equal(a, b)
		return Bool(eq == (op == syntax.EqOp)), err
	case syntax.LtOp, syntax.LeOp, syntax.GtOp, syntax.GeOp:
		return order(op, a, b)
	}
	x, xList := a.(*List)
	y, yList := b.(*List)
	switch {
	case isNumber(a) && isNumber(b):
		if err := w.payFor(a, b); err != nil {
			return nil, err
		}
		return arithmetic(op, a, b)
	case op == syntax.AddOp && a.Kind() == StringKind && b.Kind() == StringKind:
		if err := w.allocate(len(a.(String)) + len(b.(String))); err != nil {
			return nil, err
		}
		return a.(String) + b.(String), nil
	case op == syntax.AddOp && xList && yList && !(numeric(x) && numeric(y)):
		return w.concat(x, y)
	case xList || yList:
		return w.elementwise(op, a, b)
	}
	return nil, errOperands(op, a, b)
}

// payFor charges for the size of Ints that are operated on.
func (w *World) payFor(vs ...Value) error {
	for _, v := range vs {
		if i, ok := v.(Int); ok && i.big != nil {
			if err := w.spend(price(i.size())); err != nil {
				return err
			}
		}
	}
	return nil
}

func order(op syntax.BinOp, a, b Value) (Value, error) {
	c, ordered, err := compare(a, b)
	if err != nil {
		return nil, err
	}
	if !ordered {
		return Bool(false), nil
	}
	switch op {
	case syntax.LtOp:
		return Bool(c < 0), nil
	case syntax.LeOp:
		return Bool(c <= 0), nil
	case syntax.GtOp:
		return Bool(c > 0), nil
	}
	return Bool(c >= 0), nil
}

// concat joins two lists.
func (w *World) concat(x, y *List) (Value, error) {
	n := x.Len() + y.Len()
	if n > maxItems {
		return nil, errMemory()
	}
	if err := w.allocate(16 * n); err != nil {
		return nil, err
	}
	return NewList(append(append(make([]Value, 0, n), x.items...), y.items...)...), nil
}

// numeric tells whether a list is a vector: numbers only, at least one.
func numeric(l *List) bool {
	for _, v := range l.items {
		if !isNumber(v) {
			return false
		}
	}
	return l.Len() > 0
}

// isMatrix tells whether a list is equal rows of numbers.
func isMatrix(l *List) bool {
	for _, v := range l.items {
		row, ok := v.(*List)
		if !ok || !numeric(row) || row.Len() != l.items[0].(*List).Len() {
			return false
		}
	}
	return l.Len() > 0
}

// elementwise is arithmetic on vectors and matrices; * of two matrices is their product.
func (w *World) elementwise(op syntax.BinOp, a, b Value) (Value, error) {
	x, xList := a.(*List)
	y, yList := b.(*List)
	if xList && yList && op == syntax.MulOp && isMatrix(x) && isMatrix(y) {
		return w.matmul(x, y)
	}
	if !vectorOrNumber(a) || !vectorOrNumber(b) || op == syntax.RemOp {
		return nil, errOperands(op, a, b)
	}
	n := 0
	switch {
	case xList && yList && x.Len() != y.Len():
		return nil, errRange("`%s` on lists of %d and %d items", op, x.Len(), y.Len())
	case xList:
		n = x.Len()
	default:
		n = y.Len()
	}
	if err := w.allocate(16 * n); err != nil {
		return nil, err
	}
	out := make([]Value, n)
	for i := range out {
		v, err := w.operate(op, elementOr(a, i), elementOr(b, i))
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return NewList(out...), nil
}

func vectorOrNumber(v Value) bool {
	l, ok := v.(*List)
	return isNumber(v) || ok && (numeric(l) || isMatrix(l))
}

func elementOr(v Value, i int) Value {
	if l, ok := v.(*List); ok {
		return l.items[i]
	}
	return v
}
