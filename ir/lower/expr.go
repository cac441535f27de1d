package lower

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// expr lowers an expression: its effects go to the current place, its value is returned.
func (b *builder) expr(x syntax.Expr) value {
	switch x := x.(type) {
	case *syntax.Paren:
		return b.expr(x.X)
	case *syntax.Int:
		return of(term.IntLit(x.Value))
	case *syntax.Float:
		return of(term.FloatLit(x.Value))
	case *syntax.Bool:
		return of(term.BoolLit(x.Value))
	case *syntax.Unit:
		return unit()
	case *syntax.String:
		return b.text(x)
	case *syntax.Name:
		return b.name(x)
	case *syntax.List:
		return b.list(x)
	case *syntax.Record:
		return b.record(x)
	case *syntax.VariantRef:
		return of(term.App("variant:"+variantName(b.info.Variants[x]), term.Opaque))
	case *syntax.Unary:
		return b.unary(x)
	case *syntax.Binary:
		return b.binary(x)
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		return b.call(x, true)
	case *syntax.Field:
		return b.field(x)
	case *syntax.Index:
		return b.index(x)
	case *syntax.Propagate:
		return b.propagate(x)
	case *syntax.Lambda:
		return b.lambda(x)
	case *syntax.If:
		return b.ifExpr(x, true)
	case *syntax.Try:
		return b.try(x)
	case *syntax.Match:
		return b.match(x, true)
	}
	return b.unknownValue(x.Span(), otherExpression)
}

// discard lowers an expression whose value nobody wants.
func (b *builder) discard(x syntax.Expr) {
	switch inner := syntax.Unparen(x).(type) {
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		b.call(inner, false)
	case *syntax.If:
		b.ifExpr(inner, false)
	case *syntax.Match:
		b.match(inner, false)
	default:
		b.expr(x)
	}
}

// havoc gives any value of a sort.
func (b *builder) havoc(s *term.Sort, origin ir.Origin, why string, span source.Span, from ...*term.Term) *term.Term {
	v := b.temp(s, span)
	b.emit(&ir.Havoc{At: b.at(span), Var: v, Origin: origin, Why: why, From: from})
	return v
}

// unknownValue stands for a construct the lowering does not model: it may raise and do
// anything.
func (b *builder) unknownValue(span source.Span, why string) value {
	b.mayRaise("", span)
	b.emit(&ir.Unknown{At: b.at(span), Why: why})
	return of(b.havoc(term.Opaque, ir.Abstraction, why, span))
}

// name lowers a name: a local, a slot as a value, a bare state.
func (b *builder) name(x *syntax.Name) value {
	if b.rule != nil {
		if v, ok := b.rule.name(b.info.Names[x], x.Name); ok {
			return v
		}
	}
	if _, ok := b.env.find(x.Name); ok {
		return b.local(x.Name, x.At)
	}
	ref := b.info.Names[x]
	switch {
	case ref == nil:
	case ref.Kind == resolve.RefState:
		return of(term.StringLit(x.Name))
	case ref.Kind == resolve.RefSlot:
		return b.scan(ref.Slot, "itself", x.At)
	}
	return b.unknownValue(x.At, unknownName(x.Name))
}

// text lowers a string: its pieces joined, each rendered as text.
func (b *builder) text(x *syntax.String) value {
	if lit, ok := x.Literal(); ok {
		return of(term.StringLit(lit))
	}
	var out *term.Term
	var later []syntax.Expr
	for _, s := range x.Segments {
		if s.X != nil {
			later = append(later, s.X)
		}
	}
	vs := b.values(later)
	for _, s := range x.Segments {
		piece := term.StringLit(s.Text)
		if s.X != nil {
			piece = b.render(vs[0])
			vs = vs[1:]
		} else if s.Text == "" {
			continue
		}
		if out == nil {
			out = piece
		} else {
			out = term.Concat(out, piece)
		}
	}
	if out == nil {
		out = term.StringLit("")
	}
	return of(out)
}

// render is the text of a value, as interpolation and to_string give it.
func (b *builder) render(v value) *term.Term {
	if v.has != nil {
		return term.Ite(v.has, renderTerm(v.t), term.StringLit("null"))
	}
	return renderTerm(v.t)
}

func renderTerm(t *term.Term) *term.Term {
	switch t.Op {
	case term.OpString:
		return t
	case term.OpInt:
		return term.StringLit(t.Int.String())
	case term.OpTrue:
		return term.StringLit("true")
	case term.OpFalse:
		return term.StringLit("false")
	case term.OpUnit:
		return term.StringLit("null")
	}
	if t.Sort.Kind == term.KindString {
		return t
	}
	return term.App("text:"+t.Sort.String(), term.String, t)
}

func (b *builder) list(x *syntax.List) value {
	vs := b.values(x.Items)
	literal := true
	for _, v := range vs {
		literal = literal && v.has == nil && v.t.IsLiteral()
	}
	out := value{t: term.App("list", term.Opaque, b.boxes(vs)...), typ: &resolve.Type{Kind: resolve.ListType}}
	if literal {
		out.items, out.isList = vs, true
	}
	return out
}

func (b *builder) record(x *syntax.Record) value {
	inits := make([]syntax.Expr, len(x.Fields))
	for i, f := range x.Fields {
		inits[i] = f.Value
	}
	vs := b.values(inits)
	name := x.Name.Name
	if v := b.info.Variants[x]; v != nil {
		name = variantName(v)
		b.mayRaise("type", x.Span()) // its fields have types
	}
	args := []*term.Term{term.StringLit(name)}
	for i, v := range vs {
		args = append(args, term.StringLit(x.Fields[i].Name.Name), b.boxed(v))
	}
	return of(term.App("record", term.Opaque, args...))
}

// field lowers x.f: a field of a record, or a pseudo-field of a slot.
func (b *builder) field(x *syntax.Field) value {
	if use := b.info.Slots[x]; use != nil {
		return b.scan(use.Slot, use.Op, x.At)
	}
	v := b.expr(x.X)
	if f, ok := v.fields[x.Name.Name]; ok {
		return f
	}
	if s := v.sort().Kind; s != term.KindOpaque {
		b.mayRaise("type", x.At)
	}
	b.mayRaise("type", x.At)
	return of(term.App("field", term.Opaque, b.boxed(v), term.StringLit(x.Name.Name)))
}

// index lowers x[i]: an entry of a slot, or of a value.
func (b *builder) index(x *syntax.Index) value {
	if use := b.info.Slots[x]; use != nil {
		i := b.expr(x.I)
		return b.readSlot(use.Slot, i, use.Slot.IsList, x.At)
	}
	vs := b.values([]syntax.Expr{x.X, x.I})
	return b.operation(x.At, func() value { return b.part(vs[0], vs[1], x.At) })
}

// part is the part of a value at an index, which must be inside a list that is written out.
func (b *builder) part(v, i value, span source.Span) value {
	if n := length(v); n != nil && i.has == nil && i.sort().Kind == term.KindInt {
		b.raiseWhen(term.Or(term.Lt(i.t, term.Int64(-*n)), term.Le(term.Int64(*n), i.t)), "index", span)
	} else {
		b.mayRaise("index", span)
	}
	b.mayRaise("type", span)
	out := term.App("index", term.Opaque, b.boxed(v), b.boxed(i))
	if t := v.typ; t != nil && t.Kind == resolve.ListType && t.Elem != nil {
		return typed(out, t.Elem)
	}
	if v.sort().Kind == term.KindString {
		return of(unbox(out, term.String))
	}
	return of(out)
}

// typed takes an Opaque term apart by a type it is sure to have.
func typed(t *term.Term, typ *resolve.Type) value {
	if s := sortOf(typ); s.Kind != term.KindOpaque && s.Kind != term.KindUnit {
		return value{t: unbox(t, s), typ: typ}
	}
	return value{t: t, typ: typ}
}

// ifExpr lowers an if, as a statement or (wanted) a value.
func (b *builder) ifExpr(x *syntax.If, wanted bool) value {
	var ends []end
	at := x.At
	for {
		cond := b.condition(x.Cond)
		from := b.flush(x.Cond.Span())
		env := b.env
		b.env = env.copy()
		b.when(from, cond, x.Cond.Span()).Cond = x.Cond.Span()
		ends = append(ends, b.stop(b.block(x.Then, wanted)))

		b.env = env
		e := b.when(from, term.Not(cond), x.Cond.Span())
		e.Cond, e.Negated = x.Cond.Span(), true
		next, ok := x.Else.(*syntax.If)
		if !ok {
			v := unit()
			if blk, ok := x.Else.(*syntax.Block); ok && blk != nil {
				v = b.block(blk, wanted)
			}
			ends = append(ends, b.stop(v))
			return b.merge(ends, at)
		}
		x = next
	}
}
