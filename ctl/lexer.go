package ctl

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenTrue
	tokenFalse
	tokenNot
	tokenAnd
	tokenOr
	tokenImplies
	tokenIff
	tokenTemporal // AX EX AF EF AG EG
	tokenOpenParen
	tokenCloseParen
	tokenOpenBracket
	tokenCloseBracket
)

type token struct {
	kind   tokenKind
	text   string
	offset int // in bytes
}

// maxNameParts is how many names a qualified name joins by dots.
const maxNameParts = 3

// word is the kind of a text of letters. The names U, R, W, A and E are
// operators by their place only, so that states may bear them.
func word(text string) tokenKind {
	switch text {
	case "true":
		return tokenTrue
	case "false":
		return tokenFalse
	case "not":
		return tokenNot
	case "and":
		return tokenAnd
	case "or":
		return tokenOr
	case "AX", "EX", "AF", "EF", "AG", "EG":
		return tokenTemporal
	}
	return tokenName
}

// symbols lists what is not made of letters, longer before its prefixes. What
// people write by mistake has no kind but a suggestion.
func symbols() []symbol {
	return []symbol{
		{text: "<->", kind: tokenIff},
		{text: "<=>", meant: "<->"},
		{text: "->", kind: tokenImplies},
		{text: "=>", meant: "->"},
		{text: "&&", kind: tokenAnd},
		{text: "||", kind: tokenOr},
		{text: "==", meant: "<->"},
		{text: "!=", meant: "<->"},
		{text: "<-", meant: "->"},
		{text: "&", meant: "&&"},
		{text: "|", meant: "||"},
		{text: "=", meant: "<->"},
		{text: "~", meant: "!"},
		{text: "!", kind: tokenNot},
		{text: "(", kind: tokenOpenParen},
		{text: ")", kind: tokenCloseParen},
		{text: "[", kind: tokenOpenBracket},
		{text: "]", kind: tokenCloseBracket},
	}
}

type symbol struct {
	text  string
	kind  tokenKind
	meant string
}

// lexer cuts a text into tokens, one call of next each, in linear time.
type lexer struct {
	text    string
	offset  int
	symbols []symbol
}

func (l *lexer) next() (token, *SyntaxError) {
	for r, size := l.peek(); unicode.IsSpace(r) && size > 0; r, size = l.peek() {
		l.offset += size
	}
	start := l.offset
	r, size := l.peek()
	switch {
	case size == 0:
		return token{tokenEnd, "", start}, nil
	case r == utf8.RuneError && size == 1:
		return token{}, errInvalidUTF8(start)
	case unicode.IsDigit(r):
		return token{}, errDigitFirst(start)
	case isNameRune(r):
		return l.name()
	}
	for _, s := range l.symbols {
		if !strings.HasPrefix(l.text[start:], s.text) {
			continue
		}
		if s.meant != "" {
			return token{}, errUnknownOperator(start, s.text, s.meant)
		}
		l.offset += len(s.text)
		return token{s.kind, s.text, start}, nil
	}
	return token{}, errUnexpectedRune(start, r)
}

// Name = ident [ "." ident [ "." ident ] ] .
func (l *lexer) name() (token, *SyntaxError) {
	start := l.offset
	l.ident()
	parts := 1
	for strings.HasPrefix(l.text[l.offset:], ".") {
		if parts == maxNameParts {
			return token{}, errTooManyParts(l.offset)
		}
		l.offset++
		r, size := l.peek()
		switch {
		case unicode.IsDigit(r):
			return token{}, errDigitFirst(l.offset)
		case size == 0 || !isNameRune(r):
			return token{}, errNameAfterDot(l.offset)
		}
		l.ident()
		parts++
	}
	text := l.text[start:l.offset]
	return token{word(text), text, start}, nil
}

func (l *lexer) ident() {
	for r, size := l.peek(); size > 0 && isNameRune(r); r, size = l.peek() {
		l.offset += size
	}
}

// peek decodes the next character; its size is 0 at the end of the text.
func (l *lexer) peek() (rune, int) { return utf8.DecodeRuneInString(l.text[l.offset:]) }

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
