package interp

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// impl runs one builtin.
type impl func(c *call) (Value, error)

// call is one call of a builtin under way: evaluated arguments, a receiver first.
type call struct {
	w      *World
	f      *frame
	name   string
	args   []Value
	callee *resolve.Callee
	x      syntax.Expr
	span   source.Span
	where  map[string]access // of transition: the names that guards read
}

// callBuiltin runs a builtin, or what a mock puts in its place.
func (w *World) callBuiltin(run impl, c *call) (Value, error) {
	if !c.callee.Builtin.Accepts(len(c.args)) {
		return nil, errArgCount(c.name, len(c.args))
	}
	if class := c.callee.Builtin.Class; w.opts.Trace != nil && class != builtin.Pure && class != builtin.Machine {
		w.trace(Step{Kind: StepAct, Name: c.name, Args: c.args})
		v, err := w.runBuiltin(run, c)
		w.trace(Step{Kind: StepActed, Name: c.name, Value: v, Raised: raised(err)})
		return v, err
	}
	return w.runBuiltin(run, c)
}

func (w *World) runBuiltin(run impl, c *call) (Value, error) {
	if len(w.mocks.builtins) > 0 && c.callee.Builtin.Class != builtin.Model {
		if v, mocked, err := w.mocks.builtin(c.name); mocked {
			return v, err
		}
	}
	if run == nil {
		return nil, errUnsupported(c.name)
	}
	if err := w.admitArgs(c.args); err != nil {
		return nil, err
	}
	v, err := run(c)
	if err != nil {
		return nil, err
	}
	return v, w.charge(v, c.args)
}

// admitArgs pays for reading the arguments of a builtin, lists and maps apart, and refuses
// values nested so deeply that recursion over them is a danger.
func (w *World) admitArgs(args []Value) error {
	for _, v := range args {
		if depthOf(v) > maxDepth {
			return errDeep()
		}
		if s, ok := v.(String); ok {
			if err := w.spend(len(s) >> 8); err != nil {
				return err
			}
		}
	}
	return w.payFor(args...)
}

// charge pays for what a builtin built. Of a list or map this is what it has more than the first
// argument, whose items the builtin paid for when it read them.
func (w *World) charge(v Value, args []Value) error {
	switch v := v.(type) {
	case String:
		return w.allocateText(len(v))
	case *List:
		n := v.Len()
		if n > maxItems {
			return errMemory()
		}
		if len(args) > 0 {
			if from, ok := args[0].(*List); ok {
				n = max(n-from.Len(), 0)
			}
		}
		return w.allocate(listBytes(n))
	case *Map:
		n := v.Len()
		if len(args) > 0 {
			if from, ok := args[0].(*Map); ok {
				n = max(n-from.Len(), 0)
			}
		}
		return w.allocate(mapBytes(n))
	}
	return nil
}

// callHandler runs a handler; one that is not inside another is a transaction.
func (w *World) callHandler(h *resolve.Handler, args []Value) (Value, error) {
	if len(w.mocks.handlers) > 0 {
		if v, mocked, err := w.mocks.handler(h); mocked {
			return v, err
		}
	}
	if len(args) != len(h.Params) {
		return nil, errArgCount(h.Name, len(args))
	}
	f := w.handlerCode(h).begin()
	copy(f.locals, args)
	if w.handlers == 0 {
		return w.outermost(func() (Value, error) { return w.runHandler(h, f) })
	}
	return w.runHandler(h, f)
}

// runHandler runs a handler whose arguments stand in its frame.
func (w *World) runHandler(h *resolve.Handler, f *frame) (v Value, err error) {
	if err = f.admit(h); err == nil {
		if w.opts.Trace != nil {
			w.trace(Step{Kind: StepEnter, Cell: h.Cell.Name, Name: h.Name, Args: f.args()})
		}
		w.handlers++
		v, err = w.enter(f)
		w.handlers--
		if w.opts.Trace != nil {
			w.trace(Step{Kind: StepLeave, Cell: h.Cell.Name, Name: h.Name, Value: v, Raised: raised(err)})
		}
	}
	f.code.end(f)
	return v, err
}

// admit checks the arguments in a frame against the parameters' types and binds them.
func (f *frame) admit(h *resolve.Handler) error {
	for i, t := range f.code.types {
		v, ok := conform(f.locals[i], t)
		if !ok {
			return errParam(h.Name, h.Params[i].Name, t, f.locals[i])
		}
		f.bind(f.code.fn.params[i], v)
	}
	return nil
}

// args are the arguments as the parameters took them.
func (f *frame) args() []Value {
	out := make([]Value, len(f.code.fn.params))
	for i, p := range f.code.fn.params {
		out[i] = f.look(access{v: p})
	}
	return out
}

// callLocal calls what a local holds: a lambda.
func (w *World) callLocal(v Value, name string, args []Value) (Value, error) {
	if v == nil {
		return nil, errUndefinedVariable(name)
	}
	fn, ok := v.(*Function)
	if !ok {
		return nil, errNotFunction(name, v)
	}
	return w.apply(fn, args...)
}

// callValue is x.get(k), x.has(k), x.size() and x.last() on a value.
func (w *World) callValue(op string, args []Value) (Value, error) {
	v := args[0]
	switch op {
	case "get", "has":
		x, ok, err := valueAt(v, args[1])
		if op == "has" {
			return Bool(ok), err
		}
		return x, err
	case "size":
		op = "len"
	}
	if x := pseudoField(v, op); x != nil {
		return x, nil
	}
	if s, ok := v.(String); ok && op == "len" {
		return characters(string(s)), nil
	}
	return nil, errNoField(v, op)
}

// valueAt is x.get(k): () when absent.
func valueAt(v, key Value) (Value, bool, error) {
	switch v := v.(type) {
	case *Map:
		k, ok := keyText(key)
		if !ok {
			return nil, false, errKey("a key", key)
		}
		if x, ok := v.Get(k); ok {
			return x, true, nil
		}
		return Unit{}, false, nil
	case *List:
		i, ok, err := listIndex("an index of a list", key, v.Len())
		if err != nil || !ok {
			return Unit{}, false, err
		}
		return v.items[i], true, nil
	}
	return nil, false, errNotIndexable(v)
}
