package proofs

import (
	"slices"
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/ir"
)

// condition is a source condition under which a place is reached.
type condition struct {
	text    source.Span
	subject source.Span // of a match arm
	negated bool        // of an arm with a guard: it was passed over
}

// branches tells which branches lead to the places of a body. Dominators after Cooper, Harvey
// and Kennedy ("A simple, fast dominance algorithm", 2001); cost: near linear in the edges,
// once a body.
type branches struct {
	a    *ir.Automaton
	idom []ir.Loc
	into [][]int
}

func branchesOf(a *ir.Automaton) *branches {
	idom, into := dominators(a)
	return &branches{a, idom, into}
}

// to are the branches that every path to an edge takes, outermost first: the edges on the
// chain of immediate dominators of its source.
func (b *branches) to(edge int) []condition {
	a := b.a
	var out []condition
	for l := a.Edges[edge].From; l != ir.Entry; l = b.idom[l] {
		if len(b.into[l]) == 1 {
			if e := a.Edges[b.into[l][0]]; !e.Cond.IsZero() {
				out = append(out, condition{text: e.Cond, subject: e.Subject, negated: e.Negated})
			}
		}
		if b.idom[l] < 0 {
			break
		}
	}
	if e := a.Edges[edge]; !e.Cond.IsZero() {
		out = append([]condition{{text: e.Cond, subject: e.Subject, negated: e.Negated}}, out...)
	}
	slices.Reverse(out)
	return withoutMissed(out)
}

// withoutMissed drops the patterns of arms whose guards failed: that says the condition behind it,
// of pattern and guard together.
func withoutMissed(conds []condition) []condition {
	var out []condition
	for _, c := range conds {
		if n := len(out); c.negated && !c.subject.IsZero() && n > 0 && out[n-1].subject == c.subject && out[n-1].text.Start == c.text.Start {
			out = out[:n-1]
		}
		out = append(out, c)
	}
	return out
}

// dominators gives each location its immediate dominator (-1 where it is not reached) and
// the edges into it. Edges into Raised do not count: nothing follows it.
func dominators(a *ir.Automaton) (idom []ir.Loc, into [][]int) {
	out := make([][]int, a.Locs)
	into = make([][]int, a.Locs)
	for i, e := range a.Edges {
		if e.To != ir.Raised {
			out[e.From] = append(out[e.From], i)
			into[e.To] = append(into[e.To], i)
		}
	}
	order := postorder(a, out)
	number := make([]int, a.Locs)
	for i := range number {
		number[i] = -1
	}
	for i, l := range order {
		number[l] = i
	}
	idom = make([]ir.Loc, a.Locs)
	for i := range idom {
		idom[i] = -1
	}
	idom[ir.Entry] = ir.Entry
	for changed := true; changed; {
		changed = false
		for i := len(order) - 1; i >= 0; i-- {
			l := order[i]
			if l == ir.Entry {
				continue
			}
			next := ir.Loc(-1)
			for _, e := range into[l] {
				p := a.Edges[e].From
				if number[p] < 0 || idom[p] < 0 {
					continue
				}
				if next < 0 {
					next = p
					continue
				}
				for p != next {
					for number[p] < number[next] {
						p = idom[p]
					}
					for number[next] < number[p] {
						next = idom[next]
					}
				}
			}
			if idom[l] != next {
				idom[l], changed = next, true
			}
		}
	}
	return idom, into
}

// postorder is a depth-first postorder of the locations reached from Entry.
func postorder(a *ir.Automaton, out [][]int) []ir.Loc {
	type frame struct {
		loc  ir.Loc
		next int
	}
	seen := make([]bool, a.Locs)
	seen[ir.Entry] = true
	stack := []frame{{loc: ir.Entry}}
	var order []ir.Loc
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(out[f.loc]) {
			order = append(order, f.loc)
			stack = stack[:len(stack)-1]
			continue
		}
		to := a.Edges[out[f.loc][f.next]].To
		f.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{loc: to})
		}
	}
	return order
}

// conditionText is a list of conditions as a reader of the source would say it, "" when
// there is none.
func conditionText(conds []condition) string {
	var parts []string
	for _, c := range conds {
		text := c.text.Normal()
		if !c.subject.IsZero() {
			text = c.subject.Normal() + " is " + text
		}
		switch {
		case c.negated:
			text = "not (" + text + ")"
		case len(conds) > 1 && c.subject.IsZero():
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " and ")
}
