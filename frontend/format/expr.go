package format

import (
	"math/big"
	"strconv"
	"strings"

	"soma.cell/frontend/syntax"
)

// context says where an expression stands, as far as that decides on parentheses.
type context struct {
	level       syntax.Level // what binds less tightly needs them
	followed    bool         // an operator follows, which a lambda at the right end would take
	elseFollows bool         // the word else follows, which an if at the right end would take
	beforeBlock bool         // a block follows, which a record would take for its fields
	guard       bool         // an arrow follows, which a lambda would take for its own
	enclosed    syntax.Expr  // the one operand at the left end that needs them in any case
}

// Usual places.
var (
	anywhere = context{}
	header   = context{beforeBlock: true}
)

// left is the place of an operand before an operator.
func (c context) left(level syntax.Level) context {
	c.level, c.followed, c.elseFollows = level, true, false
	return c
}

// right is the place of an operand behind an operator.
func (c context) right(level syntax.Level) context {
	c.level, c.enclosed = level, nil
	return c
}

// expr writes an expression, in parentheses where its place asks for them.
func (p *printer) expr(x syntax.Expr, c context) {
	if needsParens(x, c) {
		p.write("(")
		p.bare(x, anywhere)
		p.write(")")
		return
	}
	p.bare(x, c)
}

func needsParens(x syntax.Expr, c context) bool {
	if x == c.enclosed {
		return true
	}
	switch x := x.(type) {
	case *syntax.Lambda:
		return c.followed || c.guard
	case *syntax.If:
		return c.elseFollows && open(x)
	case *syntax.Record:
		return c.beforeBlock
	}
	return levelOf(x) < c.level
}

// open tells whether a chain of conditions lacks its last else.
func open(x *syntax.If) bool {
	for {
		next, more := x.Else.(*syntax.If)
		if !more {
			return x.Else == nil
		}
		x = next
	}
}

// levelOf is how tightly an expression binds. A lambda may stand for any operand: it takes all
// that follows.
func levelOf(x syntax.Expr) syntax.Level {
	switch x := x.(type) {
	case *syntax.Binary:
		return x.Op.Level()
	case *syntax.Pipe:
		return syntax.PipeLevel
	case *syntax.Unary:
		return syntax.UnaryLevel
	case *syntax.Propagate:
		if _, piped := x.X.(*syntax.Pipe); piped {
			return syntax.PipeLevel
		}
	}
	return syntax.OperandLevel
}

func (p *printer) bare(x syntax.Expr, c context) {
	operand := c.left(syntax.OperandLevel)
	switch x := x.(type) {
	case *syntax.Name:
		p.write(x.Name)
	case *syntax.Int:
		p.write(integer(x))
	case *syntax.Float:
		p.write(float(x.Value))
	case *syntax.Bool:
		p.write(strconv.FormatBool(x.Value))
	case *syntax.Unit:
		p.write("()")
	case *syntax.String:
		p.literal(x)
	case *syntax.List:
		p.list("[", len(x.Items), func(i int) { p.expr(x.Items[i], anywhere) }, "]")
	case *syntax.Record:
		p.record(x)
	case *syntax.VariantRef:
		p.variant(x.Type, x.Name)
	case *syntax.Unary:
		p.unary(x, c)
	case *syntax.Binary:
		p.binary(x, c)
	case *syntax.Pipe:
		p.expr(x.X, c.left(syntax.PipeLevel))
		p.write(" |> ")
		if x.Cell != nil {
			p.write(x.Cell.Name, ".")
		}
		p.bare(x.Call.Fun, anywhere)
		if len(x.Call.Args) > 0 {
			p.args(x.Call.Args)
		}
	case *syntax.Call:
		p.bare(x.Fun, anywhere)
		p.args(x.Args)
	case *syntax.Method:
		p.expr(x.X, operand)
		p.write(".", x.Name.Name)
		p.args(x.Args)
	case *syntax.Field:
		p.expr(x.X, operand)
		p.write(".", x.Name.Name)
	case *syntax.Index:
		p.expr(x.X, operand)
		p.write("[")
		p.expr(x.I, anywhere)
		p.write("]")
	case *syntax.Propagate:
		p.propagate(x, operand)
	case *syntax.Lambda:
		p.lambda(x, c)
	case *syntax.If:
		p.ifElse(x, c, true)
	case *syntax.Try:
		if !p.oneLine(x, func(p *printer) { p.try(x) }) {
			p.try(x)
		}
	case *syntax.Match:
		p.match(x, c)
	case *syntax.Paren:
		p.write("(")
		p.expr(x.X, anywhere)
		p.write(")")
	default:
		p.write(x.Span().Text())
	}
}

// binary writes a chain of operators, which leans to the left, without recurring along it.
func (p *printer) binary(x *syntax.Binary, c context) {
	level := x.Op.Level()
	left := level
	if level == syntax.CompareLevel {
		left++ // comparisons do not chain
	}
	p.expr(x.X, c.left(left))
	p.write(" ", x.Op.String(), " ")
	p.expr(x.Y, c.right(level+1))
}

func (p *printer) unary(x *syntax.Unary, c context) {
	if x.Not {
		p.write("!")
	} else {
		p.write("-")
		if inner, ok := x.X.(*syntax.Unary); ok && !inner.Not {
			p.write(" ")
		}
	}
	p.expr(x.X, c.right(syntax.UnaryLevel))
}

func (p *printer) propagate(x *syntax.Propagate, operand context) {
	if _, piped := x.X.(*syntax.Pipe); piped {
		operand.level = syntax.PipeLevel
	}
	p.expr(x.X, operand)
	if strings.HasSuffix(p.out.String(), "?") {
		p.write(" ") // ?? is an operator
	}
	p.write("?")
}

func (p *printer) args(list []syntax.Expr) {
	p.list("(", len(list), func(i int) { p.expr(list[i], anywhere) }, ")")
}

func (p *printer) variant(owner *syntax.Ident, name syntax.Ident) {
	if owner != nil {
		p.write(owner.Name, "::")
	}
	p.write(name.Name)
}

func (p *printer) record(x *syntax.Record) {
	p.variant(x.Type, x.Name)
	if len(x.Fields) == 0 {
		p.write(" {}")
		return
	}
	p.list(" { ", len(x.Fields), func(i int) {
		p.write(x.Fields[i].Name.Name, ": ")
		p.expr(x.Fields[i].Value, anywhere)
	}, " }")
}

func (p *printer) lambda(x *syntax.Lambda, c context) {
	if len(x.Params) == 1 {
		p.write(x.Params[0].Name)
	} else {
		p.list("(", len(x.Params), func(i int) { p.write(x.Params[i].Name) }, ")")
	}
	p.write(" => ")
	if x.Body != nil {
		p.inlineBlock(x.Body)
		return
	}
	p.expr(x.X, c.right(0))
}

// inlineBlock writes a block on its line when it is small.
func (p *printer) inlineBlock(b *syntax.Block) {
	if !p.oneLine(b, func(p *printer) { p.block(b) }) {
		p.block(b)
	}
}

// ifElse writes a choice; inline tells whether it may stand on one line.
func (p *printer) ifElse(x *syntax.If, c context, inline bool) {
	if p.flat || !inline || !p.oneLine(x, func(p *printer) { p.branches(x, c) }) {
		p.branches(x, c)
	}
}

func (p *printer) branches(x *syntax.If, c context) {
	condition := header
	condition.guard = c.guard
	for {
		p.write("if ")
		p.expr(x.Cond, condition)
		p.write(" ")
		p.block(x.Then)
		switch next := x.Else.(type) {
		case *syntax.If:
			p.write(" else ")
			x = next
			continue
		case *syntax.Block:
			p.write(" else ")
			p.block(next)
		}
		return
	}
}

func (p *printer) try(x *syntax.Try) {
	p.write("try ")
	p.block(x.Body)
}

func (p *printer) match(x *syntax.Match, c context) {
	subject := header
	subject.guard = c.guard
	p.write("match ")
	p.expr(x.X, subject)
	p.write(" ")
	if !p.flat {
		p.lines(len(x.Arms), func(i int) { p.arm(x.Arms[i]) })
		return
	}
	p.side(len(x.Arms), `-({"`, func(i int) bool {
		p.arm(x.Arms[i])
		return x.Arms[i].Body != nil
	})
}

func (p *printer) arm(a *syntax.Arm) {
	for i, pat := range a.Patterns {
		if i > 0 {
			p.write(" || ")
		}
		p.pattern(pat)
	}
	if a.Guard != nil {
		p.write(" if ")
		p.expr(a.Guard, context{guard: true})
	}
	p.write(" -> ")
	if a.Body != nil {
		p.inlineBlock(a.Body)
		return
	}
	p.expr(a.Value, anywhere)
}

// --- numbers ---

var units = []struct {
	name   string
	millis int64
}{{"d", 86_400_000}, {"h", 3_600_000}, {"min", 60_000}, {"s", 1000}}

// integer writes an Int; a duration comes in the largest unit that fits.
func integer(x *syntax.Int) string {
	if !x.Duration {
		return x.Value.String()
	}
	for _, u := range units {
		n, rest := new(big.Int).QuoRem(x.Value, big.NewInt(u.millis), new(big.Int))
		if rest.Sign() == 0 && n.Sign() != 0 {
			return n.String() + u.name
		}
	}
	return x.Value.String() + "ms"
}

// float writes the shortest form that reads back, with a point or an exponent.
func float(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
