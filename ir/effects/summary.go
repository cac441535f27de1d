// Package effects sums up what automata do: which slots they read and write, which edges they
// may take, what they ask of the outside, whom they call. Frames, contracts, termination and
// cost rest on it.
//
// A summary counts every edge of an automaton, whether or not a run can reach it, so it
// over-approximates; nothing that a body can do is missing.
package effects

import (
	"cmp"
	"slices"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Any stands for a state that is not known before the body runs.
const Any = ""

// Summary is what a body may do. Each list is sorted and without repetition; an entry knows the
// places that cause it, in the order of the source and without repetition.
type Summary struct {
	Reads    []Slot
	Writes   []Slot
	Moves    []Move
	Inspects []Machine
	Acts     []Act
	Calls    []Call
	Emits    []Event
	Unknown  []Unknown // what it does then is not known: anything
}

// Slot is a slot that is read or written.
type Slot struct {
	ir.SlotRef
	Places []source.Span
}

// Move is an edge of a machine that may be taken. From is Any where the body does not declare
// the source as a literal, To where the target is computed.
type Move struct {
	Cell     string // whose machine
	From, To string
	Places   []source.Span
}

// Machine is a machine that is inspected.
type Machine struct {
	Cell   string
	Places []source.Span
}

// Act is a builtin that the outside sees.
type Act struct {
	Builtin, Class string
	Places         []source.Span
}

// Call is a handler that may be called. Via and Optional are those of ir.Call; "tool" is the
// model's way.
type Call struct {
	Handler  ir.HandlerRef
	Via      string
	Optional bool
	Places   []source.Span
}

// Event is an event that is announced.
type Event struct {
	Name   string
	Places []source.Span
}

// Unknown is a construct whose effects are not known.
type Unknown struct {
	Why    string
	Places []source.Span
}

// Direct sums up the body of an automaton, callees not included.
func Direct(a *ir.Automaton) *Summary {
	s := &Summary{}
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			s.add(f)
		}
	}
	s.normalise()
	return s
}

func (s *Summary) add(f ir.Effect) {
	at := []source.Span{f.Place()}
	switch f := f.(type) {
	case *ir.Read:
		s.Reads = append(s.Reads, Slot{f.Slot, at})
	case *ir.Scan:
		s.Reads = append(s.Reads, Slot{f.Slot, at})
	case *ir.Write:
		s.Writes = append(s.Writes, Slot{f.Slot, at})
	case *ir.Push:
		s.Writes = append(s.Writes, Slot{f.Slot, at})
	case *ir.Delete:
		s.Writes = append(s.Writes, Slot{f.Slot, at})
	case *ir.Move:
		s.Moves = append(s.Moves, Move{f.Cell, Literal(f.From), Literal(f.To), at})
	case *ir.Inspect:
		s.Inspects = append(s.Inspects, Machine{f.Cell, at})
	case *ir.Act:
		s.Acts = append(s.Acts, Act{f.Builtin, f.Class, at})
		for _, t := range f.Tools {
			s.Calls = append(s.Calls, Call{t, "tool", true, at})
		}
	case *ir.Call:
		s.Calls = append(s.Calls, Call{f.Handler, f.Via, f.Optional, at})
	case *ir.Emit:
		s.Emits = append(s.Emits, Event{f.Event, at})
	case *ir.Unknown:
		s.Unknown = append(s.Unknown, Unknown{f.Why, at})
	}
}

// Literal is the state that a term names, or Any.
func Literal(t *term.Term) string {
	if t != nil && t.Op == term.OpString {
		return t.Name
	}
	return Any
}

// merge adds what another body does.
func (s *Summary) merge(t *Summary) {
	s.Reads = append(s.Reads, t.Reads...)
	s.Writes = append(s.Writes, t.Writes...)
	s.Moves = append(s.Moves, t.Moves...)
	s.Inspects = append(s.Inspects, t.Inspects...)
	s.Acts = append(s.Acts, t.Acts...)
	s.Calls = append(s.Calls, t.Calls...)
	s.Emits = append(s.Emits, t.Emits...)
	s.Unknown = append(s.Unknown, t.Unknown...)
}

// normalise sorts each list and joins entries that differ by their places alone.
func (s *Summary) normalise() {
	s.Reads = join(s.Reads, compareSlots, placesOfSlot)
	s.Writes = join(s.Writes, compareSlots, placesOfSlot)
	s.Moves = join(s.Moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	}, func(m *Move) *[]source.Span { return &m.Places })
	s.Inspects = join(s.Inspects, func(a, b Machine) int { return cmp.Compare(a.Cell, b.Cell) },
		func(m *Machine) *[]source.Span { return &m.Places })
	s.Acts = join(s.Acts, func(a, b Act) int {
		return cmp.Or(cmp.Compare(a.Builtin, b.Builtin), cmp.Compare(a.Class, b.Class))
	}, func(a *Act) *[]source.Span { return &a.Places })
	s.Calls = join(s.Calls, compareCalls, func(c *Call) *[]source.Span { return &c.Places })
	s.Emits = join(s.Emits, func(a, b Event) int { return cmp.Compare(a.Name, b.Name) },
		func(e *Event) *[]source.Span { return &e.Places })
	s.Unknown = join(s.Unknown, func(a, b Unknown) int { return cmp.Compare(a.Why, b.Why) },
		func(u *Unknown) *[]source.Span { return &u.Places })
}

func compareSlots(a, b Slot) int {
	return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Slot, b.Slot))
}

func placesOfSlot(s *Slot) *[]source.Span { return &s.Places }

func compareCalls(a, b Call) int {
	return cmp.Or(compareHandlers(a.Handler, b.Handler), cmp.Compare(a.Via, b.Via), compareBools(a.Optional, b.Optional))
}

func compareHandlers(a, b ir.HandlerRef) int {
	return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Handler, b.Handler), cmp.Compare(a.Arity, b.Arity))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func join[E any](list []E, compare func(a, b E) int, places func(*E) *[]source.Span) []E {
	slices.SortStableFunc(list, compare)
	var out []E
	for _, e := range list {
		if n := len(out); n > 0 && compare(out[n-1], e) == 0 {
			to := places(&out[n-1])
			*to = append(*to, *places(&e)...)
			continue
		}
		own := places(&e)
		*own = slices.Clone(*own)
		out = append(out, e)
	}
	for i := range out {
		at := places(&out[i])
		slices.SortStableFunc(*at, source.Compare)
		*at = slices.Compact(*at)
	}
	return out
}
