package lower

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// match lowers match x { arms }: the arms are tried in order, each pattern a condition on
// the value; where none fits, an error is raised.
func (b *builder) match(x *syntax.Match, wanted bool) value {
	subject := b.store("", b.expr(x.X), x.X.Span())
	var ends []end
	for _, arm := range x.Arms {
		from := b.flush(arm.At)
		env := b.env
		b.env = env.copy()
		b.open()
		var fits []*term.Term
		for _, p := range arm.Patterns {
			fits = append(fits, b.pattern(p, subject))
		}
		cond := term.Or(fits...)
		e := b.when(from, cond, arm.At)
		if len(arm.Patterns) > 0 {
			e.Cond, e.Subject = arm.Patterns[0].Span().Join(arm.Patterns[len(arm.Patterns)-1].Span()), x.X.Span()
		}
		next := b.newLoc()
		if cond != term.True {
			b.skip(from, next, term.Not(cond), arm.At)
		}
		for _, p := range arm.Patterns {
			b.bindPattern(p, subject)
		}
		var missed []end // the ways past the arm, when its guard may have assigned locals
		if arm.Guard != nil {
			g := b.condition(arm.Guard)
			at, inside := b.flush(arm.At), b.env
			miss := b.when(at, term.Not(g), arm.At)
			miss.Cond, miss.Subject, miss.Negated = e.Cond.Join(arm.Guard.Span()), x.X.Span(), true
			b.env = inside.copy().trim(env.depth())
			missed = append(missed, b.stop(unit()))
			b.env = inside
			b.when(at, g, arm.At).Cond = arm.Guard.Span()
		}
		var v value
		switch {
		case arm.Body != nil:
			v = b.block(arm.Body, wanted)
		case arm.Value != nil && wanted:
			b.begins(arm.Value.Span())
			v = b.expr(arm.Value)
		default:
			v = unit()
			if arm.Value != nil {
				b.begins(arm.Value.Span())
				b.discard(arm.Value)
			}
		}
		b.close()
		ends = append(ends, b.stop(v))
		b.cur, b.env = next, env
		if len(missed) > 0 {
			if cond != term.True {
				missed = append(missed, b.stop(unit()))
			}
			b.merge(missed, arm.At)
		}
	}
	b.raise(&ir.Raise{At: b.at(x.At), Kind: "match"})
	if len(ends) == 0 {
		return unit()
	}
	return b.merge(ends, x.At)
}

// skip is the path past an arm.
func (b *builder) skip(from, to ir.Loc, cond *term.Term, span source.Span) {
	b.edge(&ir.Edge{From: from, To: to, Guard: cond, Span: span})
}

// pattern is the condition under which a value fits a pattern.
func (b *builder) pattern(p syntax.Pattern, v value) *term.Term {
	switch p := p.(type) {
	case *syntax.Wildcard, *syntax.Bind:
		return term.True
	case *syntax.LiteralPattern:
		return b.literalPattern(p, v)
	case *syntax.RangePattern:
		if v.sort().Kind == term.KindInt {
			return term.And(v.present(), term.Le(term.IntLit(p.Lo), v.t), term.Le(v.t, term.IntLit(p.Hi)))
		}
		return term.App("in range", term.Bool, b.boxed(v), term.IntLit(p.Lo), term.IntLit(p.Hi))
	case *syntax.PrefixPattern:
		if v.sort().Kind == term.KindString {
			return term.And(v.present(), term.App("starts_with", term.Bool, v.t, term.StringLit(p.Prefix)))
		}
		return term.App("has prefix", term.Bool, b.boxed(v), term.StringLit(p.Prefix))
	case *syntax.MapPattern:
		conds := []*term.Term{}
		for _, f := range p.Fields {
			conds = append(conds, term.App("has field", term.Bool, b.boxed(v), term.StringLit(f.Name.Name)), b.pattern(f.Value, b.fieldOf(v, f.Name.Name)))
		}
		return term.And(conds...)
	case *syntax.VariantPattern:
		if v.typ == nil || v.typ.Kind != resolve.SumTypeKind {
			b.mayRaise("type", p.At) // it may be no variant
		}
		conds := []*term.Term{term.App("is variant:"+variantName(b.info.Variants[p]), term.Bool, b.boxed(v))}
		for i, a := range p.Args {
			conds = append(conds, b.pattern(a, b.argOf(v, p, i)))
		}
		for _, f := range p.Fields {
			conds = append(conds, b.pattern(f.Value, b.variantField(v, p, f.Name.Name)))
		}
		return term.And(conds...)
	}
	return b.havoc(term.Bool, ir.Abstraction, aPattern, p.Span(), b.boxed(v))
}

// variantName names a variant with its type: two types may have variants of one name.
func variantName(v *resolve.Variant) string { return v.Type.Name + "::" + v.Name }

// literalPattern fits values that equal the literal; a value of another kind does not fit.
func (b *builder) literalPattern(p *syntax.LiteralPattern, v value) *term.Term {
	lit := b.expr(p.Value)
	switch {
	case lit.isUnit():
		return term.Not(v.present())
	case v.isUnit():
		return term.False
	case lit.sort().Same(v.sort()) && lit.sort().Kind != term.KindFloat:
		return term.And(v.present(), term.Eq(v.t, lit.t))
	}
	return term.App("fits", term.Bool, b.boxed(v), b.boxed(lit))
}

// fieldOf, argOf and variantField are parts of a value that fits.
func (b *builder) fieldOf(v value, name string) value {
	return of(term.App("field", term.Opaque, b.boxed(v), term.StringLit(name)))
}

func (b *builder) argOf(v value, p *syntax.VariantPattern, i int) value {
	t := term.App("variant arg", term.Opaque, b.boxed(v), term.Int64(int64(i)))
	if decl := b.info.Variants[p]; decl != nil && i < len(decl.Fields) {
		return typed(t, fieldType(decl.Fields[i]))
	}
	return of(t)
}

func (b *builder) variantField(v value, p *syntax.VariantPattern, name string) value {
	out := b.fieldOf(v, name)
	if decl := b.info.Variants[p]; decl != nil {
		for _, f := range decl.Fields {
			if f.Name == name {
				return typed(out.t, fieldType(f))
			}
		}
	}
	return out
}

func fieldType(p resolve.Param) *resolve.Type {
	if p.Type == nil {
		return resolve.Any
	}
	return p.Type
}

// bindPattern binds the names of a pattern to the parts of a value that fits it.
func (b *builder) bindPattern(p syntax.Pattern, v value) {
	switch p := p.(type) {
	case *syntax.Bind:
		b.let(p.Name, v, p.At)
	case *syntax.PrefixPattern:
		b.let(p.Rest.Name, of(term.App("after prefix", term.String, b.boxed(v), term.StringLit(p.Prefix))), p.At)
	case *syntax.MapPattern:
		for _, f := range p.Fields {
			b.bindPattern(f.Value, b.fieldOf(v, f.Name.Name))
		}
	case *syntax.VariantPattern:
		for i, a := range p.Args {
			b.bindPattern(a, b.argOf(v, p, i))
		}
		for _, f := range p.Fields {
			b.bindPattern(f.Value, b.variantField(v, p, f.Name.Name))
		}
	}
}
