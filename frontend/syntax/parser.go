package syntax

import (
	"strings"
	"unicode/utf8"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
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
	assumed  int // braces that were taken for forgotten in this declaration

	context context
	depth   int // nesting, bounded by maxNesting
	height  int // of the tallest tree built since the last isolate or enter

	diags     []diag.Diagnostic
	muted     bool        // what follows was reported as a whole
	failed    source.Span // of the last failure
	misnamed  int         // tokens passed with the last name that is written in the wrong case
	semicolon int         // 1 + index of the diagnostic for semicolons
	atEnd     bool        // the end of the file was reached while skipping a broken construct
}

// context is what the surroundings forbid in an expression; brackets lift it.
type context struct {
	noRecord bool // Name { is a name before a block, as in if x == Pending { … }
	noLambda bool // name => ends a guard, and is reported there
}

// open lifts the context for the inside of brackets, and gives the one to come back to.
func (p *parser) open() (outer context) {
	outer, p.context = p.context, context{}
	return outer
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

func (p *parser) expect(k kind, what string) {
	if p.tok.kind != k {
		p.unexpected(what)
	}
	p.advance()
}

func (p *parser) expectWord(word string) {
	if !p.acceptWord(word) {
		p.unexpected("`" + word + "`")
	}
}

// name parses a name that starts with a small letter; role says what it is for.
func (p *parser) name(role string) Ident {
	switch {
	case p.isName(p.tok):
	case p.is(tokWord) && (!p.tok.newline || p.peek(1).kind == tokColon || p.peek(1).kind == tokArrow):
		p.fail(itemLevel, reservedWord(p.spanOf(p.tok), p.text(), role))
	case p.is(tokCap):
		p.report(wrongCase(p.spanOf(p.tok), p.text(), role, lowerFirst(p.text())))
		p.misnamed = p.consumed + 1
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
		p.misnamed = p.consumed + 1
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
