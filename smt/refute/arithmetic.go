package refute

import (
	"math/big"

	"soma.cell/smt/term"
)

// model is the solution that the simplex method found: rational values of atoms.
type model struct{ values map[int]*big.Rat }

// of evaluates a linear term; atoms that no constraint mentions are 0.
func (m *model) of(s *sum) *big.Rat {
	v := new(big.Rat).SetInt(s.constant)
	for atom, c := range s.coef {
		if x, ok := m.values[atom]; ok {
			v.Add(v, new(big.Rat).Mul(new(big.Rat).SetInt(c), x))
		}
	}
	return v
}

// linear looks for a contradiction among the linear facts and the equalities of the closure. It
// returns the line that claims false, or -1.
func (b *branch) linear() (int, error) {
	var cs []*constraint
	add := func(c *constraint) {
		g := c.sum.gcd()
		if c.equation && g.Sign() > 0 && new(big.Int).Mod(c.sum.constant, g).Sign() != 0 {
			cs = append(cs, b.e.halves(c)...)
			return
		}
		cs = append(cs, b.e.tighten(c))
	}
	for _, id := range b.order {
		if c := b.e.constraintOf(b.e.bank.Term(id)); c != nil {
			line := b.facts[id]
			c.line = func() int { return line }
			add(c)
		}
	}
	for _, c := range b.equalities() {
		add(c)
	}
	s := newSimplex(cs)
	farkas, err := s.solve(&b.e.limits.Pivots)
	if err != nil {
		return 0, err
	}
	if farkas == nil {
		b.model = &model{values: map[int]*big.Rat{}}
		for v, atom := range s.atoms {
			b.model.values[atom] = s.value[v]
		}
		return -1, nil
	}
	var from []int
	var coef []*big.Rat
	for k, m := range farkas {
		if m.Sign() != 0 {
			from, coef = append(from, cs[k].line()), append(coef, m)
		}
	}
	from, coef = sorted(from, coef)
	return b.e.combine(Linear, term.False, from, coef), nil
}

// equalities are those of the integer classes of the closure, each member with the first one.
func (b *branch) equalities() []*constraint {
	var out []*constraint
	first := map[int]int{}
	for _, id := range b.closure.nodes {
		if !b.e.bank.Term(id).Sort.Same(term.Int) {
			continue
		}
		root := b.closure.root[id]
		head, ok := first[root]
		if !ok {
			first[root] = id
			continue
		}
		c := b.e.difference(head, id)
		if len(c.sum.coef) == 0 && c.sum.constant.Sign() == 0 {
			continue
		}
		c.line = func() int { return b.derive(term.Eq(b.e.bank.Term(head), b.e.bank.Term(id))) }
		out = append(out, c)
	}
	return out
}
