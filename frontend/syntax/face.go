package syntax

// face parses a face section.
//
//	Face := "face" "{" (Signal | Promise | Given)* "}"
func (p *parser) face() *Face {
	f := &Face{}
	from := p.here()
	p.advance()
	p.braced("and the signals", p.atFaceItem, func() {
		switch {
		case p.isWord("signal"), p.isWord("tool"):
			f.Signals = append(f.Signals, p.signal())
		case p.isWord("promise"):
			f.Promises = append(f.Promises, p.promise())
		case p.isWord("given"):
			f.Givens = append(f.Givens, p.given())
		default:
			p.unexpected("`signal`, `tool`, `promise` or `given`")
		}
	})
	f.Place = p.place(from)
	return f
}

func (p *parser) atFaceItem() bool {
	return p.isWord("signal") || p.isWord("tool") || p.isWord("promise") || p.isWord("given")
}

// sameItem reports that the next item starts where one still lacks a part.
func (p *parser) sameItem(want string) {
	if p.tok.newline && p.atFaceItem() {
		p.unexpected(want)
	}
}

// signal parses a signal or tool with its frame.
//
//	Signal := ("signal" | "tool") name Params ["->" Type] [string] Clause*
func (p *parser) signal() *Signal {
	from := p.here()
	s := &Signal{Tool: p.text() == "tool"}
	p.advance()
	p.sameItem("a name")
	s.Name = p.name("the name of a " + map[bool]string{true: "tool", false: "signal"}[s.Tool])
	s.Params = p.params()
	if p.accept(tokArrow) {
		s.Result = p.typ()
	}
	if p.is(tokString) {
		s.Description = p.plainText("a description")
	}
	for {
		kind, ok := p.clauseKind()
		if !ok {
			break
		}
		s.Clauses = append(s.Clauses, p.clause(kind))
	}
	s.Place = p.place(from)
	return s
}

func (p *parser) clauseKind() (ClauseKind, bool) {
	if p.is(tokWord) {
		switch p.text() {
		case "reads":
			return Reads, true
		case "writes":
			return Writes, true
		case "moves":
			return Moves, true
		case "calls":
			return Calls, true
		}
	}
	return 0, false
}

// clause parses a frame clause.
//
//	Clause := ("reads" | "writes") name, … | "moves" (name "->" name), … | "calls" ([Name "."] name), …
func (p *parser) clause(kind ClauseKind) *Clause {
	from := p.here()
	c := &Clause{Kind: kind}
	p.advance()
	for {
		at := p.here()
		item := &ClauseItem{}
		p.sameItem("a name")
		switch kind {
		case Reads, Writes:
			if p.is(tokCap) && p.peek(1).kind == tokDot {
				p.fail(itemLevel, foreignFrameSlot(p.lx.span(p.tok.start, p.peek(2).end)))
			}
			item.Name = p.name("a slot")
		case Moves:
			item.Name = p.state("a state")
			p.expect(tokArrow, "`->` and the target state")
			to := p.state("a state")
			item.To = &to
		case Calls:
			p.callee(item)
		}
		item.Place = p.place(at)
		c.Items = append(c.Items, item)
		if !p.is(tokComma) || p.strayComma() {
			break
		}
		p.advance()
	}
	c.Place = p.place(from)
	if p.is(tokComma) {
		p.report(clauseComma(p.spanOf(p.tok)))
		p.advance()
	}
	return c
}

// strayComma tells whether the current comma stands between two clauses.
func (p *parser) strayComma() bool {
	switch p.textOf(p.peek(1)) {
	case "reads", "writes", "moves", "calls":
		next := p.peek(2)
		return next.kind == tokWord && !next.newline || next.kind == tokCap
	}
	return false
}

func (p *parser) callee(item *ClauseItem) {
	switch {
	case p.is(tokCap):
		cell := p.capName("a cell")
		item.Cell = &cell
		p.expect(tokDot, "`.` and a handler")
		item.Name = p.name("a handler")
	case p.isWord("emit"):
		item.Name = p.anyWord("emit")
	default:
		item.Name = p.name("the name of a handler or builtin")
	}
}

// promise parses a promise.
//
//	Promise := "promise" (name | string)
func (p *parser) promise() *Promise {
	from := p.here()
	p.advance()
	out := &Promise{}
	if p.is(tokString) {
		out.Free = true
		out.Text = p.plainText("a promise")
	} else {
		p.sameItem("`all_persistent` or a text")
		out.Text = p.name("`all_persistent` or a text").Name
	}
	out.Place = p.place(from)
	return out
}

// given parses an assumption.
//
//	Given := "given" name ":" Type ["where" Expr]
func (p *parser) given() *Given {
	from := p.here()
	p.advance()
	p.sameItem("a name")
	g := &Given{Name: p.name("the name of an assumption")}
	p.expect(tokColon, "`:` and a type")
	g.Type = p.typ()
	if p.acceptWord("where") {
		g.Cond = p.claim()
	}
	g.Place = p.place(from)
	return g
}
