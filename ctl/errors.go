package ctl

import "fmt"

// All wording of this package's errors stands in this file.

// SyntaxError says why and where a text is no CTL formula.
type SyntaxError struct {
	Offset int // in bytes from the start of the text
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// UnknownAtomError says that a formula names an atomic proposition that the
// caller of [Check] did not list.
type UnknownAtomError struct{ Name string }

func (e *UnknownAtomError) Error() string {
	return fmt.Sprintf("unknown atomic proposition %q", e.Name)
}

func syntaxError(offset int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func errInvalidUTF8(offset int) *SyntaxError {
	return syntaxError(offset, "the text is not valid UTF-8")
}

func errUnknownOperator(offset int, op, meant string) *SyntaxError {
	return syntaxError(offset, "unknown operator %q (did you mean %q?)", op, meant)
}

func errUnexpectedRune(offset int, r rune) *SyntaxError {
	return syntaxError(offset, "unexpected character %q", r)
}

func errDigitFirst(offset int) *SyntaxError {
	return syntaxError(offset, "a name must not start with a digit")
}

func errNameAfterDot(offset int) *SyntaxError {
	return syntaxError(offset, "a name is missing after '.'")
}

func errTooManyParts(offset int) *SyntaxError {
	return syntaxError(offset, "a name has at most %d parts (Cell.machine.state)", maxNameParts)
}

func errExpected(t token, what string) *SyntaxError {
	if t.kind == tokenEnd {
		return syntaxError(t.offset, "unexpected end: expected %s", what)
	}
	return syntaxError(t.offset, "unexpected %q: expected %s", t.text, what)
}

func errUnmatched(t token) *SyntaxError {
	return syntaxError(t.offset, "unmatched %q", t.text)
}

func errStrayPathOperator(t token) *SyntaxError {
	return syntaxError(t.offset, "%q stands only directly inside A[ ] or E[ ]", t.text)
}

func errSecondPathOperator(t token) *SyntaxError {
	return syntaxError(t.offset, "A[ ] and E[ ] hold one of U, R and W: %q is a second", t.text)
}

func errMissingQuantifier(t token) *SyntaxError {
	return syntaxError(t.offset, "%q needs a path quantifier: write A%s or E%s", t.text, t.text, t.text)
}

func errTooDeep(offset int) *SyntaxError {
	return syntaxError(offset, "the formula is nested too deep (limit %d)", MaxNesting)
}

func errTooLong(offset int) *SyntaxError {
	return syntaxError(offset, "the formula is too long (limit %d operands)", MaxOperands)
}

func stateOutOfRange(state, n int) error {
	return fmt.Errorf("state %d is out of range: there are %d states", state, n)
}

func badStateCount(n int) error {
	return fmt.Errorf("a structure cannot have %d states", n)
}

func noInitialState() error { return fmt.Errorf("the structure has no initial state") }

func setSizesDiffer(n, m int) error {
	return fmt.Errorf("sets over %d and over %d states do not combine", n, m)
}

func atomSizeDiffers(name string, n, want int) error {
	return fmt.Errorf("atomic proposition %q is a set over %d states: the structure has %d", name, n, want)
}

func invalidOperator(op Op) error { return fmt.Errorf("invalid CTL operator %d here", op) }

func nothingToRefute(f *Formula) error {
	return fmt.Errorf("%s holds at every initial state: there is no counterexample", f)
}

func nothingToWitness(f *Formula) error {
	return fmt.Errorf("%s does not hold at every initial state: there is no witness", f)
}

func traceEmpty() error { return fmt.Errorf("the trace has no state") }

func traceStart(state int) error {
	return fmt.Errorf("the trace starts at state %d, which is not initial", state)
}

func traceStep(from, to int) error {
	return fmt.Errorf("the trace steps from %d to %d, which is no edge", from, to)
}

func traceClosedMisses(state int) error {
	return fmt.Errorf("the closed set misses state %d, where the path ends", state)
}

func traceClosedLeaks(from, to int) error {
	return fmt.Errorf("the closed set is left by the edge from %d to %d", from, to)
}

func traceClosedSize(n, want int) error {
	return fmt.Errorf("the closed set is over %d states: the structure has %d", n, want)
}

func traceClosedLasso() error {
	return fmt.Errorf("a lasso has no end from which a closed set could start")
}

func brokenLabelling(state int) error {
	return fmt.Errorf("state %d lacks the successor that its label promises", state)
}
