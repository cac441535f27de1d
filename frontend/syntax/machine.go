package syntax

// machine parses a state machine.
//
//	State := "state" name [":" Type] "{" ("initial" ":" state | EdgeRow)* "}"
func (p *parser) machine() *Machine {
	from := p.here()
	p.advance()
	m := &Machine{Name: p.name("the name of a machine")}
	if p.accept(tokColon) {
		m.Type = p.typ()
	}
	p.braced("and the edges", p.atLine, func() {
		if p.is(tokWord) && p.peek(1).kind == tokColon {
			p.machineLine(m)
			return
		}
		m.Edges = append(m.Edges, p.edgeRow()...)
	})
	m.Place = p.place(from)
	return m
}

// machineLine parses the line that names the initial state.
func (p *parser) machineLine(m *Machine) {
	from := p.here()
	switch word := p.text(); word {
	case "initial":
		p.advance()
		p.advance()
		s := p.state("the initial state")
		m.Initial = append(m.Initial, &s)
	case "final", "finals", "terminal", "accepting", "end":
		p.advance()
		p.advance()
		if p.is(tokLBracket) {
			p.states()
		} else {
			p.state("a state")
		}
		p.report(finalStates(p.place(from).At, word))
	default:
		p.unexpected("`initial: state` or an edge `a -> b`")
	}
}

// edgeRow parses the edges of one row: a chain of states makes an edge of each arrow. The
// exceptions belong to the wildcard, the guard to every edge of the row.
//
//	EdgeRow := ("*" | state) ("->" state)+ ["except" "[" state, … "]"] ["{" "guard" "{" Expr "}" "}"]
func (p *parser) edgeRow() []*EdgeRow {
	from := p.here()
	if p.isWord("initial") && p.peek(1).kind == tokWord {
		p.advance()
		p.unexpected("`:` and the initial state")
	}
	wildcard := p.accept(tokMul)
	var source *Ident
	if !wildcard {
		s := p.state("a state or `*`")
		source = &s
	}
	if !p.is(tokArrow) {
		p.unexpected("`->` and the target state")
	}
	var rows []*EdgeRow
	links := 0
	for p.is(tokArrow) {
		p.advance()
		target := p.state("the target state")
		if source != nil && len(rows) > 0 {
			from = source.At.Start
		}
		rows = append(rows, &EdgeRow{Place: p.place(from), From: source, To: target})
		source = &target
		if links++; links > maxChain {
			p.fail(itemLevel, chainTooLong(target.At))
		}
	}
	if p.isWord("except") && p.peek(1).kind == tokLBracket {
		if !wildcard {
			p.fail(itemLevel, exceptWithoutWildcard(p.spanOf(p.tok)))
		}
		p.advance()
		rows[0].Except = p.states()
	}
	if p.is(tokLBrace) {
		guard := p.guardBlock()
		for _, r := range rows {
			r.Guard = guard
		}
	}
	rows[len(rows)-1].At.End = p.lx.at(p.prev)
	if !p.tok.newline && (p.isWord("if") || p.isWord("when") || p.is(tokLBracket)) {
		p.fail(itemLevel, guardForm(p.spanOf(p.tok), p.found()))
	}
	return rows
}

func (p *parser) guardBlock() Expr {
	p.advance()
	p.expectWord("guard")
	p.expect(tokLBrace, "`{` and the condition")
	cond := p.claim()
	p.expect(tokRBrace, "`}`")
	p.expect(tokRBrace, "`}`")
	return cond
}

// state parses the name of a state; of a typed machine it is a variant.
func (p *parser) state(role string) Ident {
	if p.is(tokCap) {
		return p.anyWord(role)
	}
	return p.name(role)
}

// states parses a list of states.
//
//	States := "[" state, … "]"
func (p *parser) states() []Ident {
	var list []Ident
	if !p.is(tokLBracket) {
		p.unexpected("`[` and a list of states")
	}
	p.listOf(tokRBracket, "]", func() { list = append(list, p.state("a state")) })
	return list
}
