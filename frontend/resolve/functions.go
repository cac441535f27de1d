package resolve

import "soma.cell/frontend/syntax"

// Which f a call f(a) calls depends on whether a local f may hold a function: one that never
// does stands in nobody's way. The form of an expression tells, or the type that is stated of
// what it reads.

// mayBeFunction tells whether a resolved expression may give a function.
func (w *walker) mayBeFunction(x syntax.Expr) bool {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Lambda:
		return true
	case *syntax.Int, *syntax.Float, *syntax.Bool, *syntax.Unit, *syntax.String, *syntax.List, *syntax.Try,
		*syntax.VariantRef, *syntax.Record, *syntax.Unary:
		return false
	case *syntax.Binary:
		return x.Op == syntax.CoalesceOp && (w.mayBeFunction(x.X) || w.mayBeFunction(x.Y))
	case *syntax.Name:
		l := w.lookup(x.Name)
		return l != nil && l.fn
	case *syntax.Index:
		if use := w.r.info.Slots[x]; use != nil {
			return mayHold(use.Slot.Value)
		}
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		return calleeMayGive(w.r.info.Calls[x])
	}
	return true
}

// mayHold tells whether values of a stated type may be functions.
func mayHold(t *Type) bool { return t == nil || t.Kind == AnyType || t.Kind == FunctionType }

// calleeMayGive tells whether a call may give a function.
func calleeMayGive(c *Callee) bool {
	switch {
	case c == nil:
		return true
	case c.Kind == CallBuiltin:
		return c.Builtin.Result == "Any"
	case c.Kind == CallVariant:
		return false
	case c.Kind == CallSlot:
		return (c.Op == "get" || c.Op == "last") && mayHold(c.Slot.Value)
	case c.Handler != nil && c.Handler.Signal != nil:
		return mayHold(c.Handler.Signal.Result)
	}
	return true
}
