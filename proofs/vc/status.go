package vc

import (
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Rules about the state of a machine are judged at its moves, too.

// aboutState tells whether a rule is judged at moves, in a form the terms capture.
func aboutState(r *ir.Rule) bool {
	return r.Status && r.Abstract == "" && !r.Total && !r.Size
}

// lasts tells whether the entries that a rule speaks of stay until something judged removes them.
func lasts(c *ir.Cell, r *ir.Rule) bool {
	for _, g := range r.Guards {
		for _, a := range c.Slot(g).Attrs {
			if a == "ephemeral" || strings.HasPrefix(a, "ttl") || strings.HasPrefix(a, "capacity") {
				return false
			}
		}
	}
	return true
}

// move judges source, edge and guard, then the rules about the state, then moves.
func (s *step) move(e *ir.Move) {
	s.mayMove(e)
	c, st := s.g.sys.Find(e.Cell), s.state
	id, to := st.eval(e.ID), st.eval(e.To)
	for _, r := range c.Rules {
		if aboutState(r) {
			s.know(st.instance(c, r, id, to, change{}))
		}
	}
	st.mem.states[e.Cell] = term.Store(st.mem.states[e.Cell], id, to)
}

// mayMove assumes what is known when the rules about the state are judged: that they held of
// the instance before, and that the move takes an edge.
func (s *step) mayMove(e *ir.Move) {
	c := s.g.sys.Find(e.Cell)
	var near []string
	for _, r := range c.Rules {
		if aboutState(r) {
			for _, g := range r.Guards {
				near = append(near, neighbours(c, g)...)
			}
		}
	}
	s.storedIn(c, near, s.state.eval(e.ID))
	s.know(Site{state: s.state, g: s.g}.MoveAllowed(e))
}

// MoveHypotheses are what is known, beside Assume, when a move judges the rules about the state.
func (s Site) MoveHypotheses(mv *ir.Move) []*term.Term {
	st := &step{g: s.g, state: s.state}
	st.mayMove(mv)
	return st.path
}
