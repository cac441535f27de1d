package kernel

import (
	"math/big"
	"regexp"

	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// sum is a linear term with rational coefficients over atoms, by their index in the bank: Int
// terms that are no sum, no literal and no product with a constant.
type sum struct {
	coef     map[int]*big.Rat
	constant *big.Rat
}

func newSum() *sum { return &sum{coef: map[int]*big.Rat{}, constant: new(big.Rat)} }

func (s *sum) addAtom(atom int, c *big.Rat) {
	if old, ok := s.coef[atom]; ok {
		c = new(big.Rat).Add(old, c)
	}
	if c.Sign() == 0 {
		delete(s.coef, atom)
	} else {
		s.coef[atom] = c
	}
}

// add adds k times other, or a part of it when the budget ends.
func (s *sum) add(other *sum, k *big.Rat, work *budget) {
	for atom, c := range other.coef {
		if !work.spend(arithmetic(c, k)) {
			return
		}
		more := new(big.Rat).Mul(c, k)
		if old, ok := s.coef[atom]; ok && !work.spend(arithmetic(old, more)) {
			return
		}
		s.addAtom(atom, more)
	}
	if work.spend(arithmetic(other.constant, k) + arithmetic(s.constant, other.constant)) {
		s.constant.Add(s.constant, new(big.Rat).Mul(other.constant, k))
	}
}

func (s *sum) equal(other *sum) bool {
	if len(s.coef) != len(other.coef) || s.constant.Cmp(other.constant) != 0 {
		return false
	}
	for atom, c := range s.coef {
		if o, ok := other.coef[atom]; !ok || o.Cmp(c) != 0 {
			return false
		}
	}
	return true
}

// sumOf brings an Int term into linear form; done holds what is known of shared subterms.
func (d *derivation) sumOf(t *term.Term, done map[int]*sum) *sum {
	id := d.bank.Add(t)
	if s, ok := done[id]; ok {
		return s
	}
	s := newSum()
	switch t.Op {
	case term.OpInt:
		s.constant.SetInt(t.Int)
	case term.OpAdd:
		for _, a := range t.Args {
			s.add(d.sumOf(a, done), one(), d.work)
		}
	case term.OpMul:
		a, b := d.sumOf(t.Args[0], done), d.sumOf(t.Args[1], done)
		switch {
		case len(a.coef) == 0:
			s.add(b, a.constant, d.work)
		case len(b.coef) == 0:
			s.add(a, b.constant, d.work)
		default:
			s.addAtom(id, one())
		}
	default:
		s.addAtom(id, one())
	}
	done[id] = s
	d.work.spend(1)
	return s
}

func one() *big.Rat { return big.NewRat(1, 1) }

// constraintOf reads a comparison of integers as sum <= 0, or sum = 0 for an equation. Integers
// have no value between: a < b is a - b + 1 <= 0.
func (d *derivation) constraintOf(t *term.Term) (s *sum, equation bool, err *Error) {
	negated := t.Op == term.OpNot
	if negated {
		t = t.Args[0]
	}
	equation = t.Op == term.OpEq && t.Args[0].Sort.Same(term.Int) && !negated
	if t.Op != term.OpLe && t.Op != term.OpLt && !equation {
		return nil, false, errNotLinear(t)
	}
	done := map[int]*sum{}
	a, b := d.sumOf(t.Args[0], done), d.sumOf(t.Args[1], done)
	if negated {
		a, b = b, a
	}
	s = newSum()
	s.add(a, one(), d.work)
	s.add(b, big.NewRat(-1, 1), d.work)
	if !d.work.spend(1) {
		return nil, false, errWork()
	}
	if !equation && (t.Op == term.OpLt) != negated {
		s.constant.Add(s.constant, one())
	}
	return s, equation, nil
}

// combination adds up the lines times their multipliers.
func (d *derivation) combination(l cert.Line) (*sum, *Error) {
	total := newSum()
	for i, f := range l.From {
		k, err := multiplier(l.Coef[i])
		if err != nil {
			return nil, err
		}
		s, equation, err := d.constraintOf(d.term(f))
		if err != nil {
			return nil, err
		}
		if !equation && k.Sign() < 0 {
			return nil, errMultiplier(l.Coef[i], "of an inequality is negative")
		}
		total.add(s, k, d.work)
		if !d.work.spend(1) {
			return nil, errWork()
		}
	}
	return total, nil
}

// maxDigits bounds the text of a multiplier.
const maxDigits = 2000

var rational = regexp.MustCompile(`^-?[0-9]+(/[0-9]+)?$`)

// multiplier reads a rational other than 0, in lowest terms.
func multiplier(text string) (*big.Rat, *Error) {
	if len(text) > maxDigits || !rational.MatchString(text) {
		return nil, errMultiplier(text[:min(len(text), 20)], "is no rational number")
	}
	k, ok := new(big.Rat).SetString(text)
	if !ok || k.RatString() != text {
		return nil, errMultiplier(text, "is not in lowest terms")
	}
	if k.Sign() == 0 {
		return nil, errMultiplier(text, "has no use")
	}
	return k, nil
}

// linear: the combination is a positive number <= 0; so false.
func linear(d *derivation, l cert.Line, claim *term.Term) *Error {
	total, err := d.combination(l)
	if err != nil {
		return err
	}
	if len(total.coef) > 0 || total.constant.Sign() <= 0 || claim.Op != term.OpFalse {
		return errNotDerived(l.Rule, claim)
	}
	return nil
}

// round: the combination has integer coefficients with greatest common divisor g. Divided by g
// its linear part is an integer, so its constant may be rounded up.
func round(d *derivation, l cert.Line, claim *term.Term) *Error {
	total, err := d.combination(l)
	if err != nil {
		return err
	}
	want, equation, err := d.constraintOf(claim)
	if err != nil {
		return err
	}
	g := new(big.Int)
	for _, c := range total.coef {
		if !c.IsInt() {
			return errNotDerived(l.Rule, claim)
		}
		g.GCD(nil, nil, g, new(big.Int).Abs(c.Num()))
	}
	if g.Sign() == 0 || equation {
		return errNotDerived(l.Rule, claim)
	}
	got := newSum()
	got.add(total, new(big.Rat).SetFrac(big.NewInt(1), g), d.work)
	got.constant.SetInt(ceiling(got.constant))
	if !d.work.spend(1) {
		return errWork()
	}
	if !got.equal(want) {
		return errNotDerived(l.Rule, claim)
	}
	return nil
}

// ceiling is the least integer that is not below r.
func ceiling(r *big.Rat) *big.Int {
	minus := new(big.Int).Neg(r.Num())
	floor := minus.Div(minus, r.Denom()) // Euclidean: rounds down, as the denominator is positive
	return floor.Neg(floor)
}
