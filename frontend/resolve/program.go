// Package resolve gives names their meaning: it pairs skeletons with their flesh, expands
// machines, reads faces and frames, decides what each call calls, and reports what does not
// fit. Its results stand in Program and in the side tables of Info; the tree is untouched.
package resolve

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Program is a resolved program: one entry file and everything it uses.
type Program struct {
	Files   []*syntax.File // the entry first
	Edition string         // "2026" or "2027"
	Cells   []*Cell        // cells with state or handlers, in order of declaration; no test or type cells
	Types   []*SumType     // in order of declaration
	Tests   []*TestCell    // of the entry file, in order
	Info    *Info
}

// Cell is a cell as the analyses see it: a plain cell, or a skeleton with its flesh.
type Cell struct {
	Name       string
	Decl       *syntax.Decl // the cell, or the skeleton
	Flesh      *syntax.Decl // nil for a plain cell
	Agent      bool
	Slots      []*Slot
	Invariants []*Invariant
	Machine    *Machine // nil without one
	Signals    []*Signal
	Givens     []*Given
	Limits     []*Limit   // of its section cost
	Handlers   []*Handler // in order of declaration, timers last
	Verify     []*syntax.Prop

	slots    map[string]*Slot
	handlers map[string][]*Handler // without timers
	signals  map[string][]*Signal
}

func newCell(d *syntax.Decl) *Cell {
	return &Cell{Name: d.Name.Name, Decl: d, Agent: d.Kind == syntax.AgentCell || d.Kind == syntax.AgentSkeleton,
		slots: map[string]*Slot{}, handlers: map[string][]*Handler{}, signals: map[string][]*Signal{}}
}

// Slot is a memory slot.
type Slot struct {
	Cell   *Cell
	Name   string
	Decl   *syntax.Slot
	IsList bool
	Key    *Type // of a map slot: its declared key type
	Value  *Type // the type of an entry
	Attrs  map[string]*syntax.Attr
	// Scalar marks a slot that is neither map nor list, which is an error: what is done to it as
	// a whole follows from that.
	Scalar bool
}

// Invariant is one memory rule.
type Invariant struct {
	Decl *syntax.Invariant
	// Guards are the slots whose writes the rule judges: those of its conjuncts.
	Guards []*Slot
	// Conjuncts are the parts between its top-level &&, each a rule of its own.
	Conjuncts []*Conjunct
	// Section is the memory section of the rule.
	Section *syntax.Memory
}

// Conjunct is one part of a memory rule.
type Conjunct struct {
	Cond syntax.Expr
	// Guards are the slots whose writes the part judges, in order of declaration: those it
	// names as values, by size or by total; else, unless it speaks of value or size, those
	// it reads through get, has or an index; else every slot of its section.
	Guards []*Slot
}

// Machine is a state machine with its wildcards expanded.
type Machine struct {
	Cell    *Cell
	Name    string
	Decl    *syntax.Machine
	Sum     *SumType // of a typed machine
	States  []string // in order of first mention
	Initial string
	Edges   []*Edge // in order of declaration; distinct

	known   map[string]bool // states
	refused map[string]bool // states of a second machine of the cell, which is an error
	index   map[edgeKey]*Edge
	exits   map[string]bool // states with an edge out
	entered map[string]bool // states with an edge in
}

type edgeKey struct{ from, to string }

func newMachine(c *Cell, decl *syntax.Machine) *Machine {
	return &Machine{Cell: c, Name: decl.Name.Name, Decl: decl, known: map[string]bool{},
		refused: map[string]bool{}, index: map[edgeKey]*Edge{}, exits: map[string]bool{}, entered: map[string]bool{}}
}

// addState adds a state unless the machine has it.
func (m *Machine) addState(name string) {
	if !m.known[name] {
		m.known[name] = true
		m.States = append(m.States, name)
	}
}

func (m *Machine) addEdge(e *Edge) {
	m.Edges = append(m.Edges, e)
	m.index[edgeKey{e.From, e.To}] = e
	m.exits[e.From], m.entered[e.To] = true, true
}

// Edge is one declared edge.
type Edge struct {
	From, To string
	Row      *syntax.EdgeRow
	Wildcard bool
}

// Edge finds the declared edge from -> to, or nil.
func (m *Machine) Edge(from, to string) *Edge { return m.index[edgeKey{from, to}] }

// HasState tells whether the machine declares the state.
func (m *Machine) HasState(name string) bool { return m.known[name] }

// lacks tells whether the machine surely has no state of the name: what a refused part of the
// picture might have declared is no second error.
func (m *Machine) lacks(name string) bool {
	return !m.known[name] && !m.refused[name] && len(m.Edges) > 0
}

// Terminal tells whether a state has no outgoing edge.
func (m *Machine) Terminal(state string) bool { return !m.exits[state] }

// Signal is a declared signal or tool.
type Signal struct {
	Cell    *Cell
	Decl    *syntax.Signal
	Name    string
	Tool    bool
	Params  []Param
	Result  *Type    // Any when not stated
	Frame   *Frame   // nil when unframed
	Handler *Handler // nil when it is missing (an error)
}

// Given is an assumption of a face.
type Given struct {
	Decl *syntax.Given
	Type *Type
}

// Frame is what a signal may do. A frame without entries is pure.
type Frame struct {
	Reads  []FrameSlot
	Writes []FrameSlot
	Moves  []FrameEdge
	Calls  []FrameCall
}

// FrameSlot is a slot of the cell, or (in reads) its machine.
type FrameSlot struct {
	Slot    *Slot    // nil when Machine is set
	Machine *Machine // reads <machine>
	Item    *syntax.ClauseItem
}

// FrameEdge is an edge the signal may take.
type FrameEdge struct {
	Edge *Edge
	Item *syntax.ClauseItem
}

// FrameCall is a builtin or handler the signal may call.
type FrameCall struct {
	Builtin *builtin.Builtin // nil when Handler is set or for emit
	Handler *Handler
	Emit    bool
	Item    *syntax.ClauseItem
}

// Param is a parameter. Type is Any when none is stated; in a flesh it is the face's.
type Param struct {
	Name string
	Type *Type
	Decl *syntax.Param
}

// Handler is a handler or a timer.
type Handler struct {
	Cell   *Cell
	Name   string // of a timer: "every 30s", "after 5s"
	Params []Param
	Body   *syntax.Block
	Decl   *syntax.Handler // nil for a timer
	Timer  *syntax.Timer   // nil for a handler
	Signal *Signal         // nil when the face does not declare it
	Public bool            // the environment may call it: not private, or a timer
}

// Span is the place of the handler's name, or of the timer.
func (h *Handler) Span() source.Span {
	if h.Decl != nil {
		return h.Decl.Name.At
	}
	return h.Timer.At
}

// SumType is a cell type.
type SumType struct {
	Name     string
	Decl     *syntax.Decl
	Variants []*Variant
}

// Variant is one alternative of a sum type.
type Variant struct {
	Type   *SumType
	Name   string
	Struct bool
	Fields []Param // names are empty for a tuple variant
	Decl   *syntax.Variant
}

// TestCell is a test cell with helpers of its own.
type TestCell struct {
	Name    string
	Decl    *syntax.Decl
	Helpers *Cell // handlers declared inside the test cell
}

// Info holds what resolution learned about nodes.
type Info struct {
	// Calls tells what a call calls; keys are *syntax.Call, *syntax.Method and *syntax.Pipe.
	Calls map[syntax.Expr]*Callee
	// Names tells what a name in expression position stands for.
	Names map[*syntax.Name]*Ref
	// Slots tells which *syntax.Field and *syntax.Index expressions read or name a slot
	// (slot.len, slot[k], and Cell.slot in tests); others are fields of values.
	Slots map[syntax.Expr]*SlotUse
	// Variants tells which variant a *syntax.VariantRef, *syntax.Record or
	// *syntax.VariantPattern names; absent for records of undeclared names.
	Variants map[syntax.Node]*Variant
	// Listeners tells which handlers an emit runs, in order.
	Listeners map[*syntax.Emit][]*Handler
	// Mocks tells what a mock replaces.
	Mocks map[*syntax.Mock]*Callee
}

// CalleeKind tells what a call calls.
type CalleeKind int

const (
	CallBuiltin CalleeKind = iota + 1
	CallHandler
	CallLambda  // a local that holds a lambda
	CallVariant // builds a tuple variant
	CallSlot    // an operation on a memory slot
	CallCellAs  // delegate with literal names: Builtin is delegate, Handler the target
	CallValue   // x.get(k), x.has(k), x.size(), x.last() on a map or list value: Op; x is the receiver
)

// Callee is the meaning of a call. Args in the tree exclude a piped or method receiver; the
// receiver is the first argument then (Receiver).
type Callee struct {
	Kind     CalleeKind
	Builtin  *builtin.Builtin
	Handler  *Handler
	Variant  *Variant
	Slot     *Slot
	Op       string   // of CallSlot: get set has delete keys values len size push append last total; of CallValue: get has size last
	Machine  *Machine // of the machine builtins: the machine they act on, nil when ambiguous
	Receiver bool     // x.f(a) or x |> f(a): x is the first argument
}

// RefKind tells what a name stands for.
type RefKind int

const (
	RefLocal   RefKind = iota + 1 // parameter, let, loop variable, pattern binding
	RefSlot                       // a slot as a value
	RefState                      // a bare state name
	RefSpecial                    // value, key, size, status in invariants; _id, _from, _to in guards
	RefBuiltin                    // a builtin or handler name where no call stands (an error)
)

// Ref is the meaning of a name.
type Ref struct {
	Kind RefKind
	Slot *Slot // of RefSlot
}

// SlotUse is a read of a slot through a field or an index.
type SlotUse struct {
	Slot *Slot
	Op   string // "index", the pseudo-field (keys values len size last), or "value" for Cell.slot itself
}
