package smt

import (
	"errors"
	"fmt"
)

func errClosed() error { return errors.New("the solver is closed") }

func errQuery(name string, err error) error { return fmt.Errorf("query %q: %w", name, err) }

func errNoFormula(i int, sort fmt.Stringer) error {
	return fmt.Errorf("assertion %d has sort %s, not Bool", i+1, sort)
}
