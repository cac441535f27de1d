package resolve

import (
	"fmt"

	"soma.cell/frontend/syntax"
)

// An arm is useless when each value that it takes is taken before it: by one pattern of an
// earlier arm without a guard, or of its own arm. Whether several patterns together leave it
// nothing is not asked.
//
// Cost: literals are looked up; each pattern is compared with at most maxCompared others.

const maxCompared = 500

// taken holds the patterns that stand before a place.
type taken struct {
	literals map[string]syntax.Pattern
	others   []syntax.Pattern
}

func (t *taken) add(p syntax.Pattern) {
	if key := literalKey(p); key != "" {
		t.literals[key] = p
	} else if len(t.others) < maxCompared {
		t.others = append(t.others, p)
	}
}

// uselessArms warns of the arms and alternatives of a resolved match that take nothing.
func (w *walker) uselessArms(x *syntax.Match) {
	before := &taken{literals: map[string]syntax.Pattern{}}
	for _, arm := range x.Arms {
		own := &taken{literals: map[string]syntax.Pattern{}}
		for _, p := range arm.Patterns {
			first := w.coveredBy(before, p)
			if first == nil {
				first = w.coveredBy(own, p)
			}
			own.add(p)
			switch {
			case first != nil:
				w.r.report(uselessArm(p, first, w.stateMeant(x, first)))
				if irrefutable(first) {
					return // so is all that follows
				}
			case emptyRange(p):
				w.r.report(emptyRangePattern(p))
			}
		}
		if arm.Guard == nil {
			for _, p := range arm.Patterns {
				before.add(p)
			}
		}
	}
}

// coveredBy finds a pattern that takes every value that p takes, or nil.
func (w *walker) coveredBy(t *taken, p syntax.Pattern) syntax.Pattern {
	if first := t.literals[literalKey(p)]; first != nil {
		return first
	}
	for _, q := range t.others {
		if w.covers(q, p) {
			return q
		}
	}
	return nil
}

// stateMeant is the machine whose state a pattern names that takes every value instead.
func (w *walker) stateMeant(x *syntax.Match, p syntax.Pattern) *Machine {
	b, ok := p.(*syntax.Bind)
	if m := w.machineOf(x.X); ok && m != nil && m.HasState(b.Name) {
		return m
	}
	return nil
}

// covers tells whether p surely takes every value that q takes.
func (w *walker) covers(p, q syntax.Pattern) bool {
	if irrefutable(p) {
		return true
	}
	switch p := p.(type) {
	case *syntax.LiteralPattern:
		return literalKey(p) != "" && literalKey(p) == literalKey(q)
	case *syntax.RangePattern:
		switch q := q.(type) {
		case *syntax.LiteralPattern:
			n, ok := q.Value.(*syntax.Int)
			return ok && p.Lo.Cmp(n.Value) <= 0 && n.Value.Cmp(p.Hi) <= 0
		case *syntax.RangePattern:
			return p.Lo.Cmp(q.Lo) <= 0 && q.Hi.Cmp(p.Hi) <= 0 && !emptyRange(q)
		}
	case *syntax.PrefixPattern:
		switch q := q.(type) {
		case *syntax.LiteralPattern:
			text, ok := literalText(q.Value)
			return ok && len(text) >= len(p.Prefix) && text[:len(p.Prefix)] == p.Prefix
		case *syntax.PrefixPattern:
			return len(q.Prefix) >= len(p.Prefix) && q.Prefix[:len(p.Prefix)] == p.Prefix
		}
	case *syntax.MapPattern:
		q, ok := q.(*syntax.MapPattern)
		return ok && w.coverFields(p.Fields, q.Fields, true)
	case *syntax.VariantPattern:
		q, ok := q.(*syntax.VariantPattern)
		v := w.r.info.Variants[p]
		if !ok || v == nil || v != w.r.info.Variants[q] || !whole(p, v) {
			return false
		}
		for i, a := range p.Args {
			if !irrefutable(a) && (i >= len(q.Args) || !w.covers(a, q.Args[i])) {
				return false
			}
		}
		return w.coverFields(p.Fields, q.Fields, false)
	}
	return false
}

// whole tells whether a struct pattern says of every field what it wants.
func whole(p *syntax.VariantPattern, v *Variant) bool {
	given := map[string]bool{}
	for _, f := range p.Fields {
		given[f.Name.Name] = true
	}
	return !p.Struct || p.Rest || len(v.missing(given)) == 0
}

// coverFields tells whether each field of p that asks for something asks no more than q does.
// A map need not have the field; a variant has.
func (w *walker) coverFields(p, q []syntax.FieldPattern, mayLack bool) bool {
	for _, f := range p {
		covered := !mayLack && (f.Value == nil || irrefutable(f.Value))
		for _, g := range q {
			if f.Name.Name == g.Name.Name && (f.Value == nil || irrefutable(f.Value) || g.Value != nil && w.covers(f.Value, g.Value)) {
				covered = true
			}
		}
		if !covered {
			return false
		}
	}
	return true
}

func emptyRange(p syntax.Pattern) bool {
	r, ok := p.(*syntax.RangePattern)
	return ok && r.Lo.Cmp(r.Hi) > 0
}

// literalKey tells literals apart, by kind and value; "" for what is none.
func literalKey(p syntax.Pattern) string {
	l, ok := p.(*syntax.LiteralPattern)
	if !ok {
		return ""
	}
	sign := ""
	x := syntax.Unparen(l.Value)
	if u, ok := x.(*syntax.Unary); ok && !u.Not {
		sign, x = "-", syntax.Unparen(u.X)
	}
	switch x := x.(type) {
	case *syntax.Int:
		return sign + "Int " + x.Value.String()
	case *syntax.Float:
		return sign + fmt.Sprint("Float ", x.Value)
	case *syntax.Bool:
		return fmt.Sprint("Bool ", x.Value)
	case *syntax.Unit:
		return "Unit"
	case *syntax.String:
		if text, ok := x.Literal(); ok {
			return "String " + text
		}
	}
	return ""
}

// short tells whether a field stands for its own binding, whose repetition is reported anyway.
func short(f syntax.FieldPattern) bool {
	b, ok := f.Value.(*syntax.Bind)
	return f.Value == nil || ok && b.Name == f.Name.Name
}

// repeatedFields reports a field that a pattern names twice.
func (w *walker) repeatedFields(fields []syntax.FieldPattern) {
	for i, f := range fields {
		for _, g := range fields[:i] {
			if f.Name.Name == g.Name.Name && !(short(f) && short(g)) {
				w.r.report(duplicate(f.Name, "field", g.Name.At))
			}
		}
	}
}
