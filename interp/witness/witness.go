// Package witness finds runs: sequences of calls from the initial state of a program that
// take the edges of its machines.
//
// Idea. A breadth-first search over program states with the interpreter as successor
// function. In each state every public handler that can change anything is called with
// arguments drawn from its declared types, from the literals of the program (with their
// neighbours) and from what memory holds; what models, people and
// the network answer are choices like arguments. All
// choices of one call are enumerated in order of distance from the likeliest. States are told
// apart by a digest of machines and memory; of the states that agree on the machines, a few
// are explored first. Rounds broaden all of this, so that any combination of candidates is
// tried in the end, if the budget lasts.
//
// What it finds is a run of the interpreter whose moves committed, so an edge found is an
// edge taken. What it does not find says nothing.
//
// Cost: bounded by Options.Steps, in steps of the interpreter; the clock plays no part and
// the result is the same on every machine.
package witness

import (
	"context"
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/interp"
)

// Goal is an edge to take.
type Goal struct {
	Machine  *resolve.Machine
	From, To string
}

// Goals are all edges of all machines of a program, in order of declaration.
func Goals(p *resolve.Program) []Goal {
	var out []Goal
	for _, c := range p.Cells {
		if c.Machine == nil {
			continue
		}
		for _, e := range c.Machine.Edges {
			out = append(out, Goal{c.Machine, e.From, e.To})
		}
	}
	return out
}

// Answer is what the model does at one think: it may call a tool first, then it answers.
type Answer struct {
	Tool string // "" without a tool call
	Args []interp.Value
	Text string
}

// Call is one call from outside.
type Call struct {
	Cell, Handler string
	Args          []interp.Value
	Answers       []Answer       // of the model, in order
	Approvals     []bool         // of people, in order
	Replies       []interp.Value // of the network, in order
	Moves         []interp.Move
}

// Run is a sequence of calls from the initial state. Its last call takes the goal.
type Run struct {
	Goal  Goal
	Calls []Call
}

// Suggestion is a call worth trying first in every state. Args that do not conform to the
// handler's parameters make it fail, no more.
type Suggestion struct {
	Cell, Handler string
	Args          []interp.Value
	Answers       []string
}

// Options bound a search. Zero values mean the defaults.
type Options struct {
	Steps       int // of the interpreter, in all; DefaultSteps
	CallSteps   int // of one call; DefaultCallSteps
	Depth       int // calls in a run; DefaultDepth
	Suggestions []Suggestion
}

// Defaults of Options.
const (
	DefaultSteps     = 4_000_000
	DefaultCallSteps = 200_000
	DefaultDepth     = 64
)

// callCost is charged for each call beside its steps.
const callCost = 400

// Search looks for a run to each goal. The result has a run for each goal that was reached,
// in order of the goals.
func Search(ctx context.Context, p *resolve.Program, goals []Goal, o Options) []Run {
	s := newSearch(ctx, p, goals, o)
	s.explore()
	var out []Run
	for _, g := range goals {
		if r := s.found[g]; r != nil {
			out = append(out, *r)
		}
	}
	return out
}

// Replay runs the calls of a run again, in a fresh world, and gives the committed moves of
// each call. An error is that of the call that failed.
func Replay(ctx context.Context, p *resolve.Program, run Run) ([][]interp.Move, error) {
	s := newSearch(ctx, p, nil, Options{CallSteps: interp.DefaultSteps})
	var out [][]interp.Move
	for _, c := range run.Calls {
		s.script = &script{replay: &c}
		before := len(s.world.Moves())
		if _, err := s.world.Call(ctx, c.Cell, c.Handler, c.Args); err != nil {
			return out, err
		}
		out = append(out, slices.Clone(s.world.Moves()[before:]))
	}
	return out, nil
}
