package cost

import (
	"fmt"
	"math/big"
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/ir"
)

// All wording of this package: why an amount is unknown, and what is said of a limit.

const (
	tooLarge         = "it is too large to tell"
	unboundedLoop    = "nothing bounds the rounds of the loop; `[loop_bound(n)]` would"
	oftenCalled      = "nothing tells how often it is called"
	computedBudget   = "the budget is computed, and nothing written out bounds it"
	computedSleep    = "the time to sleep is computed, and nothing written out bounds it"
	computedDelegate = "the handler of delegate() is computed: it may be any"
	noPrice          = "there is no price: `usd_per_1000_tokens` in `cost` would state it"
)

func noMaxTokens(builtin string) string {
	return builtin + "() states no `max_tokens` that is written out, and no budget caps it"
}

func noTimeout(builtin string) string {
	return builtin + "() states no `timeout` that is written out"
}

func computedOptions(builtin string) string {
	return "the options of " + builtin + "() are computed"
}

func computedRounds(builtin string) string {
	return "`max_rounds` of " + builtin + "() is not written out"
}

func person(builtin string) string { return builtin + "() waits for a person" }

func unknownEffect(what string) string { return "it is not known what happens: " + what }

func recursion(handler string) string {
	return fmt.Sprintf("`%s` may come to call itself", handler)
}

// Text is the amount with its unit; of an unknown one, why.
func (a Amount) Text(unit string) string {
	if a.why == nil {
		return fmt.Sprintf("%d%s", a.n, unit)
	}
	if a.why.At == (source.Span{}) {
		return a.why.Why
	}
	return fmt.Sprintf("%s (%s)", a.why.Why, a.why.At)
}

// Unit stands behind a number of the key.
func Unit(key ir.CostKey) string {
	if key == ir.CostLatency {
		return " ms"
	}
	return ""
}

// decimal is a number as people write it, rounded up to nine places.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	scaled := new(big.Int).Mul(r.Num(), big.NewInt(1_000_000_000))
	n, rest := new(big.Int).QuoRem(scaled, r.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		n.Add(n, big.NewInt(1))
	}
	text := new(big.Rat).SetFrac(n, big.NewInt(1_000_000_000)).FloatString(9)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func reasonMore(amount, handler string) string {
	return fmt.Sprintf("a call of `%s` may take up to %s", handler, amount)
}

func reasonUnknown(a Amount, handler string) string {
	return fmt.Sprintf("what a call of `%s` may take is not known: %s", handler, a.Text(""))
}

func reasonExceeded(amount, handler string) string {
	return fmt.Sprintf("every call of `%s` that returns takes at least %s", handler, amount)
}
