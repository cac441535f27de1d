// Package syntax holds the lexer, the parser and the syntax tree of the language.
//
// The tree is what the source says, with a span on every node; it is never mutated after
// parsing. What is learned later (which handler a call means, the type of a parameter)
// stands in side tables of package resolve.
package syntax

import "soma.cell/frontend/source"

// Node is anything with a place in the source.
type Node interface {
	Span() source.Span
}

// Place is embedded in every node.
type Place struct{ At source.Span }

// Span is the place of the node.
func (p Place) Span() source.Span { return p.At }

// Ident is a name with its own place.
type Ident struct {
	Place
	Name string
}

// File is one parsed source file.
type File struct {
	Source *source.File
	Uses   []*Use
	Decls  []*Decl
}

// Use imports a library file: use lib::name.
type Use struct {
	Place
	Path []Ident
}

// DeclKind tells top-level declarations apart.
type DeclKind int

const (
	PlainCell     DeclKind = iota
	AgentCell              // cell agent
	TypeCell               // cell type
	TestCell               // cell test
	Skeleton               // skeleton, skeleton cell
	AgentSkeleton          // skeleton agent
	Flesh
)

// Decl is a cell, a skeleton or a flesh.
type Decl struct {
	Place
	Kind     DeclKind
	Name     Ident
	Memory   []*Memory
	Machines []*Machine // more than one is an error that resolution reports
	Faces    []*Face
	Handlers []*Handler
	Timers   []*Timer
	Variants []*Variant
	Rules    []*Rules
	Verify   []*Verify
	Interior []*Interior
	Costs    []*Settings // cost and scale sections
}

// Interior holds nested cells.
type Interior struct {
	Place
	Cells []*Decl
}

// Settings is a cost or scale section, kept as its words: name: value pairs.
type Settings struct {
	Place
	Name  string // "cost", "scale"
	Pairs []Setting
}

// Setting is one name: value pair of a section.
type Setting struct {
	Place
	Name  Ident
	Value Expr
}

// --- types ---

// Type is a type as written: Int, List<T>, Map<K, V>, Name.
type Type struct {
	Place
	Name Ident
	Args []*Type
}

// --- memory ---

// Memory is a memory section.
type Memory struct {
	Place
	Slots      []*Slot
	Invariants []*Invariant
}

// Slot is one slot of a memory section.
type Slot struct {
	Place
	Name  Ident
	Type  *Type
	Attrs []*Attr
}

// Attr is a slot attribute or a handler attribute: persistent, capacity(10), ttl(5s).
type Attr struct {
	Place
	Name Ident
	Args []Expr
}

// Invariant is a rule of a memory section.
type Invariant struct {
	Place
	Cond Expr
}

// --- machines ---

// Machine is a state section: state name: Type { … }.
type Machine struct {
	Place
	Name    Ident
	Type    *Type      // of a typed machine, else nil
	Initial []*Ident   // more than one is an error that resolution reports
	Edges   []*EdgeRow // in source order; a chain a -> b -> c gives two rows
}

// EdgeRow is one arrow. From is nil for the wildcard *.
type EdgeRow struct {
	Place
	From   *Ident
	To     Ident
	Except []Ident
	Guard  Expr // nil when unguarded
}

// --- face ---

// Face is a face section.
type Face struct {
	Place
	Signals  []*Signal
	Promises []*Promise
	Givens   []*Given
}

// Signal is a declared signal or tool with its frame.
type Signal struct {
	Place
	Tool        bool
	Name        Ident
	Params      []*Param
	Result      *Type // nil when not stated
	Description string
	Clauses     []*Clause
}

// Param is a parameter of a signal or handler. Type is nil in a flesh.
type Param struct {
	Place
	Name Ident
	Type *Type
}

// ClauseKind tells frame clauses apart.
type ClauseKind int

const (
	Reads ClauseKind = iota
	Writes
	Moves
	Calls
)

// Clause is one frame clause.
type Clause struct {
	Place
	Kind  ClauseKind
	Items []*ClauseItem
}

// ClauseItem is a slot, a callee (with its cell when qualified) or an edge From -> To.
type ClauseItem struct {
	Place
	Cell *Ident // of Cell.handler
	Name Ident  // slot or callee; the source state of an edge
	To   *Ident // the target state of an edge
}

// Promise is a promise of the face; Text is a name or free text.
type Promise struct {
	Place
	Text string
	Free bool // written as a string
}

// Given is an assumption of the face.
type Given struct {
	Place
	Name Ident
	Type *Type
	Cond Expr // nil without where
}

// --- handlers ---

// Handler is on name(p: T, …) [attrs] { … }.
type Handler struct {
	Place
	Name   Ident
	Params []*Param
	Attrs  []*Attr
	Body   *Block
}

// Timer is every 30s { … } or after 5s { … }.
type Timer struct {
	Place
	Every  bool
	Period Expr
	Body   *Block
}

// Variant is one alternative of a sum type.
type Variant struct {
	Place
	Name   Ident
	Struct bool     // V { f: T }
	Fields []*Param // of V(T, …) the names are empty
}

// --- tests ---

// Rules is the rules section of a test cell. Each item is a statement or one of the
// test statements Mock, Assert, AssertFails, Property.
type Rules struct {
	Place
	Items []Stmt
}

// --- verify ---

// Verify is a verify section.
type Verify struct {
	Place
	Props []*Prop
}

// PropKind tells the lines of a verify section apart.
type PropKind int

const (
	PropEventually PropKind = iota
	PropNever
	PropAlways
	PropAfterEventually
	PropAfterNever
	PropBeforeRequires
	PropBeforeRequiresAll
	PropCTL
	PropFair
)

// Prop is one line of a verify section.
type Prop struct {
	Place
	Kind    PropKind
	Subject *Ident  // the X of after X, before X
	States  []Ident // the listed states
	Name    string  // of property "name" = "ctl"
	CTL     string
	CTLAt   source.Span
	Strong  bool   // of fair
	Handler *Ident // of fair … handler
	Edge    [2]Ident
}
