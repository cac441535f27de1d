package proofs

import (
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// isolation decides whether, for every answer of a model, the moves of a machine lie in a
// finite set that the bodies test or list. A literal target always does; a computed one must
// be shown to, in tools for any arguments: a model that calls one chooses them.
func (v *verifier) isolation(mr *machineResult) {
	ob := v.add(&obligation.Obligation{
		Kind: obligation.ThinkIsolated, Cell: mr.cell.Name, Span: mr.m.Span,
		Claim: cert.ClaimThinkIsolated(mr.m.Name),
	})
	mr.isolated = ob
	if v.unknown {
		ob.Reason = unknownConstruct
		return
	}
	class := obligation.KernelChecked
	cases := &cert.Cases{}
	for _, s := range v.moveSites {
		if s.mv.Cell != mr.cell.Name || !s.computed() {
			continue
		}
		switch s.listed.verdict {
		case obligation.Proven:
			class = obligation.Weaker(class, s.listed.class)
			c := v.caseOf(s, s.listed)
			c.Values = s.values
			cases.Cases = append(cases.Cases, c)
		case obligation.Refuted:
			ob.Verdict, ob.Reason = obligation.RuntimeChecked, targetNotListed
			ob.Span = s.mv.ToSpan
			return
		default:
			ob.Reason, ob.Limited = s.listed.reason, true
			return
		}
	}
	ob.Verdict = obligation.Proven
	ob.Evidence = obligation.Evidence{Class: class, Rule: string(cert.ByCases), Data: cases}
}

// isolationLines say whether the machine is out of the model's reach; nothing is said where
// no body of the program asks one.
func (v *verifier) isolationLines(mr *machineResult) []Line {
	if !v.asksModel {
		return nil
	}
	if mr.isolated.Verdict != obligation.Proven {
		l := line(Open, lineNotIsolated(mr.isolated.Reason), mr.isolated)
		l.Span = mr.isolated.Span
		return []Line{l}
	}
	handlers := map[*ir.Automaton]bool{}
	literal, dynamic := 0, 0
	for _, s := range v.moveSites {
		if s.mv.Cell != mr.cell.Name {
			continue
		}
		handlers[s.a] = true
		if s.mv.Literal {
			literal++
		} else {
			dynamic++
		}
	}
	return []Line{line(Passed, lineIsolated(len(handlers), literal, dynamic), mr.isolated)}
}
