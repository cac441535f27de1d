package types

import (
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// expr goes over an expression and gives its type.
func (b *body) expr(x syntax.Expr) *Type {
	b.steps++
	t := b.exprNode(x)
	if b.dead {
		t = never
	}
	b.types[x] = t
	return t
}

func (b *body) exprs(list []syntax.Expr) []*Type {
	var out []*Type
	for _, x := range list {
		out = append(out, b.expr(x))
	}
	return out
}

func (b *body) exprNode(x syntax.Expr) *Type {
	switch x := x.(type) {
	case *syntax.Name:
		return b.name(x)
	case *syntax.Int:
		return integer
	case *syntax.Float:
		return floating
	case *syntax.Bool:
		return boolean
	case *syntax.Unit:
		return unit
	case *syntax.String:
		for _, s := range x.Segments {
			if s.X != nil {
				b.expr(s.X)
			}
		}
		return text
	case *syntax.List:
		return listWith(b.exprs(x.Items))
	case *syntax.Record:
		return b.recordLiteral(x)
	case *syntax.VariantRef:
		if v := b.info.Variants[x]; v != nil {
			return variantOf(v)
		}
	case *syntax.Unary:
		return b.unary(x)
	case *syntax.Binary:
		return b.binary(x)
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		return b.call(x)
	case *syntax.Field:
		return b.fieldExpr(x)
	case *syntax.Index:
		return b.index(x)
	case *syntax.Propagate:
		return b.propagate(x)
	case *syntax.Lambda:
		return b.lambda(x, nil)
	case *syntax.If:
		return b.ifExpr(x)
	case *syntax.Try:
		return b.try(x)
	case *syntax.Match:
		return b.match(x)
	case *syntax.Paren:
		return b.expr(x.X)
	}
	return anything
}

func (b *body) name(x *syntax.Name) *Type {
	ref := b.info.Names[x]
	if ref == nil {
		return anything
	}
	switch ref.Kind {
	case resolve.RefSlot:
		if b.rule != nil {
			return b.rule.slot(ref.Slot)
		}
		return slotValue(ref.Slot)
	case resolve.RefState:
		return text
	}
	if l := b.lookup(x.Name); l != nil {
		return b.typeOfLocal(l)
	}
	if b.special != nil {
		return b.special(x.Name)
	}
	return anything
}

// slotValue is the type of a whole slot; of one that is neither map nor list nothing is known.
func slotValue(s *resolve.Slot) *Type {
	if s.Scalar {
		return anything
	}
	if s.IsList {
		return listOf(declared(s.Value))
	}
	return mapOf(declared(s.Value))
}

// recordLiteral goes over Name { f: e }: a struct variant, whose fields have types, or a map.
func (b *body) recordLiteral(x *syntax.Record) *Type {
	v := b.info.Variants[x]
	fields := []field{{"_type", text}}
	for _, init := range x.Fields {
		t := b.expr(init.Value)
		if v == nil {
			fields = append(fields, field{init.Name.Name, t})
			continue
		}
		for _, p := range v.Fields {
			if v.Struct && p.Name == init.Name.Name {
				b.fits(init.Value, t, p.Type, variantField{v, p})
			}
		}
	}
	switch {
	case v != nil:
		return variantOf(v)
	case x.Type != nil || b.isSumType(x.Name.Name): // no variant of it, which is reported
		return anything
	}
	return mapWith(fields, x.Name.Name)
}

func (b *body) isSumType(name string) bool {
	return slices.ContainsFunc(b.prog.Types, func(t *resolve.SumType) bool { return t.Name == name })
}

func (b *body) ifExpr(x *syntax.If) *Type {
	b.condition(x.Cond)
	out := never
	b.fork(
		func() {
			b.assume(x.Cond, true)
			out = join(out, b.block(x.Then))
		},
		func() {
			b.assume(x.Cond, false)
			switch e := x.Else.(type) {
			case *syntax.Block:
				if e != nil {
					out = join(out, b.block(e))
					return
				}
			case *syntax.If:
				if e != nil {
					out = join(out, b.expr(e))
					return
				}
			}
			out = join(out, unit)
		},
	)
	return out
}

// try goes over try { … }, which may be left anywhere.
func (b *body) try(x *syntax.Try) *Type {
	value := never
	b.quiet++
	r := b.within(func() { value = b.block(x.Body) })
	b.quiet--
	b.afterwards(r)
	return tryResult(value)
}

// tryResult is the map that try gives.
func tryResult(value *Type) *Type {
	raised := &Type{Kinds: String | Unit}
	return mapWith([]field{{"value", join(value, unit)}, {"error", raised}, {"kind", raised}, {"detail", raised}}, "")
}

// isTryResult tells whether a map has just the entries that try gives.
func isTryResult(t *Type) bool {
	if !t.is(Map) || !t.closed || len(t.fields) != 4 {
		return false
	}
	for i, name := range []string{"detail", "error", "kind", "value"} {
		if t.fields[i].name != name {
			return false
		}
	}
	return true
}

// propagate goes over x?, which gives the value of what try gave, or raises again.
func (b *body) propagate(x *syntax.Propagate) *Type {
	t := b.expr(x.X)
	if t.Kinds == 0 {
		return never
	}
	value, kind := anything, anything
	if t.closed {
		var ok, ok2 bool
		value, ok = t.entry("value")
		kind, ok2 = t.entry("kind")
		if !ok || !ok2 {
			b.report(noTryResult(x, t))
			return never
		}
	}
	if !t.may(Map) {
		b.report(noTryResult(x, t))
		return never
	}
	if kind.is(String) {
		b.dead = true
	}
	if try, ok := syntax.Unparen(x.X).(*syntax.Try); ok {
		return b.values[try.Body]
	}
	return value
}

// lambda goes over a lambda whose parameters have these types, or any. It may run anywhere
// later, any number of times.
func (b *body) lambda(x *syntax.Lambda, params []*Type) *Type {
	result := never
	b.lambdas++
	b.within(func() {
		b.push()
		for i, p := range x.Params {
			t := anything
			if i < len(params) {
				t = params[i]
			}
			b.bind(p, t)
		}
		if x.Body != nil {
			result = b.block(x.Body)
		} else {
			result = b.expr(x.X)
		}
		b.pop()
	})
	b.lambdas--
	return made(Type{Kinds: Function, function: &function{len(x.Params), result}})
}
