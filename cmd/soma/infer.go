package main

import (
	"slices"
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/ir/effects"
)

// inference writes a plain cell as the skeleton and the flesh that its bodies imply: the
// frame of each signal is what its body does, private handlers included.
type inference struct {
	outline
	sys   *ir.System
	graph *effects.Graph
}

func (f *inference) cell(c *resolve.Cell) {
	kind := "skeleton"
	if c.Agent {
		kind = "skeleton agent"
	}
	f.line(0, "%s %s {", kind, c.Name)
	for _, at := range pictures(c.Decl) {
		f.quote(at)
		f.blank()
	}
	f.line(1, "face {")
	for _, h := range c.Handlers {
		if h.Decl != nil && h.Public {
			f.signal(h)
		}
	}
	f.line(1, "}")
	f.line(0, "}")
	f.blank()
	f.line(0, "flesh %s {", c.Name)
	for i, h := range c.Handlers {
		if i > 0 {
			f.blank()
		}
		f.body(h)
	}
	f.line(0, "}")
}

// pictures are the sections that a skeleton keeps as they are.
func pictures(d *syntax.Decl) []source.Span {
	var out []source.Span
	for _, m := range d.Memory {
		out = append(out, m.At)
	}
	for _, m := range d.Machines {
		out = append(out, m.At)
	}
	for _, v := range d.Verify {
		out = append(out, v.At)
	}
	return out
}

// signal writes the declaration of a handler with the frame that its body implies.
func (f *inference) signal(h *resolve.Handler) {
	word, result := "signal", ""
	if s := h.Signal; s != nil {
		if s.Tool {
			word = "tool"
		}
		if s.Decl.Result != nil {
			result = " -> " + s.Result.String()
		}
	}
	f.line(2, "%s %s(%s)%s", word, h.Name, strings.Join(paramTexts(h.Params), ", "), result)
	for _, clause := range f.frame(h) {
		f.line(3, "%s", clause)
	}
}

// frame is the clauses that allow what a handler and the private ones it calls do.
func (f *inference) frame(h *resolve.Handler) []string {
	body := f.sys.Handler(ir.HandlerRef{Cell: h.Cell.Name, Handler: h.Name, Arity: len(h.Params)})
	if body == nil {
		return nil
	}
	var doc frameDoc
	var moves []effects.Move
	for _, i := range f.graph.Reachable(body, func(a *ir.Automaton) bool { return private(a.Name) }) {
		sum := f.graph.Direct(f.graph.Automata[i])
		doc.Reads = append(doc.Reads, slotNames(h.Cell.Name, sum.Reads)...)
		doc.Writes = append(doc.Writes, slotNames(h.Cell.Name, sum.Writes)...)
		doc.Reads = append(doc.Reads, machineNames(f.sys, sum.Inspects)...)
		moves = append(moves, sum.Moves...)
		for _, a := range sum.Acts {
			doc.Calls = append(doc.Calls, a.Builtin)
		}
		for _, c := range sum.Calls {
			if !private(c.Handler.Handler) && c.Handler != body.Ref() && c.Via != "emit" && c.Via != "tool" {
				doc.Calls = append(doc.Calls, qualified(h.Cell.Name, c.Handler.Cell, c.Handler.Handler))
			}
		}
		if len(sum.Emits) > 0 {
			doc.Calls = append(doc.Calls, "emit")
		}
	}
	machine := f.sys.Find(h.Cell.Name).Machine
	for _, e := range edgesOf(machine) {
		if slices.ContainsFunc(moves, func(m effects.Move) bool { return mayTake(m, h.Cell.Name, e) }) {
			doc.Moves = append(doc.Moves, e.From+" -> "+e.To)
		}
	}
	doc.Writes, doc.Calls = sorted(doc.Writes), sorted(doc.Calls)
	doc.Reads = slices.DeleteFunc(sorted(doc.Reads), func(name string) bool {
		return slices.Contains(doc.Writes, name) || len(doc.Moves) > 0 && name == machine.Name
	})
	if len(doc.Reads)+len(doc.Writes)+len(doc.Moves)+len(doc.Calls) == 0 {
		return nil
	}
	return doc.clauses()
}

func edgesOf(m *ir.Machine) []*ir.MachineEdge {
	if m == nil {
		return nil
	}
	return m.Edges
}

func private(name string) bool { return strings.HasPrefix(name, "_") }

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// body writes a handler of the flesh, whose parameters carry no types, or a timer as it is.
func (f *inference) body(h *resolve.Handler) {
	if h.Decl == nil {
		f.quote(h.Timer.At)
		return
	}
	var names []string
	for _, p := range h.Params {
		names = append(names, p.Name)
	}
	f.verbatim("on "+h.Name+"("+strings.Join(names, ", ")+") ", h.Decl.Body.At)
}

// quote writes a part of the source as it stands there.
func (f *inference) quote(at source.Span) { f.verbatim("", at) }

// verbatim writes a heading and a part of the source; where the part does not stand one level
// deep already, its lines after the first are moved there.
func (f *inference) verbatim(heading string, at source.Span) {
	line := at.File.Line(at.From().Line)
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	const level = "    "
	f.WriteString(level + heading)
	for i, text := range strings.SplitAfter(at.Text(), "\n") {
		if i > 0 && indent != level && strings.TrimSpace(text) != "" {
			text = level + strings.TrimPrefix(text, indent)
		}
		f.WriteString(text)
	}
	f.WriteByte('\n')
}
