package main

import "errors"

// Exit statuses, as the documentation of the command states them.
const (
	statusOK      = 0 // everything holds
	statusFailed  = 1 // a check, test or proof failed
	statusUsage   = 2 // usage, a missing or unreadable file, a bad manifest
	statusUnknown = 3 // nothing failed, but something stayed unknown
)

// failure ends a command with a status. Its message, when there is one, has not been printed.
type failure struct {
	status  int
	message string
}

// Error is the message.
func (f *failure) Error() string { return f.message }

// Outcomes whose lines are printed already.
var (
	errFailed  = &failure{status: statusFailed}
	errUnknown = &failure{status: statusUnknown}
)

// usageError is a fault of the call: its arguments, its files, the manifest.
func usageError(message string) error { return &failure{status: statusUsage, message: message} }

// said is an error whose message has been printed.
func said(err error) error {
	if err == nil {
		return nil
	}
	return &failure{status: statusOf(err)}
}

// statusOf is the exit status of a command that ended with err.
func statusOf(err error) int {
	var f *failure
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &f):
		return f.status
	}
	return statusUsage
}

// worse is the error that decides the exit status of a run over several programs.
func worse(a, b error) error {
	if rank(b) > rank(a) {
		return b
	}
	return a
}

func rank(err error) int {
	switch statusOf(err) {
	case statusUsage:
		return 3
	case statusFailed:
		return 2
	case statusUnknown:
		return 1
	}
	return 0
}
