package termination

import (
	"maps"
	"math/big"
	"slices"

	"soma.cell/smt/term"
)

// Measures are linear ranking functions (Colón and Sipma, TACAS 2001; Podelski and Rybalchenko,
// VMCAI 2004) of the plainest kind. A test `lo < hi` that every round passes gives the candidate
// hi - lo, which is at least 1 whenever the test is passed. If it falls by at least 1 from one
// time to the next, there are finitely many. How much a variable changes is followed along all
// paths as an interval around the value of some variable at the start (shift.go).

// linear is a sum of atoms, each a number of times, and a constant. Atoms are the Int terms that
// are not sums themselves.
type linear struct {
	atoms    map[string]*term.Term // by their text
	times    map[string]*big.Int   // none is zero
	constant *big.Int
}

// linearOf takes an Int term apart.
func linearOf(t *term.Term) linear {
	l := linear{map[string]*term.Term{}, map[string]*big.Int{}, new(big.Int)}
	l.add(t, big.NewInt(1))
	return l
}

func (l *linear) add(t *term.Term, times *big.Int) {
	switch {
	case t.Op == term.OpInt:
		l.constant.Add(l.constant, new(big.Int).Mul(times, t.Int))
	case t.Op == term.OpAdd:
		for _, a := range t.Args {
			l.add(a, times)
		}
	case t.Op == term.OpMul && t.Args[0].Op == term.OpInt:
		l.add(t.Args[1], new(big.Int).Mul(times, t.Args[0].Int))
	case t.Op == term.OpMul && t.Args[1].Op == term.OpInt:
		l.add(t.Args[0], new(big.Int).Mul(times, t.Args[1].Int))
	default:
		l.addAtom(t, times)
	}
}

func (l *linear) addAtom(t *term.Term, times *big.Int) {
	key := t.Text()
	sum := new(big.Int).Set(times)
	if old := l.times[key]; old != nil {
		sum.Add(sum, old)
	}
	if sum.Sign() == 0 {
		delete(l.times, key)
		delete(l.atoms, key)
		return
	}
	l.atoms[key], l.times[key] = t, sum
}

func (l *linear) keys() []string { return slices.Sorted(maps.Keys(l.times)) }

// parallel tells whether two sums differ by their constants alone.
func (l *linear) parallel(m *linear) bool {
	return maps.EqualFunc(l.times, m.times, func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
}

// measure is a candidate: a sum that is at least low where it is tested.
type measure struct {
	linear
	low int64
}

// measures reads the candidates from a guard: one for each conjunct that is a comparison of Ints.
func measures(guard *term.Term) []measure {
	switch guard.Op {
	case term.OpAnd:
		var out []measure
		for _, g := range guard.Args {
			out = append(out, measures(g)...)
		}
		return out
	case term.OpLt:
		return []measure{difference(guard.Args[1], guard.Args[0], 1)}
	case term.OpLe:
		return []measure{difference(guard.Args[1], guard.Args[0], 0)}
	case term.OpNot:
		return negated(guard.Args[0])
	}
	return nil
}

func negated(t *term.Term) []measure {
	switch t.Op {
	case term.OpOr:
		var out []measure
		for _, g := range t.Args {
			out = append(out, measures(term.Not(g))...)
		}
		return out
	case term.OpLt: // not a < b is b <= a
		return []measure{difference(t.Args[0], t.Args[1], 0)}
	case term.OpLe:
		return []measure{difference(t.Args[0], t.Args[1], 1)}
	}
	return nil
}

func difference(high, low *term.Term, atLeast int64) measure {
	return measure{linearOf(term.Sub(high, low)), atLeast}
}

// mentions tells whether the measure has one of the variables as an atom.
func (m *measure) mentions(names map[string]bool) bool {
	for _, atom := range m.atoms {
		if atom.Op == term.OpVar && names[atom.Name] {
			return true
		}
	}
	return false
}

// speaksOf tells whether a variable stands in some atom.
func (m *measure) speaksOf(name string) bool {
	for _, atom := range m.atoms {
		if slices.ContainsFunc(term.Vars(atom), func(v *term.Term) bool { return v.Name == name }) {
			return true
		}
	}
	return false
}

// falls tells whether the measure is smaller by at least 1 afterwards, when after gives each
// variable's value then as a shift of its value before, or nil, and its test was passed before.
func (m *measure) falls(after func(variable string) *shift) bool {
	rise := m.rise(after, true)
	return rise != nil && rise.Sign() < 0
}

// rise bounds how much greater the measure is afterwards; nil is no bound.
func (m *measure) rise(after func(variable string) *shift, tested bool) *big.Int {
	rise := new(big.Int)
	for _, key := range m.keys() {
		atom, times := m.atoms[key], m.times[key]
		change := changeOf(atom, after)
		if change != nil && change.base == "" && tested && len(m.times) == 1 {
			// A number is compared with the least that the test lets through.
			_, high := change.times(times)
			return sum(sum(high, m.constant), big.NewInt(-m.low))
		}
		if change != nil && change.base == "" && change.truth {
			change = change.from(key)
		}
		if change == nil || change.base == "" || change.positive && !(tested && m.keepsPositive(key)) || isSize(atom) && times.Sign() < 0 {
			return nil
		}
		_, high := change.times(times)
		if rise = sum(rise, high); rise == nil {
			return nil
		}
	}
	return rise
}

// keepsPositive tells whether the test says that the atom alone is at least 1.
func (m *measure) keepsPositive(key string) bool {
	if len(m.times) != 1 || m.times[key].Cmp(big.NewInt(1)) != 0 {
		return false
	}
	return new(big.Int).Sub(big.NewInt(m.low), m.constant).Sign() > 0
}

// changeOf is the shift of an atom from its own value, or the number that it is. An atom that is
// no variable keeps its value when all its variables do: terms have no effects.
func changeOf(atom *term.Term, after func(variable string) *shift) *shift {
	if v := flagOf(atom); v != nil {
		atom = v
	}
	if atom.Op == term.OpVar {
		if s := after(atom.Name); s != nil && (s.base == atom.Name || s.base == "") {
			return s
		}
		return nil
	}
	for _, v := range term.Vars(atom) {
		if s := after(v.Name); s == nil || !s.is(v.Name) {
			return nil
		}
	}
	return &shift{low: new(big.Int), high: new(big.Int), base: atom.Text()}
}

// flag is a Bool variable as the atom that is 1 where it is true, else 0.
func flag(v *term.Term) *term.Term { return term.Ite(v, term.Int64(1), term.Int64(0)) }

// flagOf is the variable of a flag, nil of other atoms.
func flagOf(atom *term.Term) *term.Term {
	if atom.Op == term.OpIte && atom.Args[0].Op == term.OpVar && atom.Equal(flag(atom.Args[0])) {
		return atom.Args[0]
	}
	return nil
}

// flags reads from a guard the Bool variables that it tests: a true one counts 1.
func flags(guard *term.Term) []measure {
	var out []measure
	for _, g := range conjuncts(guard) {
		switch {
		case g.Op == term.OpVar:
			out = append(out, difference(flag(g), term.Int64(0), 1))
		case g.Op == term.OpNot && g.Args[0].Op == term.OpVar:
			out = append(out, difference(term.Int64(1), flag(g.Args[0]), 1))
		}
	}
	return out
}

// before says a measure over values at a start, of which now knows how today's differ: it is no
// less there than here, but for what the constant makes good. Only where exactly tells so must
// all values be those at the start.
func (m measure) before(now state) (measure, bool) {
	out := measure{linear: linearOf(term.Int64(0)), low: m.low}
	out.constant.Set(m.constant)
	for _, key := range m.keys() {
		atom, times := m.atoms[key], m.times[key]
		old, rise := then(atom, now)
		if rise == nil {
			return out, false
		}
		if _, high := rise.times(times); high == nil {
			return out, false
		} else {
			out.constant.Add(out.constant, high)
		}
		if old != nil {
			out.addAtom(old, times)
		}
	}
	return out, true
}

// then is the atom at the start that an atom differs from, nil where it is a number, and by how
// much; a nil shift is not known.
func then(atom *term.Term, now state) (*term.Term, *shift) {
	v := atom
	if f := flagOf(atom); f != nil {
		v = f
	}
	if v.Op == term.OpVar {
		s := now.of(v.Name)
		switch {
		case s == nil || s.positive:
			return nil, nil
		case s.base == "":
			return nil, s
		case v != atom:
			return flag(term.Var(s.base, v.Sort)), s
		}
		return term.Var(s.base, v.Sort), s
	}
	same := true
	old := term.Subst(atom, func(v *term.Term) *term.Term {
		s := now.of(v.Name)
		if !s.exact() {
			same = false
			return nil
		}
		return term.Var(s.base, v.Sort)
	})
	if !same {
		return nil, nil
	}
	return old, number(new(big.Int))
}
