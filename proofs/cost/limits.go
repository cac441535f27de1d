package cost

import (
	"math/big"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// Judgement is a limit with what became of it.
type Judgement struct {
	Cell       string
	Limit      *ir.Limit
	Obligation obligation.Obligation
	// Amount is the bound with its unit, of a proven limit, and Handler whose it is; "" where no
	// call takes any.
	Amount, Handler string
	At              source.Span // the place of what is unknown, if any; else the limit
}

// Check judges the limits of all cells, in the order of the system. A limit holds of each call
// of a public handler and of each timer of its cell. The system must be valid.
func Check(s *ir.System) []Judgement {
	var out []Judgement
	var j *judge
	for _, c := range s.Cells {
		n := 0
		for _, l := range c.Limits {
			if l.Key == ir.CostPrice {
				continue
			}
			if j == nil {
				j = &judge{full: Of(s), structural: newAnalysis(s, true).bills(), floors: newFloors(s)}
			}
			n++
			out = append(out, j.limit(c, l, n))
		}
	}
	return out
}

type judge struct {
	full, structural map[*ir.Automaton]Bill
	floors           *floors
}

// worst is the call of a cell that may take most, and how much; an unknown amount is most.
func worst(c *ir.Cell, amount func(*ir.Automaton) Amount) (Amount, *ir.Automaton) {
	high := number(0)
	var whose *ir.Automaton
	for _, a := range c.Automata {
		if !outer(a) {
			continue
		}
		if n := amount(a); high.why == nil && (n.why != nil || n.n > high.n) {
			high, whose = n, a
		}
	}
	return high, whose
}

// outer tells whether something outside the program starts an automaton.
func outer(a *ir.Automaton) bool { return a.Public || a.Kind == ir.Timer }

// Amount is what the bill has under a key; dollars are in tokens.
func (b Bill) Amount(key ir.CostKey) Amount {
	switch key {
	case ir.CostCalls:
		return b.Calls
	case ir.CostLatency:
		return b.Latency
	}
	return b.Tokens
}

func (j *judge) limit(c *ir.Cell, l *ir.Limit, n int) Judgement {
	out := Judgement{Cell: c.Name, Limit: l, At: l.Span, Obligation: obligation.Obligation{
		ID: cert.ID(c.Name, "", cert.Cost, n), Kind: obligation.Cost, Cell: c.Name,
		Claim: cert.ClaimCost(c.Name, l), Span: l.Span,
	}}
	price := pricePer(c, l.Key)
	if a, low := j.exceeded(c, l); a != nil {
		out.Obligation.Verdict = obligation.Refuted
		out.Obligation.Reason = reasonExceeded(number(low).Text(Unit(l.Key)), a.Name)
		out.At = a.Span
		return out
	}
	high, whose := worst(c, func(a *ir.Automaton) Amount { return j.full[a].Amount(l.Key) })
	switch {
	case high.why != nil:
		out.Obligation.Reason = reasonUnknown(high, whose.Name)
		if at := high.why.At; !at.IsZero() {
			out.At = at
		}
	case price == nil && high.n > 0:
		out.Obligation.Reason = noPrice
	case !holds(high, price, l):
		out.Obligation.Reason = reasonMore(told(high, price, l.Key), whose.Name)
		out.At = whose.Span
	default:
		out.Obligation.Verdict = obligation.Proven
		out.Obligation.Evidence = obligation.Evidence{Class: obligation.EngineTrusted, Rule: string(cert.ByEngine)}
		plain, _ := worst(c, func(a *ir.Automaton) Amount { return j.structural[a].Amount(l.Key) })
		if plain.why == nil && holds(plain, price, l) {
			out.Obligation.Evidence = obligation.Evidence{Class: obligation.KernelChecked, Rule: string(cert.ByCost)}
		}
		if whose != nil {
			out.Amount, out.Handler = told(high, price, l.Key), whose.Name
		}
	}
	return out
}

// pricePer is what one unit of a key costs in the unit of its limit, nil when that is not known.
func pricePer(c *ir.Cell, key ir.CostKey) *big.Rat {
	if key != ir.CostUSD {
		return big.NewRat(1, 1)
	}
	if l := c.Limit(ir.CostPrice); l != nil {
		return new(big.Rat).Quo(l.Value, big.NewRat(1000, 1))
	}
	return nil
}

func total(a Amount, price *big.Rat) *big.Rat {
	if price == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt64(a.n), price)
}

func holds(a Amount, price *big.Rat, l *ir.Limit) bool { return total(a, price).Cmp(l.Value) <= 0 }

// told is an amount for people.
func told(a Amount, price *big.Rat, key ir.CostKey) string {
	text := decimal(total(a, price)) + Unit(key)
	if key == ir.CostUSD {
		text += " (" + a.Text(" tokens") + ")"
	}
	return text
}

// exceeded is a call that surely takes more than the limit when it returns, and how much.
func (j *judge) exceeded(c *ir.Cell, l *ir.Limit) (*ir.Automaton, int64) {
	for _, a := range c.Automata {
		if !outer(a) {
			continue
		}
		low := int64(0)
		switch l.Key {
		case ir.CostCalls:
			low = j.floors.of(a).calls
		case ir.CostLatency:
			low = j.floors.of(a).latency
		}
		if new(big.Rat).SetInt64(low).Cmp(l.Value) > 0 {
			return a, low
		}
	}
	return nil, 0
}
