package interp

import (
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// text compiles a string with its interpolated segments.
func (c *compiler) text(x *syntax.String) exec {
	if s, ok := x.Literal(); ok {
		return constant(String(s))
	}
	w, span := c.w, x.Span()
	parts := make([]exec, len(x.Segments))
	for i, s := range x.Segments {
		if s.X == nil {
			parts[i] = constant(String(s.Text))
		} else {
			parts[i] = c.expr(s.X)
		}
	}
	return func(f *frame) (Value, error) {
		var b strings.Builder
		for _, part := range parts {
			v, err := part(f)
			if err != nil {
				return nil, err
			}
			text, err := w.text(v)
			if err == nil {
				err = w.allocateText(b.Len() + len(text))
			}
			if err != nil {
				return nil, at(err, span)
			}
			b.WriteString(text)
		}
		return String(b.String()), nil
	}
}

func (c *compiler) list(x *syntax.List) exec {
	w, span, items := c.w, x.Span(), c.exprs(x.Items)
	size := listBytes(len(items))
	return func(f *frame) (Value, error) {
		vs, err := all(f, items)
		if err != nil {
			return nil, err
		}
		if err := w.allocate(size); err != nil {
			return nil, at(err, span)
		}
		return NewList(vs...), nil
	}
}

// record compiles Name { f: e }: a struct variant, or a map with _type.
func (c *compiler) record(x *syntax.Record) exec {
	w, span := c.w, x.Span()
	variant := w.prog.Info.Variants[x]
	inits := make([]exec, len(x.Fields))
	for i, init := range x.Fields {
		inits[i] = c.expr(init.Value)
	}
	return func(f *frame) (Value, error) {
		given := NewMap()
		for i, init := range inits {
			v, err := init(f)
			if err != nil {
				return nil, err
			}
			given = given.With(x.Fields[i].Name.Name, v)
		}
		if err := w.allocate(mapBytes(len(inits) + 1)); err != nil {
			return nil, at(err, span)
		}
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
				return nil, at(errVariantFields(variant), span)
			}
			fields[i] = v
		}
		v, err := w.build(variant, fields)
		return v, at(err, span)
	}
}

func (c *compiler) variant(x *syntax.VariantRef) exec {
	w, span := c.w, x.Span()
	variant := w.prog.Info.Variants[x]
	if variant == nil {
		return raise(errUndefinedVariable(x.Name.Name), span)
	}
	return func(*frame) (Value, error) {
		v, err := w.build(variant, nil)
		return v, at(err, span)
	}
}

func (c *compiler) field(x *syntax.Field) exec {
	w, span := c.w, x.Span()
	if use := w.prog.Info.Slots[x]; use != nil {
		return func(f *frame) (Value, error) {
			v, err := w.slotField(f, use.Slot, use.Op)
			return v, at(err, span)
		}
	}
	inner, name := c.expr(x.X), x.Name.Name
	return func(f *frame) (Value, error) {
		v, err := inner(f)
		if err != nil {
			return nil, err
		}
		v, err = w.fieldOf(v, name)
		return v, at(err, span)
	}
}

func (c *compiler) index(x *syntax.Index) exec {
	w, span := c.w, x.Span()
	if use := w.prog.Info.Slots[x]; use != nil && use.Op == "index" {
		key := c.expr(x.I)
		return func(f *frame) (Value, error) {
			k, err := key(f)
			if err != nil {
				return nil, err
			}
			v, err := w.slotAt(use.Slot, k)
			return v, at(err, span)
		}
	}
	inner, key := c.expr(x.X), c.expr(x.I)
	return func(f *frame) (Value, error) {
		v, err := inner(f)
		if err != nil {
			return nil, err
		}
		k, err := key(f)
		if err != nil {
			return nil, err
		}
		v, err = w.indexOf(v, k)
		return v, at(err, span)
	}
}

func (c *compiler) unary(x *syntax.Unary) exec {
	w, span, inner := c.w, x.Span(), c.expr(x.X)
	if x.Not {
		return func(f *frame) (Value, error) {
			v, err := inner(f)
			if err != nil {
				return nil, err
			}
			b, ok := v.(Bool)
			if !ok {
				return nil, at(errNeedsBool("!", v), span)
			}
			return !b, nil
		}
	}
	return func(f *frame) (Value, error) {
		v, err := inner(f)
		if err != nil {
			return nil, err
		}
		v, err = w.negate(v)
		return v, at(err, span)
	}
}

// test compiles a condition.
func (c *compiler) test(x syntax.Expr) func(f *frame) (bool, error) {
	cond, span := c.expr(x), x.Span()
	return func(f *frame) (bool, error) {
		v, err := cond(f)
		if err != nil {
			return false, err
		}
		if b, ok := v.(Bool); ok {
			return bool(b), nil
		}
		ok, err := condition(v)
		return ok, at(err, span)
	}
}

// ifElse compiles a chain of ifs in one loop, however long it is.
func (c *compiler) ifElse(x *syntax.If) exec {
	type branch struct {
		test func(f *frame) (bool, error)
		then exec
	}
	var branches []branch
	other := constant(Unit{})
	for x != nil {
		c.cost++
		branches = append(branches, branch{c.test(x.Cond), c.block(x.Then)})
		switch e := x.Else.(type) {
		case *syntax.If:
			x = e
			continue
		case *syntax.Block:
			if e != nil {
				other = c.block(e)
			}
		}
		break
	}
	if len(branches) == 1 {
		test, then := branches[0].test, branches[0].then
		return func(f *frame) (Value, error) {
			ok, err := test(f)
			if err != nil {
				return nil, err
			}
			if ok {
				return then(f)
			}
			return other(f)
		}
	}
	return func(f *frame) (Value, error) {
		for i := range branches {
			ok, err := branches[i].test(f)
			if err != nil {
				return nil, err
			}
			if ok {
				return branches[i].then(f)
			}
		}
		return other(f)
	}
}

// try compiles a block that runs as a nested transaction and gives {value, error, kind,
// detail}. Locals that the block assigned keep their values; final errors pass through.
func (c *compiler) try(x *syntax.Try) exec {
	w, span, body := c.w, x.Span(), c.block(x.Body)
	return func(f *frame) (Value, error) {
		if err := w.allocate(mapBytes(4)); err != nil {
			return nil, at(err, span)
		}
		w.trace(Step{Kind: StepBegin})
		v, err := w.transaction(func() (Value, error) { return body(f) })
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
}

// propagate compiles e?: it raises again what try caught, or gives the value.
func (c *compiler) propagate(x *syntax.Propagate) exec {
	span, inner := x.Span(), c.expr(x.X)
	return func(f *frame) (Value, error) {
		v, err := inner(f)
		if err != nil {
			return nil, err
		}
		v, err = propagated(v, span)
		return v, err
	}
}

func propagated(v Value, span source.Span) (Value, error) {
	caught, ok, err := caughtError(v)
	switch {
	case err != nil:
		return nil, at(err, span)
	case ok:
		return nil, at(caught, span)
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
