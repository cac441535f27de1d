package facts

import "math/big"

// space is a subspace of the rational vectors of some dimension, as a basis in reduced row echelon
// form.
type space struct {
	dim  int
	rows [][]*big.Rat
	lead []int // the column of the leading 1 of each row, ascending
	lost bool  // something that belongs to it is not known
}

func newSpace(dim int) *space { return &space{dim: dim} }

// add puts a vector into the space and tells whether that made it larger.
func (s *space) add(v []*big.Int) bool {
	row := make([]*big.Rat, s.dim)
	for i, x := range v {
		row[i] = new(big.Rat).SetInt(x)
	}
	for i, r := range s.rows {
		subtract(row, row[s.lead[i]], r)
	}
	lead := 0
	for lead < s.dim && row[lead].Sign() == 0 {
		lead++
	}
	if lead == s.dim {
		return false
	}
	scale := new(big.Rat).Inv(row[lead])
	for _, x := range row {
		x.Mul(x, scale)
	}
	at := 0
	for i, r := range s.rows {
		subtract(r, r[lead], row)
		if s.lead[i] < lead {
			at = i + 1
		}
	}
	s.rows = append(s.rows[:at], append([][]*big.Rat{row}, s.rows[at:]...)...)
	s.lead = append(s.lead[:at], append([]int{lead}, s.lead[at:]...)...)
	return true
}

// subtract takes k times a row from another.
func subtract(from []*big.Rat, k *big.Rat, row []*big.Rat) {
	if k.Sign() == 0 {
		return
	}
	k = new(big.Rat).Set(k)
	for i, x := range row {
		from[i].Sub(from[i], new(big.Rat).Mul(k, x))
	}
}

// complement is a basis of the vectors that are orthogonal to all in the space, in integers without
// a common divisor.
func (s *space) complement() [][]*big.Int {
	leads := map[int]int{}
	for i, l := range s.lead {
		leads[l] = i
	}
	var out [][]*big.Int
	for free := range s.dim {
		if _, ok := leads[free]; ok {
			continue
		}
		// In the complement, the coordinate at each lead is fixed by those that are free.
		v := make([]*big.Rat, s.dim)
		for i := range v {
			v[i] = new(big.Rat)
		}
		v[free].SetInt64(1)
		for l, i := range leads {
			v[l].Neg(s.rows[i][free])
		}
		out = append(out, integers(v))
	}
	return out
}

// integers is the shortest multiple of a vector that is in integers.
func integers(v []*big.Rat) []*big.Int {
	all := big.NewInt(1)
	for _, x := range v {
		d := new(big.Int).GCD(nil, nil, all, x.Denom())
		all.Mul(all, new(big.Int).Div(x.Denom(), d))
	}
	out := make([]*big.Int, len(v))
	common := new(big.Int)
	for i, x := range v {
		out[i] = new(big.Int).Div(new(big.Int).Mul(x.Num(), all), x.Denom())
		common.GCD(nil, nil, common, new(big.Int).Abs(out[i]))
	}
	for _, x := range out {
		x.Div(x, common)
	}
	return out
}
