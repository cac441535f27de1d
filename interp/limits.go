package interp

// An invocation (a call from outside, a rule of a test cell, one try of a property) is bounded
// in steps, in memory, in nesting and in time, so that none can hang or exhaust the machine.
// Whatever goes past a bound ends the whole invocation: try does not catch it.

// DefaultSteps is the budget of one invocation: about a second of work.
const DefaultSteps = 100_000_000

// maxMemory bounds what one invocation may allocate, in bytes.
const maxMemory = 1 << 29

// maxText bounds one string, in bytes.
const maxText = 1 << 26

// maxItems bounds one list.
const maxItems = 1 << 22

// maxCalls bounds nested calls of handlers and lambdas.
const maxCalls = 512

// maxNesting bounds the interpreter's own recursion, in nodes: room for maxCalls calls of
// bodies as deep as the parser admits.
const maxNesting = 250_000

// between is how many steps pass between two looks at the clock.
const between = 1 << 13

// spend takes steps off the budget.
func (w *World) spend(n int) error {
	w.steps -= n
	if w.steps < w.watch {
		return w.look()
	}
	return nil
}

func (w *World) look() error {
	if w.steps < 0 {
		return errSteps()
	}
	w.watch = max(w.steps-between, 0)
	if err := w.ctx.Err(); err != nil {
		return errStopped(err)
	}
	return nil
}

// room refuses a text of so many bytes before it is built.
func (w *World) room(bytes int) error {
	if bytes > maxText {
		return errMemory()
	}
	return nil
}

// allocate takes bytes off the budget.
func (w *World) allocate(bytes int) error {
	w.memory -= bytes
	if w.memory < 0 || bytes > maxText {
		return errMemory()
	}
	return w.spend(bytes >> 6)
}

// listBytes and mapBytes are about what a list or map of n entries takes.
func listBytes(n int) int { return 64 + 32*n }
func mapBytes(n int) int  { return 256 + 96*n }
