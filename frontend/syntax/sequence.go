package syntax

// listOf parses items separated by commas up to the closing token, with an optional comma
// at the end. The opening token is the current one.
func (p *parser) listOf(closing kind, closer string, item func()) {
	defer p.leave(p.enter())
	outer := p.open()
	open := p.spanOf(p.tok)
	p.advance()
	for !p.is(closing) {
		if p.is(tokEOF) {
			p.unclosed(open)
		}
		item()
		if !p.is(closing) && !p.accept(tokComma) {
			if p.is(tokEOF) {
				p.unclosed(open)
			}
			p.unexpected("`,` or `" + closer + "`")
		}
	}
	p.advance()
	p.context = outer
}

// braced parses { item* }. What starts a handler or a declaration cannot stand inside; unless
// the braces add up, it shows that one was forgotten. The caller counts the nesting.
func (p *parser) braced(what string, starts func() bool, item func()) {
	outer := p.open()
	open := p.spanOf(p.tok)
	if !p.is(tokLBrace) && !p.is(tokEOF) && p.balanced(1) { // it was forgotten
		p.lexical()
		p.report(unexpected(open, "`{` "+what, p.found()))
		p.braces++
	} else {
		p.expect(tokLBrace, "`{` "+what)
	}
	for !p.accept(tokRBrace) {
		switch {
		case p.is(tokEOF):
			p.unclosed(open)
		case p.atHandler() && p.balanced(0):
			p.report(nestedHandler(p.spanOf(p.tok)))
			p.attempt(itemLevel, starts, p.strayHandler)
			continue
		case p.atHandler(), p.tok.newline && p.opensSection() && !p.balanced(0):
			p.fail(sectionLevel, unclosed(open, p.spanOf(p.tok)))
		case p.atDecl() && p.balanced(0):
			p.attempt(itemLevel, starts, p.nestedDecl)
			continue
		case p.atDecl():
			p.fail(declLevel, unclosed(open, p.spanOf(p.tok)))
		}
		p.attempt(itemLevel, starts, item)
	}
	p.context = outer
}
