package syntax

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// body parses the block of a handler or timer. Its braces are the ground level of nesting.
func (p *parser) body(what string) *Block { return p.statements(what) }

// block parses a block inside a body.
func (p *parser) block(what string) *Block {
	defer p.leave(p.enter())
	return p.statements(what)
}

// statements parses a sequence of statements. A broken one leaves a hole.
//
//	Block := "{" Stmt* "}"
func (p *parser) statements(what string) *Block {
	b := &Block{}
	from := p.here()
	p.braced(what, p.atItem, func() {
		b.Stmts = append(b.Stmts, &BadStmt{Place{p.spanOf(p.tok)}})
		height := p.isolate()
		b.Stmts[len(b.Stmts)-1] = p.stmt()
		p.join(height)
	})
	b.Place = p.place(from)
	if n := len(b.Stmts); n > 0 {
		p.reportUnused(b.Stmts[:n-1], idle, idleValue)
	}
	return b
}

// reportUnused reports expressions among statements, the first of each line, unless what follows
// on the line is wrong anyway.
func (p *parser) reportUnused(stmts []Stmt, unused func(Expr) bool, wording func(source.Span) diag.Diagnostic) {
	line := 0
	for _, s := range stmts {
		x, ok := s.(*ExprStmt)
		if !ok || !unused(x.X) {
			continue
		}
		now := x.At.From().Line
		if now != line && !p.wrongAfter(x.At) {
			p.report(wording(x.At))
		}
		line = now
	}
}

// wrongAfter tells whether an error was reported behind a place on its line.
func (p *parser) wrongAfter(at source.Span) bool {
	for _, d := range p.diags {
		if d.Span.Start >= at.End && d.Span.From().Line == at.To().Line {
			return true
		}
	}
	return false
}

// idle tells whether an expression only has a value: a literal, a name, an operator.
func idle(x Expr) bool {
	switch Unparen(x).(type) {
	case *Name, *VariantRef, *Int, *Float, *Bool, *Unit, *String, *List, *Record, *Unary, *Binary, *Field, *Index, *Lambda:
		return true
	}
	return false
}

// stmt parses a statement.
//
//	Stmt := Let | Assign | For | While | "break" | "continue" | Return | Require | Ensure | Emit | Expr
func (p *parser) stmt() Stmt {
	from := p.here()
	if p.is(tokWord) {
		switch p.text() {
		case "let":
			return p.let()
		case "for":
			return p.forLoop()
		case "while":
			return p.whileLoop()
		case "break":
			p.advance()
			return &Break{p.place(from)}
		case "continue":
			p.advance()
			return &Continue{p.place(from)}
		case "return":
			return p.returnStmt()
		case "require":
			return p.require()
		case "ensure":
			p.advance()
			cond := p.claim()
			return &Ensure{p.place(from), cond}
		case "emit":
			return p.emit()
		case "if", "match":
			return p.branch()
		}
		if p.atForeignLet() {
			p.report(foreignLet(p.spanOf(p.tok), p.text()))
			return p.let()
		}
		if form := p.foreignStatement(); form != "" {
			p.fail(itemLevel, foreignStatement(p.spanOf(p.tok), p.text(), form))
		}
		if p.atTestStatement() {
			p.fail(itemLevel, misplacedTestWord(p.spanOf(p.tok), p.text()))
		}
	}
	return p.simple(p.expr())
}

// simple parses what may follow an expression that starts a statement.
//
//	Assign := Place ("=" | "+=" | "-=" | "*=" | "/=") Expr
func (p *parser) simple(x Expr) Stmt {
	op, ok := assignOp(p.tok.kind)
	if !ok {
		return &ExprStmt{Place{x.Span()}, x}
	}
	switch x.(type) {
	case *Name, *Index, *Field, *BadExpr:
	default:
		p.report(notAssignable(x.Span()))
	}
	p.advance()
	value := p.expr()
	return &Assign{p.place(x.Span().Start), x, op, value}
}

func assignOp(k kind) (BinOp, bool) {
	switch k {
	case tokAssign:
		return NoOp, true
	case tokAddAssign:
		return AddOp, true
	case tokSubAssign:
		return SubOp, true
	case tokMulAssign:
		return MulOp, true
	case tokDivAssign:
		return DivOp, true
	}
	return NoOp, false
}

// branch parses an if or match that starts a statement. What follows on its line is only
// part of it when it cannot start a statement of its own.
func (p *parser) branch() Stmt {
	x := p.primary()
	switch p.tok.kind {
	case tokSub, tokLParen, tokLBracket, tokNot:
		return &ExprStmt{Place{x.Span()}, x}
	}
	return p.simple(p.operators(p.postfix(x), OrLevel))
}

// let parses a binding.
//
//	Let := "let" name "=" Expr
func (p *parser) let() Stmt {
	from := p.here()
	p.advance()
	if p.isWord("mut") && p.peek(1).kind == tokWord {
		p.report(foreignLet(p.spanOf(p.tok), "mut"))
		p.advance()
	}
	name := p.name("the name of a local")
	if p.is(tokColon) {
		at := p.here()
		p.advance()
		t := p.typ()
		p.report(typedLet(p.place(at).At, name.Name, t.At.Text()))
	}
	p.expect(tokAssign, "`=` and a value")
	value := p.expr()
	return &Let{p.place(from), name, value}
}

func (p *parser) atForeignLet() bool {
	switch p.text() {
	case "var", "const", "val":
		next := p.peek(1)
		return next.kind == tokWord && !next.newline && p.isName(next)
	}
	return false
}

// forLoop parses a loop over a value.
//
//	For := "for" [LoopBound] name "in" Expr Block
func (p *parser) forLoop() Stmt {
	from := p.here()
	p.advance()
	f := &For{Bound: p.loopBound(), Var: p.name("the name of the loop variable")}
	if p.is(tokAssign) {
		f.In = p.countingHeader(f.Var.Name)
		if !p.is(tokLBrace) {
			panic(bailout{itemLevel})
		}
	} else {
		p.expectWord("in")
		f.In = p.header()
	}
	f.Body = p.block("and the body of the loop")
	f.Place = p.place(from)
	return f
}

// whileLoop parses a loop under a condition.
//
//	While := "while" [LoopBound] Expr Block
func (p *parser) whileLoop() Stmt {
	from := p.here()
	p.advance()
	w := &While{Bound: p.loopBound(), Cond: p.condition()}
	w.Body = p.block("and the body of the loop")
	w.Place = p.place(from)
	return w
}

// loopBound parses the bound of a loop, if there is one.
//
//	LoopBound := "[" "loop_bound" "(" Int ")" "]"
func (p *parser) loopBound() Expr {
	if !p.is(tokLBracket) || p.textOf(p.peek(1)) != "loop_bound" {
		return nil
	}
	p.advance()
	p.advance()
	p.expect(tokLParen, "`(` and a number of rounds")
	bound := p.expr()
	p.expect(tokRParen, "`)`")
	p.expect(tokRBracket, "`]`")
	if !positive(bound) {
		p.report(badLoopBound(bound.Span()))
	}
	return bound
}

// returnStmt parses a return.
//
//	Return := "return" [Expr]
func (p *parser) returnStmt() Stmt {
	from := p.here()
	p.advance()
	r := &Return{}
	if !p.is(tokRBrace) && !p.is(tokEOF) && !p.atStatementWord() {
		r.Value = p.expr()
	}
	r.Place = p.place(from)
	return r
}

// require parses a precondition. The message stands on the line of the tag.
//
//	Require := "require" Expr "else" (tag | string) [string]
func (p *parser) require() Stmt {
	from := p.here()
	p.advance()
	r := &Require{Cond: p.claim()}
	p.expectWord("else")
	switch {
	case p.is(tokString):
		at := p.spanOf(p.tok)
		r.Tag = Ident{Place{at}, p.plainText("a tag")}
	case p.is(tokCap), p.isName(p.tok):
		r.Tag = p.anyWord("a tag")
	default:
		p.unexpected("a tag such as `NotFound`")
	}
	switch {
	case p.is(tokString) && !p.tok.newline:
		r.Message = p.stringLiteral()
	case p.is(tokLParen) && p.tok.start == p.prev:
		p.fail(itemLevel, messageForm(p.spanOf(p.tok), r.Tag.Name))
	}
	r.Place = p.place(from)
	return r
}

// emit parses the sending of an event.
//
//	Emit := "emit" name "(" Expr, … ")"
func (p *parser) emit() Stmt {
	from := p.here()
	p.advance()
	if p.is(tokCap) && p.peek(1).kind == tokDot {
		p.fail(itemLevel, eventOfCell(p.lx.span(p.tok.start, p.peek(2).end), p.textOf(p.peek(2))))
	}
	e := &Emit{Event: p.name("the name of an event")}
	if !p.is(tokLParen) {
		p.unexpected("`(` and the arguments")
	}
	e.Args = p.args()
	e.Place = p.place(from)
	return e
}

// condition parses a condition before a block.
func (p *parser) condition() Expr { return p.comparing(p.header) }

// claim parses a condition that no block follows.
func (p *parser) claim() Expr { return p.comparing(p.expr) }

// comparing reports a = that stands for ==.
func (p *parser) comparing(operand func() Expr) Expr {
	x := operand()
	if !p.is(tokAssign) {
		return x
	}
	p.report(assignInCondition(p.spanOf(p.tok)))
	p.advance()
	operand()
	return &BadExpr{p.place(x.Span().Start)}
}

// header parses an expression before a block: Name { starts the block there.
func (p *parser) header() Expr {
	outer := p.context
	p.context.noRecord = true
	x := p.expr()
	p.context = outer
	return x
}
