package ir

import (
	"strconv"

	"soma.cell/frontend/source"
	"soma.cell/smt/term"
)

// Loc is a location of an automaton.
type Loc int

// Every automaton has these locations.
const (
	Entry    Loc = iota
	Exit         // the body returned; its writes and moves stay
	Raised       // the body raised; its writes and moves are undone
	FirstLoc     // the first location of the body itself
)

// String is "entry", "exit", "raised" or "L3".
func (l Loc) String() string {
	switch l {
	case Entry:
		return "entry"
	case Exit:
		return "exit"
	case Raised:
		return "raised"
	}
	return "L" + strconv.Itoa(int(l))
}

// Kind tells automata apart.
type Kind int

const (
	Handler Kind = iota
	Timer
)

// Automaton is the body of a handler or timer: locations and guarded edges. The environment
// runs public automata one at a time, with any arguments of the parameters' sorts.
type Automaton struct {
	Cell   string
	Name   string
	Kind   Kind
	Public bool // the environment may start it
	Tool   bool // the model may start it during think()
	Params []*term.Term
	// Result is the sort of what the body returns: Opaque when it is not one known sort. A
	// result that may be unit is Opaque too.
	Result *term.Sort
	Vars   []Var // every variable, parameters first
	Locs   int   // locations are 0 … Locs-1
	Edges  []*Edge
	Loops  []*Loop
	// Stmts are the places where statements begin that something may keep a run from: the first
	// of each block, each after one that may not end, and, at Exit, the end of the body. Among them
	// are the places behind operations that raise in known cases.
	Stmts []Stmt
	Span  source.Span // the name of the handler
	Body  source.Span
}

// Stmt is where a statement begins: at a location, or after some effects of the last edge that
// leaves it.
type Stmt struct {
	Loc    Loc
	Effect int
	Behind bool // it is where an operation has its value
	Span   source.Span
}

// Var is a variable of an automaton. Source is the name in the program, "" for a temporary.
type Var struct {
	Term   *term.Term
	Source string
	Span   source.Span
}

// Edge is loc --[ guard ]/ effects--> loc'. The effects run in order; guards see the values
// before them.
type Edge struct {
	From, To Loc
	Guard    *term.Term
	Effects  []Effect
	// Cond is the source condition whose branch this edge is, when it is one; Negated tells
	// the else side.
	// A match arm's Cond is its pattern, and Subject the matched value. Past an arm whose guard
	// fails, Cond is pattern and guard, and Negated.
	Cond    source.Span
	Subject source.Span
	Negated bool
	// Back marks the edge that closes a loop.
	Back bool
	Span source.Span
}

// LoopKind tells loops apart.
type LoopKind int

const (
	ForLoop    LoopKind = iota // over a finite collection, or a range, which is counted: ends
	WhileLoop                  // ends only if something says so
	LambdaLoop                 // a builtin runs a lambda any finite number of times
)

// Loop is a loop of the body. Its head is entered once from outside and again by each Back
// edge; every location of the loop stands in Body.
type Loop struct {
	Kind LoopKind
	Head Loc
	// Test is the location of the body where a round is decided: what lies before it runs once
	// more than there are rounds, what lies behind it does not (but for the edge that raises
	// loop_bound).
	Test  Loc
	Body  []Loc      // sorted, Head included
	Bound *int64     // of loop_bound, of a literal range or list: at most that many rounds
	Cond  *term.Term // of a while loop, or over a range: the condition at the head of one more round
	Span  source.Span
}

// Effect is what an edge does.
type Effect interface {
	Place() source.Span
	Where() At
	effect()
}

// At is embedded in every effect: its place. InGuard marks what the guard of a declared edge
// does while a move is judged: it needs no frame clause.
type At struct {
	Span    source.Span
	InGuard bool
}

// Place is where the effect stands in the source.
func (a At) Place() source.Span { return a.Span }

// Where is the place with its mark.
func (a At) Where() At { return a }

// Origin tells the two kinds of havoc apart.
type Origin int

const (
	Environment Origin = iota // really any value: a model's answer, a reply, the clock
	Abstraction               // the lowering gave up: an over-approximation
)

// Bind is x := t.
type Bind struct {
	At
	Var   *term.Term
	Value *term.Term
}

// Havoc gives a variable any value of its sort.
type Havoc struct {
	At
	Var    *term.Term
	Origin Origin
	Why    string // the construct, in words of the language
	// From are the terms the value was computed from, for flows: whatever they carry, the
	// value carries.
	From []*term.Term
}

// Read reads an entry of a slot at a key; Has and Val may be nil when not wanted. Val is any
// value where the entry is absent.
type Read struct {
	At
	Slot     SlotRef
	Key      *term.Term
	Has, Val *term.Term
}

// Scan reads a whole slot: its keys, values, last entry, or itself, which may be any value of
// the sort of Var; or its entry count ("len", "size"), or the sum of an Int map ("sum"), Ints.
type Scan struct {
	At
	Slot SlotRef
	What string
	Var  *term.Term
}

// Write stores a value under a key. The rules are checked first: where one fails, the edge
// beside this one raises.
type Write struct {
	At
	Slot       SlotRef
	Key, Value *term.Term
	ValueSpan  source.Span // the written value as the source has it
	// Partial marks a write into an entry (s[k].f = v) whose new value is not known.
	Partial bool
}

// Delete removes an entry; Had takes whether it was there (nil when not wanted). A list
// slot's later entries shift.
type Delete struct {
	At
	Slot SlotRef
	Key  *term.Term
	Had  *term.Term
}

// Push appends to a list slot.
type Push struct {
	At
	Slot      SlotRef
	Value     *term.Term
	ValueSpan source.Span
}

// Move is transition(id, to) or transition(id, from, to). The move is refused, and the edge
// beside this one raises, where no declared edge leads from the instance's state (and From,
// when given) to To, or its guard fails.
type Move struct {
	At
	Cell    string // whose machine
	ID      *term.Term
	From    *term.Term // nil in the two-argument form
	To      *term.Term
	Literal bool // the target is a literal in the sense of the language
	// Guards are the conditions of the guarded edges, as they read at this place.
	Guards []EdgeGuard
	ToSpan source.Span
	// FromSpan is the place of the declared source.
	FromSpan source.Span
}

// EdgeGuard is the guard of a declared edge at one move. Abstract guards are not known:
// nothing may be concluded from them.
type EdgeGuard struct {
	Edge     int
	Cond     *term.Term
	Abstract bool
}

// Inspect reads a machine: get_status (Var takes the state as text), has_state (Bool),
// valid_transitions (Opaque).
type Inspect struct {
	At
	Cell string
	ID   *term.Term
	What string
	Var  *term.Term
}

// Call runs a handler inside this transaction. Result takes what it returns, of the
// callee's Result sort; nil when not wanted. Args have the sorts they have here, which need not
// be those of the parameters: the callee refuses what does not fit.
type Call struct {
	At
	Handler HandlerRef
	Args    []*term.Term
	Result  *term.Term
	// Optional marks a call that may not happen at this place any definite number of times
	// (a listener, a delegate with a computed name, a tool).
	Optional bool
	Via      string // "emit", "delegate", "tool" or ""
}

// Emit announces an event; the Calls of its listeners follow as effects of their own.
type Emit struct {
	At
	Event string
	Args  []*term.Term
}

// Begin opens a nested transaction, Commit closes it, Rollback undoes what slots and
// machines got since the matching Begin and closes it. Variables keep their values.
type Begin struct{ At }

// Commit closes the innermost nested transaction and keeps what it did.
type Commit struct{ At }

// Rollback undoes and closes the innermost nested transaction.
type Rollback struct{ At }

// Act is what the outside sees: the model, the network, files, budget, print, clock.
// Result takes any value of its sort.
type Act struct {
	At
	Builtin string
	Class   string // the builtin's effect class
	Args    []*term.Term
	Spans   []source.Span // the arguments as the source has them
	Sinks   []int         // positions an untrusted value may not decide
	Result  *term.Term    // nil when not wanted
	// Tools are the handlers a model may run during the call, any number of times with any
	// arguments.
	Tools []HandlerRef
}

// Unknown is a construct whose effects the lowering does not know: any slot, machine and
// handler of the program may be touched.
type Unknown struct {
	At
	Why string
}

// KeptFunction is the reason of an Unknown that stands for what ran between the making of a
// function value and its run: the body of the function follows. What runs it is another
// Unknown.
const KeptFunction = "a function value that is kept"

// RunsFunction begins the reason of an Unknown that runs function values: it does what the
// bodies of kept functions do, and nothing else.
const RunsFunction = "a call of a function value"

// Return ends the body with a value; its edge leads to Exit.
type Return struct {
	At
	Value *term.Term
}

// Raise raises an error; its edge leads to Raised, or, after a Rollback, to where the
// enclosing try goes on.
type Raise struct {
	At
	Kind string // "" when it may be one of several
	// Ensures is the condition of the ensure statement that raises, as written; "" of other errors,
	// whatever their kind.
	Ensures string
	// Refusal says that the error is how the effect beside this edge is refused: the rules, the
	// machine, the callee or the outside decide.
	Refusal bool
}

func (*Bind) effect()     {}
func (*Havoc) effect()    {}
func (*Read) effect()     {}
func (*Scan) effect()     {}
func (*Write) effect()    {}
func (*Delete) effect()   {}
func (*Push) effect()     {}
func (*Move) effect()     {}
func (*Inspect) effect()  {}
func (*Call) effect()     {}
func (*Emit) effect()     {}
func (*Begin) effect()    {}
func (*Commit) effect()   {}
func (*Rollback) effect() {}
func (*Act) effect()      {}
func (*Unknown) effect()  {}
func (*Return) effect()   {}
func (*Raise) effect()    {}
