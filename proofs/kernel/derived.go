package kernel

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// What the kernel derives anew from the system: frames and structural termination.

// calls lists what an automaton may start: what it calls, the tools of a model, and, where it
// does what is not known, every handler.
func (a *auditor) calls(of *ir.Automaton) []*ir.Automaton {
	out, ok := a.callees[of]
	if ok || !a.budget.spend(1) {
		return out
	}
	for _, e := range of.Edges {
		for _, f := range e.Effects {
			switch f := f.(type) {
			case *ir.Call:
				out = append(out, a.system.Handler(f.Handler))
			case *ir.Act:
				for _, tool := range f.Tools {
					out = append(out, a.system.Handler(tool))
				}
			case *ir.Unknown:
				for _, c := range a.system.Cells {
					for _, h := range c.Automata {
						if h.Kind == ir.Handler {
							out = append(out, h)
						}
					}
				}
				a.budget.spend(len(out))
			}
		}
	}
	a.callees[of] = out
	return out
}

// terminationEvidence: structure, or the engine's word for a measure.
func (a *auditor) terminationEvidence(e *cert.Evidence, of *ir.Automaton) (cert.Class, *Error) {
	switch e.Rule {
	case cert.ByEngine:
		return cert.EngineTrusted, nil
	case cert.ByTermination:
		return cert.KernelChecked, a.endsByStructure(of)
	}
	return "", errRule(e.Rule)
}

// endsByStructure: no loop that nothing bounds in the automaton or in what it may start, and no
// way from one of these back to itself. Depth-first search; grey ones are on the way.
func (a *auditor) endsByStructure(of *ir.Automaton) *Error {
	const grey, black = 1, 2
	colour := map[*ir.Automaton]int{of: grey}
	type frame struct {
		automaton *ir.Automaton
		callees   []*ir.Automaton
	}
	stack := []frame{{of, a.calls(of)}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if len(f.callees) == 0 {
			if doesUnknown(f.automaton) {
				return errRecursion(f.automaton.Name)
			}
			if slices.ContainsFunc(f.automaton.Loops, func(l *ir.Loop) bool { return l.Kind == ir.WhileLoop && l.Bound == nil }) {
				return errLoop(f.automaton.Name)
			}
			colour[f.automaton] = black
			stack = stack[:len(stack)-1]
			continue
		}
		if !a.budget.spend(1) {
			return errWork()
		}
		next := f.callees[0]
		f.callees = f.callees[1:]
		switch colour[next] {
		case grey:
			return errRecursion(next.Name)
		case 0:
			colour[next] = grey
			stack = append(stack, frame{next, a.calls(next)})
		}
	}
	return nil
}

// doesUnknown tells whether a body does what is not known: it might start itself.
func doesUnknown(a *ir.Automaton) bool {
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			if _, ok := f.(*ir.Unknown); ok {
				return true
			}
		}
	}
	return false
}

// flowEvidence: all sinks are literals or nothing is untrusted; else the labels of values are the
// engine's word.
func (a *auditor) flowEvidence(e *cert.Evidence, c *ir.Cell) (cert.Class, *Error) {
	switch e.Rule {
	case cert.ByEngine:
		return cert.EngineTrusted, nil
	case cert.ByFlow:
		what := a.decided(c)
		if what != "" && (a.untrusted || a.unknown) {
			return "", errUntrusted(what)
		}
		return cert.KernelChecked, nil
	}
	return "", errRule(e.Rule)
}

// decided names a sink of a cell that is no literal, "" when there is none.
func (a *auditor) decided(c *ir.Cell) string {
	computed := func(t *term.Term) bool { return t != nil && !t.IsLiteral() }
	for _, p := range a.effects[c] {
		switch f := p.effect.(type) {
		case *ir.Unknown:
			return "what is not known"
		case *ir.Move:
			if computed(f.From) || computed(f.To) {
				return "a move of " + p.automaton.Name
			}
		case *ir.Act:
			if slices.ContainsFunc(f.Sinks, func(i int) bool { return computed(f.Args[i]) }) {
				return f.Builtin + " in " + p.automaton.Name
			}
		}
	}
	return ""
}

// frameEvidence: the effects of the body against the frame, or the engine's word where the
// frame rests on what a computed target can be.
func (a *auditor) frameEvidence(e *cert.Evidence, c *ir.Cell, s *ir.Signal) (cert.Class, *Error) {
	switch e.Rule {
	case cert.ByEngine:
		return cert.EngineTrusted, nil
	case cert.ByFrame:
		return cert.KernelChecked, a.inFrame(c, s)
	}
	return "", errRule(e.Rule)
}

// frameBody lists the automata whose effects are those of a signal: its own, and the private
// handlers that these call.
func (a *auditor) frameBody(own *ir.Automaton) []*ir.Automaton {
	body := []*ir.Automaton{own}
	for next := 0; next < len(body); next++ {
		for _, e := range body[next].Edges {
			for _, f := range e.Effects {
				call, ok := f.(*ir.Call)
				if !ok || !a.budget.spend(1+len(body)/16) {
					continue
				}
				if h := a.system.Handler(call.Handler); !h.Public && !slices.Contains(body, h) {
					body = append(body, h)
				}
			}
		}
	}
	return body
}

// inFrame tells whether everything that a body does is in its signal's frame.
func (a *auditor) inFrame(c *ir.Cell, s *ir.Signal) *Error {
	own := a.system.Handler(ir.HandlerRef{Cell: c.Name, Handler: s.Automaton, Arity: len(s.Params)})
	clauses := len(s.Frame.Reads) + len(s.Frame.Writes) + len(s.Frame.Moves) + len(s.Frame.Calls)
	for _, body := range a.frameBody(own) {
		for _, e := range body.Edges {
			for _, f := range e.Effects {
				if !a.budget.spend(1 + clauses/16) {
					return errWork()
				}
				if what := a.outside(c, s.Frame, own, body, f); what != "" {
					return errOutside(s.Name, what)
				}
			}
		}
	}
	return nil
}

func named(items []ir.FrameItem, name string) bool {
	return slices.ContainsFunc(items, func(i ir.FrameItem) bool { return i.Name == name })
}

// outside says what an effect does that the frame does not allow; "" when it allows it.
func (a *auditor) outside(c *ir.Cell, frame *ir.Frame, own, body *ir.Automaton, f ir.Effect) string {
	machine := a.system.MachineOf(c)
	if ref, _, ok := changedSlot(f); ok {
		return unless(ref.Cell == c.Name && named(frame.Writes, ref.Slot), "writes "+ref.Slot)
	}
	inGuard := f.Where().InGuard // what a guard of the machine reads needs no clause
	switch f := f.(type) {
	case *ir.Read:
		return unless(inGuard || mayRead(c, frame, f.Slot), "reads "+f.Slot.Slot)
	case *ir.Scan:
		return unless(inGuard || mayRead(c, frame, f.Slot), "reads "+f.Slot.Slot)
	case *ir.Inspect:
		mine := machine != nil && machine.Name == f.Cell
		return unless(inGuard || mine && (named(frame.Reads, machine.Machine.Name) || len(frame.Moves) > 0), "reads the machine of "+f.Cell)
	case *ir.Move:
		return unless(machine != nil && machine.Name == f.Cell && mayMove(machine.Machine, frame, f), "moves the machine of "+f.Cell)
	case *ir.Emit:
		return unless(named(frame.Calls, "emit"), "emits "+f.Event)
	case *ir.Act:
		return unless(inGuard || named(frame.Calls, f.Builtin), "calls "+f.Builtin)
	case *ir.Call:
		return unless(a.mayCall(c, frame, own, f), "calls "+f.Handler.Handler)
	case *ir.Unknown:
		return unless(delegatesAt(body, f), "does what is not known")
	}
	return ""
}

func unless(allowed bool, what string) string {
	if allowed {
		return ""
	}
	return what
}

func mayRead(c *ir.Cell, frame *ir.Frame, ref ir.SlotRef) bool {
	return ref.Cell == c.Name && (named(frame.Reads, ref.Slot) || named(frame.Writes, ref.Slot))
}

// mayMove: every edge that a move can take, by its literals, is in the frame.
func mayMove(m *ir.Machine, frame *ir.Frame, f *ir.Move) bool {
	fits := func(t *term.Term, state string) bool { return t == nil || t.Op != term.OpString || t.Name == state }
	for _, e := range m.Edges {
		in := slices.ContainsFunc(frame.Moves, func(i ir.FrameItem) bool { return i.From == e.From && i.To == e.To })
		if fits(f.From, e.From) && fits(f.To, e.To) && !in {
			return false
		}
	}
	return true
}

// mayCall: private handlers count as the body itself; listeners and tools stand in the frame
// as emit and as the builtin that runs them, and have frames of their own.
func (a *auditor) mayCall(c *ir.Cell, frame *ir.Frame, own *ir.Automaton, f *ir.Call) bool {
	callee := a.system.Handler(f.Handler)
	switch {
	case !callee.Public || callee == own || f.Via == "emit" || f.Via == "tool":
		return true
	case f.Via == "delegate" && f.Optional:
		return named(frame.Calls, "delegate")
	case f.Handler.Cell == c.Name && named(frame.Calls, f.Handler.Handler):
		return true
	}
	return named(frame.Calls, f.Handler.Cell+"."+f.Handler.Handler)
}

// delegatesAt: what is not known there is a delegate, which is in the frame by its own name.
func delegatesAt(body *ir.Automaton, f *ir.Unknown) bool {
	for _, e := range body.Edges {
		for _, g := range e.Effects {
			if act, ok := g.(*ir.Act); ok && act.Builtin == "delegate" && act.Span == f.Span {
				return true
			}
		}
	}
	return false
}
