package proofs

import (
	"fmt"
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/obligation"
	"soma.cell/smt/term"
)

// Lines about memory rules.

// invariantBlock is what is said of a cell's memory rules.
func (v *verifier) invariantBlock(c *ir.Cell) Block {
	b := Block{Cell: c.Name}
	for _, r := range c.Rules {
		if breaksEmpty(r) {
			l := line(Open, lineBase(r.Text))
			l.Span = r.Span
			b.Lines = append(b.Lines, l)
		}
		for _, res := range v.invs {
			if res.rule == r && res.cell == c {
				b.Lines = append(b.Lines, v.invariantLine(res))
			}
		}
	}
	return b
}

// breaksEmpty tells whether a rule on counts or sums fails where there is nothing.
func breaksEmpty(r *ir.Rule) bool {
	if !r.Size && !r.Total {
		return false
	}
	zero := term.Subst(r.Cond, func(x *term.Term) *term.Term {
		if strings.HasSuffix(x.Name, "#") || strings.HasSuffix(x.Name, "#sum") {
			return term.Int64(0)
		}
		return nil
	})
	return zero == term.False
}

func (v *verifier) invariantLine(res *invariantResult) Line {
	ob := res.ob
	place := placeOf(ob, v.writesTwice(res))
	rule, handler := res.rule.Text, ob.Handler
	var l Line
	switch {
	case ob.Verdict == obligation.Proven && res.dead:
		l = line(Passed, lineInvariantDead(rule, handler, place, res.moves), ob)
	case ob.Verdict == obligation.Proven:
		l = line(Passed, lineInvariant(rule, handler, place, res.does()), ob)
	case res.literal && ob.Counter != nil && ob.Counter.Outcome == obligation.Abstract && !res.rule.Total:
		l = line(Open, lineInvariantUnseen(rule, handler, place, res.does(), res.moves), ob)
	case res.rule.Total && res.literal:
		l = line(Failed, lineTotalBroken(rule, handler), ob)
	case res.rule.Total && ob.Verdict == obligation.RuntimeChecked:
		l = line(Open, lineTotalOpen(rule, handler, ob.Reason), ob)
	case res.literal && !res.inTry:
		l = line(Failed, lineInvariantBroken(rule, handler, place, res.does(), res.moves, false), ob)
	case res.literal:
		l = line(Open, lineInvariantBroken(rule, handler, place, res.does(), res.moves, true), ob)
	case ob.Verdict == obligation.RuntimeChecked:
		l = line(Open, lineInvariantOpen(rule, handler, place, ob.Reason, res.does()), ob)
	default:
		l = line(Open, lineInvariantUnknown(rule, handler, place, ob.Reason), ob)
	}
	if l.Mark != Passed {
		l.Span = ob.Span
		if ob.Counter != nil {
			l.Details = detailCounter(ob.Counter)
		}
	}
	return l
}

// placeOf names the line of an obligation where another has the same name.
func placeOf(ob *obligation.Obligation, ambiguous bool) string {
	if !ambiguous {
		return ""
	}
	return fmt.Sprintf(" (line %d)", ob.Span.From().Line)
}

// does is what the effect does, "" where there is nothing to show.
func (res *invariantResult) does() string { return effectText(res.moves, res.writes) }

// writesTwice tells whether a handler has several effects that a rule judges.
func (v *verifier) writesTwice(res *invariantResult) bool {
	n := 0
	for _, o := range v.invs {
		if !o.rule.Total && o.rule == res.rule && o.ob.Cell == res.ob.Cell && o.ob.Handler == res.ob.Handler {
			n++
		}
	}
	return n > 1
}
