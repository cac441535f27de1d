package interp

import (
	"strings"

	"soma.cell/frontend/syntax"
)

// evalMatch tries the arms in order.
func (w *World) evalMatch(f *frame, x *syntax.Match) (Value, error) {
	v, err := w.eval(f, x.X)
	if err != nil {
		return nil, err
	}
	for _, arm := range x.Arms {
		result, taken, err := w.tryArm(f, arm, v)
		if err != nil || taken {
			return result, err
		}
	}
	return nil, errMatch(v)
}

// tryArm runs an arm when one of its patterns and its guard fit.
func (w *World) tryArm(f *frame, arm *syntax.Arm, v Value) (result Value, taken bool, err error) {
	outer := f.scope
	defer func() { f.scope = outer }()
	for _, p := range arm.Patterns {
		f.scope = &scope{parent: outer}
		ok, err := w.matches(f.scope, p, v)
		if err != nil {
			return nil, false, at(err, p.Span())
		}
		if ok && arm.Guard != nil {
			ok, err = w.test(f, arm.Guard)
		}
		if err != nil {
			return nil, false, err
		}
		if !ok {
			continue
		}
		if arm.Body != nil {
			result, err = w.block(f, arm.Body)
		} else {
			result, err = w.eval(f, arm.Value)
		}
		return result, true, err
	}
	return nil, false, nil
}

// matches binds the names of a pattern in s when the value fits.
func (w *World) matches(s *scope, p syntax.Pattern, v Value) (bool, error) {
	if err := w.spend(1); err != nil {
		return false, err
	}
	switch p := p.(type) {
	case *syntax.Wildcard:
		return true, nil
	case *syntax.Bind:
		s.bind(p.Name, v)
		return true, nil
	case *syntax.LiteralPattern:
		want, err := w.eval(&frame{}, p.Value)
		return err == nil && comparable(want, v) && same(want, v), err
	case *syntax.RangePattern:
		i, ok := v.(Int)
		return ok && cmpInt(i, BigInt(p.Lo)) >= 0 && cmpInt(i, BigInt(p.Hi)) <= 0, nil
	case *syntax.PrefixPattern:
		text, ok := v.(String)
		if !ok || !strings.HasPrefix(string(text), p.Prefix) {
			return false, nil
		}
		s.bind(p.Rest.Name, text[len(p.Prefix):])
		return true, nil
	case *syntax.MapPattern:
		m, ok := v.(*Map)
		if !ok {
			return false, nil
		}
		return w.matchFields(s, p.Fields, m.Get)
	case *syntax.VariantPattern:
		return w.matchVariant(s, p, v)
	}
	return false, errUnsupported(p.Span().Normal())
}

// matchFields needs every named field to be there and to fit.
func (w *World) matchFields(s *scope, fields []syntax.FieldPattern, get func(string) (Value, bool)) (bool, error) {
	for _, fp := range fields {
		x, ok := get(fp.Name.Name)
		if !ok {
			return false, nil
		}
		if ok, err := w.matches(s, fp.Value, x); !ok {
			return false, err
		}
	}
	return true, nil
}

func (w *World) matchVariant(s *scope, p *syntax.VariantPattern, v Value) (bool, error) {
	x, ok := v.(*Variant)
	if !ok {
		return false, errType("a variant pattern needs a variant, this is %s", aKind(v))
	}
	if want := w.prog.Info.Variants[p]; want != nil && want != x.Of || p.Name.Name != x.Of.Name {
		return false, nil
	}
	if p.Struct {
		return w.matchFields(s, p.Fields, x.field)
	}
	if !p.Tuple {
		return true, nil
	}
	if len(p.Args) != len(x.Fields) {
		return false, errVariantFields(x.Of)
	}
	for i, arg := range p.Args {
		if ok, err := w.matches(s, arg, x.Fields[i]); !ok {
			return false, err
		}
	}
	return true, nil
}
