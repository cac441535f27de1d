// Package cost bounds what one call from outside may spend: questions to models, the tokens they
// write, the time spent waiting, and so the dollars; and judges the limits of sections cost.
//
// A bound is the most expensive path (of the graph of locations, in which a loop is one node):
// branches take the maximum, paths that return early or raise stand apart, loops multiply their
// round by a known bound, calls add what the callee may spend, and a model with tools answers
// once more after each call of one. What the outside does not promise, what nobody bounds and
// what is not known is unknown, and an unknown amount is no bound.
//
// What is refused may have spent all the same: a model's answer that comes too late was paid for.
package cost

import (
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/effects"
)

// Bill is what one call may spend at most: answers of models, the tokens they write,
// milliseconds of waiting.
type Bill struct{ Calls, Tokens, Latency Amount }

// Of bounds what a call of each automaton from outside may spend. The system must be valid.
func Of(s *ir.System) map[*ir.Automaton]Bill { return newAnalysis(s, false).bills() }

// analysis goes over a system.
type analysis struct {
	system *ir.System
	graph  *effects.Graph
	// structural leaves out what only the engine knows: measures of loops, budgets, values of
	// variables, kept functions.
	structural bool
	known      map[job]outcome
	open       map[job]bool
	quiet      map[*ir.Automaton]bool
	kept       *bool
}

// job is an automaton to bound, inside a tool call or not.
type job struct {
	automaton *ir.Automaton
	inTool    bool
}

func newAnalysis(s *ir.System, structural bool) *analysis {
	return &analysis{system: s, graph: effects.NewGraph(s), structural: structural,
		known: map[job]outcome{}, open: map[job]bool{}, quiet: map[*ir.Automaton]bool{}}
}

func (s *analysis) bills() map[*ir.Automaton]Bill {
	out := map[*ir.Automaton]Bill{}
	for _, c := range s.system.Cells {
		for _, a := range c.Automata {
			out[a] = s.outcome(a, false, a.Span).peak.bill()
		}
	}
	return out
}

// call is the outcome of a call of a handler.
func (s *analysis) call(h ir.HandlerRef, inTool bool, at source.Span) outcome {
	return s.outcome(s.system.Handler(h), inTool, at)
}

// outcome bounds an automaton. One that spends something and may come to call itself has no
// bound.
func (s *analysis) outcome(a *ir.Automaton, inTool bool, at source.Span) outcome {
	if s.isQuiet(a) {
		quiet := still()
		return outcome{&quiet, quiet, quiet}
	}
	j := job{a, inTool}
	if o, ok := s.known[j]; ok {
		return o
	}
	if s.open[j] {
		all := anything(unknown(recursion(a.Name), at))
		return outcome{&all, all, all}
	}
	s.open[j] = true
	o := s.bodyOf(a, inTool).spending()
	delete(s.open, j)
	s.known[j] = o
	return o
}

// isQuiet tells whether nothing that an automaton may start spends anything.
func (s *analysis) isQuiet(a *ir.Automaton) bool {
	quiet, ok := s.quiet[a]
	if !ok {
		quiet = true
		for _, i := range s.reachable(a) {
			quiet = quiet && !s.spendsItself(s.graph.Automata[i].Edges)
		}
		s.quiet[a] = quiet
	}
	return quiet
}

// reachable are the automata that one may start, itself included. Other than in the call graph,
// functions that are kept start nothing that their bodies do not.
func (s *analysis) reachable(a *ir.Automaton) []int {
	seen := map[int]bool{s.graph.Index(a): true}
	found := []int{s.graph.Index(a)}
	for next := 0; next < len(found); next++ {
		for _, c := range s.graph.Direct(s.graph.Automata[found[next]]).Calls {
			if i := s.graph.Find(c.Handler); i >= 0 && !seen[i] {
				seen[i] = true
				found = append(found, i)
			}
		}
	}
	return found
}

// spendsItself tells whether an effect of the edges spends anything, what it calls apart.
func (s *analysis) spendsItself(edges []*ir.Edge) bool {
	for _, e := range edges {
		for _, f := range e.Effects {
			switch f := f.(type) {
			case *ir.Act:
				if spends(f) {
					return true
				}
			case *ir.Unknown:
				if !s.isQuietUnknown(f) {
					return true
				}
			}
		}
	}
	return false
}

// isQuietUnknown tells whether a construct that is not known spends nothing of its own: a kept
// function's beginning, and the run of one where none spends anything.
func (s *analysis) isQuietUnknown(u *ir.Unknown) bool {
	if s.structural {
		return false
	}
	return u.Why == ir.KeptFunction || strings.HasPrefix(u.Why, ir.RunsFunction) && !s.keptSpends()
}

// keptSpends tells whether some function that a body keeps spends anything when it runs: where
// function values run, that is what is spent. Functions that only run such functions spend
// nothing, which is what is assumed while it is found out.
func (s *analysis) keptSpends() bool {
	if s.kept == nil {
		s.kept = new(bool)
		spends := false
		for _, a := range s.graph.Automata {
			edges := keptEdges(a)
			spends = spends || s.spendsItself(edges) || s.callsSpend(edges)
		}
		*s.kept = spends
		clear(s.quiet)
	}
	return *s.kept
}

func (s *analysis) callsSpend(edges []*ir.Edge) bool {
	for _, e := range edges {
		for _, f := range e.Effects {
			if c, ok := f.(*ir.Call); ok {
				for _, i := range s.reachable(s.system.Handler(c.Handler)) {
					if s.spendsItself(s.graph.Automata[i].Edges) {
						return true
					}
				}
			}
		}
	}
	return false
}

// keptEdges are those of the bodies of kept functions: what lies behind their beginning, up to
// the head of their loop.
func keptEdges(a *ir.Automaton) []*ir.Edge {
	seen := map[ir.Loc]bool{}
	var work []ir.Loc
	var out []*ir.Edge
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			if u, ok := f.(*ir.Unknown); ok && u.Why == ir.KeptFunction {
				out = append(out, e)
				if !seen[e.To] {
					seen[e.To] = true
					work = append(work, e.To)
				}
			}
		}
	}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range a.Edges {
			if e.From != l {
				continue
			}
			out = append(out, e)
			if !seen[e.To] && !e.Back {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return out
}
