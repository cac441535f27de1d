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

// falls tells whether the measure is smaller by at least 1 afterwards, when after gives each
// variable's value then as a shift of its value before, or nil.
func (m *measure) falls(after func(variable string) *shift) bool {
	rise := new(big.Int)
	for _, key := range m.keys() {
		change := changeOf(m.atoms[key], after)
		if change == nil || change.positive && !m.keepsPositive(key) {
			return false
		}
		bound, times := change.high, m.times[key]
		if times.Sign() < 0 {
			bound = change.low
		}
		if bound == nil {
			return false
		}
		rise.Add(rise, new(big.Int).Mul(times, bound))
	}
	return rise.Sign() < 0
}

// keepsPositive tells whether the test says that the atom alone is at least 1.
func (m *measure) keepsPositive(key string) bool {
	if len(m.times) != 1 || m.times[key].Cmp(big.NewInt(1)) != 0 {
		return false
	}
	return new(big.Int).Sub(big.NewInt(m.low), m.constant).Sign() > 0
}

// changeOf is the shift of an atom from its own value. An atom that is no variable keeps its
// value when all its variables do: terms have no effects.
func changeOf(atom *term.Term, after func(variable string) *shift) *shift {
	if atom.Op == term.OpVar {
		if s := after(atom.Name); s != nil && s.base == atom.Name {
			return s
		}
		return nil
	}
	for _, v := range term.Vars(atom) {
		if s := after(v.Name); s == nil || !s.is(v.Name) {
			return nil
		}
	}
	return &shift{low: new(big.Int), high: new(big.Int)}
}
