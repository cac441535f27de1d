package interp

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// Assignments to elements rebuild the value around the element: values never change.

// step is one accessor of a place: a field, or an index that has been evaluated.
type step struct {
	field string
	index Value // nil for a field
}

// place is an assignable place: a local or a slot, and the way into it.
type place struct {
	local *Value
	slot  *resolve.Slot
	path  []step
}

// assign compiles place = e and place op= e: the indexes of the place first, then e, then,
// of a compound assignment, the old value.
func (c *compiler) assign(s *syntax.Assign) exec {
	if name, ok := syntax.Unparen(s.Target).(*syntax.Name); ok {
		if i, ok := c.plainLocal(name); ok {
			return c.assignLocal(s, i, name.Name)
		}
	}
	target, value, w := c.place(s.Target), c.expr(s.Value), c.w
	return func(f *frame) (Value, error) {
		p := &place{}
		if err := target(f, p); err != nil {
			return nil, at(err, s.At)
		}
		v, err := value(f)
		if err != nil {
			return nil, err
		}
		if s.Op != syntax.NoOp {
			old, err := w.load(p)
			if err == nil {
				v, err = w.combine(s.Op, old, v)
			}
			if err != nil {
				return nil, at(err, s.At)
			}
		}
		return Unit{}, at(w.storeAt(p, v), s.At)
	}
}

// combine is old op v; ??= keeps what is there.
func (w *World) combine(op syntax.BinOp, old, v Value) (Value, error) {
	if op == syntax.CoalesceOp {
		if old.Kind() != UnitKind {
			return old, nil
		}
		return v, nil
	}
	return w.operate(op, old, v)
}

// assignLocal is the frequent `x = e` and `x += e` of a local that no lambda speaks of.
func (c *compiler) assignLocal(s *syntax.Assign, i int, name string) exec {
	value, w, fast, op := c.expr(s.Value), c.w, smallOps[s.Op], s.Op
	return func(f *frame) (Value, error) {
		if f.locals[i] == nil {
			return nil, at(errUndefinedVariable(name), s.At)
		}
		v, err := value(f)
		if err != nil {
			return nil, err
		}
		if op == syntax.NoOp {
			f.locals[i] = v
			return Unit{}, nil
		}
		old := f.locals[i]
		if fast != nil {
			if m, ok := old.(Int); ok && m.big == nil {
				if n, ok := v.(Int); ok && n.big == nil {
					if r := fast(m.small, n.small); r != nil {
						f.locals[i] = r
						return Unit{}, nil
					}
				}
			}
		}
		if v, err = w.combine(op, old, v); err != nil {
			return nil, at(err, s.At)
		}
		f.locals[i] = v
		return Unit{}, nil
	}
}

// place compiles a target: its indexes are evaluated left to right.
func (c *compiler) place(x syntax.Expr) func(f *frame, p *place) error {
	c.depth++
	c.height = max(c.height, c.depth)
	defer func() { c.depth-- }()
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Name:
		if ref := c.w.ref(x); ref != nil && ref.Kind == resolve.RefSlot {
			return func(_ *frame, p *place) error { p.slot = ref.Slot; return nil }
		}
		a, span := c.unit.uses[x], x.Span()
		return func(f *frame, p *place) error {
			if f.look(a) == nil {
				return at(errUndefinedVariable(x.Name), span)
			}
			if b := f.boxOf(a); b != nil {
				p.local = &b.v
			} else {
				p.local = &f.locals[a.v.index]
			}
			return nil
		}
	case *syntax.Field:
		if use := c.w.prog.Info.Slots[x]; use != nil && use.Op == "value" {
			return func(_ *frame, p *place) error { p.slot = use.Slot; return nil }
		}
		inner := c.place(x.X)
		return func(f *frame, p *place) error {
			err := inner(f, p)
			p.path = append(p.path, step{field: x.Name.Name})
			return err
		}
	case *syntax.Index:
		inner, index := c.place(x.X), c.expr(x.I)
		return func(f *frame, p *place) error {
			if err := inner(f, p); err != nil {
				return err
			}
			i, err := index(f)
			p.path = append(p.path, step{index: i})
			return err
		}
	}
	return func(*frame, *place) error { return errType("this cannot be assigned to") }
}

// load is the present value of a place.
func (w *World) load(p *place) (Value, error) {
	v, path, err := w.root(p)
	for _, s := range path {
		if err != nil {
			return nil, err
		}
		v, err = w.get(v, s)
	}
	return v, err
}

// root is the value a place starts from, and the way that is left.
func (w *World) root(p *place) (Value, []step, error) {
	if p.slot == nil {
		return *p.local, p.path, nil
	}
	if len(p.path) == 0 || p.path[0].index == nil {
		return nil, nil, errType("a slot cannot be assigned to as a whole")
	}
	v, err := w.slotAt(p.slot, p.path[0].index)
	return v, p.path[1:], err
}

func (w *World) get(v Value, s step) (Value, error) {
	if s.index != nil {
		return w.indexOf(v, s.index)
	}
	return w.fieldOf(v, s.field)
}

// storeAt writes a place.
func (w *World) storeAt(p *place, v Value) error {
	if p.slot == nil {
		v, err := w.replaced(*p.local, p.path, v)
		if err == nil {
			*p.local = v
		}
		return err
	}
	if len(p.path) == 1 && p.path[0].index != nil {
		return w.slotSet(p.slot, p.path[0].index, v)
	}
	old, path, err := w.root(p)
	if err != nil {
		return err
	}
	if old.Kind() == UnitKind {
		return errNoEntry(p.slot, p.path[0].index)
	}
	v, err = w.replaced(old, path, v)
	if err != nil {
		return err
	}
	return w.slotSet(p.slot, p.path[0].index, v)
}

// replaced is root with the element at the end of the path replaced by v.
func (w *World) replaced(root Value, path []step, v Value) (Value, error) {
	if len(path) == 0 {
		return v, nil
	}
	inner := v
	if len(path) > 1 {
		old, err := w.get(root, path[0])
		if err != nil {
			return nil, err
		}
		if inner, err = w.replaced(old, path[1:], v); err != nil {
			return nil, err
		}
	}
	return w.put(root, path[0], inner)
}

// withEntry is m with an entry set: all values are copied unless the key is new.
func (w *World) withEntry(m *Map, key string, v Value) (*Map, error) {
	cost := mapBytes(1)
	if _, had := m.Get(key); had {
		cost = 16 * m.Len()
	} else if m.Len() >= maxItems {
		return nil, errMemory()
	}
	if err := w.allocate(cost); err != nil {
		return nil, err
	}
	return m.With(key, v), nil
}

// put is v with one element replaced.
func (w *World) put(v Value, s step, x Value) (Value, error) {
	switch v := v.(type) {
	case *Map:
		key := s.field
		if s.index != nil {
			var ok bool
			if key, ok = keyText(s.index); !ok {
				return nil, errKey("a key", s.index)
			}
		}
		return w.withEntry(v, key, x)
	case *List:
		if s.index == nil {
			break
		}
		i, ok, err := listIndex("an index of a list", s.index, v.Len())
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errIndex(s.index, v.Len())
		}
		if err := w.allocate(16 * v.Len()); err != nil {
			return nil, err
		}
		return v.with(i, x), nil
	case *Variant:
		for i, p := range v.Of.Fields {
			if s.index == nil && v.Of.Struct && p.Name == s.field {
				fields := append([]Value(nil), v.Fields...)
				fields[i] = x
				return w.build(v.Of, fields)
			}
		}
	}
	if s.index == nil {
		return nil, errNoField(v, s.field)
	}
	return nil, errNotIndexable(v)
}
