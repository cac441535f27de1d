package progen

import "fmt"

// cell is a planned cell.
type cell struct {
	name     string
	skeleton bool
	agent    bool
	framed   bool // its signals have frames
	faced    bool // it has a face
	library  bool // it stands in the other file
	inside   bool // it stands in the interior of the cell before it
	slots    []*slot
	machine  *machine
	handlers []*handler
}

// slot is a planned memory slot.
type slot struct {
	name      string
	list      bool
	intKey    bool
	value     *typ
	attrs     string
	immutable bool
	lo, hi    int // the bounds that a rule sets; none when equal
}

func (s *slot) typ() string {
	switch {
	case s.list:
		return listOf(s.value).String()
	case s.intKey:
		return "Map<Int, " + s.value.String() + ">"
	}
	return mapOf(s.value).String()
}

// machine is a planned state machine, its wildcards expanded.
type machine struct {
	name   string
	sum    *sum // of a typed machine
	states []string
	edges  []edge
	rows   []string // as written
	amount bool     // a guard reads the local `amount`
}

type edge struct{ from, to string }

// handler is a planned handler. Where it is private it has no signal.
type handler struct {
	cell    *cell
	name    string
	params  []*local
	result  *typ
	tool    bool
	private bool
	outside bool // only the environment calls it: what its parameters hold is trusted
	counts  bool // its first parameter counts calls of itself down
	mutual  *handler
	listens bool
	fx      *effects
	body    string
	extra   string // attributes
}

// event is what emit names, with its parameters.
type event struct {
	name   string
	params []*typ
	last   int // the index of its last listener
}

// plan decides cells, slots, machines and signatures.
func (g *gen) plan() {
	g.blind = g.coin(4)
	for i := range 1 + g.pick(g.o.Size+1) {
		g.cells = append(g.cells, g.planCell(i))
	}
	if !g.without(Calls) {
		g.planEvents()
	}
	for _, c := range g.cells {
		g.planHandlers(c)
	}
}

func (g *gen) planCell(i int) *cell {
	c := &cell{name: []string{"Desk", "Store", "Gate", "Mill", "Yard"}[i%5]}
	if !g.without(Frames) {
		switch g.pick(4) {
		case 1, 2:
			c.skeleton, c.faced, c.framed = true, true, true
		case 3:
			c.faced, c.framed = true, g.pick(2) == 0
		}
	}
	c.agent = !g.without(Agents) && g.coin(3)
	if c.agent && !c.skeleton {
		c.faced = true // tools stand in a face
	}
	c.library = g.o.Library && i > 0 && g.coin(2)
	c.inside = i > 0 && !c.library && !c.skeleton && !g.cells[i-1].skeleton && !g.cells[i-1].library && !g.cells[i-1].inside && g.coin(6)
	for range 1 + g.pick(3) {
		c.slots = append(c.slots, g.planSlot(c, i))
	}
	if !g.without(Machines) && g.pick(3) > 0 {
		c.machine = g.planMachine(i)
	}
	return c
}

func (g *gen) planSlot(c *cell, i int) *slot {
	s := &slot{value: plain(intKind)}
	switch g.pick(6) {
	case 2:
		s.value = plain(stringKind)
	case 3:
		s.list = true
		s.value = one(g, []*typ{plain(intKind), plain(stringKind), listOf(plain(intKind)), mapOf(plain(intKind))})
	case 4, 5:
		s.value = g.valueType()
		s.list = g.coin(3)
	}
	s.intKey = !s.list && g.coin(8)
	if !g.without(Rules) && !s.list && s.value.kind == intKind && g.pick(3) > 0 {
		s.lo, s.hi = -g.pick(2), 3+g.pick(8)
	}
	// Two cells may have slots of one name.
	s.name = fmt.Sprintf("%s%d", one(g, []string{"held", "seen", "notes"}), len(c.slots))
	if g.pick(4) > 0 {
		s.name += []string{"_d", "_s", "_g", "_m", "_y"}[i%5]
	}
	s.attrs = one(g, []string{"[persistent]", "", "[persistent, consistent]", "[ephemeral, local]", "[capacity(100), ttl(1h)]",
		"[slot_bits(64), max_value_bytes(4_096)]", "[persistent, immutable]"})
	s.immutable = s.attrs == "[persistent, immutable]"
	return s
}

// planMachine draws states and edges: a chain through all states, so that each is entered but
// perhaps the first, and some more.
func (g *gen) planMachine(i int) *machine {
	m := &machine{name: []string{"order", "stock", "door", "batch", "fence"}[i%5]}
	m.states = []string{"idle", "open", "busy", "done", "lost"}[:2+g.pick(4)]
	if len(g.sums) > 0 && g.coin(4) {
		m.sum, m.states = g.sums[0], nil
		for _, v := range m.sum.variants {
			m.states = append(m.states, v.name)
		}
	}
	have := map[edge]bool{}
	row := ""
	for j := range len(m.states) - 1 {
		m.add(edge{m.states[j], m.states[j+1]}, have)
		if row != "" && g.coin(3) {
			row += " -> " + m.states[j+1]
			continue
		}
		if row != "" {
			m.rows = append(m.rows, row+g.guard(m))
		}
		row = m.states[j] + " -> " + m.states[j+1]
	}
	m.rows = append(m.rows, row+g.guard(m))
	for range g.pick(4) {
		e := edge{one(g, m.states), one(g, m.states)}
		if m.add(e, have) {
			m.rows = append(m.rows, e.from+" -> "+e.to+g.guard(m))
		}
	}
	if g.coin(4) {
		to, except, row := one(g, m.states), one(g, m.states), ""
		if row = "* -> " + to; except != to && len(m.states) > 2 {
			row += " except [" + except + "]"
		} else {
			except = ""
		}
		for _, from := range m.states {
			if from != to && from != except {
				m.add(edge{from, to}, have)
			}
		}
		m.rows = append(m.rows, row+g.guard(m))
	}
	return m
}

func (m *machine) add(e edge, have map[edge]bool) bool {
	if have[e] {
		return false
	}
	have[e] = true
	m.edges = append(m.edges, e)
	return true
}

// guard draws the guard of a row. Names of callers are limited to one that all of them bind.
func (g *gen) guard(m *machine) string {
	switch g.pick(8) {
	case 5:
		return ` { guard { _id != "zz" } }`
	case 6:
		m.amount = true
		return " { guard { amount >= 0 && _from != _to } }"
	case 7:
		m.amount = true
		return one(g, []string{" { guard { !(amount < -1) } }", " { guard { amount < 9 || random(2) == 0 } }"})
	}
	return ""
}

// entered lists the states that some edge enters.
func (m *machine) entered() []string {
	var out []string
	for _, s := range m.states {
		for _, e := range m.edges {
			if e.to == s {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// into lists the edges that enter a state.
func (m *machine) into(state string) []edge {
	var out []edge
	for _, e := range m.edges {
		if e.to == state {
			out = append(out, e)
		}
	}
	return out
}

// planEvents gives each event one or two listeners, the first handlers of all.
func (g *gen) planEvents() {
	for i := range g.pick(3) {
		e := &event{name: []string{"noted", "opened"}[i], params: []*typ{plain(intKind)}}
		if g.coin(2) {
			e.params = append(e.params, plain(stringKind))
		}
		listeners := 0
		for _, c := range g.cells {
			if listeners == 0 || g.coin(2) {
				listeners++
				h := &handler{cell: c, name: e.name, listens: true, result: plain(unitKind)}
				for _, t := range e.params {
					h.params = append(h.params, &local{name: g.fresh("p"), typ: t, set: true})
				}
				g.addHandler(h)
			}
		}
		e.last = len(g.handlers) - 1
		g.events = append(g.events, e)
	}
}

func (g *gen) addHandler(h *handler) {
	h.fx = newEffects()
	h.cell.handlers = append(h.cell.handlers, h)
	g.handlers = append(g.handlers, h)
}

// planHandlers draws the signatures of a cell.
func (g *gen) planHandlers(c *cell) {
	if !g.without(Calls) && g.coin(3) {
		g.planRecursion(c)
	}
	if c.agent && g.pick(3) > 0 {
		h := g.planHandler(c)
		h.tool, h.private, h.outside = true, false, false
		for _, p := range h.params { // the model chooses them
			p.clean = false
		}
		h.name = g.fresh("tool_")
		g.addHandler(h)
	}
	for range 1 + g.pick(g.o.Size+1) {
		g.addHandler(g.planHandler(c))
	}
	if !g.without(Calls) && !c.skeleton && g.coin(8) {
		// A handler may hide a builtin inside its cell.
		g.addHandler(&handler{cell: c, name: "gcd", result: plain(intKind),
			params: []*local{{name: "a", typ: plain(intKind)}, {name: "b", typ: plain(intKind)}}})
	}
}

func (g *gen) planHandler(c *cell) *handler {
	h := &handler{cell: c, name: g.fresh("act"), result: g.valueType()}
	switch g.pick(6) {
	case 4:
		h.private, h.name = true, "_"+h.name
	case 5:
		h.outside = !g.blind
	}
	if !c.skeleton && g.coin(8) {
		h.extra = " [native]"
	}
	for range g.pick(4) {
		h.params = append(h.params, &local{name: g.fresh("p"), typ: g.valueType(), set: true, clean: h.outside})
	}
	if h.outside { // what is assigned may be anything
		for _, p := range h.params {
			p.set = false
		}
	}
	if c.machine != nil && c.machine.amount && g.coin(2) {
		h.params = append(h.params, &local{name: "amount", typ: plain(intKind)})
	}
	return h
}

// planRecursion draws a handler that calls itself, or two that call one another.
func (g *gen) planRecursion(c *cell) {
	h := &handler{cell: c, name: g.fresh("again"), result: g.valueType(), counts: true}
	h.params = []*local{{name: "n", typ: plain(intKind)}, {name: g.fresh("p"), typ: g.valueType()}}
	h.private = g.coin(2)
	if h.private {
		h.name = "_" + h.name
	}
	g.addHandler(h)
	if g.coin(3) {
		other := &handler{cell: c, name: g.fresh("other"), result: h.result, params: h.params, counts: true, mutual: h}
		h.mutual = other
		g.addHandler(other)
	}
}
