// Package ir holds programs as guarded-transition systems: the one lowered form that every
// analysis but resolution and typing sees, so that a call hidden in an interpolation is seen
// by all or by none.
//
// A System is data. It says what a body may do, exactly where it can and as an
// over-approximation where it must; where it gives up it says so (Abstraction).
package ir

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/smt/term"
)

// System is a whole program.
type System struct {
	Cells []*Cell
}

// Cell is a cell with its memory, machine and automata.
type Cell struct {
	Name     string
	Agent    bool
	Skeleton bool // written as a skeleton and its flesh, not as one cell
	Slots    []*Slot
	Rules    []*Rule
	Machine  *Machine // nil without one
	Signals  []*Signal
	Limits   []*Limit // of its section cost, in order
	Automata []*Automaton
	Span     source.Span
}

// Slot is a memory slot. A map slot is two total maps, has : String → Bool and
// val : String → Value, so that "absent" is never a magic value. Keys are texts. A list
// slot has Int keys; its entries shift when one is removed.
type Slot struct {
	Name      string
	IsList    bool
	Value     *term.Sort
	Type      string // the declared type of the slot, as written
	Attrs     []string
	Immutable bool
	Span      source.Span
}

// Key is the sort of the slot's keys.
func (s *Slot) Key() *term.Sort {
	if s.IsList {
		return term.Int
	}
	return term.String
}

// Rule is a memory rule about one entry: a predicate over the entry variables of its cell
// (see EntryHas and its kin).
type Rule struct {
	Text   string   // as written, on one line
	Guards []string // the slots whose writes it judges, in order of declaration
	Cond   *term.Term
	// Step marks a rule that may stop to hold without a write that breaks it, or that reads
	// memory elsewhere than at the written key, or the value before the write. It is proven
	// where it is judged and never assumed.
	Step bool
	// Status, Size and Total mark rules that mention the machine, entry counts, sums. A rule
	// about sums is judged when the outermost call commits, not at writes.
	Status, Size, Total bool
	// Abstract, when not empty, says why Cond does not capture the rule; such a rule is
	// neither proven nor assumed.
	Abstract string
	Span     source.Span
}

// EntryHas and the others are the variables of rules; they stand for one key of the cell's slots.
func EntryHas(slot string) *term.Term                  { return term.Var(slot+"?", term.Bool) }
func EntryVal(slot string, sort *term.Sort) *term.Term { return term.Var(slot+"!", sort) }
func EntryKey(sort *term.Sort) *term.Term              { return term.Var("!key", sort) }
func EntryStatus() *term.Term                          { return term.Var("!status", term.String) }
func EntrySize(slot string) *term.Term                 { return term.Var(slot+"#", term.Int) }
func EntrySum(slot string) *term.Term                  { return term.Var(slot+"#sum", term.Int) }

// Counts tells whether a rule that writes are judged by speaks of entry counts alone, whatever the
// entries are.
func (r *Rule) Counts() bool { return !r.Total && r.speaksOnly("#") }

// Sums tells whether a rule that commits are judged by speaks of sums and counts alone.
func (r *Rule) Sums() bool { return r.Total && r.speaksOnly("#sum", "#") }

// speaksOnly tells whether a rule has variables, and each has one of some suffixes.
func (r *Rule) speaksOnly(suffixes ...string) bool {
	if r.Abstract != "" {
		return false
	}
	vars := term.Vars(r.Cond)
	for _, x := range vars {
		if !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(x.Name, s) }) {
			return false
		}
	}
	return len(vars) > 0
}

// Machine is a state machine, its wildcards expanded. States are texts, as get_status
// gives them. An instance that never moved is in Initial.
type Machine struct {
	Name    string
	States  []string
	Initial string
	Edges   []*MachineEdge
	Span    source.Span
}

// MachineEdge is a declared edge. Guarded edges are judged at each move (Move.Guards).
type MachineEdge struct {
	From, To string
	Guard    string // source text of the guard, "" without one
	Span     source.Span
}

// Edge returns the index of the declared edge, or -1.
func (m *Machine) Edge(from, to string) int {
	for i, e := range m.Edges {
		if e.From == from && e.To == to {
			return i
		}
	}
	return -1
}

// Terminal tells whether a state has no outgoing edge.
func (m *Machine) Terminal(state string) bool {
	for _, e := range m.Edges {
		if e.From == state {
			return false
		}
	}
	return true
}

// Signal is a declared signal or tool with its frame.
type Signal struct {
	Name      string
	Tool      bool
	Params    []string // "name: Type"
	Result    string
	Frame     *Frame      // nil when unframed; an empty frame allows nothing
	Automaton string      // the handler that implements it
	Span      source.Span // from its name on; without clauses, to where one would stand
}

// CostKey names what a limit is about.
type CostKey string

// The keys of a section cost. The last is no limit: it is the price of 1000 tokens, which turns
// tokens into dollars.
const (
	CostCalls   CostKey = "calls"   // questions to a model
	CostTokens  CostKey = "tokens"  // that models write
	CostLatency CostKey = "latency" // milliseconds spent waiting
	CostUSD     CostKey = "usd"
	CostPrice   CostKey = "usd_per_1000_tokens"
)

// costKeys are all of them.
func costKeys() []CostKey { return []CostKey{CostCalls, CostTokens, CostLatency, CostUSD, CostPrice} }

// Limit is an entry of a section cost: what one call of the cell from outside may spend at most.
type Limit struct {
	Key   CostKey
	Value *big.Rat // not negative; a whole number of calls, tokens and milliseconds
	Text  string   // the value as written
	Span  source.Span
}

// Limit is the limit on a key, or nil.
func (c *Cell) Limit(key CostKey) *Limit {
	for _, l := range c.Limits {
		if l.Key == key {
			return l
		}
	}
	return nil
}

// Frame is what a signal may do.
type Frame struct {
	Reads  []FrameItem // slots, and the machine under its name
	Writes []FrameItem
	Moves  []FrameItem // From and To
	Calls  []FrameItem // builtins, handlers ("Cell.name" for another cell's), "emit"
}

// FrameItem is one entry of a frame clause.
type FrameItem struct {
	Name     string
	From, To string // of Moves
	Span     source.Span
}

// Find returns the system's cell of that name, or nil.
func (s *System) Find(cell string) *Cell {
	for _, c := range s.Cells {
		if c.Name == cell {
			return c
		}
	}
	return nil
}

// Handler returns an automaton of the system, or nil.
func (s *System) Handler(ref HandlerRef) *Automaton {
	c := s.Find(ref.Cell)
	if c == nil {
		return nil
	}
	for _, a := range c.Automata {
		if a.Name == ref.Handler && (ref.Arity < 0 || len(a.Params) == ref.Arity) {
			return a
		}
	}
	return nil
}

// MachineOf returns the cell whose machine the cell's moves act on: itself, or where it has
// none the only cell with a machine; nil when there is none or it is not the only one.
func (s *System) MachineOf(c *Cell) *Cell {
	if c.Machine != nil {
		return c
	}
	var found *Cell
	for _, other := range s.Cells {
		if other.Machine == nil {
			continue
		}
		if found != nil {
			return nil
		}
		found = other
	}
	return found
}

// Slot returns the slot of that name, or nil.
func (c *Cell) Slot(name string) *Slot {
	for _, s := range c.Slots {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// SlotRef names a slot of a cell.
type SlotRef struct{ Cell, Slot string }

// HandlerRef names a handler: handlers of one name differ in arity.
type HandlerRef struct {
	Cell, Handler string
	Arity         int
}

// String is "Cell.handler/arity".
func (h HandlerRef) String() string { return h.Cell + "." + h.Handler + "/" + strconv.Itoa(h.Arity) }

// Ref names the automaton, for calls.
func (a *Automaton) Ref() HandlerRef { return HandlerRef{a.Cell, a.Name, len(a.Params)} }
