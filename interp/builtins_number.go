package interp

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"soma.cell/frontend/syntax"
)

func numberBuiltins() map[string]impl {
	out := map[string]impl{
		"abs": builtinAbs, "min": extreme(-1), "max": extreme(1), "sum": builtinSum, "product": builtinProduct,
		"round": builtinRound, "floor": toward(math.Floor), "ceil": toward(math.Ceil), "clamp": builtinClamp,
		"to_fixed": builtinToFixed, "pow": builtinPow, "ipow": builtinIPow, "atan2": builtinAtan2,
		"idiv": division(quotient), "floor_div": division(floorDiv), "mod": division(floorMod),
		"div_round": division(divRound), "divmod": builtinDivmod, "gcd": builtinGCD,
		"sqrt_int": builtinSqrtInt, "pow_mod": builtinPowMod, "random": builtinRandom,
	}
	for name, f := range map[string]func(float64) float64{
		"sqrt": math.Sqrt, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "atan": math.Atan,
		"log": math.Log, "ln": math.Log, "log10": math.Log10, "exp": math.Exp,
	} {
		out[name] = func(c *call) (Value, error) {
			x, err := c.float(0)
			return Float(f(x)), err
		}
	}
	return out
}

func builtinAbs(c *call) (Value, error) {
	switch v := c.args[0].(type) {
	case Int:
		if v.Sign() < 0 {
			return negInt(v), nil
		}
		return v, nil
	case Float:
		return Float(math.Abs(float64(v))), nil
	}
	return nil, errArgument(c.name, 0, "a number", c.args[0])
}

// extreme is min (sign -1) or max (sign 1) of two values or of a list; NaN loses.
func extreme(sign int) impl {
	return func(c *call) (Value, error) {
		items := c.args
		if len(c.args) == 1 {
			var err error
			if items, err = c.list(0); err != nil {
				return nil, err
			}
		}
		var best Value = Unit{}
		for _, v := range items {
			better, err := beats(v, best, sign)
			if err != nil {
				return nil, err
			}
			if better {
				best = v
			}
		}
		return best, nil
	}
}

// beats tells whether v goes before best when looking for the extreme on the side of sign.
func beats(v, best Value, sign int) (bool, error) {
	if best.Kind() == UnitKind {
		if isNumber(v) || v.Kind() == StringKind {
			return true, nil
		}
		return false, errOrder(v, v)
	}
	c, ordered, err := compare(v, best)
	if err != nil {
		return false, err
	}
	if !ordered {
		f, ok := best.(Float)
		return ok && math.IsNaN(float64(f)), nil
	}
	return c*sign > 0, nil
}

func (c *call) fold(op syntax.BinOp, start int64) (Value, error) {
	items, err := c.list(0)
	if err == nil {
		err = c.w.payFor(items...)
	}
	if err != nil {
		return nil, err
	}
	return foldNumbers(op, items, start)
}

func foldNumbers(op syntax.BinOp, items []Value, start int64) (Value, error) {
	var acc Value = NewInt(start)
	var err error
	for _, v := range items {
		if acc, err = arithmetic(op, acc, v); err != nil {
			return nil, err
		}
	}
	return acc, nil
}

func builtinSum(c *call) (Value, error)     { return c.fold(syntax.AddOp, 0) }
func builtinProduct(c *call) (Value, error) { return c.fold(syntax.MulOp, 1) }

// fixed is the decimal text of a number with so many digits, half away from zero, rounded on
// the shortest decimal text (so that 2.675 gives 2.68).
func fixed(v Value, digits int) string {
	if f, ok := asFloat(v); ok && v.Kind() == FloatKind && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return Render(v)
	}
	text := decimal(v)
	whole, frac, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	up := len(frac) > digits && frac[digits] >= '5'
	frac = (frac + strings.Repeat("0", digits))[:digits]
	if up {
		n, _ := new(big.Int).SetString(whole+frac, 10)
		sum := n.Add(n, big.NewInt(1)).String()
		sum = strings.Repeat("0", max(0, digits+1-len(sum))) + sum
		whole, frac = sum[:len(sum)-digits], sum[len(sum)-digits:]
	}
	out := whole
	if digits > 0 {
		out += "." + frac
	}
	if strings.HasPrefix(text, "-") && strings.Trim(out, "0.") != "" {
		return "-" + out
	}
	return out
}

const maxDigits = 1000

func (c *call) digits(i int) (int, error) {
	n, err := c.small(i)
	if err == nil && (n < 0 || n > maxDigits) {
		err = errRange("%s: the digits must be in 0..%d", c.name, maxDigits)
	}
	return n, err
}

func builtinToFixed(c *call) (Value, error) {
	if !isNumber(c.args[0]) {
		return nil, errArgument(c.name, 0, "a number", c.args[0])
	}
	digits, err := c.digits(1)
	if err != nil {
		return nil, err
	}
	return String(fixed(c.args[0], digits)), nil
}

// builtinRound gives an Int without digits, else a Float; an Int stays itself.
func builtinRound(c *call) (Value, error) {
	v := c.args[0]
	if !isNumber(v) {
		return nil, errArgument(c.name, 0, "a number", v)
	}
	digits := 0
	if c.has(1) {
		var err error
		if digits, err = c.digits(1); err != nil {
			return nil, err
		}
	}
	if f, _ := asFloat(v); v.Kind() == IntKind || math.IsNaN(f) || math.IsInf(f, 0) {
		return v, nil
	}
	if !c.has(1) {
		n, _ := new(big.Int).SetString(fixed(v, 0), 10)
		return BigInt(n), nil
	}
	return parseFloat(fixed(v, digits)), nil
}

// toward is floor or ceil.
func toward(f func(float64) float64) impl {
	return func(c *call) (Value, error) {
		if v, ok := c.args[0].(Int); ok {
			return v, nil
		}
		x, err := c.float(0)
		if err != nil {
			return nil, err
		}
		n, ok := truncate(f(x))
		if !ok {
			return nil, errRange("%s of %s", c.name, brief(c.args[0]))
		}
		return n, nil
	}
}

func builtinClamp(c *call) (Value, error) {
	for i := range c.args {
		if !isNumber(c.args[i]) {
			return nil, errArgument(c.name, i, "a number", c.args[i])
		}
	}
	v, lo, hi := c.args[0], c.args[1], c.args[2]
	if n, ordered := compareNumbers(lo, hi); ordered && n > 0 {
		return nil, errRange("clamp: %s is above %s", brief(lo), brief(hi))
	}
	if n, ordered := compareNumbers(v, lo); ordered && n < 0 {
		return lo, nil
	}
	if n, ordered := compareNumbers(v, hi); ordered && n > 0 {
		return hi, nil
	}
	return v, nil
}

func (c *call) floats() (x, y float64, err error) {
	if x, err = c.float(0); err == nil {
		y, err = c.float(1)
	}
	return x, y, err
}

func builtinPow(c *call) (Value, error) {
	x, y, err := c.floats()
	return Float(math.Pow(x, y)), err
}

func builtinAtan2(c *call) (Value, error) {
	y, x, err := c.floats()
	return Float(math.Atan2(y, x)), err
}

func (c *call) integers() (a, b *big.Int, err error) {
	x, err := c.integer(0)
	if err != nil {
		return nil, nil, err
	}
	y, err := c.integer(1)
	return x.Big(), y.Big(), err
}

func builtinIPow(c *call) (Value, error) {
	x, y, err := c.integers()
	if err != nil {
		return nil, err
	}
	if y.Sign() < 0 {
		return nil, errRange("ipow: the exponent %s is negative", y)
	}
	if x.BitLen() > 1 && (!y.IsInt64() || y.Int64() > int64(maxBits/x.BitLen())) {
		return nil, errMemory()
	}
	if x.BitLen() <= 1 { // -1, 0, 1: only the parity of the exponent and zero matter
		e := new(big.Int).And(y, big.NewInt(1))
		if y.Sign() > 0 && e.Sign() == 0 {
			e.SetInt64(2)
		}
		y = e
	}
	return BigInt(new(big.Int).Exp(x, y, nil)), nil
}

// quotient is what is divided, and by what.
func (c *call) quotient() (a, b *big.Int, err error) {
	if a, b, err = c.integers(); err == nil && b.Sign() == 0 {
		err = errDivision()
	}
	return a, b, err
}

// division is a quotient or remainder of Ints.
func division(f func(a, b *big.Int) *big.Int) impl {
	return func(c *call) (Value, error) {
		a, b, err := c.quotient()
		if err != nil {
			return nil, err
		}
		return BigInt(f(a, b)), nil
	}
}

func quotient(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) }

// floorDiv rounds down.
func floorDiv(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// floorMod has the divisor's sign.
func floorMod(a, b *big.Int) *big.Int {
	r := new(big.Int).Rem(a, b)
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		r.Add(r, b)
	}
	return r
}

// divRound rounds half away from zero.
func divRound(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Abs(r).Lsh(r, 1).CmpAbs(b) >= 0 {
		q.Add(q, big.NewInt(int64(a.Sign()*b.Sign())))
	}
	return q
}

func builtinDivmod(c *call) (Value, error) {
	a, b, err := c.quotient()
	if err != nil {
		return nil, err
	}
	return NewList(BigInt(floorDiv(a, b)), BigInt(floorMod(a, b))), nil
}

func builtinGCD(c *call) (Value, error) {
	a, b, err := c.integers()
	if err != nil {
		return nil, err
	}
	return BigInt(new(big.Int).GCD(nil, nil, new(big.Int).Abs(a), new(big.Int).Abs(b))), nil
}

func builtinSqrtInt(c *call) (Value, error) {
	n, err := c.integer(0)
	if err != nil {
		return nil, err
	}
	if n.Sign() < 0 {
		return nil, errRange("sqrt_int of a negative number")
	}
	return BigInt(new(big.Int).Sqrt(n.Big())), nil
}

func builtinPowMod(c *call) (Value, error) {
	b, e, err := c.integers()
	if err != nil {
		return nil, err
	}
	m, err := c.integer(2)
	if err != nil {
		return nil, err
	}
	switch {
	case m.Sign() == 0:
		return nil, errDivision()
	case e.Sign() < 0:
		return nil, errRange("pow_mod: the exponent %s is negative", e)
	case e.BitLen() > 1<<12 || m.Big().BitLen() > 1<<12:
		return nil, errMemory()
	}
	size := new(big.Int).Abs(m.Big())
	return BigInt(floorMod(new(big.Int).Exp(new(big.Int).Mod(b, size), e, size), m.Big())), nil
}

// builtinRandom: a Float in 0..1; a number below a bound; a number in lo..hi, where the ends
// of Ints are included.
func builtinRandom(c *call) (Value, error) {
	lo, hi := Value(NewInt(0)), Value(nil)
	switch len(c.args) {
	case 0:
		return Float(c.w.rand.Float64()), nil
	case 1:
		hi = c.args[0]
	default:
		lo, hi = c.args[0], c.args[1]
	}
	if !isNumber(lo) || !isNumber(hi) {
		return nil, errType("random needs numbers")
	}
	width, err := arithmetic(syntax.SubOp, hi, lo)
	if err != nil {
		return nil, err
	}
	n, isInt := width.(Int)
	if isInt && len(c.args) == 2 {
		n = addInt(n, NewInt(1))
	}
	if f, _ := asFloat(width); isInt && n.Sign() <= 0 || !isInt && !(f > 0) {
		return nil, errRange("random: there is nothing between %s and %s", brief(lo), brief(hi))
	}
	if !isInt {
		f, _ := asFloat(width)
		return arithmetic(syntax.AddOp, lo, Float(f*c.w.rand.Float64()))
	}
	return addInt(lo.(Int), randomBelow(c.w.rand, n)), nil
}

// randomBelow draws from 0..n-1 with 64 bits more than n has, so that no value is favoured
// noticeably.
func randomBelow(source *rand.Rand, n Int) Int {
	r := new(big.Int)
	for bits := n.Big().BitLen() + 64; bits > 0; bits -= 64 {
		r.Lsh(r, 64).Or(r, new(big.Int).SetUint64(source.Uint64()))
	}
	return BigInt(r.Mod(r, n.Big()))
}
