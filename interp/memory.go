package interp

import (
	"maps"
	"slices"

	"soma.cell/frontend/resolve"
)

// store is the content of one slot: entries of a map slot, items of a list slot. A shared
// store is copied before its first change.
type store struct {
	entries map[string]Value
	items   []Value
	shared  bool
}

// slot gives the content for reading.
func (w *World) slot(s *resolve.Slot) *store { return &w.slots[w.slotIndex[s]] }

// own gives the content for writing.
func (w *World) own(s *resolve.Slot) *store {
	st := w.slot(s)
	if st.shared {
		st.entries, st.items, st.shared = maps.Clone(st.entries), slices.Clone(st.items), false
	}
	if st.entries == nil && !s.IsList {
		st.entries = map[string]Value{}
	}
	return st
}

// size is the number of entries.
func (st *store) size() int { return len(st.entries) + len(st.items) }

// keys are the keys of a map slot, sorted.
func (st *store) keys() []string { return slices.Sorted(maps.Keys(st.entries)) }

// slotValue is the whole slot as a value.
func (w *World) slotValue(s *resolve.Slot) (Value, error) {
	st := w.slot(s)
	if err := w.allocate(16 * st.size()); err != nil {
		return nil, err
	}
	if s.IsList {
		return NewList(slices.Clone(st.items)...), nil
	}
	m := NewMap()
	for _, k := range st.keys() {
		m = m.With(k, st.entries[k])
	}
	return m, nil
}

// entry finds the value under a key: of a list slot, an index, negative from the end.
func (w *World) entry(s *resolve.Slot, key Value) (Value, bool, error) {
	st := w.slot(s)
	if s.IsList {
		i, ok, err := listIndex("an index of slot `"+s.Name+"`", key, len(st.items))
		if err != nil || !ok {
			return nil, false, err
		}
		return st.items[i], true, nil
	}
	k, ok := keyText(key)
	if !ok {
		return nil, false, errKey("a key of slot `"+s.Name+"`", key)
	}
	v, ok := st.entries[k]
	return v, ok, nil
}

// listIndex reads an index into n items; negative ones count from the end.
func listIndex(what string, key Value, n int) (int, bool, error) {
	i, ok := key.(Int)
	if !ok {
		return 0, false, errType("%s must be an Int, this is %s", what, aKind(key))
	}
	at, ok := i.Int64()
	if ok && at < 0 {
		at += int64(n)
	}
	return int(at), ok && at >= 0 && at < int64(n), nil
}

// slotSet writes one entry.
func (w *World) slotSet(s *resolve.Slot, key, v Value) error {
	if s.IsList {
		return w.listSet(s, key, v)
	}
	k, ok := keyText(key)
	if !ok {
		return errKey("a key of slot `"+s.Name+"`", key)
	}
	if !keyConforms(k, s.Key) {
		return errType("a key of slot `%s` must be %s, this is %q", s.Name, s.Key, k)
	}
	v, err := w.admit(s, v)
	if err != nil {
		return err
	}
	old, had := w.slot(s).entries[k]
	if had && s.Attrs["immutable"] != nil {
		return errImmutable(s, "the entry '"+clip(k)+"' is there already")
	}
	size := w.slot(s).size()
	if !had {
		size++
	}
	if err := w.checkWrite(s, String(k), v, size); err != nil {
		return err
	}
	if err := w.allocate(entryBytes); err != nil {
		return err
	}
	w.own(s).entries[k] = v
	w.trace(Step{Kind: StepWrite, Cell: s.Cell.Name, Name: s.Name, Key: String(k), Value: v})
	w.undoWith(func() { w.putBack(s, k, old, had) })
	return nil
}

func (w *World) putBack(s *resolve.Slot, key string, old Value, had bool) {
	if had {
		w.own(s).entries[key] = old
	} else {
		delete(w.own(s).entries, key)
	}
}

func (w *World) listSet(s *resolve.Slot, key, v Value) error {
	n := len(w.slot(s).items)
	i, ok, err := listIndex("an index of slot `"+s.Name+"`", key, n)
	if err != nil {
		return err
	}
	if !ok {
		return errIndex(key, n)
	}
	if s.Attrs["immutable"] != nil {
		return errImmutable(s, "a list only grows")
	}
	v, err = w.admit(s, v)
	if err != nil {
		return err
	}
	if err := w.checkWrite(s, NewInt(int64(i)), v, n); err != nil {
		return err
	}
	if err := w.allocate(entryBytes); err != nil {
		return err
	}
	st := w.own(s)
	old := st.items[i]
	st.items[i] = v
	w.trace(Step{Kind: StepWrite, Cell: s.Cell.Name, Name: s.Name, Key: NewInt(int64(i)), Value: v})
	w.undoWith(func() { w.own(s).items[i] = old })
	return nil
}

// slotPush appends to a list slot.
func (w *World) slotPush(s *resolve.Slot, v Value) error {
	v, err := w.admit(s, v)
	if err != nil {
		return err
	}
	n := len(w.slot(s).items)
	if n >= maxItems {
		return errMemory()
	}
	if err := w.checkWrite(s, NewInt(int64(n)), v, n+1); err != nil {
		return err
	}
	if err := w.allocate(entryBytes); err != nil {
		return err
	}
	st := w.own(s)
	st.items = append(st.items, v)
	w.trace(Step{Kind: StepPush, Cell: s.Cell.Name, Name: s.Name, Value: v})
	w.undoWith(func() { st := w.own(s); st.items = st.items[:n] })
	return nil
}

// slotDelete removes an entry and tells whether it was there.
func (w *World) slotDelete(s *resolve.Slot, key Value) (bool, error) {
	old, had, err := w.entry(s, key)
	if err != nil || !had {
		return false, err
	}
	if s.Attrs["immutable"] != nil {
		return false, errImmutable(s, "nothing is deleted from it")
	}
	if s.IsList {
		return true, w.listDelete(s, key, old)
	}
	k, _ := keyText(key)
	if err := w.checkDelete(s, String(k)); err != nil {
		return false, err
	}
	if err := w.allocate(entryBytes); err != nil {
		return false, err
	}
	delete(w.own(s).entries, k)
	w.trace(Step{Kind: StepDelete, Cell: s.Cell.Name, Name: s.Name, Key: String(k)})
	w.undoWith(func() { w.own(s).entries[k] = old })
	return true, nil
}

func (w *World) listDelete(s *resolve.Slot, key, old Value) error {
	i, _, _ := listIndex("", key, len(w.slot(s).items))
	if err := w.checkDelete(s, NewInt(int64(i))); err != nil {
		return err
	}
	if err := w.checkShift(s, i); err != nil {
		return err
	}
	if err := w.allocate(entryBytes + 16*len(w.slot(s).items)); err != nil {
		return err
	}
	st := w.own(s)
	st.items = slices.Delete(st.items, i, i+1)
	w.trace(Step{Kind: StepDelete, Cell: s.Cell.Name, Name: s.Name, Key: NewInt(int64(i))})
	w.undoWith(func() { st := w.own(s); st.items = slices.Insert(st.items, i, old) })
	return nil
}

// admit enforces the type of a slot's entries.
func (w *World) admit(s *resolve.Slot, v Value) (Value, error) {
	if depthOf(v) > maxDepth {
		return nil, errDeep()
	}
	got, ok := conform(v, s.Value)
	if !ok {
		return nil, errSlotType(s, v)
	}
	return got, nil
}
