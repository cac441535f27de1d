package interp

import (
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// eval gives the value of an expression. Its error is an *Error, or control flow (a return,
// break or continue inside a block that stands as an expression).
func (w *World) eval(f *frame, x syntax.Expr) (Value, error) {
	if err := w.spend(1); err != nil {
		return nil, at(err, x.Span())
	}
	if w.nesting++; w.nesting > maxNesting {
		w.nesting--
		return nil, at(errNesting(), x.Span())
	}
	v, err := w.evalNode(f, x)
	w.nesting--
	if err != nil {
		return nil, at(err, x.Span())
	}
	return v, nil
}

func (w *World) evalNode(f *frame, x syntax.Expr) (Value, error) {
	switch x := x.(type) {
	case *syntax.Name:
		return w.evalName(f, x)
	case *syntax.Int:
		return BigInt(x.Value), nil
	case *syntax.Float:
		return Float(x.Value), nil
	case *syntax.Bool:
		return Bool(x.Value), nil
	case *syntax.Unit:
		return Unit{}, nil
	case *syntax.String:
		return w.evalString(f, x)
	case *syntax.List:
		return w.evalList(f, x)
	case *syntax.Record:
		return w.evalRecord(f, x)
	case *syntax.VariantRef:
		return w.evalVariant(x)
	case *syntax.Unary:
		return w.evalUnary(f, x)
	case *syntax.Binary:
		return w.evalBinary(f, x)
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		return w.evalCall(f, x)
	case *syntax.Field:
		return w.evalField(f, x)
	case *syntax.Index:
		return w.evalIndex(f, x)
	case *syntax.Propagate:
		return w.evalPropagate(f, x)
	case *syntax.Lambda:
		return &Function{lambda: x, frame: *f}, nil
	case *syntax.If:
		return w.evalIf(f, x)
	case *syntax.Try:
		return w.evalTry(f, x)
	case *syntax.Match:
		return w.evalMatch(f, x)
	case *syntax.Paren:
		return w.eval(f, x.X)
	}
	return nil, errUnsupported(x.Span().Normal())
}

func (w *World) evalName(f *frame, x *syntax.Name) (Value, error) {
	ref := w.ref(x)
	if ref != nil {
		switch ref.Kind {
		case resolve.RefSlot:
			if f.rule != nil {
				return w.slotInRule(f.rule, ref.Slot)
			}
			return w.slotValue(ref.Slot)
		case resolve.RefState:
			return String(x.Name), nil
		}
	}
	if v := f.scope.place(x.Name); v != nil {
		return *v, nil
	}
	if f.rule != nil {
		if v, ok := f.rule.special(x.Name); ok {
			return v, nil
		}
	}
	return nil, errUndefinedVariable(x.Name)
}

func (w *World) evalString(f *frame, x *syntax.String) (Value, error) {
	if s, ok := x.Literal(); ok {
		return String(s), nil
	}
	var b strings.Builder
	for _, s := range x.Segments {
		if s.X == nil {
			b.WriteString(s.Text)
			continue
		}
		v, err := w.eval(f, s.X)
		if err != nil {
			return nil, err
		}
		text, err := w.text(v)
		if err != nil {
			return nil, err
		}
		b.WriteString(text)
	}
	if err := w.allocate(b.Len()); err != nil {
		return nil, err
	}
	return String(b.String()), nil
}

// text renders a value, within the budget.
func (w *World) text(v Value) (string, error) {
	if s, ok := v.(String); ok {
		return string(s), nil
	}
	if depthOf(v) > maxDepth {
		return "", errDeep()
	}
	if err := w.spend(weigh(v, w.steps)); err != nil {
		return "", err
	}
	s := Render(v)
	return s, w.allocate(len(s))
}

// weigh counts the nodes of a value, up to a limit: a value may share parts and be much
// larger as text than in memory.
func weigh(v Value, limit int) int {
	var inside []Value
	n := 1
	switch v := v.(type) {
	case String:
		return 1 + len(v)>>4
	case Int:
		return 1 + price(v.size())
	case *List:
		inside = v.items
	case *Map:
		inside = v.vals
		n += v.Len()
	case *Variant:
		inside = v.Fields
	}
	for _, x := range inside {
		if n > limit {
			break
		}
		n += weigh(x, limit-n)
	}
	return n
}

func (w *World) evalAll(f *frame, xs []syntax.Expr) ([]Value, error) {
	out := make([]Value, 0, len(xs))
	for _, x := range xs {
		v, err := w.eval(f, x)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (w *World) evalList(f *frame, x *syntax.List) (Value, error) {
	items, err := w.evalAll(f, x.Items)
	if err != nil {
		return nil, err
	}
	return NewList(items...), nil
}

func (w *World) evalRecord(f *frame, x *syntax.Record) (Value, error) {
	given := NewMap()
	for _, init := range x.Fields {
		v, err := w.eval(f, init.Value)
		if err != nil {
			return nil, err
		}
		given = given.With(init.Name.Name, v)
	}
	variant := w.prog.Info.Variants[x]
	if variant == nil {
		m := NewMap().With("_type", String(x.Name.Name))
		for i, k := range given.Keys() {
			m = m.With(k, given.vals[i])
		}
		return m, nil
	}
	fields := make([]Value, len(variant.Fields))
	for i, p := range variant.Fields {
		v, ok := given.Get(p.Name)
		if !ok || given.Len() != len(fields) {
			return nil, errVariantFields(variant)
		}
		fields[i] = v
	}
	return w.build(variant, fields)
}

// build makes a variant, enforcing the types of its fields.
func (w *World) build(of *resolve.Variant, fields []Value) (Value, error) {
	if len(fields) != len(of.Fields) {
		return nil, errVariantFields(of)
	}
	for i, v := range fields {
		got, ok := conform(v, of.Fields[i].Type)
		if !ok {
			return nil, errSum(of, of.Fields[i].Name, of.Fields[i].Type, v)
		}
		fields[i] = got
	}
	return NewVariant(of, fields...), nil
}

func (w *World) evalVariant(x *syntax.VariantRef) (Value, error) {
	variant := w.prog.Info.Variants[x]
	if variant == nil {
		return nil, errUndefinedVariable(x.Name.Name)
	}
	return w.build(variant, nil)
}

func (w *World) evalUnary(f *frame, x *syntax.Unary) (Value, error) {
	v, err := w.eval(f, x.X)
	if err != nil {
		return nil, err
	}
	if x.Not {
		b, ok := v.(Bool)
		if !ok {
			return nil, errNeedsBool("!", v)
		}
		return !b, nil
	}
	switch v := v.(type) {
	case Int:
		return negInt(v), nil
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

func (w *World) test(f *frame, x syntax.Expr) (bool, error) {
	v, err := w.eval(f, x)
	if err != nil {
		return false, err
	}
	ok, err := condition(v)
	return ok, at(err, x.Span())
}

func (w *World) evalIf(f *frame, x *syntax.If) (Value, error) {
	ok, err := w.test(f, x.Cond)
	if err != nil {
		return nil, err
	}
	if ok {
		return w.block(f, x.Then)
	}
	switch e := x.Else.(type) {
	case *syntax.Block:
		return w.block(f, e)
	case *syntax.If:
		return w.eval(f, e)
	}
	return Unit{}, nil
}

// evalTry runs a block as a nested transaction and gives {value, error, kind, detail}.
// Locals that the block assigned keep their values; final errors pass through.
func (w *World) evalTry(f *frame, x *syntax.Try) (Value, error) {
	w.trace(Step{Kind: StepBegin})
	v, err := w.transaction(func() (Value, error) { return w.block(f, x.Body) })
	w.trace(Step{Kind: StepEnd, Raised: raised(err)})
	if err == nil {
		return MapOf("value", v, "error", Unit{}, "kind", Unit{}, "detail", Unit{}), nil
	}
	e, ok := err.(*Error)
	if !ok || e.Final {
		return nil, err
	}
	return MapOf("value", Unit{}, "error", String(e.Error()), "kind", String(e.Kind), "detail", String(e.Detail)), nil
}

// evalPropagate is e?: it raises again what try caught, or gives the value.
func (w *World) evalPropagate(f *frame, x *syntax.Propagate) (Value, error) {
	v, err := w.eval(f, x.X)
	if err != nil {
		return nil, err
	}
	caught, ok, err := caughtError(v)
	if err != nil {
		return nil, err
	}
	if ok {
		return nil, caught
	}
	value, _ := v.(*Map).Get("value")
	return value, nil
}

// caughtError reads what try gave; ok is false when it holds a value.
func caughtError(v Value) (caught *Error, ok bool, err error) {
	m, isMap := v.(*Map)
	if !isMap {
		return nil, false, errNotTryResult(v)
	}
	_, hasValue := m.Get("value")
	kind, hasKind := m.Get("kind")
	detail, _ := m.Get("detail")
	if !hasValue || !hasKind {
		return nil, false, errNotTryResult(v)
	}
	k, raised := kind.(String)
	if !raised {
		return nil, false, nil
	}
	d, _ := detail.(String)
	return &Error{Kind: string(k), Detail: string(d)}, true, nil
}
