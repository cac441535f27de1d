// Package conform decides whether a system allows a run: it is an evaluator of transition
// systems, as a relation. Every proof stands on the claim that a system allows whatever its
// program does; here the claim can be tested, against runs of an independent semantics.
//
// A run is the steps that others see of a call (Step). The evaluator walks the automaton and
// must find a path that makes exactly these steps, in this order, with these values, and ends
// as the run ends. Where an automaton leaves a value open, a free constant stands for it; what
// guards say of it is kept and judged once a step of the run tells the value. Uninterpreted
// functions get their meaning from outside (Values), which makes the test stricter: proofs hold
// for every meaning, so they must hold for the true one.
//
// The search is depth-first over edges, with the steps of the run as the guide. Its cost is
// linear where guards decide, and bounded by fuel where they do not.
//
// Besides, it notes where the system would have allowed something else (Report.Loose): where
// there is no such place, the system allows exactly the run.
package conform

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Kind tells steps apart.
type Kind int

const (
	Enter  Kind = iota // a handler begins: Cell, Name, Args
	Leave              // it ends: Value, or Raised
	Begin              // a try opens
	End                // it closes; when Raised, what it did is undone
	Write              // Value goes under Key of slot Name of Cell
	Push               // Value is appended
	Delete             // the entry under Key goes
	Move               // instance ID of Cell's machine goes From To
	Act                // builtin Name begins on Args
	Acted              // it ends: Value, or Raised
)

// String is the kind in a word.
func (k Kind) String() string {
	return [...]string{"enter", "leave", "begin", "end", "write", "push", "delete", "move", "act", "acted"}[k]
}

// Value is a value of a run; only Values looks into it.
type Value any

// Step is one step of a run.
type Step struct {
	Kind         Kind
	Cell, Name   string
	Args         []Value
	Key, Value   Value
	ID, From, To string
	Raised       bool
	Error        string // the kind of error that was raised
}

// Values gives values of runs as terms, and uninterpreted functions their meaning.
type Values interface {
	// Term is the known term of a sort for a value; nil when the sort has no such value.
	Term(v Value, s *term.Sort) *term.Term
	// Apply is the value of an uninterpreted function of known arguments, nil when it is not
	// known.
	Apply(name string, s *term.Sort, args []*term.Term) *term.Term
}

// Report tells how a run fits.
type Report struct {
	Allowed bool
	// GaveUp says that the search ended without an answer: Allowed is false then.
	GaveUp bool
	// Furthest is the step at which no path went on, and Wanted what stood there.
	Furthest int
	Wanted   string
	// Choices is the number of places passed, Loose those of them at which the system allows
	// more than the run did, by reason.
	Choices int
	Loose   map[string]int
}

// Evaluator walks the automata of one system.
type Evaluator struct {
	sys    *ir.System
	values Values
	bodies map[*ir.Automaton]*body
	// Fuel bounds the edges that one call may try.
	Fuel int
}

// defaultFuel is far above what the longest run of an ordinary program needs.
const defaultFuel = 200_000

// body is an automaton, indexed.
type body struct {
	*ir.Automaton
	out   [][]*ir.Edge
	index map[string]int // of variables
	heads map[ir.Loc]*ir.Loop
	meets []bool // where several edges lead to
}

// New prepares an evaluator of a valid system.
func New(sys *ir.System, values Values) *Evaluator {
	e := &Evaluator{sys: sys, values: values, bodies: map[*ir.Automaton]*body{}, Fuel: defaultFuel}
	for _, c := range sys.Cells {
		for _, a := range c.Automata {
			b := &body{Automaton: a, out: make([][]*ir.Edge, a.Locs), index: map[string]int{}, heads: map[ir.Loc]*ir.Loop{}}
			for _, edge := range a.Edges {
				b.out[edge.From] = append(b.out[edge.From], edge)
			}
			into := make([]int, a.Locs)
			for _, edge := range a.Edges {
				into[edge.To]++
			}
			for _, n := range into {
				b.meets = append(b.meets, n > 1)
			}
			for i, v := range a.Vars {
				b.index[v.Term.Name] = i
			}
			for _, l := range a.Loops {
				b.heads[l.Head] = l
			}
			e.bodies[a] = b
		}
	}
	return e
}

// Call tells whether the system allows a call from outside that makes these steps, from Enter
// to its Leave, and gives the memory after it. A path on which nothing is refused that the rules
// allow is sought first.
func (e *Evaluator) Call(before *Memory, steps []Step) (*Memory, Report) {
	after, report := e.search(before, steps, true)
	if !report.Allowed {
		after, report = e.search(before, steps, false)
	}
	return after, report
}

func (e *Evaluator) search(before *Memory, steps []Step, strict bool) (*Memory, Report) {
	w := &walk{e: e, steps: steps, ends: ends(steps), fuel: e.Fuel, seen: map[string]bool{}, strict: strict, report: Report{Loose: map[string]int{}}}
	after := before
	first := steps[0]
	a := e.sys.Handler(ir.HandlerRef{Cell: first.Cell, Handler: first.Name, Arity: len(first.Args)})
	if a == nil {
		w.report.Wanted = "no such handler"
		return before, w.report
	}
	w.report.Allowed = w.run(a, path{mem: before}, func(p path, o outcome) bool {
		if p.pos != len(steps) {
			return false
		}
		if !o.raised {
			after = p.mem
		}
		w.report.Choices = p.choices
		for l := p.loose; l != nil; l = l.next {
			w.report.Loose[l.why]++
		}
		return true
	})
	w.report.GaveUp = !w.report.Allowed && w.fuel < 0
	return after, w.report
}

// Memory is what slots and machines hold. It is never changed: a change makes a new one.
type Memory struct {
	maps   map[ir.SlotRef]map[string]*term.Term
	lists  map[ir.SlotRef][]*term.Term
	states map[string]map[string]string // by cell and id
}

// Entry is what a slot holds under a key; nil when nothing.
func (m *Memory) Entry(slot *ir.Slot, ref ir.SlotRef, key *term.Term) *term.Term {
	if !slot.IsList {
		return m.maps[ref][key.Name]
	}
	if items := m.lists[ref]; key.Int.IsInt64() && key.Int.Int64() >= 0 && key.Int.Int64() < int64(len(items)) {
		return items[key.Int.Int64()]
	}
	return nil
}

// Size is the number of a slot's entries.
func (m *Memory) Size(ref ir.SlotRef) int { return len(m.maps[ref]) + len(m.lists[ref]) }

// sum is the sum of an Int map.
func (m *Memory) sum(ref ir.SlotRef) *term.Term {
	total := term.Int64(0)
	for _, v := range m.maps[ref] {
		total = term.Add(total, v)
	}
	return total
}

// State is where an instance is; ok is false when it never moved.
func (m *Memory) State(cell, id string) (state string, ok bool) {
	state, ok = m.states[cell][id]
	return state, ok
}

func (m *Memory) copy() *Memory {
	out := &Memory{maps: map[ir.SlotRef]map[string]*term.Term{}, lists: map[ir.SlotRef][]*term.Term{}, states: map[string]map[string]string{}}
	for k, v := range m.maps {
		out.maps[k] = v
	}
	for k, v := range m.lists {
		out.lists[k] = v
	}
	for k, v := range m.states {
		out.states[k] = v
	}
	return out
}

func with[V any](m map[string]V, key string, v V) map[string]V {
	out := make(map[string]V, len(m)+1)
	for k, old := range m {
		out[k] = old
	}
	out[key] = v
	return out
}

func without[V any](m map[string]V, key string) map[string]V {
	out := make(map[string]V, len(m))
	for k, old := range m {
		if k != key {
			out[k] = old
		}
	}
	return out
}

func (m *Memory) write(slot *ir.Slot, ref ir.SlotRef, key, v *term.Term) *Memory {
	out := m.copy()
	if !slot.IsList {
		out.maps[ref] = with(m.maps[ref], key.Name, v)
		return out
	}
	items := slices.Clone(m.lists[ref])
	items[key.Int.Int64()] = v
	out.lists[ref] = items
	return out
}

func (m *Memory) push(ref ir.SlotRef, v *term.Term) *Memory {
	out := m.copy()
	out.lists[ref] = append(slices.Clone(m.lists[ref]), v)
	return out
}

func (m *Memory) delete(slot *ir.Slot, ref ir.SlotRef, key *term.Term) *Memory {
	out := m.copy()
	if !slot.IsList {
		out.maps[ref] = without(m.maps[ref], key.Name)
		return out
	}
	i := int(key.Int.Int64())
	out.lists[ref] = slices.Delete(slices.Clone(m.lists[ref]), i, i+1)
	return out
}

func (m *Memory) move(cell, id, to string) *Memory {
	out := m.copy()
	out.states[cell] = with(m.states[cell], id, to)
	return out
}
