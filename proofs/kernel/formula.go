package kernel

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"soma.cell/proofs/cert"
)

// formula is a CTL formula. op is one of those of cert.Node, or "=>", "<=>", "EF", "AF", "EG",
// "AG", "EW", "AW" before it is brought into negation normal form.
type formula struct {
	op          string
	atom        string
	left, right *formula
}

// Bounds of CTL texts.
const (
	maxNesting  = 1000
	maxOperands = 100_000
)

// parseFormula reads CTL text. Grammar, loosest first:
//
//	iff     = implies { "<->" implies } .
//	implies = or [ "->" implies ] .
//	or      = and { ( "||" | "or" ) and } .
//	and     = unary { ( "&&" | "and" ) unary } .
//	unary   = ( "!" | "not" | "EX" … "AG" ) unary | primary .
//	primary = "true" | "false" | "(" iff ")" | ( "A" | "E" ) "[" iff ( "U" | "R" | "W" ) iff "]" | atom .
//	atom    = name [ "." name [ "." name ] ] | "{stuck}" | "{terminal}" | "{initial}" .
func parseFormula(text string) (*formula, *Error) {
	p := &formulaParser{text: text}
	p.next()
	f := p.iff(0)
	if p.err == nil && p.token != "" {
		p.fail("nothing may follow the formula")
	}
	if p.err != nil {
		return nil, p.err
	}
	return f, nil
}

// formulaParser keeps the next token; "" is the end. After the first error it yields nothing.
type formulaParser struct {
	text     string
	token    string
	name     bool // the token is a name
	operands int
	err      *Error
}

func (p *formulaParser) fail(why string) {
	if p.err == nil {
		p.err = errFormula(why)
	}
	p.token, p.text, p.name = "", "", false
}

func (p *formulaParser) next() {
	p.text = strings.TrimLeftFunc(p.text, unicode.IsSpace)
	p.token, p.name = "", false
	if p.text == "" {
		return
	}
	for _, symbol := range []string{"<->", "->", "&&", "||", "!", "(", ")", "[", "]",
		cert.AtomStuck, cert.AtomTerminal, cert.AtomInitial} {
		if rest, ok := strings.CutPrefix(p.text, symbol); ok {
			p.token, p.text, p.name = symbol, rest, symbol[0] == '{'
			return
		}
	}
	n := 0
	for n < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[n:])
		if r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		n += size
	}
	if n == 0 {
		p.fail("a character that no formula has")
		return
	}
	p.token, p.text, p.name = p.text[:n], p.text[n:], true
}

func (p *formulaParser) accept(tokens ...string) bool {
	if p.token != "" && contains(tokens, p.token) {
		p.next()
		return true
	}
	return false
}

func (p *formulaParser) expect(token string) {
	if !p.accept(token) {
		p.fail("\"" + token + "\" is missing")
	}
}

func (p *formulaParser) iff(depth int) *formula {
	f := p.implies(depth)
	for p.accept("<->") {
		f = &formula{op: "<=>", left: f, right: p.implies(depth)}
	}
	return f
}

func (p *formulaParser) implies(depth int) *formula {
	parts := []*formula{p.or(depth)}
	for p.accept("->") {
		parts = append(parts, p.or(depth))
	}
	f := parts[len(parts)-1]
	for i := len(parts) - 2; i >= 0; i-- {
		f = &formula{op: "=>", left: parts[i], right: f}
	}
	return f
}

func (p *formulaParser) or(depth int) *formula {
	f := p.and(depth)
	for p.accept("||", "or") {
		f = &formula{op: "or", left: f, right: p.and(depth)}
	}
	return f
}

func (p *formulaParser) and(depth int) *formula {
	f := p.unary(depth)
	for p.accept("&&", "and") {
		f = &formula{op: "and", left: f, right: p.unary(depth)}
	}
	return f
}

func (p *formulaParser) unary(depth int) *formula {
	if depth > maxNesting {
		p.fail("it is nested too deeply")
		return &formula{op: "false"}
	}
	switch op := p.token; op {
	case "!", "not":
		p.next()
		return &formula{op: "not", left: p.unary(depth + 1)}
	case "EX", "AX", "EF", "AF", "EG", "AG":
		p.next()
		return &formula{op: op, left: p.unary(depth + 1)}
	}
	return p.primary(depth + 1)
}

func (p *formulaParser) primary(depth int) *formula {
	if p.operands++; p.operands > maxOperands {
		p.fail("it is too long")
	}
	if p.accept("(") {
		f := p.iff(depth)
		p.expect(")")
		return f
	}
	word, isName := p.token, p.name
	if !isName {
		p.fail("a formula is missing")
		return &formula{op: "false"}
	}
	p.next()
	switch {
	case word == "true" || word == "false":
		return &formula{op: word}
	case (word == "A" || word == "E") && p.accept("["):
		left := p.iff(depth)
		path := p.token
		if !p.accept("U", "R", "W") {
			p.fail("U, R or W is missing")
		}
		right := p.iff(depth)
		p.expect("]")
		return &formula{op: word + path, left: left, right: right}
	}
	return &formula{op: "atom", atom: word}
}
