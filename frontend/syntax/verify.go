package syntax

import "soma.cell/frontend/source"

// verify parses a verify section.
//
//	Verify := "verify" "{" Prop* "}"
func (p *parser) verify() *Verify {
	v := &Verify{}
	from := p.here()
	p.advance()
	p.braced("and the properties", p.atItem, func() { v.Props = append(v.Props, p.prop()) })
	v.Place = p.place(from)
	return v
}

// prop parses one property or assumption.
//
//	Prop := ("eventually" | "never" | "always") Atoms
//	      | "after" atom ("eventually" | "never") Atoms
//	      | "before" atom ("requires" | "requires_all") Atoms
//	      | "property" string "=" string
//	      | "fair" ("strong" | "weak") (name | state "->" state)
func (p *parser) prop() *Prop {
	from := p.here()
	word := ""
	if p.is(tokWord) {
		word = p.text()
	}
	pr := &Prop{}
	switch word {
	case "eventually", "never", "always":
		pr.Kind = map[string]PropKind{"eventually": PropEventually, "never": PropNever, "always": PropAlways}[word]
		p.advance()
		pr.States = p.atoms()
	case "after":
		p.subject(pr, "eventually", PropAfterEventually, "never", PropAfterNever)
	case "before":
		p.subject(pr, "requires", PropBeforeRequires, "requires_all", PropBeforeRequiresAll)
	case "property":
		p.ctlProp(pr)
	case "fair":
		p.fairness(pr)
	default:
		p.unexpected("`eventually`, `never`, `always`, `after`, `before`, `property` or `fair`")
	}
	pr.Place = p.place(from)
	return pr
}

func (p *parser) subject(pr *Prop, one string, oneKind PropKind, two string, twoKind PropKind) {
	p.advance()
	subject := p.atom()
	pr.Subject = &subject
	switch {
	case p.acceptWord(one):
		pr.Kind = oneKind
	case p.acceptWord(two):
		pr.Kind = twoKind
	default:
		p.unexpected("`" + one + "` or `" + two + "`")
	}
	pr.States = p.atoms()
}

// atoms parses a list of atoms, which is not empty.
func (p *parser) atoms() []Ident {
	from := p.here()
	var list []Ident
	if !p.is(tokLBracket) {
		p.unexpected("`[` and a list of states")
	}
	p.listOf(tokRBracket, "]", func() { list = append(list, p.atom()) })
	if len(list) == 0 {
		p.report(emptyStateList(p.place(from).At))
	}
	return list
}

// atom parses a state, maybe qualified by its machine and cell; the name keeps the dots.
//
//	atom := [[Name "."] name "."] state
func (p *parser) atom() Ident {
	from := p.here()
	id := p.state("a state")
	for p.accept(tokDot) {
		id.Name += "." + p.anyWord("a state").Name
	}
	id.Place = p.place(from)
	return id
}

func (p *parser) ctlProp(pr *Prop) {
	pr.Kind = PropCTL
	p.advance()
	pr.Name = p.plainText("the name of the property")
	p.expect(tokAssign, "`=` and a CTL formula")
	at := p.spanOf(p.tok)
	quotes := len(`"`)
	if p.tok.triple {
		quotes = len(tripleQuote)
	}
	pr.CTL = p.plainText("a CTL formula")
	pr.CTLAt = source.Span{File: at.File, Start: at.Start + quotes, End: max(at.Start+quotes, at.End-quotes)}
}

func (p *parser) fairness(pr *Prop) {
	pr.Kind = PropFair
	p.advance()
	switch {
	case p.acceptWord("strong"):
		pr.Strong = true
	case p.acceptWord("weak"):
	default:
		p.unexpected("`strong` or `weak`")
	}
	name := p.atom()
	if p.accept(tokArrow) {
		pr.Edge = [2]Ident{name, p.atom()}
		return
	}
	pr.Handler = &name
}
