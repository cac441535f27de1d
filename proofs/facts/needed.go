package facts

import (
	"context"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/smt"
	"soma.cell/smt/term"
)

// Open is a labelled condition that does not hold without facts.
type Open struct {
	Assume []*term.Term
	Labels []vc.Label
	Goal   *term.Term
}

// Needed are the facts by which some of the open conditions hold, and those that the conditions of
// these facts need in turn, by the solver's unsatisfiable cores. What is needed already is tried first.
func (s *Search) Needed(ctx context.Context, list []vc.Fact, open []Open) ([]vc.Fact, error) {
	n := &needs{Search: s, of: map[int]bool{}}
	for _, o := range open {
		if _, err := n.prove(ctx, o); err != nil {
			return nil, err
		}
	}
	gen := s.Gen.Knowing(list, true)
	bodies := map[*ir.Automaton]*vc.Body{}
	for len(n.work) > 0 {
		f := list[n.work[0]]
		n.work = n.work[1:]
		if bodies[f.Body] == nil {
			bodies[f.Body] = gen.Body(f.Body)
		}
		for _, c := range bodies[f.Body].Shows(f.At, f.Claim) {
			proven, err := n.prove(ctx, Open{c.Assume, c.Labels, c.Goals[0]})
			if err != nil {
				return nil, err
			}
			if !proven { // this time, within the limits
				n.add(c.Labels)
			}
		}
	}
	var out []vc.Fact
	for i, f := range list {
		if n.of[i] {
			out = append(out, f)
		}
	}
	return out, nil
}

// needs are the facts that are needed so far, by their numbers, and those whose conditions are still
// to be looked at.
type needs struct {
	*Search
	of   map[int]bool
	work []int
}

func (n *needs) add(labels []vc.Label) {
	for _, l := range labels {
		if !n.of[l.Fact] {
			n.of[l.Fact] = true
			n.work = append(n.work, l.Fact)
		}
	}
}

// prove tells whether a condition holds, and adds the facts that it needs.
func (n *needs) prove(ctx context.Context, o Open) (bool, error) {
	if o.Goal == term.True {
		return true, nil
	}
	var known []vc.Label
	for _, l := range o.Labels {
		if n.of[l.Fact] {
			known = append(known, l)
		}
	}
	for _, labels := range [][]vc.Label{known, o.Labels} {
		if len(labels) == 0 {
			continue
		}
		used, proven, err := n.core(ctx, o, labels)
		if err != nil || proven {
			n.add(used)
			return proven, err
		}
	}
	return false, nil
}

// core decides a condition with some of its labels, and gives those that it needs.
func (s *Search) core(ctx context.Context, o Open, labels []vc.Label) (used []vc.Label, proven bool, err error) {
	q := smt.Query{Name: Guess, Assert: append(slices.Clone(o.Assume), term.Not(o.Goal)), Core: true}
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
			used = append(used, labels[i-first])
		}
	}
	return used, true, nil
}
