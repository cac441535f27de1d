// Package termination shows that bodies end.
//
// A body ends when its loops do, when what it calls ends, and when no call of it leads to an
// endless chain of calls of it. For loops run over finite collections, lambdas run once an
// element, and loop_bound is enforced; every other while loop, and every recursion, needs a
// measure: an Int that is bounded below and falls (measure.go), or several (lexicographic.go for
// loops, sizechange.go for calls). What the outside does is assumed to come back: a model's
// answer, a reply, a file, and the rounds of a model with tools, which are limited.
//
// Calls are those of the call graph: listeners, delegates, tools of a model and unknown effects
// count.
package termination

import (
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// Check gives one obligation for each automaton, in the order of the system, which must be
// valid. Bodies without unbounded loops and recursion, whose callees have none either, are
// proven by structure alone; where a measure was needed, the evidence is the engine's word and
// its data the measures, as one text.
func Check(s *ir.System) []obligation.Obligation {
	g := effects.NewGraph(s)
	verdicts := judge(g)
	var out []obligation.Obligation
	for _, c := range s.Cells {
		number := map[string]int{}
		for _, a := range c.Automata {
			number[a.Name]++
			o := obligation.Obligation{
				ID:      cert.ID(c.Name, a.Name, cert.Termination, number[a.Name]),
				Kind:    obligation.Termination,
				Cell:    c.Name,
				Handler: a.Name,
				Claim:   cert.ClaimTermination(a.Name),
				Span:    a.Span,
			}
			verdicts[g.Index(a)].fill(&o)
			out = append(out, o)
		}
	}
	return out
}

// verdict is what is known of one automaton. The zero value says that it ends by structure.
type verdict struct {
	open     string   // why it is not shown to end
	cause    string   // the same, said of the body that is the cause
	measures []string // of its own loops and recursion
	trusted  bool     // it rests on a measure, its own or a callee's
}

func (v verdict) fill(o *obligation.Obligation) {
	switch {
	case v.open != "":
		o.Reason = v.open
	case v.trusted:
		o.Verdict = obligation.Proven
		o.Evidence = obligation.Evidence{Class: obligation.EngineTrusted, Rule: string(cert.ByEngine), Data: v.data()}
	default:
		o.Verdict = obligation.Proven
		o.Evidence = obligation.Evidence{Class: obligation.KernelChecked, Rule: string(cert.ByTermination)}
	}
}

func (v verdict) data() string {
	if len(v.measures) == 0 {
		return measuresOfCallees
	}
	return strings.Join(v.measures, "; ")
}

// judge takes callees before callers.
func judge(g *effects.Graph) []verdict {
	verdicts := make([]verdict, len(g.Automata))
	components := g.Components()
	writes := writesOf(g)
	home := make([]int, len(g.Automata)) // the component of each automaton
	for n, component := range components {
		for _, i := range component {
			home[i] = n
		}
	}
	for _, component := range components {
		for _, i := range component {
			verdicts[i] = alone(g, g.Automata[i], writes)
		}
		if g.Recursive(component) {
			recursive(g, home, component, verdicts, writes)
		}
		for _, i := range component {
			verdicts[i].callees(g, home, i, verdicts)
		}
		spread(g, component, verdicts)
	}
	return verdicts
}

// alone judges a body without its callees.
func alone(g *effects.Graph, a *ir.Automaton, writes writes) verdict {
	var v verdict
	if unknown := g.Direct(a).Unknown; len(unknown) > 0 {
		v.leaveOpen(openUnknown(unknown[0]))
		return v
	}
	var b *body
	for _, l := range a.Loops {
		if l.Kind != ir.WhileLoop || l.Bound != nil {
			continue
		}
		if b == nil {
			b = bodyOf(a, writes)
		}
		measure, ok := rankLoop(b, l)
		if !ok {
			v.leaveOpen(openLoop(l))
			return v
		}
		v.trust(measure)
	}
	return v
}

func (v *verdict) leaveOpen(why string) { v.open, v.cause = why, why }

func (v *verdict) trust(measure string) {
	v.trusted = true
	if !slices.Contains(v.measures, measure) {
		v.measures = append(v.measures, measure)
	}
}

// recursive judges automata that may come to call themselves, perhaps through each other.
func recursive(g *effects.Graph, home []int, component []int, verdicts []verdict, writes writes) {
	var texts []string
	r, ok := recursionOf(g, component, writes)
	if ok {
		texts, ok = r.ends()
	}
	for n, i := range component {
		v := &verdicts[i]
		switch {
		case v.open != "":
		case ok:
			v.trust(texts[n])
		case len(component) == 1:
			v.leaveOpen(openSelfCalls(g.Automata[i], r))
		default:
			if path := cycle(g, home, i); path != nil {
				v.leaveOpen(openCycle(names(g, path)))
			} else {
				v.leaveOpen(openLongCycle)
			}
		}
	}
}

// spread says of automata that may start each other that one which is open leaves all open.
func spread(g *effects.Graph, component []int, verdicts []verdict) {
	open := slices.IndexFunc(component, func(i int) bool { return verdicts[i].open != "" })
	if open < 0 {
		return
	}
	of := component[open]
	for _, i := range component {
		if v := &verdicts[i]; v.open == "" {
			v.cause = verdicts[of].cause
			v.open = openCallee(g.Automata[of], v.cause)
		}
	}
}

// callees takes over what is open or trusted in the automata that this one may start.
func (v *verdict) callees(g *effects.Graph, home []int, i int, verdicts []verdict) {
	for _, c := range g.Callees[i] {
		if home[c] == home[i] {
			continue
		}
		if v.open == "" && verdicts[c].open != "" {
			v.cause = verdicts[c].cause
			v.open = openCallee(g.Automata[c], v.cause)
		}
		v.trusted = v.trusted || verdicts[c].trusted
	}
}

// maxSearch bounds how many automata are looked at to show a cycle: each of a large component
// looks for its own.
const maxSearch = 100

// cycle is a shortest chain of calls from an automaton back to itself, inside its component; nil
// when none is near.
func cycle(g *effects.Graph, home []int, start int) []int {
	before := map[int]int{}
	queue := []int{start}
	for next := 0; next < len(queue) && next < maxSearch; next++ {
		for _, c := range g.Callees[queue[next]] {
			if c == start {
				path := []int{start}
				for at := queue[next]; at != start; at = before[at] {
					path = append(path, at)
				}
				path = append(path, start)
				slices.Reverse(path)
				return path
			}
			if _, seen := before[c]; !seen && home[c] == home[start] {
				before[c] = queue[next]
				queue = append(queue, c)
			}
		}
	}
	return nil
}

func names(g *effects.Graph, path []int) (out []string) {
	cell := g.Automata[path[0]].Cell
	for _, i := range path {
		name := g.Automata[i].Name
		if c := g.Automata[i].Cell; c != cell {
			name = c + "." + name
		}
		out = append(out, name)
	}
	return out
}
