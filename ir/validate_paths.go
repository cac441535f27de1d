package ir

import (
	"slices"

	"soma.cell/smt/term"
)

// The checks of a body that speak of its paths. They walk the locations in an order in which,
// back edges apart, each comes after its predecessors.

// loops checks the declared loops against the edges.
func (b *bodyValidator) loops() error {
	a := b.automaton
	bodies := map[Loc]map[Loc]bool{}
	for _, l := range a.Loops {
		body, err := b.loop(l)
		if err != nil {
			return err
		}
		if bodies[l.Head] != nil {
			return errTwice("loop head", l.Head.String())
		}
		bodies[l.Head] = body
	}
	for _, e := range a.Edges {
		if !e.Back {
			continue
		}
		body := bodies[e.To]
		if body == nil {
			return errBackEdge(e.To)
		}
		if !body[e.From] {
			return errBackFrom(e.From, e.To)
		}
	}
	return firstError(b.statements, func() error { return b.enteredByHead(bodies) }, b.ordered)
}

// statements checks that each begins at a location, or after effects of the last edge from it.
func (b *bodyValidator) statements() error {
	a := b.automaton
	effects := make([]int, a.Locs)
	for _, e := range a.Edges {
		effects[e.From] = len(e.Effects)
	}
	for _, s := range a.Stmts {
		switch {
		case s.Loc < 0 || int(s.Loc) >= a.Locs || s.Loc == Raised:
			return errLoc(s.Loc, a.Locs)
		case s.Effect < 0 || s.Effect > effects[s.Loc]:
			return errIndex("effect", s.Effect, effects[s.Loc]+1)
		}
	}
	return nil
}

// enteredByHead checks that no edge from outside leads into a loop beside its head; then every
// location on a cycle through the head is in the body.
func (b *bodyValidator) enteredByHead(bodies map[Loc]map[Loc]bool) error {
	into := make([][]Loc, b.automaton.Locs)
	for _, e := range b.automaton.Edges {
		into[e.To] = append(into[e.To], e.From)
	}
	for _, loop := range b.automaton.Loops {
		body := bodies[loop.Head]
		for _, l := range loop.Body {
			for _, from := range into[l] {
				if l != loop.Head && !body[from] {
					return errLoopEntered(loop.Head, from, l)
				}
			}
		}
	}
	return nil
}

// ordered finds the order, and with it the cycles that have no back edge.
func (b *bodyValidator) ordered() error {
	a := b.automaton
	b.order = orderOf(a)
	b.from = make([][]int, a.Locs)
	for i, e := range a.Edges {
		b.from[e.From] = append(b.from[e.From], i)
	}
	if len(b.order) == a.Locs {
		return nil
	}
	in := make([]bool, a.Locs)
	for _, l := range b.order {
		in[l] = true
	}
	return errCycle(Loc(slices.Index(in, false)))
}

// orderOf is Kahn's algorithm (CACM 5(11), 1962) without the back edges. Locations on or behind
// a cycle of other edges are left out.
func orderOf(a *Automaton) []Loc {
	waiting := make([]int, a.Locs)
	out := make([][]Loc, a.Locs)
	for _, e := range a.Edges {
		if !e.Back {
			waiting[e.To]++
			out[e.From] = append(out[e.From], e.To)
		}
	}
	var order []Loc
	for l, n := range waiting {
		if n == 0 {
			order = append(order, Loc(l))
		}
	}
	for next := 0; next < len(order); next++ {
		for _, to := range out[order[next]] {
			if waiting[to]--; waiting[to] == 0 {
				order = append(order, to)
			}
		}
	}
	return order
}

func (b *bodyValidator) loop(l *Loop) (map[Loc]bool, error) {
	if l == nil {
		return nil, errMissing("a loop")
	}
	body := map[Loc]bool{}
	for i, loc := range l.Body {
		switch {
		case loc < FirstLoc || int(loc) >= b.automaton.Locs:
			return nil, errLoopBody(l.Head, "its body holds a location that no body has")
		case i > 0 && loc <= l.Body[i-1]:
			return nil, errLoopBody(l.Head, "its body is not sorted")
		}
		body[loc] = true
	}
	if !body[l.Head] {
		return nil, errLoopBody(l.Head, "its head is not in its body")
	}
	if !body[l.Test] {
		return nil, errLoopBody(l.Head, "its test is not in its body")
	}
	if l.Bound != nil && *l.Bound < 0 {
		return nil, errLoopBody(l.Head, "its bound is negative")
	}
	if l.Cond != nil {
		if err := checkTerm("condition of a loop", l.Cond, term.Bool); err != nil {
			return nil, err
		}
		return body, b.declared(l.Cond)
	}
	return body, nil
}

// assignments checks that each variable is assigned on some path before it is used. (On others it
// may have any value: the value of what may be unit is not assigned where it is unit.) It is a
// forward analysis whose value at a location is the set of variables assigned on some path to
// it, taken to its fixpoint.
func (b *bodyValidator) assignments() error {
	a := b.automaton
	in := make([]bitset, a.Locs) // nil is not reached
	in[Entry] = newBitset(len(a.Vars))
	for i := range a.Params {
		in[Entry].add(i)
	}
	for grown := true; grown; {
		grown = false
		for _, l := range b.order {
			if in[l] == nil {
				continue
			}
			for _, i := range b.from[l] {
				e := a.Edges[i]
				out := b.assign(e, in[l])
				if in[e.To] == nil {
					in[e.To] = out
					grown = true
				} else if in[e.To].include(out) {
					grown = true
				}
			}
		}
	}
	for _, l := range b.order {
		if in[l] == nil {
			continue
		}
		for _, i := range b.from[l] {
			if err := b.used(a.Edges[i], in[l]); err != nil {
				return errIn(edgeName(i, a.Edges[i]), err)
			}
		}
	}
	return b.loopConditions(in)
}

func (b *bodyValidator) loopConditions(in []bitset) error {
	for _, loop := range b.automaton.Loops {
		if in[loop.Head] != nil && loop.Cond != nil {
			if err := b.assigned(loop.Cond, in[loop.Head]); err != nil {
				return errLoopBody(loop.Head, err.Error())
			}
		}
	}
	return nil
}

// assign is the set after an edge.
func (b *bodyValidator) assign(e *Edge, in bitset) bitset {
	out := slices.Clone(in)
	for _, f := range e.Effects {
		for _, v := range Defs(f) {
			out.add(b.index[v.Name])
		}
	}
	return out
}

// used checks what an edge uses against the set before it.
func (b *bodyValidator) used(e *Edge, in bitset) error {
	now := slices.Clone(in)
	if err := b.assigned(e.Guard, now); err != nil {
		return err
	}
	for _, f := range e.Effects {
		for _, t := range Uses(f) {
			if err := b.assigned(t, now); err != nil {
				return err
			}
		}
		for _, v := range Defs(f) {
			now.add(b.index[v.Name])
		}
	}
	return nil
}

func (b *bodyValidator) assigned(t *term.Term, in bitset) error {
	for _, v := range term.Vars(t) {
		if !in.has(b.index[v.Name]) {
			return errUnassigned(v)
		}
	}
	return nil
}

// transactions checks that each location is reached with one number of open nested
// transactions, and the exit with none, and that a loop closes those only that it opened: what
// a rollback restores is then the same in every round. Where the body raises, all are undone.
func (b *bodyValidator) transactions() error {
	a := b.automaton
	depth := make([]int, a.Locs)
	for i := range depth {
		depth[i] = -1
	}
	depth[Entry] = 0
	for _, l := range b.order {
		if depth[l] < 0 {
			continue
		}
		for _, i := range b.from[l] {
			e := a.Edges[i]
			d, err := depthAfter(e, depth[l], 0)
			switch {
			case err != nil:
				return errIn(edgeName(i, e), err)
			case e.To == Raised:
			case depth[e.To] < 0:
				depth[e.To] = d
			case depth[e.To] != d:
				return errIn(edgeName(i, e), errDepth(e.To, d, depth[e.To]))
			}
		}
	}
	if depth[Exit] > 0 {
		return errOpenAtExit(depth[Exit])
	}
	for _, loop := range a.Loops {
		if err := b.closesItsOwn(loop, depth); err != nil {
			return errLoopBody(loop.Head, err.Error())
		}
	}
	return nil
}

func (b *bodyValidator) closesItsOwn(loop *Loop, depth []int) error {
	for _, l := range loop.Body {
		for _, i := range b.from[l] {
			e := b.automaton.Edges[i]
			if _, again := slices.BinarySearch(loop.Body, e.To); !again || depth[l] < 0 {
				continue
			}
			if _, err := depthAfter(e, depth[l], depth[loop.Head]); err != nil {
				return errIn(edgeName(i, e), err)
			}
		}
	}
	return nil
}

// depthAfter is the number of open transactions after an edge, which must not fall below floor.
func depthAfter(e *Edge, d, floor int) (int, error) {
	for _, f := range e.Effects {
		switch f.(type) {
		case *Begin:
			d++
		case *Commit, *Rollback:
			if d--; d < floor {
				return 0, errNoTransaction()
			}
		}
	}
	return d, nil
}

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, n/64+1) }

func (s bitset) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s bitset) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// include adds t to s and tells whether s grew.
func (s bitset) include(t bitset) bool {
	grown := false
	for i := range s {
		grown = grown || t[i]&^s[i] != 0
		s[i] |= t[i]
	}
	return grown
}
