package syntax

import (
	"iter"
	"math/big"
)

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

// BinOp is a binary operator.
type BinOp int

const (
	NoOp BinOp = iota
	OrOp
	AndOp
	CoalesceOp // ??
	EqOp
	NeOp
	LtOp
	LeOp
	GtOp
	GeOp
	AddOp
	SubOp
	MulOp
	DivOp
	RemOp
)

// String is the operator as written.
func (op BinOp) String() string {
	return [...]string{"", "||", "&&", "??", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"}[op]
}

// Level says how tightly a form of expression binds. The zero value is that of no operator.
type Level int

// Levels of expressions, loosest first.
const (
	OrLevel Level = iota + 1
	AndLevel
	CoalesceLevel
	CompareLevel
	PipeLevel
	AddLevel
	MulLevel
	UnaryLevel
	OperandLevel // what .f, .m(…), [i] and ? may follow
)

// Level is how tightly the operator binds.
func (op BinOp) Level() Level {
	switch op {
	case OrOp:
		return OrLevel
	case AndOp:
		return AndLevel
	case CoalesceOp:
		return CoalesceLevel
	case EqOp, NeOp, LtOp, LeOp, GtOp, GeOp:
		return CompareLevel
	case AddOp, SubOp:
		return AddLevel
	case MulOp, DivOp, RemOp:
		return MulLevel
	}
	return 0
}

// Name is a local, a slot, a bare state name or a section word used as a name.
type Name struct {
	Place
	Name string
}

// Int is an integer literal of any size; a duration is its milliseconds.
type Int struct {
	Place
	Value    *big.Int
	Duration bool
}

// Float is a floating literal, a percentage included.
type Float struct {
	Place
	Value float64
}

// Bool is true or false.
type Bool struct {
	Place
	Value bool
}

// Unit is ().
type Unit struct{ Place }

// String is a string literal, cut into literal and interpolated segments. A literal without
// interpolation has at most one segment, of text.
type String struct {
	Place
	Segments []Segment
}

// Segment is literal text (X nil, escapes resolved) or an interpolated expression.
type Segment struct {
	Text string
	X    Expr
}

// Literal gives the text of a string without interpolation.
func (s *String) Literal() (string, bool) {
	switch len(s.Segments) {
	case 0:
		return "", true
	case 1:
		return s.Segments[0].Text, s.Segments[0].X == nil
	}
	return "", false
}

// List is [a, b].
type List struct {
	Place
	Items []Expr
}

// FieldInit is f: e in a record literal.
type FieldInit struct {
	Name  Ident
	Value Expr
}

// Record is Name { f: e, … }: a record or a struct variant. Type is set for Type::V { … }.
type Record struct {
	Place
	Type   *Ident
	Name   Ident
	Fields []FieldInit
}

// VariantRef is a capitalised name: Pending, or Type::Pending. A call Declined("no") is a
// Call whose Fun is a VariantRef.
type VariantRef struct {
	Place
	Type *Ident
	Name Ident
}

// Unary is !x or -x.
type Unary struct {
	Place
	Not bool // else minus
	X   Expr
}

// Binary is x op y.
type Binary struct {
	Place
	Op   BinOp
	X, Y Expr
}

// Call is f(args). Fun is a *Name, or a *VariantRef for a tuple variant.
type Call struct {
	Place
	Fun  Expr
	Args []Expr
}

// Method is x.m(args): a slot operation, a handler of another cell (X is a *VariantRef
// naming the cell) or a function with x as first argument.
type Method struct {
	Place
	X    Expr
	Name Ident
	Args []Expr
}

// Field is x.f without call: a record field or a pseudo-field.
type Field struct {
	Place
	X    Expr
	Name Ident
}

// Index is x[i].
type Index struct {
	Place
	X, I Expr
}

// Pipe is x |> f(args); Call holds f and args as written, without x. A bare x |> f has a
// Call without arguments.
type Pipe struct {
	Place
	X    Expr
	Call *Call
	Cell *Ident // of x |> Cell.f(args)
}

// Propagate is e?.
type Propagate struct {
	Place
	X Expr
}

// Lambda is x => e, or x => { … } (Body set). Params has one or more names.
type Lambda struct {
	Place
	Params []Ident
	X      Expr
	Body   *Block
}

// If is an if expression or statement; Else is nil, a *Block or an *If.
type If struct {
	Place
	Cond Expr
	Then *Block
	Else Node
}

// Try is try { … }.
type Try struct {
	Place
	Body *Block
}

// Match is match x { arms }.
type Match struct {
	Place
	X    Expr
	Arms []*Arm
}

// Arm is pattern || pattern if guard -> value.
type Arm struct {
	Place
	Patterns []Pattern
	Guard    Expr // nil without guard
	Value    Expr // nil when Body is set
	Body     *Block
}

func (*Name) expr()       {}
func (*Int) expr()        {}
func (*Float) expr()      {}
func (*Bool) expr()       {}
func (*Unit) expr()       {}
func (*String) expr()     {}
func (*List) expr()       {}
func (*Record) expr()     {}
func (*VariantRef) expr() {}
func (*Unary) expr()      {}
func (*Binary) expr()     {}
func (*Call) expr()       {}
func (*Method) expr()     {}
func (*Field) expr()      {}
func (*Index) expr()      {}
func (*Pipe) expr()       {}
func (*Propagate) expr()  {}
func (*Lambda) expr()     {}
func (*If) expr()         {}
func (*Try) expr()        {}
func (*Match) expr()      {}

// Paren is (e), kept so that messages show source as written.
type Paren struct {
	Place
	X Expr
}

func (*Paren) expr() {}

// BadExpr stands where the parser reported an error and went on.
type BadExpr struct{ Place }

func (*BadExpr) expr() {}

// Unparen strips parentheses.
func Unparen(x Expr) Expr {
	for {
		p, ok := x.(*Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

// Path goes from a place that can be assigned to what it starts from: x.f[i], x.f, x.
func Path(x Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) {
		for x := Unparen(x); yield(x); x = Unparen(x) {
			switch place := x.(type) {
			case *Field:
				x = place.X
			case *Index:
				x = place.X
			default:
				return
			}
		}
	}
}

// --- patterns ---

// Pattern is a pattern of a match arm.
type Pattern interface {
	Node
	pattern()
}

// LiteralPattern is a literal (Int, Float, String without interpolation, Bool, Unit,
// negated numbers folded).
type LiteralPattern struct {
	Place
	Value Expr
}

// Wildcard is _.
type Wildcard struct{ Place }

// Bind is a name that takes the value.
type Bind struct {
	Place
	Name string
}

// RangePattern is lo..hi, both inclusive.
type RangePattern struct {
	Place
	Lo, Hi *big.Int
}

// PrefixPattern is "pre" + rest.
type PrefixPattern struct {
	Place
	Prefix string
	Rest   Ident
}

// MapPattern is {k: p, k}: each key must be present.
type MapPattern struct {
	Place
	Fields []FieldPattern
}

// FieldPattern is k: p, or k alone (Value is then a *Bind of that name).
type FieldPattern struct {
	Name  Ident
	Value Pattern
}

// VariantPattern is V, V(p, …), V { f, g: p, .. }, each maybe with Type::.
type VariantPattern struct {
	Place
	Type   *Ident
	Name   Ident
	Args   []Pattern      // of V(p, …)
	Tuple  bool           // written with parentheses
	Struct bool           // written with braces
	Fields []FieldPattern // of V { … }
	Rest   bool           // ends in ..
}

func (*LiteralPattern) pattern() {}
func (*Wildcard) pattern()       {}
func (*Bind) pattern()           {}
func (*RangePattern) pattern()   {}
func (*PrefixPattern) pattern()  {}
func (*MapPattern) pattern()     {}
func (*VariantPattern) pattern() {}
