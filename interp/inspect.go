package interp

import (
	"maps"
	"slices"
	"strconv"

	"soma.cell/frontend/resolve"
)

// Looking at a world from outside: what a search over its states needs.

// StepsUsed is how many steps the last invocation took.
func (w *World) StepsUsed() int { return w.opts.Steps - max(w.steps, 0) }

// Digest is a text that two states of a program share only when they are the same: first the
// machine instances, then everything.
func (w *World) Digest() (machines, all string) {
	var b printer
	for _, in := range w.machines {
		for _, id := range slices.Sorted(maps.Keys(in.state)) {
			b.WriteString(strconv.Quote(id))
			b.WriteString(strconv.Quote(in.state[id]))
		}
		b.WriteByte(';')
	}
	machines = b.String()
	for i := range w.slots {
		st := &w.slots[i]
		for _, k := range st.keys() {
			writeQuoted(&b.Builder, k)
			b.value(st.entries[k])
		}
		for _, v := range st.items {
			b.value(v)
			b.WriteByte(',')
		}
		b.WriteByte(';')
	}
	for _, c := range w.prog.Cells {
		b.WriteString(strconv.FormatInt(w.ids[c], 10))
		if m := w.kept[c]; m != nil {
			b.entries(m)
		}
		b.WriteByte(';')
	}
	return machines, b.String()
}

// Instances are the states of a machine's instances that ever moved, by id.
func (w *World) Instances(m *resolve.Machine) map[string]string {
	return maps.Clone(w.machines[w.machineIndex[m]].state)
}

// Entries are the keys and values of a slot, in order.
func (w *World) Entries(s *resolve.Slot) (keys, values []Value) {
	st := w.slot(s)
	for _, k := range st.keys() {
		keys, values = append(keys, String(k)), append(values, st.entries[k])
	}
	for i, v := range st.items {
		keys, values = append(keys, NewInt(int64(i))), append(values, v)
	}
	return keys, values
}

// Stored are up to limit texts and Ints that memory holds as keys, entries or parts of
// entries, each once, in order of slots and keys.
func (w *World) Stored(limit int) []Value {
	found := &collector{limit: limit, seen: map[Value]bool{}}
	for i := range w.slots {
		st := &w.slots[i]
		for _, k := range st.keys() {
			found.add(String(k))
			found.add(st.entries[k])
		}
		for _, v := range st.items {
			found.add(v)
		}
	}
	return found.out
}

type collector struct {
	limit int
	seen  map[Value]bool
	out   []Value
}

func (c *collector) add(v Value) {
	if len(c.out) >= c.limit {
		return
	}
	switch v := v.(type) {
	case String, Int:
		if !c.seen[v] {
			c.seen[v] = true
			c.out = append(c.out, v)
		}
	case *List:
		for _, x := range v.items {
			c.add(x)
		}
	case *Map:
		for _, x := range v.vals {
			c.add(x)
		}
	case *Variant:
		for _, x := range v.Fields {
			c.add(x)
		}
	}
}
