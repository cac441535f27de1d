package taint

import "slices"

// fact is what the tests passed on the way to a location say of a value.
type fact struct {
	listed   bool // it is one of finitely many literals of the program
	prefixed bool // it is a text that begins with a literal address or folder
	lo, hi   bound
}

// bound says that a number is bounded on one side, provided that each of the values by is
// trusted; a literal bound needs none.
type bound struct {
	set bool
	by  []value
}

// facts are the facts of a location, by value. They are never changed in place. A nil *facts
// holds at locations that no run reaches: everything is true there.
type facts struct {
	of *factTree
}

func noFacts() *facts { return &facts{} }

// with is what holds when, beside f, add does.
func (f *facts) with(v value, add func(*fact)) *facts {
	old, _ := f.of.at(v)
	next := old
	add(&next)
	if next.equal(old) {
		return f
	}
	return &facts{of: f.of.with(v, next)}
}

// is gives the facts of a tree that was made of those of f.
func (f *facts) is(t *factTree) *facts {
	if t == f.of {
		return f
	}
	return &facts{of: t}
}

func (a fact) equal(b fact) bool {
	return a.listed == b.listed && a.prefixed == b.prefixed && a.lo.equal(b.lo) && a.hi.equal(b.hi)
}

func (a bound) equal(b bound) bool { return a.set == b.set && slices.Equal(a.by, b.by) }

// tighten adds one more bound. One that depends on nothing is the best there is; otherwise
// the first stays.
func (a bound) tighten(by ...value) bound {
	if !a.set || len(by) == 0 {
		return bound{set: true, by: by}
	}
	return a
}

func (f *facts) equal(g *facts) bool { return f.of.equal(g.of) }

// either is what holds when f or g does.
func (f *facts) either(g *facts) *facts {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return f.is(f.of.both(g.of, fact.either))
}

func (a fact) either(b fact) fact {
	return fact{
		listed:   a.listed && b.listed,
		prefixed: a.prefixed && b.prefixed,
		lo:       a.lo.either(b.lo),
		hi:       a.hi.either(b.hi),
	}
}

func (a bound) either(b bound) bound {
	if !a.set || !b.set {
		return bound{}
	}
	return bound{set: true, by: union(a.by, b.by)}
}

// also is what holds when both f and g do.
func (f *facts) also(g *facts) *facts {
	if f == nil || g == nil {
		return nil
	}
	out := f
	g.of.each(func(v value, b fact) {
		out = out.with(v, func(c *fact) {
			c.listed = c.listed || b.listed
			c.prefixed = c.prefixed || b.prefixed
			if b.lo.set {
				c.lo = c.lo.tighten(b.lo.by...)
			}
			if b.hi.set {
				c.hi = c.hi.tighten(b.hi.by...)
			}
		})
	})
	return out
}

// filter keeps the facts that speak only of values that pass.
func (f *facts) filter(keep func(value) bool) *facts {
	return f.is(f.of.filter(func(v value, c fact) bool {
		return keep(v) && all(c.lo.by, keep) && all(c.hi.by, keep)
	}))
}

func all(vs []value, keep func(value) bool) bool {
	for _, v := range vs {
		if !keep(v) {
			return false
		}
	}
	return true
}

// without forgets the facts that speak of symbols.
func (f *facts) without(b *bank, syms map[symbol]bool) *facts {
	if len(syms) == 0 {
		return f
	}
	return f.filter(func(v value) bool { return !b.mentions(v, syms) })
}
