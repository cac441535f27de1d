package conform

import (
	"slices"

	"soma.cell/smt/term"
)

// path is how far a search has come. Paths are never changed; they branch.
type path struct {
	mem     *Memory
	pos     int // steps of the run made so far
	told    *binding
	open    []*term.Term // what guards say of free constants, not yet decided
	loose   *looseness
	choices int
}

// binding is a list of free constants that the run told.
type binding struct {
	name  string
	value *term.Term
	next  *binding
}

// looseness is a list of places where the system allows more than the run did.
type looseness struct {
	why  string
	next *looseness
}

func (p path) note(why string) path {
	p.loose = &looseness{why, p.loose}
	return p
}

// free is the value of a free constant, nil when nobody told it.
func (p path) free(v *term.Term) *term.Term {
	for b := p.told; b != nil; b = b.next {
		if b.name == v.Name {
			return b.value
		}
	}
	return nil
}

// assume adds a fact; ok is false where it contradicts what is known.
func (w *walk) assume(p path, fact *term.Term) (path, bool) {
	switch fact {
	case term.True:
		return p, true
	case term.False:
		return p, false
	}
	if fact.Op == term.OpAnd {
		ok := true
		for _, a := range fact.Args {
			if p, ok = w.assume(p, a); !ok {
				return p, false
			}
		}
		return p, true
	}
	p.open = append(slices.Clip(p.open), fact)
	return p, true
}

// equate says that a term is a known value.
func (w *walk) equate(p path, t, value *term.Term) (path, bool) {
	t = w.e.eval(t, p.free)
	switch {
	case t.Equal(value):
		return p, true
	case known(t):
		return p, false
	case t.Op == term.OpVar:
		p.told = &binding{t.Name, value, p.told}
		return w.judgeOpen(p)
	case isBox(t):
		if !isBox(value) || value.Name != t.Name {
			return p, false
		}
		return w.equate(p, t.Args[0], value.Args[0])
	}
	return w.assume(p, term.Eq(t, value))
}

// judgeOpen judges the open facts again, after the run told something.
func (w *walk) judgeOpen(p path) (path, bool) {
	facts := p.open
	p.open = nil
	ok := true
	for _, f := range facts {
		if p, ok = w.assume(p, w.e.eval(f, p.free)); !ok {
			return p, false
		}
	}
	return p, true
}
