package cost

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/termination"
)

// outcome is what a call of an automaton may spend: when it returns, when it raises, and up to
// any place where the whole invocation may be given up. Returns is nil when it never does.
type outcome struct {
	returns *step
	raises  step
	peak    step
}

// body goes over one automaton.
type body struct {
	*analysis
	*ir.Automaton
	inTool bool
	values *values
	order  []ir.Loc // back edges apart, each location after its predecessors
	number []int    // of each location in that order
	from   [][]*ir.Edge
	loops  map[ir.Loc]*ir.Loop // by their heads
	rounds map[*ir.Loop]rounds
}

// rounds is how often a loop may go round.
type rounds struct {
	n     int64
	known bool
	// late says that even what lies behind the test may begin once more.
	late bool
}

func (s *analysis) bodyOf(a *ir.Automaton, inTool bool) *body {
	b := &body{analysis: s, Automaton: a, inTool: inTool, values: valuesOf(a, s.structural),
		from: make([][]*ir.Edge, a.Locs), loops: map[ir.Loc]*ir.Loop{}, rounds: map[*ir.Loop]rounds{}}
	waiting := make([]int, a.Locs)
	for _, e := range a.Edges {
		b.from[e.From] = append(b.from[e.From], e)
		if !e.Back {
			waiting[e.To]++
		}
	}
	for l, n := range waiting {
		if n == 0 {
			b.order = append(b.order, ir.Loc(l))
		}
	}
	for next := 0; next < len(b.order); next++ {
		for _, e := range b.from[b.order[next]] {
			if e.Back {
				continue
			}
			if waiting[e.To]--; waiting[e.To] == 0 {
				b.order = append(b.order, e.To)
			}
		}
	}
	b.number = make([]int, a.Locs)
	for n, l := range b.order {
		b.number[l] = n
	}
	for _, l := range a.Loops {
		b.loops[l.Head] = l
	}
	return b
}

// spending is the outcome of the body.
//
// The steps from the entry to each location are found in one pass in topological order. A loop
// is one node of it: its round, from the head to its back edges, is found first, in the same
// way, and what is spent at a location of the loop is what was spent before it, some rounds, and
// the way from the head. Cost: linear in the edges, times the depth of loops.
func (b *body) spending() outcome {
	at, _ := b.walk(ir.Entry, nil)
	out := outcome{raises: still(), peak: still()}
	for _, l := range b.order {
		for _, e := range b.from[l] {
			s, reached := b.before(at, e)
			if !reached {
				continue
			}
			end, peak := b.edge(e, s)
			out.peak = out.peak.or(peak)
			switch {
			case end == nil:
			case e.To == ir.Exit:
				out.returns = either(out.returns, *end)
			case e.To == ir.Raised:
				out.raises = out.raises.or(*end)
			}
		}
	}
	return out
}

func either(s *step, t step) *step {
	if s != nil {
		t = s.or(t)
	}
	return &t
}

// walk finds the steps from a location to those behind it, in the loop whose head it is or, from
// the entry, everywhere; and the step of a round. Locations that no path reaches are left out.
func (b *body) walk(start ir.Loc, loop *ir.Loop) (at map[ir.Loc]step, round *step) {
	in, order := func(ir.Loc) bool { return true }, b.order
	if loop != nil {
		in, order = within(loop), b.ordered(loop)
	}
	at = map[ir.Loc]step{start: still()}
	done := map[ir.Loc]bool{}
	follow := func(e *ir.Edge) {
		s, reached := b.before(at, e)
		if !reached || e.Back && e.To != start || !e.Back && !in(e.To) {
			return
		}
		end, _ := b.edge(e, s)
		switch {
		case end == nil:
		case e.Back:
			round = either(round, *end)
		default:
			if old, ok := at[e.To]; ok {
				*end = old.or(*end)
			}
			at[e.To] = *end
		}
	}
	for _, l := range order {
		if done[l] {
			continue
		}
		inner := b.loops[l]
		if _, reached := at[l]; !reached {
			continue
		}
		if inner == nil || inner == loop {
			for _, e := range b.from[l] {
				follow(e)
			}
			continue
		}
		for place, s := range b.around(inner, at[l]) {
			at[place] = s
		}
		inside := within(inner)
		for _, place := range inner.Body {
			done[place] = true
			for _, e := range b.from[place] {
				if !inside(e.To) {
					follow(e)
				}
			}
		}
	}
	return at, round
}

// ordered are the locations of a loop in topological order.
func (b *body) ordered(l *ir.Loop) []ir.Loc {
	locs := slices.Clone(l.Body)
	slices.SortFunc(locs, func(x, y ir.Loc) int { return b.number[x] - b.number[y] })
	return locs
}

func within(l *ir.Loop) func(ir.Loc) bool {
	return func(loc ir.Loc) bool {
		_, found := slices.BinarySearch(l.Body, loc)
		return found
	}
}

// around finds the steps to the locations of a loop that is entered after a step.
func (b *body) around(loop *ir.Loop, entered step) map[ir.Loc]step {
	way, round := b.walk(loop.Head, loop)
	all, fewer := still(), still() // the rounds before the test, and before what lies behind it
	if round != nil {
		r := b.roundsOf(loop, *round)
		switch {
		case !r.known:
			all = round.often(unknown(unboundedLoop, loop.Span))
			fewer = all
		case r.late:
			all = round.upTo(r.n)
			fewer = all
		default:
			all, fewer = round.upTo(r.n), round.upTo(max(0, r.n-1))
		}
	}
	early := b.beforeTest(loop)
	out := map[ir.Loc]step{}
	for l, s := range way {
		before := fewer
		if early[l] {
			before = all
		}
		out[l] = entered.then(before).then(s)
	}
	return out
}

// beforeTest are the locations of a loop that are reached without passing its test.
func (b *body) beforeTest(loop *ir.Loop) map[ir.Loc]bool {
	in := within(loop)
	early := map[ir.Loc]bool{loop.Head: true}
	work := []ir.Loc{loop.Head}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		if l == loop.Test {
			continue
		}
		for _, e := range b.from[l] {
			if in(e.To) && !early[e.To] {
				early[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return early
}

// roundsOf bounds the rounds of a loop. A measure is looked for only where rounds spend something.
func (b *body) roundsOf(loop *ir.Loop, round step) rounds {
	if r, ok := b.rounds[loop]; ok {
		return r
	}
	var r rounds
	switch {
	case loop.Bound != nil:
		r = rounds{n: *loop.Bound, known: true}
	case loop.Kind == ir.WhileLoop && round != still():
		if n, atTest, ok := termination.Rounds(b.Automaton, loop); ok && !b.structural {
			r = rounds{n, true, !atTest}
		}
	}
	b.rounds[loop] = r
	return r
}

// before is what was spent where an edge begins. The edge that raises loop_bound begins behind
// the test of its loop, but a round later: with no more spent than at the test.
func (b *body) before(at map[ir.Loc]step, e *ir.Edge) (step, bool) {
	s, reached := at[e.From]
	if !reached || !raisesBound(e) {
		return s, reached
	}
	for _, l := range b.Loops {
		if t, ok := at[l.Test]; ok && within(l)(e.From) && !within(l)(e.To) {
			s = s.or(t)
		}
	}
	return s, true
}

func raisesBound(e *ir.Edge) bool {
	return slices.ContainsFunc(e.Effects, func(f ir.Effect) bool {
		r, ok := f.(*ir.Raise)
		return ok && r.Kind == "loop_bound"
	})
}

// edge is what is spent behind an edge, nil when it is never passed, and at most on the way.
func (b *body) edge(e *ir.Edge, s step) (end *step, peak step) {
	peak = s
	if refuses(e) {
		s = s.then(b.refused(e.From))
		return &s, peak.or(s)
	}
	for _, f := range e.Effects {
		o := b.effect(f)
		peak = peak.or(s.then(o.peak))
		if o.returns == nil {
			return nil, peak
		}
		s = s.then(*o.returns)
	}
	return &s, peak.or(s)
}

func refuses(e *ir.Edge) bool {
	return slices.ContainsFunc(e.Effects, func(f ir.Effect) bool {
		r, ok := f.(*ir.Raise)
		return ok && r.Refusal
	})
}

// refused is what the effect beside a refusal may have spent when it is refused.
func (b *body) refused(at ir.Loc) step {
	s := still()
	for _, e := range b.from[at] {
		if len(e.Effects) > 0 && !refuses(e) {
			s = s.or(b.effect(e.Effects[0]).raises)
		}
	}
	return s
}

// effect is what an effect spends.
func (b *body) effect(f ir.Effect) outcome {
	quiet := still()
	nothing := outcome{&quiet, quiet, quiet}
	switch f := f.(type) {
	case *ir.Act:
		if !spends(f) {
			return nothing
		}
		return b.act(f)
	case *ir.Call:
		o := b.call(f.Handler, b.inTool, f.Span)
		if f.Optional {
			s := still()
			if o.returns != nil {
				s = o.returns.often(unknown(oftenCalled, f.Span))
			}
			return outcome{&s, s.then(o.raises), s.then(o.peak)}
		}
		return o
	case *ir.Unknown:
		if b.isQuietUnknown(f) {
			return nothing
		}
		s := anything(unknown(unknownEffect(f.Why), f.Span))
		return outcome{&s, s, s}
	}
	return nothing
}

// act is what an effect of the outside spends.
func (b *body) act(f *ir.Act) outcome {
	s := still()
	switch f.Class {
	case "model":
		return b.think(f)
	case "call":
		s = anything(unknown(computedDelegate, f.Span))
	case "budget":
		if b.structural {
			break
		}
		n := unknown(computedBudget, f.Span)
		if high, ok := b.values.upper(f.Args[0]); ok {
			n = number(max(0, high)).bounded()
		}
		set := budget(n, b.inTool)
		return outcome{&set, s, set.or(s)}
	case "net", "human", "sleep", "file":
		s.latency = b.values.wait(f)
	default:
		s = anything(unknown(unknownEffect(f.Builtin), f.Span))
	}
	return outcome{&s, s, s}
}

// think is a question: the model answers, or calls a tool and answers again, up to the rounds.
func (b *body) think(f *ir.Act) outcome {
	q := b.values.questionOf(f)
	answer := answers(q.tokens)
	answer.calls = number(1)
	first := answer
	first.latency = q.latency
	if n, known := q.rounds.Known(); len(q.tools) == 0 || known && n == 0 {
		return outcome{&first, first, first}
	}
	tools, peak := still(), still()
	for _, t := range q.tools {
		o := b.call(t, true, f.Span)
		if o.returns != nil {
			tools = tools.or(*o.returns)
		}
		tools, peak = tools.or(o.raises), peak.or(o.peak)
	}
	round := tools.then(answer)
	all, fewer := round.often(q.rounds), round.often(q.rounds)
	if n, ok := q.rounds.Known(); ok {
		all, fewer = round.upTo(n), round.upTo(n-1)
	}
	s := first.then(all)
	return outcome{&s, s, s.or(first.then(fewer).then(peak))}
}
