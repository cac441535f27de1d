package resolve

import (
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// moveSite is a call of transition in a handler, kept until the guards are judged.
type moveSite struct {
	at      source.Span
	handler *Handler
	machine *Machine
	source  string // "" when not declared or computed
	target  string // "" when computed
	bound   map[string]bool
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
		w.r.report(noMachine(a.name, w.r.prog.Cells))
		return
	}
	if c.Builtin.Reads {
		w.exprs(all)
		return
	}
	w.expr(all[0])
	site := &moveSite{at: a.node.Span(), handler: w.handler, machine: c.Machine, bound: map[string]bool{}}
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
	for _, name := range w.visible() {
		site.bound[name] = true
	}
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
				w.r.info.Names[s] = &Ref{Kind: RefState, Machine: m}
				return s.Name, true
			}
			if !w.callable(s.Name) && w.mode != inGuard {
				w.r.report(undefinedState(s, m, nearest(s.Name, append(w.visible(), m.States...))))
				return "", false
			}
		}
	}
	w.expr(x)
	return "", false
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
			w.r.report(undeclaredState(x, m, name, nearest(name, m.States)))
			known = false
		}
	}
	target := all[len(all)-1]
	switch {
	case !known || !literal[len(literal)-1] || len(m.Edges) == 0:
	case !entered(m, site.target):
		w.r.report(neverEntered(target, m, site.target))
	case len(all) == 3 && literal[0] && m.Edge(site.source, site.target) == nil:
		w.r.report(undeclaredEdge(site.at, m, site.source, site.target))
	}
}

// entered tells whether some edge ends in the state.
func entered(m *Machine, state string) bool {
	for _, e := range m.Edges {
		if e.To == state {
			return true
		}
	}
	return false
}

// guards resolves the guards of a cell's edges, each row once.
func (r *resolver) guards(c *Cell) {
	if c.Machine == nil {
		return
	}
	for _, row := range c.Machine.Decl.Edges {
		if row.Guard == nil {
			continue
		}
		w := &walker{r: r, cell: c, mode: inGuard}
		w.push()
		w.condition(row.Guard)
	}
}

// guardNames wants every name that a guard reads and that is no slot bound wherever a
// handler may take the edge. It stands at the call: there the name is missing.
func (r *resolver) guardNames() {
	for _, site := range r.moves {
		reported := map[string]bool{}
		for _, e := range site.machine.Edges {
			if e.Row.Guard == nil || !site.takes(e) {
				continue
			}
			syntax.Inspect(e.Row.Guard, func(n syntax.Node) bool {
				x, ok := n.(*syntax.Name)
				if !ok || site.bound[x.Name] || reported[x.Name] {
					return true
				}
				if ref := r.info.Names[x]; ref != nil && ref.Kind == RefLocal && !boundInside(e.Row.Guard, x.Name) {
					reported[x.Name] = true
					r.report(unboundGuardName(site, e, x))
				}
				return true
			})
		}
	}
}

// boundInside tells whether a guard binds the name itself, as a parameter of a lambda or in
// a pattern.
func boundInside(guard syntax.Expr, name string) bool {
	found := false
	syntax.Inspect(guard, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lambda:
			for _, p := range n.Params {
				found = found || p.Name == name
			}
		case *syntax.Bind:
			found = found || n.Name == name
		case *syntax.PrefixPattern:
			found = found || n.Rest.Name == name
		case *syntax.Let:
			found = found || n.Name.Name == name
		}
		return !found
	})
	return found
}
