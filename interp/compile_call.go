package interp

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// call compiles a Call, a Method or a Pipe by what resolution says it calls.
func (c *compiler) call(x syntax.Expr) exec {
	callee := c.w.prog.Info.Calls[x]
	name, receiver, written := callParts(x)
	span := x.Span()
	if callee == nil {
		return raise(errUndefinedFunction(name), span)
	}
	if callee.Kind == resolve.CallSlot {
		return c.callSlot(callee, written, span)
	}
	exprs := written
	if callee.Receiver || callee.Kind == resolve.CallValue {
		exprs = append([]syntax.Expr{receiver}, written...)
	}
	args := c.exprs(exprs)
	w := c.w
	switch callee.Kind {
	case resolve.CallBuiltin:
		return c.callBuiltin(x, callee, args)
	case resolve.CallCellAs:
		return c.withArgs(args, span, func(_ *frame, vs []Value) (Value, error) { return w.callHandler(callee.Handler, vs[2:]) })
	case resolve.CallHandler:
		return c.callHandler(callee.Handler, args, span)
	case resolve.CallLambda:
		a := c.unit.callees[x]
		return c.withArgs(args, span, func(f *frame, vs []Value) (Value, error) { return w.callLocal(f.look(a), name, vs) })
	case resolve.CallVariant:
		size := listBytes(len(args))
		return c.withArgs(args, span, func(_ *frame, vs []Value) (Value, error) {
			if err := w.allocate(size); err != nil {
				return nil, err
			}
			return w.build(callee.Variant, vs)
		})
	case resolve.CallValue:
		return c.withArgs(args, span, func(_ *frame, vs []Value) (Value, error) { return w.callValue(callee.Op, vs) })
	}
	return raise(errUndefinedFunction(name), span)
}

// withArgs evaluates arguments, then runs what is called.
func (c *compiler) withArgs(args []exec, span source.Span, run func(f *frame, vs []Value) (Value, error)) exec {
	return func(f *frame) (Value, error) {
		vs, err := all(f, args)
		if err != nil {
			return nil, err
		}
		v, err := run(f, vs)
		return v, at(err, span)
	}
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

func (c *compiler) callSlot(callee *resolve.Callee, written []syntax.Expr, span source.Span) exec {
	w := c.w
	if callee.Op == "total" {
		return func(*frame) (Value, error) {
			v, err := w.total(callee.Slot)
			return v, at(err, span)
		}
	}
	return c.withArgs(c.exprs(written), span, func(f *frame, vs []Value) (Value, error) {
		return w.callSlot(f, callee, vs)
	})
}

func (c *compiler) callBuiltin(x syntax.Expr, callee *resolve.Callee, args []exec) exec {
	w, span, where := c.w, x.Span(), c.unit.sites[x]
	name := callee.Builtin.Name
	run := w.builtins[name]
	return func(f *frame) (Value, error) {
		vs, err := all(f, args)
		if err != nil {
			return nil, err
		}
		v, err := w.callBuiltin(run, &call{w: w, f: f, name: name, args: vs, callee: callee, x: x, span: span, where: where})
		return v, at(err, span)
	}
}

// callHandler compiles the call of a handler. Inside another handler, and not mocked, its
// arguments go straight into its frame.
func (c *compiler) callHandler(h *resolve.Handler, args []exec, span source.Span) exec {
	w := c.w
	var target *code
	return func(f *frame) (Value, error) {
		if w.handlers == 0 || len(w.mocks.handlers) > 0 || len(args) != len(h.Params) {
			vs, err := all(f, args)
			if err != nil {
				return nil, err
			}
			v, err := w.callHandler(h, vs)
			return v, at(err, span)
		}
		if target == nil {
			target = w.handlerCode(h)
		}
		callee := target.begin()
		for i, arg := range args {
			v, err := arg(f)
			if err != nil {
				target.end(callee)
				return nil, err
			}
			callee.locals[i] = v
		}
		v, err := w.runHandler(h, callee)
		return v, at(err, span)
	}
}
