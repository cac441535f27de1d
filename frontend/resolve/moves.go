package resolve

import (
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// moveSite is a call of transition in a handler, kept until the guards are judged.
type moveSite struct {
	at      source.Span
	machine *Machine
	source  string // "" when not declared or computed
	target  string // "" when computed
	open    bool   // nothing in the body limits what is computed
	scope   *scope // the scopes around the call,
	seq     int    // and how many names were bound before it
}

// binds tells whether a name is bound before the move.
func (m *moveSite) binds(name string) bool {
	for s := m.scope; s != nil; s = s.parent {
		if l := s.locals[name]; l != nil && l.seq <= m.seq {
			return true
		}
	}
	return false
}

// bindable lists the names that the guards of the move's edges could read.
func (m *moveSite) bindable() []string {
	out := append(m.machine.Cell.slotNames(), "_id", "_from", "_to")
	for s := m.scope; s != nil; s = s.parent {
		for _, name := range keysOf(s.locals) {
			if s.locals[name].seq <= m.seq {
				out = append(out, name)
			}
		}
	}
	return out
}

// takes tells whether the move may take an edge, as far as its literals tell.
func (m *moveSite) takes(e *Edge) bool {
	return (m.target == "" || m.target == e.To) && (m.source == "" || m.source == e.From)
}

// machineCall resolves a call of a machine builtin: transition, get_status and their kin.
func (w *walker) machineCall(a *application, c *Callee, all []syntax.Expr) {
	c.Machine = w.machine()
	w.pure(a.name, c)
	w.r.info.Calls[a.node] = c
	if c.Machine == nil {
		w.exprs(all)
		w.r.report(noMachine(a.name, w.r.machines))
		return
	}
	if c.Builtin.Reads {
		w.exprs(all)
		return
	}
	w.expr(all[0])
	site := &moveSite{at: a.node.Span(), machine: c.Machine, scope: w.scope}
	states := make([]string, 0, 2)
	literal := make([]bool, 0, 2)
	for _, x := range all[1:] {
		name, ok := w.stateArg(x, c.Machine)
		states, literal = append(states, name), append(literal, ok)
	}
	if w.mode != inBody {
		return
	}
	site.target = states[len(states)-1]
	if len(states) == 2 {
		site.source = states[0]
	}
	site.open = true
	for i, x := range all[1:] {
		site.open = site.open && (literal[i] || w.unlimited(x))
	}
	site.seq = w.seq
	w.r.moves = append(w.r.moves, site)
	w.moveFits(site, all, literal)
}

// stateArg resolves an argument that names a state: a string without interpolation, a bare
// state name or a variant are literal.
func (w *walker) stateArg(x syntax.Expr, m *Machine) (string, bool) {
	switch s := syntax.Unparen(x).(type) {
	case *syntax.String:
		w.expr(x)
		return s.Literal()
	case *syntax.VariantRef:
		if m.Sum != nil && s.Type == nil {
			if v := m.Sum.Variant(s.Name.Name); v != nil {
				w.r.info.Variants[s] = v
				return v.Name, true
			}
		}
		w.variantRef(s)
		if v := w.r.info.Variants[s]; v != nil {
			return v.Name, true
		}
		return "", false
	case *syntax.Name:
		if w.lookup(s.Name) == nil && w.bareSlot(s.Name) == nil {
			if m.HasState(s.Name) {
				w.r.info.Names[s] = &Ref{Kind: RefState}
				return s.Name, true
			}
			if !w.callable(s.Name) && w.mode != inGuard {
				w.lost = true
				if !m.lacks(s.Name) {
					return "", false
				}
				w.r.report(undefinedState(s, m, w.r.nearest(s.Name, w.visible, these(m.States))))
				return "", false
			}
		}
	}
	w.expr(x)
	return "", false
}

// unlimited tells whether a computed state may surely be any text: it is a parameter of the
// handler that no condition of the body tests.
func (w *walker) unlimited(x syntax.Expr) bool {
	name, ok := syntax.Unparen(x).(*syntax.Name)
	if !ok || w.handler == nil || w.assigned[name.Name] || w.tested()[name.Name] {
		return false
	}
	l := w.lookup(name.Name)
	for _, p := range w.handler.Params {
		if l != nil && p.Decl.Name.At == l.at {
			return true
		}
	}
	return false
}

// tested lists the names that stand in conditions of the body.
func (w *walker) tested() map[string]bool {
	if w.conditions == nil {
		w.conditions = map[string]bool{}
		syntax.Inspect(w.handler.Body, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.If:
				w.noteNames(n.Cond)
			case *syntax.Match:
				w.noteNames(n.X)
			case *syntax.While:
				w.noteNames(n.Cond)
			case *syntax.Require:
				w.noteNames(n.Cond)
			case *syntax.Ensure:
				w.noteNames(n.Cond)
			case *syntax.Binary:
				if n.Op == syntax.AndOp || n.Op == syntax.OrOp {
					w.noteNames(n.X)
				}
			}
			return true
		})
	}
	return w.conditions
}

func (w *walker) noteNames(cond syntax.Expr) {
	syntax.Inspect(cond, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.Name); ok {
			w.conditions[x.Name] = true
		}
		return true
	})
}

// moveFits checks the literal states of a move against the picture.
func (w *walker) moveFits(site *moveSite, all []syntax.Expr, literal []bool) {
	m := site.machine
	known := true
	for i, x := range all[1:] {
		if !literal[i] {
			continue
		}
		name := site.target
		if i == 0 && len(all) == 3 {
			name = site.source
		}
		if !m.HasState(name) {
			known = false
		}
		if m.lacks(name) {
			w.r.report(undeclaredState(x, m, name, w.r.nearest(name, these(m.States))))
		}
	}
	target := all[len(all)-1]
	switch {
	case !known || len(m.Edges) == 0:
	case !literal[len(literal)-1]:
		if len(all) == 3 && literal[0] && m.Terminal(site.source) {
			w.r.report(noExit(all[1], m, site.source))
		}
	case !m.entered[site.target]:
		w.r.report(neverEntered(target, m, site.target))
	case len(all) == 3 && literal[0] && m.Edge(site.source, site.target) == nil:
		w.r.report(undeclaredEdge(site.at, m, site.source, site.target))
	}
}
