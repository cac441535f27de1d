package proofs

import (
	"sort"

	"soma.cell/ctl"
	"soma.cell/proofs/obligation"
)

// Lines about machines: the picture, its edges, the properties of it.

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

// deadEnds are the reachable states with declared exits of which no run was seen to take any;
// when there are none, those that are reached in the picture alone and that nothing leaves.
func (mr *machineResult) deadEnds() []int {
	within := func(reached *ctl.Set, stays func(i int) bool) []int {
		var out []int
		for i := range reached.All() {
			if !mr.graphs.declared.Stutters(i) && stays(i) {
				out = append(out, i)
			}
		}
		return out
	}
	if out := within(mr.graphs.may.Reachable(), func(i int) bool { return !mr.graphs.left.Has(i) }); len(out) > 0 {
		return out
	}
	return within(mr.graphs.declared.Reachable(), mr.graphs.may.Stutters)
}

func (mr *machineResult) deadlockLines() []Line {
	r := mr.checks[len(mr.m.States)]
	if r.ob.Verdict == obligation.Proven {
		return []Line{line(Passed, lineNoDeadlock, r.ob)}
	}
	var lines []Line
	for _, i := range mr.deadEnds() {
		var exits []string
		for _, e := range mr.m.Edges {
			if e.From == mr.m.States[i] {
				exits = append(exits, e.From+" → "+e.To)
			}
		}
		l := line(Open, lineDeadlock(mr.m.States[i], exits, mr.graphs.may.Stutters(i)), r.ob)
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

// temporalBlock is what is said of the properties of a machine.
func (mr *machineResult) temporalBlock() Block {
	b := Block{Cell: mr.cell.Name, Machine: mr.m.Name}
	free := mr.checks[len(mr.m.States)]
	if free.ob.Verdict == obligation.Proven {
		b.Lines = append(b.Lines, line(Passed, lineDeadlockFree, free.ob))
	}
	for _, i := range mr.deadEnds() {
		b.Lines = append(b.Lines, line(Open, lineDeadlockOpen(mr.m.States[i], mr.graphs.may.Stutters(i)), free.ob))
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
