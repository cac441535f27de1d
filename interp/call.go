package interp

import (
	"slices"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// impl runs one builtin.
type impl func(c *call) (Value, error)

// call is one call under way: evaluated arguments, a receiver first.
type call struct {
	w      *World
	f      *frame
	name   string
	args   []Value
	callee *resolve.Callee
	x      syntax.Expr
	span   source.Span
}

// evalCall runs a Call, a Method or a Pipe by what resolution says it calls.
func (w *World) evalCall(f *frame, x syntax.Expr) (Value, error) {
	callee := w.prog.Info.Calls[x]
	name, receiver, written := callParts(x)
	if callee == nil {
		return nil, errUndefinedFunction(name)
	}
	if callee.Kind == resolve.CallSlot {
		return w.callSlot(f, callee, written)
	}
	exprs := written
	if callee.Receiver || callee.Kind == resolve.CallValue {
		exprs = append([]syntax.Expr{receiver}, written...)
	}
	args, err := w.evalAll(f, exprs)
	if err != nil {
		return nil, err
	}
	c := &call{w: w, f: f, name: name, args: args, callee: callee, x: x, span: x.Span()}
	switch callee.Kind {
	case resolve.CallBuiltin:
		c.name = callee.Builtin.Name
		return w.callBuiltin(c)
	case resolve.CallCellAs:
		return w.callHandler(callee.Handler, args[2:])
	case resolve.CallHandler:
		return w.callHandler(callee.Handler, args)
	case resolve.CallLambda:
		return w.callLocal(f, name, args)
	case resolve.CallVariant:
		return w.build(callee.Variant, args)
	case resolve.CallValue:
		return w.callValue(callee.Op, args)
	}
	return nil, errUndefinedFunction(name)
}

// callParts are the name that is called, the receiver (nil for a plain call) and the
// arguments as written.
func callParts(x syntax.Expr) (string, syntax.Expr, []syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Method:
		return x.Name.Name, x.X, x.Args
	case *syntax.Pipe:
		name, _, args := callParts(x.Call)
		return name, x.X, args
	case *syntax.Call:
		switch fun := x.Fun.(type) {
		case *syntax.Name:
			return fun.Name, nil, x.Args
		case *syntax.VariantRef:
			return fun.Name.Name, nil, x.Args
		}
		return x.Fun.Span().Normal(), nil, x.Args
	}
	return "", nil, nil
}

// callBuiltin runs a builtin, or what a mock puts in its place.
func (w *World) callBuiltin(c *call) (Value, error) {
	if !c.callee.Builtin.Accepts(len(c.args)) {
		return nil, errArgCount(c.name, len(c.args))
	}
	if class := c.callee.Builtin.Class; w.opts.Trace != nil && class != builtin.Pure && class != builtin.Machine {
		w.trace(Step{Kind: StepAct, Name: c.name, Args: c.args})
		v, err := w.runBuiltin(c)
		w.trace(Step{Kind: StepActed, Name: c.name, Value: v, Raised: raised(err)})
		return v, err
	}
	return w.runBuiltin(c)
}

func (w *World) runBuiltin(c *call) (Value, error) {
	if c.callee.Builtin.Class != builtin.Model {
		if v, mocked, err := w.mocks.builtin(c.name); mocked {
			return v, err
		}
	}
	run := w.builtins[c.name]
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
	return v, w.charge(v)
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

// charge pays for what a builtin built.
func (w *World) charge(v Value) error {
	switch v := v.(type) {
	case String:
		return w.allocate(len(v))
	case *List:
		if v.Len() > maxItems {
			return errMemory()
		}
		return w.spend(v.Len() >> 4)
	case *Map:
		return w.spend(v.Len() >> 4)
	}
	return nil
}

// callHandler runs a handler; one that is not inside another is a transaction.
func (w *World) callHandler(h *resolve.Handler, args []Value) (Value, error) {
	if v, mocked, err := w.mocks.handler(h); mocked {
		return v, err
	}
	if w.handlers == 0 {
		return w.outermost(func() (Value, error) { return w.runHandler(h, args) })
	}
	return w.runHandler(h, args)
}

func (w *World) runHandler(h *resolve.Handler, args []Value) (Value, error) {
	f := &frame{cell: h.Cell, scope: &scope{}}
	if len(args) != len(h.Params) {
		return nil, errArgCount(h.Name, len(args))
	}
	for i, p := range h.Params {
		v, ok := conform(args[i], p.Type)
		if !ok {
			return nil, errParam(h.Name, p.Name, p.Type, args[i])
		}
		f.scope.bind(p.Name, v)
	}
	if w.opts.Trace != nil {
		w.trace(Step{Kind: StepEnter, Cell: h.Cell.Name, Name: h.Name, Args: slices.Clone(f.scope.vals)})
	}
	w.handlers++
	v, err := w.enter(func() (Value, error) { return w.block(f, h.Body) })
	w.handlers--
	w.trace(Step{Kind: StepLeave, Cell: h.Cell.Name, Name: h.Name, Value: v, Raised: raised(err)})
	return v, err
}

// enter runs the body of a handler or lambda; it is where return ends.
func (w *World) enter(body func() (Value, error)) (Value, error) {
	if w.calls >= maxCalls {
		return nil, errStackOverflow()
	}
	w.calls++
	v, err := body()
	w.calls--
	if r, ok := err.(*returned); ok {
		return r.value, nil
	}
	return v, err
}

// callLocal calls a local that holds a lambda.
func (w *World) callLocal(f *frame, name string, args []Value) (Value, error) {
	v := f.scope.place(name)
	if v == nil {
		return nil, errUndefinedVariable(name)
	}
	fn, ok := (*v).(*Function)
	if !ok {
		return nil, errNotFunction(name, *v)
	}
	return w.apply(fn, args...)
}

// apply calls a lambda.
func (w *World) apply(fn *Function, args ...Value) (Value, error) {
	if err := w.spend(1); err != nil {
		return nil, err
	}
	if len(args) != len(fn.lambda.Params) {
		return nil, errLambdaArity(len(fn.lambda.Params), len(args))
	}
	f := fn.frame
	f.scope = &scope{parent: fn.frame.scope}
	for i, p := range fn.lambda.Params {
		f.scope.bind(p.Name, args[i])
	}
	return w.enter(func() (Value, error) {
		if fn.lambda.Body != nil {
			return w.block(&f, fn.lambda.Body)
		}
		return w.eval(&f, fn.lambda.X)
	})
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
