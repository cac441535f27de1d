package kernel

import (
	"fmt"

	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// ErrorKind tells failures of an audit apart.
type ErrorKind string

// What can be wrong with a certificate.
const (
	BadSystem     ErrorKind = "bad-system"     // the system does not decode, or not exactly
	IllFormed     ErrorKind = "ill-formed"     // the system is no well-formed transition system
	BadSource     ErrorKind = "bad-source"     // a source entry is malformed
	BadProperty   ErrorKind = "bad-property"   // a property does not parse or bind
	BadList       ErrorKind = "bad-list"       // obligations are missing, extra, doubled or misplaced
	BadClaim      ErrorKind = "bad-claim"      // an obligation does not say what its id stands for
	BadVerdict    ErrorKind = "bad-verdict"    // no such verdict, or one that the evidence cannot give
	BadClass      ErrorKind = "bad-class"      // the evidence is not of that class
	UnknownRule   ErrorKind = "unknown-rule"   // no such form of evidence for this kind
	NotTrivial    ErrorKind = "not-trivial"    // the condition is not trivially true
	NoCondition   ErrorKind = "no-condition"   // the question has no condition that could be proven
	BadCases      ErrorKind = "bad-cases"      // the sites are not those of the system
	BadTerms      ErrorKind = "bad-terms"      // the table of terms is malformed
	BadLine       ErrorKind = "bad-line"       // a line is malformed
	UnknownLine   ErrorKind = "unknown-line"   // a line's rule is unknown
	UnusedLine    ErrorKind = "unused-line"    // nothing rests on a line
	NotAssumed    ErrorKind = "not-assumed"    // an assumption that the condition does not have
	NotDerived    ErrorKind = "not-derived"    // a claim does not follow by its rule
	BadMultiplier ErrorKind = "bad-multiplier" // a multiplier is malformed or of the wrong sign
	NotFalse      ErrorKind = "not-false"      // the last line does not end in false, free of cases
	TooLarge      ErrorKind = "too-large"      // checking would take too long
	BadGraph      ErrorKind = "bad-graph"      // labellings of other graphs than those asked for
	BadStates     ErrorKind = "bad-states"     // the table is not the sorted reachable states
	BadFormula    ErrorKind = "bad-formula"    // nodes are not the subformulas of the property
	BadSet        ErrorKind = "bad-set"        // a set is not where its subformula holds
	BadRank       ErrorKind = "bad-rank"       // a rank does not fall as it should
	BadTrace      ErrorKind = "bad-trace"      // the trace is no run of the graph
	WrongAnswer   ErrorKind = "wrong-answer"   // the labelling says otherwise than the verdict
	OutsideFrame  ErrorKind = "outside-frame"  // a body does what its frame does not allow
	NotStructural ErrorKind = "not-structural" // termination does not follow from the structure
	BadRun        ErrorKind = "bad-run"        // a run names what the program does not have
	Untrusted     ErrorKind = "untrusted"      // an untrusted value may decide a sink
)

// Error is a failure of an audit.
type Error struct {
	Kind    ErrorKind
	Message string
}

func (e *Error) Error() string { return string(e.Kind) + ": " + e.Message }

func fail(kind ErrorKind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

func errTerms(err error) *Error { return fail(BadTerms, "%v", err) }

func errTable() *Error {
	return fail(BadTerms, "the table is not that of the claims, in the order of the lines")
}

func errManyTerms(n int) *Error { return fail(TooLarge, "%d terms", n) }

func errWork() *Error { return fail(TooLarge, "checking takes too many steps") }

func errNoLines() *Error { return fail(NotFalse, "there are no lines") }

func errClaimIndex(l cert.Line) *Error {
	return fail(BadLine, "claim %d is no formula of the table", l.Claim)
}

func errFrom(n int) *Error { return fail(BadLine, "line %d is not an earlier line", n) }

func errPremises(l cert.Line, want string) *Error {
	return fail(BadLine, "%s takes %s, not %d", l.Rule, want, len(l.From))
}

func errCoefCount(l cert.Line) *Error {
	return fail(BadLine, "%s has %d multipliers for %d lines", l.Rule, len(l.Coef), len(l.From))
}

func errLineRule(name string) *Error { return fail(UnknownLine, "no rule is called %q", name) }

func errUnused(n int) *Error { return fail(UnusedLine, "nothing rests on line %d", n) }

func errNotAssumed(t *term.Term) *Error {
	return fail(NotAssumed, "the condition does not assume %s", t)
}

func errNotDerived(rule string, t *term.Term) *Error {
	return fail(NotDerived, "%s does not give %s", rule, t)
}

func errMultiplier(text, why string) *Error {
	return fail(BadMultiplier, "multiplier %q %s", text, why)
}

func errNotLinear(t *term.Term) *Error {
	return fail(NotDerived, "%s is no linear comparison", t)
}

func errEnd() *Error { return fail(NotFalse, "the last line is not false, or rests on a case") }

func errAtLine(n int, err *Error) *Error {
	return &Error{Kind: err.Kind, Message: fmt.Sprintf("line %d: %s", n, err.Message)}
}
