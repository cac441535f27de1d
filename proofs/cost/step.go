package cost

// A step is what a stretch of a body may spend. Calls of a model and waiting add up. Tokens do
// so only up to the budget, which a stretch may set anew. Let T be the tokens spent so far, L
// what the budget still allows, and A and B bounds of T and T+L. An answer of at most m tokens
// takes A to min(A+m, B) and leaves B, as what is spent is no longer left; set_budget(n) leaves
// A and takes B to A+n. So each stretch is a matrix of (min, +):
//
//	A' = min(A + a, B + b)    B' = min(A + c, B + d)
//
// stretches in a row are products, and of two of which one is taken the greater entries bound
// both. As A ≤ B, b may be taken no greater than a, and d no greater than c; without that the
// stretch in which nothing happens would forget the budget where paths meet.
type step struct {
	calls, latency Amount
	a, b, c, d     Amount
}

// still is the step in which nothing happens.
func still() step { return step{c: nothingKnown()} }

// answers is a step in which models write up to m tokens.
func answers(m Amount) step { return step{a: m, c: nothingKnown()} }

// budget is the step of set_budget(n); inside a tool call it can only lower.
func budget(n Amount, inTool bool) step {
	s := step{c: n, d: n}
	if inTool {
		s.d = number(0)
	}
	return s.canonical()
}

// anything is the step of what is not known.
func anything(why Amount) step {
	return step{calls: why, latency: why, a: why, b: why, c: why, d: why}
}

func (s step) canonical() step {
	s.b, s.d = least(s.a, s.b), least(s.c, s.d)
	return s
}

// then is one step and another behind it.
func (s step) then(t step) step {
	return step{
		calls: s.calls.plus(t.calls), latency: s.latency.plus(t.latency),
		a: least(s.a.plus(t.a), s.c.plus(t.b)), b: least(s.b.plus(t.a), s.d.plus(t.b)),
		c: least(s.a.plus(t.c), s.c.plus(t.d)), d: least(s.b.plus(t.c), s.d.plus(t.d)),
	}.canonical()
}

// or is one of two steps.
func (s step) or(t step) step {
	return step{
		calls: most(s.calls, t.calls), latency: most(s.latency, t.latency),
		a: most(s.a, t.a), b: most(s.b, t.b), c: most(s.c, t.c), d: most(s.d, t.d),
	}.canonical()
}

// upTo is the step taken up to n times in a row. With the choice of doing nothing the matrix is
// triangular (c is unknown), and its powers have a closed form.
func (s step) upTo(n int64) step {
	s = s.or(still())
	if n == 0 {
		return still()
	}
	return step{
		calls: s.calls.times(n), latency: s.latency.times(n),
		a: s.a.times(n), b: s.b.plus(least(s.a, s.d).times(n - 1)), c: s.c, d: s.d.times(n),
	}.canonical()
}

// often is the step taken any number of times in a row.
func (s step) often(why Amount) step {
	s = s.or(still())
	return step{
		calls: s.calls.forever(why), latency: s.latency.forever(why),
		a: s.a.forever(why), b: s.b.plus(least(s.a, s.d).forever(why)), c: s.c, d: s.d.forever(why),
	}.canonical()
}

// tokens is what the step spends when nothing is known of the budget before it.
func (s step) tokens() Amount { return s.a }

// bill is what the step spends.
func (s step) bill() Bill { return Bill{s.calls, s.tokens(), s.latency} }
