package term

import (
	"errors"
	"fmt"
)

// ErrTooDeep is wrapped by the errors about terms deeper than MaxDepth.
var ErrTooDeep = errors.New("term is too deep")

func errSort(s *Sort, why string) error { return fmt.Errorf("sort %s: %s", s, why) }

func errNilSort() error { return errors.New("a sort is missing") }

func errNilTerm() error { return errors.New("a term is missing") }

func errArity(op Op, n int) error { return fmt.Errorf("%s: %d arguments do not fit", op, n) }

func errArg(op Op, i int, got *Sort, want string) error {
	return fmt.Errorf("%s: argument %d has sort %s, not %s", op, i+1, got, want)
}

func errResult(op Op, got *Sort, want string) error {
	return fmt.Errorf("%s: has sort %s, not %s", op, got, want)
}

func errNoValue(s *Sort, value string) error {
	return fmt.Errorf("enum: %q is no value of %s", value, s)
}

func errLiteral(op Op, why string) error { return fmt.Errorf("%s: %s", op, why) }

func errUnknownOp(op Op) error { return fmt.Errorf("unknown operator %d", int(op)) }

func errTooDeep() error { return fmt.Errorf("%w (more than %d levels)", ErrTooDeep, MaxDepth) }

func errAt(offset int, err error) error { return fmt.Errorf("at byte %d: %w", offset, err) }

func errTooLong(n int) error {
	return fmt.Errorf("text of %d bytes is longer than the bound of %d", n, maxText)
}

func errExpected(want string) error { return fmt.Errorf("expected %s", want) }

func errUnknownHead(head string) error { return fmt.Errorf("unknown operator %q", head) }

func errBadLiteral(kind, text string) error { return fmt.Errorf("malformed %s literal %q", kind, text) }

func errReference(text string, bound int) error {
	return fmt.Errorf("reference %s names none of the %d earlier nodes", text, bound)
}

func errNode(i int, err error) error { return fmt.Errorf("node %d: %w", i, err) }
