package interp

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Bodies are compiled to closures. Each node of the tree becomes, once, a Go function that
// holds the functions of its children and whatever is known before a run: the place of a
// local in its frame, the handler a call means, the constant behind a literal. Running a body
// is calling these functions. (Feeley and Lapalme, "Using closures for code generation",
// Computer Languages 12, 1987.)
//
// It means the same as walking the tree, since the closure of a node does what the walk would
// do there, in the same order; only decisions that do not depend on values are taken earlier.
// Cost: one pass over a body when it is first called, then a call of a closure for each node.
//
// Steps are counted where control can repeat: a block pays, when it is entered, for the
// nodes that stand in it; nodes inside another block or a lambda pay there. So the price of a
// run is known to a constant factor, and the count costs next to nothing.

// compiler makes the code of one function.
type compiler struct {
	w      *World
	unit   *unit
	fn     *function
	cell   *resolve.Cell
	inRule bool
	cost   int // of the region being compiled
	depth  int // of nesting at this place
	height int // the greatest depth
}

// handlerCode is the code of a handler, compiled when it is first needed.
func (w *World) handlerCode(h *resolve.Handler) *code {
	if c := w.codes[h]; c != nil {
		return c
	}
	b := newBinder(w, h.Cell)
	types := make([]*resolve.Type, len(h.Params))
	for i, p := range h.Params {
		b.param(p.Name)
		types[i] = p.Type
	}
	b.visit(h.Body)
	c := b.compile(h.Cell, false, func(c *compiler) exec { return c.block(h.Body) })
	c.types = types
	w.codes[h] = c
	return c
}

// ruleCode is the code of a rule of memory.
func (w *World) ruleCode(cell *resolve.Cell, cond syntax.Expr) *code {
	b := newBinder(w, cell)
	b.visit(cond)
	return b.compile(cell, true, func(c *compiler) exec { return c.expr(cond) })
}

// guard is the code of an edge's guard. Its parameters are _id, _from, _to and then the names
// that it reads from whoever calls transition.
func (w *World) guard(m *resolve.Machine, row *syntax.EdgeRow) *code {
	if c := w.guards[row]; c != nil {
		return c
	}
	b := newBinder(w, m.Cell)
	for _, name := range []string{"_id", "_from", "_to"} {
		b.param(name)
	}
	for _, name := range openNames(w, row.Guard) {
		b.param(name)
	}
	b.visit(row.Guard)
	c := b.compile(m.Cell, false, func(c *compiler) exec { return c.expr(row.Guard) })
	w.guards[row] = c
	return c
}

// open are the parameters of a guard that the caller's locals fill.
func (c *code) open() []*variable { return c.fn.params[3:] }

// compile makes the code of what was bound.
func (b *binder) compile(cell *resolve.Cell, inRule bool, body func(*compiler) exec) *code {
	c := &compiler{w: b.w, unit: b.unit, fn: b.fn, cell: cell, inRule: inRule}
	return &code{fn: b.fn, cell: cell, fragment: c.fragment(body)}
}

// fragment compiles a part with a price of its own.
func (c compiler) fragment(body func(*compiler) exec) fragment {
	x := body(&c)
	return fragment{x, c.cost + 1, c.height}
}

// apart compiles a region that pays for itself, and tells its price.
func (c *compiler) apart(compile func()) int {
	outer := c.cost
	c.cost = 0
	compile()
	cost := c.cost
	c.cost = outer
	return cost
}

// expr compiles an expression.
func (c *compiler) expr(x syntax.Expr) exec {
	c.cost++
	c.depth++
	c.height = max(c.height, c.depth)
	e := c.node(x)
	c.depth--
	if observe := c.w.opts.Observe; observe != nil {
		return func(f *frame) (Value, error) {
			v, err := e(f)
			if err == nil {
				observe(x, v)
			}
			return v, err
		}
	}
	return e
}

func (c *compiler) exprs(xs []syntax.Expr) []exec {
	out := make([]exec, len(xs))
	for i, x := range xs {
		out[i] = c.expr(x)
	}
	return out
}

func (c *compiler) node(x syntax.Expr) exec {
	switch x := x.(type) {
	case *syntax.Name:
		return c.name(x)
	case *syntax.Int:
		return constant(BigInt(x.Value))
	case *syntax.Float:
		return constant(Float(x.Value))
	case *syntax.Bool:
		return constant(Bool(x.Value))
	case *syntax.Unit:
		return constant(Unit{})
	case *syntax.String:
		return c.text(x)
	case *syntax.List:
		return c.list(x)
	case *syntax.Record:
		return c.record(x)
	case *syntax.VariantRef:
		return c.variant(x)
	case *syntax.Unary:
		return c.unary(x)
	case *syntax.Binary:
		return c.binary(x)
	case *syntax.Call, *syntax.Method, *syntax.Pipe:
		return c.call(x)
	case *syntax.Field:
		return c.field(x)
	case *syntax.Index:
		return c.index(x)
	case *syntax.Propagate:
		return c.propagate(x)
	case *syntax.Lambda:
		return c.lambda(x)
	case *syntax.If:
		return c.ifElse(x)
	case *syntax.Try:
		return c.try(x)
	case *syntax.Match:
		return c.match(x)
	case *syntax.Paren:
		return c.expr(x.X)
	}
	return raise(errUnsupported(x.Span().Normal()), x.Span())
}

// constant is code that always gives one value.
func constant(v Value) exec {
	return func(*frame) (Value, error) { return v, nil }
}

// raise is code that always raises.
func raise(e *Error, span source.Span) exec {
	return func(*frame) (Value, error) {
		again := *e
		return nil, at(&again, span)
	}
}

// all evaluates expressions in order.
func all(f *frame, xs []exec) ([]Value, error) {
	out := make([]Value, len(xs))
	for i, x := range xs {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// name compiles the value of a name: a slot, a state, a local, a name of a rule.
func (c *compiler) name(x *syntax.Name) exec {
	w, span := c.w, x.Span()
	if ref := w.ref(x); ref != nil {
		switch ref.Kind {
		case resolve.RefSlot:
			return c.slotName(ref.Slot, span)
		case resolve.RefState:
			return constant(String(x.Name))
		}
	}
	unbound := errUndefinedVariable(x.Name)
	a := c.unit.uses[x]
	switch {
	case a.v == nil && c.inRule:
		return func(f *frame) (Value, error) {
			if v, ok := f.rule.special(x.Name); ok {
				return v, nil
			}
			return nil, at(errUndefinedVariable(x.Name), span)
		}
	case a.v == nil:
		return raise(unbound, span)
	case a.free:
		i := a.at
		return func(f *frame) (Value, error) {
			if v := f.held[i].v; v != nil {
				return v, nil
			}
			return nil, at(errUndefinedVariable(x.Name), span)
		}
	case a.v.captured:
		i := a.v.index
		return func(f *frame) (Value, error) {
			if b := f.boxes[i]; b != nil && b.v != nil {
				return b.v, nil
			}
			return nil, at(errUndefinedVariable(x.Name), span)
		}
	}
	i := a.v.index
	return func(f *frame) (Value, error) {
		if v := f.locals[i]; v != nil {
			return v, nil
		}
		return nil, at(errUndefinedVariable(x.Name), span)
	}
}

func (c *compiler) slotName(s *resolve.Slot, span source.Span) exec {
	w := c.w
	if c.inRule {
		return func(f *frame) (Value, error) {
			v, err := w.slotInRule(f.rule, s)
			return v, at(err, span)
		}
	}
	return func(*frame) (Value, error) {
		v, err := w.slotValue(s)
		return v, at(err, span)
	}
}

// lambda compiles a function value.
func (c *compiler) lambda(x *syntax.Lambda) exec {
	fn := c.unit.lambdas[x]
	in := compiler{w: c.w, unit: c.unit, fn: fn, cell: c.cell, inRule: c.inRule}
	body := &code{fn: fn, cell: c.cell, fragment: in.fragment(func(c *compiler) exec {
		if x.Body != nil {
			return c.block(x.Body)
		}
		return c.expr(x.X)
	})}
	w, captures, span := c.w, fn.captures, x.Span()
	return func(f *frame) (Value, error) {
		if err := w.allocate(lambdaBytes); err != nil {
			return nil, at(err, span)
		}
		held := make([]*box, len(captures))
		for i, a := range captures {
			held[i] = f.boxOf(a)
			if held[i] == nil { // bound nowhere yet: a rule of a test raised before
				held[i] = &box{}
			}
		}
		return &Function{code: body, held: held, rule: f.rule}, nil
	}
}
