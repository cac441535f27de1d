package facts

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestComplement: a space and its complement are orthogonal and make up the whole, and a vector makes
// the space larger just when some equation of the complement fails for it.
func TestComplement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 6).Draw(t, "dim")
		s := newSpace(dim)
		var members [][]*big.Int
		for range rapid.IntRange(0, 8).Draw(t, "vectors") {
			v := make([]*big.Int, dim)
			for i := range v {
				v[i] = big.NewInt(rapid.Int64Range(-3, 3).Draw(t, "x"))
			}
			outside := false
			for _, row := range s.complement() {
				outside = outside || dot(row, v).Sign() != 0
			}
			if s.add(v) != outside {
				t.Fatalf("%v is outside: %v", v, outside)
			}
			members = append(members, v)
		}
		rows := s.complement()
		if len(rows)+len(s.rows) != dim {
			t.Fatalf("%d and %d dimensions of %d", len(rows), len(s.rows), dim)
		}
		independent := newSpace(dim)
		for _, row := range rows {
			for _, v := range members {
				if dot(row, v).Sign() != 0 {
					t.Fatalf("%v and %v are not orthogonal", row, v)
				}
			}
			if !independent.add(row) {
				t.Fatal("the equations depend on each other")
			}
		}
	})
}

func dot(a, b []*big.Int) *big.Int {
	out := new(big.Int)
	for i := range a {
		out.Add(out, new(big.Int).Mul(a[i], b[i]))
	}
	return out
}
