package proofs

import (
	"fmt"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
)

// totals decides each rule about sums for each body that somebody outside may start and that may
// write what the rule judges: given that it held when the body began, it holds where the body
// ends. What happens between is not judged.
func (v *verifier) totals() {
	for _, c := range v.sys.Cells {
		for _, a := range c.Automata {
			if !a.Public {
				continue
			}
			for _, owner := range v.sys.Cells {
				for _, r := range owner.Rules {
					if r.Total && v.gen.MayWrite(a, owner, r) {
						v.total(owner, r, a)
					}
				}
			}
		}
	}
}

// total files the obligation of a rule about sums for a body, and plans to decide it.
func (v *verifier) total(owner *ir.Cell, r *ir.Rule, a *ir.Automaton) {
	res := &invariantResult{rule: r, cell: owner}
	res.ob = v.add(&obligation.Obligation{
		Kind: obligation.Invariant, Cell: a.Cell, Handler: a.Name, Span: a.Span, Claim: cert.ClaimTotal(a.Name, r.Text),
	})
	v.invs = append(v.invs, res)
	if !r.Sums() {
		res.ob.Verdict, res.ob.Reason = obligation.RuntimeChecked, notModelled(r)
		return
	}
	body := v.body(a)
	v.later(func(t *task) error { return t.total(res, body, a) })
}

// total decides a rule about sums at each end of a body. The first end at which it is not proven
// decides.
func (v *task) total(res *invariantResult, body *vc.Body, a *ir.Automaton) error {
	class := obligation.KernelChecked
	cases := &cert.Cases{}
	res.dead = true
	for n, e := range a.Edges {
		if e.To != ir.Exit {
			continue
		}
		at := position{a, n, len(e.Effects)}
		k := cert.Case{Site: *v.site(at), Rule: cert.ByTrivial}
		if site, reached := body.At(at.edge, at.i); reached {
			res.dead = false
			ans, err := v.end(res, body, site, at)
			if err != nil {
				return err
			}
			if ans.verdict != obligation.Proven {
				return nil
			}
			class = obligation.Weaker(class, ans.class)
			k.Rule, k.Refutation, k.Script = ans.rule, ans.refuted, ans.script
		}
		cases.Cases = append(cases.Cases, k)
	}
	res.ob.Verdict = obligation.Proven
	res.ob.Evidence = obligation.Evidence{Class: class, Rule: string(cert.ByCases), Data: cases}
	return nil
}

// end decides a rule about sums at one end of a body. What is not proven settles the obligation.
func (v *task) end(res *invariantResult, body *vc.Body, site vc.Site, at position) (answer, error) {
	assume, goal := body.Commits(site, res.cell, res.rule)
	name := fmt.Sprintf("%s/%d", res.ob.ID, at.edge)
	ans, err := v.discharge(question{name: name, site: site, assume: assume, goal: goal, sought: true})
	if err != nil || ans.verdict == obligation.Proven {
		return ans, err
	}
	settle(res.ob, ans)
	if ans.verdict != obligation.Refuted {
		return ans, nil
	}
	if res.ob.Reason = v.forgotten(res, at.a); res.ob.Reason == "" {
		res.ob.Reason = counterFound
	}
	if end := at.a.Edges[at.edge].Span; end != at.a.Body {
		res.ob.Span = end
	}
	claim := Claim{Kind: "invariant", Rule: res.rule.Text, Place: res.ob.Span, Total: true}
	v.scene(res.ob, body, at, assume, goal, claim)
	return ans, v.alwaysBreaks(res, site, assume, goal)
}

// forgotten says what a body does to the slots of a rule that the conditions do not follow, "" for
// nothing.
func (v *verifier) forgotten(res *invariantResult, a *ir.Automaton) string {
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			switch f := f.(type) {
			case *ir.Call:
				if callee := v.sys.Handler(f.Handler); callee != nil && v.gen.MayWrite(callee, res.cell, res.rule) {
					return sumAfterCall(callee.Name)
				}
			case *ir.Act:
				for _, tool := range f.Tools {
					if callee := v.sys.Handler(tool); callee != nil && v.gen.MayWrite(callee, res.cell, res.rule) {
						return sumAfterTool(callee.Name)
					}
				}
			case *ir.Unknown:
				return sumAfterUnknown
			}
		}
	}
	for _, l := range a.Loops {
		for _, e := range a.Edges {
			if slices.Contains(l.Body, e.From) && slices.Contains(l.Body, e.To) && writesGuard(e, res.cell, res.rule) {
				return sumAfterLoop
			}
		}
	}
	return ""
}

// writesGuard tells whether an edge changes a slot of a rule by itself.
func writesGuard(e *ir.Edge, c *ir.Cell, r *ir.Rule) bool {
	return slices.ContainsFunc(e.Effects, func(f ir.Effect) bool {
		slot, _, _, ok := writeOf(f)
		return ok && slot.Cell == c.Name && slices.Contains(r.Guards, slot.Slot)
	})
}
