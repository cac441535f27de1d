package lower

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/smt/term"
)

// value is what an expression gives, as far as it is known.
type value struct {
	t *term.Term
	// has tells whether the value is there, when it may be unit instead; nil when it is.
	has *term.Term
	// typ is a type the value is sure to have (declared types are enforced at run time), or
	// nil.
	typ *resolve.Type
	// items are the elements of a list literal.
	items  []value
	isList bool
	// lambda is set for a lambda of the program, with the scope it was made in.
	lambda  *syntax.Lambda
	closure *scope
	// fields are those of a record whose every field is known: what try gives.
	fields map[string]value
}

func unit() value { return value{t: term.UnitLit} }

func of(t *term.Term) value { return value{t: t} }

func (v value) isUnit() bool { return v.t.Sort.Kind == term.KindUnit }

func (v value) sort() *term.Sort { return v.t.Sort }

// present is the condition under which the value is not unit.
func (v value) present() *term.Term {
	switch {
	case v.has != nil:
		return v.has
	case v.isUnit():
		return term.False
	case v.sort().Kind == term.KindOpaque:
		return term.Not(isUnitTerm(v.t))
	}
	return term.True
}

// Opaque values are boxed and unboxed by uninterpreted functions; unboxing a box gives the
// value back.

func boxName(s *term.Sort) string   { return "box:" + s.String() }
func unboxName(s *term.Sort) string { return "unbox:" + s.String() }

var unitBox = term.App("unit", term.Opaque)

func isUnitTerm(t *term.Term) *term.Term {
	switch {
	case t.Equal(unitBox):
		return term.True
	case t.Op == term.OpApp && len(t.Args) == 1 && t.Name == boxName(t.Args[0].Sort):
		return term.False
	}
	return term.App("is:Unit", term.Bool, t)
}

func box(t *term.Term) *term.Term {
	switch t.Sort.Kind {
	case term.KindOpaque:
		return t
	case term.KindUnit:
		return unitBox
	}
	if t.Op == term.OpApp && t.Name == unboxName(t.Sort) && len(t.Args) == 1 {
		// An unboxed value is only used where unboxing succeeded.
		return t.Args[0]
	}
	return term.App(boxName(t.Sort), term.Opaque, t)
}

func unbox(t *term.Term, s *term.Sort) *term.Term {
	if t.Op == term.OpApp && len(t.Args) == 1 && t.Name == boxName(s) {
		return t.Args[0]
	}
	return term.App(unboxName(s), s, t)
}

// plain is the value as one term: itself where it is surely there, else a boxed choice.
func (b *builder) plain(v value) *term.Term {
	b.escape(v)
	if v.has == nil {
		return v.t
	}
	return term.Ite(v.has, box(v.t), unitBox)
}

// plains and boxes are plain and boxed of several values.

func (b *builder) plains(vs []value) []*term.Term { return each(vs, b.plain) }
func (b *builder) boxes(vs []value) []*term.Term  { return each(vs, b.boxed) }

func each(vs []value, of func(value) *term.Term) []*term.Term {
	out := make([]*term.Term, len(vs))
	for i, v := range vs {
		out[i] = of(v)
	}
	return out
}

// boxed is the value as an Opaque term.
func (b *builder) boxed(v value) *term.Term { return box(b.plain(v)) }

// sameShape tells whether two values live in the same variables.
func sameShape(a, b value) bool {
	if !a.t.Equal(b.t) || (a.has == nil) != (b.has == nil) {
		return false
	}
	return a.has == nil || a.has.Equal(b.has)
}

// joinShape is the sort and presence that can hold every one of the values: a common sort,
// a common sort or unit, or Opaque.
func joinShape(vs []value) (s *term.Sort, maybe bool) {
	for _, v := range vs {
		if v.isUnit() {
			maybe = true
			continue
		}
		maybe = maybe || v.has != nil
		switch {
		case s == nil:
			s = v.sort()
		case !s.Same(v.sort()):
			return term.Opaque, false
		}
	}
	switch {
	case s == nil:
		return term.Unit, false
	case s.Kind == term.KindOpaque:
		return s, false
	}
	return s, maybe
}

// joinType keeps a type that all values surely have.
func joinType(vs []value) *resolve.Type {
	for _, v := range vs[1:] {
		if v.typ == nil || vs[0].typ == nil || v.typ.String() != vs[0].typ.String() {
			return nil
		}
	}
	return vs[0].typ
}

// scope binds names to values; a block opens one inside another.
type scope struct {
	vars *bindings
	up   *scope
}

func (s *scope) find(name string) (value, bool) {
	for ; s != nil; s = s.up {
		if v := s.vars.find(name); v != nil {
			return *v, true
		}
	}
	return value{}, false
}

// bind binds a name here.
func (s *scope) bind(name string, v value) { s.vars = s.vars.with(name, &v) }

// set rebinds a name where it is bound.
func (s *scope) set(name string, v value) {
	for ; s != nil; s = s.up {
		if s.vars.find(name) != nil {
			s.bind(name, v)
			return
		}
	}
}

// copy is a snapshot of the scope and those around it.
func (s *scope) copy() *scope {
	if s == nil {
		return nil
	}
	return &scope{vars: s.vars, up: s.up.copy()}
}
