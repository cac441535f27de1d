package proofs

import (
	"strings"

	"soma.cell/ctl"
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// machineResult is a machine with its three graphs and what was decided on them.
//
// The declared graph is the picture. The may-graph drops the edges that no body can take,
// and so over-approximates what the program does. The must-graph keeps the edges that a run
// was seen to take, and so under-approximates it.
type machineResult struct {
	cell     *ir.Cell
	m        *ir.Machine
	taken    []*obligation.Obligation // one a declared edge
	index    map[string]int           // of states, in the order of the machine
	graphs   graphs
	isolated *obligation.Obligation
	// mayClass is the class of the weakest evidence that an edge is missing from the may-graph.
	mayClass obligation.Class
	checks   []*propertyResult // the machine checks
	asked    []*propertyResult // the properties somebody asked for
}

// graphs are the three graphs as Kripke structures, made so that what holds of them holds of
// every program between the must-graph and the may-graph. held is the may-graph with a loop
// at each state from which no run was seen to go on: the program may stop there. must has one
// state more, in which nothing holds: a state from which no run was seen to go on, though one
// might, leads there, since the program may not stay in it.
type graphs struct {
	declared, may, held, must *ctl.Structure
	left                      *ctl.Set // the states that a run was seen to leave
}

// graphs decides which edges are taken, builds the graphs and evaluates the properties.
func (v *verifier) graphs() error {
	runs, err := v.runs()
	if err != nil {
		return err
	}
	for _, c := range v.sys.Cells {
		if c.Machine == nil {
			continue
		}
		mr := &machineResult{cell: c, m: c.Machine, index: map[string]int{}, mayClass: obligation.KernelChecked}
		for i, s := range c.Machine.States {
			mr.index[s] = i
		}
		v.machines = append(v.machines, mr)
		v.edgesTaken(mr, runs)
		if err := mr.build(); err != nil {
			return err
		}
		v.isolation(mr)
		if err := v.properties(mr); err != nil {
			return err
		}
	}
	return nil
}

// edgesTaken gives each declared edge its verdict: proven by a run, refuted when no move can
// take it, else unknown.
func (v *verifier) edgesTaken(mr *machineResult, runs map[Edge]*cert.Run) {
	for i, e := range mr.m.Edges {
		ob := v.add(&obligation.Obligation{
			Kind: obligation.EdgeTaken, Cell: mr.cell.Name, Span: e.Span,
			Claim: cert.ClaimEdgeTaken(mr.m.Name, e.From, e.To),
		})
		mr.taken = append(mr.taken, ob)
		if run := runs[Edge{mr.cell.Name, e.From, e.To}]; run != nil {
			ob.Verdict = obligation.Proven
			ob.Evidence = obligation.Evidence{Class: obligation.EngineTrusted, Rule: string(cert.ByRun), Data: run}
			continue
		}
		v.neverTaken(mr, i, ob)
	}
}

// neverTaken gathers the conditions of all moves of the machine into one refutation of an
// edge.
func (v *verifier) neverTaken(mr *machineResult, edge int, ob *obligation.Obligation) {
	class := obligation.KernelChecked
	cases := &cert.Cases{}
	for _, s := range v.moveSites {
		if s.mv.Cell != mr.cell.Name {
			continue
		}
		a := s.takes[edge]
		switch a.verdict {
		case obligation.Proven:
			class = obligation.Weaker(class, a.class)
			cases.Cases = append(cases.Cases, v.caseOf(s, a))
		case obligation.Unknown:
			ob.Reason, ob.Limited = a.reason, true
			return
		default:
			ob.Reason = noRunFound
			return
		}
	}
	if v.unknown {
		ob.Reason = unknownConstruct
		return
	}
	ob.Verdict = obligation.Refuted
	ob.Reason = noHandlerTakes
	ob.Evidence = obligation.Evidence{Class: class, Rule: string(cert.ByCases), Data: cases}
	mr.mayClass = obligation.Weaker(mr.mayClass, class)
}

func (v *verifier) caseOf(s *moveSite, a answer) cert.Case {
	return cert.Case{Site: *v.site(s.position), Rule: a.rule, Refutation: a.refuted, Script: a.script}
}

// build makes the Kripke structures.
func (mr *machineResult) build() error {
	var err error
	n := len(mr.m.States)
	build := func(states int, keep func(edge int) bool, hold func(state string, i int) int) *ctl.Structure {
		b := ctl.NewBuilder(states)
		for i, e := range mr.m.Edges {
			if keep(i) {
				b.AddEdge(mr.index[e.From], mr.index[e.To])
			}
		}
		for i, s := range mr.m.States {
			if to := hold(s, i); to >= 0 {
				b.AddEdge(i, to)
			}
		}
		b.AddInitial(mr.index[mr.m.Initial])
		s, e := b.Build()
		if e != nil && err == nil {
			err = e
		}
		return s
	}
	may := func(i int) bool { return mr.taken[i].Verdict != obligation.Refuted }
	must := func(i int) bool { return mr.taken[i].Verdict == obligation.Proven }
	exits := func(keep func(int) bool) map[string]bool {
		out := map[string]bool{}
		for i, e := range mr.m.Edges {
			out[e.From] = out[e.From] || keep(i)
		}
		return out
	}
	mayExit, mustExit := exits(may), exits(must)
	mr.graphs.left = mr.where(func(i int) bool { return mustExit[mr.m.States[i]] })
	never := func(string, int) int { return -1 }
	mr.graphs.declared = build(n, func(int) bool { return true }, never)
	mr.graphs.may = build(n, may, never)
	mr.graphs.held = build(n, may, func(s string, i int) int {
		if mustExit[s] {
			return -1
		}
		return i
	})
	mr.graphs.must = build(n+1, must, func(s string, i int) int {
		if mustExit[s] || !mayExit[s] {
			return -1
		}
		return n
	})
	return err
}

// atoms are the atomic propositions that formulas name: states, alone or qualified, and those
// of the machine checks.
func (mr *machineResult) atoms(formulas ...*ctl.Formula) map[string]*ctl.Set {
	n := len(mr.m.States)
	out := map[string]*ctl.Set{}
	for _, f := range formulas {
		for _, name := range f.Atoms() {
			switch name {
			case cert.AtomStuck:
				out[name] = mr.where(func(i int) bool { return !mr.graphs.declared.Stutters(i) && mr.graphs.may.Stutters(i) })
			case cert.AtomTerminal:
				out[name] = mr.where(mr.graphs.declared.Stutters)
			case cert.AtomInitial:
				out[name] = ctl.SetOf(n, mr.index[mr.m.Initial])
			default:
				state := strings.TrimPrefix(strings.TrimPrefix(name, mr.cell.Name+"."), mr.m.Name+".")
				if i, ok := mr.index[state]; ok {
					out[name] = ctl.SetOf(n, i)
				}
			}
		}
	}
	return out
}

func (mr *machineResult) where(holds func(state int) bool) *ctl.Set {
	s := ctl.NewSet(len(mr.m.States))
	for i := range mr.m.States {
		if holds(i) {
			s.Add(i)
		}
	}
	return s
}
