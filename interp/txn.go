package interp

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"soma.cell/frontend/resolve"
)

// transaction runs body; what it wrote and moved is undone when it raises. Transactions
// nest; the outermost commits.
func (w *World) transaction(body func() (Value, error)) (Value, error) {
	mark := len(w.journal)
	w.open++
	v, err := body()
	if _, raised := err.(*Error); raised {
		w.rollback(mark)
	}
	w.open--
	if w.open == 0 {
		w.moves = append(w.moves, w.pending...)
		w.journal, w.pending = w.journal[:0], w.pending[:0]
	}
	return v, err
}

func (w *World) rollback(mark int) {
	for i := len(w.journal) - 1; i >= mark; i-- {
		w.journal[i]()
	}
	clear(w.journal[mark:])
	w.journal = w.journal[:mark]
}

// undoWith notes how to undo what was just done. Outside a transaction each step stands alone.
func (w *World) undoWith(undo func()) {
	if w.open > 0 {
		w.journal = append(w.journal, undo)
	}
}

// outermost runs a handler called from outside: a transaction that, before it commits, checks
// the rules about totals, and that gives back the ids it drew when it fails.
func (w *World) outermost(body func() (Value, error)) (Value, error) {
	ids := maps.Clone(w.ids)
	v, err := w.transaction(func() (Value, error) {
		v, err := body()
		if err == nil {
			err = w.checkTotals()
		}
		return v, err
	})
	if err != nil {
		w.ids = ids
	}
	return v, err
}

// Snapshot is a state of a World to come back to, the clock, chance and spent tokens included:
// what follows a restored state is what would have followed it. It shares memory with the
// world until either changes.
type Snapshot struct {
	slots    []store
	machines []instances
	ids      map[*resolve.Cell]int64
	kept     map[*resolve.Cell]*Map
	agent    agent
	chance   rand.PCG
	slept    time.Duration
}

// Snapshot takes the present state. It must not be called inside a call.
func (w *World) Snapshot() *Snapshot {
	for i := range w.slots {
		w.slots[i].shared = true
	}
	for i := range w.machines {
		w.machines[i].shared = true
	}
	w.agent.trace = slices.Clip(w.agent.trace)
	return &Snapshot{
		slots: slices.Clone(w.slots), machines: slices.Clone(w.machines),
		ids: maps.Clone(w.ids), kept: maps.Clone(w.kept),
		agent: w.agent, chance: w.chance, slept: w.slept,
	}
}

// Restore goes back to a snapshot of this world and forgets the moves made so far.
func (w *World) Restore(s *Snapshot) {
	w.slots = append(w.slots[:0], s.slots...)
	w.machines = append(w.machines[:0], s.machines...)
	w.ids, w.kept = maps.Clone(s.ids), maps.Clone(s.kept)
	w.agent, w.chance, w.slept = s.agent, s.chance, s.slept
	w.moves = nil
}
