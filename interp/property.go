package interp

import (
	"errors"
	"math/big"
	"math/rand/v2"

	"soma.cell/frontend/syntax"
)

// A property is tried on every value of its range when there are at most maxExhaustive, else
// on a sample drawn from a fixed seed, which proves nothing and is labelled so. Each try
// starts from the same state and leaves no trace. A failure is shrunk: by
// halving its distance to the value nearest to zero, as long as the smaller value fails too.

const (
	maxExhaustive  = 20_000
	defaultSamples = 1_000
	sampleSeed     = 20
)

type trial struct {
	r        *runner
	s        *syntax.Property
	cond     fragment
	snapshot *Snapshot
	mocks    mocks
}

func (r *runner) property(s *syntax.Property) {
	i := Item{Kind: ItemProperty, Source: s.At.Normal(), Span: s.At}
	lo, hi, count, err := r.propertyRange(s)
	if of := s.Type.Span().Normal(); of != "Int" && err == nil {
		err = errType("%s", propertyOver(of))
	}
	if err != nil {
		i.Err = asError(err)
		i.Text = raisedText(i.Err)
		r.done(i)
		return
	}
	cond := r.code.fragment(func(c *compiler) exec { return c.expr(s.Cond) })
	t := &trial{r: r, s: s, cond: cond, snapshot: r.world.Snapshot(), mocks: r.world.mocks.copy()}
	failing, tried, exhaustive := t.search(lo.Big(), hi.Big(), count)
	if stopped := raised(r.world.look()); failing != nil && r.ctx.Err() != nil {
		i.Err, i.Text = stopped, propertyStopped(tried, raisedText(stopped))
	} else if failing == nil {
		i.Passed, i.Text = true, propertyHolds(tried, exhaustive)
	} else {
		i.Text = propertyFails(s.Var.Name, failing.String())
		if e := t.run(failing); e != nil && e != errFalse {
			i.Err, i.Text = asError(e), i.Text+": raised "+raisedText(asError(e))
		}
	}
	t.reset()
	r.done(i)
}

// propertyRange evaluates the ends (the upper one excluded) and the number of samples.
func (r *runner) propertyRange(s *syntax.Property) (lo, hi Int, count int, err error) {
	number := func(x syntax.Expr) (Int, error) {
		v, err := r.eval(x)
		if err != nil {
			return Int{}, err
		}
		n, ok := v.(Int)
		if !ok {
			return n, errType("%s", propertyOver(aKind(v)))
		}
		return n, nil
	}
	if lo, err = number(s.Lo); err != nil {
		return lo, hi, 0, err
	}
	if hi, err = number(s.Hi); err != nil {
		return lo, hi, 0, err
	}
	if cmpInt(lo, hi) >= 0 {
		return lo, hi, 0, errRange("%s", emptyRange(lo.String(), hi.String()))
	}
	count = defaultSamples
	if s.Count != nil {
		n, err := number(s.Count)
		if err != nil {
			return lo, hi, 0, err
		}
		if v, ok := n.Int64(); !ok || v < 1 || v > maxExhaustive {
			return lo, hi, 0, errRange("count must be in 1..%d", maxExhaustive)
		}
		count = int(n.small)
	}
	return lo, hi, count, nil
}

// search looks for a value for which the condition does not hold.
func (t *trial) search(lo, hi *big.Int, count int) (failing *big.Int, tried int, exhaustive bool) {
	width := new(big.Int).Sub(hi, lo)
	if width.IsInt64() && width.Int64() <= maxExhaustive {
		for i := range width.Int64() {
			x := new(big.Int).Add(lo, big.NewInt(i))
			if t.run(x) != nil {
				return t.shrink(x, lo, hi), int(i) + 1, true
			}
		}
		return nil, int(width.Int64()), true
	}
	rnd := rand.New(rand.NewPCG(sampleSeed, 0))
	for i := range count {
		x := new(big.Int).Add(lo, randomBelow(rnd, BigInt(width)).Big())
		if i < 2 { // the ends first
			x = []*big.Int{lo, new(big.Int).Sub(hi, big.NewInt(1))}[i]
		}
		if t.run(x) != nil {
			return t.shrink(x, lo, hi), i + 1, false
		}
	}
	return nil, count, false
}

// shrink walks towards the value of the range nearest to zero.
func (t *trial) shrink(x, lo, hi *big.Int) *big.Int {
	goal := big.NewInt(0)
	if lo.Sign() > 0 {
		goal = lo
	} else if last := new(big.Int).Sub(hi, big.NewInt(1)); last.Sign() < 0 {
		goal = last
	}
	distance := new(big.Int).Sub(x, goal)
	for distance.Sign() != 0 {
		smaller := new(big.Int).Sub(x, distance)
		if t.run(smaller) != nil {
			x = smaller
			distance.Sub(x, goal)
			continue
		}
		distance.Quo(distance, big.NewInt(2))
	}
	return x
}

// errFalse stands for a condition that is merely false.
var errFalse = errors.New("the condition is false")

// run tries one value: nil when the condition holds.
func (t *trial) run(x *big.Int) error {
	t.reset()
	t.r.frame.bind(t.r.code.unit.binds[t.s], BigInt(x))
	v, err := t.r.world.run(t.r.frame, &t.cond)
	if err != nil {
		return err
	}
	ok, isBool := v.(Bool)
	if !isBool {
		return errType("%s", assertedNoBool(v))
	}
	if !ok {
		return errFalse
	}
	return nil
}

// reset goes back to the state before the property.
func (t *trial) reset() {
	w := t.r.world
	moves := w.moves
	w.Restore(t.snapshot)
	w.moves = moves[:len(moves):len(moves)]
	w.mocks = t.mocks.copy()
	w.startInvocation(t.r.ctx)
}
