package ir

import (
	"strconv"
	"strings"

	"soma.cell/smt/term"
)

// effect is one effect of an automaton in words.
func (p *printer) effect(a *Automaton, f Effect) string {
	text := p.action(a, f)
	if f.Where().InGuard {
		return "for the guard: " + text
	}
	return text
}

func (p *printer) action(a *Automaton, f Effect) string {
	switch f := f.(type) {
	case *Bind:
		return assigned(f.Var) + show(f.Value)
	case *Havoc:
		origin, _ := word(originNames, f.Origin)
		text := assigned(f.Var) + "any from " + origin
		if f.Why != "" {
			text += ": " + f.Why
		}
		if len(f.From) > 0 {
			text += " of (" + list(f.From) + ")"
		}
		return text
	case *Read:
		verb := "read "
		if f.Val == nil {
			verb = "has "
		}
		return assigned(f.Has, f.Val) + verb + entry(a, f.Slot, f.Key)
	case *Scan:
		return assigned(f.Var) + "scan " + f.What + " of " + slotName(a, f.Slot)
	case *Write:
		text := "write " + entry(a, f.Slot, f.Key) + " := " + show(f.Value)
		if f.Partial {
			text += " (in part)"
		}
		return text
	case *Delete:
		return assigned(f.Had) + "delete " + entry(a, f.Slot, f.Key)
	case *Push:
		return "push " + show(f.Value) + " to " + slotName(a, f.Slot)
	case *Move:
		return p.move(a, f)
	case *Inspect:
		return assigned(f.Var) + f.What + " " + p.machineName(a, f.Cell) + "[" + show(f.ID) + "]"
	case *Call:
		return call(a, f)
	case *Emit:
		return "emit " + f.Event + "(" + list(f.Args) + ")"
	case *Begin:
		return "begin"
	case *Commit:
		return "commit"
	case *Rollback:
		return "rollback"
	case *Act:
		return act(a, f)
	case *Unknown:
		return "unknown: " + f.Why
	case *Return:
		return "return " + show(f.Value)
	case *Raise:
		text := "raise"
		if f.Refusal {
			text = "refused"
		}
		if f.Kind != "" {
			text += " " + f.Kind
		}
		if f.Ensures != "" {
			text += ": not " + f.Ensures
		}
		return text
	}
	return "?"
}

func (p *printer) move(a *Automaton, f *Move) string {
	var b strings.Builder
	b.WriteString("move " + p.machineName(a, f.Cell) + "[" + show(f.ID) + "]")
	if f.From != nil {
		b.WriteString(" from " + show(f.From))
	}
	b.WriteString(" to " + show(f.To))
	if !f.Literal {
		b.WriteString(" (computed)")
	}
	for _, g := range f.Guards {
		b.WriteString(", guard of edge " + strconv.Itoa(g.Edge) + ": ")
		if g.Abstract {
			b.WriteString("not known")
		} else {
			b.WriteString(show(g.Cond))
		}
	}
	return b.String()
}

func (p *printer) machineName(a *Automaton, cell string) string {
	c := p.system.Find(cell)
	switch {
	case c == nil || c.Machine == nil:
		return cell + ".?"
	case cell == a.Cell:
		return c.Machine.Name
	}
	return cell + "." + c.Machine.Name
}

func call(a *Automaton, f *Call) string {
	text := assigned(f.Result)
	if f.Optional {
		text += "perhaps "
	}
	text += "call " + handlerName(a, f.Handler) + "(" + list(f.Args) + ")"
	if f.Via != "" {
		text += " by " + f.Via
	}
	return text
}

func act(a *Automaton, f *Act) string {
	text := assigned(f.Result) + "act " + f.Builtin + "(" + list(f.Args) + ")"
	if f.Class != "" {
		text += " " + f.Class
	}
	for i, s := range f.Sinks {
		sep := ", "
		if i == 0 {
			sep = " deciding "
		}
		text += sep + "#" + strconv.Itoa(s+1)
	}
	for i, t := range f.Tools {
		sep := ", "
		if i == 0 {
			sep = " with tools "
		}
		text += sep + handlerName(a, t)
	}
	return text
}

func slotName(a *Automaton, s SlotRef) string {
	if s.Cell == a.Cell {
		return s.Slot
	}
	return s.Cell + "." + s.Slot
}

func handlerName(a *Automaton, h HandlerRef) string {
	if h.Cell == a.Cell {
		return h.Handler
	}
	return h.Cell + "." + h.Handler
}

func entry(a *Automaton, s SlotRef, key *term.Term) string {
	return slotName(a, s) + "[" + show(key) + "]"
}

func list(ts []*term.Term) string {
	var out []string
	for _, t := range ts {
		out = append(out, show(t))
	}
	return strings.Join(out, ", ")
}

// assigned is "x, y := " for the variables that are wanted.
func assigned(vars ...*term.Term) string {
	if vars = present(vars...); len(vars) == 0 {
		return ""
	}
	return list(vars) + " := "
}

// show is a term in words, "?" for none: an invalid system can be printed too.
func show(t *term.Term) string {
	if t == nil {
		return "?"
	}
	return t.String()
}
