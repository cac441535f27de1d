package proofs

import (
	"fmt"
	"sort"

	"soma.cell/ir"
	"soma.cell/proofs/obligation"
	"soma.cell/smt/term"
)

// Lines about bodies: their ends, their moves, what they ask of a model.

// terminationLines speak of the ends of a cell's bodies.
func (v *verifier) terminationLines(c *ir.Cell) []Line {
	var open []Line
	var all []*obligation.Obligation
	structural := true
	for _, ob := range v.list {
		if ob.Kind != obligation.Termination || ob.Cell != c.Name {
			continue
		}
		all = append(all, ob)
		if ob.Verdict != obligation.Proven {
			l := line(Open, lineMayNotEnd(ob.Handler, ob.Reason), ob)
			l.Span = ob.Span
			open = append(open, l)
		}
		structural = structural && ob.Evidence.Class == obligation.KernelChecked
	}
	if len(all) == 0 || len(open) > 0 {
		return open
	}
	return []Line{line(Passed, lineTerminates(len(all), structural), all...)}
}

// refinementLines say which moves each handler makes, and where a move may be refused.
func (v *verifier) refinementLines(c *ir.Cell) []Line {
	var lines, remarks []Line
	for _, a := range c.Automata {
		var targets []string
		var open *moveSite
		unsourced := false
		var obs []*obligation.Obligation
		for _, s := range v.moveSites {
			if s.a != a || s.dead {
				continue
			}
			targets = append(targets, v.moveTargets(s)...)
			unsourced = unsourced || s.mv.From == nil
			if s.declared != nil {
				obs = append(obs, s.declared)
				if s.declared.Verdict != obligation.Proven {
					open = s
				}
			}
			if l, refused := v.refusedLine(s); refused {
				remarks = append(remarks, l)
			}
		}
		if len(targets) == 0 && open == nil {
			continue
		}
		if open == nil {
			lines = append(lines, line(Passed, lineRefinement(a.Name, distinct(targets)), obs...))
		} else {
			l := line(Open, lineRefinementOpen(a.Name, distinct(targets), open.declared.Reason), obs...)
			l.Span = open.mv.ToSpan
			if c := open.declared.Counter; c != nil {
				l.Details = detailCounter(c)
			}
			lines = append(lines, l)
		}
		if unsourced {
			remarks = append(remarks, line(Remarked, lineSources(a.Name)))
		}
	}
	return append(lines, remarks...)
}

// moveTargets are the moves of a site as the refinement line shows them.
func (v *verifier) moveTargets(s *moveSite) []string {
	suffix := ""
	if text := conditionText(s.conds); text != "" {
		suffix = " [if " + text + "]"
	}
	prefix := ""
	if s.mv.From != nil && s.mv.From.Op == term.OpString {
		prefix = s.mv.From.Name + " → "
	}
	if !s.computed() {
		return []string{prefix + s.mv.To.Name + suffix}
	}
	targets := append([]string(nil), s.targets...)
	sort.Strings(targets)
	for i, t := range targets {
		targets[i] = prefix + t + suffix
	}
	return targets
}

// refusedLine tells of a move with a declared source that can never be made.
func (v *verifier) refusedLine(s *moveSite) (Line, bool) {
	if s.mv.From == nil || s.mv.From.Op != term.OpString || s.computed() {
		return Line{}, false
	}
	m := v.sys.Find(s.mv.Cell).Machine
	n := m.Edge(s.mv.From.Name, s.mv.To.Name)
	if n < 0 || s.takes[n].verdict != obligation.Proven {
		return Line{}, false
	}
	l := line(Open, lineRefused(s.a.Name, s.mv.From.Name, s.mv.To.Name))
	l.Span = s.mv.Span
	return l, true
}

func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// effectLines tell where a cell's bodies ask a model.
func effectLines(c *ir.Cell) []Line {
	var lines []Line
	for _, a := range c.Automata {
		sites := map[string]map[string]bool{}
		tools := map[string]bool{}
		var builtins []string
		for _, e := range a.Edges {
			for _, eff := range e.Effects {
				act, ok := eff.(*ir.Act)
				if !ok || act.Class != "model" {
					continue
				}
				if sites[act.Builtin] == nil {
					sites[act.Builtin] = map[string]bool{}
					builtins = append(builtins, act.Builtin)
				}
				sites[act.Builtin][fmt.Sprintf("%s-%d", act.Span, act.Span.End)] = true
				for _, t := range act.Tools {
					tools[t.Handler] = true
				}
			}
		}
		var names []string
		for t := range tools {
			names = append(names, t)
		}
		sort.Strings(names)
		for _, b := range builtins {
			mark := Passed
			if len(names) > 0 {
				mark = Remarked
			}
			lines = append(lines, line(mark, lineThinks(a.Name, b, len(sites[b]), names)))
		}
	}
	return lines
}
