package resolve

import (
	"math/big"
	"strconv"

	"soma.cell/frontend/syntax"
)

// Limit is an entry of a section cost.
type Limit struct {
	Decl  syntax.Setting
	Value *big.Rat // not negative
}

// limitKeys are the words of a section cost, with whether a fraction makes sense.
func limitKeys() map[string]bool {
	return map[string]bool{"calls": false, "tokens": false, "latency": false, "usd": true, "usd_per_1000_tokens": true}
}

// maxLimit bounds the whole part of a limit: larger ones limit nothing.
const maxLimit = 1 << 53

// limit reads an entry of a section cost.
func (r *resolver) limit(c *Cell, p syntax.Setting) {
	keys := limitKeys()
	fraction, known := keys[p.Name.Name]
	if !known {
		r.report(unknownLimit(p, r.nearest(p.Name.Name, among(keys)), keysOf(keys)))
		return
	}
	value := number(p.Value)
	if value == nil || value.Sign() < 0 || value.Cmp(new(big.Rat).SetInt64(maxLimit)) > 0 || !fraction && !value.IsInt() {
		r.report(badLimit(p, fraction))
		return
	}
	c.Limits = append(c.Limits, &Limit{Decl: p, Value: value})
}

// number is a literal number, exactly as it reads in decimal; nil for other expressions.
func number(x syntax.Expr) *big.Rat {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Int:
		return new(big.Rat).SetInt(x.Value)
	case *syntax.Float:
		r, ok := new(big.Rat).SetString(strconv.FormatFloat(x.Value, 'f', -1, 64))
		if ok {
			return r
		}
	case *syntax.Unary:
		if n := number(x.X); n != nil && !x.Not {
			return n.Neg(n)
		}
	}
	return nil
}
