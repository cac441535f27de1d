package vc

import "soma.cell/ir"

// Begins is the place where a statement begins; ok is false where no run reaches it.
func (b *Body) Begins(s ir.Stmt) (Site, bool) {
	if s.Effect > 0 {
		for n := len(b.a.Edges) - 1; n >= 0; n-- {
			if b.a.Edges[n].From == s.Loc {
				return b.At(n, s.Effect)
			}
		}
		return Site{}, false
	}
	if b.states[s.Loc] == nil {
		return Site{}, false
	}
	return Site{Assume: append(b.axioms(s.Loc), b.paths[s.Loc]...), Labels: b.labels, Of: b.a, Knows: b.knows, state: b.states[s.Loc], g: b.g}, true
}
