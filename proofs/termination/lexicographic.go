package termination

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Where no single measure falls in every round, a tuple may (Alias, Darte, Feautrier and Gonnord,
// SAS 2010). Its first part rises in no round, and falls and is tested in those that take certain
// edges, so these edges are taken finitely often: from some round on, the others alone. Its next
// part has to do with these only, and so on, until no way leads round. Values are compared at the
// head of the loop. Cost: a pass for each test and edge, for each part, up to maxTupleWork.

const maxTupleWork = maxWork / 16

// lexicographic looks for a tuple of measures of a while loop; nil when none is found.
func lexicographic(b *body, loop *ir.Loop) []measure {
	s := &search{body: b, loop: loop, inner: b.innerLocs(loop), within: b.within(loop), live: b.inside(loop)}
	s.cost = 1 + len(b.changed(s.live))
	s.exits = map[ir.Loc]int{}
	for _, e := range s.live {
		s.exits[e.From]++
	}
	var parts []measure
	for {
		s.states = s.flow(s.live, loop.Head, state{}, forward, s.within)
		end, again := s.closing(loop, s.live, s.states)
		if !again {
			return parts
		}
		if s.compared == nil {
			s.compared = s.comparisons()
		}
		m, ok := s.part(end)
		if !ok {
			return nil
		}
		parts = append(parts, m)
	}
}

type search struct {
	*body
	loop   *ir.Loop
	inner  map[ir.Loc]bool
	within []*ir.Loop
	live   []*ir.Edge // that rounds may take infinitely often
	states map[ir.Loc]state
	// compared are the flags that hold a comparison at the head.
	compared map[string]*term.Term
	exits    map[ir.Loc]int // how many edges leave a location, inside the loop
	cost     int            // of an edge in a pass
	work     int
}

// part finds the next part of the tuple, and drops the edges that it rules out.
func (s *search) part(end state) (measure, bool) {
	for _, test := range s.live {
		if s.inner[test.From] || s.states[test.From] == nil {
			continue
		}
		var candidates []measure
		for _, m := range append(flags(test.Guard), measures(test.Guard)...) {
			if m, ok := m.before(s.states[test.From]); ok && len(m.times) > 0 {
				candidates = append(candidates, m)
			}
		}
		candidates = append(candidates, s.told(test)...)
		if len(candidates) == 0 {
			continue
		}
		missed := s.missed(test)
		for _, m := range candidates {
			rise := m.rise(end.of, !missed(nil))
			if rise == nil || rise.Sign() > 0 {
				continue
			}
			n := len(s.live)
			s.live = slices.DeleteFunc(slices.Clone(s.live), func(e *ir.Edge) bool {
				return s.chosen(e) && !missed(e) && s.fallsVia(m, e)
			})
			if len(s.live) < n {
				return m, true
			}
		}
		if s.work > maxTupleWork {
			break
		}
	}
	return measure{}, false
}

// chosen tells whether a round takes the edge at most once, and may go another way.
func (s *search) chosen(e *ir.Edge) bool {
	return !s.inner[e.From] && s.states[e.From] != nil && (e.Guard.Op != term.OpTrue || s.exits[e.From] > 1)
}

// fallsVia tells whether a measure falls in each round that takes the edge.
func (s *search) fallsVia(m measure, e *ir.Edge) bool {
	if s.work += len(s.live) * s.cost; s.work > maxTupleWork {
		return false
	}
	first := s.along(s.states[e.From], e.Effects)
	if closes(s.loop, e) {
		return m.falls(first.of)
	}
	end, again := s.closing(s.loop, s.live, s.flow(s.live, e.To, first, forward, s.within))
	return again && m.falls(end.of)
}

// missed tells of an edge whether some round that takes it leaves out the test; of nil, whether
// some round does.
func (s *search) missed(test *ir.Edge) func(*ir.Edge) bool {
	s.work += len(s.live)
	onwards, backwards := map[ir.Loc][]ir.Loc{}, map[ir.Loc][]ir.Loc{}
	var ends []ir.Loc
	for _, e := range s.live {
		switch {
		case e == test:
		case closes(s.loop, e):
			ends = append(ends, e.From)
		case !e.Back:
			onwards[e.From] = append(onwards[e.From], e.To)
			backwards[e.To] = append(backwards[e.To], e.From)
		}
	}
	before, after := reached(onwards, s.loop.Head), reached(backwards, ends...)
	return func(e *ir.Edge) bool {
		if e == nil {
			return after[s.loop.Head]
		}
		return e != test && before[e.From] && (closes(s.loop, e) || after[e.To])
	}
}
