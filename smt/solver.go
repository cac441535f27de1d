// Package smt is what the provers know of a solver for satisfiability modulo theories: a query
// of sorted terms, a three-valued answer, and limits on the work.
package smt

import (
	"context"
	"time"

	"soma.cell/smt/term"
)

// Verdict is the answer to "is there a model of all assertions?".
type Verdict int

const (
	Unknown Verdict = iota // no answer; never a pass
	Sat                    // there is a model
	Unsat                  // there is none
)

// String is the verdict in the words of SMT-LIB.
func (v Verdict) String() string {
	switch v {
	case Sat:
		return "sat"
	case Unsat:
		return "unsat"
	}
	return "unknown"
}

// Reasons that an Unknown answer may carry. Others are in the solver's own words.
const (
	ReasonTimeout   = "timeout"
	ReasonWork      = "resource limit"
	ReasonMemory    = "memory limit"
	ReasonCancelled = "cancelled"
	ReasonTooDeep   = "term too deep"
)

// Query asks whether the assertions have a common model.
type Query struct {
	Name   string       // for messages and scripts
	Assert []*term.Term // formulas
	Wanted []*term.Term // terms whose value a model should give
	Core   bool         // of an Unsat, tell which assertions suffice
}

// Check tells whether the query is well sorted: every term is, and every assertion is a formula.
func (q Query) Check() error {
	if err := term.Check(q.Assert...); err != nil {
		return errQuery(q.Name, err)
	}
	for i, t := range q.Assert {
		if !t.Sort.Same(term.Bool) {
			return errQuery(q.Name, errNoFormula(i, t.Sort))
		}
	}
	if err := term.Check(q.Wanted...); err != nil {
		return errQuery(q.Name, err)
	}
	return nil
}

// Answer is a verdict and what comes with it.
type Answer struct {
	Verdict Verdict
	Reason  string       // of an Unknown
	Values  []*term.Term // of a Sat: a literal per Wanted term, nil where the model gives none
	Core    []int        // of an Unsat, when asked for: assertions that have no common model, in order
}

// Limits bound each query, and fix its chances. Zero means no limit.
type Limits struct {
	Timeout  time.Duration // wall time
	Work     uint          // the solver's own count of steps, which does not depend on the machine
	MemoryMB uint          // of all solvers in the process together
	Seed     uint          // of the choices that the solver makes by chance: no verdict may depend on it
}

// Solver answers queries, one at a time. A solver belongs to a single goroutine.
type Solver interface {
	// Check decides a query. An answer that cannot be had within the limits, or before the
	// context ends, is Unknown with a reason; an error is an ill-sorted query or a solver
	// that does not work at all.
	Check(ctx context.Context, q Query) (Answer, error)
	// Close frees the solver; it may be called twice.
	Close() error
}
