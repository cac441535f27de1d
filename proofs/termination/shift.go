package termination

import (
	"maps"
	"math/big"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// shift says that a value lies in base + [low, high], where base is the value that a variable
// had at the start; a nil low is no bound. A positive shift holds only where base was at least 1
// then: it comes of a division.
type shift struct {
	base      string
	low, high *big.Int
	positive  bool
}

func unchanged(name string) *shift { return &shift{name, new(big.Int), new(big.Int), false} }

// is tells whether the value is exactly that of the variable at the start.
func (s *shift) is(name string) bool {
	return s.base == name && !s.positive && s.low != nil && s.low.Sign() == 0 && s.high.Sign() == 0
}

func (s *shift) plus(n *big.Int) *shift {
	out := &shift{base: s.base, high: new(big.Int).Add(s.high, n), positive: s.positive}
	if s.low != nil {
		out.low = new(big.Int).Add(s.low, n)
	}
	return out
}

// either is what holds of two values of which one is there; nil when nothing does.
func either(s, t *shift) *shift {
	if s == nil || t == nil || s.base != t.base {
		return nil
	}
	out := &shift{base: s.base, high: s.high, positive: s.positive || t.positive}
	if t.high.Cmp(s.high) > 0 {
		out.high = t.high
	}
	if s.low != nil && t.low != nil {
		out.low = s.low
		if t.low.Cmp(s.low) < 0 {
			out.low = t.low
		}
	}
	return out
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
	switch {
	case t.Op == term.OpVar:
		return s.of(t.Name)
	case t.Op == term.OpIte:
		return either(s.eval(t.Args[1]), s.eval(t.Args[2]))
	case t.Op == term.OpApp:
		return s.quotient(t)
	case t.Op != term.OpAdd && t.Op != term.OpMul:
		return nil
	}
	sum := linearOf(t)
	keys := sum.keys()
	if len(keys) != 1 || sum.times[keys[0]].Cmp(big.NewInt(1)) != 0 {
		return nil
	}
	atom := sum.atoms[keys[0]]
	if atom.Op == term.OpMul {
		return nil // of two unknowns
	}
	if x := s.eval(atom); x != nil {
		return x.plus(sum.constant)
	}
	return nil
}

// quotients are the divisions by which a positive Int falls when the divisor is at least 2. The
// first gives an Int only where it is exact, and elsewhere a Float, which no Int parameter takes.
var quotients = map[string]bool{"op:/": true, "idiv": true, "floor_div": true}

func (s state) quotient(t *term.Term) *shift {
	if !quotients[t.Name] || len(t.Args) != 2 {
		return nil
	}
	x, by := t.Args[0], t.Args[1]
	if x.Sort.Kind != term.KindInt || by.Op != term.OpInt || by.Int.Cmp(big.NewInt(2)) < 0 {
		return nil
	}
	base := s.eval(x)
	if base == nil || !base.is(base.base) {
		return nil
	}
	return &shift{base: base.base, high: big.NewInt(-1), positive: true}
}

// after is the state behind an effect.
func (s state) after(f ir.Effect) {
	if b, ok := f.(*ir.Bind); ok {
		s[b.Var.Name] = s.eval(b.Value)
		return
	}
	for _, v := range ir.Defs(f) {
		s[v.Name] = nil
	}
}
