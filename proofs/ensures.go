package proofs

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// An ensure statement holds where no run comes to the place at which its condition is false. One in
// a function may stand in several places.

// ensureSite is a place where the condition of an ensure statement is false.
type ensureSite struct {
	position
	raise  *ir.Raise
	ob     *obligation.Obligation
	broken bool // whoever comes to the statement comes here
	inTry  bool // inside a try, which would catch the error
}

// ensures files the obligations of ensure statements, and plans to decide them.
func (v *verifier) ensures() {
	for _, c := range v.sys.Cells {
		for at, e := range effectsOf(c) {
			raise, ok := e.(*ir.Raise)
			if !ok || raise.Ensures == "" {
				continue
			}
			s := &ensureSite{position: at, raise: raise}
			s.ob = v.add(&obligation.Obligation{
				Kind: obligation.Ensure, Cell: at.a.Cell, Handler: at.a.Name, Span: raise.Span,
				Claim: cert.ClaimEnsure(at.a.Name, raise.Ensures),
			})
			v.sites[s.ob] = v.site(at)
			v.ensured = append(v.ensured, s)
			body := v.body(at.a)
			v.later(func(t *task) error { return t.ensure(s, body) })
		}
	}
}

// ensure decides whether a condition may be false.
func (v *task) ensure(s *ensureSite, body *vc.Body) error {
	site, reached := body.At(s.edge, s.i)
	if !reached {
		settle(s.ob, answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial})
		return nil
	}
	ans, err := v.discharge(question{name: s.ob.ID, site: site, assume: site.Assume, goal: term.False, sought: true})
	if err != nil {
		return err
	}
	settle(s.ob, ans)
	if ans.verdict != obligation.Refuted {
		return nil
	}
	s.ob.Reason = counterFound
	claim := Claim{Kind: "ensure", Place: s.raise.Span}
	v.scene(s.ob, body, s.position, site.Assume, term.False, claim)
	s.inTry = site.InTry()
	s.broken, err = v.alwaysFalse(s, body)
	return err
}

// alwaysFalse tells whether no run goes on behind an ensure statement: by the edge that is taken where
// its condition holds.
func (v *task) alwaysFalse(s *ensureSite, body *vc.Body) (bool, error) {
	on := otherSide(s.a, s.edge)
	if on < 0 {
		return false, nil
	}
	site, reached := body.At(on, 0)
	if !reached {
		return true, nil
	}
	ans, err := v.discharge(question{name: s.ob.ID + "/never", site: site, assume: site.Assume, goal: term.False})
	if err != nil {
		return false, err
	}
	hidden(s.ob, ans)
	return ans.verdict == obligation.Proven, nil
}

// otherSide is the edge with the opposite guard beside the one that leads to an edge, -1 where there
// is none.
func otherSide(a *ir.Automaton, edge int) int {
	in := slices.IndexFunc(a.Edges, func(e *ir.Edge) bool { return e.To == a.Edges[edge].From })
	if in < 0 {
		return -1
	}
	test := a.Edges[in]
	return slices.IndexFunc(a.Edges, func(e *ir.Edge) bool { return e.From == test.From && e.Guard.Equal(term.Not(test.Guard)) })
}

// ensureLines say of each ensure statement of a cell's bodies whether it always holds.
func (v *verifier) ensureLines(c *ir.Cell) []Line {
	var lines []Line
	for i, s := range v.ensured {
		same := func(o *ensureSite) bool { return o.a == s.a && o.raise.Span == s.raise.Span }
		if s.a.Cell == c.Name && !slices.ContainsFunc(v.ensured[:i], same) {
			lines = append(lines, v.ensureLine(s, same))
		}
	}
	return lines
}

// ensureLine is about a statement, given at one of its places and how to know the others.
func (v *verifier) ensureLine(first *ensureSite, same func(*ensureSite) bool) Line {
	var obs []*obligation.Obligation
	var others []*obligation.Obligation // about the same words elsewhere
	worst, broken, inTry := first, true, false
	for _, s := range v.ensured {
		if !same(s) {
			if s.a == first.a && s.raise.Ensures == first.raise.Ensures {
				others = append(others, s.ob)
			}
			continue
		}
		obs = append(obs, s.ob)
		broken, inTry = broken && s.broken, inTry || s.inTry
		if badness(s.ob) > badness(worst.ob) {
			worst = s
		}
	}
	ob := worst.ob
	mark, said := Open, saidOpen(ob.Reason)
	switch {
	case ob.Verdict == obligation.Proven:
		mark, said = Passed, ensureProven
	case broken && ob.Counter != nil && ob.Counter.Outcome == obligation.Abstract:
		said = ensureUnseen
	case broken:
		said = ensureBroken
		if !inTry {
			mark = Failed
		}
	case ob.Verdict == obligation.Unknown:
		said = saidUnknown(ob.Reason)
	}
	l := line(mark, lineEnsure(first.raise.Ensures, first.a.Name, placeOf(first.ob, others, others), said), obs...)
	if mark == Passed {
		return l
	}
	l.Span = ob.Span
	if ob.Counter != nil {
		l.Details = detailCounter(ob.Counter)
	}
	return l
}

// badness orders the obligations of one statement: the line tells of the worst.
func badness(ob *obligation.Obligation) int {
	switch {
	case ob.Verdict == obligation.Proven:
		return 0
	case ob.Verdict == obligation.Unknown:
		return 1
	case ob.Counter == nil || ob.Counter.Outcome != obligation.Reproduced:
		return 2
	}
	return 3
}
