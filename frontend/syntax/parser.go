package syntax

import (
	"strings"
	"unicode/utf8"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// Limits of the language and of a run of the parser.
const (
	maxNesting = 400    // brackets, blocks, segments, unary operators inside each other
	maxChain   = 10_000 // links of one chain
	maxHeight  = 25_000 // height of a tree, where chains stand inside chains
	maxErrors  = 50     // errors shown of one file
	maxEdits   = 10_000 // repairs kept of one error
)

// Parse reads a file. It always gives a tree: where something is wrong the tree has a hole
// (BadExpr, BadStmt or a missing part) and the list says why. The list is in source order
// and holds at most one error for each broken construct.
func Parse(f *source.File) (*File, []diag.Diagnostic) {
	p := &parser{lx: &lexer{file: f, text: f.Text}, file: f}
	out := &File{Source: f}
	p.guard(fatalLevel, func() {
		if at, ok := firstBadByte(f.Text); !ok {
			p.fail(fatalLevel, notText(p.lx.span(at, at+1)))
		}
		start := 0
		if strings.HasPrefix(f.Text, byteOrderMark) {
			start = len(byteOrderMark)
		}
		p.tok = p.fetch(start)
		p.parseFile(out)
	})
	return out, diag.Sort(p.diags)
}

const byteOrderMark = "\uFEFF"

// firstBadByte finds the first byte that is no text: NUL, or not UTF-8.
func firstBadByte(text string) (at int, ok bool) {
	if utf8.ValidString(text) {
		at = strings.IndexByte(text, 0)
		return max(at, 0), at < 0
	}
	for i, r := range text {
		if r == 0 {
			return i, false
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i, false
			}
		}
	}
	return 0, true
}

// parser is a recursive-descent parser. A parse function that meets a fault reports it and
// bails out by a panic to the nearest attempt, which goes on with the next item of its kind.
type parser struct {
	file  *source.File
	lx    *lexer
	tok   token
	ahead []token // tokens after tok that were looked at
	prev  int     // end of the token before tok

	consumed int // tokens passed; tells progress
	braces   int // open { of the passed tokens
	brackets int // open ( and [

	depth    int  // nesting, bounded by maxNesting
	height   int  // of the tallest tree built since the last isolate or enter
	noRecord bool // Name { is a name before a block, not a record

	diags     []diag.Diagnostic
	failed    source.Span // of the last failure
	semicolon int         // 1 + index of the diagnostic for semicolons
	atEnd     bool        // the end of the file was reached while skipping a broken construct
}

// level orders the places that catch a bailout.
type level int

const (
	itemLevel    level = iota // a statement, an arm, a line of a section
	sectionLevel              // a section of a declaration
	declLevel                 // a declaration
	fatalLevel                // the file
)

type bailout struct{ level level }

func (p *parser) report(d diag.Diagnostic) {
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
// the item that starts there.
func (p *parser) fail(to level, d diag.Diagnostic) {
	if p.failed != d.Span {
		p.failed = d.Span
		p.report(d)
	}
	panic(bailout{to})
}

// guard runs f and tells whether it came to its end; a bailout up to level catch ends it.
func (p *parser) guard(catch level, f func()) (ok bool) {
	depth, height, noRecord := p.depth, p.height, p.noRecord
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if b, bailed := r.(bailout); !bailed || b.level > catch {
			panic(r)
		}
		p.depth, p.height, p.noRecord = depth, height, noRecord
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
		case p.tok.kind == tokRBrace && p.braces == braces:
			p.brackets = brackets
			return
		case first:
		case p.braces <= braces && p.brackets <= brackets && p.tok.newline && starts(),
			p.braces <= braces && p.tok.newline && p.atStatementWord():
			p.brackets = brackets
			return
		case p.atHandler() || p.atDecl() && p.tok.newline:
			if catch == itemLevel {
				panic(bailout{sectionLevel})
			}
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

// fetch scans the next token at or after pos. A semicolon is reported and passed over like
// a line break.
func (p *parser) fetch(pos int) token {
	t := p.lx.scan(pos)
	for t.kind == tokSemi && !p.lx.segment {
		p.reportSemicolon(p.lx.span(t.start, t.end))
		t = p.lx.scan(t.end)
		t.newline = true
	}
	return t
}

// reportSemicolon reports the first semicolon of a file and adds the repair of the others.
func (p *parser) reportSemicolon(at source.Span) {
	if p.semicolon == 0 {
		p.report(semicolon(at))
		p.semicolon = len(p.diags)
		return
	}
	d := &p.diags[p.semicolon-1]
	if len(d.Edits) == maxEdits {
		return
	}
	d.Edits = append(d.Edits, diag.Edit{Span: at})
}

func (p *parser) advance() {
	p.consumed++
	switch p.tok.kind {
	case tokLBrace:
		p.braces++
	case tokRBrace:
		p.braces--
	case tokLParen, tokLBracket:
		p.brackets++
	case tokRParen, tokRBracket:
		p.brackets--
	}
	p.prev = p.tok.end
	if len(p.ahead) > 0 {
		p.tok, p.ahead = p.ahead[0], p.ahead[1:]
		return
	}
	p.tok = p.fetch(p.tok.end)
}

// peek gives the n-th token after the current one.
func (p *parser) peek(n int) token {
	for len(p.ahead) < n {
		end := p.tok.end
		if len(p.ahead) > 0 {
			end = p.ahead[len(p.ahead)-1].end
		}
		p.ahead = append(p.ahead, p.fetch(end))
	}
	return p.ahead[n-1]
}

func (p *parser) textOf(t token) string { return p.lx.text[t.start:t.end] }

func (p *parser) text() string { return p.textOf(p.tok) }

// here is the file offset of the current token.
func (p *parser) here() int { return p.lx.at(p.tok.start) }

// spanOf is the span of a token.
func (p *parser) spanOf(t token) source.Span { return p.lx.span(t.start, t.end) }

// place covers everything from a file offset to the last token passed.
func (p *parser) place(from int) Place {
	return Place{source.Span{File: p.file, Start: from, End: max(from, p.lx.at(p.prev))}}
}

// --- tests on the current token ---

func (p *parser) is(k kind) bool { return p.tok.kind == k }

func (p *parser) isWord(word string) bool { return p.tok.kind == tokWord && p.text() == word }

// isName tells whether a token may be a name.
func (p *parser) isName(t token) bool { return t.kind == tokWord && !reserved[p.textOf(t)] }

// adjacent tells whether t follows the current token without a space.
func (p *parser) adjacent(t token) bool { return t.start == p.tok.end }

func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

func (p *parser) acceptWord(word string) bool {
	if !p.isWord(word) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(k kind, what string) token {
	t := p.tok
	if t.kind != k {
		p.unexpected(what)
	}
	p.advance()
	return t
}

func (p *parser) expectWord(word string) {
	if !p.acceptWord(word) {
		p.unexpected("`" + word + "`")
	}
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

// --- names ---

// name parses a name that starts with a small letter; role says what it is for.
func (p *parser) name(role string) Ident {
	switch {
	case p.isName(p.tok):
	case p.is(tokWord) && !p.tok.newline:
		p.fail(itemLevel, reservedWord(p.spanOf(p.tok), p.text(), role))
	case p.is(tokCap):
		p.report(wrongCase(p.spanOf(p.tok), p.text(), role, lowerFirst(p.text())))
	default:
		p.unexpected(role)
	}
	return p.anyWord(role)
}

// capName parses a name that starts with a capital.
func (p *parser) capName(role string) Ident {
	switch {
	case p.is(tokCap):
	case p.isName(p.tok):
		p.report(wrongCase(p.spanOf(p.tok), p.text(), role, upperFirst(p.text())))
	default:
		p.unexpected(role)
	}
	return p.anyWord(role)
}

// anyWord parses any word at all, capitalised or reserved: a field, a state.
func (p *parser) anyWord(role string) Ident {
	if !p.is(tokWord) && !p.is(tokCap) {
		p.unexpected(role)
	}
	id := Ident{Place{p.spanOf(p.tok)}, p.text()}
	p.advance()
	return id
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

func upperFirst(s string) string {
	s = strings.TrimLeft(s, "_")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// --- nesting ---

// enter opens a level of nesting, to be closed by leave with its result:
//
//	defer p.leave(p.enter())
func (p *parser) enter() (height int) {
	if p.depth >= maxNesting {
		p.fail(fatalLevel, nestingTooDeep(p.spanOf(p.tok)))
	}
	p.depth++
	height, p.height = p.height, 0
	return height
}

func (p *parser) leave(height int) {
	p.depth--
	p.height = max(height, p.height+1)
}

// isolate starts a chain: heights measured inside do not add to those of its siblings. It
// is closed by join.
func (p *parser) isolate() (height int) {
	height, p.height = p.height, 0
	return height
}

func (p *parser) join(height int) { p.height = max(height, p.height) }

// link counts one more link of a chain that has links already.
func (p *parser) link(links *int, at source.Span) {
	*links++
	p.height++
	if *links > maxChain || p.height > maxHeight {
		p.fail(itemLevel, chainTooLong(at))
	}
}

// --- sequences ---

// listOf parses items separated by commas up to the closing token, with an optional comma
// at the end. The opening token is the current one.
func (p *parser) listOf(closing kind, closer string, item func()) {
	defer p.leave(p.enter())
	noRecord := p.noRecord
	p.noRecord = false
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
	p.noRecord = noRecord
}

// braced parses { item* }. What starts a handler or a declaration cannot stand inside; it
// shows that the brace was forgotten. The caller counts the nesting.
func (p *parser) braced(what string, starts func() bool, item func()) {
	noRecord := p.noRecord
	p.noRecord = false
	open := p.spanOf(p.tok)
	p.expect(tokLBrace, "`{` "+what)
	for !p.accept(tokRBrace) {
		switch {
		case p.is(tokEOF):
			p.unclosed(open)
		case p.atHandler():
			p.fail(sectionLevel, unclosed(open, p.spanOf(p.tok)))
		case p.atDecl():
			p.fail(declLevel, unclosed(open, p.spanOf(p.tok)))
		}
		p.attempt(itemLevel, starts, item)
	}
	p.noRecord = noRecord
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
