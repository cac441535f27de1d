package refute

import "math/big"

// The simplex method for feasibility, after Dutertre and de Moura (A fast linear-arithmetic
// solver for DPLL(T), CAV 2006), with exact rationals and Bland's rule, so that it ends. Each
// constraint k has a variable y_k = Σ a x (its linear part) with a bound: y_k <= -constant, and
// for equations >= too; atoms are unbounded. Atoms are variables 0 … n-1, y_k is n+k.
//
// When a basic variable misses its bound and no other one can help, its row is a combination of
// the constraints with Farkas multipliers.

type simplex struct {
	atoms        []int       // bank index of each atom variable
	lower, upper []*big.Rat  // nil when there is none
	value        []*big.Rat  // of each variable
	rows         [][]big.Rat // of each basic variable: coefficients of all variables
	basis        []int       // the basic variable of each row
	rowOf        []int       // of each variable, -1 when not basic
}

func newSimplex(cs []*constraint) *simplex {
	column := map[int]int{}
	s := &simplex{}
	for _, c := range cs {
		for _, atom := range c.sum.atoms() {
			if _, ok := column[atom]; !ok {
				column[atom] = len(s.atoms)
				s.atoms = append(s.atoms, atom)
			}
		}
	}
	n := len(s.atoms) + len(cs)
	s.lower, s.upper = make([]*big.Rat, n), make([]*big.Rat, n)
	s.value, s.rowOf = make([]*big.Rat, n), make([]int, n)
	for v := range n {
		s.value[v], s.rowOf[v] = new(big.Rat), -1
	}
	for k, c := range cs {
		y := len(s.atoms) + k
		row := make([]big.Rat, n)
		for atom, a := range c.sum.coef {
			row[column[atom]].SetInt(a)
		}
		s.rowOf[y] = len(s.rows)
		s.rows, s.basis = append(s.rows, row), append(s.basis, y)
		s.upper[y] = new(big.Rat).Neg(new(big.Rat).SetInt(c.sum.constant))
		if c.equation {
			s.lower[y] = s.upper[y]
		}
	}
	return s
}

// solve looks for values within all bounds. Without such values it returns the multiplier of
// each constraint, 0 for those that do not take part. It fails when the budget of pivots is
// used up.
func (s *simplex) solve(pivots *int) (farkas []*big.Rat, err error) {
	for {
		row, below := s.violated()
		if row < 0 {
			return nil, nil
		}
		column := s.entering(row, below)
		if column < 0 {
			return s.explain(row, below), nil
		}
		if *pivots--; *pivots < 0 {
			return nil, &LimitError{What: "simplex steps"}
		}
		bound := s.upper[s.basis[row]]
		if below {
			bound = s.lower[s.basis[row]]
		}
		s.pivot(row, column, bound)
	}
}

// violated is the row of the lowest basic variable outside its bounds, or -1.
func (s *simplex) violated() (row int, below bool) {
	row = -1
	for r, v := range s.basis {
		if row >= 0 && v > s.basis[row] {
			continue
		}
		switch {
		case s.lower[v] != nil && s.value[v].Cmp(s.lower[v]) < 0:
			row, below = r, true
		case s.upper[v] != nil && s.value[v].Cmp(s.upper[v]) > 0:
			row, below = r, false
		}
	}
	return row, below
}

// entering is the lowest non-basic variable that can move the row's variable towards its
// bound, or -1.
func (s *simplex) entering(row int, below bool) int {
	for v := range s.value {
		a := s.rows[row][v].Sign()
		if s.rowOf[v] >= 0 || a == 0 {
			continue
		}
		up := (a > 0) == below // v must grow
		if up && (s.upper[v] == nil || s.value[v].Cmp(s.upper[v]) < 0) ||
			!up && (s.lower[v] == nil || s.value[v].Cmp(s.lower[v]) > 0) {
			return v
		}
	}
	return -1
}

// pivot moves the row's variable to the bound by moving the entering one, and exchanges them.
func (s *simplex) pivot(row, in int, bound *big.Rat) {
	out := s.basis[row]
	a := new(big.Rat).Set(&s.rows[row][in])
	step := new(big.Rat).Sub(bound, s.value[out])
	step.Quo(step, a)
	for r, v := range s.basis {
		if s.rows[r][in].Sign() != 0 {
			d := new(big.Rat).Mul(&s.rows[r][in], step)
			s.value[v] = d.Add(d, s.value[v])
		}
	}
	s.value[in] = new(big.Rat).Add(s.value[in], step)

	// in = out/a - Σ others: rewrite this row, then replace in everywhere
	inverse := new(big.Rat).Inv(a)
	scale := new(big.Rat).Neg(inverse)
	this := s.rows[row]
	for v := range this {
		if this[v].Sign() != 0 {
			this[v].Mul(&this[v], scale)
		}
	}
	this[in].SetInt64(0)
	this[out].Set(inverse)
	for r := range s.rows {
		if r == row || s.rows[r][in].Sign() == 0 {
			continue
		}
		k := new(big.Rat).Set(&s.rows[r][in])
		s.rows[r][in].SetInt64(0)
		for v := range this {
			if this[v].Sign() != 0 {
				d := new(big.Rat).Mul(k, &this[v])
				s.rows[r][v].Add(&s.rows[r][v], d)
			}
		}
	}
	s.basis[row], s.rowOf[in], s.rowOf[out] = in, row, -1
}

// explain reads the multipliers off a row that cannot be mended. In it y_i = Σ c y_j holds
// identically, so that the bound that y_i misses and the bounds that hold the y_j add up to a
// contradiction. A bound from above counts positively, one from below (of an equation only)
// negatively.
func (s *simplex) explain(row int, below bool) []*big.Rat {
	n := len(s.atoms)
	out := make([]*big.Rat, len(s.value)-n)
	for k := range out {
		out[k] = new(big.Rat)
	}
	sign := big.NewRat(1, 1)
	if below {
		sign.Neg(sign)
	}
	out[s.basis[row]-n].Set(sign)
	for v := n; v < len(s.value); v++ {
		if s.rowOf[v] < 0 && s.rows[row][v].Sign() != 0 {
			d := new(big.Rat).Mul(sign, &s.rows[row][v])
			out[v-n].Sub(out[v-n], d)
		}
	}
	return out
}
