package syntax

// rules parses the rules of a test cell.
//
//	Rules := "rules" "{" (Mock | Assert | AssertFails | Property | Stmt)* "}"
func (p *parser) rules() *Rules {
	r := &Rules{}
	from := p.here()
	p.advance()
	p.braced("and the rules", p.atItem, func() {
		r.Items = append(r.Items, &BadStmt{Place{p.spanOf(p.tok)}})
		height := p.isolate()
		r.Items[len(r.Items)-1] = p.rule()
		p.join(height)
	})
	r.Place = p.place(from)
	p.reportUnused(r.Items, bare, bareRule)
	return r
}

func (p *parser) rule() Stmt {
	if p.atTestStatement() || p.atNegativeClaim() {
		switch p.text() {
		case "mock":
			return p.mock()
		case "assert":
			return p.assert()
		case "assert_fails":
			return p.assertFails()
		case "property":
			return p.property()
		}
	}
	return p.stmt()
}

// bare tells whether an expression has no business alone among rules.
func bare(x Expr) bool {
	switch x := Unparen(x).(type) {
	case *Call, *Pipe:
		return true
	case *Method: // of a cell: its handler; methods of slots write
		if _, ofCell := x.X.(*VariantRef); ofCell {
			return true
		}
	}
	return idle(x)
}

// atTestStatement tells whether a test statement starts here, and not a value by that name.
func (p *parser) atTestStatement() bool {
	switch p.text() {
	case "mock", "assert", "assert_fails", "property":
		next := p.peek(1)
		return p.is(tokWord) && startsOperand(next) && !next.newline && next.kind != tokSub &&
			!(next.kind == tokLBracket && p.adjacent(next))
	}
	return false
}

// atNegativeClaim tells whether an assertion starts here whose claim begins with a minus. Among
// rules that is no difference: its value would be idle there, which is an error.
func (p *parser) atNegativeClaim() bool {
	next := p.peek(1)
	return (p.isWord("assert") || p.isWord("assert_fails")) && next.kind == tokSub && !next.newline
}

// mock parses a scripted reply.
//
//	Mock := "mock" ([Name "."] name) ["error"] Expr
func (p *parser) mock() Stmt {
	from := p.here()
	p.advance()
	m := &Mock{}
	if p.is(tokCap) {
		cell := p.capName("a cell")
		m.Cell = &cell
		p.expect(tokDot, "`.` and a handler")
	}
	m.Name = p.name("what to mock")
	if p.isWord("error") && p.peek(1).kind == tokString {
		m.Error = true
		p.advance()
	}
	if p.tok.newline && (p.atTestStatement() || p.atStatementWord()) {
		p.noOperand()
	}
	m.Reply = p.expr()
	m.Place = p.place(from)
	return m
}

// assert parses an assertion.
//
//	Assert := "assert" Expr
func (p *parser) assert() Stmt {
	from := p.here()
	p.advance()
	cond := p.claim()
	return &Assert{p.place(from), cond}
}

// assertFails parses an assertion that an error is raised.
//
//	AssertFails := "assert_fails" Expr ["matching" string]
func (p *parser) assertFails() Stmt {
	from := p.here()
	p.advance()
	a := &AssertFails{X: p.expr()}
	if p.isWord("matching") && (!p.tok.newline || p.peek(1).kind == tokString) {
		p.advance()
		if !p.is(tokString) {
			p.unexpected("a text in quotes")
		}
		a.Matching = p.stringLiteral()
	}
	a.Place = p.place(from)
	return a
}

// property parses a statement about a range of values.
//
//	Property := "property" string "forall" name ":" Type "in" Range ["count" Expr] "ensures" Expr
//	Range    := Sum ".." Sum
func (p *parser) property() Stmt {
	from := p.here()
	p.advance()
	pr := &Property{Name: p.plainText("the name of the property")}
	p.expectWord("forall")
	pr.Var = p.name("the name of the variable")
	p.expect(tokColon, "`:` and the type of the variable")
	pr.Type = p.typ()
	p.expectWord("in")
	pr.Lo = p.binary(AddLevel)
	p.expect(tokRange, "`..` and the end of the range")
	pr.Hi = p.binary(AddLevel)
	if p.acceptWord("count") {
		pr.Count = p.expr()
	}
	p.expectWord("ensures")
	pr.Cond = p.claim()
	pr.Place = p.place(from)
	return pr
}
