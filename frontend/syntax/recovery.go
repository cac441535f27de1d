package syntax

import (
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// Errors and recovery. A parse function that meets a fault reports it and bails out by a
// panic, which the nearest attempt catches; that one skips to the next item of its kind and
// goes on. So a fault costs one item, and is reported once.

// level orders the places that catch a bailout.
type level int

const (
	itemLevel    level = iota // a statement, an arm, a line of a section
	sectionLevel              // a section of a declaration
	declLevel                 // a nested declaration
	fileLevel                 // a declaration of the file, where no } ends anything
	fatalLevel                // the file
)

type bailout struct{ level level }

// report adds a diagnostic.
func (p *parser) report(d diag.Diagnostic) {
	if p.muted {
		return
	}
	if p.lx.segment { // a repair would have to be escaped
		for _, e := range d.Edits {
			if strings.ContainsAny(e.New, `"\\`) {
				d.Edits = nil
				break
			}
		}
	}
	if len(p.diags) == maxErrors {
		last := &p.diags[maxErrors-1]
		last.Notes = append(last.Notes, moreLeftOut(d.Span))
		panic(bailout{fatalLevel})
	}
	p.diags = append(p.diags, d)
}

// fail reports d and bails out. A second failure at one place is the same one, seen again by
// the item that starts there; one directly behind a name that was reported is its consequence.
func (p *parser) fail(to level, d diag.Diagnostic) {
	if p.failed != d.Span && (p.misnamed == 0 || p.misnamed != p.consumed) {
		p.failed = d.Span
		p.report(d)
	}
	panic(bailout{to})
}

// guard runs f and tells whether it came to its end; a bailout up to level catch ends it.
func (p *parser) guard(catch level, f func()) (ok bool) {
	depth, height, context := p.depth, p.height, p.context
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if b, bailed := r.(bailout); !bailed || b.level > catch {
			panic(r)
		}
		p.depth, p.height, p.context = depth, height, context
		ok = false
	}()
	f()
	return true
}

// attempt parses one item of a sequence. After a bailout it skips to the next item: a token
// that starts a line, outside all brackets opened since, for which starts says yes.
func (p *parser) attempt(catch level, starts func() bool, item func()) {
	consumed, braces, brackets := p.consumed, p.braces, p.brackets
	if p.guard(catch, item) {
		return
	}
	first := p.consumed == consumed
	for ; ; first = false {
		switch {
		case p.tok.kind == tokEOF:
			p.atEnd = true
			return
		case p.tok.kind == tokRBrace && p.braces == braces && catch != fileLevel:
			p.brackets = brackets
			return
		case first:
		case p.braces <= braces && p.brackets <= brackets && p.tok.newline && starts(),
			p.braces <= braces && p.tok.newline && catch == itemLevel && (p.atStatementWord() || p.atTestStatement()),
			p.braces <= braces && p.tok.newline && catch == sectionLevel && p.opensSection():
			p.brackets = brackets
			return
		case catch < declLevel && (p.atHandler() || p.tok.newline && p.braces > braces && p.opensSection()), p.atDecl() && p.tok.newline:
			if catch == itemLevel {
				panic(bailout{sectionLevel})
			}
			p.assumed += p.braces - braces
			p.braces, p.brackets = braces, brackets
			return
		}
		p.advance()
	}
}

// atLine says yes to every token that starts a line.
func (p *parser) atLine() bool { return true }

// atItem says no to tokens with which an expression goes on.
func (p *parser) atItem() bool {
	switch p.tok.kind {
	case tokDot, tokQuestion, tokComma, tokColon, tokRParen, tokRBracket:
		return false
	case tokSub:
		return true
	}
	_, level := binaryOp(p.tok.kind)
	return level == 0
}

// unexpected reports that the grammar wants something else than the current token.
func (p *parser) unexpected(want string) {
	p.lexical()
	p.fail(itemLevel, unexpected(p.spanOf(p.tok), want, p.found()))
}

// lexical reports the current token when it is itself the fault, or the file ends inside a
// construct that was already reported.
func (p *parser) lexical() {
	at := p.spanOf(p.tok)
	switch {
	case p.tok.fault == openComment:
		at.End = at.Start + len("/*")
		p.fail(fatalLevel, openCommentAt(at))
	case p.tok.kind == tokEOF && p.atEnd:
		panic(bailout{p.endLevel()})
	case p.tok.kind == tokJunk:
		p.fail(itemLevel, junk(at, p.text(), p.tok.fault))
	}
}

// found describes the current token.
func (p *parser) found() string {
	switch p.tok.kind {
	case tokEOF:
		if p.lx.segment {
			return "the end of the segment"
		}
		return "the end of the file"
	case tokString:
		return "a string"
	}
	return quote(p.text())
}

// unclosed reports a bracket that is open at the end of the text.
func (p *parser) unclosed(open source.Span) {
	p.lexical()
	p.fail(p.endLevel(), unclosed(open, p.spanOf(p.tok)))
}

// endLevel is where parsing goes on when the text ends too early.
func (p *parser) endLevel() level {
	if p.lx.segment {
		return itemLevel
	}
	return fatalLevel
}

// balanced tells whether all braces that are open here, and so many forgotten ones, are closed
// just before the next declaration. It reads ahead over a bounded stretch.
func (p *parser) balanced(forgotten int) bool {
	const window = 1 << 16
	open, end := p.braces+forgotten, p.tok.start+window
	for t := p.tok; t.start < end; t = p.lx.scan(t.end) {
		switch t.kind {
		case tokEOF:
			return false
		case tokLBrace:
			open++
		case tokRBrace:
			open--
		}
		if open == 0 {
			next := p.lx.scan(t.end)
			switch word := p.textOf(next); word {
			case "", "cell", "skeleton", "flesh", "use":
				return true
			}
			return false
		}
	}
	return false
}

// reportedHead reads the head of a handler that was reported: of what is wrong in it nothing more is
// said. A body must follow.
func (p *parser) reportedHead() *Handler {
	h := &Handler{}
	p.muted = true
	ok := p.guard(itemLevel, func() { p.handlerHead(h) })
	p.muted = false
	if !ok || !p.is(tokLBrace) {
		panic(bailout{itemLevel})
	}
	return h
}

// strayHandler passes a handler that was reported.
func (p *parser) strayHandler() {
	p.reportedHead()
	p.body("")
}

// nestedDecl reports a declaration inside of another, and passes it.
func (p *parser) nestedDecl() {
	defer p.leave(p.enter())
	kind, _ := p.declHead()
	p.report(nestedDecl(p.spanOf(p.tok)))
	p.decl(&Decl{Kind: kind})
}

// atHandler tells whether on name starts the line.
func (p *parser) atHandler() bool {
	return p.tok.newline && p.isWord("on") && (p.peek(1).kind == tokWord || p.peek(1).kind == tokCap)
}

// atDecl tells whether a declaration starts here: cell, or skeleton and flesh at the start
// of a line before a name.
func (p *parser) atDecl() bool {
	if !p.is(tokWord) {
		return false
	}
	switch p.text() {
	case "cell":
		return true
	case "flesh":
		return p.tok.newline && p.peek(1).kind == tokCap
	case "skeleton":
		next := p.peek(1)
		return p.tok.newline && (next.kind == tokCap || p.textOf(next) == "agent" || p.textOf(next) == "cell")
	}
	return false
}

// opensSection tells whether a section starts here that is no handler, judged by its first two
// words.
func (p *parser) opensSection() bool {
	if !p.is(tokWord) || sectionWords[p.text()] == nil {
		return false
	}
	switch next := p.peek(1); p.text() {
	case "every", "after":
		return next.kind == tokInt || next.kind == tokDuration
	case "state":
		return next.kind == tokWord && (p.peek(2).kind == tokLBrace || p.peek(2).kind == tokColon)
	default:
		return next.kind == tokLBrace
	}
}

// atStatementWord tells whether a word stands here that can only start a statement.
func (p *parser) atStatementWord() bool {
	if !p.is(tokWord) {
		return false
	}
	switch p.text() {
	case "let", "for", "while", "return", "break", "continue", "require", "ensure", "emit":
		return true
	}
	return false
}
