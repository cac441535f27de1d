package proofs

import (
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// stateRules files the rules about a machine's state at a move of it, and plans to decide them, by
// induction like writes: they held of the instance and its entries before.
func (v *verifier) stateRules(at position, mv *ir.Move) {
	owner := v.sys.Find(mv.Cell)
	for _, r := range owner.Rules {
		if !r.Status {
			continue
		}
		res := &invariantResult{a: at.a, rule: r, cell: owner, writes: mv.ToSpan.Normal(), moves: true}
		res.ob = v.add(&obligation.Obligation{
			Kind: obligation.Invariant, Cell: at.a.Cell, Handler: at.a.Name, Span: mv.Place(),
			Claim: cert.ClaimStateRule(at.a.Name, owner.Machine.Name, r.Text),
		})
		v.invs = append(v.invs, res)
		v.sites[res.ob] = v.site(at)
		if !v.gen.Stated(r, mv) {
			res.ob.Verdict, res.ob.Reason = obligation.RuntimeChecked, notModelled(r)
			continue
		}
		body := v.body(at.a)
		v.later(func(t *task) error { return t.invariant(res, body, at, mv) })
	}
}
