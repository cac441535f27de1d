package lower

import (
	"slices"
	"strings"
	"unicode/utf8"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// callArgs are the arguments of a call in any form, the receiver of a method or pipe first.
func callArgs(x syntax.Expr, receiver bool) []syntax.Expr {
	switch x := x.(type) {
	case *syntax.Call:
		return x.Args
	case *syntax.Method:
		if receiver {
			return append([]syntax.Expr{x.X}, x.Args...)
		}
		return x.Args
	case *syntax.Pipe:
		if x.Call == nil {
			return []syntax.Expr{x.X}
		}
		return append([]syntax.Expr{x.X}, x.Call.Args...)
	}
	return nil
}

// call lowers f(a), x.f(a) and x |> f(a). The value matters only when it is wanted.
func (b *builder) call(x syntax.Expr, wanted bool) value {
	span := x.Span()
	c := b.info.Calls[x]
	if c == nil {
		if b.rule == nil {
			for _, a := range callArgs(x, true) {
				b.expr(a)
			}
		}
		return b.unknownValue(span, unknownCallee)
	}
	args := callArgs(x, c.Receiver && c.Kind != resolve.CallSlot)
	switch c.Kind {
	case resolve.CallHandler:
		return b.callHandler(c.Handler, b.args(args), "", span)
	case resolve.CallCellAs:
		rest := b.args(args)
		return b.callHandler(c.Handler, rest[min(2, len(rest)):], "delegate", span)
	case resolve.CallVariant:
		boxes := b.boxes(b.values(args))
		b.mayRaise("type", span)
		return of(term.App("variant:"+variantName(c.Variant), term.Opaque, boxes...))
	case resolve.CallSlot:
		return b.slotCall(c, args, span)
	case resolve.CallLambda:
		return b.callLambda(x, args, span)
	case resolve.CallBuiltin:
		return b.callBuiltin(c, args, span, wanted)
	case resolve.CallValue:
		return b.valueCall(c.Op, b.values(args), span)
	}
	return b.unknownValue(span, unknownCallee)
}

// valueCall lowers x.get(k), x.has(k), x.size() and x.last() on a value, which do nothing else.
func (b *builder) valueCall(op string, vs []value, span source.Span) value {
	b.mayRaise("type", span)
	typ := "Any"
	switch op {
	case "has":
		typ = "Bool"
	case "size":
		typ = "Int"
	}
	return result(op, typ, b.boxes(vs))
}

// callHandler runs a handler in this transaction.
func (b *builder) callHandler(h *resolve.Handler, args []*term.Term, via string, span source.Span) value {
	s := b.resultSort(h, b.handler)
	b.mayBeRefused("", span)
	call := &ir.Call{At: b.at(span), Handler: handlerRef(h), Args: args, Via: via}
	out := unit()
	if s.Kind != term.KindUnit {
		call.Result = b.temp(s, span)
		out = of(call.Result)
	}
	b.emit(call)
	return out
}

// callLambda runs a lambda held in a local: its body stands here, in the scope in which it
// was made.
func (b *builder) callLambda(x syntax.Expr, args []syntax.Expr, span source.Span) value {
	vs := b.values(args)
	name := ""
	if call, ok := x.(*syntax.Call); ok {
		if n, ok := syntax.Unparen(call.Fun).(*syntax.Name); ok {
			name = n.Name
		}
	} else if method, ok := x.(*syntax.Method); ok {
		name = method.Name.Name
	} else if pipe, ok := x.(*syntax.Pipe); ok && pipe.Call != nil {
		if n, ok := syntax.Unparen(pipe.Call.Fun).(*syntax.Name); ok {
			name = n.Name
		}
	}
	v, ok := b.env.find(name)
	if !ok || b.shared[name] || v.lambda == nil || b.lambdas[v.lambda] || b.inlined >= 8 {
		b.escape(v)
		return b.unknownCall(vs, ir.RunsFunction, span)
	}
	return b.inline(v, vs, span)
}

func (b *builder) inline(f value, args []value, span source.Span) value {
	if len(args) != len(f.lambda.Params) {
		b.raise(&ir.Raise{At: b.at(span), Kind: "type"})
		return unit()
	}
	outer := b.env
	b.lambdas[f.lambda] = true
	b.inlined++
	b.callers = append(b.callers, outer)
	b.env = b.captured(f.closure, span)
	b.open()
	for i, p := range f.lambda.Params {
		b.let(p.Name, args[i], p.At)
	}
	v := b.inside(f.lambda)
	b.lambdas[f.lambda] = false
	b.inlined--
	v = b.store("", v, span)
	b.callers = b.callers[:len(b.callers)-1]
	b.env = outer
	return v
}

// unknownCall runs a function value that is not known here. The arguments that are functions
// may run, too.
func (b *builder) unknownCall(args []value, why string, span source.Span) value {
	for _, v := range args {
		b.escape(v)
	}
	return b.unknownValue(span, why)
}

// callBuiltin lowers a builtin by its effect class.
func (b *builder) callBuiltin(c *resolve.Callee, args []syntax.Expr, span source.Span, wanted bool) value {
	f := c.Builtin
	if f.Class == builtin.Machine {
		return b.machineCall(c, args, span, wanted)
	}
	for i, a := range args {
		if _, ok := syntax.Unparen(a).(*syntax.Lambda); ok && runs(f, args, i) {
			return b.higherOrder(f, args, span)
		}
	}
	if v, ok := b.number(f, args); ok {
		return v
	}
	vs := b.values(args)
	if f.Class != builtin.Pure {
		return b.act(f, args, vs, span)
	}
	for i, v := range vs {
		if v.lambda != nil && runs(f, args, i) {
			return b.unknownCall(vs, ir.RunsFunction+" in "+f.Name, span)
		}
	}
	if v, ok := b.exact(f, vs, span); ok {
		return v
	}
	if f.Refuses || !b.accepts(f, vs) {
		b.mayRaise("type", span)
	}
	for _, kind := range f.Raises {
		b.mayRaise(strings.TrimPrefix(kind, builtin.AnyKind), span)
	}
	if f.Name == "fail" {
		kind := ""
		if len(vs) > 0 && vs[0].t.Op == term.OpString {
			kind = vs[0].t.Name
		}
		b.raise(&ir.Raise{At: b.at(span), Kind: kind})
		return unit()
	}
	out := result(f.Name, f.Result, b.plains(vs))
	out.typ = resultType(f)
	return out
}

// number is len of a slot or of its keys or values, or the sum of the values of an Int map.
func (b *builder) number(f *builtin.Builtin, args []syntax.Expr) (value, bool) {
	if b.rule != nil || len(args) != 1 {
		return value{}, false
	}
	s, what := b.whole(args[0])
	switch {
	case s == nil:
	case f.Name == "len" && (what == "itself" || what == "keys" || what == "values"):
		return b.scan(s, "len", args[0].Span()), true
	case f.Name == "sum" && what == "values" && !s.IsList && sortOf(s.Value).Same(term.Int):
		return b.scan(s, "sum", args[0].Span()), true
	}
	return value{}, false
}

// whole is the slot that an expression gives, or the keys or values of, if it does nothing else.
func (b *builder) whole(x syntax.Expr) (*resolve.Slot, string) {
	x = syntax.Unparen(x)
	if use := b.info.Slots[x]; use != nil {
		return use.Slot, use.Op
	}
	switch x := x.(type) {
	case *syntax.Name:
		if _, local := b.env.find(x.Name); local {
			return nil, ""
		}
		if ref := b.info.Names[x]; ref != nil && ref.Kind == resolve.RefSlot {
			return ref.Slot, "itself"
		}
	case *syntax.Call, *syntax.Method:
		if c := b.info.Calls[x]; c != nil && c.Kind == resolve.CallSlot && len(callArgs(x, false)) == 0 {
			return c.Slot, c.Op
		}
	}
	return nil, ""
}

// runs tells whether a builtin runs the function that is its i-th argument; others keep it.
func runs(f *builtin.Builtin, args []syntax.Expr, i int) bool {
	if f.Name == "map" && len(args) == 2 && i == 1 {
		_, key := syntax.Unparen(args[0]).(*syntax.String)
		return !key
	}
	return f.Class == builtin.Pure && slices.Contains(f.ParamTypes(i), "Function")
}

// accepts tells whether a builtin surely takes the arguments without a type error.
func (b *builder) accepts(f *builtin.Builtin, vs []value) bool {
	for i, v := range vs {
		fits := false
		for _, t := range f.ParamTypes(i) {
			fits = fits || t == "Any" || v.has == nil && t == v.sort().String() && t != "Opaque"
		}
		if !fits {
			return false
		}
	}
	return true
}

// result is the value of a pure builtin as an uninterpreted function of its arguments, of
// the sort that its signature promises.
func result(name, typ string, args []*term.Term) value {
	base, optional := strings.CutSuffix(typ, "?")
	s := sortOfName(base)
	if s.Kind == term.KindUnit {
		return unit()
	}
	v := of(term.App(name, s, args...))
	if optional && s.Kind != term.KindOpaque {
		v.has = term.App(name+"?", term.Bool, args...)
	}
	return v
}

// anySort is the sort of a builtin's result when it is any value; one that may be unit is
// Opaque.
func anySort(f *builtin.Builtin) *term.Sort {
	if strings.HasSuffix(f.Result, "?") {
		return term.Opaque
	}
	return sortOfName(f.Result)
}

func sortOfName(name string) *term.Sort {
	switch name {
	case "Int":
		return term.Int
	case "Float":
		return term.Float
	case "String":
		return term.String
	case "Bool":
		return term.Bool
	case "Unit":
		return term.Unit
	}
	return term.Opaque
}

// act lowers an effectful builtin: its result is any value the environment likes.
func (b *builder) act(f *builtin.Builtin, args []syntax.Expr, vs []value, span source.Span) value {
	a := &ir.Act{At: b.at(span), Builtin: f.Name, Class: string(f.Class), Args: b.plains(vs), Sinks: f.Sinks}
	for _, x := range args {
		a.Spans = append(a.Spans, x.Span())
	}
	if f.Class == builtin.Model && b.handler != nil && b.handler.Cell.Agent {
		for _, s := range b.handler.Cell.Signals {
			if s.Tool && s.Handler != nil {
				a.Tools = append(a.Tools, handlerRef(s.Handler))
			}
		}
	}
	b.mayBeRefused("", span)
	s := anySort(f)
	out := unit()
	if s.Kind != term.KindUnit {
		a.Result = b.temp(s, span)
		out = of(a.Result)
	}
	b.emit(a)
	if f.Class == builtin.Call {
		return b.unknownValue(span, computedDelegate)
	}
	return out
}

// exact lowers the pure builtins that the terms know.
func (b *builder) exact(f *builtin.Builtin, vs []value, span source.Span) (value, bool) {
	ints := true
	for _, v := range vs {
		ints = ints && v.has == nil && v.sort().Kind == term.KindInt
	}
	switch {
	case f.Name == "to_string" && len(vs) == 1:
		return of(b.render(vs[0])), true
	case f.Name == "len" && len(vs) == 1:
		return known(vs[0])
	case f.Name == "contains" && len(vs) == 2 && vs[0].isList && vs[1].has == nil:
		return member(vs[0].items, vs[1])
	case f.Name == "str_eq" && len(vs) == 2 && isText(vs[0]) && isText(vs[1]):
		return of(term.Eq(vs[0].t, vs[1].t)), true
	case f.Name == "concat" && len(vs) == 2 && isText(vs[0]) && isText(vs[1]):
		return of(term.Concat(vs[0].t, vs[1].t)), true
	case !ints:
	case f.Name == "abs" && len(vs) == 1:
		x := vs[0].t
		return of(term.Ite(term.Lt(x, term.Int64(0)), term.Neg(x), x)), true
	case f.Name == "min" && len(vs) == 2:
		return of(term.Ite(term.Le(vs[0].t, vs[1].t), vs[0].t, vs[1].t)), true
	case f.Name == "max" && len(vs) == 2:
		return of(term.Ite(term.Le(vs[0].t, vs[1].t), vs[1].t, vs[0].t)), true
	case f.Name == "clamp" && len(vs) == 3:
		return b.operation(span, func() value { return b.clamp(vs, span) }), true
	}
	return value{}, false
}

// known is the len of a text or list that is written out.
func known(v value) (value, bool) {
	if v.has == nil && v.t.Op == term.OpString {
		return of(term.Int64(int64(utf8.RuneCountInString(v.t.Name)))), true
	}
	if n := length(v); n != nil {
		return of(term.Int64(*n)), true
	}
	return value{}, false
}

func isText(v value) bool { return v.has == nil && v.sort().Kind == term.KindString }

// member lowers contains([literals], v): v is one of them. Lists are searched structurally,
// so that literals of another kind than v's never fit.
func member(items []value, v value) (value, bool) {
	if k := v.sort().Kind; k != term.KindString && k != term.KindInt && k != term.KindBool {
		return value{}, false
	}
	var eqs []*term.Term
	for _, item := range items {
		if !item.sort().Same(v.sort()) {
			return value{}, false
		}
		eqs = append(eqs, term.Eq(v.t, item.t))
	}
	return of(term.Or(eqs...)), true
}

// clamp keeps its value as a function of its own, with its bounds as what is known of it.
func (b *builder) clamp(vs []value, span source.Span) value {
	x, lo, hi := vs[0].t, vs[1].t, vs[2].t
	b.raiseWhen(term.Lt(hi, lo), "range", span)
	out := b.temp(term.Int, span)
	b.emit(&ir.Bind{At: b.at(span), Var: out, Value: term.App("clamp", term.Int, x, lo, hi)})
	if b.rule == nil {
		b.when(b.flush(span), term.And(
			term.Implies(term.Le(lo, hi), term.And(term.Le(lo, out), term.Le(out, hi))),
			term.Implies(term.And(term.Le(lo, x), term.Le(x, hi)), term.Eq(out, x)),
		), span)
	}
	return of(out)
}
