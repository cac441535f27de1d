package proofs

import (
	"fmt"
	"sort"
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/obligation"
	"soma.cell/smt/term"
)

// report gathers the verdicts into lines, and everything into a certificate.
func (v *verifier) report() (*Report, error) {
	r := &Report{}
	for _, c := range v.sys.Cells {
		if b := v.machineBlock(c); len(b.Lines) > 0 {
			r.Machines = append(r.Machines, b)
		}
		if b := v.invariantBlock(c); len(b.Lines) > 0 {
			r.Invariants = append(r.Invariants, b)
		}
	}
	for _, mr := range v.machines {
		r.Temporal = append(r.Temporal, mr.temporalBlock())
	}
	for _, ob := range v.list {
		r.Obligations = append(r.Obligations, *ob)
	}
	var err error
	r.Certificate, err = v.certificate()
	return r, err
}

func (v *verifier) machineOf(c *ir.Cell) *machineResult {
	for _, mr := range v.machines {
		if mr.cell == c {
			return mr
		}
	}
	return nil
}

// machineBlock is what is said of a cell's machine and bodies.
func (v *verifier) machineBlock(c *ir.Cell) Block {
	b := Block{Cell: c.Name}
	mr := v.machineOf(c)
	if mr != nil {
		b.Machine, b.Initial = mr.m.Name, mr.m.Initial
		b.States = append([]string(nil), mr.m.States...)
		sort.Strings(b.States)
		b.Lines = append(b.Lines, mr.pictureLines()...)
		b.Lines = append(b.Lines, mr.edgeLines()...)
		b.Lines = append(b.Lines, v.isolationLines(mr)...)
	}
	b.Lines = append(b.Lines, v.terminationLines(c)...)
	b.Lines = append(b.Lines, v.refinementLines(c)...)
	b.Lines = append(b.Lines, effectLines(c)...)
	for _, choice := range v.opts.Choices {
		if choice.Cell == c.Name {
			b.Lines = append(b.Lines, Line{Mark: Remarked, Text: lineChoice(choice.Text), Span: choice.Span})
		}
	}
	return b
}

func line(mark Mark, text string, obs ...*obligation.Obligation) Line {
	l := Line{Mark: mark, Text: text}
	for _, ob := range obs {
		l.Obligations = append(l.Obligations, ob.ID)
		l.Limited = l.Limited || mark == Open && ob.Limited
	}
	return l
}

// pictureLines speak of the machine as declared: reachability, ends, deadlocks, liveness.
func (mr *machineResult) pictureLines() []Line {
	m := mr.m
	lines := []Line{line(Passed, lineSize(m))}
	lines = append(lines, mr.reachLines()...)
	var terminal []string
	for i, s := range m.States {
		if mr.graphs.declared.Stutters(i) {
			terminal = append(terminal, s)
		}
	}
	sort.Strings(terminal)
	if len(terminal) > 0 {
		lines = append(lines, line(Passed, lineTerminal(terminal)))
	} else {
		lines = append(lines, line(Remarked, lineTerminal(nil)))
	}
	lines = append(lines, mr.deadlockLines()...)
	return append(lines, mr.liveLine(len(terminal) > 0))
}

func (mr *machineResult) reachLines() []Line {
	var open []Line
	var all []*obligation.Obligation
	may := mr.graphs.may.Reachable()
	for i, s := range mr.m.States {
		r := mr.checks[i]
		all = append(all, r.ob)
		switch r.ob.Verdict {
		case obligation.Proven:
		case obligation.Refuted:
			open = append(open, line(Failed, lineUnreachable(mr.m, s), r.ob))
		default:
			open = append(open, line(Open, lineNotReached(mr.m, s, !may.Has(i)), r.ob))
		}
	}
	if len(open) == 0 {
		return []Line{line(Passed, lineReachable(mr.m), all...)}
	}
	return open
}

// stuck are the reachable states with declared exits of which no handler can take any.
func (mr *machineResult) stuck() []int {
	var out []int
	for i := range mr.graphs.may.Reachable().All() {
		if !mr.graphs.declared.Stutters(i) && mr.graphs.may.Stutters(i) {
			out = append(out, i)
		}
	}
	return out
}

func (mr *machineResult) deadlockLines() []Line {
	r := mr.checks[len(mr.m.States)]
	if r.ob.Verdict == obligation.Proven {
		return []Line{line(Passed, lineNoDeadlock, r.ob)}
	}
	var lines []Line
	for _, i := range mr.stuck() {
		var exits []string
		for _, e := range mr.m.Edges {
			if e.From == mr.m.States[i] {
				exits = append(exits, e.From+" → "+e.To)
			}
		}
		l := line(Open, lineDeadlock(mr.m.States[i], exits), r.ob)
		l.Span = mr.m.Span
		lines = append(lines, l)
	}
	return lines
}

func (mr *machineResult) liveLine(terminal bool) Line {
	r := mr.checks[len(mr.m.States)+1]
	switch r.ob.Verdict {
	case obligation.Proven:
		return line(Passed, lineLive(terminal, mr.m), r.ob)
	case obligation.Refuted:
		mark := Failed
		if !terminal {
			mark = Open
		}
		l := line(mark, lineNotLive(terminal, mr.m, ""), r.ob)
		l.Details = mr.traceDetails(r)
		return l
	}
	l := line(Open, lineNotLive(terminal, mr.m, r.ob.Reason), r.ob)
	l.Details = mr.traceDetails(r)
	return l
}

func (mr *machineResult) traceDetails(r *propertyResult) []string {
	if r.trace == nil {
		return nil
	}
	out := []string{detailPath(mr.names(r.trace.Prefix), mr.names(r.trace.Loop))}
	if r.trace.Closed != nil {
		var closed []int
		for s := range r.trace.Closed.All() {
			closed = append(closed, s)
		}
		names := mr.names(closed)
		sort.Strings(names)
		out = append(out, detailClosed(names))
	}
	return out
}

// edgeLines name the declared edges that no handler takes.
func (mr *machineResult) edgeLines() []Line {
	var lines []Line
	for i, e := range mr.m.Edges {
		ob := mr.taken[i]
		switch ob.Verdict {
		case obligation.Proven:
		case obligation.Refuted:
			l := line(Open, lineEdgeDead(e), ob)
			l.Span = e.Span
			lines = append(lines, l)
		default:
			l := line(Remarked, lineEdgeUnseen(e, ob.Reason), ob)
			if ob.Limited {
				l.Mark, l.Limited = Open, true
			}
			lines = append(lines, l)
		}
	}
	return lines
}

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

// invariantBlock is what is said of a cell's memory rules.
func (v *verifier) invariantBlock(c *ir.Cell) Block {
	b := Block{Cell: c.Name}
	for _, r := range c.Rules {
		if breaksEmpty(r) {
			l := line(Open, lineBase(r.Text))
			l.Span = r.Span
			b.Lines = append(b.Lines, l)
		}
		for _, res := range v.invs {
			if res.rule == r && res.cell == c {
				b.Lines = append(b.Lines, v.invariantLine(res))
			}
		}
	}
	return b
}

// breaksEmpty tells whether a rule on entry counts fails where there are none.
func breaksEmpty(r *ir.Rule) bool {
	if !r.Size {
		return false
	}
	zero := term.Subst(r.Cond, func(x *term.Term) *term.Term {
		if strings.HasSuffix(x.Name, "#") {
			return term.Int64(0)
		}
		return nil
	})
	return zero == term.False
}

func (v *verifier) invariantLine(res *invariantResult) Line {
	ob := res.ob
	place := ""
	if v.writesTwice(res) {
		place = fmt.Sprintf(" (line %d)", ob.Span.From().Line)
	}
	rule, handler := res.rule.Text, ob.Handler
	var l Line
	switch {
	case ob.Verdict == obligation.Proven && res.dead:
		l = line(Passed, lineInvariantDead(rule, handler, place), ob)
	case ob.Verdict == obligation.Proven:
		l = line(Passed, lineInvariant(rule, handler, place, res.writes), ob)
	case res.literal && !res.inTry:
		l = line(Failed, lineInvariantBroken(rule, handler, place, res.writes, false), ob)
	case res.literal:
		l = line(Open, lineInvariantBroken(rule, handler, place, res.writes, true), ob)
	case ob.Verdict == obligation.RuntimeChecked:
		l = line(Open, lineInvariantOpen(rule, handler, place, ob.Reason, res.writes), ob)
	default:
		l = line(Open, lineInvariantUnknown(rule, handler, place, ob.Reason), ob)
	}
	if l.Mark != Passed {
		l.Span = ob.Span
		if ob.Counter != nil {
			l.Details = detailCounter(ob.Counter)
		}
	}
	return l
}

// writesTwice tells whether a handler has several effects that a rule judges.
func (v *verifier) writesTwice(res *invariantResult) bool {
	n := 0
	for _, o := range v.invs {
		if o.rule == res.rule && o.ob.Cell == res.ob.Cell && o.ob.Handler == res.ob.Handler {
			n++
		}
	}
	return n > 1
}

// temporalBlock is what is said of the properties of a machine.
func (mr *machineResult) temporalBlock() Block {
	b := Block{Cell: mr.cell.Name, Machine: mr.m.Name}
	free := mr.checks[len(mr.m.States)]
	if free.ob.Verdict == obligation.Proven {
		b.Lines = append(b.Lines, line(Passed, lineDeadlockFree, free.ob))
	}
	for _, i := range mr.stuck() {
		b.Lines = append(b.Lines, line(Open, lineDeadlockOpen(mr.m.States[i]), free.ob))
	}
	for _, r := range mr.asked {
		b.Lines = append(b.Lines, mr.propertyLine(r))
	}
	return b
}

func (mr *machineResult) propertyLine(r *propertyResult) Line {
	switch {
	case r.ob.Verdict == obligation.Refuted:
		l := line(Failed, lineProperty(r.title, reasonFails), r.ob)
		l.Details = mr.traceDetails(r)
		return l
	case r.vacuous:
		return line(Open, lineProperty(r.title, reasonVacuous), r.ob)
	case r.ob.Verdict == obligation.Proven:
		return line(Passed, lineProperty(r.title, r.why()), r.ob)
	}
	l := line(Open, lineProperty(r.title, r.ob.Reason), r.ob)
	l.Details = mr.traceDetails(r)
	return l
}
