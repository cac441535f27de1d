package syntax

import (
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// Forms of other languages that take more than a glance to tell.

// foreignOperator reports operators of other languages and goes on with their meaning.
func (p *parser) foreignOperator(at source.Span) {
	switch p.tok.kind {
	case tokStrictEq:
		p.report(strictEquality(at, "=="))
	case tokStrictNe:
		p.report(strictEquality(at, "!="))
	case tokWord:
		p.report(wordOperator(at, p.text(), map[string]string{"and": "&&", "or": "||"}[p.text()]))
	case tokMul:
		if next := p.peek(1); next.kind == tokMul && p.adjacent(next) {
			p.report(powerSign(p.lx.span(p.tok.start, next.end)))
			p.advance()
		}
	case tokAdd, tokSub:
		next := p.peek(1)
		twice := next.kind == p.tok.kind && p.adjacent(next)
		if twice && (next.kind == tokAdd || !startsOperand(p.peek(2)) || p.peek(2).newline) {
			d := increment(p.lx.span(p.tok.start, next.end), p.text())
			d.Edits = []diag.Edit{{Span: d.Span, New: " " + p.text() + "= 1"}}
			p.fail(itemLevel, d)
		}
	}
}

func textOr(x Expr, otherwise string) string {
	if x == nil {
		return otherwise
	}
	return x.Span().Text()
}

// ternary reports a choice written as c ? a : b, whose b may be another choice.
func (p *parser) ternary(x Expr) Expr {
	height := p.isolate()
	var form strings.Builder
	last, links := x, 0
	for p.is(tokQuestion) {
		p.link(&links, p.spanOf(p.tok))
		p.advance()
		a := p.binary(OrLevel)
		p.expect(tokColon, "`:`")
		form.WriteString("if " + last.Span().Text() + " { " + a.Span().Text() + " } else ")
		last = p.binary(OrLevel)
	}
	p.join(height)
	whole := p.place(x.Span().Start)
	p.report(ternary(whole.At, form.String()+"{ "+last.Span().Text()+" }"))
	return &BadExpr{whole}
}

// atTernary tells whether the current ? belongs to a choice: it looks ahead for the : over
// a bounded number of tokens.
func (p *parser) atTernary() bool {
	const window = 60
	first := p.peek(1)
	if !startsOperand(first) || first.newline || reserved[p.textOf(first)] && p.textOf(first) != "true" && p.textOf(first) != "false" {
		return false
	}
	depth := 0
	for n := 1; n <= window; n++ {
		t := p.peek(n)
		if n > 1 && depth == 0 && t.newline && startsOperand(t) { // the next statement
			return false
		}
		switch t.kind {
		case tokLParen, tokLBracket:
			depth++
		case tokRParen, tokRBracket:
			if depth--; depth < 0 {
				return false
			}
		case tokColon:
			if depth == 0 {
				return true
			}
		case tokComma:
			if depth == 0 {
				return false
			}
		case tokEOF, tokLBrace, tokRBrace, tokAssign, tokArrow, tokFatArrow:
			return false
		}
	}
	return false
}

// mapLiteral reports {k: v} and shows the call of map.
func (p *parser) mapLiteral() Expr {
	if !p.atMapLiteral() && p.peek(1).kind != tokRBrace {
		return p.noOperand()
	}
	from := p.here()
	var pairs []string
	p.listOf(tokRBrace, "}", func() {
		key := diag.Edit{Span: p.spanOf(p.tok), New: p.text()}
		if p.is(tokWord) || p.is(tokCap) {
			key.New = `"` + key.New + `"`
			p.advance()
		} else {
			p.expr()
		}
		p.expect(tokColon, "`:`")
		pairs = append(pairs, key.New, p.expr().Span().Text())
	})
	whole := p.place(from)
	p.report(mapLiteral(whole.At, pairs))
	return &BadExpr{whole}
}

// atMapLiteral tells whether { starts a map as other languages write it.
func (p *parser) atMapLiteral() bool {
	switch p.peek(1).kind {
	case tokWord, tokCap, tokString, tokInt:
		return p.peek(2).kind == tokColon
	}
	return false
}

// statementForms gives the form of this language for words with which others start a statement.
var statementForms = map[string]string{
	"switch": "match x { 1 -> a  _ -> b }", "case": "match x { 1 -> a  _ -> b }", "when": "match x { 1 -> a  _ -> b }",
	"throw": `fail("kind", "detail")`, "raise": `fail("kind", "detail")`,
	"catch": "let r = try { … }  if r.error != () { … }", "except": "let r = try { … }  if r.error != () { … }",
	"finally": "let r = try { … }  if r.error != () { … }",
	"unless":  "if !c { … }", "foreach": "for x in xs { … }", "loop": "while true { … }", "repeat": "while c { … }",
	"until": "while !c { … }", "do": "while c { … }",
}

// foreignStatement tells the form to show when a word starts a statement of another language
// here: an operand or a block follows on its line.
func (p *parser) foreignStatement() string {
	next := p.peek(1)
	if next.newline {
		return ""
	}
	switch next.kind {
	case tokLBrace, tokWord, tokCap, tokString, tokInt:
		return statementForms[p.text()]
	}
	return ""
}

// countingHeader reports a loop that counts as in other languages, and passes its header.
func (p *parser) countingHeader(name string) Expr {
	from := p.here()
	p.report(countingLoop(p.spanOf(p.tok), name))
	muted := p.muted
	p.muted = true
	for !p.is(tokLBrace) && !p.is(tokRBrace) && !p.is(tokEOF) {
		p.advance()
	}
	p.muted = muted
	return &BadExpr{p.place(from)}
}
