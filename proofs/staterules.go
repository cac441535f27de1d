package proofs

import (
	"fmt"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
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
		v.later(func(t *task) error { return t.stateRule(res, body, at, mv) })
	}
}

// stateRule decides a rule about the state at a move.
func (v *task) stateRule(res *invariantResult, body *vc.Body, at position, mv *ir.Move) error {
	site, reached := body.At(at.edge, at.i)
	if !reached {
		res.dead = true
		settle(res.ob, answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial})
		return nil
	}
	goal := site.RuleAt(res.rule, mv, fmt.Sprintf("%d.%d", at.edge, at.i))
	assume := append([]*term.Term(nil), site.Assume...)
	assume = append(assume, site.MoveHypotheses(mv)...)
	ans, err := v.discharge(res.ob.ID, assume, goal, nil)
	if err != nil {
		return err
	}
	settle(res.ob, ans)
	if ans.verdict != obligation.Refuted {
		return nil
	}
	res.ob.Reason = counterFound
	claim := Claim{Kind: "invariant", Rule: res.rule.Text, Place: mv.Place()}
	if err := v.scene(res.ob, body, at, assume, goal, claim); err != nil {
		return err
	}
	res.inTry = site.InTry()
	return v.alwaysBreaks(res, assume, goal)
}
