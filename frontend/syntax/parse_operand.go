package syntax

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
	if next.kind == tokFatArrow && !reserved[word] && !p.context.noLambda {
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

// variantName parses the name of a variant, with that of its type where it is written.
//
//	[Name "::"] Name
func (p *parser) variantName() (owner *Ident, name Ident) {
	first := p.anyWord("a variant")
	if !p.accept(tokPath) {
		return nil, first
	}
	return &first, p.capName("a variant")
}

// variant parses what starts with a capitalised name.
//
//	Variant := [Name "::"] Name [Args | "{" (word ":" Expr), … "}"]
func (p *parser) variant() Expr {
	from := p.here()
	ref := &VariantRef{}
	ref.Type, ref.Name = p.variantName()
	ref.Place = p.place(from)
	if !p.is(tokLBrace) || p.context.noRecord || p.tok.newline {
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
	outer := p.open()
	open := p.spanOf(p.tok)
	p.advance()
	x := p.expr()
	if p.is(tokEOF) {
		p.unclosed(open)
	}
	p.expect(tokRParen, "`)`")
	p.context = outer
	return &Paren{p.place(from), x}
}

// lambdaParams passes (a, b) when => follows.
func (p *parser) lambdaParams() ([]Ident, bool) {
	if p.context.noLambda {
		return nil, false
	}
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
