package syntax

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
