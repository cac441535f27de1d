package termination

import (
	"math/big"
	"slices"

	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/smt/term"
)

// The measures of a recursion are of the parameters at the entry of a handler. A test that every
// way from the entry to a call passes gives one, and so does the measure of a callee, said of the
// caller's parameters by way of the arguments. How measures change from call to call is a
// size-change graph (sizechange.go).

const (
	maxCircle     = 24 // automata that may start each other
	maxCandidates = 24 // measures of an automaton that are looked at
	maxMeasures   = 12 // measures of an automaton that are followed
)

// recursion is a set of automata that may start each other.
type recursion struct {
	bodies []*body
	calls  []*call // inside the set, of those that some path reaches
	large  bool    // too large to search
}

// call is a call from one automaton of the set to another. What the model starts has no
// arguments that are known.
type call struct {
	from, to int
	edge     *ir.Edge
	at       int // the effect
	call     *ir.Call
	now      state     // before it, over the values at the entry
	tests    []measure // passed before it, over the values at the entry
}

// recursionOf lists the calls of a component; ok is false where there are more than it lists: some
// are not known, or the bodies are too large to search.
func recursionOf(g *effects.Graph, component []int, writes writes) (r *recursion, ok bool) {
	r = &recursion{}
	if len(component) > maxCircle {
		return r, false
	}
	position := map[ir.HandlerRef]int{}
	for n, i := range component {
		if a := g.Automata[i]; a.Kind == ir.Handler {
			position[a.Ref()] = n
		}
	}
	work := 0
	for n, i := range component {
		b := bodyOf(g.Automata[i], writes)
		if len(g.Direct(b.Automaton).Unknown) > 0 {
			return r, false
		}
		calls := callsWithin(b, n, position)
		if work += callsWork(b, calls); work > maxWork {
			r.calls, r.large = calls, true
			return r, false
		}
		states := b.flow(b.Edges, ir.Entry, state{}, forward, b.Loops)
		for _, c := range calls {
			if states[c.edge.From] == nil {
				continue
			}
			c.now = b.along(states[c.edge.From], c.edge.Effects[:c.at])
			c.tests = testsBefore(b, c.edge, states)
			r.calls = append(r.calls, c)
		}
		r.bodies = append(r.bodies, b)
	}
	return r, true
}

func callsWithin(b *body, from int, position map[ir.HandlerRef]int) (calls []*call) {
	for _, e := range b.Edges {
		for at, f := range e.Effects {
			switch f := f.(type) {
			case *ir.Call:
				if to, ok := position[f.Handler]; ok {
					calls = append(calls, &call{from: from, to: to, edge: e, at: at, call: f})
				}
			case *ir.Act:
				for _, h := range f.Tools {
					if to, ok := position[h]; ok {
						calls = append(calls, &call{from: from, to: to, edge: e, at: at})
					}
				}
			}
		}
	}
	return calls
}

// callsWork is about how many steps it takes to know what holds at calls.
func callsWork(b *body, calls []*call) int {
	tests := 0
	for _, e := range b.Edges {
		if e.Guard != term.True {
			tests++
		}
	}
	return len(b.Edges) * (len(b.Vars) + len(calls)*tests)
}

// testsBefore are the candidates that every way from the entry to an edge has tested, the edge's
// own among them, as sums over the values at the entry.
func testsBefore(b *body, edge *ir.Edge, states map[ir.Loc]state) (out []measure) {
	any := func(*ir.Edge) bool { return true }
	goal := func(e *ir.Edge) bool { return e == edge }
	for _, e := range b.Edges {
		candidates := measures(e.Guard)
		if len(candidates) == 0 || states[e.From] == nil || avoidable(b.Edges, ir.Entry, e, any, goal) {
			continue
		}
		for _, m := range candidates {
			if m, ok := m.before(states[e.From]); ok && len(m.times) > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

// arguments gives what a call hands over; ok is false where that is not known.
func (c *call) arguments(callee *body) (args []*term.Term, ok bool) {
	if c.call == nil || c.call.Optional || len(c.call.Args) != len(callee.Params) {
		return nil, false
	}
	return c.call.Args, true
}

// pulled is a measure of a callee over the caller's values at its entry: the callee's is at most
// that where the parameters named in positive were at least 1.
type pulled struct {
	linear
	positive []string
}

// pull says a measure of a callee over the caller's parameters.
func (r *recursion) pull(c *call, m measure) (out pulled, ok bool) {
	caller, callee := r.bodies[c.from], r.bodies[c.to]
	args, ok := c.arguments(callee)
	if !ok {
		return out, false
	}
	out.linear = linearOf(term.Int64(0))
	out.constant.Set(m.constant)
	for _, key := range m.keys() {
		atom, times := m.atoms[key], m.times[key]
		if atom.Op != term.OpVar {
			old := substituted(atom, c, caller, callee, args)
			if old == nil {
				return out, false
			}
			out.addAtom(old, times)
			continue
		}
		k := parameter(callee, atom.Name)
		if k < 0 {
			return out, false
		}
		s := c.now.eval(args[k])
		if s == nil {
			return out, false
		}
		_, high := s.times(times)
		if high == nil {
			return out, false
		}
		out.constant.Add(out.constant, high)
		if s.base == "" {
			continue
		}
		if p := parameter(caller, s.base); p < 0 || caller.Params[p].Sort.Kind != term.KindInt {
			return out, false
		}
		if s.positive {
			if times.Sign() < 0 {
				return out, false
			}
			out.positive = append(out.positive, s.base)
		}
		out.addAtom(term.Var(s.base, term.Int), times)
	}
	return out, true
}

func parameter(b *body, name string) int {
	return slices.IndexFunc(b.Params, func(p *term.Term) bool { return p.Name == name })
}

// substituted is an atom that is no variable, over the caller's parameters that are handed over
// as they are; nil where some are not. Between two handlers, what a list holds may be converted,
// but not how much: only its length is the same.
func substituted(atom *term.Term, c *call, caller, callee *body, args []*term.Term) *term.Term {
	if c.from != c.to && !(atom.Op == term.OpApp && atom.Name == "len" && atom.Args[0].Op == term.OpVar) {
		return nil
	}
	same := true
	old := term.Subst(atom, func(v *term.Term) *term.Term {
		k := parameter(callee, v.Name)
		if k < 0 {
			same = false
			return nil
		}
		s := c.now.eval(args[k])
		if !s.exact() {
			same = false
			return nil
		}
		p := parameter(caller, s.base)
		if p < 0 || !caller.Params[p].Sort.Same(v.Sort) || c.from == c.to && p != k {
			same = false
			return nil
		}
		return caller.Params[p]
	})
	if !same {
		return nil
	}
	return old
}

// candidates are measures of each automaton: those of the tests of the root first, carried along
// the calls against their direction, then those of the tests of the others. Of measures that
// differ by a constant the first is kept, so that the constants fit along the calls.
func (r *recursion) candidates(root int) [][]measure {
	out := make([][]measure, len(r.bodies))
	type found struct {
		at int
		m  measure
	}
	var queue []found
	add := func(at int, m measure) {
		for _, old := range out[at] {
			if old.parallel(&m.linear) {
				return
			}
		}
		if len(out[at]) < maxCandidates {
			out[at] = append(out[at], m)
			queue = append(queue, found{at, m})
		}
	}
	for n := range r.bodies {
		at := (root + n) % len(r.bodies)
		for _, c := range r.calls {
			if c.from != at {
				continue
			}
			for _, t := range c.tests {
				add(at, measure{linear: t.linear})
			}
		}
		for len(queue) > 0 {
			next := queue[0]
			queue = queue[1:]
			for _, c := range r.calls {
				if c.to != next.at {
					continue
				}
				if p, ok := r.pull(c, next.m); ok && len(p.times) > 0 {
					add(c.from, measure{linear: p.linear})
				}
			}
		}
	}
	return out
}

// arcs is the size-change graph of a call.
func (r *recursion) arcs(c *call, measures [][]measure) graph {
	g := newGraph(c.from, c.to, len(measures[c.from]), len(measures[c.to]))
	for j, m := range measures[c.to] {
		p, ok := r.pull(c, m)
		if !ok || !c.positive(p.positive) {
			continue
		}
		for i, before := range measures[c.from] {
			least := c.least(before)
			rise := new(big.Int)
			switch {
			case before.parallel(&p.linear):
				rise.Sub(p.constant, before.constant)
			case len(p.times) == 0 && least != nil:
				rise.Sub(p.constant, least)
			default:
				continue
			}
			if rise.Sign() > 0 {
				continue
			}
			how := arc(0)
			if rise.Sign() < 0 {
				how |= falls
			}
			if least != nil {
				how |= bounded
			}
			g.add(i, j, how)
		}
	}
	return g
}

// least is what a measure is at least where the call is made, nil when no test says it.
func (c *call) least(m measure) (least *big.Int) {
	for _, t := range c.tests {
		if !t.parallel(&m.linear) {
			continue
		}
		low := new(big.Int).Sub(big.NewInt(t.low), t.constant)
		low.Add(low, m.constant)
		if least == nil || low.Cmp(least) > 0 {
			least = low
		}
	}
	return least
}

// positive tells whether each of the parameters was tested to be at least 1.
func (c *call) positive(names []string) bool {
	for _, name := range names {
		key := term.Var(name, term.Int).Text()
		if !slices.ContainsFunc(c.tests, func(t measure) bool { return t.times[key] != nil && t.keepsPositive(key) }) {
			return false
		}
	}
	return true
}

// ends looks for measures by which no chain of calls is endless, and tells them for each
// automaton; ok is false when none are found.
func (r *recursion) ends() (texts []string, ok bool) {
	work := maxWork
	for root := range r.bodies {
		measures := r.followed(r.candidates(root))
		graphs := make([]graph, len(r.calls))
		for i, c := range r.calls {
			graphs[i] = r.arcs(c, measures)
		}
		descents, ok := descents(graphs, &work)
		if !ok {
			continue
		}
		for n, b := range r.bodies {
			texts = append(texts, wayRound(b.Automaton, measures[n], descents[n], around(graphs, n)))
		}
		return texts, true
	}
	return nil, false
}

// around are the graphs of the calls from an automaton and to it.
func around(calls []graph, n int) (out []graph) {
	for _, g := range calls {
		if g.from == n || g.to == n {
			out = append(out, g)
		}
	}
	return out
}

// followed leaves out measures that have no part in an endless chain: those from which, or to
// which, no arc leads.
func (r *recursion) followed(measures [][]measure) [][]measure {
	for {
		in, out := make([]map[int]bool, len(measures)), make([]map[int]bool, len(measures))
		for n := range measures {
			in[n], out[n] = map[int]bool{}, map[int]bool{}
		}
		for _, c := range r.calls {
			g := r.arcs(c, measures)
			for i := range measures[c.from] {
				for j := range measures[c.to] {
					if g.has(i, j) {
						out[c.from][i], in[c.to][j] = true, true
					}
				}
			}
		}
		left := make([][]measure, len(measures))
		changed := false
		for n, list := range measures {
			for i, m := range list {
				if in[n][i] && out[n][i] {
					left[n] = append(left[n], m)
				} else {
					changed = true
				}
			}
		}
		if !changed {
			for n := range left {
				left[n] = left[n][:min(len(left[n]), maxMeasures)]
			}
			return left
		}
		measures = left
	}
}
