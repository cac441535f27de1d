package z3

import (
	"context"
	"errors"
	"strings"
	"time"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

// Solver is Z3 in this process. It implements smt.Solver. Each answer depends on its query and
// the limits alone; wall time apart, it is the same on every run.
type Solver struct {
	lib    *library
	limits smt.Limits
	closed bool
}

// Open loads libz3 from the path, or under its usual names when the path is empty. The memory
// limit, once set, is one for all solvers of the process. An error wraps ErrMissing.
func Open(path string, limits smt.Limits) (*Solver, error) {
	lib, err := load(path)
	if err != nil {
		return nil, err
	}
	lib.setGlobals(limits)
	return &Solver{lib: lib, limits: limits}, nil
}

// Version is the library's name for itself, as "4.8.12.0".
func (s *Solver) Version() string {
	version := goString(s.lib.getFullVersion.call())
	return strings.TrimPrefix(strings.TrimSpace(version), "Z3 ")
}

// Close ends the use of the solver. The library stays loaded.
func (s *Solver) Close() error {
	s.closed = true
	return nil
}

// Check decides a query; see smt.Solver.
func (s *Solver) Check(ctx context.Context, q smt.Query) (smt.Answer, error) {
	if s.closed {
		return smt.Answer{}, errClosed()
	}
	if err := q.Check(); errors.Is(err, term.ErrTooDeep) {
		return unknown(smt.ReasonTooDeep), nil
	} else if err != nil {
		return smt.Answer{}, err
	}
	if ctx.Err() != nil {
		return unknown(cancelReason(ctx)), nil
	}
	x, err := newContext(s.lib, s.limits)
	if err != nil {
		return unknown(smt.ReasonMemory), nil // what else could it lack?
	}
	done := make(chan outcome, 1)
	go func() { done <- x.ask(q) }()
	out, ended := s.wait(ctx, x, done)
	if !ended {
		go func() { <-done; x.close() }()
		return unknown(s.interruptReason(ctx)), nil
	}
	x.close()
	answer, err := s.judge(ctx, out)
	if err != nil {
		return smt.Answer{}, errQuery(q.Name, err)
	}
	return answer, nil
}

// How long to wait for a query that should have stopped, before and after interrupting it, and
// how often to interrupt: a single interrupt may come before Z3 heeds it.
const (
	grace             = time.Second
	interruptInterval = 5 * time.Millisecond
)

// wait waits for the outcome. When the Go context ends, or when Z3 does not heed its own time
// limit, it interrupts the query. It gives up on one that ignores that too, as some loops of Z3
// never look: the query then runs on by itself, and wait returns false.
func (s *Solver) wait(ctx context.Context, x *z3context, done <-chan outcome) (outcome, bool) {
	var overdue <-chan time.Time
	if s.limits.Timeout > 0 {
		timer := time.NewTimer(s.limits.Timeout + grace)
		defer timer.Stop()
		overdue = timer.C
	}
	select {
	case out := <-done:
		return out, true
	case <-ctx.Done():
	case <-overdue:
	}
	giveUp := time.NewTimer(grace)
	defer giveUp.Stop()
	for {
		x.lib.interrupt.call(x.handle)
		select {
		case out := <-done:
			return out, true
		case <-giveUp.C:
			return outcome{}, false
		case <-time.After(interruptInterval):
		}
	}
}

// judge turns an outcome into an answer. Errors while building the query are faults; errors
// while deciding it are no answer, as limits of resources and of Z3's theories come as such.
func (s *Solver) judge(ctx context.Context, out outcome) (smt.Answer, error) {
	var call *callError
	switch {
	case out.err == nil && out.verdict != smt.Unknown:
		return smt.Answer{Verdict: out.verdict, Values: out.values}, nil
	case errors.As(out.err, &call) && call.code == codeMemoryOut:
		return unknown(smt.ReasonMemory), nil
	case ctx.Err() != nil:
		return unknown(cancelReason(ctx)), nil
	case out.err != nil && !out.built:
		return smt.Answer{}, out.err
	case out.err != nil:
		return unknown(s.reason(out.err.Error(), out.took)), nil
	}
	return unknown(s.reason(out.words, out.took)), nil
}

// reason puts Z3's words for an unknown into those of package smt, or leaves them. Z3 does not
// always say that a limit stopped it: its theories may call themselves incomplete then.
func (s *Solver) reason(words string, took time.Duration) string {
	switch {
	case strings.Contains(words, "memory") || strings.Contains(words, "memout"):
		return smt.ReasonMemory
	case s.limits.Timeout > 0 && took >= s.limits.Timeout, strings.Contains(words, "timeout"):
		return smt.ReasonTimeout
	case s.limits.Work > 0 && strings.Contains(words, "cancel"), strings.Contains(words, "resource"):
		return smt.ReasonWork
	}
	return words
}

func (s *Solver) interruptReason(ctx context.Context) string {
	if ctx.Err() != nil {
		return cancelReason(ctx)
	}
	return smt.ReasonTimeout
}

func cancelReason(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return smt.ReasonTimeout
	}
	return smt.ReasonCancelled
}

func unknown(reason string) smt.Answer { return smt.Answer{Reason: reason} }
