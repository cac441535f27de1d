package main

import (
	"fmt"
	"slices"
	"strings"

	"soma.cell/ctl"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/proofs"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// oddText is what a model answers that no program lists.
const oddText = "~ odd ~"

// claims are what a report says is proven, against what runs show.
type claims struct {
	program *program
	report  *proofs.Report
	marks   map[string]string // of a marked program: the claims that what it prints breaks
	small   bool              // no literal is so large that a proven loop or recursion could be long
}

// proven counts the claims that a run could break.
func (c *claims) proven() int {
	dead := c.deadCode()
	n := len(dead.stmts) + len(dead.ends)
	for _, o := range c.report.Obligations {
		switch o.Kind {
		case obligation.Invariant, obligation.EdgeDeclared, obligation.Guard, obligation.Ensure, obligation.ThinkIsolated, obligation.Termination:
			if o.Verdict == obligation.Proven {
				n++
			}
		case obligation.EdgeTaken:
			if o.Verdict == obligation.Refuted {
				n++
			}
		case obligation.Temporal:
			if o.Verdict == obligation.Proven && strings.Contains(o.Claim, ": AG !") {
				n++
			}
		}
	}
	return n
}

// verdicts is what a report says, in one text.
func verdicts(r *proofs.Report) string {
	var b strings.Builder
	for _, o := range r.Obligations {
		fmt.Fprintln(&b, o.ID, o.Verdict)
	}
	return b.String()
}

// raised says which claim an error breaks, "" for none. entered are the bodies that the call
// began.
func (c *claims) raised(e *interp.Error, entered map[[2]string]bool) string {
	switch e.Kind {
	case interp.KindInvariant:
		rule, _, found := strings.Cut(e.Detail, " does not hold of ")
		if found {
			return c.openAt(e, func(o *obligation.Obligation) bool {
				return o.Kind == obligation.Invariant &&
					(strings.HasSuffix(o.Claim, " keeps "+rule) || strings.HasSuffix(o.Claim, " keep "+rule))
			})
		}
	case interp.KindGuardFailed:
		_, way, _ := strings.Cut(e.Detail, " may not go ")
		way, _, _ = strings.Cut(way, ": the guard ")
		return c.openAt(e, func(o *obligation.Obligation) bool {
			return o.Kind == obligation.Guard && strings.Contains(o.Claim, " the edge "+way+" of ")
		})
	case interp.KindEnsure:
		return c.openAt(e, func(o *obligation.Obligation) bool { return o.Kind == obligation.Ensure })
	case interp.KindInvalidTransition:
		return c.refused(e)
	case interp.KindStackOverflow, interp.KindLimit:
		return c.endless(entered)
	}
	return ""
}

// committed says which claim the error breaks with which a call from outside ended, "" for none: a
// rule about sums is judged there.
func (c *claims) committed(e *interp.Error, cell, handler string) string {
	rule, atEnd := strings.CutSuffix(e.Detail, " does not hold of the memory at the end of the call")
	if e.Kind != interp.KindInvariant || !atEnd {
		return ""
	}
	last := ""
	for _, o := range c.report.Obligations {
		if o.Kind == obligation.Invariant && o.Cell == cell && o.Claim == cert.ClaimTotal(handler, rule) {
			if o.Verdict != obligation.Proven {
				return "" // one of several handlers of the name
			}
			last = o.ID
		}
	}
	return last
}

// openAt looks at the obligations of a kind about the place of an error: when all are proven,
// one of them is not true.
func (c *claims) openAt(e *interp.Error, about func(*obligation.Obligation) bool) string {
	last := ""
	for i := range c.report.Obligations {
		o := &c.report.Obligations[i]
		if o.Span.Start <= e.Span.Start && e.Span.End <= o.Span.End && about(o) {
			if o.Verdict != obligation.Proven {
				return ""
			}
			last = o.ID
		}
	}
	return last
}

// refused looks at a move that no edge allows: a target that surely is entered by some edge
// was not, or one that a model cannot choose was chosen by it.
func (c *claims) refused(e *interp.Error) string {
	for _, o := range c.report.Obligations {
		within := e.Span.Start <= o.Span.Start && o.Span.End <= e.Span.End
		if o.Kind == obligation.EdgeDeclared && o.Verdict == obligation.Proven && within && !c.entered(e.Detail) {
			return o.ID
		}
		if o.Kind == obligation.ThinkIsolated && o.Verdict == obligation.Proven && c.chosen(o.Cell, e.Detail) {
			return o.ID
		}
	}
	return ""
}

// chosen tells whether the machine of a cell, and no other, refused what only a model says.
func (c *claims) chosen(cell, detail string) bool {
	var names []string
	for _, other := range c.program.system.Cells {
		if m := other.Machine; m != nil {
			names = append(names, m.Name)
		}
	}
	name := c.program.system.Find(cell).Machine.Name
	slices.Sort(names)
	first, _ := slices.BinarySearch(names, name)
	unique := first+1 == len(names) || names[first+1] != name
	return unique && strings.Contains(detail, fmt.Sprintf("and '%s' has no state '%s'", name, oddText))
}

// entered tells whether the target in an error's text is a state that some edge enters.
func (c *claims) entered(detail string) bool {
	for _, cell := range c.program.system.Cells {
		if cell.Machine == nil {
			continue
		}
		for _, e := range cell.Machine.Edges {
			if strings.Contains(detail, " → "+e.To+" — ") {
				return true
			}
		}
	}
	return false
}

// endless looks at a call that did not end: it is a claim about one of the bodies begun, when
// all of them are said to end.
func (c *claims) endless(entered map[[2]string]bool) string {
	last := ""
	for _, o := range c.report.Obligations {
		if o.Kind == obligation.Termination && entered[[2]string{o.Cell, o.Handler}] {
			if o.Verdict != obligation.Proven {
				return ""
			}
			last = o.ID
		}
	}
	if !c.small || c.nested(entered) {
		return ""
	}
	return last
}

// nested tells whether one of the handlers is called with what a call of it gave: such a recursion,
// Ackermann's for one, ends later than any run waits, of the smallest arguments too.
func (c *claims) nested(entered map[[2]string]bool) bool {
	for _, cell := range c.program.resolved.Cells {
		for _, h := range cell.Handlers {
			if entered[[2]string{cell.Name, h.Name}] && callsOf(h.Name, h.Body, true) {
				return true
			}
		}
	}
	return false
}

// callsOf tells whether a tree calls a handler; with inside, whether it does in arguments of such a call.
func callsOf(handler string, tree syntax.Node, inside bool) bool {
	found := false
	syntax.Inspect(tree, func(n syntax.Node) bool {
		call, ok := n.(*syntax.Call)
		if !ok {
			return true
		}
		if name, ok := call.Fun.(*syntax.Name); ok && name.Name == handler {
			found = found || !inside || slices.ContainsFunc(call.Args, func(x syntax.Expr) bool { return callsOf(handler, x, false) })
		}
		return true
	})
	return found
}

// moved says which claim a move breaks: an edge that nobody takes, a state never reached. What
// is undone later was no visit of a state.
func (c *claims) moved(cell, from, to string, committed bool) string {
	m := c.program.system.Find(cell).Machine
	taken := cert.ClaimEdgeTaken(m.Name, from, to)
	never := cert.ClaimTemporal(m.Name, ctl.AG(ctl.Not(ctl.Atom(to))).String())
	for _, o := range c.report.Obligations {
		if o.Cell != cell {
			continue
		}
		if o.Kind == obligation.EdgeTaken && o.Verdict == obligation.Refuted && o.Claim == taken ||
			committed && o.Kind == obligation.Temporal && o.Verdict == obligation.Proven && o.Claim == never {
			return o.ID
		}
	}
	return ""
}
