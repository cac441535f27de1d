package proofs

import (
	"fmt"
	"slices"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// invariantResult is a rule at one effect that changes a slot.
type invariantResult struct {
	ob      *obligation.Obligation
	a       *ir.Automaton // of the effect
	rule    *ir.Rule
	cell    *ir.Cell // of the rule
	literal bool     // the written value is a constant that breaks the rule wherever it is reached
	inTry   bool     // inside a try, which would catch the refusal
	dead    bool     // no run reaches the effect
	writes  string   // what is written, or where the machine moves, as the source has it
	moves   bool     // the effect is a move
}

// writeOf tells which slot an effect changes and what it writes there.
func writeOf(e ir.Effect) (slot ir.SlotRef, value *term.Term, text source.Span, ok bool) {
	switch e := e.(type) {
	case *ir.Write:
		return e.Slot, e.Value, e.ValueSpan, true
	case *ir.Push:
		return e.Slot, e.Value, e.ValueSpan, true
	case *ir.Delete:
		return e.Slot, nil, source.Span{}, true
	}
	return ir.SlotRef{}, nil, source.Span{}, false
}

// invariants decides each rule at each effect that changes a slot it guards, by induction:
// rules are assumed of stored entries and shown of the entry that is written.
func (v *verifier) invariants() {
	for _, c := range v.sys.Cells {
		for at, e := range effectsOf(c) {
			if mv, ok := e.(*ir.Move); ok {
				v.stateRules(at, mv)
				continue
			}
			slot, _, _, ok := writeOf(e)
			if !ok {
				continue
			}
			owner := v.sys.Find(slot.Cell)
			for _, r := range owner.Rules {
				v.invariant(owner, r, at, e)
			}
		}
	}
}

// concerns tells whether a rule must be shown at an effect. An entry that goes away breaks
// no rule about itself alone, but may break one that counts; those that it moves in a list may
// break one about where they stand. Rules about sums are judged when a call commits.
func concerns(r *ir.Rule, e ir.Effect, slot *ir.Slot) bool {
	if r.Total || !slices.Contains(r.Guards, slot.Name) {
		return false
	}
	_, gone := e.(*ir.Delete)
	return !gone || len(r.Guards) > 1 || r.Size || r.Status || slot.IsList && r.Step
}

// invariant files the obligation of a rule at an effect, if it concerns it, and plans to decide it.
func (v *verifier) invariant(owner *ir.Cell, r *ir.Rule, at position, e ir.Effect) {
	slot, _, text, _ := writeOf(e)
	if !concerns(r, e, owner.Slot(slot.Slot)) {
		return
	}
	res := &invariantResult{a: at.a, rule: r, cell: owner, writes: text.Normal()}
	res.ob = v.add(&obligation.Obligation{
		Kind: obligation.Invariant, Cell: at.a.Cell, Handler: at.a.Name, Span: e.Place(),
		Claim: cert.ClaimInvariant(at.a.Name, slot.Slot, r.Text),
	})
	v.invs = append(v.invs, res)
	v.sites[res.ob] = v.site(at)
	if !v.gen.Stated(r, e) {
		res.ob.Verdict, res.ob.Reason = obligation.RuntimeChecked, notModelled(r)
		if _, gone := e.(*ir.Delete); gone && r.Abstract == "" {
			res.ob.Reason = notModelledWithout(r, owner.Slot(slot.Slot))
		}
		return
	}
	body := v.body(at.a)
	v.later(func(t *task) error { return t.invariant(res, body, at, e) })
}

// invariant decides a rule at an effect: a write, a removal, or for a rule about the state a move.
func (v *task) invariant(res *invariantResult, body *vc.Body, at position, e ir.Effect) error {
	slot, value, _, _ := writeOf(e)
	r := res.rule
	site, reached := body.At(at.edge, at.i)
	if !reached {
		res.dead = true
		settle(res.ob, answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial})
		return nil
	}
	goal := site.RuleAt(r, e, fmt.Sprintf("%d.%d", at.edge, at.i))
	assume := append([]*term.Term(nil), site.Assume...)
	if mv, ok := e.(*ir.Move); ok {
		assume = append(assume, site.MoveHypotheses(mv)...)
	} else {
		assume = append(assume, site.Hypotheses(slot, keyOf(e))...)
	}
	ans, err := v.discharge(question{name: res.ob.ID, site: site, assume: assume, goal: goal, sought: true})
	if err != nil {
		return err
	}
	settle(res.ob, ans)
	if ans.verdict != obligation.Refuted {
		return nil
	}
	res.ob.Reason, res.inTry = counterFound, site.InTry()
	claim := Claim{Kind: "invariant", Rule: r.Text, Place: res.ob.Span, Total: r.Total}
	v.scene(res.ob, body, at, assume, goal, claim)
	if goal == term.False && value != nil && site.Eval(value).IsLiteral() {
		res.literal = true
		return nil
	}
	return v.alwaysBreaks(res, site, assume, goal)
}

// alwaysBreaks tells whether the rule fails for every state and input that reaches the
// effect: then the write can never be committed.
func (v *task) alwaysBreaks(res *invariantResult, site vc.Site, assume []*term.Term, goal *term.Term) error {
	ans, err := v.discharge(question{name: res.ob.ID + "/never", site: site, assume: assume, goal: term.Not(goal)})
	if err != nil {
		return err
	}
	res.literal = ans.verdict == obligation.Proven
	hidden(res.ob, ans)
	return nil
}

// keyOf is the key that an effect changes, nil where it appends.
func keyOf(e ir.Effect) *term.Term {
	switch e := e.(type) {
	case *ir.Write:
		return e.Key
	case *ir.Delete:
		return e.Key
	}
	return nil
}
