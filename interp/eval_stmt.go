package interp

import (
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// block runs statements in a scope of their own; its value is that of its last expression.
func (w *World) block(f *frame, b *syntax.Block) (Value, error) {
	return f.inside(func() (Value, error) { return w.statements(f, b.Stmts) })
}

func (w *World) statements(f *frame, stmts []syntax.Stmt) (Value, error) {
	var last Value = Unit{}
	for _, s := range stmts {
		v, err := w.exec(f, s)
		if err != nil {
			return nil, err
		}
		last = v
	}
	return last, nil
}

// exec runs one statement; only an expression has a value other than ().
func (w *World) exec(f *frame, s syntax.Stmt) (Value, error) {
	v, err := w.execNode(f, s)
	if err != nil {
		return nil, at(err, s.Span())
	}
	return v, nil
}

func (w *World) execNode(f *frame, s syntax.Stmt) (Value, error) {
	switch s := s.(type) {
	case *syntax.ExprStmt:
		return w.eval(f, s.X)
	case *syntax.Let:
		v, err := w.eval(f, s.Value)
		if err == nil {
			f.scope.bind(s.Name.Name, v)
		}
		return Unit{}, err
	case *syntax.Assign:
		return Unit{}, w.assign(f, s)
	case *syntax.For:
		return Unit{}, w.execFor(f, s)
	case *syntax.While:
		return Unit{}, w.execWhile(f, s)
	case *syntax.Break:
		return nil, &loopExit{}
	case *syntax.Continue:
		return nil, &loopExit{next: true}
	case *syntax.Return:
		return nil, w.execReturn(f, s)
	case *syntax.Require:
		return Unit{}, w.execRequire(f, s)
	case *syntax.Ensure:
		ok, err := w.test(f, s.Cond)
		if err == nil && !ok {
			err = errEnsure(s.Cond)
		}
		return Unit{}, err
	case *syntax.Emit:
		return Unit{}, w.execEmit(f, s)
	}
	return nil, errUnsupported(s.Span().Normal())
}

func (w *World) execReturn(f *frame, s *syntax.Return) error {
	if s.Value == nil {
		return &returned{Unit{}}
	}
	v, err := w.eval(f, s.Value)
	if err != nil {
		return err
	}
	return &returned{v}
}

func (w *World) execRequire(f *frame, s *syntax.Require) error {
	ok, err := w.test(f, s.Cond)
	if err != nil || ok {
		return err
	}
	if s.Message == nil {
		return errRequire(s.Tag.Name, s.Cond)
	}
	v, err := w.eval(f, s.Message)
	if err != nil {
		return err
	}
	text, err := w.text(v)
	if err != nil {
		return err
	}
	return &Error{Kind: s.Tag.Name, Detail: text}
}

// execEmit runs every listener, in order, inside the emitter's transaction.
func (w *World) execEmit(f *frame, s *syntax.Emit) error {
	args, err := w.evalAll(f, s.Args)
	if err != nil {
		return err
	}
	for _, h := range w.prog.Info.Listeners[s] {
		if _, err := w.callHandler(h, args); err != nil {
			return err
		}
	}
	return nil
}

// loop counts rounds against loop_bound(n).
type loop struct {
	limited bool
	left    int64
	bound   int64
}

func (w *World) loopBound(f *frame, bound syntax.Expr) (loop, error) {
	if bound == nil {
		return loop{}, nil
	}
	v, err := w.eval(f, bound)
	if err != nil {
		return loop{}, err
	}
	i, ok := v.(Int)
	n, fits := i.Int64()
	if !ok || !fits {
		return loop{}, errType("loop_bound needs an Int, this is %s", aKind(v))
	}
	return loop{true, n, n}, nil
}

// next starts the next round.
func (l *loop) next() error {
	l.left--
	if l.limited && l.left < 0 {
		return errLoopBound(l.bound)
	}
	return nil
}

// round runs one round; done tells that a break left the loop.
func (w *World) round(f *frame, l *loop, b *syntax.Block) (done bool, err error) {
	if err := l.next(); err != nil {
		return true, err
	}
	if err := w.spend(1); err != nil {
		return true, err
	}
	_, err = w.block(f, b)
	if exit, ok := err.(*loopExit); ok {
		return !exit.next, nil
	}
	return err != nil, err
}

func (w *World) execWhile(f *frame, s *syntax.While) error {
	l, err := w.loopBound(f, s.Bound)
	if err != nil {
		return err
	}
	for {
		ok, err := w.test(f, s.Cond)
		if err != nil || !ok {
			return err
		}
		if done, err := w.round(f, &l, s.Body); done {
			return err
		}
	}
}

func (w *World) execFor(f *frame, s *syntax.For) error {
	l, err := w.loopBound(f, s.Bound)
	if err != nil {
		return err
	}
	if lo, hi, step, ok, err := w.rangeCall(f, s.In); err != nil || ok {
		if err != nil {
			return err
		}
		return w.forRange(f, s, &l, lo, hi, step)
	}
	v, err := w.eval(f, s.In)
	if err != nil {
		return err
	}
	items, err := iterate(v, s.In.Span())
	if err != nil {
		return err
	}
	for _, x := range items {
		if done, err := w.oneOf(f, s, &l, x); done {
			return err
		}
	}
	return nil
}

// forRange goes over a range without building the list.
func (w *World) forRange(f *frame, s *syntax.For, l *loop, lo, hi, step Int) error {
	for i := lo; cmpInt(i, hi)*step.Sign() < 0; i = addInt(i, step) {
		if done, err := w.oneOf(f, s, l, i); done {
			return err
		}
	}
	return nil
}

func (w *World) oneOf(f *frame, s *syntax.For, l *loop, x Value) (done bool, err error) {
	outer := f.scope
	f.scope = &scope{parent: outer}
	f.scope.bind(s.Var.Name, x)
	done, err = w.round(f, l, s.Body)
	f.scope = outer
	return done, err
}

// iterate lists what for goes over.
func iterate(v Value, span source.Span) ([]Value, error) {
	switch v := v.(type) {
	case Unit:
		return nil, nil
	case *List:
		return v.items, nil
	case *Map:
		return entries(v), nil
	case String:
		var lines []Value
		for _, line := range strings.Split(string(v), "\n") {
			if line = strings.TrimSuffix(line, "\r"); line != "" {
				lines = append(lines, String(line))
			}
		}
		return lines, nil
	}
	return nil, at(errNotIterable(v), span)
}

// entries are the {key, value} maps of a map.
func entries(m *Map) []Value {
	out := make([]Value, 0, m.Len())
	for i, k := range m.Keys() {
		out = append(out, MapOf("key", String(k), "value", m.vals[i]))
	}
	return out
}
