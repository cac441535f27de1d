package main

import (
	"slices"
	"strings"

	"soma.cell/frontend/format"
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
		f.quote(at, nil)
		f.blank()
	}
	f.line(1, "face {")
	for _, h := range c.Handlers {
		if h.Decl != nil && h.Public {
			f.signal(h)
		}
	}
	for _, face := range c.Decl.Faces {
		for _, promise := range face.Promises {
			f.line(2, "%s", promise.At.Normal())
		}
		for _, given := range face.Givens {
			f.line(2, "%s", given.At.Normal())
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
	for _, s := range d.Costs {
		if s.Name == "cost" {
			out = append(out, s.At)
		}
	}
	return out
}

// signal writes the declaration of a handler with the frame that its body implies.
func (f *inference) signal(h *resolve.Handler) {
	head := &syntax.Signal{Name: h.Decl.Name, Params: h.Decl.Params}
	if s := h.Signal; s != nil {
		head.Tool, head.Result, head.Description = s.Tool, s.Decl.Result, s.Decl.Description
	}
	f.line(2, "%s", format.Node(head))
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
		f.quote(h.Timer.At, h.Timer.Body)
		return
	}
	var names []string
	for _, p := range h.Params {
		names = append(names, p.Name)
	}
	f.verbatim("on "+h.Name+"("+strings.Join(names, ", ")+") ", h.Decl.Body.At, h.Decl.Body)
}

// quote writes a part of the source as it stands there; the body is that of the part, if any.
func (f *inference) quote(at source.Span, body *syntax.Block) { f.verbatim("", at, body) }

// verbatim writes a heading and a part of the source; where the part does not stand one level
// deep already, its lines after the first are moved there, except those that start inside of a
// string.
func (f *inference) verbatim(heading string, at source.Span, body *syntax.Block) {
	line := at.File.Line(at.From().Line)
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	const level = "    "
	f.WriteString(level + heading)
	start, texts := at.Start, stringsIn(body)
	for i, text := range strings.SplitAfter(at.Text(), "\n") {
		inside := slices.ContainsFunc(texts, func(s source.Span) bool { return s.Start < start && start < s.End })
		start += len(text)
		if i > 0 && indent != level && !inside && strings.TrimSpace(text) != "" {
			text = level + strings.TrimPrefix(text, indent)
		}
		f.WriteString(text)
	}
	f.WriteByte('\n')
}

// stringsIn are the places of the strings of a body.
func stringsIn(body *syntax.Block) []source.Span {
	var out []source.Span
	syntax.Inspect(body, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.String); ok {
			out = append(out, s.At)
		}
		return true
	})
	return out
}
