package taint

import (
	"slices"

	"soma.cell/frontend/source"
)

// Level says how far an untrusted party decides a value. The levels are a lattice: Trusted
// below Chosen below Prefixed and Collected, which are not comparable, below Untrusted.
type Level int8

const (
	// Trusted values do not depend on an untrusted party.
	Trusted Level = iota
	// Chosen values are each one of finitely many values of the program; an untrusted party may
	// have decided which. Any sink accepts them, but what is assembled from them in a loop is
	// Untrusted.
	Chosen
	// Prefixed values are texts that begin with an address or folder of the program and go on
	// in any way. Only URLs and file paths accept them.
	Prefixed
	// Collected values are lists of which an untrusted party decides the length and the order;
	// each element is Chosen.
	Collected
	// Untrusted values may be anything.
	Untrusted
)

// String is the level in one word.
func (l Level) String() string {
	return [...]string{"trusted", "chosen", "prefixed", "collected", "untrusted"}[l]
}

// join is the least level above both.
func (l Level) join(m Level) Level {
	if l != m && min(l, m) == Prefixed && max(l, m) == Collected {
		return Untrusted
	}
	return max(l, m)
}

// Origin is where an untrusted value enters the program.
type Origin struct {
	Builtin string // the builtin whose result it is; "" for a tool's argument
	Tool    string // the tool whose argument it is
	Unknown string // a construct that may do anything, when that is where it enters
	Span    source.Span
}

// label is a level with the reason for it: the cell the level was taken from, or the origin.
type label struct {
	level  Level
	from   *cell
	origin *Origin
}

func (a label) join(b label) label {
	level := a.level.join(b.level)
	if b.level > a.level {
		a = b
	}
	a.level = level
	return a
}

// cap is the label at no more than a level.
func (a label) cap(max Level) label {
	a.level = min(a.level, max)
	return a
}

// derived is the label of what is computed from a value: a text that begins like a trusted one
// no longer does, and a list may turn into anything.
func (a label) derived() label {
	if a.level > Chosen {
		a.level = Untrusted
	}
	return a
}

// element is the label of one element of a list.
func (a label) element() label {
	if a.level == Collected {
		a.level = Chosen
	}
	return a.derived()
}

// cell is a variable of the analysis: its level only rises, and each level it had remembers
// why. The reason was there before the level, so following reasons ends at an origin.
type cell struct {
	max   Level // of a finite sort: never above Chosen
	level Level
	why   [Untrusted + 1]*cause
}

// cause is why a cell has a level.
type cause struct {
	from   *cell
	level  Level // of from, at the time
	origin *Origin
	note   *step
}

// step is a place that a value passed on its way, worth telling.
type step struct {
	kind stepKind
	name string // of the handler or slot
	span source.Span
}

type stepKind int

const (
	stepArgument stepKind = iota // given to a handler
	stepResult                   // returned by a handler
	stepSlot                     // stored in a slot
	stepStore                    // stored by remember() or in a file
)

// raise lifts a cell to a label and tells whether its level rose.
func (c *cell) raise(l label, note *step) bool {
	level := c.level.join(min(l.level, c.max))
	if level == c.level {
		return false
	}
	why := &cause{origin: l.origin, from: l.from, note: note}
	if l.from != nil {
		why.level = l.from.level
	}
	c.level = level
	c.why[level] = why
	return true
}

func (c *cell) label() label { return label{level: c.level, from: c} }

func newCell() *cell { return &cell{max: Untrusted} }

// trace follows the reasons of a label to its origin; steps come in the order the value took.
func (a label) trace() (origin *Origin, steps []step) {
	origin, c := a.origin, a.from
	var level Level
	if c != nil {
		level = c.level
	}
	for c != nil {
		why := c.why[level]
		if why == nil {
			break
		}
		if why.note != nil {
			steps = append(steps, *why.note)
		}
		if why.origin != nil {
			origin = why.origin
		}
		c, level = why.from, why.level
	}
	slices.Reverse(steps)
	return origin, steps
}
