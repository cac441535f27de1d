package proofs

import (
	"soma.cell/ir"
	"soma.cell/proofs/frame"
	"soma.cell/proofs/obligation"
)

// costLines speak of the limits of a cell's section cost.
func (v *verifier) costLines(c *ir.Cell) []Line {
	var lines []Line
	for i := range v.opts.Limits {
		j := &v.opts.Limits[i]
		if j.Cell != c.Name {
			continue
		}
		ob := &j.Obligation
		switch ob.Verdict {
		case obligation.Proven:
			lines = append(lines, line(Passed, lineCost(j.Limit, j.Amount, j.Handler), ob))
			continue
		case obligation.Refuted:
			lines = append(lines, line(Failed, lineCostBroken(j.Limit, ob.Reason), ob))
		default:
			lines = append(lines, line(Open, lineCostOpen(j.Limit, ob.Reason), ob))
		}
		lines[len(lines)-1].Span = j.At
	}
	return lines
}

// unframedLines remark on signals whose frame ends at a callee without one.
func (v *verifier) unframedLines(c *ir.Cell) []Line {
	var lines []Line
	for _, gap := range frame.Unframed(v.sys, v.calls, c) {
		l := line(Remarked, lineUnframed(gap.Signal.Name, gap.Chain))
		l.Span = gap.At
		lines = append(lines, l)
	}
	return lines
}
