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

// Guess is the name of the questions that a search asks. No claim rests on them.
const Guess = "guess"

// Search is what finding facts needs from outside.
type Search struct {
	Sys    *ir.System
	Gen    *vc.Generator // without facts
	Solver smt.Solver    // asked by several goroutines at once when there are Jobs
	Jobs   int
}

// mostBodies are searched, callees first: the questions are some dozens for each.
const mostBodies = 100

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
	return news[a] || slices.ContainsFunc(s.callees(a), func(c *ir.Automaton) bool { return news[c] })
}

// callees are the handlers whose facts a body may assume.
func (s *Search) callees(a *ir.Automaton) []*ir.Automaton {
	var out []*ir.Automaton
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			if call, ok := f.(*ir.Call); ok && !call.Optional {
				if callee := s.Sys.Handler(call.Handler); callee != nil && callee.Kind == ir.Handler {
					out = append(out, callee)
				}
			}
		}
	}
	return out
}

// Key tells facts apart.
func Key(f vc.Fact) string {
	return f.Body.Cell + "\x00" + f.Body.Ref().String() + "\x00" + f.At.String() + "\x00" + f.Claim.Text()
}

// candidates are the guesses for the loops of some bodies, and for those that they call.
func (s *Search) candidates(ctx context.Context, bodies []*ir.Automaton) ([]vc.Fact, error) {
	order, called := s.scope(bodies)
	equations, err := s.equations(ctx, order, called)
	if err != nil {
		return nil, err
	}
	var out []vc.Fact
	for _, c := range s.Sys.Cells {
		for _, a := range c.Automata {
			if !slices.Contains(order, a) {
				continue
			}
			for _, f := range equations {
				if f.Body == a {
					out = append(out, f)
				}
			}
			body := s.Gen.Body(a)
			if called[a] {
				out = append(out, end(s.Sys, a, body.End())...)
			}
			for _, l := range body.Loops() {
				out = append(out, loop(s.Sys, a, l)...)
			}
		}
	}
	return out, nil
}

// scope are some bodies and those that they call, callees first, and tells which are called.
func (s *Search) scope(bodies []*ir.Automaton) (order []*ir.Automaton, called map[*ir.Automaton]bool) {
	called = map[*ir.Automaton]bool{}
	seen := map[*ir.Automaton]bool{}
	var visit func(a *ir.Automaton)
	visit = func(a *ir.Automaton) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, callee := range s.callees(a) {
			called[callee] = true
			visit(callee)
		}
		order = append(order, a)
	}
	for _, a := range bodies {
		visit(a)
	}
	if len(order) > mostBodies {
		order = order[:mostBodies]
	}
	return order, called
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
	type goal struct {
		fact int
		term *term.Term
	}
	type site struct {
		assume []*term.Term
		goals  []goal
	}
	// Facts of one place have their conditions at the same sites.
	sites := map[[2]int]*site{}
	var order []*site
	for _, n := range mine {
		for _, c := range b.Shows(list[n]) {
			at := [2]int{int(list[n].At), c.Edge}
			if sites[at] == nil {
				sites[at] = &site{assume: c.Assume}
				order = append(order, sites[at])
			}
			sites[at].goals = append(sites[at].goals, goal{n, c.Goal})
		}
	}
	gone := map[int]bool{}
	for _, at := range order {
		open := slices.DeleteFunc(at.goals, func(g goal) bool { return g.term == term.True })
		for {
			open = slices.DeleteFunc(open, func(g goal) bool { return gone[g.fact] })
			if len(open) == 0 {
				break
			}
			var goals []*term.Term
			for _, g := range open {
				goals = append(goals, g.term)
			}
			q := smt.Query{Name: Guess, Assert: append(slices.Clone(at.assume), term.Not(term.And(goals...))), Wanted: goals}
			a, err := s.Solver.Check(ctx, q)
			if err != nil {
				return nil, err
			}
			if a.Verdict == smt.Unsat {
				break
			}
			before := len(gone)
			for i, g := range open {
				if a.Verdict == smt.Sat && a.Values[i] == term.False {
					gone[g.fact] = true
				}
			}
			if len(gone) > before {
				continue
			}
			if err := s.oneByOne(ctx, at.assume, goals, func(i int) { gone[open[i].fact] = true }); err != nil {
				return nil, err
			}
			break
		}
	}
	var out []int
	for n := range gone {
		out = append(out, n)
	}
	return out, nil
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
		for _, c := range bodies[f.Body].Shows(f) {
			if c.Goal == term.True {
				continue
			}
			more, proven, err := s.Proves(ctx, c.Assume, c.Labels, c.Goal)
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
