package interp

import (
	"soma.cell/frontend/resolve"
)

// exec is compiled code: it gives the value of an expression, or runs a statement. Its error
// is an *Error with its place, or one of the signals below.
type exec func(f *frame) (Value, error)

// signal is control flow that leaves a block; it travels as an error but never leaves a
// handler or lambda.
type signal struct{ text string }

func (s *signal) Error() string { return s.text }

var (
	returning  error = &signal{"return outside a handler"} // the value is in the frame
	breaking   error = &signal{"break outside a loop"}
	continuing error = &signal{"continue outside a loop"}
)

// fragment is compiled code with its price.
type fragment struct {
	body   exec
	cost   int // in steps, of what is not inside a block of its own
	height int // how deep evaluation nests inside it
}

// code is one compiled function.
type code struct {
	fragment
	fn    *function
	types []*resolve.Type // of the parameters; nil of lambdas
	cell  *resolve.Cell
	idle  []*frame
}

// frame is one activation of a function.
type frame struct {
	code   *code
	cell   *resolve.Cell // nil in a test cell without helpers
	rule   *ruleScope    // inside an invariant
	locals []Value
	boxes  []*box // of locals that are captured, under the same indexes
	held   []*box // of a lambda
	result Value  // of a return under way
}

// box holds a local that a lambda speaks of.
type box struct{ v Value }

// Function is a lambda with what it captured.
type Function struct {
	code *code
	held []*box
	rule *ruleScope
}

// arity is how many arguments a lambda takes.
func (fn *Function) arity() int { return len(fn.code.fn.params) }

// begin gives a frame for one activation. Frames are used again: nothing keeps one, for what
// lambdas keep stands in boxes.
func (c *code) begin() *frame {
	if n := len(c.idle); n > 0 {
		f := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return f
	}
	f := &frame{code: c, cell: c.cell, locals: make([]Value, c.fn.size)}
	if c.fn.boxed {
		f.boxes = make([]*box, c.fn.size)
	}
	return f
}

func (c *code) end(f *frame) {
	clear(f.locals)
	clear(f.boxes)
	f.rule, f.held, f.result = nil, nil, nil
	c.idle = append(c.idle, f)
}

// bind gives a variable of the frame's function a value.
func (f *frame) bind(v *variable, x Value) {
	if v.captured {
		f.boxes[v.index] = &box{x}
	} else {
		f.locals[v.index] = x
	}
}

// look is the value of a name at this moment; nil while it is bound nowhere.
func (f *frame) look(a access) Value {
	b := f.boxOf(a)
	switch {
	case b != nil:
		return b.v
	case a.v == nil || a.free || a.v.captured:
		return nil
	}
	return f.locals[a.v.index]
}

func (f *frame) boxOf(a access) *box {
	switch {
	case a.v == nil || !a.v.captured:
		return nil
	case a.free:
		return f.held[a.at]
	}
	return f.boxes[a.v.index]
}

// run executes a fragment in a frame that is set up; it is where return ends.
func (w *World) run(f *frame, p *fragment) (Value, error) {
	if w.nesting+p.height > maxNesting {
		return nil, errNesting()
	}
	if err := w.spend(p.cost); err != nil {
		return nil, err
	}
	w.nesting += p.height
	v, err := p.body(f)
	w.nesting -= p.height
	if err == returning {
		return f.result, nil
	}
	return v, err
}

// enter runs a handler or lambda.
func (w *World) enter(f *frame) (Value, error) {
	if w.calls >= maxCalls {
		return nil, errStackOverflow()
	}
	w.calls++
	v, err := w.run(f, &f.code.fragment)
	w.calls--
	return v, err
}

// apply calls a lambda.
func (w *World) apply(fn *Function, args ...Value) (Value, error) {
	params := fn.code.fn.params
	if len(args) != len(params) {
		return nil, errLambdaArity(len(params), len(args))
	}
	f := fn.code.begin()
	f.held, f.rule = fn.held, fn.rule
	for i, p := range params {
		f.bind(p, args[i])
	}
	v, err := w.enter(f)
	fn.code.end(f)
	return v, err
}
