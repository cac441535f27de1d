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
	place := placeOf(ob, v.alike(res, false), v.alike(res, true))
	rule, handler := res.rule.Text, ob.Handler
	abstract := ob.Counter != nil && ob.Counter.Outcome == obligation.Abstract
	var l Line
	switch {
	case ob.Verdict == obligation.Proven && res.dead:
		l = line(Passed, lineInvariantDead(rule, handler, place, res.moves), ob)
	case ob.Verdict == obligation.Proven:
		l = line(Passed, lineInvariant(rule, handler, place, res.does()), ob)
	case res.literal && abstract && res.rule.Total:
		l = line(Open, lineTotalUnseen(rule, handler), ob)
	case res.literal && abstract:
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

// placeOf names the line of an obligation where others have the same name, and the column where
// one that nothing else tells apart stands on the line, too.
func placeOf(ob *obligation.Obligation, others, same []*obligation.Obligation) string {
	if len(others) == 0 {
		return ""
	}
	at := ob.Span.From()
	for _, o := range same {
		if o.Span.From().Line == at.Line && o.Span.From().Col != at.Col {
			return fmt.Sprintf(" (line %d:%d)", at.Line, at.Col)
		}
	}
	return fmt.Sprintf(" (line %d)", at.Line)
}

// does is what the effect does, "" where there is nothing to show.
func (res *invariantResult) does() string { return effectText(res.moves, res.writes) }

// alike are the obligations of the other effects of a handler that the rule, or one of the same text for
// another slot, judges; if asked for, only those that do the same in the words of the source.
func (v *verifier) alike(res *invariantResult, same bool) []*obligation.Obligation {
	var out []*obligation.Obligation
	for _, o := range v.invs {
		if o != res && (!same || o.does() == res.does()) && !o.rule.Total && o.cell == res.cell && o.rule.Text == res.rule.Text && o.ob.Cell == res.ob.Cell && o.ob.Handler == res.ob.Handler {
			out = append(out, o.ob)
		}
	}
	return out
}
