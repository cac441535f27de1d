package facts

import (
	"context"
	"math/big"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/smt"
	"soma.cell/smt/term"
)

// Equations between numbers that change in step (`all - yes - no` stays what it was) are not guessed
// but computed. The changes that a round can make span a space; its orthogonal complement is
// the equations that every round keeps. The space grows from nothing: the solver is asked for a change
// that breaks an equation of the complement, until there is none. After Karr ("Affine relationships
// among variables of a program", Acta Informatica 1976) by the method of Reps, Sagiv and Yorsh
// ("Symbolic implementation of the best transformer", VMCAI 2004). Cost: a question for each number and
// each way round.

// mostNumbers bounds the numbers of one place.
const mostNumbers = 16

// equations are those of the loops and ends of some bodies, callees first, the inner loops before
// the outer: those found are known where the next are sought.
func (s *Search) equations(ctx context.Context, bodies []*ir.Automaton, called map[*ir.Automaton]bool) ([]vc.Fact, error) {
	var found []vc.Fact
	for _, a := range bodies {
		loops := slices.Clone(a.Loops)
		slices.SortStableFunc(loops, func(l, m *ir.Loop) int { return len(l.Body) - len(m.Body) })
		for _, l := range loops {
			reached := s.Gen.Knowing(found, false).Body(a).Loops()
			i := slices.IndexFunc(reached, func(m vc.Loop) bool { return m.Loop == l })
			if i < 0 {
				continue
			}
			more, err := s.ofLoop(ctx, a, reached[i])
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
		if called[a] {
			more, err := s.ofEnd(ctx, a, found)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
	}
	return found, nil
}

// ofLoop are the equations between what changes in a loop.
func (s *Search) ofLoop(ctx context.Context, a *ir.Automaton, l vc.Loop) ([]vc.Fact, error) {
	g := guess(s.Sys, a, l.Head, l.Names, l.Eval)
	numbers := g.numbers(l)
	if len(numbers) > mostNumbers || len(numbers) == 0 {
		return nil, nil
	}
	var ways []way
	for r, round := range l.Rounds {
		w := way{assume: round.Assume}
		for _, q := range numbers {
			w.sample = append(w.sample, term.Sub(q.now[r], q.is))
		}
		ways = append(ways, w)
	}
	kept, err := s.complement(ctx, newSpace(len(numbers)), ways)
	for _, row := range kept {
		var eq equation
		for i, k := range row {
			eq.add(k, numbers[i].is)
			eq.add(new(big.Int).Neg(k), numbers[i].was)
		}
		g.add(eq.term())
	}
	return g.out, err
}

// ofEnd are the equations between the parameters of a body, what it returns, and by how much it changes
// the numbers in memory.
func (s *Search) ofEnd(ctx context.Context, a *ir.Automaton, found []vc.Fact) ([]vc.Fact, error) {
	var space *space
	var known []vc.Fact
	for {
		body := s.Gen.Knowing(slices.Concat(found, known), false).Body(a)
		e := body.End()
		g := guess(s.Sys, a, ir.Exit, e.Names, e.Eval)
		dims, ways := g.dimensions(e)
		if len(dims) > mostNumbers || len(ways) == 0 {
			return nil, nil
		}
		if space == nil {
			space = newSpace(len(dims))
			if first, err := s.sampled(ctx, ways, term.True, space); err != nil || !first {
				return nil, err
			}
		}
		kept, err := s.complement(ctx, space, ways)
		if err != nil {
			return nil, err
		}
		for _, row := range kept {
			var eq equation
			for i, k := range row {
				eq.add(k, dims[i])
			}
			g.add(eq.term())
		}
		// What is known of the calls in the body was known with more equations: again, until the
		// equations are what they rest on.
		if sameFacts(g.out, known) || !slices.Contains(Callees(s.Sys, a), a) {
			return g.out, nil
		}
		known = g.out
	}
}

func sameFacts(a, b []vc.Fact) bool {
	return slices.EqualFunc(a, b, func(f, g vc.Fact) bool { return f.Claim.Equal(g.Claim) })
}

// dimensions are the numbers of which equations at the end of a body speak, the constant 1 last,
// and what they are on each way there.
func (g *guesser) dimensions(e vc.End) (dims []*term.Term, ways []way) {
	ways = make([]way, len(e.Returns))
	for i, r := range e.Returns {
		ways[i].assume = r.Assume
	}
	add := func(dim *term.Term, on func(r vc.Returned) *term.Term) {
		dims = append(dims, dim)
		for i, r := range e.Returns {
			ways[i].sample = append(ways[i].sample, on(r))
		}
	}
	for i, it := range e.Items {
		if isInt(it.Is) {
			add(term.Sub(it.Is, it.Was), func(r vc.Returned) *term.Term { return term.Sub(r.Items[i], it.Was) })
		}
		if it.Is.Sort.Kind != term.KindArray || it.Is.Sort.Elem.Kind != term.KindInt {
			continue
		}
		for _, k := range g.keys(it, func(*term.Term) bool { return true }) {
			was := term.Select(it.Was, k)
			add(term.Sub(term.Select(it.Is, k), was), func(r vc.Returned) *term.Term { return term.Sub(term.Select(r.Items[i], k), was) })
		}
	}
	if e.Result != nil && isInt(e.Result) {
		add(e.Result, func(r vc.Returned) *term.Term { return r.Value })
	}
	for _, p := range g.body.Params {
		if isInt(p) {
			add(p, func(vc.Returned) *term.Term { return p })
		}
	}
	add(term.Int64(1), func(vc.Returned) *term.Term { return term.Int64(1) })
	return dims, ways
}

// way is how a run comes to a place: what is known, and the numbers there.
type way struct{ assume, sample []*term.Term }

// complement grows a space until no way leaves it, and gives the equations that hold in it. None
// where the solver gives up.
func (s *Search) complement(ctx context.Context, sp *space, ways []way) ([][]*big.Int, error) {
	for {
		rows := sp.complement()
		if len(rows) == 0 {
			return nil, nil
		}
		grown := false
		for _, w := range ways {
			var broken []*term.Term
			for _, row := range rows {
				var eq equation
				for i, k := range row {
					eq.add(k, w.sample[i])
				}
				broken = append(broken, term.Not(eq.term()))
			}
			more, err := s.sampled(ctx, []way{w}, term.Or(broken...), sp)
			if err != nil {
				return nil, err
			}
			if grown = more; grown {
				break
			}
			if sp.lost {
				return nil, nil
			}
		}
		if !grown {
			return rows, nil
		}
	}
}

// sampled adds the numbers of some way on which a condition holds to a space, if there is one.
func (s *Search) sampled(ctx context.Context, ways []way, cond *term.Term, sp *space) (bool, error) {
	for _, w := range ways {
		if cond == term.False {
			continue
		}
		a, err := s.Solver.Check(ctx, smt.Query{Name: Guess, Assert: append(slices.Clone(w.assume), cond), Wanted: w.sample})
		if err != nil {
			return false, err
		}
		switch a.Verdict {
		case smt.Unknown:
			sp.lost = true
			return false, nil
		case smt.Sat:
			v := make([]*big.Int, len(w.sample))
			for i, t := range a.Values {
				if t == nil || t.Op != term.OpInt {
					sp.lost = true
					return false, nil
				}
				v[i] = t.Int
			}
			return sp.add(v), nil
		}
	}
	return false, nil
}

// equation is a sum that is 0, its positive parts on the left, what is negative on the right.
type equation struct {
	left, right []*term.Term
	constant    big.Int
}

// add adds k times a number.
func (e *equation) add(k *big.Int, t *term.Term) {
	size := new(big.Int).Abs(k)
	switch {
	case t.Op == term.OpInt:
		e.constant.Add(&e.constant, new(big.Int).Mul(k, t.Int))
		return
	case k.Sign() == 0:
		return
	case size.Cmp(big.NewInt(1)) != 0:
		t = term.Mul(term.IntLit(size), t)
	}
	if k.Sign() > 0 {
		e.left = append(e.left, t)
	} else {
		e.right = append(e.right, t)
	}
}

func (e *equation) term() *term.Term {
	left, right := e.left, e.right
	switch constant := term.IntLit(new(big.Int).Abs(&e.constant)); e.constant.Sign() {
	case 1:
		left = append(left, constant)
	case -1:
		right = append(right, constant)
	}
	for _, side := range []*[]*term.Term{&left, &right} {
		if len(*side) == 0 {
			*side = []*term.Term{term.Int64(0)}
		}
	}
	return term.Eq(term.Add(left...), term.Add(right...))
}
