package taint

import (
	"maps"
	"slices"
)

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
	of map[value]fact
}

func noFacts() *facts { return &facts{} }

func (f *facts) with(v value, add func(*fact)) *facts {
	old := f.of[v]
	next := old
	add(&next)
	if next.equal(old) {
		return f
	}
	out := &facts{of: maps.Clone(f.of)}
	if out.of == nil {
		out.of = map[value]fact{}
	}
	out.of[v] = next
	return out
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

func (f *facts) equal(g *facts) bool { return maps.EqualFunc(f.of, g.of, fact.equal) }

// either is what holds when f or g does.
func (f *facts) either(g *facts) *facts {
	switch {
	case f == nil:
		return g
	case g == nil || f == g:
		return f
	}
	out := noFacts()
	for v, a := range f.of {
		if b, ok := g.of[v]; ok {
			out = out.with(v, func(c *fact) {
				c.listed = a.listed && b.listed
				c.prefixed = a.prefixed && b.prefixed
				c.lo, c.hi = a.lo.either(b.lo), a.hi.either(b.hi)
			})
		}
	}
	return out
}

func (a bound) either(b bound) bound {
	if !a.set || !b.set {
		return bound{}
	}
	return bound{set: true, by: union(a.by, b.by)}
}

// sorted lists the values that have facts.
func (f *facts) sorted() []value { return slices.Sorted(maps.Keys(f.of)) }

// also is what holds when both f and g do.
func (f *facts) also(g *facts) *facts {
	if f == nil || g == nil {
		return nil
	}
	out := f
	for _, v := range g.sorted() {
		b := g.of[v]
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
	}
	return out
}

// filter keeps the facts that speak only of values that pass.
func (f *facts) filter(keep func(value) bool) *facts {
	out := f
	for v, a := range f.of {
		all := keep(v)
		for _, w := range append(slices.Clone(a.lo.by), a.hi.by...) {
			all = all && keep(w)
		}
		if all {
			continue
		}
		if out == f {
			out = &facts{of: maps.Clone(f.of)}
		}
		delete(out.of, v)
	}
	return out
}
