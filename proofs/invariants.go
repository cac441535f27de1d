package proofs

import (
	"fmt"

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
	rule    *ir.Rule
	cell    *ir.Cell // of the rule
	effect  ir.Effect
	slot    ir.SlotRef
	literal bool   // the written value is a constant that breaks the rule wherever it is reached
	inTry   bool   // inside a try, which would catch the refusal
	dead    bool   // no run reaches the effect
	writes  string // what is written, as the source has it
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
func (v *verifier) invariants() error {
	for _, c := range v.sys.Cells {
		err := eachEffect(c, func(a *ir.Automaton, edge, i int, e ir.Effect) error {
			slot, _, _, ok := writeOf(e)
			if !ok {
				return nil
			}
			owner := v.sys.Find(slot.Cell)
			for _, r := range owner.Rules {
				if err := v.invariant(owner, r, a, edge, i, e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// concerns tells whether a rule must be shown at an effect. An entry that goes away breaks
// no rule about itself alone.
func concerns(r *ir.Rule, e ir.Effect, slot *ir.Slot) bool {
	guards := false
	for _, g := range r.Guards {
		guards = guards || g == slot.Name
	}
	if _, gone := e.(*ir.Delete); gone {
		return guards && (len(r.Guards) > 1 && !slot.IsList || r.Size || r.Status)
	}
	return guards
}

func (v *verifier) invariant(owner *ir.Cell, r *ir.Rule, a *ir.Automaton, edge, i int, e ir.Effect) error {
	slot, value, text, _ := writeOf(e)
	if !concerns(r, e, owner.Slot(slot.Slot)) {
		return nil
	}
	res := &invariantResult{rule: r, cell: owner, effect: e, slot: slot, writes: text.Normal()}
	res.ob = v.add(&obligation.Obligation{
		Kind: obligation.Invariant, Cell: a.Cell, Handler: a.Name, Span: e.Place(),
		Claim: cert.ClaimInvariant(a.Name, slot.Slot, r.Text),
	})
	v.invs = append(v.invs, res)
	at := v.site(a, edge, i)
	v.sites[res.ob] = &at
	if !v.gen.Stated(r, e) {
		res.ob.Verdict, res.ob.Reason = obligation.RuntimeChecked, notModelled(r)
		return nil
	}
	site, reached := v.body(a).At(edge, i)
	if !reached {
		res.dead = true
		settle(res.ob, answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial})
		return nil
	}
	goal := site.RuleAt(r, e, fmt.Sprintf("%d.%d", edge, i))
	assume := append(append([]*term.Term(nil), site.Assume...), site.Hypotheses(slot, keyOf(e))...)
	show := v.scene(a, site, e)
	ans, err := v.discharge(res.ob.ID, assume, goal, show.terms)
	if err != nil {
		return err
	}
	settle(res.ob, ans)
	if ans.verdict != obligation.Refuted {
		return nil
	}
	res.ob.Reason = counterFound
	res.ob.Counter = show.counterexample(ans.values)
	res.inTry = site.InTry()
	if value == nil || !site.Eval(value).IsLiteral() {
		return v.alwaysBreaks(res, assume, goal)
	}
	if goal == term.False {
		res.literal = true
		return nil
	}
	return v.alwaysBreaks(res, assume, goal)
}

// alwaysBreaks tells whether the rule fails for every state and input that reaches the
// effect: then the write can never be committed.
func (v *verifier) alwaysBreaks(res *invariantResult, assume []*term.Term, goal *term.Term) error {
	ans, err := v.discharge(res.ob.ID+"/never", assume, term.Not(goal), nil)
	if err != nil {
		return err
	}
	res.literal = ans.verdict == obligation.Proven
	return nil
}

func keyOf(e ir.Effect) *term.Term {
	switch e := e.(type) {
	case *ir.Write:
		return e.Key
	case *ir.Delete:
		return e.Key
	}
	return term.Int64(-1)
}

// scene is what a counterexample shows: parameters and locals, the entry before and after.
type scene struct {
	labels []string
	terms  []*term.Term
	entry  *entryScene // nil when no entry is shown
}

// entryScene indexes the terms of the written entry.
type entryScene struct {
	slot                    string
	key, has, before, after int
}

func (s *scene) add(label string, t *term.Term) int {
	s.labels = append(s.labels, label)
	s.terms = append(s.terms, t)
	return len(s.terms) - 1
}

// scene gathers what to show of a failing write.
func (v *verifier) scene(a *ir.Automaton, site vc.Site, e ir.Effect) *scene {
	s := &scene{}
	shown := map[string]bool{}
	for _, x := range a.Vars {
		kind := x.Term.Sort.Kind
		t := site.Eval(x.Term)
		if x.Source == "" || shown[x.Source] || kind == term.KindOpaque || kind == term.KindArray || unassigned(x.Term, t) {
			continue
		}
		shown[x.Source] = true
		s.add(x.Source, t)
	}
	slot, value, _, _ := writeOf(e)
	if w, ok := e.(*ir.Write); ok && value.Sort.Kind != term.KindOpaque {
		has, val := site.Before(slot, w.Key)
		s.entry = &entryScene{
			slot: slot.Slot, key: s.add("", site.Eval(w.Key)),
			has: s.add("", has), before: s.add("", val), after: s.add("", site.Eval(value)),
		}
	}
	return s
}

// unassigned tells whether a variable has no value yet at the place.
func unassigned(x, t *term.Term) bool { return t.Op == term.OpVar && t.Name == x.Name+"@0" }

// counterexample renders the values a solver gave.
func (s *scene) counterexample(values []*term.Term) *obligation.Counterexample {
	out := &obligation.Counterexample{}
	show := func(i int) string {
		if i >= len(values) || values[i] == nil {
			return "?"
		}
		return values[i].String()
	}
	for i, label := range s.labels {
		if label != "" && i < len(values) && values[i] != nil {
			out.Values = append(out.Values, label+" = "+show(i))
		}
	}
	if e := s.entry; e != nil {
		place := e.slot + "[" + show(e.key) + "]"
		if e.has < len(values) && values[e.has] == term.False {
			out.Values = append(out.Values, place+" absent before")
		} else {
			out.Values = append(out.Values, place+" = "+show(e.before)+" before")
		}
		out.Values = append(out.Values, place+" = "+show(e.after)+" after")
	}
	return out
}
