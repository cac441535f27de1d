package z3

import (
	"errors"
	"fmt"
)

// ErrMissing is wrapped by the errors about a libz3 that cannot be loaded or used.
var ErrMissing = errors.New("the solver Z3 is not available")

const advice = "install it (package libz3-4 on Debian and Ubuntu, z3 elsewhere) or set SOMA_Z3 to the path of libz3"

func errLoad(path string, err error) error {
	if path != "" {
		return fmt.Errorf("%w: cannot load %q (%v); %s", ErrMissing, path, err, advice)
	}
	return fmt.Errorf("%w: cannot load libz3 (%v); %s", ErrMissing, err, advice)
}

func errSymbol(name string, err error) error {
	return fmt.Errorf("%w: the library has no function %s (%v); it is too old or no libz3; %s", ErrMissing, name, err, advice)
}

func errContext() error {
	return fmt.Errorf("%w: it makes no context (is the memory limit too low?)", ErrMissing)
}

func errClosed() error { return errors.New("the solver is closed") }

func errQuery(name string, err error) error { return fmt.Errorf("query %q: %w", name, err) }

func errConstant(value string, sort fmt.Stringer) error {
	return fmt.Errorf("%q is no constant of %s", value, sort)
}

func errOperator(op fmt.Stringer) error { return fmt.Errorf("no translation of operator %s", op) }

// callError is a C function that set an error code.
type callError struct {
	function string
	code     uint32
	message  string
}

func (e *callError) Error() string {
	return fmt.Sprintf("%s: %s (error code %d)", e.function, e.message, e.code)
}
