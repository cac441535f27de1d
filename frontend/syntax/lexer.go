package syntax

import (
	"strings"
	"unicode/utf8"

	"soma.cell/frontend/source"
)

// lexer cuts a text into tokens. The text is a whole file, or a segment of a string: its
// escapes are then undone, and offsets tells where each of its bytes stands in the file.
//
// scan is a function of the position alone, so that the parser may look ahead freely; it
// reads each byte a bounded number of times.
type lexer struct {
	file    *source.File
	text    string
	base    int   // file offset of the text when offsets is nil
	offsets []int // file offset of each byte, and of the end
	segment bool  // strings are plain, there are no comments
}

// at is the file offset of a text offset.
func (l *lexer) at(i int) int {
	if l.offsets != nil {
		return l.offsets[i]
	}
	return l.base + i
}

func (l *lexer) span(start, end int) source.Span {
	return source.Span{File: l.file, Start: l.at(start), End: l.at(end)}
}

// scan gives the next token at or after pos.
func (l *lexer) scan(pos int) token {
	pos, newline, open := l.skipSpace(pos)
	t := token{newline: newline, start: pos, end: pos}
	if open {
		t.fault = openComment
		t.end = len(l.text)
		return t
	}
	if pos == len(l.text) {
		return t
	}
	c := l.text[pos]
	switch {
	case isDigit(c):
		l.scanNumber(&t)
	case isWordStart(c):
		t.kind = tokWord
		if 'A' <= c && c <= 'Z' {
			t.kind = tokCap
		}
		t.end = l.wordEnd(pos)
	case c == '"':
		l.scanString(&t)
	default:
		l.scanPunctuation(&t)
	}
	return t
}

// skipSpace passes white space and comments. It tells whether a line break was passed and
// whether a comment is open at the end of the text; pos is then the start of that comment.
func (l *lexer) skipSpace(pos int) (next int, newline, open bool) {
	newline = pos == 0 && !l.segment
	for pos < len(l.text) {
		switch c := l.text[pos]; {
		case c == '\n':
			newline = true
			pos++
		case c == ' ' || c == '\t' || c == '\r':
			pos++
		case !l.segment && strings.HasPrefix(l.text[pos:], "//"):
			if n := strings.IndexByte(l.text[pos:], '\n'); n >= 0 {
				pos += n
			} else {
				pos = len(l.text)
			}
		case !l.segment && strings.HasPrefix(l.text[pos:], "/*"):
			n := strings.Index(l.text[pos+2:], "*/")
			if n < 0 {
				return pos, newline, true
			}
			newline = newline || strings.Contains(l.text[pos:pos+2+n], "\n")
			pos += n + 4
		default:
			return pos, newline, false
		}
	}
	return pos, newline, false
}

func (l *lexer) scanPunctuation(t *token) {
	rest := l.text[t.start:]
	if c := rest[0]; c < utf8.RuneSelf && brackets[c] != tokEOF {
		t.kind, t.end = brackets[c], t.start+1
		return
	}
	for _, p := range punctuation {
		if strings.HasPrefix(rest, p.text) {
			t.kind = p.kind
			t.end = t.start + len(p.text)
			return
		}
	}
	t.kind, t.fault = tokJunk, badCharacter
	_, size := utf8.DecodeRuneInString(rest)
	t.end = t.start + size
	if rest[0] == '\'' {
		t.fault = badSingleQuote
		if n := strings.IndexAny(rest[1:], "'\n"); n >= 0 && rest[1+n] == '\'' {
			t.end = t.start + n + 2
		}
	}
}

// scanString finds the end of a string literal without looking into its segments: quotes
// inside a plain string are escaped, also in its segments.
func (l *lexer) scanString(t *token) {
	t.kind = tokString
	pos := t.start + 1
	if !l.segment && strings.HasPrefix(l.text[t.start:], tripleQuote) {
		t.triple = true
		n := strings.Index(l.text[t.start+3:], tripleQuote)
		if n < 0 {
			t.fault, t.end = openString, len(l.text)
			return
		}
		t.end = t.start + 3 + n + 3
		for t.end < len(l.text) && l.text[t.end] == '"' { // quotes at the end belong to the text
			t.end++
		}
		return
	}
	for pos < len(l.text) {
		switch l.text[pos] {
		case '"':
			t.end = pos + 1
			return
		case '\n':
			t.fault, t.end = openString, pos
			return
		case '\\':
			pos++
			if pos < len(l.text) && l.text[pos] == '\n' {
				continue
			}
		}
		pos++
	}
	t.fault, t.end = openString, len(l.text)
}

const tripleQuote = `"""`

func (l *lexer) wordEnd(pos int) int {
	for pos < len(l.text) && (isWordStart(l.text[pos]) || isDigit(l.text[pos])) {
		pos++
	}
	return pos
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
