package cost

import "soma.cell/frontend/source"

// Amount is a number that is not negative, or unknown with the cause. An unknown amount is no
// bound.
type Amount struct {
	n   int64
	why *Cause // nil of a number
}

// Cause tells why an amount is unknown.
type Cause struct {
	Why string
	At  source.Span
}

// maxAmount bounds the amounts that are told apart: no limit is as large.
const maxAmount = 1 << 60

func number(n int64) Amount { return Amount{n: n} }

func unknown(why string, at source.Span) Amount { return Amount{why: &Cause{why, at}} }

// nothingKnown is the amount of what is not limited at all; every other cause is told before it.
func nothingKnown() Amount { return Amount{why: &Cause{}} }

// Known is the number, if there is one.
func (a Amount) Known() (int64, bool) { return a.n, a.why == nil }

// untold is the cause to tell of two.
func untold(a, b Amount) Amount {
	if a.why == nil || b.why != nil && a.why.Why == "" {
		return b
	}
	return a
}

func (a Amount) plus(b Amount) Amount {
	if a.why != nil || b.why != nil {
		return untold(a, b)
	}
	return number(a.n + b.n).bounded()
}

func (a Amount) times(n int64) Amount {
	switch {
	case n == 0 || a.why == nil && a.n == 0:
		return number(0)
	case a.why != nil:
		return a
	case a.n > maxAmount/n:
		return unknown(tooLarge, source.Span{})
	}
	return number(a.n * n)
}

func (a Amount) bounded() Amount {
	if a.n > maxAmount {
		return unknown(tooLarge, source.Span{})
	}
	return a
}

func most(a, b Amount) Amount {
	if a.why != nil || b.why != nil {
		return untold(a, b)
	}
	return number(max(a.n, b.n))
}

func least(a, b Amount) Amount {
	switch {
	case a.why != nil && b.why != nil:
		return untold(a, b)
	case a.why != nil:
		return b
	case b.why != nil:
		return a
	}
	return number(min(a.n, b.n))
}

// forever is the amount after any number of rounds that take a each.
func (a Amount) forever(why Amount) Amount {
	if a.why == nil && a.n > 0 {
		return why
	}
	return a
}
