package interp

import (
	"strings"

	"soma.cell/frontend/syntax"
)

// matcher tells whether a value fits a pattern, and binds the names of the pattern.
type matcher func(f *frame, v Value) (bool, error)

// arm is one pattern of a match with what follows it.
type arm struct {
	fits   matcher
	guard  func(f *frame) (bool, error) // nil without guard
	result exec
}

// match compiles the arms to be tried in order.
func (c *compiler) match(x *syntax.Match) exec {
	subject, span := c.expr(x.X), x.Span()
	var arms []arm
	for _, a := range x.Arms {
		out := arm{}
		if a.Guard != nil {
			out.guard = c.test(a.Guard)
		}
		if a.Body != nil {
			out.result = c.block(a.Body)
		} else {
			out.result = c.expr(a.Value)
		}
		for _, p := range a.Patterns {
			out.fits = c.pattern(p)
			arms = append(arms, out)
		}
	}
	return func(f *frame) (Value, error) {
		v, err := subject(f)
		if err != nil {
			return nil, err
		}
		for i := range arms {
			a := &arms[i]
			ok, err := a.fits(f, v)
			if ok && a.guard != nil {
				ok, err = a.guard(f)
			}
			if err != nil {
				return nil, err
			}
			if ok {
				return a.result(f)
			}
		}
		return nil, at(errMatch(v), span)
	}
}

func (c *compiler) pattern(p syntax.Pattern) matcher {
	c.cost++
	c.depth++
	c.height = max(c.height, c.depth)
	defer func() { c.depth-- }()
	switch p := p.(type) {
	case *syntax.Wildcard:
		return func(*frame, Value) (bool, error) { return true, nil }
	case *syntax.Bind:
		to := c.unit.binds[p]
		return func(f *frame, v Value) (bool, error) { f.bind(to, v); return true, nil }
	case *syntax.LiteralPattern:
		literal := c.expr(p.Value)
		return func(f *frame, v Value) (bool, error) {
			want, err := literal(f)
			return err == nil && comparable(want, v) && same(want, v), err
		}
	case *syntax.RangePattern:
		lo, hi := BigInt(p.Lo), BigInt(p.Hi)
		return func(_ *frame, v Value) (bool, error) {
			i, ok := v.(Int)
			return ok && cmpInt(i, lo) >= 0 && cmpInt(i, hi) <= 0, nil
		}
	case *syntax.PrefixPattern:
		to := c.unit.binds[p]
		return func(f *frame, v Value) (bool, error) {
			text, ok := v.(String)
			if !ok || !strings.HasPrefix(string(text), p.Prefix) {
				return false, nil
			}
			f.bind(to, text[len(p.Prefix):])
			return true, nil
		}
	case *syntax.MapPattern:
		fields := c.fieldPatterns(p.Fields)
		return func(f *frame, v Value) (bool, error) {
			m, ok := v.(*Map)
			if !ok {
				return false, nil
			}
			return matchFields(f, fields, m.Get)
		}
	case *syntax.VariantPattern:
		return c.variantPattern(p)
	}
	span := p.Span()
	return func(*frame, Value) (bool, error) { return false, at(errUnsupported(span.Normal()), span) }
}

// fieldMatcher is a field that must be there and fit.
type fieldMatcher struct {
	name string
	fits matcher
}

func (c *compiler) fieldPatterns(fields []syntax.FieldPattern) []fieldMatcher {
	out := make([]fieldMatcher, len(fields))
	for i, p := range fields {
		out[i] = fieldMatcher{p.Name.Name, c.pattern(p.Value)}
	}
	return out
}

func matchFields(f *frame, fields []fieldMatcher, get func(string) (Value, bool)) (bool, error) {
	for _, field := range fields {
		x, ok := get(field.name)
		if !ok {
			return false, nil
		}
		if ok, err := field.fits(f, x); !ok {
			return false, err
		}
	}
	return true, nil
}

func (c *compiler) variantPattern(p *syntax.VariantPattern) matcher {
	want, span := c.w.prog.Info.Variants[p], p.Span()
	fields := c.fieldPatterns(p.Fields)
	args := make([]matcher, len(p.Args))
	for i, a := range p.Args {
		args[i] = c.pattern(a)
	}
	return func(f *frame, v Value) (bool, error) {
		x, ok := v.(*Variant)
		if !ok {
			return false, at(errType("a variant pattern needs a variant, this is %s", aKind(v)), span)
		}
		if want != nil && want != x.Of || p.Name.Name != x.Of.Name {
			return false, nil
		}
		if p.Struct {
			return matchFields(f, fields, x.field)
		}
		if !p.Tuple {
			return true, nil
		}
		if len(args) != len(x.Fields) {
			return false, at(errVariantFields(x.Of), span)
		}
		for i, fits := range args {
			if ok, err := fits(f, x.Fields[i]); !ok {
				return false, err
			}
		}
		return true, nil
	}
}
