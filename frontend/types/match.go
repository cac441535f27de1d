package types

import (
	"soma.cell/frontend/syntax"
)

// match goes over a match: its arms are tried in order, and one of them is taken.
func (b *body) match(x *syntax.Match) *Type {
	t := b.expr(x.X)
	out := never
	var arms []func()
	rest := t
	for _, arm := range x.Arms {
		seen := rest
		arms = append(arms, func() { out = join(out, b.arm(x, arm, t, seen)) })
		if arm.Guard == nil && takesUnit(arm) {
			rest = rest.only(Every &^ Unit)
		}
	}
	if len(arms) > 0 {
		b.fork(arms...)
	}
	return out
}

// takesUnit tells whether an arm takes ().
func takesUnit(arm *syntax.Arm) bool {
	for _, p := range arm.Patterns {
		if lit, ok := p.(*syntax.LiteralPattern); ok {
			if _, unit := lit.Value.(*syntax.Unit); unit {
				return true
			}
		}
	}
	return false
}

// arm goes over an arm for a value of type t, of which the arms before leave rest. The matched
// local is what the patterns say.
func (b *body) arm(x *syntax.Match, arm *syntax.Arm, t, rest *Type) *Type {
	matched := b.localOf(x.X)
	b.push()
	defer b.pop()
	taken := never
	for _, p := range arm.Patterns {
		if refutable(p) {
			taken = join(taken, b.pattern(p, t))
		} else {
			taken = join(taken, b.pattern(p, rest))
		}
	}
	if matched != nil {
		b.set(matched, taken)
	}
	if taken.Kinds == 0 && t.Kinds != 0 {
		b.dead = true
	}
	if arm.Guard != nil {
		b.condition(arm.Guard)
		b.assume(arm.Guard, true)
	}
	if arm.Body != nil {
		return b.block(arm.Body)
	}
	return b.expr(arm.Value)
}

// refutable tells whether a pattern asks anything of a value.
func refutable(p syntax.Pattern) bool {
	switch p.(type) {
	case *syntax.Wildcard, *syntax.Bind:
		return false
	}
	return true
}

// pattern binds the names of a pattern and gives the part of a type that it takes; one that
// takes nothing is reported.
func (b *body) pattern(p syntax.Pattern, t *Type) *Type {
	var out *Type
	switch p := p.(type) {
	case *syntax.Wildcard:
		return t
	case *syntax.Bind:
		b.bind(syntax.Ident{Place: p.Place, Name: p.Name}, t)
		return t
	case *syntax.LiteralPattern:
		out = t.only(b.exprNode(p.Value).Kinds)
		if t.may(Number) && b.exprNode(p.Value).is(Number) {
			out = t.only(Number)
		}
	case *syntax.RangePattern:
		out = t.only(Int)
	case *syntax.PrefixPattern:
		b.bind(p.Rest, text)
		out = t.only(String)
	case *syntax.MapPattern:
		out = b.mapPattern(p, t)
	case *syntax.VariantPattern:
		out = b.variantPattern(p, t)
	default:
		return t
	}
	if out.Kinds == 0 && t.Kinds != 0 && !b.partly(p, t) {
		b.reportPattern(p, t)
	}
	return out
}

// partly tells whether a pattern takes nothing because of a pattern inside of it, which was
// reported.
func (b *body) partly(p syntax.Pattern, t *Type) bool {
	m, ok := p.(*syntax.MapPattern)
	if !ok || !t.may(Map) {
		return false
	}
	for _, f := range m.Fields {
		if t.closed && t.lookup(f.Name.Name) == nil {
			return false
		}
	}
	return true
}

// reportPattern reports a pattern that takes no value of a type. A variant pattern raises on
// what is no variant. That a value is surely one variant of its type is no fault of the arms for
// the others, which a match must have.
func (b *body) reportPattern(p syntax.Pattern, t *Type) {
	if v, ok := p.(*syntax.VariantPattern); ok {
		switch of := b.info.Variants[v]; {
		case !t.may(Variant):
			b.report(noVariant(p, t))
			return
		case of == nil || of.Type == t.sum:
			return
		}
	}
	b.report(neverFits(p, t))
}

func (b *body) mapPattern(p *syntax.MapPattern, t *Type) *Type {
	out := t.only(Map)
	for _, f := range p.Fields {
		held := never
		if t.may(Map) {
			held = t.valueType()
		}
		if t.closed {
			held = orNever(t.lookup(f.Name.Name))
		}
		if b.pattern(f.Value, held).Kinds == 0 {
			out = never
		}
	}
	return out
}

func (b *body) variantPattern(p *syntax.VariantPattern, t *Type) *Type {
	v := b.info.Variants[p]
	out := t.only(Variant)
	if v != nil {
		out = asVariant(t, v)
	}
	for i, arg := range p.Args {
		held := anything
		if v != nil && i < len(v.Fields) {
			held = declared(v.Fields[i].Type)
		}
		b.pattern(arg, held)
	}
	for _, f := range p.Fields {
		held := anything
		if v != nil {
			for _, field := range v.Fields {
				if field.Name == f.Name.Name {
					held = declared(field.Type)
				}
			}
		}
		if f.Value != nil {
			b.pattern(f.Value, held)
		}
	}
	return out
}
