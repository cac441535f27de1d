package main

import (
	"fmt"
	"slices"
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// describeDoc says what a program holds. It is the document of soma describe; the text form
// is printed from it.
type describeDoc struct {
	Schema   string    `json:"schema"`
	File     string    `json:"file"`
	OK       bool      `json:"ok"`
	Edition  string    `json:"edition"`
	Types    []typeDoc `json:"types"`
	Cells    []cellDoc `json:"cells"`
	Tests    []testDoc `json:"tests"`
	Builtins []string  `json:"builtins"`
}

type typeDoc struct {
	Name     string   `json:"name"`
	Variants []string `json:"variants"`
	lineDoc
}

// lineDoc is where something is declared.
type lineDoc struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func lineOf(s source.Span) lineDoc {
	if s.IsZero() {
		return lineDoc{}
	}
	return lineDoc{s.File.Name, s.From().Line}
}

// in is the place for a reader of a file, who knows its name.
func (l lineDoc) in(file string) string {
	if l.File == file || l.File == "" {
		return fmt.Sprintf("line %d", l.Line)
	}
	return fmt.Sprintf("%s, line %d", l.File, l.Line)
}

type cellDoc struct {
	Name       string         `json:"name"`
	Kind       string         `json:"kind"`
	Slots      []slotDoc      `json:"slots"`
	Invariants []invariantDoc `json:"invariants"`
	Machine    *machineDoc    `json:"machine"`
	Signals    []signalDoc    `json:"signals"`
	Cost       []limitDoc     `json:"cost"`
	Handlers   []handlerDoc   `json:"handlers"`
	Properties []string       `json:"properties"`
	lineDoc
}

type slotDoc struct {
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Attributes []string `json:"attributes"`
	lineDoc
}

type invariantDoc struct {
	Rule   string   `json:"rule"`
	Guards []string `json:"guards"`
	lineDoc
}

type machineDoc struct {
	Name     string    `json:"name"`
	States   []string  `json:"states"`
	Initial  string    `json:"initial"`
	Terminal []string  `json:"terminal"`
	Edges    []edgeDoc `json:"edges"`
	lineDoc
}

type edgeDoc struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Guard string `json:"guard"`
	lineDoc
}

type signalDoc struct {
	Name      string    `json:"name"`
	Signature string    `json:"signature"`
	Tool      bool      `json:"tool"`
	Frame     *frameDoc `json:"frame"`
	lineDoc
}

// limitDoc is an entry of a section cost.
type limitDoc struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as written
	lineDoc
}

type handlerDoc struct {
	Name      string `json:"name"`
	Signature string `json:"signature"` // of a timer: its name
	Public    bool   `json:"public"`
	lineDoc
}

type testDoc struct {
	Name       string `json:"name"`
	Assertions int    `json:"assertions"`
	lineDoc
}

func describeProgram(name string, p *resolve.Program) describeDoc {
	doc := describeDoc{
		Schema: schemaDescribe, File: name, OK: true, Edition: p.Edition,
		Types: []typeDoc{}, Cells: []cellDoc{}, Tests: []testDoc{}, Builtins: builtinsUsed(p),
	}
	for _, t := range p.Types {
		td := typeDoc{Name: t.Name, Variants: []string{}, lineDoc: lineOf(t.Decl.At)}
		for _, v := range t.Variants {
			td.Variants = append(td.Variants, v.Decl.At.Normal())
		}
		doc.Types = append(doc.Types, td)
	}
	for _, c := range p.Cells {
		doc.Cells = append(doc.Cells, describeCell(c))
	}
	for _, t := range p.Tests {
		doc.Tests = append(doc.Tests, testDoc{t.Name, assertions(t), lineOf(t.Decl.At)})
	}
	return doc
}

func describeCell(c *resolve.Cell) cellDoc {
	doc := cellDoc{
		Name: c.Name, Kind: kindOf(c.Decl), Machine: describeMachine(c.Machine), lineDoc: lineOf(c.Decl.At),
		Slots: []slotDoc{}, Invariants: []invariantDoc{}, Signals: []signalDoc{}, Cost: []limitDoc{}, Handlers: []handlerDoc{}, Properties: []string{},
	}
	for _, s := range c.Slots {
		doc.Slots = append(doc.Slots, slotDoc{s.Name, slotType(s), slotAttributes(s), lineOf(s.Decl.At)})
	}
	for _, i := range c.Invariants {
		doc.Invariants = append(doc.Invariants, invariantDoc{i.Decl.Cond.Span().Normal(), guardNames(i), lineOf(i.Decl.At)})
	}
	for _, s := range c.Signals {
		doc.Signals = append(doc.Signals, signalDoc{s.Name, signature(s), s.Tool, frameOf(s), lineOf(s.Decl.At)})
	}
	for _, l := range c.Limits {
		doc.Cost = append(doc.Cost, limitDoc{l.Decl.Name.Name, l.Decl.Value.Span().Normal(), lineOf(l.Decl.At)})
	}
	for _, h := range c.Handlers {
		doc.Handlers = append(doc.Handlers, handlerDoc{h.Name, handlerSignature(h), h.Public, lineOf(h.Span())})
	}
	for _, p := range c.Verify {
		doc.Properties = append(doc.Properties, p.At.Normal())
	}
	return doc
}

func guardNames(i *resolve.Invariant) []string {
	out := []string{}
	for _, s := range i.Guards {
		out = append(out, s.Name)
	}
	return out
}

func describeMachine(m *resolve.Machine) *machineDoc {
	if m == nil {
		return nil
	}
	doc := &machineDoc{
		Name: m.Name, States: m.States, Initial: m.Initial, Terminal: []string{}, Edges: []edgeDoc{}, lineDoc: lineOf(m.Decl.At),
	}
	for _, s := range m.States {
		if m.Terminal(s) {
			doc.Terminal = append(doc.Terminal, s)
		}
	}
	for _, e := range m.Edges {
		ed := edgeDoc{From: e.From, To: e.To, lineDoc: lineOf(e.Row.At)}
		if e.Row.Guard != nil {
			ed.Guard = e.Row.Guard.Span().Normal()
		}
		doc.Edges = append(doc.Edges, ed)
	}
	return doc
}

// assertions counts what a test cell asserts.
func assertions(t *resolve.TestCell) int {
	n := 0
	for _, rules := range t.Decl.Rules {
		for _, item := range rules.Items {
			switch item.(type) {
			case *syntax.Assert, *syntax.AssertFails, *syntax.Property:
				n++
			}
		}
	}
	return n
}

// builtinsUsed are the builtins that the program calls, tests included, sorted.
func builtinsUsed(p *resolve.Program) []string {
	out := []string{}
	for _, callee := range p.Info.Calls {
		if callee.Builtin != nil {
			out = append(out, callee.Builtin.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// text is the description for people.
func (d *describeDoc) text() string {
	w := &outline{}
	w.line(0, "%s: edition %s", d.File, d.Edition)
	for _, t := range d.Types {
		w.blank()
		w.line(0, "cell type %s (%s)", t.Name, t.in(d.File))
		for _, v := range t.Variants {
			w.line(1, "%s", v)
		}
	}
	for _, c := range d.Cells {
		w.blank()
		c.text(w, d.File)
	}
	for _, t := range d.Tests {
		w.blank()
		w.line(0, "cell test %s (%s): %s", t.Name, t.in(d.File), counted(t.Assertions, "assertion"))
	}
	w.blank()
	w.line(0, "Builtins used: %s", listOrNone(d.Builtins))
	return w.String()
}

// text is the description of a cell for a reader of a file.
func (c *cellDoc) text(w *outline, file string) {
	w.line(0, "%s %s (%s)", c.Kind, c.Name, c.in(file))
	if len(c.Slots)+len(c.Invariants) > 0 {
		w.line(1, "memory")
	}
	for _, s := range c.Slots {
		w.line(2, "%s", slotText(s.Name, s.Type, s.Attributes))
	}
	for _, i := range c.Invariants {
		w.line(2, "invariant %s (guards %s)", i.Rule, strings.Join(i.Guards, ", "))
	}
	if m := c.Machine; m != nil {
		w.line(1, "state %s: %s", m.Name, strings.Join(m.States, ", "))
		w.line(2, "initial %s, terminal %s", m.Initial, listOrNone(m.Terminal))
		for _, e := range m.Edges {
			w.line(2, "%s", edgeText(e.From, e.To, e.Guard))
		}
	}
	c.face(w)
	if len(c.Handlers) > 0 {
		w.line(1, "handlers")
	}
	for _, h := range c.Handlers {
		private := ""
		if !h.Public {
			private = ", private"
		}
		w.line(2, "%s (%s%s)", h.Signature, h.in(c.File), private)
	}
	if len(c.Properties) > 0 {
		w.line(1, "verify")
	}
	for _, p := range c.Properties {
		w.line(2, "%s", p)
	}
}

// face prints the signals with their frames, and what calls may cost.
func (c *cellDoc) face(w *outline) {
	if len(c.Signals) > 0 {
		w.line(1, "face")
	}
	for _, s := range c.Signals {
		word := "signal"
		if s.Tool {
			word = "tool"
		}
		w.line(2, "%s %s", word, s.Signature)
		for _, clause := range s.Frame.clauses() {
			w.line(3, "%s", clause)
		}
	}
	if len(c.Cost) > 0 {
		w.line(1, "cost")
	}
	for _, l := range c.Cost {
		w.line(2, "%s: %s", l.Name, l.Value)
	}
}

// contracts is the description with the faces alone.
func (d describeDoc) contracts() describeDoc {
	cells := []cellDoc{}
	for _, c := range d.Cells {
		c.Slots, c.Invariants, c.Machine = []slotDoc{}, []invariantDoc{}, nil
		c.Handlers, c.Properties = []handlerDoc{}, []string{}
		cells = append(cells, c)
	}
	d.Types, d.Cells, d.Tests, d.Builtins = []typeDoc{}, cells, []testDoc{}, []string{}
	return d
}

// faces is the text of the contracts.
func (d *describeDoc) faces() string {
	w := &outline{}
	for i, c := range d.Cells {
		if i > 0 {
			w.blank()
		}
		w.line(0, "%s %s (%s)", c.Kind, c.Name, c.in(d.File))
		c.face(w)
	}
	return w.String()
}

func edgeText(from, to, guard string) string {
	text := from + " -> " + to
	if guard != "" {
		text += " when " + guard
	}
	return text
}

func listOrNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
