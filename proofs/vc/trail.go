package vc

import (
	"fmt"
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// What a model of a condition says of the way to a place.

// Ways are the edges from which an edge may be reached, itself included, in order.
func (b *Body) Ways(edge int) []int {
	seen := map[int]bool{edge: true}
	work := []int{edge}
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		for _, i := range b.into[b.a.Edges[e].From] {
			if !seen[i] {
				seen[i] = true
				work = append(work, i)
			}
		}
	}
	out := make([]int, 0, len(seen))
	for i := range b.a.Edges {
		if seen[i] {
			out = append(out, i)
		}
	}
	return out
}

// Taken is true in a model whose run comes in by an edge, where several meet.
func Taken(edge int) *term.Term { return term.Var(fmt.Sprintf("in@%d", edge), term.Bool) }

// Trail is a way from the start to an edge: where several meet, one that is taken.
func (b *Body) Trail(edge int, taken func(edge int) bool) []int {
	out := []int{edge}
	for loc := b.a.Edges[edge].From; loc != ir.Entry && len(b.into[loc]) > 0; loc = b.a.Edges[out[len(out)-1]].From {
		ins := b.into[loc]
		i := max(0, slices.IndexFunc(ins, taken))
		out = append(out, ins[i])
	}
	slices.Reverse(out)
	return out
}

// Given is what an effect of an edge gives a variable, where nothing is known of it.
func Given(x *term.Term, edge, i int) *term.Term {
	return term.Var(tagged(x.Name, fmt.Sprintf("%d.%d", edge, i)), x.Sort)
}

// First is a slot's entry at a key before the body began. The key is one of the body, as it is at
// the site.
func (s Site) First(slot ir.SlotRef, key *term.Term) (has, val *term.Term) {
	sorts := s.cell(slot).Slot(slot.Slot)
	k := s.state.eval(key)
	return term.Select(term.Var(tagged(hasName(slot), "0"), term.ArraySort(sorts.Key(), term.Bool)), k),
		term.Select(term.Var(tagged(valName(slot), "0"), term.ArraySort(sorts.Key(), sorts.Value)), k)
}

// FirstStatus is the state of a machine's instance before the body began.
func (s Site) FirstStatus(cell string, id *term.Term) *term.Term {
	return term.Select(term.Var(tagged(stateName(cell), "0"), term.ArraySort(term.String, term.String)), s.state.eval(id))
}

// PushedAt is the index that the entry gets which an effect of an edge appends.
func PushedAt(edge, i int) *term.Term {
	return term.Var(tagged("key", fmt.Sprintf("%d.%d", edge, i)), term.Int)
}
