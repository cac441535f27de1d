package syntax

import "math/big"

// match parses a match.
//
//	Match := "match" Expr "{" Arm* "}"
func (p *parser) match() Expr {
	from := p.here()
	p.advance()
	h := p.enter()
	m := &Match{X: p.header()}
	p.leave(h)
	defer p.leave(p.enter())
	p.braced("and the arms", p.atItem, func() {
		height := p.isolate()
		m.Arms = append(m.Arms, p.arm())
		p.join(height)
	})
	m.Place = p.place(from)
	return m
}

// arm parses an arm of a match.
//
//	Arm := Pattern ("||" Pattern)* ["if" Expr] "->" (Expr | Block)
func (p *parser) arm() *Arm {
	from := p.here()
	a := &Arm{Patterns: []Pattern{p.pattern()}}
	links := 0
	for p.is(tokOr) {
		p.link(&links, p.spanOf(p.tok))
		p.advance()
		a.Patterns = append(a.Patterns, p.pattern())
	}
	if len(a.Patterns) > 1 {
		for _, pat := range a.Patterns {
			if b := binding(pat); b != nil {
				p.report(alternativeBinding(b.At, b.Name))
				break
			}
		}
	}
	if p.acceptWord("if") {
		outer := p.context
		p.context.noLambda = true
		a.Guard = p.expr()
		p.context = outer
	}
	switch {
	case p.is(tokFatArrow):
		p.report(fatArrowArm(p.spanOf(p.tok)))
		p.advance()
	default:
		p.expect(tokArrow, "`->` and a value")
	}
	if p.is(tokLBrace) && !p.atMapLiteral() {
		a.Body = p.statements("and what to do")
	} else {
		a.Value = p.armValue()
	}
	a.Place = p.place(from)
	if p.is(tokComma) {
		p.report(armComma(p.spanOf(p.tok)))
		p.advance()
	}
	return a
}

// armValue parses the value of an arm, which is no statement.
func (p *parser) armValue() Expr {
	if p.atStatementWord() {
		p.fail(itemLevel, statementInArm(p.spanOf(p.tok), p.found()))
	}
	x := p.expr()
	if _, assigns := assignOp(p.tok.kind); assigns && !p.tok.newline {
		p.fail(itemLevel, statementInArm(p.spanOf(p.tok), p.found()))
	}
	return x
}

// binding finds the first name a pattern binds.
func binding(pat Pattern) *Bind {
	switch pat := pat.(type) {
	case *Bind:
		return pat
	case *PrefixPattern:
		if pat.Rest.Name != "_" {
			return &Bind{pat.Rest.Place, pat.Rest.Name}
		}
	case *MapPattern:
		return bindingIn(nil, pat.Fields)
	case *VariantPattern:
		return bindingIn(pat.Args, pat.Fields)
	}
	return nil
}

func bindingIn(args []Pattern, fields []FieldPattern) *Bind {
	for _, f := range fields {
		args = append(args, f.Value)
	}
	for _, a := range args {
		if b := binding(a); b != nil {
			return b
		}
	}
	return nil
}

// pattern parses a pattern.
//
//	Pattern := Literal | Int ".." Int | string "+" name | "_" | name | MapPattern | VariantPattern
func (p *parser) pattern() Pattern {
	from := p.here()
	switch p.tok.kind {
	case tokInt, tokFloat, tokDuration, tokSub:
		return p.numberPattern()
	case tokString:
		return p.textPattern()
	case tokLParen:
		if p.peek(1).kind == tokRParen {
			p.advance()
			p.advance()
			return &LiteralPattern{p.place(from), &Unit{p.place(from)}}
		}
	case tokLBrace:
		m := &MapPattern{}
		m.Fields, _ = p.fieldPatterns(false)
		m.Place = p.place(from)
		return m
	case tokCap:
		return p.variantPattern()
	case tokWord:
		return p.wordPattern()
	}
	p.lexical()
	p.fail(itemLevel, expectedPattern(p.spanOf(p.tok), p.found()))
	return nil
}

func (p *parser) wordPattern() Pattern {
	at := Place{p.spanOf(p.tok)}
	switch word := p.text(); {
	case word == "_":
		p.advance()
		return &Wildcard{at}
	case word == "true", word == "false":
		p.advance()
		return &LiteralPattern{at, &Bool{at, word == "true"}}
	case word == "null", word == "nil":
		p.report(foreignNull(at.At, word))
		p.advance()
		return &LiteralPattern{at, &Unit{at}}
	case reserved[word]:
		p.fail(itemLevel, expectedPattern(at.At, p.found()))
	}
	return &Bind{at, p.name("a name").Name}
}

// numberPattern parses a number, maybe negated, or a range of Ints.
func (p *parser) numberPattern() Pattern {
	from := p.here()
	lo := p.signedNumber()
	if !p.is(tokRange) {
		return &LiteralPattern{Place{lo.Span()}, lo}
	}
	p.advance()
	hi := p.signedNumber()
	return &RangePattern{p.place(from), p.intBound(lo), p.intBound(hi)}
}

// signedNumber parses a number with an optional minus, folded into its value.
func (p *parser) signedNumber() Expr {
	from := p.here()
	minus := p.accept(tokSub)
	switch p.tok.kind {
	case tokInt, tokFloat, tokDuration:
	default:
		p.unexpected("a number")
	}
	x := p.number()
	if !minus {
		return x
	}
	switch n := x.(type) {
	case *Int:
		return &Int{p.place(from), new(big.Int).Neg(n.Value), n.Duration}
	case *Float:
		return &Float{p.place(from), -n.Value}
	}
	return x
}

func (p *parser) intBound(x Expr) *big.Int {
	n, ok := x.(*Int)
	if _, bad := x.(*BadExpr); bad {
		return new(big.Int)
	}
	if !ok {
		p.fail(itemLevel, unexpected(x.Span(), "an Int as the bound of a range", quote(x.Span().Text())))
	}
	return n.Value
}

// textPattern parses a text, or a prefix with the name of the rest.
func (p *parser) textPattern() Pattern {
	from := p.here()
	at := p.spanOf(p.tok)
	text := p.plainText("a pattern")
	if !p.accept(tokAdd) {
		s := &String{Place: Place{at}}
		if text != "" {
			s.Segments = []Segment{{Text: text}}
		}
		return &LiteralPattern{Place{at}, s}
	}
	rest := p.name("the name of the rest")
	return &PrefixPattern{p.place(from), text, rest}
}

// variantPattern parses a pattern of a sum type.
//
//	VariantPattern := [Name "::"] Name ["(" Pattern, … ")" | FieldPatterns]
func (p *parser) variantPattern() Pattern {
	from := p.here()
	v := &VariantPattern{}
	v.Type, v.Name = p.variantName()
	switch p.tok.kind {
	case tokLParen:
		v.Tuple = true
		p.listOf(tokRParen, ")", func() { v.Args = append(v.Args, p.pattern()) })
	case tokLBrace:
		v.Struct = true
		v.Fields, v.Rest = p.fieldPatterns(true)
	}
	v.Place = p.place(from)
	return v
}

// fieldPatterns parses the fields of a map or struct pattern; only the latter may end in ..
//
//	FieldPatterns := "{" (word [":" Pattern]), … [".."] "}"
func (p *parser) fieldPatterns(rest bool) (fields []FieldPattern, open bool) {
	p.listOf(tokRBrace, "}", func() {
		if rest && p.accept(tokRange) {
			open = true
			if !p.is(tokRBrace) {
				p.unexpected("`}` after `..`")
			}
			return
		}
		f := FieldPattern{Name: p.anyWord("the name of a field")}
		switch {
		case p.accept(tokColon):
			f.Value = p.pattern()
		case reserved[f.Name.Name]:
			p.fail(itemLevel, reservedWord(f.Name.At, f.Name.Name, "a name"))
		case 'A' <= f.Name.Name[0] && f.Name.Name[0] <= 'Z':
			p.report(boundField(f.Name.At, f.Name.Name))
			f.Value = &Bind{f.Name.Place, f.Name.Name}
		default:
			f.Value = &Bind{f.Name.Place, f.Name.Name}
		}
		fields = append(fields, f)
	})
	return fields, open
}
