package facts

import (
	"context"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/proofs/workers"
	"soma.cell/smt"
	"soma.cell/smt/term"
)

// Inductive are facts of some bodies and of those that they call, which hold together. The solver
// says so; what is proven with them needs evidence of its own. Refused are facts not to be had.
//
// All candidates are assumed; those that some condition does not give are dropped, until none is.
// The least many are dropped, so the result is the strongest that can be made of the candidates.
// Cost: a round a dropped layer, for the bodies where something that they assume was dropped, each with a
// question or a few for each condition of a place.
func (s *Search) Inductive(ctx context.Context, bodies []*ir.Automaton, refused map[string]bool) ([]vc.Fact, error) {
	list, err := s.candidates(ctx, bodies)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(f vc.Fact) bool { return refused[Key(f)] })
	for groups := byBody(list); len(groups) > 0; {
		gen := s.Gen.Knowing(list, false)
		dropped, errs := make([][]int, len(groups)), make([]error, len(groups))
		workers.Each(s.Jobs, len(groups), func(i int) {
			dropped[i], errs[i] = s.failing(ctx, gen.Body(groups[i].body), list, groups[i].facts)
		})
		gone := map[int]bool{}
		for i := range groups {
			if errs[i] != nil {
				return nil, errs[i]
			}
			for _, n := range dropped[i] {
				gone[n] = true
			}
		}
		news := map[*ir.Automaton]bool{} // what is known of these has changed
		var kept []vc.Fact
		for n, f := range list {
			if gone[n] {
				news[f.Body] = true
				continue
			}
			kept = append(kept, f)
		}
		list = kept
		groups = slices.DeleteFunc(byBody(list), func(g group) bool { return !s.hears(g.body, news) })
	}
	return list, nil
}

// hears tells whether a body is among some, or calls one of them.
func (s *Search) hears(a *ir.Automaton, news map[*ir.Automaton]bool) bool {
	return news[a] || slices.ContainsFunc(Callees(s.Sys, a), func(c *ir.Automaton) bool { return news[c] })
}

// group are the facts of one body, by their numbers.
type group struct {
	body  *ir.Automaton
	facts []int
}

func byBody(list []vc.Fact) []group {
	var out []group
	for n, f := range list {
		if len(out) == 0 || out[len(out)-1].body != f.Body {
			out = append(out, group{body: f.Body})
		}
		last := &out[len(out)-1]
		last.facts = append(last.facts, n)
	}
	return out
}

// failing are the facts of a body of which some condition does not follow.
func (s *Search) failing(ctx context.Context, b *vc.Body, list []vc.Fact, mine []int) ([]int, error) {
	var out []int
	for len(mine) > 0 {
		at := list[mine[0]].At
		n := 1
		for n < len(mine) && list[mine[n]].At == at {
			n++
		}
		var claims []*term.Term
		for _, i := range mine[:n] {
			claims = append(claims, list[i].Claim)
		}
		gone := make([]bool, n)
		for _, c := range b.Shows(at, claims...) {
			if err := s.drop(ctx, c, gone); err != nil {
				return nil, err
			}
		}
		for i := range n {
			if gone[i] {
				out = append(out, mine[i])
			}
		}
		mine = mine[n:]
	}
	return out, nil
}

// drop marks the goals of a condition that do not follow. A model in which one is false shows others as
// well.
func (s *Search) drop(ctx context.Context, c vc.Shown, gone []bool) error {
	for {
		var open []int
		var goals []*term.Term
		for i, goal := range c.Goals {
			if !gone[i] && goal != term.True {
				open, goals = append(open, i), append(goals, goal)
			}
		}
		if len(open) == 0 {
			return nil
		}
		q := smt.Query{Name: Guess, Assert: append(slices.Clone(c.Assume), term.Not(term.And(goals...))), Wanted: goals}
		a, err := s.Solver.Check(ctx, q)
		if err != nil || a.Verdict == smt.Unsat {
			return err
		}
		news := false
		for i, n := range open {
			if a.Verdict == smt.Sat && a.Values[i] == term.False {
				gone[n], news = true, true
			}
		}
		if !news {
			return s.oneByOne(ctx, c.Assume, goals, func(i int) { gone[open[i]] = true })
		}
	}
}

// oneByOne drops what the solver does not show by itself.
func (s *Search) oneByOne(ctx context.Context, assume, goals []*term.Term, drop func(i int)) error {
	for i, g := range goals {
		a, err := s.Solver.Check(ctx, smt.Query{Name: Guess, Assert: append(slices.Clone(assume), term.Not(g))})
		if err != nil {
			return err
		}
		if a.Verdict != smt.Unsat {
			drop(i)
		}
	}
	return nil
}
