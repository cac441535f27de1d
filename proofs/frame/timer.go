package frame

import (
	"slices"

	"soma.cell/frontend/diag"
	"soma.cell/ir"
)

// timers holds the timers of a skeleton's flesh to calling signals of the face: a timer has no
// frame that could say what else it does.
func timers(c *ir.Cell) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, a := range c.Automata {
		if a.Kind != ir.Timer {
			continue
		}
		for _, e := range a.Edges {
			for _, f := range e.Effects {
				if verb := outsideFace(c, f); verb != "" {
					out = append(out, diag.Diagnostic{Code: diag.TimerOutsideFace, Message: errTimer(a.Name, verb), Span: f.Place()})
				}
			}
		}
	}
	return out
}

// outsideFace says what an effect does that a timer may not, or "".
func outsideFace(c *ir.Cell, f ir.Effect) string {
	if s, ok := writtenSlot(f); ok {
		return verbWrites(s.Slot)
	}
	switch f := f.(type) {
	case *ir.Read:
		return verbReads(f.Slot.Slot)
	case *ir.Scan:
		return verbReads(f.Slot.Slot)
	case *ir.Move:
		return verbMovesMachine
	case *ir.Inspect:
		return verbInspectsMachine
	case *ir.Emit:
		return verbEmits(f.Event)
	case *ir.Act:
		return verbCalls(f.Builtin)
	case *ir.Unknown:
		return verbUnknown(f.Why)
	case *ir.Call:
		declared := slices.ContainsFunc(c.Signals, func(s *ir.Signal) bool {
			return s.Automaton == f.Handler.Handler && len(s.Params) == f.Handler.Arity
		})
		if f.Via == "emit" || declared && f.Handler.Cell == c.Name {
			return "" // the emit itself is reported
		}
		return verbCalls(f.Handler.Handler)
	}
	return ""
}
