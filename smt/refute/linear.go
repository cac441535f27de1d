package refute

import (
	"maps"
	"math/big"
	"slices"

	"soma.cell/smt/term"
)

// sum is a linear term: Σ coefficient × atom + constant, over the indices of atoms in the bank.
// Atoms are the Int terms that are no sum, no literal and no product with a literal.
type sum struct {
	coef     map[int]*big.Int
	constant *big.Int
}

func newSum() *sum { return &sum{coef: map[int]*big.Int{}, constant: new(big.Int)} }

// add adds k times other.
func (s *sum) add(other *sum, k *big.Int) {
	for atom, c := range other.coef {
		s.addAtom(atom, new(big.Int).Mul(c, k))
	}
	s.constant.Add(s.constant, new(big.Int).Mul(other.constant, k))
}

func (s *sum) addAtom(atom int, c *big.Int) {
	old, ok := s.coef[atom]
	if !ok {
		old = new(big.Int)
	}
	if c = new(big.Int).Add(old, c); c.Sign() == 0 {
		delete(s.coef, atom)
	} else {
		s.coef[atom] = c
	}
}

func (s *sum) atoms() []int { return sortedKeys(s.coef) }

// gcd is the greatest common divisor of the coefficients, 0 when there is none.
func (s *sum) gcd() *big.Int {
	g := new(big.Int)
	for _, c := range s.coef {
		g.GCD(nil, nil, g, new(big.Int).Abs(c))
	}
	return g
}

// linearize brings an Int term into linear form. Shared subterms cost once each.
func (e *engine) linearize(t *term.Term) *sum {
	id := e.bank.Add(t)
	if s, ok := e.sums[id]; ok {
		return s
	}
	s := newSum()
	switch t.Op {
	case term.OpInt:
		s.constant.Set(t.Int)
	case term.OpAdd:
		for _, a := range t.Args {
			s.add(e.linearize(a), one())
		}
	case term.OpMul:
		a, b := e.linearize(t.Args[0]), e.linearize(t.Args[1])
		switch {
		case len(a.coef) == 0:
			s.add(b, a.constant)
		case len(b.coef) == 0:
			s.add(a, b.constant)
		default:
			s.addAtom(id, one())
		}
	default:
		s.addAtom(id, one())
	}
	e.sums[id] = s
	return s
}

func one() *big.Int { return big.NewInt(1) }

// constraint is sum <= 0, or sum = 0, with a way to get the line that says so.
type constraint struct {
	sum      *sum
	equation bool
	line     func() int
}

// constraintOf reads an integer comparison or its negation; nil for other formulas. Strict
// comparisons of integers become a < b: a - b + 1 <= 0.
func (e *engine) constraintOf(t *term.Term) *constraint {
	negated := t.Op == term.OpNot
	if negated {
		t = t.Args[0]
	}
	if t.Op != term.OpLe && t.Op != term.OpLt {
		return nil
	}
	a, b := e.linearize(t.Args[0]), e.linearize(t.Args[1])
	if negated {
		a, b = b, a
	}
	s := newSum()
	s.add(a, one())
	s.add(b, big.NewInt(-1))
	if (t.Op == term.OpLt) != negated {
		s.constant.Add(s.constant, one())
	}
	return &constraint{sum: s}
}

// difference is a = b as a constraint without line.
func (e *engine) difference(a, b int) *constraint {
	s := newSum()
	s.add(e.linearize(e.bank.Term(a)), one())
	s.add(e.linearize(e.bank.Term(b)), big.NewInt(-1))
	return &constraint{sum: s, equation: true}
}

// tighten divides an inequality by the divisor of its coefficients and rounds the constant up,
// when that makes it stronger; the line is written only when it is used.
func (e *engine) tighten(c *constraint) *constraint {
	g := c.sum.gcd()
	if g.Cmp(one()) <= 0 {
		return c
	}
	quotient, rest := new(big.Int).DivMod(c.sum.constant, g, new(big.Int))
	if rest.Sign() == 0 || c.equation {
		return c
	}
	tight := newSum()
	for atom, k := range c.sum.coef {
		tight.coef[atom] = new(big.Int).Quo(k, g)
	}
	tight.constant.Add(quotient, one())
	var line int
	written := false
	return &constraint{sum: tight, line: func() int {
		if !written {
			line, written = e.combine(Round, e.atMostZero(tight), []int{c.line()}, []*big.Rat{big.NewRat(1, 1)}), true
		}
		return line
	}}
}

// atMostZero writes sum <= 0 as a term.
func (e *engine) atMostZero(s *sum) *term.Term {
	var parts []*term.Term
	for _, atom := range s.atoms() {
		t := e.bank.Term(atom)
		if k := s.coef[atom]; k.Cmp(one()) != 0 {
			t = term.Mul(term.IntLit(k), t)
		}
		parts = append(parts, t)
	}
	left := term.Int64(0)
	if len(parts) > 0 {
		left = term.Add(parts...)
	}
	return term.Le(left, term.IntLit(new(big.Int).Neg(s.constant)))
}

// halves splits an equation that no integers satisfy, as its divisor does not divide its
// constant, into two inequalities that contradict each other once rounded.
func (e *engine) halves(c *constraint) []*constraint {
	up := &constraint{sum: c.sum, line: c.line}
	down := newSum()
	down.add(c.sum, big.NewInt(-1))
	both := []*constraint{e.half(up, 1), e.half(&constraint{sum: down, line: c.line}, -1)}
	return both
}

// half is the tightened inequality sign × equation.
func (e *engine) half(c *constraint, sign int64) *constraint {
	tight := e.tighten(c)
	line := c.line
	tight.line = func() int {
		return e.combine(Round, e.atMostZero(tight.sum), []int{line()}, []*big.Rat{big.NewRat(sign, 1)})
	}
	return tight
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
