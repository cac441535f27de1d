package kernel

import "math/big"

// budget counts the work of an audit, a unit for about a table look-up. Once it is spent, whoever
// works may stop and leave things half done: the audit as a whole fails then.
type budget struct{ left int }

// spend takes n units and tells whether they were there.
func (b *budget) spend(n int) bool {
	b.left -= min(n, maxWork+1)
	if b.left < 0 {
		b.left = -1
	}
	return b.left >= 0
}

// words is the length of a number.
func words(r *big.Rat) int { return (r.Num().BitLen() + r.Denom().BitLen()) / 64 }

// arithmetic is the cost of an operation on two numbers; common divisors take quadratic time.
func arithmetic(a, b *big.Rat) int {
	w := words(a) + words(b)
	return 1 + w*w/16
}
