package refute

import (
	"fmt"

	"soma.cell/smt/term"
)

// OpenError says that a branch could not be closed.
type OpenError struct{}

func (*OpenError) Error() string { return "no refutation found" }

// LimitError says that a limit was reached.
type LimitError struct{ What string }

func (e *LimitError) Error() string { return "no refutation found within the limit of " + e.What }

func errNotBool(t *term.Term) error {
	return fmt.Errorf("an assumption must be a formula, not a term of sort %s", t.Sort)
}
