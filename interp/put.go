package interp

import (
	"maps"
	"slices"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
)

// Putting a world into a state from outside: for runs that start in the midst of things.

// Put stores a value under a key as if it had always been there: of the right type, judged by no
// rule. In a list slot the key is an index that is there, or the next.
func (w *World) Put(s *resolve.Slot, key, v Value) error {
	v, err := w.admit(s, v)
	if err != nil {
		return err
	}
	if s.IsList {
		return w.putItem(s, key, v)
	}
	k, ok := keyText(key)
	if !ok || !keyConforms(k, s.Key) {
		return errKey("a key of slot `"+s.Name+"`", key)
	}
	w.own(s).entries[k] = v
	return nil
}

func (w *World) putItem(s *resolve.Slot, key, v Value) error {
	st := w.own(s)
	i, ok := key.(Int)
	at, fits := i.Int64()
	switch {
	case !ok || !fits || at < 0 || at > int64(len(st.items)):
		return errIndex(key, len(st.items))
	case at == int64(len(st.items)):
		st.items = append(st.items, v)
	default:
		st.items[at] = v
	}
	return nil
}

// PutStatus puts an instance of a machine into one of its states.
func (w *World) PutStatus(m *resolve.Machine, id, state string) error {
	if !m.HasState(state) {
		return errNoEdge(m, id, w.status(m, id), state)
	}
	w.setStatus(m, id, state)
	return nil
}

// Judge tells whether all that is stored, and each instance that moved, obeys the rules: the error
// is that of the first which does not hold.
func (w *World) Judge() error {
	for _, c := range w.prog.Cells {
		for _, s := range c.Slots {
			keys, values := w.Entries(s)
			for i, k := range keys {
				for _, r := range w.rules[c] {
					if r.total || !slices.Contains(r.guards, s) {
						continue
					}
					if err := w.judge(r, s, k, values[i], len(keys), "what is stored"); err != nil {
						return err
					}
				}
			}
		}
	}
	if err := w.judgeInstances(); err != nil {
		return err
	}
	return w.checkTotals()
}

// judgeInstances judges the rules on status for each instance that is not in its initial state: it
// came there by a move that was judged, and so was each removal since. Entries that fade, nothing
// judged.
func (w *World) judgeInstances() error {
	for _, c := range w.prog.Cells {
		if c.Machine == nil {
			continue
		}
		state := w.machines[w.machineIndex[c.Machine]].state
		for _, id := range slices.Sorted(maps.Keys(state)) {
			if state[id] == c.Machine.Initial {
				continue
			}
			for _, r := range w.rules[c] {
				if slices.ContainsFunc(r.guards, fades) {
					continue
				}
				if err := w.checkStatus(r, c.Machine, id, state[id]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fades tells whether entries of a slot may go without a delete.
func fades(s *resolve.Slot) bool {
	return s.Attrs["ephemeral"] != nil || s.Attrs["ttl"] != nil || s.Attrs["capacity"] != nil
}

// Given is what a builtin gives instead of what it would.
type Given struct {
	Builtin string
	Value   Value
}

// Script replaces the mocks: each reply serves the next call of its builtin. What a builtin could
// not give is left out.
func (w *World) Script(replies []Given) {
	w.mocks = mocks{}
	for _, r := range replies {
		b := builtin.Lookup(r.Builtin)
		if b == nil || !mayReply(b, r.Value) {
			continue
		}
		if w.mocks.builtins == nil {
			w.mocks.builtins = map[string][]scripted{}
		}
		queue(w.mocks.builtins, b.Name, []scripted{{value: r.Value}})
	}
}
