package interp

import (
	"maps"

	"soma.cell/frontend/resolve"
)

// instances are the states of a machine's instances by id; one that never moved is absent.
type instances struct {
	state  map[string]string
	shared bool
}

// Move is one committed move of a machine instance.
type Move struct {
	Machine *resolve.Machine
	ID      string
	From    string
	To      string
}

// Moves are the moves committed since the world was made or restored, in order.
func (w *World) Moves() []Move { return w.moves }

// Status is the state of an instance; ok is false when the cell is unknown or has no machine.
func (w *World) Status(cell, id string) (state string, ok bool) {
	for _, c := range w.prog.Cells {
		if c.Name == cell && c.Machine != nil {
			return w.status(c.Machine, id), true
		}
	}
	return "", false
}

func (w *World) status(m *resolve.Machine, id string) string {
	if s, ok := w.machines[w.machineIndex[m]].state[id]; ok {
		return s
	}
	return m.Initial
}

func (w *World) setStatus(m *resolve.Machine, id, state string) {
	in := &w.machines[w.machineIndex[m]]
	if in.shared {
		in.state, in.shared = maps.Clone(in.state), false
	}
	if in.state == nil {
		in.state = map[string]string{}
	}
	if state == "" {
		delete(in.state, id)
	} else {
		in.state[id] = state
	}
}

// machineOf decides which machine a call in a cell means: what resolution says, else the
// cell's own, else the program's only one.
func (w *World) machineOf(callee *resolve.Callee, cell *resolve.Cell, text string) (*resolve.Machine, error) {
	if callee.Machine != nil {
		return callee.Machine, nil
	}
	if cell != nil && cell.Machine != nil {
		return cell.Machine, nil
	}
	var only *resolve.Machine
	for _, cell := range w.prog.Cells {
		if cell.Machine == nil {
			continue
		}
		if only != nil {
			return nil, errAmbiguousMachine(text)
		}
		only = cell.Machine
	}
	if only == nil {
		return nil, errAmbiguousMachine(text)
	}
	return only, nil
}

// stateText is the name of a state given as text or as a variant.
func stateText(v Value) (string, bool) {
	switch v := v.(type) {
	case String:
		return string(v), true
	case *Variant:
		return v.Of.Name, true
	}
	return "", false
}

func builtinTransition(c *call) (Value, error) {
	m, err := c.w.machineOf(c.callee, c.f.cell, c.text())
	if err != nil {
		return nil, err
	}
	id, ok := keyText(c.args[0])
	if !ok {
		return nil, errKey("an instance id", c.args[0])
	}
	states := make([]string, len(c.args)-1)
	for i, v := range c.args[1:] {
		if states[i], ok = stateText(v); !ok {
			return nil, errArgument(c.name, i+1, "a state", v)
		}
	}
	from, to := c.w.status(m, id), states[len(states)-1]
	if len(states) == 2 && states[0] != from {
		return nil, errDeclaredSource(c.text(), id, from, states[0], to)
	}
	if err := c.w.move(c, m, id, from, to); err != nil {
		return nil, err
	}
	return MapOf("id", c.args[0], "from", String(from), "to", String(to)), nil
}

// move judges edge, guard and status rules, in that order, then moves.
func (w *World) move(c *call, m *resolve.Machine, id, from, to string) error {
	edge := m.Edge(from, to)
	if edge == nil {
		return errNoEdge(m, id, from, to)
	}
	if err := w.checkGuard(c, m, edge, id); err != nil {
		return err
	}
	if err := w.checkMove(m, id, to); err != nil {
		return err
	}
	if err := w.allocate(entryBytes); err != nil {
		return err
	}
	_, had := w.machines[w.machineIndex[m]].state[id]
	w.setStatus(m, id, to)
	w.trace(Step{Kind: StepMove, Cell: m.Cell.Name, ID: id, From: from, To: to})
	w.pending = append(w.pending, Move{m, id, from, to})
	if w.open == 0 {
		w.moves = append(w.moves, w.pending...)
		w.pending = w.pending[:0]
		return nil
	}
	if !had {
		from = ""
	}
	w.undoWith(func() {
		w.setStatus(m, id, from)
		w.pending = w.pending[:len(w.pending)-1]
	})
	return nil
}

// checkGuard evaluates an edge's guard over the locals of the handler that calls transition.
func (w *World) checkGuard(c *call, m *resolve.Machine, e *resolve.Edge, id string) error {
	if e.Row.Guard == nil {
		return nil
	}
	g := w.guard(m, e.Row)
	f := g.begin()
	for i, v := range []Value{c.args[0], String(e.From), String(e.To)} {
		f.bind(g.fn.params[i], v)
	}
	for _, p := range g.open() {
		f.bind(p, c.f.look(c.where[p.name]))
	}
	v, err := w.run(f, &f.code.fragment)
	g.end(f)
	if err != nil {
		return err
	}
	ok, err := condition(v)
	if err == nil && !ok {
		err = errGuard(e, id)
	}
	return err
}

// targets are the states that edges lead to, in order of declaration.
func targets(m *resolve.Machine, from string) []string {
	var out []string
	for _, e := range m.Edges {
		if e.From == from {
			out = append(out, e.To)
		}
	}
	return out
}

// instance reads the machine and id of a call that reads a machine.
func (c *call) instance() (*resolve.Machine, string, error) {
	m, err := c.w.machineOf(c.callee, c.f.cell, c.text())
	if err != nil {
		return nil, "", err
	}
	id, ok := keyText(c.args[0])
	if !ok {
		return nil, "", errKey("an instance id", c.args[0])
	}
	return m, id, nil
}

func builtinGetStatus(c *call) (Value, error) {
	m, id, err := c.instance()
	if err != nil {
		return nil, err
	}
	return String(c.w.status(m, id)), nil
}

func builtinHasState(c *call) (Value, error) {
	m, id, err := c.instance()
	if err != nil {
		return nil, err
	}
	_, ok := c.w.machines[c.w.machineIndex[m]].state[id]
	return Bool(ok), nil
}

func builtinValidTransitions(c *call) (Value, error) {
	m, id, err := c.instance()
	if err != nil {
		return nil, err
	}
	return stringList(targets(m, c.w.status(m, id))), nil
}

func stringList(texts []string) *List {
	items := make([]Value, len(texts))
	for i, s := range texts {
		items[i] = String(s)
	}
	return NewList(items...)
}

// text is the call as written, on one line.
func (c *call) text() string {
	return c.x.Span().Normal()
}
