package interp

import "soma.cell/frontend/syntax"

// operate is a op b for the operators that need both sides.
func (w *World) operate(op syntax.BinOp, a, b Value) (Value, error) {
	switch op {
	case syntax.EqOp, syntax.NeOp:
		if depth := depthOf(a); depth > 0 && depth <= maxDepth {
			if err := w.payForTree(a); err != nil {
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
		if err := w.payForOperation(op, a, b); err != nil {
			return nil, err
		}
		return arithmetic(op, a, b)
	case op == syntax.AddOp && a.Kind() == StringKind && b.Kind() == StringKind:
		if err := w.allocateText(len(a.(String)) + len(b.(String))); err != nil {
			return nil, err
		}
		return a.(String) + b.(String), nil
	case op == syntax.AddOp && xList && yList && !(numeric(x) && numeric(y)) && !(isMatrix(x) && isMatrix(y)):
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

// negate is -v.
func (w *World) negate(v Value) (Value, error) {
	switch v := v.(type) {
	case Int:
		return boxed(negInt(v)), w.payFor(v)
	case Float:
		return -v, nil
	case *List:
		return w.elementwise(syntax.MulOp, v, NewInt(-1))
	}
	return nil, errType("`-` needs a number, this is %s", aKind(v))
}

// condition is the truth of a condition: Bools only, and () counts as false.
func condition(v Value) (bool, error) {
	switch v := v.(type) {
	case Bool:
		return bool(v), nil
	case Unit:
		return false, nil
	}
	return false, errCondition(v)
}

// payForOperation charges for an operation on Ints: dividing takes several times as long as
// multiplying.
func (w *World) payForOperation(op syntax.BinOp, a, b Value) error {
	times := 1
	if op == syntax.DivOp || op == syntax.RemOp {
		times = 16
	}
	words := 0
	for _, v := range []Value{a, b} {
		if i, ok := v.(Int); ok {
			words += price(i.size())
		}
	}
	return w.spend(times * words)
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
	return isNumber(v) || ok && (l.Len() == 0 || numeric(l) || isMatrix(l))
}

func elementOr(v Value, i int) Value {
	if l, ok := v.(*List); ok {
		return l.items[i]
	}
	return v
}
