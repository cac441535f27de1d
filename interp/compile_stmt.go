package interp

import (
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// block compiles statements; their value is that of the last expression. A block pays for its
// nodes each time it runs.
func (c *compiler) block(b *syntax.Block) exec {
	c.depth++
	c.height = max(c.height, c.depth)
	stmts := make([]exec, len(b.Stmts))
	cost := c.apart(func() {
		for i, s := range b.Stmts {
			stmts[i] = c.stmt(s)
		}
	})
	c.depth--
	w, span := c.w, b.At
	cost++
	if len(stmts) == 1 {
		only := stmts[0]
		return func(f *frame) (Value, error) {
			if err := w.spend(cost); err != nil {
				return nil, at(err, span)
			}
			return only(f)
		}
	}
	return func(f *frame) (last Value, err error) {
		if err := w.spend(cost); err != nil {
			return nil, at(err, span)
		}
		last = Unit{}
		for _, s := range stmts {
			if last, err = s(f); err != nil {
				return nil, err
			}
		}
		return last, nil
	}
}

// stmt compiles one statement; only an expression has a value other than ().
func (c *compiler) stmt(s syntax.Stmt) exec {
	c.cost++
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return c.expr(s.X)
	case *syntax.Let:
		return c.let(s)
	case *syntax.Assign:
		return c.assign(s)
	case *syntax.For:
		return c.forLoop(s)
	case *syntax.While:
		return c.whileLoop(s)
	case *syntax.Break:
		return func(*frame) (Value, error) { return nil, breaking }
	case *syntax.Continue:
		return func(*frame) (Value, error) { return nil, continuing }
	case *syntax.Return:
		return c.returns(s)
	case *syntax.Require:
		return c.require(s)
	case *syntax.Ensure:
		ok, cond := c.test(s.Cond), s.Cond
		return asserting(ok, func(*frame) error { return at(errEnsure(cond), s.At) })
	case *syntax.Emit:
		return c.emit(s)
	}
	return raise(errUnsupported(s.Span().Normal()), s.Span())
}

func (c *compiler) let(s *syntax.Let) exec {
	value, v := c.expr(s.Value), c.unit.binds[s]
	if v.captured {
		return func(f *frame) (Value, error) {
			x, err := value(f)
			if err != nil {
				return nil, err
			}
			f.boxes[v.index] = &box{x}
			return Unit{}, nil
		}
	}
	i := v.index
	return func(f *frame) (Value, error) {
		x, err := value(f)
		if err != nil {
			return nil, err
		}
		f.locals[i] = x
		return Unit{}, nil
	}
}

func (c *compiler) returns(s *syntax.Return) exec {
	value := constant(Unit{})
	if s.Value != nil {
		value = c.expr(s.Value)
	}
	return func(f *frame) (Value, error) {
		v, err := value(f)
		if err != nil {
			return nil, err
		}
		f.result = v
		return nil, returning
	}
}

func (c *compiler) require(s *syntax.Require) exec {
	w, ok := c.w, c.test(s.Cond)
	if s.Message == nil {
		return asserting(ok, func(*frame) error { return at(errRequire(s.Tag.Name, s.Cond), s.At) })
	}
	message := c.expr(s.Message)
	return asserting(ok, func(f *frame) error {
		v, err := message(f)
		if err != nil {
			return err
		}
		text, err := w.text(v)
		if err != nil {
			return at(err, s.At)
		}
		return &Error{Kind: s.Tag.Name, Detail: text, Span: s.At}
	})
}

// asserting raises unless a condition holds.
func asserting(ok func(*frame) (bool, error), otherwise func(*frame) error) exec {
	return func(f *frame) (Value, error) {
		holds, err := ok(f)
		if err != nil {
			return nil, err
		}
		if !holds {
			return nil, otherwise(f)
		}
		return Unit{}, nil
	}
}

// emit compiles a run of every listener, in order, inside the emitter's transaction.
func (c *compiler) emit(s *syntax.Emit) exec {
	w, args, listeners := c.w, c.exprs(s.Args), c.w.prog.Info.Listeners[s]
	return func(f *frame) (Value, error) {
		vs, err := all(f, args)
		if err != nil {
			return nil, err
		}
		for _, h := range listeners {
			if _, err := w.callHandler(h, vs); err != nil {
				return nil, at(err, s.At)
			}
		}
		return Unit{}, nil
	}
}

// rounds counts the rounds of a loop, against loop_bound(n) if there is one.
type rounds struct {
	limited bool
	left    int64
	bound   int64
}

func (r *rounds) next() error {
	if r.limited {
		if r.left--; r.left < 0 {
			return errLoopBound(r.bound)
		}
	}
	return nil
}

// bound compiles loop_bound(n).
func (c *compiler) bound(x syntax.Expr) func(f *frame) (rounds, error) {
	if x == nil {
		return func(*frame) (rounds, error) { return rounds{}, nil }
	}
	value := c.expr(x)
	return func(f *frame) (rounds, error) {
		v, err := value(f)
		if err != nil {
			return rounds{}, err
		}
		i, ok := v.(Int)
		n, fits := i.Int64()
		if !ok || !fits {
			return rounds{}, at(errType("loop_bound needs an Int, this is %s", aKind(v)), x.Span())
		}
		return rounds{true, n, n}, nil
	}
}

// round runs one round of a loop; done tells that the loop ends here.
func round(f *frame, body exec) (done bool, err error) {
	_, err = body(f)
	switch err {
	case nil, continuing:
		return false, nil
	case breaking:
		return true, nil
	}
	return true, err
}

func (c *compiler) whileLoop(s *syntax.While) exec {
	bound := c.bound(s.Bound)
	var test func(*frame) (bool, error)
	cost := c.apart(func() { test = c.test(s.Cond) })
	body, w, span := c.block(s.Body), c.w, s.At
	return func(f *frame) (Value, error) {
		left, err := bound(f)
		if err != nil {
			return nil, err
		}
		for {
			if err := w.spend(cost); err != nil {
				return nil, at(err, span)
			}
			ok, err := test(f)
			if err != nil {
				return nil, err
			}
			if !ok {
				return Unit{}, nil
			}
			if err := left.next(); err != nil {
				return nil, at(err, span)
			}
			if done, err := round(f, body); err != nil {
				return nil, err
			} else if done {
				return Unit{}, nil
			}
		}
	}
}

func (c *compiler) forLoop(s *syntax.For) exec {
	bound, span := c.bound(s.Bound), s.At
	lo, isRange := c.rangeBounds(s.In)
	in := c.expr(s.In)
	v, body := c.unit.binds[s], c.block(s.Body)
	w := c.w
	return func(f *frame) (Value, error) {
		left, err := bound(f)
		if err != nil {
			return nil, err
		}
		one := func(x Value) (bool, error) {
			if err := left.next(); err != nil {
				return true, at(err, span)
			}
			f.bind(v, x)
			return round(f, body)
		}
		if isRange && len(w.mocks.builtins["range"]) == 0 {
			r, err := lo(f)
			if err != nil {
				return nil, err
			}
			return Unit{}, w.eachInt(r, span, one)
		}
		xs, err := in(f)
		if err != nil {
			return nil, err
		}
		return Unit{}, w.each(xs, s.In.Span(), one)
	}
}

// span of Ints that a loop goes over without building the list.
type intRange struct{ lo, hi, step Int }

// rangeBounds recognises range(…) as what a loop goes over.
func (c *compiler) rangeBounds(x syntax.Expr) (func(f *frame) (intRange, error), bool) {
	call, ok := syntax.Unparen(x).(*syntax.Call)
	if !ok {
		return nil, false
	}
	callee := c.w.prog.Info.Calls[call]
	if callee == nil || callee.Builtin == nil || callee.Builtin.Name != "range" {
		return nil, false
	}
	args, span := c.exprs(call.Args), x.Span()
	return func(f *frame) (intRange, error) {
		vs, err := all(f, args)
		if err != nil {
			return intRange{}, err
		}
		lo, hi, step, err := rangeBounds("range", vs)
		return intRange{lo, hi, step}, at(err, span)
	}, true
}

// rangeRound is the price of a round besides that of the body, in steps.
const rangeRound = 4

// eachInt visits the Ints of a range.
func (w *World) eachInt(r intRange, span source.Span, visit func(Value) (done bool, err error)) error {
	i, sign := r.lo, r.step.Sign()
	for cmpInt(i, r.hi)*sign < 0 {
		if done, err := visit(boxed(i)); done {
			return err
		}
		if err := w.spend(rangeRound + price(i.size())); err != nil {
			return at(err, span)
		}
		i = addInt(i, r.step)
	}
	return nil
}

// each visits what for goes over: the items of a list, the {key, value} entries of a map, the
// lines of a text that are not empty, nothing of ().
func (w *World) each(v Value, span source.Span, visit func(Value) (done bool, err error)) error {
	switch v := v.(type) {
	case Unit:
		return nil
	case *List:
		for _, x := range v.items {
			if done, err := visit(x); done {
				return err
			}
		}
		return nil
	case *Map:
		for i, k := range v.Keys() {
			if err := w.allocate(mapBytes(2)); err != nil {
				return at(err, span)
			}
			if done, err := visit(MapOf("key", String(k), "value", v.vals[i])); done {
				return err
			}
		}
		return nil
	case String:
		for line := range strings.SplitSeq(string(v), "\n") {
			if err := w.spend(1 + len(line)>>6); err != nil {
				return at(err, span)
			}
			if line = strings.TrimSuffix(line, "\r"); line == "" {
				continue
			}
			if done, err := visit(String(line)); done {
				return err
			}
		}
		return nil
	}
	return at(errNotIterable(v), span)
}
