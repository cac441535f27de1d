package interp

import (
	"strings"

	"soma.cell/frontend/source"
)

// Error is an error of the language: what require, fail and the runtime raise.
type Error struct {
	Kind   string      // as the language names it: "type", "invariant", a tag of require, …
	Detail string      // for people
	Span   source.Span // where it was raised
	// Final errors end the whole invocation: try does not catch them.
	Final bool
}

// Error is "kind: detail".
func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Kind
	}
	return e.Kind + ": " + e.Detail
}

// Kinds of errors.
const (
	KindType              = "type"
	KindIndex             = "index"
	KindRange             = "range"
	KindDivision          = "division_by_zero"
	KindMatch             = "match"
	KindJSON              = "json"
	KindDate              = "date"
	KindInvalidTransition = "invalid_transition"
	KindGuardFailed       = "guard_failed"
	KindInvariant         = "invariant"
	KindEnsure            = "ensure"
	KindUndefinedVariable = "undefined_variable"
	KindUndefinedFunction = "undefined_function"
	KindApproval          = "approval_required"
	KindBudget            = "budget"
	KindLLM               = "llm"
	KindLoopBound         = "loop_bound"
	KindStackOverflow     = "stack_overflow"
	// KindAmbiguous is raised where a call does not say which machine it means.
	KindAmbiguous = "ambiguous_machine"
	// KindUnsupported is raised by builtins that this interpreter does not run.
	KindUnsupported = "unsupported"
	// KindLimit is raised when an invocation exceeds its steps, its memory or its time.
	KindLimit = "limit"
)

// parseError reads "kind: detail", or a kind alone.
func parseError(text string) *Error {
	kind, detail, _ := strings.Cut(text, ": ")
	return &Error{Kind: kind, Detail: detail}
}

// at gives an error the place it was raised at, unless it has one.
func at(err error, span source.Span) error {
	if e, ok := err.(*Error); ok && e.Span.IsZero() {
		e.Span = span
	}
	return err
}
