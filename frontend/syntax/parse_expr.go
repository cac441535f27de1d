package syntax

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// Levels of binary operators, loosest first.
const (
	lowest = iota + 1
	andLevel
	coalesceLevel
	compareLevel
	pipeLevel
	addLevel
	mulLevel
	unaryLevel
)

// binaryOp tells the operator and the level of a token; the level is 0 for other tokens.
func binaryOp(k kind) (BinOp, int) {
	switch k {
	case tokOr:
		return OrOp, lowest
	case tokAnd:
		return AndOp, andLevel
	case tokCoalesce:
		return CoalesceOp, coalesceLevel
	case tokEq, tokStrictEq:
		return EqOp, compareLevel
	case tokNe, tokStrictNe:
		return NeOp, compareLevel
	case tokLt:
		return LtOp, compareLevel
	case tokLe:
		return LeOp, compareLevel
	case tokGt:
		return GtOp, compareLevel
	case tokGe:
		return GeOp, compareLevel
	case tokPipe:
		return NoOp, pipeLevel
	case tokAdd:
		return AddOp, addLevel
	case tokSub:
		return SubOp, addLevel
	case tokMul:
		return MulOp, mulLevel
	case tokDiv:
		return DivOp, mulLevel
	case tokRem:
		return RemOp, mulLevel
	}
	return NoOp, 0
}

// expr parses an expression. Lambdas are read where an operand starts and reach as far
// right as they can.
//
//	Expr := Binary
func (p *parser) expr() Expr {
	x := p.binary(lowest)
	if p.is(tokQuestion) {
		return p.ternary(x)
	}
	return x
}

// binary parses operators of a level and tighter ones, by precedence climbing; chains of
// one level are built in a loop and lean left.
//
//	Binary := Unary (op Binary)*
func (p *parser) binary(level int) Expr {
	height := p.isolate()
	x := p.operators(p.unary(), level)
	p.join(height)
	return x
}

func (p *parser) operators(x Expr, level int) Expr {
	links := 0
	compared := false
	for {
		op, own := p.binaryHere()
		if own == 0 || own < level {
			return x
		}
		at := p.spanOf(p.tok)
		p.link(&links, at)
		if own == pipeLevel {
			x = p.pipe(x)
			continue
		}
		p.foreignOperator(at)
		p.advance()
		y := p.binary(own + 1)
		if own == compareLevel && isComparison(x) {
			if !compared {
				p.report(comparisonChain(at, x.(*Binary).Y.Span().Text()))
			}
			compared = true
		}
		x = &Binary{p.place(x.Span().Start), op, x, y}
	}
}

// binaryHere is the binary operator at the current token. A - at the start of a line starts
// a new statement; and/or are read as what they mean elsewhere.
func (p *parser) binaryHere() (BinOp, int) {
	op, level := binaryOp(p.tok.kind)
	switch {
	case op == SubOp && p.tok.newline:
		return NoOp, 0
	case p.is(tokWord) && !p.tok.newline && startsOperand(p.peek(1)):
		switch p.text() {
		case "and":
			return AndOp, andLevel
		case "or":
			return OrOp, lowest
		}
	}
	return op, level
}

// foreignOperator reports operators of other languages and goes on with their meaning.
func (p *parser) foreignOperator(at source.Span) {
	switch p.tok.kind {
	case tokStrictEq:
		p.report(strictEquality(at, "=="))
	case tokStrictNe:
		p.report(strictEquality(at, "!="))
	case tokWord:
		p.report(wordOperator(at, p.text(), map[string]string{"and": "&&", "or": "||"}[p.text()]))
	case tokAdd, tokSub:
		next := p.peek(1)
		twice := next.kind == p.tok.kind && p.adjacent(next)
		if twice && (next.kind == tokAdd || !startsOperand(p.peek(2)) || p.peek(2).newline) {
			d := increment(p.lx.span(p.tok.start, next.end), p.text())
			d.Edits = []diag.Edit{{Span: d.Span, New: " " + p.text() + "= 1"}}
			p.fail(itemLevel, d)
		}
	}
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
	case p.is(tokQuestion):
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

func textOr(x Expr, otherwise string) string {
	if x == nil {
		return otherwise
	}
	return x.Span().Text()
}

// ternary reports a choice written as c ? a : b.
func (p *parser) ternary(x Expr) Expr {
	p.advance()
	height := p.isolate()
	a := p.binary(lowest)
	p.expect(tokColon, "`:`")
	b := p.binary(lowest)
	p.join(height)
	whole := p.place(x.Span().Start)
	p.report(ternary(whole.At, x.Span().Text(), a.Span().Text(), b.Span().Text()))
	return &BadExpr{whole}
}

// atTernary tells whether the current ? belongs to a choice: it looks ahead for the : over
// a bounded number of tokens.
func (p *parser) atTernary() bool {
	const window = 60
	first := p.peek(1)
	if !startsOperand(first) || first.newline || reserved[p.textOf(first)] && p.textOf(first) != "true" && p.textOf(first) != "false" {
		return false
	}
	depth := 0
	for n := 1; n <= window; n++ {
		switch t := p.peek(n); t.kind {
		case tokLParen, tokLBracket:
			depth++
		case tokRParen, tokRBracket:
			if depth--; depth < 0 {
				return false
			}
		case tokColon:
			if depth == 0 {
				return true
			}
		case tokComma:
			if depth == 0 {
				return false
			}
		case tokEOF, tokLBrace, tokRBrace, tokAssign, tokArrow, tokFatArrow:
			return false
		case tokWord:
			if reserved[p.textOf(t)] && t.newline {
				return false
			}
		}
	}
	return false
}

// args parses the arguments of a call.
//
//	Args := "(" [Expr, …] ")"
func (p *parser) args() []Expr {
	var list []Expr
	p.listOf(tokRParen, ")", func() { list = append(list, p.expr()) })
	return list
}

// primary parses an operand.
//
//	Primary := Int | Float | string | "true" | "false" | "()" | "(" Expr ")" | List
//	         | name [Args] | Variant | Lambda | If | Match | Try
func (p *parser) primary() Expr {
	from := p.here()
	switch p.tok.kind {
	case tokInt, tokFloat, tokDuration:
		return p.number()
	case tokString:
		return p.stringOperand()
	case tokLParen:
		return p.paren()
	case tokLBracket:
		list := &List{}
		p.listOf(tokRBracket, "]", func() { list.Items = append(list.Items, p.expr()) })
		list.Place = p.place(from)
		return list
	case tokLBrace:
		return p.mapLiteral()
	case tokCap:
		return p.variant()
	case tokJunk:
		return p.junkOperand()
	case tokWord:
		return p.wordOperand()
	case tokAdd, tokSub:
		if next := p.peek(1); next.kind == tokAdd && p.adjacent(next) {
			p.fail(itemLevel, increment(p.lx.span(p.tok.start, next.end), p.text()))
		}
	}
	return p.noOperand()
}

// noOperand reports that no expression starts at the current token.
func (p *parser) noOperand() Expr {
	p.lexical()
	p.fail(itemLevel, expectedExpression(p.spanOf(p.tok), p.found()))
	return nil
}

func (p *parser) junkOperand() Expr {
	at, text := p.spanOf(p.tok), p.text()
	if p.tok.fault == badSingleQuote && len(text) > 1 {
		p.report(junk(at, text, p.tok.fault))
		p.advance()
		return &String{Place{at}, []Segment{{Text: text[1 : len(text)-1]}}}
	}
	return p.noOperand()
}

// wordOperand parses an operand that starts with a word.
func (p *parser) wordOperand() Expr {
	from := p.here()
	word := p.text()
	next := p.peek(1)
	if next.kind == tokFatArrow && !reserved[word] {
		name := p.name("a parameter")
		return p.lambda(from, []Ident{name})
	}
	switch word {
	case "true", "false":
		p.advance()
		return &Bool{p.place(from), word == "true"}
	case "if":
		return p.ifExpr()
	case "match":
		return p.match()
	case "try":
		return p.try()
	case "null", "nil":
		p.report(foreignNull(p.spanOf(p.tok), word))
		p.advance()
		return &Unit{p.place(from)}
	case "not":
		if startsOperand(next) && !next.newline {
			p.report(wordOperator(p.lx.span(p.tok.start, next.start), word, "!"))
			defer p.leave(p.enter())
			p.advance()
			x := p.unary()
			return &Unary{p.place(from), true, x}
		}
	case "function", "def", "func", "fn", "lambda":
		if !next.newline && (next.kind == tokWord && !reserved[p.textOf(next)] || next.kind == tokLParen && word == "function") {
			p.fail(itemLevel, foreignFunction(p.spanOf(p.tok), word))
		}
	}
	if reserved[word] {
		return p.noOperand()
	}
	name := &Name{Place{p.spanOf(p.tok)}, word}
	p.advance()
	return p.call(name)
}

// call parses the arguments after a name, if there are any on its line.
func (p *parser) call(fun Expr) Expr {
	if !p.is(tokLParen) || p.tok.newline {
		return fun
	}
	args := p.args()
	return &Call{p.place(fun.Span().Start), fun, args}
}

// variant parses what starts with a capitalised name.
//
//	Variant := [Name "::"] Name [Args | "{" (word ":" Expr), … "}"]
func (p *parser) variant() Expr {
	from := p.here()
	ref := &VariantRef{Name: p.anyWord("a variant")}
	if p.accept(tokPath) {
		owner := ref.Name
		ref.Type = &owner
		ref.Name = p.capName("a variant")
	}
	ref.Place = p.place(from)
	if !p.is(tokLBrace) || p.noRecord || p.tok.newline {
		return p.call(ref)
	}
	r := &Record{Type: ref.Type, Name: ref.Name}
	p.listOf(tokRBrace, "}", func() {
		name := p.anyWord("the name of a field")
		p.expect(tokColon, "`:` and the value of the field")
		r.Fields = append(r.Fields, FieldInit{name, p.expr()})
	})
	r.Place = p.place(from)
	return r
}

// paren parses (), (e) and the parameters of a lambda.
//
//	Paren := "(" [Expr] ")"
func (p *parser) paren() Expr {
	from := p.here()
	if names, ok := p.lambdaParams(); ok {
		return p.lambda(from, names)
	}
	if p.peek(1).kind == tokRParen {
		p.advance()
		p.advance()
		return &Unit{p.place(from)}
	}
	defer p.leave(p.enter())
	noRecord := p.noRecord
	p.noRecord = false
	open := p.spanOf(p.tok)
	p.advance()
	x := p.expr()
	if p.is(tokEOF) {
		p.unclosed(open)
	}
	p.expect(tokRParen, "`)`")
	p.noRecord = noRecord
	return &Paren{p.place(from), x}
}

// lambdaParams passes (a, b) when => follows.
func (p *parser) lambdaParams() ([]Ident, bool) {
	n := 1
	for p.isName(p.peek(n)) && p.peek(n+1).kind == tokComma {
		n += 2
	}
	if !p.isName(p.peek(n)) || p.peek(n+1).kind != tokRParen || p.peek(n+2).kind != tokFatArrow {
		return nil, false
	}
	var names []Ident
	p.listOf(tokRParen, ")", func() { names = append(names, p.name("a parameter")) })
	return names, true
}

// lambda parses the arrow and the body of a function value.
//
//	Lambda := (name | "(" name, … ")") "=>" (Expr | Block)
func (p *parser) lambda(from int, params []Ident) Expr {
	defer p.leave(p.enter())
	p.advance()
	l := &Lambda{Params: params}
	if p.is(tokLBrace) && !p.atMapLiteral() {
		l.Body = p.statements("and the body of the function")
	} else {
		l.X = p.expr()
	}
	l.Place = p.place(from)
	return l
}

// ifExpr parses a choice. A chain of else if is built in a loop.
//
//	If := "if" Expr Block ("else" "if" Expr Block)* ["else" Block]
func (p *parser) ifExpr() Expr {
	height := p.isolate()
	first := &If{}
	links := 0
	chain := []*If{first}
	for x := first; x != nil; {
		x.At = p.spanOf(p.tok)
		p.advance()
		p.branchOf(x)
		x = p.elseOf(x)
		if x != nil {
			p.link(&links, p.spanOf(p.tok))
			chain = append(chain, x)
		}
	}
	for _, x := range chain {
		x.Place = p.place(x.At.Start)
	}
	p.join(height)
	return first
}

func (p *parser) branchOf(x *If) {
	h := p.enter()
	x.Cond = p.condition()
	p.leave(h)
	x.Then = p.block("and what to do then")
}

// elseOf parses the word else after x; it gives the next If when another condition follows.
func (p *parser) elseOf(x *If) *If {
	if p.is(tokWord) {
		switch word := p.text(); word {
		case "elif", "elsif", "elseif":
			if startsOperand(p.peek(1)) && !p.peek(1).newline {
				p.report(foreignElif(p.spanOf(p.tok), word))
				next := &If{}
				x.Else = next
				return next
			}
		}
	}
	if !p.acceptWord("else") {
		return nil
	}
	if p.isWord("if") {
		next := &If{}
		x.Else = next
		return next
	}
	x.Else = p.block("and what to do otherwise")
	return nil
}

// try parses a block whose errors are values.
//
//	Try := "try" Block
func (p *parser) try() Expr {
	from := p.here()
	p.advance()
	b := p.block("and what to try")
	return &Try{p.place(from), b}
}

// mapLiteral reports {k: v} and shows the call of map.
func (p *parser) mapLiteral() Expr {
	if !p.atMapLiteral() && p.peek(1).kind != tokRBrace {
		return p.noOperand()
	}
	from := p.here()
	var pairs []string
	p.listOf(tokRBrace, "}", func() {
		key := diag.Edit{Span: p.spanOf(p.tok), New: p.text()}
		if p.is(tokWord) || p.is(tokCap) {
			key.New = `"` + key.New + `"`
			p.advance()
		} else {
			p.expr()
		}
		p.expect(tokColon, "`:`")
		pairs = append(pairs, key.New, p.expr().Span().Text())
	})
	whole := p.place(from)
	p.report(mapLiteral(whole.At, pairs))
	return &BadExpr{whole}
}

// atMapLiteral tells whether { starts a map as other languages write it.
func (p *parser) atMapLiteral() bool {
	switch p.peek(1).kind {
	case tokWord, tokCap, tokString, tokInt:
		return p.peek(2).kind == tokColon
	}
	return false
}
