package facts

import (
	"context"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/smt"
	"soma.cell/smt/term"
)

// Needed are the facts on which some of them rest: those that are used, and those that their own
// conditions use, by the solver's unsatisfiable cores.
func (s *Search) Needed(ctx context.Context, list []vc.Fact, used []int) ([]vc.Fact, error) {
	gen := s.Gen.Knowing(list, true)
	bodies := map[*ir.Automaton]*vc.Body{}
	need := map[int]bool{}
	var work []int
	mark := func(facts []int) {
		for _, n := range facts {
			if !need[n] {
				need[n] = true
				work = append(work, n)
			}
		}
	}
	mark(used)
	for len(work) > 0 {
		f := list[work[0]]
		work = work[1:]
		if bodies[f.Body] == nil {
			bodies[f.Body] = gen.Body(f.Body)
		}
		for _, c := range bodies[f.Body].Shows(f.At, f.Claim) {
			if c.Goals[0] == term.True {
				continue
			}
			more, proven, err := s.Proves(ctx, c.Assume, c.Labels, c.Goals[0])
			if err != nil {
				return nil, err
			}
			if !proven { // again, within the limits
				for _, l := range c.Labels {
					more = append(more, l.Fact)
				}
			}
			mark(more)
		}
	}
	var out []vc.Fact
	for n, f := range list {
		if need[n] {
			out = append(out, f)
		}
	}
	return out, nil
}

// Proves tells whether a labelled condition holds, and which facts it needs, by their numbers.
func (s *Search) Proves(ctx context.Context, assume []*term.Term, labels []vc.Label, goal *term.Term) (used []int, proven bool, err error) {
	q := smt.Query{Name: Guess, Assert: append(slices.Clone(assume), term.Not(goal)), Core: true}
	first := len(q.Assert)
	for _, l := range labels {
		q.Assert = append(q.Assert, l.Is)
	}
	a, err := s.Solver.Check(ctx, q)
	if err != nil || a.Verdict != smt.Unsat {
		return nil, false, err
	}
	for _, i := range a.Core {
		if i >= first {
			used = append(used, labels[i-first].Fact)
		}
	}
	return used, true, nil
}
