package types

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// application is a call in any of its forms: name, the receiver of a method or pipe, or nil,
// and the arguments as written.
type application struct {
	node     syntax.Expr
	name     syntax.Ident
	receiver syntax.Expr
	args     []syntax.Expr
}

func applied(x syntax.Expr) application {
	switch x := x.(type) {
	case *syntax.Method:
		return application{x, x.Name, x.X, x.Args}
	case *syntax.Pipe:
		if x.Call == nil {
			return application{node: x, receiver: x.X}
		}
		a := applied(x.Call)
		return application{x, a.name, x.X, a.args}
	case *syntax.Call:
		a := application{node: x, args: x.Args}
		if name, ok := x.Fun.(*syntax.Name); ok {
			a.name = syntax.Ident{Place: name.Place, Name: name.Name}
		}
		return a
	}
	return application{node: x}
}

// call goes over a call by what resolution says it calls.
func (b *body) call(x syntax.Expr) *Type {
	a := applied(x)
	callee := b.info.Calls[x]
	if callee == nil {
		b.unresolved(a)
		return anything
	}
	args := a.args
	if callee.Receiver || callee.Kind == resolve.CallValue {
		args = append([]syntax.Expr{a.receiver}, args...)
	}
	switch callee.Kind {
	case resolve.CallSlot:
		return b.slotCall(a, callee)
	case resolve.CallBuiltin:
		return b.builtinCall(callee, args)
	}
	ts := b.exprs(args)
	if b.replaced(callee) {
		return anything
	}
	switch callee.Kind {
	case resolve.CallHandler:
		return b.handlerCall(callee.Handler, args, ts)
	case resolve.CallCellAs:
		return b.handlerCall(callee.Handler, args[2:], ts[2:])
	case resolve.CallLambda:
		return b.localCall(a, ts)
	case resolve.CallVariant:
		for i, p := range callee.Variant.Fields {
			if i < len(args) {
				b.fits(args[i], ts[i], p.Type, variantField{callee.Variant, p})
			}
		}
		return variantOf(callee.Variant)
	case resolve.CallValue:
		return b.valueCall(a, callee.Op, ts)
	}
	return anything
}

// unresolved goes over the parts of a call without a meaning. It may have been meant to change
// what it is called on.
func (b *body) unresolved(a application) {
	if a.receiver != nil {
		if l := b.lookup(rootName(a.receiver)); l != nil {
			defer b.assign(l, anything)
		}
	}
	if ref, ok := a.receiver.(*syntax.VariantRef); a.receiver != nil && !(ok && ref.Type == nil) {
		b.expr(a.receiver)
	}
	b.exprs(a.args)
}

func (b *body) handlerCall(h *resolve.Handler, args []syntax.Expr, ts []*Type) *Type {
	for i := range h.Params {
		if i < len(args) {
			b.argument(args[i], ts[i], h, i)
		}
	}
	return b.resultOf(h)
}

// argument checks the i-th argument of a handler. Where its parameter is not what the face
// states, which is reported there, callers may do as the face says.
func (b *body) argument(x syntax.Expr, t *Type, h *resolve.Handler, i int) {
	p := h.Params[i]
	if s := h.Signal; s != nil && i < len(s.Params) && conforms(t, s.Params[i].Type) {
		return
	}
	b.fits(x, t, p.Type, parameter{h, p})
}

// localCall goes over the call of a local, which must hold a function.
func (b *body) localCall(a application, ts []*Type) *Type {
	l := b.lookup(a.name.Name)
	if l == nil {
		return anything
	}
	t := b.typeOfLocal(l)
	switch f := t.function; {
	case t.Kinds == 0:
		return never
	case !t.may(Function):
		b.report(notFunction(a.name, t))
		return never
	case f == nil:
		return anything
	case f.params != len(ts):
		b.report(localArity(a, f.params, len(ts)))
		return never
	default:
		return f.result
	}
}

// slotCall goes over an operation on a slot.
func (b *body) slotCall(a application, callee *resolve.Callee) *Type {
	s := callee.Slot
	if callee.Op == "total" {
		return integer
	}
	ts := b.exprs(a.args)
	keyed := false
	switch callee.Op {
	case "get", "has", "set", "delete":
		keyed = len(ts) > 0
	}
	if keyed {
		b.slotKey(s, a.args[0], ts[0], callee.Op == "set")
	}
	switch callee.Op {
	case "set":
		b.stored(s, a.args[1], ts[1])
		return unit
	case "push", "append":
		b.stored(s, a.args[0], ts[0])
		return unit
	case "get":
		return join(declared(s.Value), unit)
	case "has", "delete":
		return boolean
	}
	return b.slotField(s, callee.Op)
}

// stored checks a value against the slot it is written to.
func (b *body) stored(s *resolve.Slot, x syntax.Expr, t *Type) {
	b.fits(x, t, s.Value, slotEntry{s})
}

// slotKey checks a key or index of a slot. A written key of a map must read as what is declared.
func (b *body) slotKey(s *resolve.Slot, x syntax.Expr, t *Type, written bool) {
	if t.Kinds == 0 {
		return
	}
	if s.IsList {
		if !t.may(Int) {
			b.report(badIndex(x, t, "the list slot `"+s.Name+"`", s))
		}
		return
	}
	if !t.may(String | Int) {
		b.report(badKey(x, t, "the slot `"+s.Name+"`", s))
		return
	}
	if key, ok := literal(x); ok && written && !keyConforms(key, s.Key) {
		b.report(keyText(x, s))
	}
}

// slotField is a pseudo-field of a slot, or the slot itself.
func (b *body) slotField(s *resolve.Slot, op string) *Type {
	switch op {
	case "len", "size", "total":
		return integer
	case "keys":
		return texts
	case "values":
		return listOf(declared(s.Value))
	case "last":
		return join(declared(s.Value), unit)
	}
	return slotValue(s)
}

// valueCall goes over x.get(k), x.has(k), x.size() and x.last() on a value.
func (b *body) valueCall(a application, op string, ts []*Type) *Type {
	t := ts[0]
	if t.Kinds == 0 {
		return never
	}
	switch op {
	case "get", "has":
		out, ok := b.element(a.node, a.receiver, a.args[0], t, ts[1])
		switch {
		case !ok:
			return never
		case op == "has":
			return boolean
		}
		return join(out, unit)
	case "last":
		return b.fieldOf(a.name, t.only(Every&^(String|Variant)), t)
	}
	return b.fieldOf(a.name, t.only(Every&^Variant), t)
}
