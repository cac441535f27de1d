package resolve

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/syntax"
)

// The language is typed at run time; here only what is certain counts. typeOf knows the
// types of literals, of parameters (the runtime holds them to their types), of locals that
// are never assigned again and of calls whose result the table or the face states. A fault
// is reported where both sides are known so, and not inside try or in a test, where a
// failure may be what is wanted.

// typeOf is the type that a resolved expression surely has, or nil.
func (w *walker) typeOf(x syntax.Expr) *Type { return w.r.certain[x] }

// infer finds the certain type of an expression whose parts have been resolved.
func (w *walker) infer(x syntax.Expr) *Type {
	switch x := x.(type) {
	case *syntax.Paren:
		return w.typeOf(x.X)
	case *syntax.Int:
		return plain(IntType)
	case *syntax.Float:
		return plain(FloatType)
	case *syntax.Bool:
		return plain(BoolType)
	case *syntax.Unit:
		return plain(UnitType)
	case *syntax.String:
		return plain(StringType)
	case *syntax.Lambda:
		return plain(FunctionType)
	case *syntax.List:
		return &Type{Kind: ListType}
	case *syntax.Try:
		return &Type{Kind: MapType}
	case *syntax.Name:
		if l := w.lookup(x.Name); l != nil {
			return l.typ
		}
	case *syntax.VariantRef:
		return variantType(w.r.info.Variants[x])
	case *syntax.Record:
		if v := w.r.info.Variants[x]; v != nil {
			return variantType(v)
		}
		if w.r.types[x.Name.Name] == nil {
			return &Type{Kind: RecordType, Name: x.Name.Name}
		}
	case *syntax.Unary:
		if x.Not {
			return plain(BoolType)
		}
		if t := w.typeOf(x.X); numeric(t) {
			return t
		}
	case *syntax.Binary:
		return w.binaryType(x)
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		return resultType(w.r.info.Calls[x])
	}
	return nil
}

// mayBeFunction tells whether a resolved expression may give a function. A local that never
// holds one does not stand in the way of the handler or builtin of its name.
func (w *walker) mayBeFunction(x syntax.Expr) bool {
	if t := w.typeOf(x); known(t) {
		return t.Kind == FunctionType
	}
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Binary:
		return x.Op == syntax.CoalesceOp && (w.mayBeFunction(x.X) || w.mayBeFunction(x.Y))
	case *syntax.Unary:
		return false
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
func mayHold(t *Type) bool { return !known(t) || t.Kind == FunctionType }

// calleeMayGive tells whether a call may give a function.
func calleeMayGive(c *Callee) bool {
	switch {
	case c == nil:
		return true
	case c.Kind == CallBuiltin:
		return c.Builtin.Result == "Any"
	case c.Kind == CallSlot:
		return (c.Op == "get" || c.Op == "last") && mayHold(c.Slot.Value)
	case c.Handler != nil && c.Handler.Signal != nil:
		return mayHold(c.Handler.Signal.Result)
	}
	return true
}

func variantType(v *Variant) *Type {
	if v == nil {
		return nil
	}
	return &Type{Kind: SumTypeKind, Sum: v.Type}
}

// resultType is the type of a call's result, where the table or the face states it.
func resultType(c *Callee) *Type {
	if c == nil {
		return nil
	}
	switch c.Kind {
	case CallBuiltin:
		if t, ok := builtinType(c.Builtin.Result); ok && t.Kind != AnyType && t.Kind != UnitType {
			return t
		}
	case CallVariant:
		return variantType(c.Variant)
	case CallSlot:
		switch c.Op {
		case "has":
			return plain(BoolType)
		case "len", "size":
			return plain(IntType)
		}
	}
	return nil
}

func (w *walker) binaryType(x *syntax.Binary) *Type {
	switch x.Op {
	case syntax.OrOp, syntax.AndOp, syntax.EqOp, syntax.NeOp, syntax.LtOp, syntax.LeOp, syntax.GtOp, syntax.GeOp:
		return plain(BoolType)
	case syntax.CoalesceOp, syntax.DivOp:
		return nil
	}
	a, b := w.typeOf(x.X), w.typeOf(x.Y)
	switch {
	case !known(a) || !known(b):
	case numeric(a) && numeric(b):
		if a.Kind == FloatType {
			return a
		}
		return b
	case x.Op == syntax.AddOp && a.Kind == StringType && b.Kind == StringType:
		return a
	}
	return nil
}

func known(t *Type) bool { return t != nil && t.Kind != AnyType }

func numeric(t *Type) bool { return t != nil && (t.Kind == IntType || t.Kind == FloatType) }

// compatible tells whether a value of type a may be one of type b; what is not known may.
func compatible(a, b *Type) bool {
	switch {
	case !known(a) || !known(b):
		return true
	case numeric(a) && numeric(b):
		return a.Kind == b.Kind || a.Kind == IntType
	case isMap(a) && isMap(b):
		return true
	case a.Kind == SumTypeKind && b.Kind == SumTypeKind:
		return a.Sum == b.Sum
	}
	return a.Kind == b.Kind
}

func isMap(t *Type) bool { return t.Kind == MapType || t.Kind == RecordType }

// judging tells whether sure failures are reported here.
func (w *walker) judging() bool { return w.quiet == 0 && w.mode != inTest }

// fits calls bad with the type of a value that surely is not of the wanted type.
func (w *walker) fits(x syntax.Expr, want *Type, bad func(got *Type)) {
	if got := w.typeOf(x); w.judging() && !compatible(got, want) {
		bad(got)
	}
}

// condition resolves an expression that must be a Bool; () counts as false.
func (w *walker) condition(x syntax.Expr) {
	w.expr(x)
	if t := w.typeOf(x); w.judging() && known(t) && t.Kind != BoolType && t.Kind != UnitType {
		w.r.report(notBool(x, t))
	}
}

// iterable wants what a for can run over: a list, a map, a text, or ().
func (w *walker) iterable(x syntax.Expr) {
	t := w.typeOf(x)
	if !w.judging() || !known(t) || isMap(t) || t.Kind == ListType || t.Kind == StringType || t.Kind == UnitType {
		return
	}
	w.r.report(notIterable(x, t))
}

func (w *walker) operand(x *syntax.Unary) {
	t := w.typeOf(x.X)
	if !w.judging() || !known(t) {
		return
	}
	switch {
	case x.Not && t.Kind != BoolType && t.Kind != UnitType:
		w.r.report(notBool(x.X, t))
	case !x.Not && !numeric(t) && t.Kind != ListType:
		w.r.report(badOperand(x, "-", t))
	}
}

// operands checks a binary operation whose sides have certain types.
func (w *walker) operands(op syntax.BinOp, x, y syntax.Expr, node syntax.Node) {
	a, b := w.typeOf(x), w.typeOf(y)
	if !w.judging() || chained(op, x) {
		return
	}
	switch op {
	case syntax.OrOp, syntax.AndOp:
		for _, side := range []syntax.Expr{x, y} {
			if t := w.typeOf(side); known(t) && t.Kind != BoolType && t.Kind != UnitType {
				w.r.report(notBool(side, t))
			}
		}
		return
	case syntax.CoalesceOp:
		return
	}
	if !known(a) || !known(b) {
		return
	}
	ok := true
	switch op {
	case syntax.EqOp, syntax.NeOp:
		ok = comparable(a, b)
	case syntax.LtOp, syntax.LeOp, syntax.GtOp, syntax.GeOp:
		ok = numeric(a) && numeric(b) || a.Kind == StringType && b.Kind == StringType
	case syntax.AddOp:
		ok = arithmetic(a, b) || a.Kind == StringType && b.Kind == StringType
	default:
		ok = arithmetic(a, b)
	}
	if !ok {
		w.r.report(badOperands(node, op.String(), a, b))
	}
}

// chained tells whether a comparison has another one as its left side, which the parser
// has reported.
func chained(op syntax.BinOp, x syntax.Expr) bool {
	left, ok := x.(*syntax.Binary)
	return ok && comparison(op) && comparison(left.Op)
}

func comparison(op syntax.BinOp) bool { return op >= syntax.EqOp && op <= syntax.GeOp }

// comparable tells whether == may compare the types: one kind, two numbers, or ().
func comparable(a, b *Type) bool {
	return a.Kind == b.Kind || numeric(a) && numeric(b) || isMap(a) && isMap(b) ||
		a.Kind == UnitType || b.Kind == UnitType
}

// arithmetic tells whether both sides may be numbers or numeric lists.
func arithmetic(a, b *Type) bool {
	number := func(t *Type) bool { return numeric(t) || t.Kind == ListType }
	return number(a) && number(b)
}

// builtinArgs checks the arguments of a builtin whose types are certain.
func (w *walker) builtinArgs(b *builtin.Builtin, all []syntax.Expr) {
	if !w.judging() {
		return
	}
	for i, x := range all {
		t := w.typeOf(x)
		if !known(t) {
			continue
		}
		if want := b.ParamTypes(i); !accepts(want, t) {
			w.r.report(builtinArgument(x, b, want, t))
			return
		}
	}
}

// accepts tells whether a parameter of the builtin table takes a type. Lists and maps are
// told apart by the runtime.
func accepts(want []string, t *Type) bool {
	container := t.Kind == ListType || isMap(t)
	for _, word := range want {
		switch word {
		case "Any":
			return true
		case "Number":
			if numeric(t) {
				return true
			}
		case "Float":
			if numeric(t) {
				return true
			}
		case "List", "Map":
			if container {
				return true
			}
		default:
			if p, ok := builtinType(word); ok && p.Kind == t.Kind {
				return true
			}
		}
	}
	return false
}

// stored checks a value against the slot it is written to.
func (w *walker) stored(x syntax.Expr, s *Slot) {
	w.fits(x, s.Value, func(got *Type) { w.r.report(slotValue(x, s, got)) })
}

// handlerArgs checks the arguments of a handler against its parameters.
func (w *walker) handlerArgs(h *Handler, args []syntax.Expr) {
	for i, x := range args {
		if i < len(h.Params) {
			w.fits(x, h.Params[i].Type, func(got *Type) { w.r.report(argumentType(x, h, h.Params[i], got)) })
		}
	}
}

// tailFits checks the last expression of a body, which is its result, in all its branches.
func (w *walker) tailFits(b *syntax.Block) {
	if b == nil || len(b.Stmts) == 0 {
		return
	}
	s, ok := b.Stmts[len(b.Stmts)-1].(*syntax.ExprStmt)
	if !ok {
		return
	}
	switch x := syntax.Unparen(s.X).(type) {
	case *syntax.If:
		w.tailsOf(x)
	case *syntax.Match:
		for _, arm := range x.Arms {
			w.tailFits(arm.Body)
			if arm.Value != nil {
				w.resultFits(arm.Value)
			}
		}
	default:
		w.resultFits(s.X)
	}
}

func (w *walker) tailsOf(x *syntax.If) {
	if x.Else == nil {
		return
	}
	w.tailFits(x.Then)
	switch e := x.Else.(type) {
	case *syntax.Block:
		w.tailFits(e)
	case *syntax.If:
		w.tailsOf(e)
	}
}

// resultFits checks a returned value against the face. () is let pass: it stands for
// nothing to give.
func (w *walker) resultFits(x syntax.Expr) {
	if w.handler == nil || w.handler.Signal == nil || w.lambdas > 0 {
		return
	}
	s := w.handler.Signal
	got := w.typeOf(x)
	if !known(got) || got.Kind == UnitType || s.Result.Kind == UnitType || compatible(got, s.Result) {
		return
	}
	w.r.report(wrongResult(x, s, got))
}
