package smt

import (
	"context"
	"sync"
	"time"
)

// Lazy is a solver that is opened by its first query, so that who has nothing to ask does not
// pay for loading. Goroutines may share it if they may share what open gives; Loading and Close
// are for when they are done.
type Lazy struct {
	open    func() (Solver, error)
	now     func() time.Time
	once    sync.Once
	solver  Solver
	err     error
	loading time.Duration
}

// NewLazy is a solver that calls open at its first query. An error of open answers that query
// and all later ones. The clock measures Loading.
func NewLazy(open func() (Solver, error), now func() time.Time) *Lazy {
	return &Lazy{open: open, now: now}
}

// Check opens the solver where need be and asks it.
func (l *Lazy) Check(ctx context.Context, q Query) (Answer, error) {
	l.once.Do(func() {
		start := l.now()
		l.solver, l.err = l.open()
		l.loading = l.now().Sub(start)
	})
	if l.err != nil {
		return Answer{}, l.err
	}
	return l.solver.Check(ctx, q)
}

// Loading is the time that opening the solver took; 0 before the first query.
func (l *Lazy) Loading() time.Duration { return l.loading }

// Close closes the solver where it was opened. A later query is an error.
func (l *Lazy) Close() error {
	l.once.Do(func() {})
	if l.err == nil {
		l.err = errClosed()
	}
	if l.solver == nil {
		return nil
	}
	return l.solver.Close()
}
