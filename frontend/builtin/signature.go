package builtin

import (
	"fmt"
	"strings"
)

// Type is a type of a signature: the alternatives of which a value may be.
type Type []Term

// Term is one alternative: a kind (Int, String, List<T>, Map<String, T>, …), a set of kinds
// (Any, Number, Never), a type variable (one capital letter), a map with just these fields,
// or a function.
type Term struct {
	Word   string
	Args   []Type  // of List one, of Map the type of its values alone
	Fields []Field // of {name: T, …}: Word is Map
	Shape  bool    // written as {…}
	Takes  []Type  // of a function T => U: Word is Function
	Gives  Type    // nil of the bare word Function
}

// Field is one entry of a map whose fields are known.
type Field struct {
	Name string
	Type Type
}

// Param is a parameter of a form.
type Param struct {
	Name     string
	Type     Type
	Optional bool // may be left out or ()
	Repeated bool // stands for all that follow
}

// Form is one way to call a builtin. A type variable stands for the same type wherever it
// occurs in a form; where a parameter is repeated, for all types of its arguments.
type Form struct {
	Params []Param
	Result Type
	text   string
}

// String is the form as people read it.
func (f *Form) String() string { return f.text }

// Param finds the parameter of argument i of n; nil when the form does not take n arguments.
func (f *Form) Param(i, n int) *Param {
	last := len(f.Params) - 1
	switch {
	case n < f.fewest() || n > len(f.Params) && (last < 0 || !f.Params[last].Repeated):
		return nil
	case i > last:
		return &f.Params[last]
	}
	return &f.Params[i]
}

// Takes tells whether the form takes n arguments.
func (f *Form) Takes(n int) bool { return n == 0 && f.fewest() == 0 || f.Param(0, n) != nil }

func (f *Form) fewest() int {
	n := 0
	for _, p := range f.Params {
		if !p.Optional && !p.Repeated {
			n++
		}
	}
	return n
}

// Function is the first function among the alternatives that says what it takes, or nil.
func (t Type) Function() *Term {
	for i := range t {
		if t[i].Takes != nil {
			return &t[i]
		}
	}
	return nil
}

// Variable tells whether a word of a signature is a type variable.
func Variable(word string) bool { return len(word) == 1 }

// Kinds are the words of the alternatives, without what stands inside of them; a variable is
// Any.
func (t Type) Kinds() []string {
	var out []string
	for _, a := range t {
		if Variable(a.Word) {
			return []string{"Any"}
		}
		out = append(out, a.Word)
	}
	return out
}

// parseForm reads a signature.
//
//	Signature := name "(" [Param ("," Param)*] ")" "->" Type ["?"]
//	Param     := name ["?" | "..."] ":" Type
//	Type      := Term ("|" Term)*
//	Term      := Atom ["=>" Term]
//	Atom      := word ["<" Type ("," Type)* ">"]
//	           | "{" name ":" Type ("," name ":" Type)* "}"
//	           | "(" Type ("," Type)* ")"
func parseForm(text string) (name string, f *Form) {
	p := &formParser{text: text, rest: text}
	f = &Form{text: text}
	name = p.word()
	p.want("(")
	for !p.accept(")") {
		if len(f.Params) > 0 {
			p.want(",")
		}
		param := Param{Name: p.word()}
		param.Optional, param.Repeated = p.accept("?"), p.accept("...")
		p.want(":")
		param.Type = p.typ()
		f.Params = append(f.Params, param)
	}
	p.want("->")
	f.Result = p.typ()
	if p.accept("?") {
		f.Result = append(f.Result, Term{Word: "Unit"})
	}
	if p.rest != "" {
		p.fail()
	}
	return name, f
}

// formParser reads the signatures of the table. One that is malformed is a fault of the table,
// which the first look-up of any test finds.
type formParser struct{ text, rest string }

func (p *formParser) fail() {
	panic(fmt.Sprintf("builtin table: bad signature %q at %q", p.text, p.rest))
}

func (p *formParser) accept(mark string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), mark)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *formParser) want(mark string) {
	if !p.accept(mark) {
		p.fail()
	}
}

func (p *formParser) word() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	n := 0
	for n < len(p.rest) && (p.rest[n] == '_' || p.rest[n]|0x20 >= 'a' && p.rest[n]|0x20 <= 'z' || p.rest[n] >= '0' && p.rest[n] <= '9') {
		n++
	}
	if n == 0 {
		p.fail()
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *formParser) typ() Type {
	t := p.term()
	for p.accept("|") {
		t = append(t, p.term()...)
	}
	return t
}

func (p *formParser) term() Type {
	takes := []Type{}
	switch {
	case p.accept("("):
		takes = p.list(")")
	case p.accept("{"):
		takes = append(takes, Type{p.shape()})
	default:
		t := Term{Word: p.word()}
		if p.accept("<") {
			t.Args = p.list(">")
			if t.Word == "Map" {
				t.Args = t.Args[1:]
			}
		}
		takes = append(takes, Type{t})
	}
	if p.accept("=>") {
		return Type{{Word: "Function", Takes: takes, Gives: p.term()}}
	}
	return takes[0]
}

func (p *formParser) shape() Term {
	t := Term{Word: "Map", Shape: true}
	for !p.accept("}") {
		if len(t.Fields) > 0 {
			p.want(",")
		}
		name := p.word()
		p.want(":")
		t.Fields = append(t.Fields, Field{name, p.typ()})
	}
	return t
}

func (p *formParser) list(end string) []Type {
	out := []Type{p.typ()}
	for !p.accept(end) {
		p.want(",")
		out = append(out, p.typ())
	}
	return out
}
