package ctl

import "math"

// Builder collects the states, edges and initial states of a [Structure].
type Builder struct {
	n        int
	from, to []int32
	initial  []int
	err      error // the first misuse, reported by Build
}

// NewBuilder returns a builder of a structure with n states.
func NewBuilder(n int) *Builder {
	b := &Builder{n: n}
	if n < 1 || n > math.MaxInt32 {
		b.err = badStateCount(n)
	}
	return b
}

// AddEdge makes to a successor of from. An edge added twice counts once.
func (b *Builder) AddEdge(from, to int) {
	if b.inRange(from) && b.inRange(to) {
		b.from = append(b.from, int32(from))
		b.to = append(b.to, int32(to))
	}
}

// AddInitial makes state an initial one.
func (b *Builder) AddInitial(state int) {
	if b.inRange(state) {
		b.initial = append(b.initial, state)
	}
}

// Build returns the structure, in time linear in states and edges. It fails when
// there is no state or no initial state (all verdicts would hold for want of a
// path), or when an earlier call named a state out of range.
func (b *Builder) Build() (*Structure, error) {
	if b.err != nil {
		return nil, b.err
	}
	if len(b.initial) == 0 {
		return nil, noInitialState()
	}
	// Transposing visits columns in ascending order, so doing it twice sorts.
	succ := newCSR(b.n, b.to, b.from).transpose().compact()
	succ, stutter := succ.total()
	return &Structure{
		succ:    succ,
		pred:    succ.transpose(),
		stutter: stutter,
		initial: SetOf(b.n, b.initial...),
	}, nil
}

func (b *Builder) inRange(state int) bool {
	if b.err == nil && (state < 0 || state >= b.n) {
		b.err = stateOutOfRange(state, b.n)
	}
	return b.err == nil
}
