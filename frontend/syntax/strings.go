package syntax

import (
	"strings"
	"unicode/utf8"

	"soma.cell/frontend/source"
)

// String literals and their segments.
//
// The lexer finds where a literal ends without looking inside: the quotes of strings inside
// a segment are escaped in a plain literal, and come in no runs of three in a triple-quoted
// one. The parser then cuts the literal, once, into text and expressions:
//
//   - {{ and }} are braces;
//   - { opens a segment if its } is found (outside strings inside the segment), no : stands
//     outside all its brackets, it is not just digits or digits,digits, and an expression
//     can start with its first token. Otherwise the { and its } are text and cutting goes
//     on at the next byte.
//
// A segment is lexed and parsed in place: its escapes are undone into a text of its own,
// whose lexer knows the file offset of each byte.
//
// Cost: linear. Braces are matched by braceScan, which passes each byte at most twice: a
// pass records the match of every brace it sees outside strings, and two passes that
// differ at some byte (one inside a string there, the other not) differ from there on,
// because a backslash outside a string ends a pass. Each deeper level of strings in
// segments doubles the backslashes it needs, so levels are few.

// cutter cuts one literal.
type cutter struct {
	p       *parser
	text    string // of the lexer
	end     int    // of the content
	triple  bool
	passes  []*braceScan
	closers map[int]bool // } that match a { taken as text

	segments []Segment
	pending  strings.Builder
	loose    bool // some { has no match
}

// stringOperand parses a string in an expression.
func (p *parser) stringOperand() Expr {
	token := p.tok
	s, loose := p.cutString()
	next := p.tok
	if loose && next.start == token.end && startsOperand(next) {
		p.fail(itemLevel, quotesInSegment(s.At))
	}
	for first := true; p.is(tokString) && !p.tok.newline && !p.patternFollows(); first = false {
		if first {
			p.report(adjacentStrings(p.spanOf(p.tok), p.lx.span(p.prev, p.tok.start)))
		}
		p.cutString()
	}
	return s
}

// patternFollows tells whether the current string starts the next arm of a match.
func (p *parser) patternFollows() bool {
	switch next := p.peek(1); next.kind {
	case tokArrow, tokFatArrow, tokOr:
		return true
	case tokWord:
		return p.textOf(next) == "if"
	case tokAdd:
		return p.peek(2).kind == tokWord && (p.peek(3).kind == tokArrow || p.textOf(p.peek(3)) == "if")
	}
	return false
}

func (p *parser) stringLiteral() *String {
	s, _ := p.cutString()
	return s
}

// plainText parses a string that must not interpolate; role says what it is for.
func (p *parser) plainText(role string) string {
	if !p.is(tokString) {
		p.unexpected(role + " in quotes")
	}
	s := p.stringLiteral()
	text, ok := s.Literal()
	if !ok {
		p.report(plainTextNeeded(s.At, role))
	}
	return text
}

// cutString cuts the literal at the current token; loose tells that a { in it has no match.
func (p *parser) cutString() (s *String, loose bool) {
	t := p.tok
	at := p.spanOf(t)
	if t.fault == openString {
		p.advance()
		p.fail(itemLevel, unterminatedString(source.Span{File: at.File, Start: at.Start, End: at.Start + 1}, t.triple))
	}
	quotes := 1
	if t.triple {
		quotes = len(tripleQuote)
	}
	c := &cutter{p: p, text: p.lx.text, end: t.end - quotes, triple: t.triple, closers: map[int]bool{}}
	c.cut(t.start + quotes)
	p.advance()
	return &String{Place{at}, c.segments}, c.loose
}

func (c *cutter) cut(pos int) {
	for pos < c.end {
		b := c.text[pos]
		next := byte(0)
		if pos+1 < c.end {
			next = c.text[pos+1]
		}
		switch {
		case b == '\\' && !c.triple:
			pos = c.escape(pos)
		case b == '{' && next == '{':
			c.pending.WriteByte('{')
			pos += 2
		case b == '{':
			pos = c.brace(pos)
		case b == '}' && next == '}' && !c.closers[pos] && !c.closers[pos+1]:
			c.pending.WriteByte('}')
			pos += 2
		case b == '}':
			delete(c.closers, pos)
			c.pending.WriteByte('}')
			pos++
		default:
			run := pos + 1
			for run < c.end && strings.IndexByte("\\{}", c.text[run]) < 0 {
				run++
			}
			if c.triple && b == '\\' {
				run = pos + 1
			}
			c.pending.WriteString(c.text[pos:run])
			pos = run
		}
	}
	c.flush()
}

func (c *cutter) flush() {
	if c.pending.Len() > 0 {
		c.segments = append(c.segments, Segment{Text: c.pending.String()})
		c.pending.Reset()
	}
}

// brace handles a { that is no escape, and gives the position after it or its segment.
func (c *cutter) brace(pos int) int {
	m := c.match(pos)
	if m.end < 0 || m.colon || !c.startsSegment(pos+1, m.end) {
		c.loose = c.loose || m.end < 0
		if m.end >= 0 {
			c.closers[m.end] = true
		}
		c.pending.WriteByte('{')
		return pos + 1
	}
	c.flush()
	c.segments = append(c.segments, Segment{X: c.p.segment(c.decode(pos+1, m.end))})
	return m.end + 1
}

// startsSegment tells whether what stands between braces is meant as an expression.
func (c *cutter) startsSegment(pos, end int) bool {
	if plainDigits(c.text[pos:min(end, pos+64)]) && end <= pos+64 {
		return false
	}
	for pos < end && strings.IndexByte(" \t\r\n", c.text[pos]) >= 0 {
		pos++
	}
	if pos == end {
		return false
	}
	next := byte(0)
	if pos+1 < end {
		next = c.text[pos+1]
	}
	switch b := c.text[pos]; {
	case isDigit(b), b == '(', b == '[', b == '"' && c.triple, b == '\\' && next == '"' && !c.triple:
		return true
	case b == '-':
		return next != '>' && next != '='
	case b == '!':
		return next != '='
	case isWordStart(b):
		stop := pos
		for stop < end && (isWordStart(c.text[stop]) || isDigit(c.text[stop])) {
			stop++
		}
		switch word := c.text[pos:stop]; word {
		case "if", "match", "try", "true", "false":
			return true
		default:
			return !reserved[word]
		}
	}
	return false
}

// plainDigits tells whether s is digits, or digits with one comma after the first.
func plainDigits(s string) bool {
	head, tail, _ := strings.Cut(s, ",")
	return head != "" && strings.Trim(head, "0123456789") == "" && strings.Trim(tail, "0123456789") == ""
}

// escape resolves an escape outside segments.
func (c *cutter) escape(pos int) int {
	if pos+1 >= c.end {
		c.pending.WriteByte('\\')
		return pos + 1
	}
	end := pos + 2
	switch b := c.text[pos+1]; b {
	case 'n':
		c.pending.WriteByte('\n')
	case 't':
		c.pending.WriteByte('\t')
	case 'r':
		c.pending.WriteByte('\r')
	case '0':
		c.pending.WriteByte(0)
	case '"', '\\', '{':
		c.pending.WriteByte(b)
	default:
		if b == 'u' {
			if r, stop, ok := unicodeEscape(c.text[:c.end], pos+2); ok {
				c.pending.WriteRune(r)
				return stop
			}
		}
		_, size := utf8.DecodeRuneInString(c.text[pos+1:])
		end = pos + 1 + size
		c.p.report(unknownEscape(c.p.lx.span(pos, end), c.text[pos:end]))
	}
	return end
}

// unicodeEscape reads {hex} of an escape \u{hex}.
func unicodeEscape(text string, pos int) (r rune, end int, ok bool) {
	if pos >= len(text) || text[pos] != '{' {
		return 0, 0, false
	}
	for end = pos + 1; end < len(text) && isHexDigit(text[end]) && end <= pos+6; end++ {
		d := text[end]
		switch {
		case isDigit(d):
			d -= '0'
		default:
			d = d | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(d)
	}
	if end == pos+1 || end >= len(text) || text[end] != '}' || !utf8.ValidRune(r) {
		return 0, 0, false
	}
	return r, end + 1, true
}

// decode gives a lexer for the segment between two positions. In a plain literal \" stands
// for a quote and \\ for a backslash; other escapes belong to strings inside the segment.
func (c *cutter) decode(start, end int) *lexer {
	outer := c.p.lx
	raw := c.text[start:end]
	l := &lexer{file: outer.file, segment: true}
	if c.triple || strings.IndexByte(raw, '\\') < 0 {
		l.text = raw
		if outer.offsets == nil {
			l.base = outer.base + start
		} else {
			l.offsets = outer.offsets[start : end+1]
		}
		return l
	}
	var text strings.Builder
	for pos := start; pos < end; {
		b, width := c.decoded(pos)
		text.WriteByte(b)
		l.offsets = append(l.offsets, outer.at(pos))
		pos += width
	}
	l.text = text.String()
	l.offsets = append(l.offsets, outer.at(end))
	return l
}

// decoded is the byte at a position inside a segment, and how many bytes write it.
func (c *cutter) decoded(pos int) (b byte, width int) {
	b = c.text[pos]
	if b == '\\' && !c.triple && pos+1 < c.end {
		if next := c.text[pos+1]; next == '"' || next == '\\' {
			return next, 2
		}
	}
	return b, 1
}

// segment parses the expression of a segment. What is wrong in it stays in it.
func (p *parser) segment(l *lexer) Expr {
	lx, tok, ahead, prev := p.lx, p.tok, p.ahead, p.prev
	braces, brackets, outer, atEnd := p.braces, p.brackets, p.open(), p.atEnd
	whole := l.span(0, len(l.text))
	var x Expr
	p.lx, p.ahead, p.prev, p.atEnd = l, nil, 0, false
	ok := p.guard(declLevel, func() {
		defer p.leave(p.enter())
		p.tok = p.fetch(0)
		x = p.expr()
		if !p.is(tokEOF) {
			p.fail(itemLevel, badInterpolation(p.spanOf(p.tok), whole.Text(), x.Span().Text()))
		}
	})
	p.lx, p.tok, p.ahead, p.prev = lx, tok, ahead, prev
	p.braces, p.brackets, p.context, p.atEnd = braces, brackets, outer, atEnd
	if !ok {
		return &BadExpr{Place{whole}}
	}
	return x
}
