package conform_test

import (
	"slices"
	"strings"
	"testing"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A fault is what a wrong rule of the lowering would do to a system. A fault alters what it can
// find and tells whether there was anything.
type fault struct {
	name  string
	alter func(*ir.System) bool
}

// effects makes a fault that replaces effects; nil drops one, the same keeps it.
func effects(name string, swap func(ir.Effect) []ir.Effect) fault {
	return fault{name, func(s *ir.System) bool {
		changed := false
		edges(s, func(a *ir.Automaton, e *ir.Edge) {
			var out []ir.Effect
			for _, f := range e.Effects {
				with := swap(f)
				changed = changed || len(with) != 1 || with[0] != f
				out = append(out, with...)
			}
			e.Effects = out
		})
		return changed
	}}
}

func edges(s *ir.System, visit func(*ir.Automaton, *ir.Edge)) {
	for _, c := range s.Cells {
		for _, a := range c.Automata {
			for _, e := range a.Edges {
				visit(a, e)
			}
		}
	}
}

// one makes a fault of a change of effects of one kind: false drops the effect.
func one[E ir.Effect](name string, change func(E) (ir.Effect, bool)) fault {
	return effects(name, func(f ir.Effect) []ir.Effect {
		x, ok := f.(E)
		if !ok {
			return []ir.Effect{f}
		}
		if with, keep := change(x); keep {
			return []ir.Effect{with}
		}
		return nil
	})
}

func drop[E ir.Effect](name string) fault {
	return one(name, func(E) (ir.Effect, bool) { return nil, false })
}

// onEdges makes a fault of a change of edges.
func onEdges(name string, change func(*ir.Automaton, *ir.Edge) bool) fault {
	return fault{name, func(s *ir.System) bool {
		changed := false
		edges(s, func(a *ir.Automaton, e *ir.Edge) { changed = change(a, e) || changed })
		return changed
	}}
}

// terms makes a fault of a change of terms, wherever they stand in bodies.
func terms(name string, change func(*term.Term) *term.Term) fault {
	return fault{name, func(s *ir.System) bool {
		changed := false
		var walk func(*term.Term) *term.Term
		walk = func(t *term.Term) *term.Term {
			if t == nil || t.IsLiteral() || t.Op == term.OpVar {
				return t
			}
			args := make([]*term.Term, len(t.Args))
			for i, a := range t.Args {
				args[i] = walk(a)
			}
			with := change(term.Rebuild(t, args))
			changed = changed || !with.Equal(t)
			return with
		}
		edges(s, func(_ *ir.Automaton, e *ir.Edge) {
			e.Guard = walk(e.Guard)
			for _, f := range e.Effects {
				switch f := f.(type) {
				case *ir.Bind:
					f.Value = walk(f.Value)
				case *ir.Write:
					f.Key, f.Value = walk(f.Key), walk(f.Value)
				case *ir.Push:
					f.Value = walk(f.Value)
				case *ir.Move:
					f.ID, f.To = walk(f.ID), walk(f.To)
				case *ir.Return:
					f.Value = walk(f.Value)
				case *ir.Call:
					for i := range f.Args {
						f.Args[i] = walk(f.Args[i])
					}
				}
			}
		})
		return changed
	}}
}

// other is a term of the same sort with another value.
func other(t *term.Term) *term.Term {
	switch t.Sort.Kind {
	case term.KindInt:
		return term.Add(t, term.Int64(1))
	case term.KindString:
		return term.Concat(t, term.StringLit("'"))
	case term.KindBool:
		return term.Not(t)
	}
	return t
}

func faults() []fault {
	machines := func(name string, change func(*ir.Machine)) fault {
		return fault{name, func(s *ir.System) bool {
			changed := false
			for _, c := range s.Cells {
				if c.Machine != nil {
					change(c.Machine)
					changed = true
				}
			}
			return changed
		}}
	}
	swapArgs := func(op term.Op) func(*term.Term) *term.Term {
		return func(t *term.Term) *term.Term {
			if t.Op != op {
				return t
			}
			args := slices.Clone(t.Args)
			slices.Reverse(args)
			if op == term.OpIte {
				args = []*term.Term{t.Args[0], t.Args[2], t.Args[1]}
			}
			return term.Rebuild(t, args)
		}
	}
	return []fault{
		effects("a failed try keeps what it wrote", func(f ir.Effect) []ir.Effect {
			if r, ok := f.(*ir.Rollback); ok {
				return []ir.Effect{&ir.Commit{At: r.At}}
			}
			return []ir.Effect{f}
		}),
		effects("a try that ends well is undone", func(f ir.Effect) []ir.Effect {
			if r, ok := f.(*ir.Commit); ok {
				return []ir.Effect{&ir.Rollback{At: r.At}}
			}
			return []ir.Effect{f}
		}),
		drop[*ir.Begin]("a try opens no transaction"),
		drop[*ir.Write]("a write is forgotten"),
		drop[*ir.Push]("a push is forgotten"),
		drop[*ir.Delete]("a delete is forgotten"),
		drop[*ir.Move]("a move is forgotten"),
		drop[*ir.Unknown]("what a kept function does is forgotten"),
		drop[*ir.Act]("an act is forgotten"),
		one("a write under another key", func(w *ir.Write) (ir.Effect, bool) {
			x := *w
			x.Key = other(w.Key)
			return &x, true
		}),
		one("a write of another value", func(w *ir.Write) (ir.Effect, bool) {
			x := *w
			x.Value = other(w.Value)
			return &x, true
		}),
		one("a push of another value", func(w *ir.Push) (ir.Effect, bool) {
			x := *w
			x.Value = other(w.Value)
			return &x, true
		}),
		one("a delete under another key", func(w *ir.Delete) (ir.Effect, bool) {
			x := *w
			x.Key = other(w.Key)
			return &x, true
		}),
		one("a move of another instance", func(m *ir.Move) (ir.Effect, bool) {
			x := *m
			x.ID = other(m.ID)
			return &x, true
		}),
		one("a move to another state", func(m *ir.Move) (ir.Effect, bool) {
			x := *m
			x.To = other(m.To)
			return &x, true
		}),
		one("a move from another state", func(m *ir.Move) (ir.Effect, bool) {
			if m.From == nil {
				return m, true
			}
			x := *m
			x.From = other(m.From)
			return &x, true
		}),
		one("a read finds what is not there", func(r *ir.Read) (ir.Effect, bool) {
			if r.Has == nil {
				return r, true
			}
			return &ir.Bind{At: r.At, Var: r.Has, Value: term.True}, true
		}),
		one("a read under another key", func(r *ir.Read) (ir.Effect, bool) {
			x := *r
			x.Key = other(r.Key)
			return &x, true
		}),
		one("a slot is always empty", func(r *ir.Scan) (ir.Effect, bool) {
			if r.Var.Sort.Kind != term.KindInt {
				return r, true
			}
			return &ir.Bind{At: r.At, Var: r.Var, Value: term.Int64(0)}, true
		}),
		one("an instance is always in its first state", func(r *ir.Inspect) (ir.Effect, bool) {
			if r.What != "get_status" {
				return r, true
			}
			return &ir.Bind{At: r.At, Var: r.Var, Value: term.StringLit("?")}, true
		}),
		one("a call is forgotten", func(c *ir.Call) (ir.Effect, bool) { return c, c.Via != "" }),
		one("a listener is forgotten", func(c *ir.Call) (ir.Effect, bool) { return c, c.Via != "emit" }),
		one("a delegate is forgotten", func(c *ir.Call) (ir.Effect, bool) { return c, c.Via != "delegate" }),
		one("a call with other arguments", func(c *ir.Call) (ir.Effect, bool) {
			x := *c
			x.Args = slices.Clone(c.Args)
			for i := range x.Args {
				x.Args[i] = other(x.Args[i])
			}
			return &x, true
		}),
		effects("a call gives another result", func(f ir.Effect) []ir.Effect {
			c, ok := f.(*ir.Call)
			if !ok || c.Result == nil {
				return []ir.Effect{f}
			}
			return []ir.Effect{c, &ir.Bind{At: c.At, Var: c.Result, Value: other(c.Result)}}
		}),
		one("a model has no tools", func(c *ir.Act) (ir.Effect, bool) {
			if c.Tools == nil {
				return c, true
			}
			x := *c
			x.Tools = nil
			return &x, true
		}),
		effects("an answer is not what was said", func(f ir.Effect) []ir.Effect {
			c, ok := f.(*ir.Act)
			if !ok || c.Result == nil {
				return []ir.Effect{f}
			}
			return []ir.Effect{c, &ir.Bind{At: c.At, Var: c.Result, Value: other(c.Result)}}
		}),
		one("another result", func(r *ir.Return) (ir.Effect, bool) {
			return &ir.Return{At: r.At, Value: other(r.Value)}, true
		}),
		one("another kind of error", func(r *ir.Raise) (ir.Effect, bool) {
			if r.Kind == "" {
				return r, true
			}
			return &ir.Raise{At: r.At, Kind: r.Kind + "'", Refusal: r.Refusal}, true
		}),
		one("a havoc is the value zero", func(h *ir.Havoc) (ir.Effect, bool) {
			if h.Var.Sort.Kind != term.KindInt {
				return h, true
			}
			return &ir.Bind{At: h.At, Var: h.Var, Value: term.Int64(77)}, true
		}),
		onEdges("a condition is the other way round", func(_ *ir.Automaton, e *ir.Edge) bool {
			if e.Cond.IsZero() {
				return false
			}
			e.Guard = term.Not(e.Guard)
			return true
		}),
		onEdges("an else is never taken", func(_ *ir.Automaton, e *ir.Edge) bool {
			if e.Negated {
				e.Guard = term.False
			}
			return e.Negated
		}),
		onEdges("a then is never taken", func(_ *ir.Automaton, e *ir.Edge) bool {
			if e.Cond.IsZero() || e.Negated {
				return false
			}
			e.Guard = term.False
			return true
		}),
		onEdges("nothing is refused", func(_ *ir.Automaton, e *ir.Edge) bool {
			r, ok := raiseOf(e)
			if !ok || !r.Refusal {
				return false
			}
			e.Guard = term.False
			return true
		}),
		onEdges("nothing else is raised", func(_ *ir.Automaton, e *ir.Edge) bool {
			r, ok := raiseOf(e)
			if !ok || r.Refusal {
				return false
			}
			e.Guard = term.False
			return true
		}),
		onEdges("a loop has one round at most", func(a *ir.Automaton, e *ir.Edge) bool {
			if e.Back {
				e.Guard = term.False
			}
			return e.Back
		}),
		fault{"a loop has no round", func(s *ir.System) bool {
			changed := false
			for _, c := range s.Cells {
				for _, a := range c.Automata {
					for _, l := range a.Loops {
						for _, e := range a.Edges {
							if e.From == l.Head && slices.Contains(l.Body, e.To) && l.Kind != ir.WhileLoop {
								e.Guard, changed = term.False, true
							}
						}
					}
				}
			}
			return changed
		}},
		onEdges("a range goes on by two", func(a *ir.Automaton, e *ir.Edge) bool {
			changed := false
			for i, f := range e.Effects {
				b, ok := f.(*ir.Bind)
				if ok && sourceName(a, b.Var) == "" && b.Value.Equal(term.Add(b.Var, term.Int64(1))) {
					e.Effects[i] = &ir.Bind{At: b.At, Var: b.Var, Value: term.Add(b.Value, term.Int64(1))}
					changed = true
				}
			}
			return changed
		}),
		onEdges("an assignment in a loop is lost", func(a *ir.Automaton, e *ir.Edge) bool {
			before := len(e.Effects)
			for _, l := range a.Loops {
				if slices.Contains(l.Body, e.From) {
					e.Effects = slices.DeleteFunc(e.Effects, func(f ir.Effect) bool {
						b, ok := f.(*ir.Bind)
						return ok && sourceName(a, b.Var) != ""
					})
				}
			}
			return len(e.Effects) != before
		}),
		onEdges("an assignment is lost", func(a *ir.Automaton, e *ir.Edge) bool {
			before := len(e.Effects)
			e.Effects = slices.DeleteFunc(e.Effects, func(f ir.Effect) bool {
				b, ok := f.(*ir.Bind)
				return ok && strings.Contains(b.Var.Name, "'")
			})
			return len(e.Effects) != before
		}),
		terms("a difference is a sum", func(t *term.Term) *term.Term {
			if t.Op == term.OpMul && t.Args[0].Equal(term.Int64(-1)) {
				return t.Args[1]
			}
			return t
		}),
		terms("a choice is the other way round", swapArgs(term.OpIte)),
		terms("texts are joined the other way round", swapArgs(term.OpConcat)),
		terms("an order is the other way round", swapArgs(term.OpLe)),
		terms("a strict order is the other way round", swapArgs(term.OpLt)),
		terms("a strict order is not strict", func(t *term.Term) *term.Term {
			if t.Op == term.OpLt {
				return term.Le(t.Args[0], t.Args[1])
			}
			return t
		}),
		terms("an equality is the other way round", func(t *term.Term) *term.Term {
			if t.Op == term.OpEq {
				return term.Not(t)
			}
			return t
		}),
		terms("a conjunction is a disjunction", func(t *term.Term) *term.Term {
			if t.Op == term.OpAnd {
				return term.Or(t.Args...)
			}
			return t
		}),
		machines("the machine lacks an edge", func(m *ir.Machine) { m.Edges = m.Edges[1:] }),
		machines("another initial state", func(m *ir.Machine) { m.Initial = m.States[len(m.States)-1] + "'" }),
		fault{"a rule that never holds", func(s *ir.System) bool {
			changed := false
			for _, c := range s.Cells {
				for _, r := range c.Rules {
					r.Cond, changed = term.False, true
				}
			}
			return changed
		}},
	}
}

func raiseOf(e *ir.Edge) (*ir.Raise, bool) {
	if len(e.Effects) == 0 {
		return nil, false
	}
	r, ok := e.Effects[0].(*ir.Raise)
	return r, ok
}

func sourceName(a *ir.Automaton, v *term.Term) string {
	for _, x := range a.Vars {
		if x.Term.Equal(v) {
			return x.Source
		}
	}
	return ""
}

// TestFaultsShow arms each fault over the programs of the project: some run must not conform.
func TestFaultsShow(t *testing.T) {
	all := programs(t)
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			armed := 0
			for i, p := range all {
				found := false
				r := newRunner(t, p.Program, uint64(i), func(s *ir.System) { found = f.alter(s) })
				if !found || len(r.handlers()) == 0 {
					continue
				}
				armed++
				for range 400 {
					if r.call() != "" {
						return
					}
				}
			}
			t.Errorf("no run shows it, in %d programs", armed)
		})
	}
}
