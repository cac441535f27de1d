package resolve

import (
	"fmt"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// face reads the signals of a cell and joins them to their handlers.
func (r *resolver) face(c *Cell) {
	for _, d := range c.decls() {
		for _, f := range d.Faces {
			for _, s := range f.Signals {
				r.signal(c, s)
			}
		}
	}
	if c.Flesh == nil {
		return
	}
	for _, h := range c.Handlers {
		if h.Decl != nil && h.Signal == nil && h.Public && len(c.signals[h.Name]) == 0 {
			r.report(undeclaredInFace(h.Decl.Name, c, r.nearest(h.Name, c.signalNames)))
		}
	}
}

func (r *resolver) signal(c *Cell, d *syntax.Signal) {
	s := &Signal{Cell: c, Decl: d, Name: d.Name.Name, Tool: d.Tool, Result: r.typ(d.Result)}
	for i, p := range d.Params {
		for _, q := range d.Params[:i] {
			if q.Name.Name == p.Name.Name {
				r.report(duplicate(p.Name, "parameter", q.Name.At))
			}
		}
		if p.Type == nil {
			r.report(untypedParameter(p.Name))
		}
		s.Params = append(s.Params, Param{Name: p.Name.Name, Type: r.typ(p.Type), Decl: p})
	}
	for _, other := range c.signals[s.Name] {
		if len(other.Params) == len(s.Params) {
			r.report(duplicate(d.Name, "signal", other.Decl.Name.At))
			return
		}
	}
	c.Signals = append(c.Signals, s)
	c.signals[s.Name] = append(c.signals[s.Name], s)
	if c.isSkeleton() && private(s.Name) {
		r.report(privateSignal(d.Name))
	}
	if c.isSkeleton() && c.Flesh == nil {
		r.standIn(s)
		return
	}
	h := c.handler(s.Name, len(s.Params))
	if h == nil {
		if !r.answersMisspelt(c, s) {
			r.report(signalWithoutHandler(s, c.named(s.Name)))
		}
		r.standIn(s)
		return
	}
	s.Handler, h.Signal = h, s
	if c.Flesh != nil {
		r.dress(s, h)
		return
	}
	for i, p := range h.Params {
		if p.Decl.Type != nil && !compatible(s.Params[i].Type, p.Type) {
			r.report(parameterTypeMismatch(p, s.Params[i]))
		}
	}
}

// standIn makes the handler that a signal lacks, so that its callers are none the worse. It has
// no body: nothing is known of what it gives.
func (r *resolver) standIn(s *Signal) {
	decl := &syntax.Handler{Place: s.Decl.Place, Name: s.Decl.Name, Params: s.Decl.Params, Body: &syntax.Block{Place: s.Decl.Place}}
	s.Handler = &Handler{Cell: s.Cell, Name: s.Name, Params: s.Params, Decl: decl, Signal: s, Public: true}
	s.Cell.Handlers = append(s.Cell.Handlers, s.Handler)
	s.Cell.handlers[s.Name] = append(s.Cell.handlers[s.Name], s.Handler)
	r.handlers[s.Name] = append(r.handlers[s.Name], s.Handler)
}

// answersMisspelt tells whether the flesh surely means a signal by a handler of another name,
// which is reported for that.
func (r *resolver) answersMisspelt(c *Cell, s *Signal) bool {
	if c.Flesh == nil {
		return false
	}
	names := r.declared[c]
	if names == nil {
		names = map[string]bool{}
		for _, f := range c.Decl.Faces {
			for _, d := range f.Signals {
				names[d.Name.Name] = true
			}
		}
		r.declared[c] = names
	}
	for _, h := range c.Handlers {
		if h.Decl == nil || len(h.Params) != len(s.Params) || names[h.Name] || len(s.Name)-len(h.Name) > 1 || len(h.Name)-len(s.Name) > 1 {
			continue // a sure guess is one edit away
		}
		if guess := r.nearest(h.Name, among(names)); guess.Sure && guess.Name == s.Name {
			return true
		}
	}
	return false
}

// dress gives the parameters of a handler in a flesh the types of the face.
func (r *resolver) dress(s *Signal, h *Handler) {
	for i := range h.Params {
		if h.Params[i].Name != s.Params[i].Name {
			r.report(parameterNameMismatch(h.Params[i], s.Params[i]))
		}
		h.Params[i].Type = s.Params[i].Type
	}
}

// edgeNames are the edges as frames name them.
func (m *Machine) edgeNames() []string {
	var out []string
	for _, e := range m.Edges {
		out = append(out, e.From+" -> "+e.To)
	}
	return out
}

func (c *Cell) signalNames() []string {
	var out []string
	for _, s := range c.Signals {
		out = append(out, s.Name)
	}
	return out
}

// frames reads the clauses of a cell's signals. In a skeleton a signal without clauses is
// pure; in a plain cell it is unframed.
func (r *resolver) frames(c *Cell) {
	for _, s := range c.Signals {
		if len(s.Decl.Clauses) == 0 && !c.isSkeleton() {
			continue
		}
		s.Frame = &Frame{}
		stated := map[string]source.Span{}
		for _, clause := range s.Decl.Clauses {
			for _, item := range clause.Items {
				key := fmt.Sprint(clause.Kind, item.At.Normal())
				if first, again := stated[key]; again {
					r.report(repeatedItem(item, first))
					continue
				}
				stated[key] = item.At
				switch clause.Kind {
				case syntax.Reads:
					r.reads(s, item)
				case syntax.Writes:
					r.writes(s, item)
				case syntax.Moves:
					r.movesClause(s, item)
				case syntax.Calls:
					r.calls(s, item)
				}
			}
		}
	}
}

func (r *resolver) reads(s *Signal, item *syntax.ClauseItem) {
	name := item.Name.Name
	if slot := s.Cell.slot(name); slot != nil {
		s.Frame.Reads = append(s.Frame.Reads, FrameSlot{Slot: slot, Item: item})
		return
	}
	if m := s.Cell.Machine; m != nil && m.Name == name {
		s.Frame.Reads = append(s.Frame.Reads, FrameSlot{Machine: m, Item: item})
		return
	}
	names := s.Cell.slotNames()
	if s.Cell.Machine != nil {
		names = append(names, s.Cell.Machine.Name)
	}
	r.report(unknownFrameSlot(item, s, r.nearest(name, these(names))))
}

func (r *resolver) writes(s *Signal, item *syntax.ClauseItem) {
	if slot := s.Cell.slot(item.Name.Name); slot != nil {
		s.Frame.Writes = append(s.Frame.Writes, FrameSlot{Slot: slot, Item: item})
		return
	}
	r.report(unknownFrameSlot(item, s, r.nearest(item.Name.Name, s.Cell.slotNames)))
}

func (c *Cell) slotNames() []string {
	var out []string
	for _, s := range c.Slots {
		out = append(out, s.Name)
	}
	return out
}

func (r *resolver) movesClause(s *Signal, item *syntax.ClauseItem) {
	m := s.Cell.Machine
	if m != nil && item.To != nil && (!m.HasState(item.Name.Name) && !m.lacks(item.Name.Name) || !m.HasState(item.To.Name) && !m.lacks(item.To.Name)) {
		return
	}
	if m == nil || item.To == nil {
		r.report(unknownFrameEdge(item, s, nil, near.Guess{}))
		return
	}
	e := m.Edge(item.Name.Name, item.To.Name)
	if e == nil {
		r.report(unknownFrameEdge(item, s, m, r.nearest(item.At.Normal(), m.edgeNames)))
		return
	}
	s.Frame.Moves = append(s.Frame.Moves, FrameEdge{Edge: e, Item: item})
}

// calls reads a callee by name: a sibling, a builtin, or the handlers of the one other cell
// that has the name. Handlers that share a name are all meant.
func (r *resolver) calls(s *Signal, item *syntax.ClauseItem) {
	name := item.Name.Name
	add := func(list []*Handler) {
		for _, h := range list {
			if !h.Public {
				r.report(privateInFrame(item, s))
				return
			}
			s.Frame.Calls = append(s.Frame.Calls, FrameCall{Handler: h, Item: item})
		}
	}
	if item.Cell != nil {
		cell := r.cells[item.Cell.Name]
		if cell == nil && r.excused[item.Cell.Name] {
			return
		}
		if cell == nil {
			r.report(unknownFrameCell(item, s, r.nearest(item.Cell.Name, among(r.cells))))
			return
		}
		list := cell.named(name)
		if len(list) == 0 {
			r.report(unknownFrameCallee(item, s, r.nearest(name, cell.handlerNames)))
			return
		}
		add(list)
		return
	}
	if list := s.Cell.named(name); len(list) > 0 {
		add(list)
		return
	}
	if name == "emit" {
		s.Frame.Calls = append(s.Frame.Calls, FrameCall{Emit: true, Item: item})
		return
	}
	if b := builtin.Lookup(name); b != nil {
		s.Frame.Calls = append(s.Frame.Calls, FrameCall{Builtin: b, Item: item})
		return
	}
	list := r.handlers[name]
	switch {
	case len(list) == 0 && r.excused[name]:
	case len(list) == 0:
		r.report(unknownFrameCallee(item, s, r.nearest(name, r.calleeNames, these([]string{"emit"}))))
	case !oneCell(list):
		r.report(ambiguousFrameCallee(item, list))
	default:
		add(list)
	}
}

func oneCell(list []*Handler) bool {
	for _, h := range list {
		if h.Cell != list[0].Cell {
			return false
		}
	}
	return true
}

func (c *Cell) handlerNames() []string {
	var out []string
	for _, h := range c.Handlers {
		if h.Decl != nil {
			out = append(out, h.Name)
		}
	}
	return out
}

// calleeNames lists everything that can be called by a bare name.
func (r *resolver) calleeNames() []string {
	names := keysOf(r.handlers)
	for _, b := range builtin.All() {
		names = append(names, b.Name)
	}
	return names
}
