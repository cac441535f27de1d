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

func (w *World) assign(f *frame, s *syntax.Assign) error {
	p, err := w.placeOf(f, s.Target)
	if err != nil {
		return err
	}
	v, err := w.eval(f, s.Value)
	if err != nil {
		return err
	}
	if s.Op != syntax.NoOp {
		old, err := w.load(p)
		if err != nil {
			return err
		}
		if s.Op == syntax.CoalesceOp {
			if old.Kind() != UnitKind {
				v = old
			}
		} else if v, err = w.operate(s.Op, old, v); err != nil {
			return err
		}
	}
	return w.storeAt(p, v)
}

// placeOf evaluates the indexes of a target, left to right.
func (w *World) placeOf(f *frame, x syntax.Expr) (*place, error) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Name:
		if ref := w.ref(x); ref != nil && ref.Kind == resolve.RefSlot {
			return &place{slot: ref.Slot}, nil
		}
		v := f.scope.place(x.Name)
		if v == nil {
			return nil, errUndefinedVariable(x.Name)
		}
		return &place{local: v}, nil
	case *syntax.Field:
		if use := w.prog.Info.Slots[x]; use != nil && use.Op == "value" {
			return &place{slot: use.Slot}, nil
		}
		p, err := w.placeOf(f, x.X)
		if err != nil {
			return nil, err
		}
		p.path = append(p.path, step{field: x.Name.Name})
		return p, nil
	case *syntax.Index:
		p, err := w.placeOf(f, x.X)
		if err != nil {
			return nil, err
		}
		i, err := w.eval(f, x.I)
		if err != nil {
			return nil, err
		}
		p.path = append(p.path, step{index: i})
		return p, nil
	}
	return nil, errType("this cannot be assigned to")
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
		return indexOf(v, s.index)
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
		return v.With(key, x), w.spend(v.Len() >> 4)
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
		return v.with(i, x), w.spend(v.Len() >> 4)
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
