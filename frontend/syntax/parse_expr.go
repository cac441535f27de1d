package syntax

import "soma.cell/frontend/source"

// binaryOp tells the operator and the level of a token; the level is 0 for other tokens.
func binaryOp(k kind) (BinOp, Level) {
	if k == tokPipe {
		return NoOp, PipeLevel
	}
	op := operatorOf(k)
	return op, op.Level()
}

func operatorOf(k kind) BinOp {
	switch k {
	case tokOr:
		return OrOp
	case tokAnd:
		return AndOp
	case tokCoalesce:
		return CoalesceOp
	case tokEq, tokStrictEq:
		return EqOp
	case tokNe, tokStrictNe:
		return NeOp
	case tokLt:
		return LtOp
	case tokLe:
		return LeOp
	case tokGt:
		return GtOp
	case tokGe:
		return GeOp
	case tokAdd:
		return AddOp
	case tokSub:
		return SubOp
	case tokMul:
		return MulOp
	case tokDiv:
		return DivOp
	case tokRem:
		return RemOp
	}
	return NoOp
}

// expr parses an expression. Lambdas are read where an operand starts and reach as far
// right as they can.
//
//	Expr := Binary
func (p *parser) expr() Expr {
	x := p.binary(OrLevel)
	if p.is(tokQuestion) {
		return p.ternary(x)
	}
	return x
}

// binary parses operators of a level and tighter ones, by precedence climbing; chains of
// one level are built in a loop and lean left.
//
//	Binary := Unary (op Binary)*
func (p *parser) binary(level Level) Expr {
	height := p.isolate()
	x := p.operators(p.unary(), level)
	p.join(height)
	return x
}

func (p *parser) operators(x Expr, level Level) Expr {
	links := 0
	compared := false
	for {
		op, own := p.binaryHere()
		if own == 0 || own < level {
			return x
		}
		at := p.spanOf(p.tok)
		p.link(&links, at)
		if own == PipeLevel {
			x = p.pipe(x)
			continue
		}
		p.foreignOperator(at)
		p.advance()
		y := p.binary(own + 1)
		if own == CompareLevel && isComparison(x) {
			if !compared {
				left := x.(*Binary)
				p.report(comparisonChain(at, left.Y, left.Op >= LtOp && op >= LtOp))
			}
			compared = true
		}
		x = &Binary{p.place(x.Span().Start), op, x, y}
	}
}

// binaryHere is the binary operator at the current token. A - at the start of a line starts
// a new statement; and/or are read as what they mean elsewhere.
func (p *parser) binaryHere() (BinOp, Level) {
	op, level := binaryOp(p.tok.kind)
	switch {
	case op == SubOp && p.tok.newline:
		return NoOp, 0
	case p.is(tokWord) && !p.tok.newline && startsOperand(p.peek(1)):
		switch p.text() {
		case "and":
			return AndOp, AndLevel
		case "or":
			return OrOp, OrLevel
		}
	}
	return op, level
}

func isComparison(x Expr) bool {
	b, ok := x.(*Binary)
	return ok && EqOp <= b.Op && b.Op <= GeOp
}

// startsOperand tells whether an operand may start with a token (words may turn out to be
// no operand).
func startsOperand(t token) bool {
	switch t.kind {
	case tokWord, tokCap, tokInt, tokFloat, tokDuration, tokString, tokLParen, tokLBracket, tokSub, tokNot:
		return true
	}
	return false
}

// pipe parses the right side of |>.
//
//	Pipe := Binary "|>" [Name "."] name ["(" Expr, … ")"] ["?"]
func (p *parser) pipe(x Expr) Expr {
	p.advance()
	out := &Pipe{X: x}
	from := p.here()
	if p.is(tokCap) && p.peek(1).kind == tokDot {
		cell := p.capName("a cell")
		out.Cell = &cell
		p.advance()
	}
	at := p.here()
	if !p.isName(p.tok) {
		p.lexical()
		p.fail(itemLevel, pipeTarget(p.spanOf(p.tok)))
	}
	name := p.name("the name of a function")
	call := &Call{Fun: &Name{name.Place, name.Name}}
	if p.is(tokLParen) && !p.tok.newline {
		call.Args = p.args()
	}
	call.Place = p.place(at)
	out.Call = call
	out.Place = p.place(x.Span().Start)
	switch {
	case p.is(tokQuestion) && !p.atTernary():
		p.advance()
		return &Propagate{p.place(x.Span().Start), out}
	case p.is(tokDot), p.is(tokLBracket) && !p.tok.newline, p.is(tokLParen) && !p.tok.newline:
		p.fail(itemLevel, pipeTarget(p.place(from).At))
	}
	return out
}

// unary parses prefix operators.
//
//	Unary := ("!" | "-") Unary | Postfix
func (p *parser) unary() Expr {
	if !p.is(tokNot) && !p.is(tokSub) {
		return p.postfix(p.primary())
	}
	defer p.leave(p.enter())
	from := p.here()
	not := p.is(tokNot)
	p.advance()
	x := p.unary()
	return &Unary{p.place(from), not, x}
}

// postfix parses what follows an operand. ( and [ belong to it only on its line.
//
//	Postfix := Primary ("." word ["(" Expr, … ")"] | "[" Expr "]" | "?")*
func (p *parser) postfix(x Expr) Expr {
	links := 0
	from := x.Span().Start
	for {
		at := p.spanOf(p.tok)
		switch {
		case p.is(tokDot):
			p.link(&links, at)
			x = p.member(x, from)
		case p.is(tokLBracket) && !p.tok.newline:
			p.link(&links, at)
			x = p.index(x, from)
		case p.is(tokLParen) && !p.tok.newline:
			if !callLike(x) {
				return x
			}
			p.link(&links, at)
			p.args()
			whole := p.place(from)
			p.report(notCallable(whole.At, x.Span().Text()))
			x = &BadExpr{whole}
		case p.is(tokQuestion) && !p.atTernary():
			p.link(&links, at)
			p.advance()
			x = &Propagate{p.place(from), x}
		default:
			return x
		}
	}
}

// callLike tells whether ( after x is meant as a call of its value.
func callLike(x Expr) bool {
	switch x.(type) {
	case *Paren, *Call, *Method, *Index, *Propagate, *BadExpr:
		return true
	}
	return false
}

func (p *parser) member(x Expr, from int) Expr {
	p.advance()
	name := p.anyWord("the name of a field")
	if p.is(tokLParen) && !p.tok.newline {
		args := p.args()
		return &Method{p.place(from), x, name, args}
	}
	return &Field{p.place(from), x, name}
}

func (p *parser) index(x Expr, from int) Expr {
	var i Expr
	var parts []string
	open := p.spanOf(p.tok)
	p.listOf(tokRBracket, "]", func() {
		if i != nil {
			p.unexpected("`]`")
		}
		if !p.is(tokColon) {
			i = p.expr()
		}
		if p.is(tokColon) { // xs[from:to]
			parts = append(parts, textOr(i, "0"))
			p.advance()
			if !p.is(tokRBracket) {
				i = p.expr()
				parts = append(parts, i.Span().Text())
			}
		}
	})
	whole := p.place(from)
	switch {
	case parts != nil:
		p.report(sliceSyntax(whole.At, x.Span().Text(), parts))
		return &BadExpr{whole}
	case i == nil:
		p.report(expectedExpression(source.Span{File: open.File, Start: open.End, End: open.End}, "`]`"))
		return &BadExpr{whole}
	}
	return &Index{whole, x, i}
}
