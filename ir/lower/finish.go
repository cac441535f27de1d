package lower

import (
	"slices"
	"sort"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// What is done to an automaton once its body is walked: what nothing reaches is dropped, the
// sort of its result is read off, and its loops get their bodies. Cost: linear in the edges,
// for each loop in its body.

// resultSort is the common sort of what a body returns, Opaque without one, Unit when it
// returns nothing.
func resultSort(a *ir.Automaton) *term.Sort {
	sorts := returned(a)
	switch len(sorts) {
	case 0:
		return term.Unit
	case 1:
		return sorts[0]
	}
	return term.Opaque
}

// baseSort is the common sort of those returns that are not Opaque; nil without one.
func baseSort(a *ir.Automaton) *term.Sort {
	sorts := slices.DeleteFunc(returned(a), func(s *term.Sort) bool { return s.Kind == term.KindOpaque })
	if len(sorts) != 1 || sorts[0].Kind == term.KindUnit {
		return nil
	}
	return sorts[0]
}

// returned are the sorts of what a body returns, each once.
func returned(a *ir.Automaton) []*term.Sort {
	var out []*term.Sort
	for _, e := range a.Edges {
		for _, eff := range e.Effects {
			if ret, ok := eff.(*ir.Return); ok && !slices.ContainsFunc(out, ret.Value.Sort.Same) {
				out = append(out, ret.Value.Sort)
			}
		}
	}
	return out
}

// prune drops what no path from the entry reaches: code after a return or a raise.
func prune(a *ir.Automaton) {
	number := make([]ir.Loc, a.Locs)
	for i := range number {
		number[i] = -1
	}
	out := make([][]*ir.Edge, a.Locs)
	for _, e := range a.Edges {
		out[e.From] = append(out[e.From], e)
	}
	work := []ir.Loc{ir.Entry}
	number[ir.Entry] = ir.Entry
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range out[l] {
			if number[e.To] < 0 {
				number[e.To] = e.To
				work = append(work, e.To)
			}
		}
	}
	next := ir.FirstLoc
	for l := range number {
		if ir.Loc(l) < ir.FirstLoc {
			number[l] = ir.Loc(l)
		} else if number[l] >= 0 {
			number[l] = next
			next++
		}
	}
	a.Locs = int(next)
	kept := a.Edges[:0]
	for _, e := range a.Edges {
		if from := number[e.From]; from >= 0 && (e.From != ir.Exit && e.From != ir.Raised) {
			e.From, e.To = from, number[e.To]
			kept = append(kept, e)
		}
	}
	a.Edges = kept
	pruneStmts(a, number)
	loops := a.Loops[:0]
	for _, l := range a.Loops {
		if number[l.Head] >= 0 {
			l.Head, l.Test = number[l.Head], number[l.Test]
			loops = append(loops, l)
		}
	}
	a.Loops = loops
}

// pruneStmts keeps the statements that some path reaches, at the new numbers of their locations.
func pruneStmts(a *ir.Automaton, number []ir.Loc) {
	effects, exits := map[ir.Loc]int{}, false
	for _, e := range a.Edges {
		effects[e.From] = len(e.Effects)
		exits = exits || e.To == ir.Exit
	}
	kept := a.Stmts[:0]
	for _, s := range a.Stmts {
		s.Loc = number[s.Loc]
		if s.Loc == ir.Exit && exits || s.Loc != ir.Exit && s.Loc >= 0 && s.Effect <= effects[s.Loc] {
			kept = append(kept, s)
		}
	}
	a.Stmts = kept
}

// giveAny gives any value, at the entry, to variables that are used and that only what was
// dropped assigned: beside each stands a condition, false there, that it has a value.
func giveAny(a *ir.Automaton) {
	assigned, used := map[string]bool{}, map[string]bool{}
	use := func(t *term.Term) {
		for _, v := range term.Vars(t) {
			used[v.Name] = true
		}
	}
	for _, p := range a.Params {
		assigned[p.Name] = true
	}
	for _, e := range a.Edges {
		use(e.Guard)
		for _, f := range e.Effects {
			for _, t := range ir.Uses(f) {
				use(t)
			}
			for _, v := range ir.Defs(f) {
				assigned[v.Name] = true
			}
		}
	}
	var given []ir.Effect
	for _, v := range a.Vars {
		if name := v.Term.Name; used[name] && !assigned[name] {
			given = append(given, &ir.Havoc{At: ir.At{Span: v.Span}, Var: v.Term, Origin: ir.Abstraction, Why: neverGiven})
		}
	}
	for i, s := range a.Stmts {
		if s.Loc == ir.Entry {
			a.Stmts[i].Effect += len(given)
		}
	}
	for _, e := range a.Edges {
		if e.From == ir.Entry && len(given) > 0 {
			e.Effects = append(slices.Clone(given), e.Effects...)
		}
	}
}

// closeLoops finds the body of each loop: the locations that reach one of its back edges
// without passing its head. A loop whose end is never reached closes nothing and is dropped.
func closeLoops(a *ir.Automaton) {
	into := make([][]ir.Loc, a.Locs)
	for _, e := range a.Edges {
		into[e.To] = append(into[e.To], e.From)
	}
	var kept []*ir.Loop
	for _, loop := range a.Loops {
		in := map[ir.Loc]bool{loop.Head: true}
		var work []ir.Loc
		closed := false
		for _, e := range a.Edges {
			if e.Back && e.To == loop.Head {
				closed = true
				work = append(work, e.From)
			}
		}
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			if !in[n] {
				in[n] = true
				work = append(work, into[n]...)
			}
		}
		if !closed {
			continue
		}
		loop.Body = nil
		for n := range in {
			loop.Body = append(loop.Body, n)
		}
		if !in[loop.Test] {
			loop.Test = loop.Head // no round gets so far and comes back
		}
		sort.Slice(loop.Body, func(i, j int) bool { return loop.Body[i] < loop.Body[j] })
		kept = append(kept, loop)
	}
	a.Loops = kept
}
