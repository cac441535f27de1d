package ctl

// Structure is a finite Kripke structure without its labels: states 0 … Len()-1,
// a successor relation and initial states. It is immutable; build one with a
// [Builder].
//
// The relation is total: a state that was given no successor stutters, that is,
// is its own only successor.
type Structure struct {
	succ, pred csr
	stutter    *Set
	initial    *Set
}

// Len is the number of states.
func (s *Structure) Len() int { return s.stutter.Len() }

// Edges is the number of distinct edges, the implied self-loops included.
func (s *Structure) Edges() int { return len(s.succ.cols) }

// Succ returns the successors of state in ascending order, at least one. The
// slice is the structure's own: do not change it.
func (s *Structure) Succ(state int) []int32 { return s.succ.row(state) }

// Pred returns the predecessors of state in ascending order. The slice is the
// structure's own: do not change it.
func (s *Structure) Pred(state int) []int32 { return s.pred.row(state) }

// Initial returns the initial states, at least one. Do not change the set.
func (s *Structure) Initial() *Set { return s.initial }

// Stutters reports whether state was given no successor, so that its only edge
// is the implied self-loop.
func (s *Structure) Stutters(state int) bool { return s.stutter.Has(state) }

// HasEdge reports whether to is a successor of from.
func (s *Structure) HasEdge(from, to int) bool {
	if from < 0 || from >= s.Len() || to < 0 || to >= s.Len() {
		return false
	}
	return s.succ.has(from, int32(to))
}

// Reachable returns the states that some path from an initial state visits.
func (s *Structure) Reachable() *Set { return s.closure(s.initial) }

// closure returns the least set that holds from and all successors of its own
// members.
func (s *Structure) closure(from *Set) *Set {
	reached := NewSet(s.Len())
	var queue []int
	for state := range from.All() {
		reached.Add(state)
		queue = append(queue, state)
	}
	for len(queue) > 0 {
		state := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, next := range s.Succ(state) {
			if !reached.Has(int(next)) {
				reached.Add(int(next))
				queue = append(queue, int(next))
			}
		}
	}
	return reached
}
