package termination

import (
	"math/big"
	"slices"

	"soma.cell/ir"
)

// Rounds bounds how often a while loop goes round: its measure falls by at least 1 from each
// time its test is passed to the next and is at least low then, so the test is passed at most
// start - low + 1 times, where start bounds the measure at the first time. That is known where
// the measure's variables are known numbers then, whatever the rounds of other loops did to them.
// atTest tells whether the test is the one that decides a round; what lies before another test runs
// once more.
func Rounds(a *ir.Automaton, l *ir.Loop) (n int64, atTest, ok bool) {
	b := bodyOf(a, anyWrite)
	m, test, found := rank(b, l)
	if !found {
		return 0, false, false
	}
	others := slices.DeleteFunc(slices.Clone(a.Loops), func(other *ir.Loop) bool { return other == l })
	at, reached := b.flow(b.Edges, ir.Entry, state{}, forward, others)[test.From]
	if !reached {
		return 0, false, false
	}
	start := at.sum(m.linear)
	if start == nil || start.base != "" || start.high == nil {
		return 0, false, false
	}
	most := new(big.Int).Sub(start.high, big.NewInt(m.low-1))
	if most.Sign() < 0 {
		most.SetInt64(0)
	}
	return most.Int64(), test.From == l.Test, most.IsInt64()
}
