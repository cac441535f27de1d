package taint

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// What a call writes stays only when the call does not fail, and what the block of a try writes
// only when the block does not. Within the call nothing is seen of what was undone; the next
// call sees it: a slot that grows by one in each call whose answer passed a test counts the
// answers. So a test of an untrusted value that may undo a write chooses what the store holds,
// like a branch around the write.
//
// Tests count: branches of which one way only leads to an error, and those that lead to the
// undoing of a block. A test anywhere in the calls that make up the transaction undoes the
// writes of all of them. That an operation fails by itself (a model that does not answer, an
// index out of range) does not count.

// undoers lists the branches that decide whether what the body wrote is undone.
func (c *control) undoers(g *flowgraph) []ir.Loc {
	var out []ir.Loc
	for l := range g.a.Locs {
		var kept []int
		lost := false
		for _, i := range g.outOf[l] {
			switch {
			case g.out[i] == nil:
			case c.relevant[i]:
				kept = append(kept, i)
			default:
				lost = lost || !slices.ContainsFunc(g.a.Edges[i].Effects, isRaise)
			}
		}
		if !lost || len(kept) == 0 {
			continue
		}
		out = append(out, ir.Loc(l))
		for _, i := range kept {
			out = append(out, c.deciders(i)...)
		}
	}
	for i, e := range g.a.Edges {
		if c.relevant[i] && slices.ContainsFunc(e.Effects, isRollback) {
			out = append(out, c.deciders(i)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isRollback(f ir.Effect) bool {
	_, ok := f.(*ir.Rollback)
	return ok
}

// isRaise tells an operation that fails: its edge raises itself. The error of a test stands
// behind the edge that the test guards.
func isRaise(f ir.Effect) bool {
	_, ok := f.(*ir.Raise)
	return ok
}

// undoes is Chosen when a test of an untrusted value in this body may undo what it wrote.
func (x *instance) undoes() label {
	var l label
	for _, b := range x.r.undoers {
		for _, i := range x.r.g.outOf[b] {
			switch e := x.r.g.a.Edges[i]; {
			case x.r.g.out[i] == nil || slices.ContainsFunc(e.Effects, isRaise):
			case e.Guard == term.True: // a round of a loop
				l = l.join(x.undecided(b))
			default:
				l = l.join(x.eval(x.r.g.at[b].facts, x.r.guards[i]))
			}
		}
	}
	return l.cap(Chosen)
}

// shareUndoing tells a callee of tests that may undo what it wrote, and the caller of those of
// the callee.
func (x *instance) shareUndoing(callee *instance) {
	x.of.raise(x.fails, callee.fails.label(), nil)
	x.of.raise(callee.undone, x.fails.label().join(x.undone.label()), nil)
}
