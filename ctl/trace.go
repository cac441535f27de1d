package ctl

// Kind is the shape of a [Trace].
type Kind uint8

const (
	// Path is a finite path.
	Path Kind = iota + 1
	// Lasso is a finite path, possibly empty, and a cycle that repeats for ever.
	Lasso
)

func (k Kind) String() string {
	switch k {
	case Path:
		return "path"
	case Lasso:
		return "lasso"
	}
	return "no trace"
}

// Trace is a run of a structure from an initial state that explains a verdict.
type Trace struct {
	// Prefix is the whole path, or the states of a lasso before its loop.
	Prefix []int
	// Loop is the cycle of a lasso: its last state steps to its first. It is nil
	// for a path.
	Loop []int
	// Closed, if not nil, holds the end of the path and all successors of its own
	// members: it is never left again.
	Closed *Set
	// Claim is what the trace leads to, in negation normal form: it holds at each
	// state of Closed if there is one, else at each state of Loop, else at the last
	// state of Prefix.
	Claim *Formula
	// Complete says that the trace, with Closed, establishes the verdict at its
	// first state: propositions along it are all there is to check. If false it
	// follows one of several reasons, or ends where only branching could tell more.
	Complete bool
}

// Kind is Lasso if there is a loop, else Path.
func (t *Trace) Kind() Kind {
	if t.Loop != nil {
		return Lasso
	}
	return Path
}

// Replay walks a trace again: it fails unless the trace starts at an initial
// state, each step is an edge, the loop closes, and Closed holds the end of the
// path and is closed under successors. What the states satisfy is not looked at.
func Replay(s *Structure, t *Trace) error {
	states := append(append([]int{}, t.Prefix...), t.Loop...)
	if len(states) == 0 {
		return traceEmpty()
	}
	if !s.Initial().Has(states[0]) {
		return traceStart(states[0])
	}
	if t.Loop != nil {
		states = append(states, t.Loop[0])
	}
	for i, state := range states[1:] {
		if !s.HasEdge(states[i], state) {
			return traceStep(states[i], state)
		}
	}
	if t.Closed == nil {
		return nil
	}
	if t.Loop != nil {
		return traceClosedLasso()
	}
	return replayClosed(s, t.Closed, states[len(states)-1])
}

func replayClosed(s *Structure, closed *Set, end int) error {
	if closed.Len() != s.Len() {
		return traceClosedSize(closed.Len(), s.Len())
	}
	if !closed.Has(end) {
		return traceClosedMisses(end)
	}
	for state := range closed.All() {
		for _, next := range s.Succ(state) {
			if !closed.Has(int(next)) {
				return traceClosedLeaks(state, int(next))
			}
		}
	}
	return nil
}
