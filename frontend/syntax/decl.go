package syntax

import "math/big"

// parseFile parses a whole file.
//
//	File := (Use | Decl)*
func (p *parser) parseFile(f *File) {
	for !p.is(tokEOF) {
		p.braces = 0
		p.attempt(fileLevel, func() bool { return p.atDecl() || p.isWord("use") }, func() {
			if p.isWord("use") {
				f.Uses = append(f.Uses, p.use())
				return
			}
			p.outerDecl(f)
		})
	}
	if p.tok.fault == openComment {
		p.lexical()
	}
	if len(f.Uses) == 0 && len(f.Decls) == 0 && len(p.diags) == 0 {
		p.report(emptyFile(p.lx.span(0, 0)))
	}
}

func (p *parser) outerDecl(f *File) {
	if p.is(tokRBrace) && p.assumed > 0 { // it was not forgotten
		p.assumed--
		p.advance()
		return
	}
	p.assumed = 0
	kind, ok := p.declHead()
	if !ok {
		p.lexical()
		p.fail(itemLevel, outsideDeclaration(p.spanOf(p.tok), p.found(), p.atSection()))
	}
	d := &Decl{Kind: kind}
	f.Decls = append(f.Decls, d)
	p.decl(d)
}

// use parses an import.
//
//	Use := "use" name ("::" name)*
func (p *parser) use() *Use {
	from := p.here()
	p.advance()
	u := &Use{Path: []Ident{p.libraryName("the name of a library")}}
	for p.accept(tokPath) {
		u.Path = append(u.Path, p.libraryName("the name of a library file"))
	}
	u.Place = p.place(from)
	return u
}

// libraryName parses a part of an import, which stands on its line.
func (p *parser) libraryName(role string) Ident {
	if p.tok.newline {
		p.unexpected(role)
	}
	return p.anyWord(role)
}

// declHead tells which declaration starts at the current token; it passes nothing.
func (p *parser) declHead() (DeclKind, bool) {
	if !p.is(tokWord) {
		return 0, false
	}
	second := p.textOf(p.peek(1))
	switch p.text() {
	case "cell":
		switch second {
		case "agent":
			return AgentCell, true
		case "type":
			return TypeCell, true
		case "test":
			return TestCell, true
		}
		return PlainCell, true
	case "skeleton":
		if second == "agent" {
			return AgentSkeleton, true
		}
		return Skeleton, true
	case "flesh":
		return Flesh, true
	}
	return 0, false
}

// decl parses a declaration into d, whose kind is known.
//
//	Decl := ("cell" ["agent" | "type" | "test"] | "skeleton" ["agent" | "cell"] | "flesh") Name "{" Section* "}"
func (p *parser) decl(d *Decl) {
	from := p.here()
	defer func() { d.Place = p.place(from) }()
	first := p.text()
	p.advance()
	if first != "flesh" && p.is(tokWord) {
		switch word := p.text(); {
		case word == "agent", first == "skeleton" && word == "cell",
			first == "cell" && (word == "type" || word == "test"):
			p.advance()
		}
	}
	if p.tok.newline {
		p.unexpected("the name of the " + first)
	}
	if p.is(tokWord) && p.peek(1).kind == tokCap {
		p.report(unknownKind(p.spanOf(p.tok), p.text(), first))
		p.advance()
	}
	d.Name = p.capName("the name of the " + first)
	open := p.spanOf(p.tok)
	p.expect(tokLBrace, "`{` and the sections")
	for !p.accept(tokRBrace) {
		switch {
		case p.is(tokEOF):
			p.unclosed(open)
		case p.atDecl() && p.balanced(0):
			p.attempt(sectionLevel, p.atSection, p.nestedDecl)
			continue
		case p.atDecl():
			p.fail(declLevel, unclosed(open, p.spanOf(p.tok)))
		}
		p.attempt(sectionLevel, p.atSection, func() { p.section(d) })
	}
}

// sectionWords are the words that open a section, with the kinds that hold it.
var sectionWords = map[string][]DeclKind{
	"verify":   {PlainCell, AgentCell, Skeleton, AgentSkeleton},
	"face":     {PlainCell, AgentCell, Skeleton, AgentSkeleton},
	"memory":   {PlainCell, AgentCell, Skeleton, AgentSkeleton},
	"state":    {PlainCell, AgentCell, Skeleton, AgentSkeleton},
	"cost":     {PlainCell, AgentCell, Skeleton, AgentSkeleton},
	"scale":    {PlainCell, AgentCell},
	"interior": {PlainCell, AgentCell},
	"on":       {PlainCell, AgentCell, TestCell, Flesh},
	"every":    {PlainCell, AgentCell, Flesh},
	"after":    {PlainCell, AgentCell, Flesh},
	"rules":    {TestCell},
	"variants": {TypeCell},
}

// functionWords are the words with which other languages declare functions.
var functionWords = map[string]bool{"def": true, "function": true, "func": true, "fn": true, "fun": true, "handler": true}

func (p *parser) atSection() bool {
	return p.is(tokWord) && (sectionWords[p.text()] != nil || p.atFunctionWord())
}

func (p *parser) atFunctionWord() bool {
	return p.is(tokWord) && functionWords[p.text()] && p.peek(1).kind == tokWord
}

// section parses one section of a declaration.
//
//	Section := Verify | Face | Memory | State | Handler | Timer | Interior | Settings | Rules | Variants
func (p *parser) section(d *Decl) {
	if p.atFunctionWord() {
		p.foreignSection(d)
		return
	}
	if !p.is(tokWord) {
		p.unexpected("a section")
	}
	word := p.text()
	homes, known := sectionWords[word]
	if !known {
		p.fail(itemLevel, unknownSection(p.spanOf(p.tok), word, d.Kind))
	}
	if !containsKind(homes, d.Kind) {
		p.report(misplacedSection(p.spanOf(p.tok), word, d.Kind))
	}
	switch word {
	case "verify":
		d.Verify = append(d.Verify, p.verify())
	case "face":
		d.Faces = append(d.Faces, p.face())
	case "memory":
		d.Memory = append(d.Memory, p.memory())
	case "state":
		d.Machines = append(d.Machines, p.machine())
	case "on":
		d.Handlers = append(d.Handlers, p.handler())
	case "every", "after":
		d.Timers = append(d.Timers, p.timer())
	case "interior":
		d.Interior = append(d.Interior, p.interior())
	case "cost", "scale":
		d.Costs = append(d.Costs, p.settings())
	case "rules":
		d.Rules = append(d.Rules, p.rules())
	case "variants":
		d.Variants = append(d.Variants, p.variants()...)
	}
}

// foreignSection reports a handler declared as in another language, and reads it when the
// rest has the form of this one.
func (p *parser) foreignSection(d *Decl) {
	p.report(foreignHandler(p.spanOf(p.tok), p.text()))
	from := p.here()
	h := p.reportedHead()
	p.handlerBody(h, from)
	d.Handlers = append(d.Handlers, h)
}

func containsKind(kinds []DeclKind, k DeclKind) bool {
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}

// memory parses a memory section.
//
//	Memory := "memory" "{" (Slot | "invariant" Expr)* "}"
//	Slot   := name ":" Type [Attrs]
func (p *parser) memory() *Memory {
	m := &Memory{}
	from := p.here()
	p.advance()
	p.braced("and the slots", p.atItem, func() {
		at := p.here()
		if p.isWord("invariant") && p.peek(1).kind != tokColon {
			p.advance()
			cond := p.claim()
			m.Invariants = append(m.Invariants, &Invariant{p.place(at), cond})
			return
		}
		s := &Slot{Name: p.name("the name of a slot")}
		p.expect(tokColon, "`:` and the type of the slot")
		s.Type = p.typ()
		s.Attrs = p.attrs()
		s.Place = p.place(at)
		m.Slots = append(m.Slots, s)
		p.accept(tokComma)
	})
	m.Place = p.place(from)
	return m
}

// attrs parses the attributes of a slot or handler, if there are any.
//
//	Attrs := "[" (name ["(" Expr, … ")"]), … "]"
func (p *parser) attrs() []*Attr {
	var list []*Attr
	if !p.is(tokLBracket) {
		return nil
	}
	p.listOf(tokRBracket, "]", func() {
		at := p.here()
		a := &Attr{Name: p.name("an attribute")}
		if p.is(tokLParen) {
			p.listOf(tokRParen, ")", func() { a.Args = append(a.Args, p.expr()) })
		}
		a.Place = p.place(at)
		list = append(list, a)
	})
	return list
}

// typ parses a type.
//
//	Type := Name ["<" Type, … ">"]
func (p *parser) typ() *Type {
	defer p.leave(p.enter())
	from := p.here()
	t := &Type{Name: p.capName("a type")}
	if p.is(tokLBracket) && p.peek(1).kind == tokCap {
		p.fail(itemLevel, typeBrackets(p.spanOf(p.tok)))
	}
	if p.accept(tokLt) {
		t.Args = append(t.Args, p.typ())
		for p.accept(tokComma) {
			t.Args = append(t.Args, p.typ())
		}
		p.expect(tokGt, "`>`")
	}
	t.Place = p.place(from)
	return t
}

// params parses the parameters of a signal or handler.
//
//	Params := "(" (name [":" Type]), … ")"
func (p *parser) params() []*Param {
	var list []*Param
	if !p.is(tokLParen) {
		p.unexpected("`(` and the parameters")
	}
	p.listOf(tokRParen, ")", func() {
		at := p.here()
		param := &Param{Name: p.name("the name of a parameter")}
		if p.accept(tokColon) {
			param.Type = p.typ()
		}
		param.Place = p.place(at)
		list = append(list, param)
	})
	return list
}

// handler parses a handler.
//
//	Handler := "on" name Params [Attrs] Block
func (p *parser) handler() *Handler {
	from := p.here()
	h := &Handler{}
	p.handlerHead(h)
	p.handlerBody(h, from)
	return h
}

func (p *parser) handlerHead(h *Handler) {
	p.advance()
	h.Name = p.name("the name of a handler")
	h.Params = p.params()
	h.Attrs = p.attrs()
	if p.is(tokArrow) {
		at := p.here()
		p.advance()
		p.typ()
		p.report(handlerResult(p.place(at).At, h.Name.Name))
	}
}

func (p *parser) handlerBody(h *Handler, from int) {
	h.Body = p.body("and the body of the handler")
	h.Place = p.place(from)
}

// timer parses a timer.
//
//	Timer := ("every" | "after") duration Block
func (p *parser) timer() *Timer {
	from := p.here()
	t := &Timer{Every: p.text() == "every"}
	p.advance()
	if !p.is(tokDuration) && !p.is(tokInt) {
		p.unexpected(aPeriod)
	}
	t.Period = p.number()
	switch period := t.Period.(type) {
	case *Int:
		if period.Value.Sign() == 0 {
			p.report(zeroPeriod(period.At))
		}
	case *Float:
		p.report(unexpected(period.At, aPeriod, quote(period.At.Text())))
	}
	t.Body = p.body("and the body of the timer")
	t.Place = p.place(from)
	return t
}

// interior parses nested cells.
//
//	Interior := "interior" "{" Decl* "}"
func (p *parser) interior() *Interior {
	in := &Interior{}
	from := p.here()
	p.advance()
	defer p.leave(p.enter())
	open := p.spanOf(p.tok)
	p.expect(tokLBrace, "`{` and the cells")
	for !p.accept(tokRBrace) {
		if p.is(tokEOF) {
			p.unclosed(open)
		}
		p.attempt(declLevel, p.atDecl, func() {
			kind, ok := p.declHead()
			if !ok {
				p.unexpected("a cell")
			}
			d := &Decl{Kind: kind}
			in.Cells = append(in.Cells, d)
			p.decl(d)
		})
	}
	in.Place = p.place(from)
	return in
}

// settings parses a cost or scale section.
//
//	Settings := ("cost" | "scale") "{" (name ":" Expr [","])* "}"
func (p *parser) settings() *Settings {
	s := &Settings{Name: p.text()}
	from := p.here()
	p.advance()
	p.braced("and its entries", p.atItem, func() {
		at := p.here()
		name := p.anyWord("the name of an entry")
		p.expect(tokColon, "`:` and a value")
		value := p.expr()
		s.Pairs = append(s.Pairs, Setting{p.place(at), name, value})
		p.accept(tokComma)
	})
	s.Place = p.place(from)
	return s
}

// variants parses the alternatives of a sum type.
//
//	Variants := "variants" "{" (Name ["(" Type, … ")" | "{" (name ":" Type), … "}"] [","])* "}"
func (p *parser) variants() []*Variant {
	var list []*Variant
	p.advance()
	p.braced("and the variants", p.atItem, func() {
		at := p.here()
		v := &Variant{Name: p.capName("the name of a variant")}
		switch p.tok.kind {
		case tokLBrace:
			v.Struct = true
			p.listOf(tokRBrace, "}", func() {
				from := p.here()
				f := &Param{Name: p.anyWord("the name of a field")}
				p.expect(tokColon, "`:` and the type of the field")
				f.Type = p.typ()
				f.Place = p.place(from)
				v.Fields = append(v.Fields, f)
			})
		case tokLParen:
			p.listOf(tokRParen, ")", func() {
				t := p.typ()
				v.Fields = append(v.Fields, &Param{Place: t.Place, Type: t})
			})
		}
		v.Place = p.place(at)
		list = append(list, v)
		p.accept(tokComma)
	})
	return list
}

// positive tells whether x is a plain Int literal above zero.
func positive(x Expr) bool {
	n, ok := x.(*Int)
	return ok && !n.Duration && n.Value.Cmp(big.NewInt(0)) > 0
}
