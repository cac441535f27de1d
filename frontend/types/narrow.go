package types

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// assume narrows what is known of locals where a condition, which was gone over, holds or does
// not.
func (b *body) assume(x syntax.Expr, holds bool) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Name:
		b.narrowIf(holds, x, Bool)
	case *syntax.Unary:
		if x.Not {
			b.assume(x.X, !holds)
		}
	case *syntax.Binary:
		b.assumeBinary(x, holds)
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		b.assumeKind(x, holds)
	}
}

func (b *body) assumeBinary(x *syntax.Binary, holds bool) {
	switch {
	case x.Op == syntax.AndOp && holds, x.Op == syntax.OrOp && !holds:
		b.assume(x.X, holds)
		b.assume(x.Y, holds)
	case x.Op == syntax.EqOp, x.Op == syntax.NeOp:
		b.assumeEqual(x.X, x.Y, (x.Op == syntax.EqOp) == holds)
		b.assumeEqual(x.Y, x.X, (x.Op == syntax.EqOp) == holds)
	}
}

// assumeEqual narrows x where x == y holds or does not.
func (b *body) assumeEqual(x, y syntax.Expr, holds bool) {
	if of, kind, ok := b.typeOf(x, y); ok {
		b.narrow(of, func(t *Type) *Type {
			if holds {
				return t.only(kind)
			}
			return t.only(Every &^ kind)
		})
		return
	}
	switch y := syntax.Unparen(y).(type) {
	case *syntax.Unit:
		if holds {
			b.narrow(x, func(t *Type) *Type { return t.only(Unit) })
		} else {
			b.narrow(x, func(t *Type) *Type { return t.only(Every &^ Unit) })
		}
	case *syntax.Int, *syntax.Float:
		b.narrowIf(holds, x, Number)
	case *syntax.String:
		b.narrowIf(holds, x, String)
	case *syntax.Bool:
		b.narrowIf(holds, x, Bool)
	case *syntax.VariantRef:
		if l := b.localOf(x); l != nil && l.typ.may(Variant) && b.info.Variants[y] != nil && holds {
			b.narrow(x, func(t *Type) *Type { return asVariant(t, b.info.Variants[y]) })
		}
	}
}

// narrowIf narrows to kinds of which the value must be where a test holds that was not refused.
func (b *body) narrowIf(holds bool, x syntax.Expr, kinds Kinds) {
	if l := b.localOf(x); holds && l != nil && l.typ.may(kinds) {
		b.set(l, l.typ.only(kinds))
	}
}

// typeOf reads type_of(x) == "Kind".
func (b *body) typeOf(call, name syntax.Expr) (of syntax.Expr, kind Kinds, ok bool) {
	args, fn := b.builtinArgs(call)
	lit, isText := syntax.Unparen(name).(*syntax.String)
	if fn != "type_of" || len(args) != 1 || !isText {
		return nil, 0, false
	}
	word, plain := lit.Literal()
	kind, known := kindNamed(word)
	return args[0], kind, plain && known
}

// kindNamed is the kind that type_of calls so.
func kindNamed(word string) (Kinds, bool) {
	switch word {
	case "Number", "Any", "Never":
		return 0, false
	case "Float":
		return Float, true
	}
	k := kindsOf(word)
	return k, k != Every
}

// builtinArgs gives the name of the builtin that a call calls and all its arguments.
func (b *body) builtinArgs(x syntax.Expr) ([]syntax.Expr, string) {
	x = syntax.Unparen(x)
	c := b.info.Calls[x]
	if c == nil || c.Kind != resolve.CallBuiltin || b.replaced(c) {
		return nil, ""
	}
	a := applied(x)
	if c.Receiver {
		return append([]syntax.Expr{a.receiver}, a.args...), c.Builtin.Name
	}
	return a.args, c.Builtin.Name
}

// assumeKind narrows x where is_a(x, "Name") holds or does not.
func (b *body) assumeKind(call syntax.Expr, holds bool) {
	args, fn := b.builtinArgs(call)
	if fn != "is_a" && fn != "is_type" || len(args) != 2 {
		return
	}
	lit, ok := syntax.Unparen(args[1]).(*syntax.String)
	if !ok {
		return
	}
	name, plain := lit.Literal()
	if !plain || name == "Any" {
		return
	}
	if holds {
		b.narrow(args[0], func(t *Type) *Type { return b.named(t, name) })
	} else if kind, ok := kindNamed(name); ok {
		b.narrow(args[0], func(t *Type) *Type { return t.only(Every &^ kind) })
	}
}

// named is the part of a type whose values is_a takes for the name: that of their kind, of
// their variant or sum type, or of their record.
func (b *body) named(t *Type, name string) *Type {
	out := never
	if kind, ok := kindNamed(name); ok {
		out = t.only(kind)
	}
	if t.may(Variant) {
		for _, sum := range b.prog.Types {
			switch v := sum.Variant(name); {
			case t.sum != nil && t.sum != sum:
			case sum.Name == name:
				out = join(out, asSum(t, sum))
			case v != nil:
				out = join(out, asVariant(t, v))
			}
		}
	}
	if t.may(Map) && mayBeRecord(t, name) {
		record := *t.only(Map)
		record.record = name
		out = join(out, made(record))
	}
	return out
}

func asSum(t *Type, sum *resolve.SumType) *Type {
	if t.sum == sum {
		return t.only(Variant)
	}
	return &Type{Kinds: Variant, sum: sum}
}

// asVariant is the part of a type that is this variant.
func asVariant(t *Type, v *resolve.Variant) *Type {
	if !t.may(Variant) || t.sum != nil && t.sum != v.Type || t.variant != nil && t.variant != v {
		return never
	}
	return variantOf(v)
}

// narrow changes what is known of a local from here on. Where nothing is left control does not
// come here.
func (b *body) narrow(x syntax.Expr, part func(*Type) *Type) {
	l := b.localOf(x)
	if l == nil {
		return
	}
	t := part(l.typ)
	if t.Kinds == 0 {
		b.dead = true
	}
	b.set(l, t)
}

// localOf is the local that an expression names, if what is known of it can be narrowed.
func (b *body) localOf(x syntax.Expr) *local {
	name, ok := syntax.Unparen(x).(*syntax.Name)
	if !ok || b.spent {
		return nil
	}
	if ref := b.info.Names[name]; ref == nil || ref.Kind != resolve.RefLocal {
		return nil
	}
	l := b.lookup(name.Name)
	if l == nil || l.shared || l.typ.Kinds == 0 {
		return nil
	}
	return l
}
