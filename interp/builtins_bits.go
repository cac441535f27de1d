package interp

import "math/big"

func bitBuiltins() map[string]impl {
	return map[string]impl{
		"band": bitwise((*big.Int).And), "bor": bitwise((*big.Int).Or), "bxor": bitwise((*big.Int).Xor),
		"bnot": builtinBNot, "bit_len": builtinBitLen, "bit_next": builtinBitNext,
		"shl": atBit(func(a *big.Int, n uint) Value { return BigInt(new(big.Int).Lsh(a, n)) }),
		"shr": atBit(func(a *big.Int, n uint) Value { return BigInt(new(big.Int).Rsh(a, n)) }),
		"bit_test": atBit(func(a *big.Int, n uint) Value {
			return Bool(new(big.Int).Rsh(a, n).Bit(0) == 1)
		}),
		"bit_set": atBit(func(a *big.Int, n uint) Value { return BigInt(new(big.Int).SetBit(a, int(n), 1)) }),
		"bit_clr": atBit(func(a *big.Int, n uint) Value { return BigInt(new(big.Int).SetBit(a, int(n), 0)) }),
	}
}

func bitwise(f func(z, x, y *big.Int) *big.Int) impl {
	return func(c *call) (Value, error) {
		a, b, err := c.integers()
		if err != nil {
			return nil, err
		}
		return BigInt(f(new(big.Int), a, b)), nil
	}
}

// atBit reads a number and a bit position.
func atBit(f func(a *big.Int, n uint) Value) impl {
	return func(c *call) (Value, error) {
		a, n, err := c.bitAt()
		if err != nil {
			return nil, err
		}
		return f(a, n), nil
	}
}

func (c *call) bitAt() (*big.Int, uint, error) {
	a, _, err := c.integers()
	if err != nil {
		return nil, 0, err
	}
	n, err := c.small(1)
	if err != nil {
		return nil, 0, err
	}
	if n < 0 || n > maxBits {
		return nil, 0, errRange("%s: a bit position must be in 0..%d", c.name, maxBits)
	}
	return a, uint(n), c.w.spend(int(n) >> 6)
}

func builtinBNot(c *call) (Value, error) {
	a, err := c.integer(0)
	return BigInt(new(big.Int).Not(a.Big())), err
}

func builtinBitLen(c *call) (Value, error) {
	a, err := c.integer(0)
	return NewInt(int64(a.Big().BitLen())), err
}

// builtinBitNext finds the first set bit from a position on.
func builtinBitNext(c *call) (Value, error) {
	a, n, err := c.bitAt()
	if err != nil {
		return nil, err
	}
	rest := new(big.Int).Rsh(a, n)
	if rest.Sign() == 0 {
		return NewInt(-1), nil
	}
	return NewInt(int64(n) + int64(rest.TrailingZeroBits())), nil
}
