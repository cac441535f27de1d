package interp

// StepKind tells the steps of a run apart.
type StepKind int

const (
	// StepEnter begins the body of a handler: Cell, Name, Args as its parameters take them.
	StepEnter StepKind = iota
	// StepLeave ends it: Value, or Raised.
	StepLeave
	// StepBegin opens a try, StepEnd closes it; what it did is undone when Raised is not nil.
	StepBegin
	StepEnd
	// StepWrite stores Value under Key of slot Name of Cell, StepPush appends it, StepDelete
	// removes the entry.
	StepWrite
	StepPush
	StepDelete
	// StepMove takes instance ID of Cell's machine from From to To.
	StepMove
	// StepAct begins what the outside sees, builtin Name on Args; StepActed ends it: Value, or
	// Raised. What a model's tools do stands between.
	StepAct
	StepActed
)

// Step is one step of a run, as Options.Trace is told of it: what others can see of a body.
type Step struct {
	Kind         StepKind
	Cell, Name   string
	Args         []Value
	Key, Value   Value
	ID, From, To string
	Raised       *Error
}

// trace tells of a step.
func (w *World) trace(s Step) {
	if w.opts.Trace != nil {
		w.opts.Trace(s)
	}
}

// raised is the error of the language that err is, if it is one.
func raised(err error) *Error {
	e, _ := err.(*Error)
	return e
}
