package kernel

import (
	"fmt"
	"strconv"

	"soma.cell/ir"
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
	BadAssumption ErrorKind = "bad-assumption" // the assumptions are not those that the claims rest on
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
	TooDear       ErrorKind = "too-dear"       // a call may take more than a limit of cost
	Untrusted     ErrorKind = "untrusted"      // an untrusted value may decide a sink
	BadFact       ErrorKind = "bad-fact"       // a fact is malformed, misplaced, or says what it may not
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

func errUnbounded(l *ir.Limit) *Error {
	return fail(TooDear, "what a call may take of %s has no bound", l.Key)
}

func errDearer(l *ir.Limit) *Error { return fail(TooDear, "a call may take more than %s", l.Text) }

func errTerms(err error) *Error { return fail(BadTerms, "%v", err) }

func errTable() *Error {
	return fail(BadTerms, "the table is not that of the claims, in the order of the lines")
}

func errManyTerms(n int) *Error { return fail(TooLarge, "%d terms", n) }

func errLongTerm() *Error { return fail(TooLarge, "a term of more than %d bytes", maxNode) }

func errWork() *Error { return fail(TooLarge, "checking takes too many steps") }

func errNoLines() *Error { return fail(NotFalse, "there are no lines") }

func errClaimIndex(l cert.Line) *Error {
	return fail(BadLine, "claim %d is no formula of the table", l.Claim)
}

func errFrom(n int) *Error { return fail(BadLine, "line %d is not an earlier line", n) }

func errPremises(l cert.Line, want string) *Error {
	return fail(BadLine, "%s takes %s, not %d", l.Rule, want, len(l.From))
}

func errPremiseOrder(l cert.Line) *Error {
	return fail(BadLine, "%s does not name its lines once each and in order", l.Rule)
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

func errFormula(why string) *Error { return fail(BadProperty, "the formula does not parse: %s", why) }

func errStates(g cert.Graph) *Error {
	return fail(BadStates, "the table is not the sorted reachable states of the %s graph", g)
}

func errNodeCount(got, want int) *Error {
	return fail(BadFormula, "%d nodes instead of %d", got, want)
}

func errNode(i int) *Error {
	return fail(BadFormula, "node %d is not the subformula that stands there", i)
}

func errSetShape(i int) *Error {
	return fail(BadSet, "the set of node %d is not an ascending list of states", i)
}

func errSet(i int, state string) *Error { return fail(BadSet, "node %d is wrong at %s", i, state) }

func errRankCount(i int) *Error {
	return fail(BadRank, "node %d does not have the ranks its operator needs", i)
}

func errRank(i int, state string) *Error { return fail(BadRank, "node %d is wrong at %s", i, state) }

func errTraceStart(initial string) *Error {
	return fail(BadTrace, "it does not start at %s", initial)
}

func errTraceShape() *Error {
	return fail(BadTrace, "it is neither a path, a lasso nor a path to a sorted closed set")
}

func errTraceState(s string) *Error { return fail(BadTrace, "%s is not a reachable state", s) }

func errTraceStep(from, to string) *Error {
	return fail(BadTrace, "no step leads from %s to %s", from, to)
}

func errTraceLeaves(s string) *Error { return fail(BadTrace, "the closed set is left from %s", s) }

func errSource(name string) *Error {
	return fail(BadSource, "source %q has no name or no SHA-256", name)
}

func errAssumptions() *Error {
	return fail(BadAssumption, "the assumptions are not those that the claims rest on")
}

func errSystem(err error) *Error { return fail(BadSystem, "%v", err) }

func errManyStates() *Error {
	return fail(TooLarge, "the bodies have too many locations and variables")
}

func errName(name string) *Error { return fail(IllFormed, "the name %q can be mistaken", name) }

func errRuleKeys(rule string) *Error {
	return fail(IllFormed, "rule %s judges slots with different keys", rule)
}

func errRuleFleeting(rule string) *Error {
	return fail(IllFormed, "rule %s is assumed of entries that may go away one by one", rule)
}

func errRuleUnjudged(rule string) *Error {
	return fail(IllFormed, "rule %s is assumed of entries and speaks of slots whose writes it does not judge", rule)
}

func errRuleVariable(rule string, v *term.Term) *Error {
	return fail(IllFormed, "rule %s speaks of %s, which is no part of an entry", rule, v)
}

func errMove(handler string) *Error {
	return fail(IllFormed, "%s moves where no edge of the machine leads", handler)
}

func errNoReturn(handler string) *Error {
	return fail(IllFormed, "%s should give a text and may end without", handler)
}

func errTwice(id string) *Error { return fail(BadList, "%s stands twice", id) }

func errMissing(id string) *Error { return fail(BadList, "%s is missing", id) }

func errExtra(id string) *Error { return fail(BadList, "%s is no obligation of the system", id) }

func errOrder(id string) *Error { return fail(BadList, "%s is not where it belongs", id) }

func errClaim(want string) *Error {
	return fail(BadClaim, "the obligation there says: %s", want)
}

func errReason() *Error { return fail(BadVerdict, "a proven obligation gives a reason against it") }

func errVerdict(v cert.Verdict) *Error {
	return fail(BadVerdict, "%q is no verdict for this obligation", v)
}

func errNoCondition() *Error {
	return fail(NoCondition, "the question cannot be put as a condition, so it cannot be proven")
}

func errClass(got, want cert.Class) *Error {
	return fail(BadClass, "the evidence is %s, not %s", want, got)
}

func errRule(r cert.Rule) *Error {
	return fail(UnknownRule, "%q is no evidence for this verdict", r)
}

func errNotTrivial() *Error { return fail(NotTrivial, "there is something to prove") }

func errUnreached() *Error {
	return fail(NotTrivial, "no run reaches the place, so that there is nothing to prove")
}

func errScript() *Error { return fail(BadLine, "the script or its solver is missing") }

func errAnything() *Error {
	return fail(NoCondition, "some body does what is not known, so that nothing can be excluded")
}

func errCaseCount(got, want int) *Error {
	return fail(BadCases, "%d cases instead of %d", got, want)
}

func errCaseSite(i int) *Error { return fail(BadCases, "case %d is about another place", i) }

func errInCase(i int, err *Error) *Error {
	return &Error{Kind: err.Kind, Message: "case " + strconv.Itoa(i) + ": " + err.Message}
}

func errValues() *Error {
	return fail(BadCases, "values that no body lists, or not in order")
}

func errRunEdge() *Error { return fail(BadRun, "the run is not one of this edge") }

func errRunCall(cell, handler string) *Error {
	return fail(BadRun, "nobody can call %s.%s with these arguments", cell, handler)
}

func errPropertyCell(cell string) *Error {
	return fail(BadProperty, "%q is no cell with a machine", cell)
}

func errAtom(name string) *Error { return fail(BadProperty, "%q is no state of the machine", name) }

func errGraph(g cert.Graph) *Error {
	return fail(BadGraph, "a labelling of the %q graph is missing, doubled or not asked for", g)
}

func errAnswer(holds bool) *Error {
	return fail(WrongAnswer, "by the labelling the property holds: %t", holds)
}

func errNoWay(state string) *Error {
	return fail(WrongAnswer, "the edges that runs take do not lead to %s", state)
}

func errLoop(handler string) *Error {
	return fail(NotStructural, "nothing bounds a loop of %s", handler)
}

func errRecursion(handler string) *Error {
	return fail(NotStructural, "%s may come to call itself", handler)
}

func errOutside(signal, what string) *Error {
	return fail(OutsideFrame, "%s %s, which its frame does not allow", signal, what)
}

func errFactPlace(f cert.Fact) *Error {
	return fail(BadFact, "%s has no automaton %d", f.Cell, f.Automaton)
}

func errFactOrder(f cert.Fact) *Error {
	return fail(BadFact, "a fact of %s stands behind one of a later place: %.200s", f.Cell, f.Text)
}

func errFactTwice(f cert.Fact) *Error {
	return fail(BadFact, "a fact of %s stands twice: %.200s", f.Cell, f.Text)
}

func errFactText(f cert.Fact, why string) *Error {
	return fail(BadFact, "%.200s, as a fact: %s", f.Text, why)
}

func errFactSpot(f *fact) *Error {
	return fail(BadFact, "%s has no head of a loop that is reached at %s, nor is that where a handler returns: %.200s", f.automaton.Name, f.at, f.text)
}

func errFactVariable(f *fact, v *term.Term) *Error {
	return fail(BadFact, "%s may stand in no fact of %s at %s: %.200s", v, f.automaton.Name, f.at, f.text)
}

func errFactTrusted() *Error {
	return fail(BadClass, "a fact is checked by the kernel, or it is none")
}

func errFact(id string, err *Error) *Error {
	return &Error{Kind: err.Kind, Message: "all claims may rest on " + id + ", which does not hold: " + err.Message}
}

func errUntrusted(what string) *Error {
	return fail(Untrusted, "a value that is no literal decides %s, and some are untrusted", what)
}
