package interp

import "soma.cell/frontend/resolve"

// callSlot runs an operation on a memory slot.
func (w *World) callSlot(f *frame, callee *resolve.Callee, args []Value) (Value, error) {
	s := callee.Slot
	switch callee.Op {
	case "get":
		v, ok, err := w.entry(s, args[0])
		if err != nil || !ok {
			return Unit{}, err
		}
		return v, nil
	case "has":
		_, ok, err := w.entry(s, args[0])
		return Bool(ok), err
	case "set":
		return Unit{}, w.slotSet(s, args[0], args[1])
	case "delete":
		had, err := w.slotDelete(s, args[0])
		return Bool(had), err
	case "push", "append":
		for _, v := range args {
			if err := w.slotPush(s, v); err != nil {
				return nil, err
			}
		}
		return Unit{}, nil
	}
	return w.slotField(f, s, callee.Op)
}

// slotField is a pseudo-field of a slot, or the slot itself.
func (w *World) slotField(f *frame, s *resolve.Slot, op string) (Value, error) {
	st := w.slot(s)
	switch op {
	case "len", "size":
		if f.rule != nil && f.rule.slot == s {
			return NewInt(int64(f.rule.size)), nil
		}
		return NewInt(int64(st.size())), nil
	case "keys":
		return stringList(st.keys()), w.spend(st.size())
	}
	v, err := w.slotValue(s)
	if err != nil {
		return nil, err
	}
	switch op {
	case "values":
		if l, ok := v.(*List); ok {
			return l, nil
		}
		return NewList(v.(*Map).vals...), nil
	case "last":
		return pseudoField(v, "last"), nil
	}
	return v, nil
}
