package proofs

import (
	"soma.cell/ir"
	"soma.cell/proofs/frame"
	"soma.cell/proofs/vc"
	"soma.cell/smt/refute"
	"soma.cell/smt/term"
)

// Targets tells which states a computed target can take, without a solver: a state is left out
// only when a refutation shows that the target cannot be it. Cost: one refutation, within the
// limits, for each computed move that is asked about and each state.
func Targets(sys *ir.System, limits refute.Limits) frame.Targets {
	var gen *vc.Generator // made when a target is first asked about: most programs have none
	bodies := map[*ir.Automaton]*vc.Body{}
	return func(a *ir.Automaton, mv *ir.Move) []string {
		if gen == nil {
			gen = vc.New(sys)
		}
		if bodies[a] == nil {
			bodies[a] = gen.Body(a)
		}
		for n, e := range a.Edges {
			for i, eff := range e.Effects {
				if eff == ir.Effect(mv) {
					return targetsAt(bodies[a], n, i, sys.Find(mv.Cell).Machine, mv, limits)
				}
			}
		}
		return sys.Find(mv.Cell).Machine.States
	}
}

func targetsAt(b *vc.Body, edge, i int, m *ir.Machine, mv *ir.Move, limits refute.Limits) []string {
	site, reached := b.At(edge, i)
	out := []string{}
	if !reached {
		return out
	}
	for _, state := range m.States {
		is := term.Eq(site.Eval(mv.To), term.StringLit(state))
		if _, err := refute.Refute(append(append([]*term.Term(nil), site.Assume...), is), limits); err != nil {
			out = append(out, state)
		}
	}
	return out
}
