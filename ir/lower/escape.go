package lower

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A lambda that is called by its name, or given to a builtin on the spot, is lowered where it
// runs. One that escapes — kept in a list, given to a handler, one of two — may run at any
// later time, so it is lowered where it is made, as a loop that runs it any number of times
// with any arguments, in any state of memory: what it does is seen by every analysis. Which
// lambdas escape is known only at the end of a body; then the body is lowered again.

// body lowers a handler or timer.
func (l *lowerer) body(h *resolve.Handler) *ir.Automaton {
	escapes := map[*syntax.Lambda]bool{}
	for {
		a, found := l.bodyWith(h, escapes)
		if len(found) == 0 {
			return a
		}
		for f := range found {
			escapes[f] = true
		}
	}
}

// escape notes that the lambda of a value, if it is one, may run where the lowering does not
// see it.
func (b *builder) escape(v value) {
	if v.lambda != nil && !b.escapes[v.lambda] {
		b.escaped[v.lambda] = true
	}
}

// lambda lowers x => e.
func (b *builder) lambda(x *syntax.Lambda) value {
	if b.escapes[x] && b.rule == nil {
		acc := b.havoc(term.Opaque, ir.Abstraction, ir.KeptFunction, x.At)
		outer, later := b.env, b.later
		b.later = true
		b.env = b.captured(outer, x.At)
		b.lambdaLoop(&rounds{name: ir.KeptFunction, gathered: acc}, x)
		b.env, b.later = outer, later
	}
	return value{t: b.function(x), lambda: x, closure: b.env.copy()}
}

// function stands for a lambda as a value: one of its own, of which no more is known, not even
// that it is there or of which kind it is.
func (b *builder) function(x *syntax.Lambda) *term.Term {
	n, ok := b.functions[x]
	if !ok {
		n = len(b.functions) + 1
		b.functions[x] = n
	}
	return term.App("function", term.Opaque, term.Int64(int64(n)))
}
