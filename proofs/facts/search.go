package facts

import (
	"context"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/smt"
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

// Callees are the handlers whose facts a body may assume.
func Callees(sys *ir.System, a *ir.Automaton) []*ir.Automaton {
	var out []*ir.Automaton
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			if call, ok := f.(*ir.Call); ok && !call.Optional {
				if callee := sys.Handler(call.Handler); callee != nil && callee.Kind == ir.Handler {
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

// candidates are the guesses for the loops of some bodies, and for those that they call, each once.
func (s *Search) candidates(ctx context.Context, bodies []*ir.Automaton) ([]vc.Fact, error) {
	order, called := s.scope(bodies)
	equations, err := s.equations(ctx, order, called)
	if err != nil {
		return nil, err
	}
	var out []vc.Fact
	seen := map[string]bool{}
	add := func(list []vc.Fact) {
		for _, f := range list {
			if key := Key(f); !seen[key] {
				seen[key] = true
				out = append(out, f)
			}
		}
	}
	for _, c := range s.Sys.Cells {
		for _, a := range c.Automata {
			if !slices.Contains(order, a) {
				continue
			}
			add(slices.DeleteFunc(slices.Clone(equations), func(f vc.Fact) bool { return f.Body != a }))
			body := s.Gen.Body(a)
			if called[a] {
				add(end(s.Sys, a, body.End()))
			}
			for _, l := range body.Loops() {
				add(loop(s.Sys, a, l))
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
		for _, callee := range Callees(s.Sys, a) {
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
