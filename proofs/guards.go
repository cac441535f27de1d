package proofs

import (
	"regexp"
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// guardResult is a guarded edge at a move that may ask for it.
type guardResult struct {
	ob     *obligation.Obligation
	edge   *ir.MachineEdge
	guard  ir.EdgeGuard
	broken bool   // whenever the move is reached it is refused
	inTry  bool   // inside a try, which would catch the refusal
	proves string // the condition that a require before the move would have to test, "" when none would do
}

// guardsOf files the obligations of a move: each guarded edge that it may ask for.
func (v *verifier) guardsOf(s *moveSite) {
	m := v.sys.Find(s.mv.Cell).Machine
	for _, n := range vc.Guarded(s.mv, m) {
		e := m.Edges[n]
		res := &guardResult{edge: e, guard: ir.EdgeGuard{Edge: n, Abstract: true}}
		for _, g := range s.mv.Guards {
			if g.Edge == n {
				res.guard = g
			}
		}
		res.ob = v.add(&obligation.Obligation{
			Kind: obligation.Guard, Cell: s.a.Cell, Handler: s.a.Name, Span: s.mv.Place(),
			Claim: cert.ClaimGuard(s.a.Name, m.Name, e.From, e.To, e.Guard),
		})
		v.sites[res.ob] = v.site(s.position)
		if res.guard.Abstract {
			res.ob.Verdict, res.ob.Reason = obligation.RuntimeChecked, guardNotKnown
		}
		s.guards = append(s.guards, res)
	}
}

// guards decides the guards of a move, once it is known which edges it can take.
func (v *task) guards(s *moveSite) error {
	for _, res := range s.guards {
		if res.guard.Abstract {
			continue
		}
		if s.dead {
			settle(res.ob, answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial})
			continue
		}
		goal := s.site.GuardHolds(s.mv, res.guard)
		ans, err := v.discharge(question{name: res.ob.ID, site: s.site, assume: s.site.Assume, goal: goal, sought: true})
		if err != nil {
			return err
		}
		settle(res.ob, ans)
		if ans.verdict != obligation.Refuted {
			continue
		}
		res.ob.Reason = counterFound
		claim := Claim{Kind: "guard_failed", Place: s.mv.Place(), Edge: [2]string{res.edge.From, res.edge.To}}
		v.scene(res.ob, s.body, s.position, s.site.Assume, goal, claim)
		always := s.refusedAlways()
		hidden(res.ob, always)
		res.broken, res.inTry = always.verdict == obligation.Proven, s.site.InTry()
		if steady(s.a, res.guard.Cond) {
			res.proves = guardText(s.mv, res.edge)
		}
	}
	return nil
}

// refusedAlways is the answer to: no state and no input lets the move take any edge.
func (s *moveSite) refusedAlways() answer {
	all := answer{verdict: obligation.Proven}
	for _, a := range s.takes {
		switch a.verdict {
		case obligation.Refuted:
			return a
		case obligation.Unknown:
			all = a
		}
	}
	return all
}

// steady tells whether a condition rests, where a guard was lowered, on nothing but locals and
// entries of memory: the same condition, tested just before, has the same value then.
func steady(a *ir.Automaton, cond *term.Term) bool {
	used := map[string]bool{}
	use := func(ts ...*term.Term) {
		for _, x := range term.Vars(ts...) {
			used[x.Name] = true
		}
	}
	use(cond)
	for n := len(a.Edges) - 1; n >= 0; n-- {
		for i := len(a.Edges[n].Effects) - 1; i >= 0; i-- {
			e := a.Edges[n].Effects[i]
			gives := false
			for _, x := range ir.Defs(e) {
				gives = gives || used[x.Name]
			}
			if !gives || !e.Where().InGuard {
				continue
			}
			use(ir.Uses(e)...)
			switch e.(type) {
			case *ir.Read, *ir.Bind, *ir.Inspect:
			default:
				return false
			}
		}
	}
	return true
}

var guardName = regexp.MustCompile(`\b_(id|from|to)\b`)

// guardText is a guard as it would be written in the body before the move, "" when the move does
// not show what its names stand for.
func guardText(mv *ir.Move, e *ir.MachineEdge) string {
	first := mv.ToSpan
	if mv.From != nil {
		first = mv.FromSpan
	}
	id, known := "", false
	if before := mv.Span; before.Start <= first.Start && first.Start <= before.End {
		before.End = first.Start
		id, known = strings.CutPrefix(before.Normal(), "transition(")
		id = strings.TrimRight(id, ", ")
	}
	names := map[string]string{"_id": id, "_from": `"` + e.From + `"`, "_to": `"` + e.To + `"`}
	if strings.Contains(e.Guard, "_id") && (!known || id == "") {
		return ""
	}
	return guardName.ReplaceAllStringFunc(e.Guard, func(name string) string { return names[name] })
}

// guardLines say of each move of a cell's bodies which guards are known to let it pass.
func (v *verifier) guardLines(c *ir.Cell) []Line {
	var lines []Line
	for _, s := range v.moveSites {
		if s.a.Cell != c.Name {
			continue
		}
		for _, res := range s.guards {
			lines = append(lines, v.guardLine(s, res))
		}
	}
	return lines
}

func (v *verifier) guardLine(s *moveSite, res *guardResult) Line {
	ob := res.ob
	mark, said := Open, saidOpen(ob.Reason)
	switch {
	case ob.Verdict == obligation.Proven && s.dead:
		mark, said = Passed, guardDead
	case ob.Verdict == obligation.Proven:
		mark, said = Passed, guardProven
	case res.broken && ob.Counter != nil && ob.Counter.Outcome == obligation.Abstract:
		said = guardUnseen
	case res.broken:
		said = guardBroken
		if !res.inTry {
			mark = Failed
		}
	case ob.Verdict == obligation.Unknown:
		said = saidUnknown(ob.Reason)
	}
	l := line(mark, lineGuard(res.edge, s.a.Name, v.placeAmong(s, res), said), ob)
	if mark == Passed {
		return l
	}
	l.Span = ob.Span
	if ob.Counter != nil {
		l.Details = detailCounter(ob.Counter)
	}
	if res.proves != "" && !res.broken {
		l.Details = append(l.Details, detailRequire(res.proves))
	}
	return l
}

// placeAmong names the line of a move where the handler asks for the edge twice.
func (v *verifier) placeAmong(s *moveSite, res *guardResult) string {
	var others []*obligation.Obligation
	for _, o := range v.moveSites {
		for _, g := range o.guards {
			if o.a == s.a && g.edge == res.edge && g != res {
				others = append(others, g.ob)
			}
		}
	}
	return placeOf(res.ob, others, others)
}
