package proofs

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"sync"

	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/cost"
	"soma.cell/proofs/facts"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt"
	"soma.cell/smt/refute"
	"soma.cell/taint"
)

// Edge is a declared edge of a cell's machine.
type Edge struct{ Cell, From, To string }

// Property is a CTL property that somebody asked for.
type Property struct {
	Cell   string // the cell whose machine it binds to
	Title  string // as it was asked for: CTL text, or `eventually [a, b]`
	CTL    string
	Origin string // "program", "manifest", "command line"
	// Subject, when not empty, is a CTL formula that must be reachable, or the property
	// holds for nothing.
	Subject string
}

// Options are what a verification needs from outside.
type Options struct {
	// Solver answers queries. It is asked only when a condition is not trivial, and by several
	// goroutines at once when there are Jobs.
	Solver smt.Solver
	// Jobs is how many conditions are decided at the same time; below 2 they are one by one.
	Jobs int
	// Asked, when not nil, is told the queries, in an order that does not depend on Jobs.
	Asked func([]smt.Query)
	// Refute bounds the search for a refutation that the kernel can check.
	Refute refute.Limits
	// Runs finds runs of the program; nil finds none.
	Runs RunFinder
	// Replay runs the program from the state of a counterexample; nil runs nothing.
	Replay Replayer
	// Static are the obligations decided before: frames, flows, termination.
	Static []obligation.Obligation
	// Limits are the limits of sections cost, judged.
	Limits []cost.Judgement
	// Choices are the places where an untrusted value chooses among values of the program.
	Choices []taint.Choice
	// Properties in the order in which they are to be reported.
	Properties []Property
	// Sources and Tool go into the certificate.
	Sources []cert.Source
	Tool    string
}

// Verify decides every obligation of a system. An error is a broken system or a solver that
// does not work at all; what could not be decided stands in the report.
func Verify(ctx context.Context, sys *ir.System, o Options) (*Report, error) {
	v, err := plan(ctx, sys, o, vc.New(sys), nil)
	if err != nil {
		return nil, err
	}
	if err := v.decide(); err != nil {
		return nil, err
	}
	if v, err = v.withFacts(); err != nil {
		return nil, err
	}
	if err := v.explained(); err != nil {
		return nil, err
	}
	v.fileDead()
	v.replays()
	if err := v.graphs(); err != nil {
		return nil, err
	}
	return v.report()
}

// plan begins a verification, given facts that the generator knows.
func plan(ctx context.Context, sys *ir.System, o Options, gen *vc.Generator, facts []vc.Fact) (*verifier, error) {
	v := &verifier{
		ctx: ctx, sys: sys, opts: o, gen: gen, facts: facts, bodies: map[*ir.Automaton]*vc.Body{},
		calls: effects.NewGraph(sys), counts: map[string]int{}, scenes: map[*obligation.Obligation]*Scene{},
		sites: map[*obligation.Obligation]*cert.Site{},
	}
	v.survey()
	return v, v.static()
}

// decide decides the conditions of bodies.
func (v *verifier) decide() error {
	v.invariants()
	v.totals()
	v.moves()
	v.ensures()
	v.deadCode()
	return v.discharged()
}

// verifier gathers the obligations of one run.
type verifier struct {
	ctx    context.Context
	sys    *ir.System
	opts   Options
	gen    *vc.Generator
	bodies map[*ir.Automaton]*vc.Body
	calls  *effects.Graph
	counts map[string]int // obligations so far by cell, handler and kind

	unknown   bool // some body holds a construct whose effects are not known: it might move any machine
	asksModel bool // some body asks a model

	scenesMu sync.Mutex
	scenes   map[*obligation.Obligation]*Scene

	facts    []vc.Fact            // which gen knows
	before   map[string]*decision // what was decided without facts, by name
	scouting bool                 // facts are labelled: which of them are of use?

	tasks     []*task
	decided   []*decision
	open      []*task      // with something left to explain
	posed     []facts.Open // where scouting
	list      []*obligation.Obligation
	sites     map[*obligation.Obligation]*cert.Site
	invs      []*invariantResult
	moveSites []*moveSite
	ensured   []*ensureSite
	machines  []*machineResult
	deadIn    []*deadResult // of the bodies that were looked at
}

// survey learns once what holds of all bodies together.
func (v *verifier) survey() {
	for _, c := range v.sys.Cells {
		for _, e := range effectsOf(c) {
			switch e := e.(type) {
			case *ir.Unknown:
				v.unknown = true
			case *ir.Act:
				v.asksModel = v.asksModel || e.Class == "model"
			}
		}
	}
}

// add files an obligation under a stable id.
func (v *verifier) add(ob *obligation.Obligation) *obligation.Obligation {
	v.number(ob)
	v.list = append(v.list, ob)
	return ob
}

// number gives an obligation its id, and tells the number in it.
func (v *verifier) number(ob *obligation.Obligation) int {
	handler := ob.Handler
	if handler == "" {
		handler = "-"
	}
	prefix := fmt.Sprintf("%s/%s/%s/", ob.Cell, handler, ob.Kind)
	v.counts[prefix]++
	ob.ID = prefix + strconv.Itoa(v.counts[prefix])
	return v.counts[prefix]
}

func (v *verifier) static() error {
	for _, ob := range v.opts.Static {
		if v.sys.Find(ob.Cell) == nil {
			return errStatic(ob.ID)
		}
		v.add(&ob)
	}
	for _, j := range v.opts.Limits {
		v.add(&j.Obligation)
	}
	return nil
}

func (v *verifier) body(a *ir.Automaton) *vc.Body {
	if b, ok := v.bodies[a]; ok {
		return b
	}
	b := v.gen.Body(a)
	v.bodies[a] = b
	return b
}

// position is where an effect stands: it is the i-th of an edge of a body.
type position struct {
	a       *ir.Automaton
	edge, i int
}

// effectsOf are the effects of a cell's bodies in the order of the system.
func effectsOf(c *ir.Cell) iter.Seq2[position, ir.Effect] {
	return func(yield func(position, ir.Effect) bool) {
		for _, a := range c.Automata {
			for n, edge := range a.Edges {
				for i, e := range edge.Effects {
					if !yield(position{a, n, i}, e) {
						return
					}
				}
			}
		}
	}
}
