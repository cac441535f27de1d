// Package lower turns a resolved program into a guarded-transition system. It is the only
// way from one to the other.
//
// # How
//
// A body is walked once, in order of evaluation. Its locals become variables with a sort
// that is known at each place; a value of no known sort is Opaque and is taken apart by
// uninterpreted functions. A value that may be unit is a pair of a Bool (is it there) and a
// term. Where two branches meet, locals whose shape differs get a common one (merge.go).
// What cannot be said exactly is over-approximated by a havoc whose kind and reason stand
// in the system, never left out: effects of every subexpression are lowered, whatever
// becomes of its value.
//
// Pure subexpressions on the right of && || ?? are evaluated unconditionally: pure code has
// no effect but a raise, and a raise adds an edge without narrowing the path that goes on. Elsewhere
// a raise for a known reason leaves a path on which that reason is none.
//
// Cost: linear in the size of the body, times two for each of the three outermost nested
// loops (see loop.go).
package lower

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Program lowers a program that resolved without errors.
func Program(p *resolve.Program) *ir.System {
	l := &lowerer{
		info:  p.Info,
		cells: map[*resolve.Cell]*ir.Cell{},
		done:  map[*resolve.Handler]*ir.Automaton{},

		recursive: map[*resolve.Handler]bool{},
		supposed:  map[*resolve.Handler]*term.Sort{},
		odd:       map[*resolve.Slot]bool{},
	}
	sys := &ir.System{}
	for _, c := range p.Cells {
		cell := l.cell(c)
		l.cells[c] = cell
		sys.Cells = append(sys.Cells, cell)
	}
	for _, c := range p.Cells {
		l.cells[c].Rules = l.rules(c)
	}
	for _, c := range p.Cells {
		for _, h := range c.Handlers {
			l.cells[c].Automata = append(l.cells[c].Automata, l.automaton(h))
		}
	}
	return sys
}

type lowerer struct {
	info  *resolve.Info
	cells map[*resolve.Cell]*ir.Cell
	// done holds finished automata; a handler being lowered maps to nil.
	done map[*resolve.Handler]*ir.Automaton
	// recursive are the handlers whose result was asked for while they were being lowered, by others
	// than themselves too where that is true.
	recursive map[*resolve.Handler]bool
	// supposed is the sort that the result of a recursive handler is taken to have.
	supposed map[*resolve.Handler]*term.Sort
	// odd are the slots with a rule that may raise something else than that it is broken.
	odd map[*resolve.Slot]bool
}

// cell lowers all but rules and bodies.
func (l *lowerer) cell(c *resolve.Cell) *ir.Cell {
	out := &ir.Cell{Name: c.Name, Agent: c.Agent, Skeleton: c.Flesh != nil, Span: c.Decl.Name.At}
	for _, s := range c.Slots {
		out.Slots = append(out.Slots, l.slot(s))
	}
	if m := c.Machine; m != nil {
		out.Machine = machine(m)
	}
	for _, s := range c.Signals {
		out.Signals = append(out.Signals, signal(s))
	}
	for _, l := range c.Limits {
		out.Limits = append(out.Limits, &ir.Limit{Key: ir.CostKey(l.Decl.Name.Name), Value: l.Value, Text: l.Decl.Value.Span().Normal(), Span: l.Decl.At})
	}
	return out
}

func (l *lowerer) slot(s *resolve.Slot) *ir.Slot {
	out := &ir.Slot{
		Name:   s.Name,
		IsList: s.IsList,
		Value:  sortOf(s.Value),
		Type:   s.Decl.Type.At.Normal(),
		Span:   s.Decl.Name.At,
	}
	for _, a := range s.Decl.Attrs {
		out.Attrs = append(out.Attrs, a.At.Normal())
		out.Immutable = out.Immutable || a.Name.Name == "immutable"
	}
	return out
}

func machine(m *resolve.Machine) *ir.Machine {
	out := &ir.Machine{Name: m.Name, States: m.States, Initial: m.Initial, Span: m.Decl.Name.At}
	for _, e := range m.Edges {
		edge := &ir.MachineEdge{From: e.From, To: e.To, Span: e.Row.At}
		if e.Row.Guard != nil {
			edge.Guard = e.Row.Guard.Span().Normal()
		}
		out.Edges = append(out.Edges, edge)
	}
	return out
}

func signal(s *resolve.Signal) *ir.Signal {
	out := &ir.Signal{Name: s.Name, Tool: s.Tool, Automaton: s.Name, Span: s.Decl.Name.At}
	if len(s.Decl.Clauses) == 0 {
		out.Span.End = s.Decl.At.End
	}
	for _, p := range s.Params {
		out.Params = append(out.Params, p.Name+": "+p.Type.String())
	}
	if s.Decl.Result != nil {
		out.Result = s.Decl.Result.At.Normal()
	}
	if s.Frame != nil {
		out.Frame = frame(s)
	}
	return out
}

func frame(s *resolve.Signal) *ir.Frame {
	out := &ir.Frame{}
	for _, r := range s.Frame.Reads {
		out.Reads = append(out.Reads, slotItem(r))
	}
	for _, w := range s.Frame.Writes {
		out.Writes = append(out.Writes, slotItem(w))
	}
	for _, m := range s.Frame.Moves {
		out.Moves = append(out.Moves, ir.FrameItem{From: m.Edge.From, To: m.Edge.To, Span: m.Item.At})
	}
	for _, c := range s.Frame.Calls {
		item := ir.FrameItem{Span: c.Item.At}
		switch {
		case c.Emit:
			item.Name = "emit"
		case c.Builtin != nil:
			item.Name = c.Builtin.Name
		case c.Handler.Cell == s.Cell:
			item.Name = c.Handler.Name
		default:
			item.Name = c.Handler.Cell.Name + "." + c.Handler.Name
		}
		out.Calls = append(out.Calls, item)
	}
	return out
}

func slotItem(s resolve.FrameSlot) ir.FrameItem {
	if s.Machine != nil {
		return ir.FrameItem{Name: s.Machine.Name, Span: s.Item.At}
	}
	return ir.FrameItem{Name: s.Slot.Name, Span: s.Item.At}
}

// sortOf is the sort of values of a declared type. Types that the terms do not know in
// detail are Opaque.
func sortOf(t *resolve.Type) *term.Sort {
	switch t.Kind {
	case resolve.IntType:
		return term.Int
	case resolve.FloatType:
		return term.Float
	case resolve.StringType:
		return term.String
	case resolve.BoolType:
		return term.Bool
	case resolve.UnitType:
		return term.Unit
	}
	return term.Opaque
}

// automaton lowers a handler once. While it is being lowered it is unknown to its callees.
func (l *lowerer) automaton(h *resolve.Handler) *ir.Automaton {
	if a, ok := l.done[h]; ok {
		return a
	}
	l.done[h] = nil
	a := l.body(h)
	if others, recursive := l.recursive[h]; recursive {
		a = l.recur(h, a, others)
	}
	l.done[h] = a
	return a
}

// recur gives the body of a recursive handler the sort of its results. Where only the handler calls
// itself, the sort of what it returns without doing so is supposed of the calls, too: when all returns
// have it then, they have it by induction over the depth of calls.
func (l *lowerer) recur(h *resolve.Handler, a *ir.Automaton, others bool) *ir.Automaton {
	if s := baseSort(a); s != nil && !others {
		l.supposed[h] = s
		if again := l.body(h); again.Result.Same(s) && !l.recursive[h] {
			return again
		}
	}
	a.Result = term.Opaque
	return a
}

// resultSort is the sort of what a handler returns, for one that calls it; Opaque, or what is
// supposed, where it calls itself, directly or not.
func (l *lowerer) resultSort(h, caller *resolve.Handler) *term.Sort {
	if a := l.automaton(h); a != nil {
		return a.Result
	}
	l.recursive[h] = l.recursive[h] || caller != h
	if s := l.supposed[h]; s != nil && caller == h {
		return s
	}
	return term.Opaque
}

func handlerRef(h *resolve.Handler) ir.HandlerRef {
	return ir.HandlerRef{Cell: h.Cell.Name, Handler: h.Name, Arity: len(h.Params)}
}

func at(s source.Span) ir.At { return ir.At{Span: s} }
