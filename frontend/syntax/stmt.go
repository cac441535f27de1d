package syntax

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

// Block is a sequence of statements in braces; its value is that of its last expression.
type Block struct {
	Place
	Stmts []Stmt
}

// Let is let name = value.
type Let struct {
	Place
	Name  Ident
	Value Expr
}

// Assign is place = value, or place += value and its kin (Op holds the operator, else 0).
// Target is a *Name, an *Index or a *Field.
type Assign struct {
	Place
	Target Expr
	Op     BinOp // of a compound assignment, else NoOp
	Value  Expr
}

// ExprStmt is an expression as a statement.
type ExprStmt struct {
	Place
	X Expr
}

// For is for [loop_bound(n)] x in xs { … }.
type For struct {
	Place
	Bound Expr // nil without loop_bound
	Var   Ident
	In    Expr
	Body  *Block
}

// While is while [loop_bound(n)] cond { … }.
type While struct {
	Place
	Bound Expr
	Cond  Expr
	Body  *Block
}

// Break leaves the innermost loop.
type Break struct{ Place }

// Continue starts the next round of the innermost loop.
type Continue struct{ Place }

// Return is return e; Value is nil for a bare return.
type Return struct {
	Place
	Value Expr
}

// Require is require cond else Tag "message".
type Require struct {
	Place
	Cond    Expr
	Tag     Ident // its name is the raised kind, also when written as a string
	Message Expr  // a *String, or nil
}

// Ensure is ensure cond.
type Ensure struct {
	Place
	Cond Expr
}

// Emit is emit name(args).
type Emit struct {
	Place
	Event Ident
	Args  []Expr
}

// --- statements of test cells ---

// Mock is mock target reply. Target is a builtin (Cell nil) or a handler.
type Mock struct {
	Place
	Cell  *Ident
	Name  Ident
	Error bool // mock … error "text"
	Reply Expr
}

// Assert is assert e.
type Assert struct {
	Place
	Cond Expr
}

// AssertFails is assert_fails e matching "text".
type AssertFails struct {
	Place
	X        Expr
	Matching Expr // a *String, or nil
}

// Property is property "name" forall x: Int in lo..hi count n ensures e.
type Property struct {
	Place
	Name   string
	Var    Ident
	Type   *Type
	Lo, Hi Expr
	Count  Expr // nil when not stated
	Cond   Expr
}

func (*Let) stmt()         {}
func (*Assign) stmt()      {}
func (*ExprStmt) stmt()    {}
func (*For) stmt()         {}
func (*While) stmt()       {}
func (*Break) stmt()       {}
func (*Continue) stmt()    {}
func (*Return) stmt()      {}
func (*Require) stmt()     {}
func (*Ensure) stmt()      {}
func (*Emit) stmt()        {}
func (*Mock) stmt()        {}
func (*Assert) stmt()      {}
func (*AssertFails) stmt() {}
func (*Property) stmt()    {}

// BadStmt stands where the parser reported an error and went on.
type BadStmt struct{ Place }

func (*BadStmt) stmt() {}
