package termination

import (
	"math/big"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Rounds bounds how often a while loop goes round: its measure falls by at least 1 from each
// time its test is passed to the next and is at least low then, so the test is passed at most
// start - low + 1 times, where start bounds the measure at the first time. That is known where
// the measure's variables are known numbers then. atTest tells whether the test is the one that
// decides a round; what lies before another test runs once more.
func Rounds(a *ir.Automaton, l *ir.Loop) (n int64, atTest, ok bool) {
	b := bodyOf(a, anyWrite)
	m, test, found := rank(b, l)
	if !found {
		return 0, false, false
	}
	at, reached := rangesAt(b, l)[test.From]
	if !reached {
		return 0, false, false
	}
	high := new(big.Int).Set(m.constant)
	for _, key := range m.keys() {
		atom := m.atoms[key]
		known := at.of(atom)
		if known == nil {
			return 0, false, false
		}
		bound := known.high
		if m.times[key].Sign() < 0 {
			bound = known.low
		}
		high.Add(high, new(big.Int).Mul(m.times[key], bound))
	}
	high.Sub(high, big.NewInt(m.low-1))
	if high.Sign() < 0 {
		high.SetInt64(0)
	}
	return high.Int64(), test.From == l.Test, high.IsInt64()
}

// interval holds the numbers from low to high.
type interval struct{ low, high *big.Int }

// ranges knows Ints by the names of variables; of others nothing is known.
type ranges map[string]*interval

func (r ranges) of(t *term.Term) *interval {
	switch t.Op {
	case term.OpInt:
		return &interval{t.Int, t.Int}
	case term.OpVar:
		return r[t.Name]
	case term.OpAdd:
		sum := &interval{new(big.Int), new(big.Int)}
		for _, a := range t.Args {
			x := r.of(a)
			if x == nil {
				return nil
			}
			sum = &interval{new(big.Int).Add(sum.low, x.low), new(big.Int).Add(sum.high, x.high)}
		}
		return sum
	}
	return nil
}

func (r ranges) after(f ir.Effect) {
	if b, ok := f.(*ir.Bind); ok && b.Var.Sort.Kind == term.KindInt {
		if x := r.of(b.Value); x != nil {
			r[b.Var.Name] = x
			return
		}
	}
	for _, v := range ir.Defs(f) {
		delete(r, v.Name)
	}
}

func (r ranges) copy() ranges {
	out := ranges{}
	for name, x := range r {
		out[name] = x
	}
	return out
}

// join is what holds in both.
func (r ranges) join(s ranges) ranges {
	out := ranges{}
	for name, x := range r {
		y, ok := s[name]
		if !ok {
			continue
		}
		hull := *x
		if y.low.Cmp(hull.low) < 0 {
			hull.low = y.low
		}
		if y.high.Cmp(hull.high) > 0 {
			hull.high = y.high
		}
		out[name] = &hull
	}
	return out
}

// rangesAt follows Ints from the entry, in one pass in topological order, to the locations as
// they are reached in the first round of a loop: at the head of each other loop, what its rounds
// assign is forgotten.
func rangesAt(b *body, first *ir.Loop) map[ir.Loc]ranges {
	waiting := map[ir.Loc]int{}
	for _, e := range b.Edges {
		if !e.Back {
			waiting[e.To]++
		}
	}
	at := map[ir.Loc]ranges{ir.Entry: {}}
	ready := []ir.Loc{ir.Entry}
	for len(ready) > 0 {
		l := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		if loop := b.loops[l]; loop != nil && loop != first {
			for _, name := range b.changed(b.inside(loop)) {
				delete(at[l], name)
			}
		}
		for _, i := range b.from[l] {
			e := b.Edges[i]
			if e.Back {
				continue
			}
			next := at[l].copy()
			for _, f := range e.Effects {
				next.after(f)
			}
			if old, ok := at[e.To]; ok {
				next = old.join(next)
			}
			at[e.To] = next
			if waiting[e.To]--; waiting[e.To] == 0 {
				ready = append(ready, e.To)
			}
		}
	}
	return at
}
