package resolve

import "soma.cell/frontend/syntax"

// States are texts, so that a misspelled one compares like any other and is merely never
// equal. Where an expression surely gives a state, what it is compared with must be one.

// machineOf is the machine whose state a resolved expression surely gives, or nil.
func (w *walker) machineOf(x syntax.Expr) *Machine {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		if c := w.r.info.Calls[x]; c != nil && c.Kind == CallBuiltin && c.Builtin.Name == "get_status" {
			return c.Machine
		}
	case *syntax.Name:
		if l := w.lookup(x.Name); l != nil {
			return l.machine
		}
		if ref := w.r.info.Names[x]; ref != nil && ref.Kind == RefSpecial && (x.Name == "status" || x.Name == "_from" || x.Name == "_to") {
			return w.cell.Machine
		}
	}
	return nil
}

// stateCompared warns of a comparison of a state with a text that is none.
func (w *walker) stateCompared(x *syntax.Binary) {
	if x.Op != syntax.EqOp && x.Op != syntax.NeOp {
		return
	}
	w.stateText(x.X, x.Y)
	w.stateText(x.Y, x.X)
}

// statesMatched warns of the arms for a text that is no state.
func (w *walker) statesMatched(x *syntax.Match) {
	for _, arm := range x.Arms {
		for _, p := range arm.Patterns {
			if l, ok := p.(*syntax.LiteralPattern); ok {
				w.stateText(x.X, l.Value)
			}
		}
	}
}

func (w *walker) stateText(state, text syntax.Expr) {
	m := w.machineOf(state)
	if m == nil {
		return
	}
	if name, ok := literalText(text); ok && m.lacks(name) {
		w.r.report(neverState(text, m, name, w.r.nearest(name, these(m.States))))
	}
}
