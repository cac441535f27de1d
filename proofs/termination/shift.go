package termination

import (
	"maps"
	"math/big"

	"soma.cell/smt/term"
)

// shift says that a value lies in base + [low, high], where base is the value that a variable
// had at the start, or 0 where it is "", for a number that is known; a nil bound is none. A
// positive shift holds only where base was at least 1 then: it comes of a division. A Bool is a
// number as well, 0 or 1; truth marks what was written as one.
type shift struct {
	base      string
	low, high *big.Int
	positive  bool
	truth     bool
}

func unchanged(name string) *shift { return &shift{base: name, low: new(big.Int), high: new(big.Int)} }

func number(n *big.Int) *shift { return &shift{low: n, high: n} }

func truth(b bool) *shift {
	n := new(big.Int)
	if b {
		n.SetInt64(1)
	}
	return &shift{low: n, high: n, truth: true}
}

// is tells whether the value is exactly that of the variable at the start.
func (s *shift) is(name string) bool {
	return s.base == name && !s.positive && s.low != nil && s.low.Sign() == 0 && s.high != nil && s.high.Sign() == 0
}

// exact tells whether the value is that of some variable at the start.
func (s *shift) exact() bool { return s != nil && s.base != "" && s.is(s.base) }

// plus is the sum with what lies in [low, high].
func (s *shift) plus(low, high *big.Int) *shift {
	return &shift{base: s.base, low: sum(s.low, low), high: sum(s.high, high), positive: s.positive}
}

// sum is that of two bounds, of which each may be none.
func sum(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	return new(big.Int).Add(a, b)
}

func lesser(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func greater(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// either is what holds of two values of which one is there; nil when nothing does.
func either(s, t *shift) *shift {
	if s == nil || t == nil {
		return nil
	}
	switch {
	case s.base == t.base:
	case s.base == "":
		s = s.from(t.base)
	case t.base == "":
		t = t.from(s.base)
	default:
		return nil
	}
	return &shift{base: s.base, low: lesser(s.low, t.low), high: greater(s.high, t.high),
		positive: s.positive || t.positive, truth: s.truth && t.truth}
}

// from says of a number how far it is from a variable of its sort: of a Bool both ways, since
// the variable is 0 or 1; of an Int upwards, where the variable was at least 1.
func (s *shift) from(base string) *shift {
	one := big.NewInt(-1)
	if s.truth {
		return &shift{base: base, low: sum(s.low, one), high: s.high}
	}
	return &shift{base: base, high: sum(s.high, one), positive: true}
}

// state knows each variable that changed since the start, nil for one of which nothing is known;
// the others are as they were.
type state map[string]*shift

func (s state) of(name string) *shift {
	if known, ok := s[name]; ok {
		return known
	}
	return unchanged(name)
}

func (s state) copy() state {
	out := make(state, len(s))
	maps.Copy(out, s)
	return out
}

// join is what holds in both states.
func (s state) join(t state) state {
	out := state{}
	for _, from := range []state{s, t} {
		for name := range from {
			out[name] = either(s.of(name), t.of(name))
		}
	}
	return out
}

// eval is a term's value as a shift, or nil. Variables of every sort can be unchanged; sums are
// of Ints.
func (s state) eval(t *term.Term) *shift {
	switch t.Op {
	case term.OpVar:
		return s.of(t.Name)
	case term.OpInt:
		return number(t.Int)
	case term.OpTrue, term.OpFalse:
		return truth(t.Op == term.OpTrue)
	case term.OpIte:
		return either(s.eval(t.Args[1]), s.eval(t.Args[2]))
	case term.OpApp:
		return s.quotient(t)
	case term.OpAdd, term.OpMul:
		return s.sum(linearOf(t))
	}
	return nil
}

// sum is the value of a sum of which at most one part, taken once, is no known number.
func (s state) sum(l linear) *shift {
	out := number(l.constant)
	for _, key := range l.keys() {
		atom := l.atoms[key]
		if atom.Op == term.OpMul {
			return nil // of two unknowns
		}
		x := s.eval(atom)
		switch {
		case x == nil:
			return nil
		case x.base == "":
			low, high := x.times(l.times[key])
			out = out.plus(low, high)
		case out.base == "" && l.times[key].Cmp(big.NewInt(1)) == 0:
			out = x.plus(out.low, out.high)
		default:
			return nil
		}
	}
	return out
}

// times are the bounds of a shift, taken a number of times.
func (s *shift) times(n *big.Int) (low, high *big.Int) {
	scaled := func(x *big.Int) *big.Int {
		if x == nil {
			return nil
		}
		return new(big.Int).Mul(n, x)
	}
	if n.Sign() < 0 {
		return scaled(s.high), scaled(s.low)
	}
	return scaled(s.low), scaled(s.high)
}

// quotients are the divisions by which a positive Int falls when the divisor is at least 2. The
// first gives an Int only where it is exact, and elsewhere a Float, which no Int parameter takes
// unless floor makes it one.
var quotients = map[string]bool{"op:/": true, "idiv": true, "floor_div": true}

// remainders are less than a positive divisor.
var remainders = map[string]bool{"op:%": true, "mod": true}

func (s state) quotient(t *term.Term) *shift {
	if t.Name == "floor" && len(t.Args) == 1 && t.Args[0].Op == term.OpApp && t.Args[0].Name == "op:/" {
		t = t.Args[0]
	}
	if len(t.Args) != 2 || t.Args[0].Sort.Kind != term.KindInt || t.Args[1].Sort.Kind != term.KindInt {
		return nil
	}
	var base *shift
	switch by := t.Args[1]; {
	case remainders[t.Name]:
		base = s.eval(by)
	case quotients[t.Name] && by.Op == term.OpInt && by.Int.Cmp(big.NewInt(2)) >= 0:
		base = s.eval(t.Args[0])
	}
	if !base.exact() {
		return nil
	}
	return &shift{base: base.base, high: big.NewInt(-1), positive: true}
}
