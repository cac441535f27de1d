package witness

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// reading is what a handler's text shows that helps to choose arguments: the literals that
// tests compare with, first those of the handler itself, then those of all that it may call;
// and what it may do. It only orders the search, so it need not be complete.
type reading struct {
	tested  *literals // in conditions and patterns of the handler and of its machine's guards
	own     *literals // anywhere in the handler
	all     *literals // anywhere in what it may call
	hints   map[string]*hint
	ids     map[string]bool // names used as an instance id
	moves   []step
	changes bool // may change memory or a machine
}

// hint is what a name is compared with.
type hint struct {
	literals
	memory bool // something that memory holds
}

// step is an edge that a call of transition may take; "" stands for any state.
type step struct {
	machine  *resolve.Machine // nil: any
	from, to string
}

// mayTake tells whether a call of transition fits an edge.
func (r *reading) mayTake(g Goal) bool {
	for _, m := range r.moves {
		if (m.machine == nil || m.machine == g.Machine) && (m.from == "" || m.from == g.From) && (m.to == "" || m.to == g.To) {
			return true
		}
	}
	return false
}

// reader reads one handler and what it may call. Emits count as calls of their listeners,
// computed delegates and models with tools as calls of everything.
type reader struct {
	p *resolve.Program
	*reading
	seen  map[*resolve.Handler]bool
	queue []*resolve.Handler
}

func readHandler(p *resolve.Program, h *resolve.Handler) *reading {
	r := &reader{p: p, seen: map[*resolve.Handler]bool{}, reading: &reading{
		tested: &literals{}, own: &literals{}, all: &literals{}, hints: map[string]*hint{}, ids: map[string]bool{},
	}}
	r.own.read(h.Body)
	r.call(h)
	for len(r.queue) > 0 {
		next := r.queue[0]
		r.queue = r.queue[1:]
		r.all.read(next.Body)
		syntax.Inspect(next.Body, func(n syntax.Node) bool { r.node(n); return true })
		if m := next.Cell.Machine; m != nil {
			for _, e := range m.Edges {
				syntax.Inspect(e.Row.Guard, func(n syntax.Node) bool { r.node(n); return true })
				r.all.read(e.Row.Guard)
			}
		}
	}
	return r.reading
}

func (r *reader) call(h *resolve.Handler) {
	if !r.seen[h] {
		r.seen[h] = true
		r.queue = append(r.queue, h)
	}
}

func (r *reader) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Emit:
		for _, h := range r.p.Info.Listeners[n] {
			r.call(h)
		}
	case *syntax.Assign:
		if _, plain := n.Target.(*syntax.Name); !plain {
			r.changes = true
		}
	case *syntax.Binary:
		if n.Op >= syntax.EqOp && n.Op <= syntax.GeOp {
			r.compared(n.X, n.Y)
		}
	case *syntax.Match:
		parts := []syntax.Node{n.X}
		for _, arm := range n.Arms {
			for _, p := range arm.Patterns {
				parts = append(parts, p)
			}
		}
		r.compared(parts...)
	}
	if x, ok := n.(syntax.Expr); ok {
		if callee := r.p.Info.Calls[x]; callee != nil {
			r.callee(callee, x)
		}
	}
}

// compared gives every name in the parts of a test the literals in them as a hint.
func (r *reader) compared(parts ...syntax.Node) {
	found := &literals{}
	memory := false
	var names []string
	for _, p := range parts {
		found.read(p)
		syntax.Inspect(p, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Name:
				names = append(names, n.Name)
			case *syntax.Index:
				memory = memory || r.p.Info.Slots[n] != nil
			case *syntax.Method:
				c := r.p.Info.Calls[n]
				memory = memory || c != nil && c.Kind == resolve.CallSlot
			}
			return true
		})
	}
	r.tested.merge(found)
	for _, name := range names {
		h := r.hints[name]
		if h == nil {
			h = &hint{}
			r.hints[name] = h
		}
		h.merge(found)
		h.memory = h.memory || memory
	}
}

func (r *reader) callee(c *resolve.Callee, x syntax.Expr) {
	switch c.Kind {
	case resolve.CallHandler, resolve.CallCellAs:
		r.call(c.Handler)
	case resolve.CallSlot:
		switch c.Op {
		case "set", "delete", "push", "append":
			r.changes = true
		}
	case resolve.CallBuiltin:
		r.builtin(c, x)
	}
}

func (r *reader) builtin(c *resolve.Callee, x syntax.Expr) {
	args := arguments(x)
	switch c.Builtin.Name {
	case "transition":
		r.changes = true
		r.move(c.Machine, args)
		r.id(args)
	case "get_status", "has_state", "valid_transitions":
		r.id(args)
	case "next_id", "remember":
		r.changes = true
	case "delegate", "think", "think_json":
		for _, cell := range r.p.Cells {
			for _, h := range cell.Handlers {
				if c.Builtin.Name == "delegate" || h.Signal != nil && h.Signal.Tool {
					r.call(h)
				}
			}
		}
	case "contains", "starts_with", "ends_with", "index_of", "str_eq", "is_a":
		parts := make([]syntax.Node, len(args))
		for i, a := range args {
			parts[i] = a
		}
		r.compared(parts...)
	}
}

// arguments are those of a call, a receiver first.
func arguments(x syntax.Expr) []syntax.Expr {
	switch x := x.(type) {
	case *syntax.Call:
		return x.Args
	case *syntax.Method:
		return append([]syntax.Expr{x.X}, x.Args...)
	case *syntax.Pipe:
		return append([]syntax.Expr{x.X}, x.Call.Args...)
	}
	return nil
}

func (r *reader) id(args []syntax.Expr) {
	if len(args) == 0 {
		return
	}
	if n, ok := syntax.Unparen(args[0]).(*syntax.Name); ok {
		r.ids[n.Name] = true
	}
}

func (r *reader) move(m *resolve.Machine, args []syntax.Expr) {
	s := step{machine: m}
	if len(args) > 1 {
		s.to = r.state(args[len(args)-1])
	}
	if len(args) > 2 {
		s.from = r.state(args[1])
	}
	r.moves = append(r.moves, s)
}

// state is the state that an expression names, or "".
func (r *reader) state(x syntax.Expr) string {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.String:
		text, _ := x.Literal()
		return text
	case *syntax.VariantRef:
		return x.Name.Name
	case *syntax.Name:
		if ref := r.p.Info.Names[x]; ref != nil && ref.Kind == resolve.RefState {
			return x.Name
		}
	}
	return ""
}
