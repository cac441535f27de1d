package z3

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

// Solver is Z3 in this process. It implements smt.Solver. An answer depends on its query and the
// limits alone, not on earlier queries, and is the same on every run that no time limit cuts.
type Solver struct {
	lib    *library
	limits smt.Limits
	closed bool
}

// Open loads libz3 from the path, or under its usual names when the path is empty. An error
// wraps ErrMissing.
func Open(path string, limits smt.Limits) (*Solver, error) {
	lib, err := load(path)
	if err != nil {
		return nil, err
	}
	lib.toggleWarnings.call(0)
	limits.Work = uint(min(uint64(limits.Work), math.MaxUint32)) // as Z3 counts no further
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
		return unknown(contextReason(ctx)), nil
	}
	x, err := newContext(s.lib, s.limits)
	if err != nil {
		return unknown(smt.ReasonMemory), nil // what else could it lack?
	}
	done := make(chan outcome, 1)
	go func() { done <- x.ask(q) }()
	out, ended := s.wait(ctx, x, done)
	if ended {
		x.close()
	} else {
		go func() { <-done; x.close() }()
	}
	answer, err := s.judge(out)
	if err != nil {
		return smt.Answer{}, errQuery(q.Name, err)
	}
	return answer, nil
}

// How long to wait for a query that was interrupted, how often to interrupt it (a single
// interrupt may come before Z3 heeds it), and how often to look at the memory in use.
const (
	grace             = time.Second
	interruptInterval = 5 * time.Millisecond
	memoryInterval    = 10 * time.Millisecond
)

// wait waits for the outcome, and interrupts the query when it meets a limit or the Go context
// ends. It gives up on a query that ignores that, as some loops of Z3 never look: the query then
// runs on by itself, and wait returns false.
//
// The limits of time and memory are kept here. Of Z3's own, the one on time cannot be told from
// other reasons afterwards, and the one on memory breaks the process: 4.8.12 may crash on
// meeting it while another context is at work.
func (s *Solver) wait(ctx context.Context, x *z3context, done <-chan outcome) (outcome, bool) {
	var timeUp, lookAtMemory <-chan time.Time
	if s.limits.Timeout > 0 {
		timer := time.NewTimer(s.limits.Timeout)
		defer timer.Stop()
		timeUp = timer.C
	}
	if s.limits.MemoryMB > 0 {
		ticker := time.NewTicker(memoryInterval)
		defer ticker.Stop()
		lookAtMemory = ticker.C
	}
	for {
		select {
		case out := <-done:
			return out, true
		case <-ctx.Done():
			return interrupt(x, done, contextReason(ctx))
		case <-timeUp:
			return interrupt(x, done, smt.ReasonTimeout)
		case <-lookAtMemory:
			if s.memoryMB() > s.limits.MemoryMB {
				return interrupt(x, done, smt.ReasonMemory)
			}
		}
	}
}

func (s *Solver) memoryMB() uint { return uint(s.lib.estimatedMemory.call() >> 20) }

func interrupt(x *z3context, done <-chan outcome, reason string) (outcome, bool) {
	giveUp := time.NewTimer(grace)
	defer giveUp.Stop()
	for {
		x.lib.interrupt.call(x.handle)
		select {
		case out := <-done:
			out.interrupted = reason
			return out, true
		case <-giveUp.C:
			return outcome{interrupted: reason}, false
		case <-time.After(interruptInterval):
		}
	}
}

// judge turns an outcome into an answer.
//
// A verdict is believed only when no limit was met on the way: a theory of Z3 that is stopped in
// its last check may take that for success (4.8.12 answers "sat" to a stopped query on products
// of integers). An error while the query is built is a fault; one while it is decided is no
// answer, as limits of Z3's theories come as such.
func (s *Solver) judge(out outcome) (smt.Answer, error) {
	var call *callError
	switch {
	case out.interrupted != "":
		return unknown(out.interrupted), nil
	case errors.As(out.err, &call) && call.code == codeMemoryOut:
		return unknown(smt.ReasonMemory), nil
	case out.err != nil && !out.built:
		return smt.Answer{}, out.err
	case out.err != nil:
		return unknown(reason(out.err.Error())), nil
	case s.limits.Work > 0 && out.work >= s.limits.Work:
		return unknown(smt.ReasonWork), nil
	case out.verdict == smt.Unknown:
		return unknown(reason(out.words)), nil
	}
	return smt.Answer{Verdict: out.verdict, Values: out.values, Core: out.core}, nil
}

// reason puts Z3's words for an unknown into those of package smt, or leaves them.
func reason(words string) string {
	switch {
	case strings.Contains(words, "memory") || strings.Contains(words, "memout"):
		return smt.ReasonMemory
	case strings.Contains(words, "resource"):
		return smt.ReasonWork
	}
	return words
}

// contextReason tells why a Go context ended.
func contextReason(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return smt.ReasonCancelled
	}
	return smt.ReasonTimeout
}

func unknown(reason string) smt.Answer { return smt.Answer{Reason: reason} }
