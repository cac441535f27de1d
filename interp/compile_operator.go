package interp

import (
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// binary compiles x op y. Ints that fit 64 bits take a short way; all else goes through operate.
func (c *compiler) binary(x *syntax.Binary) exec {
	left, right, span := c.expr(x.X), c.expr(x.Y), x.Span()
	switch x.Op {
	case syntax.AndOp, syntax.OrOp:
		return logic(x.Op, left, right, span)
	case syntax.CoalesceOp:
		return func(f *frame) (Value, error) {
			a, err := left(f)
			if err != nil {
				return nil, err
			}
			if _, unit := a.(Unit); !unit {
				return a, nil
			}
			return right(f)
		}
	}
	fast, op, w := smallOps[x.Op], x.Op, c.w
	if i, ok := c.plainLocal(x.X); ok {
		if n, ok := smallLiteral(x.Y); ok {
			return c.localAndLiteral(fast, op, i, n, left, span)
		}
	}
	return func(f *frame) (Value, error) {
		a, err := left(f)
		if err != nil {
			return nil, err
		}
		b, err := right(f)
		if err != nil {
			return nil, err
		}
		if m, ok := a.(Int); ok && m.big == nil {
			if n, ok := b.(Int); ok && n.big == nil {
				if v := fast(m.small, n.small); v != nil {
					return v, nil
				}
			}
		}
		v, err := w.operate(op, a, b)
		return v, at(err, span)
	}
}

// localAndLiteral is the frequent `i + 1` and `n < 2`.
func (c *compiler) localAndLiteral(fast smallOp, op syntax.BinOp, i int, n int64, left exec, span source.Span) exec {
	w, literal := c.w, Value(NewInt(n))
	return func(f *frame) (Value, error) {
		a := f.locals[i]
		if m, ok := a.(Int); ok && m.big == nil {
			if v := fast(m.small, n); v != nil {
				return v, nil
			}
		}
		a, err := left(f)
		if err != nil {
			return nil, err
		}
		v, err := w.operate(op, a, literal)
		return v, at(err, span)
	}
}

// plainLocal is the place of a local that no lambda speaks of.
func (c *compiler) plainLocal(x syntax.Expr) (int, bool) {
	name, ok := x.(*syntax.Name)
	if !ok {
		return 0, false
	}
	a := c.unit.uses[name]
	if a.v == nil || a.free || a.v.captured {
		return 0, false
	}
	return a.v.index, true
}

func smallLiteral(x syntax.Expr) (int64, bool) {
	n, ok := x.(*syntax.Int)
	if !ok || !n.Value.IsInt64() {
		return 0, false
	}
	return n.Value.Int64(), true
}

// logic compiles && and ||, which look at the right side only when they must.
func logic(op syntax.BinOp, left, right exec, span source.Span) exec {
	decides := Bool(op == syntax.OrOp)
	return func(f *frame) (Value, error) {
		a, err := left(f)
		if err != nil {
			return nil, err
		}
		b, ok := a.(Bool)
		if !ok {
			return nil, at(errNeedsBool(op.String(), a), span)
		}
		if b == decides {
			return a, nil
		}
		v, err := right(f)
		if err != nil {
			return nil, err
		}
		if _, ok := v.(Bool); !ok {
			return nil, at(errNeedsBool(op.String(), v), span)
		}
		return v, nil
	}
}

// smallOp is an operator on Ints that fit 64 bits; nil where the result does not, or where
// the operator raises.
type smallOp func(a, b int64) Value

var smallOps = map[syntax.BinOp]smallOp{
	syntax.AddOp: func(a, b int64) Value {
		if s := a + b; (s > a) == (b > 0) {
			return small(s)
		}
		return nil
	},
	syntax.SubOp: func(a, b int64) Value {
		if d := a - b; (d < a) == (b > 0) {
			return small(d)
		}
		return nil
	},
	syntax.MulOp: func(a, b int64) Value {
		if a == int64(int32(a)) && b == int64(int32(b)) {
			return small(a * b)
		}
		return nil
	},
	syntax.DivOp: func(a, b int64) Value {
		if b > 0 && a%b == 0 {
			return small(a / b)
		}
		return nil
	},
	syntax.RemOp: func(a, b int64) Value {
		if b > 0 {
			return small(a % b)
		}
		return nil
	},
	syntax.EqOp: func(a, b int64) Value { return Bool(a == b) },
	syntax.NeOp: func(a, b int64) Value { return Bool(a != b) },
	syntax.LtOp: func(a, b int64) Value { return Bool(a < b) },
	syntax.LeOp: func(a, b int64) Value { return Bool(a <= b) },
	syntax.GtOp: func(a, b int64) Value { return Bool(a > b) },
	syntax.GeOp: func(a, b int64) Value { return Bool(a >= b) },
}

// Values of Ints near zero are made once: counters and indexes need no memory.
const (
	firstCached = -128
	lastCached  = 1023
)

var cachedInts = func() (all [lastCached - firstCached + 1]Value) {
	for i := range all {
		all[i] = NewInt(int64(firstCached + i))
	}
	return all
}()

// small is an Int as a value.
func small(n int64) Value {
	if n >= firstCached && n <= lastCached {
		return cachedInts[n-firstCached]
	}
	return NewInt(n)
}
