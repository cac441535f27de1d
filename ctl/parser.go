package ctl

// Limits of what [Parse] accepts. They bound the depth of every formula it
// returns, and so the recursion of everything that walks one.
const (
	// MaxNesting bounds parentheses, brackets and prefix operators around a place.
	MaxNesting = 400
	// MaxOperands bounds atoms and constants of a formula, and so its chains.
	MaxOperands = 10_000
)

// Parse reads a CTL formula.
//
//	Formula = Iff .
//	Iff     = Implies { "<->" Implies } .
//	Implies = Or [ "->" Implies ] .
//	Or      = And { ( "||" | "or" ) And } .
//	And     = Unary { ( "&&" | "and" ) Unary } .
//	Unary   = Primary | ( "!" | "not" | "AX" | "EX" | "AF" | "EF" | "AG" | "EG" ) Unary .
//	Primary = "true" | "false" | Name | "(" Formula ")"
//	        | ( "A" | "E" ) "[" Formula ( "U" | "R" | "W" ) Formula "]" .
//	Name    = ident [ "." ident [ "." ident ] ] .
//
// An ident is made of letters of any script, digits and underscores and does not
// start with a digit. The words true, false, not, and, or, AX … EG are no Names,
// but may be parts of a dotted one; A, E, U, R and W are Names wherever the
// grammar wants one. The error, if any, is a [*SyntaxError]: it says where.
func Parse(text string) (f *Formula, err error) {
	p := parser{lexer: lexer{text: text, symbols: symbols()}}
	defer func() {
		if r := recover(); r != nil {
			syntax, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			f, err = nil, syntax
		}
	}()
	p.advance()
	f = p.iff()
	if p.token.kind != tokenEnd {
		p.fail(p.unexpected("an operator or the end"))
	}
	return f, nil
}

// parser is a recursive-descent parser with one token of lookahead. It panics
// with a *SyntaxError, which Parse catches.
type parser struct {
	lexer    lexer
	token    token // the next one
	previous token
	nesting  int
	operands int
}

func (p *parser) fail(err *SyntaxError) { panic(err) }

func (p *parser) advance() {
	next, err := p.lexer.next()
	if err != nil {
		p.fail(err)
	}
	p.previous, p.token = p.token, next
}

// accept steps over the next token if it is of the given kind.
func (p *parser) accept(kind tokenKind) bool {
	if p.token.kind != kind {
		return false
	}
	p.advance()
	return true
}

// Iff = Implies { "<->" Implies } .
func (p *parser) iff() *Formula {
	f := p.implies()
	for p.accept(tokenIff) {
		f = Iff(f, p.implies())
	}
	return f
}

// Implies = Or [ "->" Implies ] .
func (p *parser) implies() *Formula {
	premises := []*Formula{p.or()}
	for p.accept(tokenImplies) {
		premises = append(premises, p.or())
	}
	last := len(premises) - 1
	f := premises[last]
	for i := last - 1; i >= 0; i-- {
		f = Implies(premises[i], f)
	}
	return f
}

// Or = And { ( "||" | "or" ) And } .
func (p *parser) or() *Formula {
	f := p.and()
	for p.accept(tokenOr) {
		f = Or(f, p.and())
	}
	return f
}

// And = Unary { ( "&&" | "and" ) Unary } .
func (p *parser) and() *Formula {
	f := p.unary()
	for p.accept(tokenAnd) {
		f = And(f, p.unary())
	}
	return f
}

// Unary = Primary | ( "!" | "not" | "AX" | "EX" | "AF" | "EF" | "AG" | "EG" ) Unary .
func (p *parser) unary() *Formula {
	operator := p.token
	if operator.kind != tokenNot && operator.kind != tokenTemporal {
		return p.primary()
	}
	p.enter()
	defer p.leave()
	p.advance()
	operand := p.unary()
	switch operator.text {
	case "AX":
		return AX(operand)
	case "EX":
		return EX(operand)
	case "AF":
		return AF(operand)
	case "EF":
		return EF(operand)
	case "AG":
		return AG(operand)
	case "EG":
		return EG(operand)
	}
	return Not(operand)
}

// Primary = "true" | "false" | Name | "(" Formula ")"
// | ( "A" | "E" ) "[" Formula ( "U" | "R" | "W" ) Formula "]" .
func (p *parser) primary() *Formula {
	switch t := p.token; t.kind {
	case tokenOpenParen:
		return p.parenthesized()
	case tokenTrue:
		p.operand()
		return True()
	case tokenFalse:
		p.operand()
		return False()
	case tokenName:
		p.operand()
		if p.token.kind == tokenOpenBracket && (t.text == "A" || t.text == "E") {
			p.operands-- // it was a quantifier
			return p.bracketed(t.text == "A")
		}
		return Atom(t.text)
	}
	p.fail(errExpected(p.token, "a formula"))
	return nil
}

func (p *parser) operand() {
	if p.operands++; p.operands > MaxOperands {
		p.fail(errTooLong(p.token.offset))
	}
	p.advance()
}

// "(" Formula ")"
func (p *parser) parenthesized() *Formula {
	p.enter()
	defer p.leave()
	p.advance()
	f := p.iff()
	if !p.accept(tokenCloseParen) {
		p.fail(p.unexpected("an operator or ')'"))
	}
	return f
}

// "[" Formula ( "U" | "R" | "W" ) Formula "]"
func (p *parser) bracketed(universal bool) *Formula {
	p.enter()
	defer p.leave()
	p.advance()
	left := p.iff()
	operator := p.token
	if !isPathOperator(operator) {
		p.fail(p.unexpected("an operator, such as U, R or W"))
	}
	p.advance()
	right := p.iff()
	if isPathOperator(p.token) {
		p.fail(errSecondPathOperator(p.token))
	}
	if !p.accept(tokenCloseBracket) {
		p.fail(p.unexpected("an operator or ']'"))
	}
	return pathFormula(universal, operator.text, left, right)
}

func pathFormula(universal bool, operator string, left, right *Formula) *Formula {
	switch {
	case operator == "U" && universal:
		return AU(left, right)
	case operator == "U":
		return EU(left, right)
	case operator == "R" && universal:
		return AR(left, right)
	case operator == "R":
		return ER(left, right)
	case universal:
		return AW(left, right)
	}
	return EW(left, right)
}

func isPathOperator(t token) bool {
	return t.kind == tokenName && (t.text == "U" || t.text == "R" || t.text == "W")
}

// unexpected explains a token that cannot follow a complete formula.
func (p *parser) unexpected(want string) *SyntaxError {
	t, before := p.token, p.previous
	linear := before.kind == tokenName && (before.text == "X" || before.text == "F" || before.text == "G")
	switch {
	case isPathOperator(t):
		return errStrayPathOperator(t)
	case linear && startsFormula(t):
		return errMissingQuantifier(before)
	case p.nesting == 0 && (t.kind == tokenCloseParen || t.kind == tokenCloseBracket):
		return errUnmatched(t)
	}
	return errExpected(t, want)
}

func startsFormula(t token) bool {
	switch t.kind {
	case tokenName, tokenTrue, tokenFalse, tokenNot, tokenTemporal, tokenOpenParen:
		return true
	}
	return false
}

func (p *parser) enter() {
	if p.nesting++; p.nesting > MaxNesting {
		p.fail(errTooDeep(p.token.offset))
	}
}

func (p *parser) leave() { p.nesting-- }
