package taint

import (
	"soma.cell/ir"
)

// summary is what a handler tests for its callers: the facts about its parameters that hold
// once it returned, and those that hold where it returned true or false. It makes a handler
// that only tests its argument as good as the test itself.
type summary struct {
	bank     *bank
	params   map[symbol]int
	returned *facts
	yes, no  *facts
}

// summarise gives the summary of a handler, or nil when its tests say nothing.
func summarise(g *flowgraph) *summary {
	s := &summary{bank: g.bank, params: map[symbol]int{}}
	for i := range g.a.Params {
		s.params[g.name(birth{loc: ir.Entry, edge: -1, role: initial, v: i})] = i
	}
	for i := range g.a.Edges {
		g.follow(i, &returns{g, s})
	}
	s.returned, s.yes, s.no = s.own(s.returned), s.own(s.yes), s.own(s.no)
	if s.returned.empty() && s.yes.empty() && s.no.empty() {
		return nil
	}
	return s
}

func (f *facts) empty() bool { return f != nil && f.of == nil }

// own keeps the facts about parameters.
func (s *summary) own(f *facts) *facts {
	if f == nil {
		return nil
	}
	return f.filter(func(v value) bool {
		syms := s.bank.at(v).syms
		for _, sym := range syms {
			if _, ok := s.params[sym]; !ok {
				return false
			}
		}
		return len(syms) > 0
	})
}

// returns collects the facts at the returns of a handler.
type returns struct {
	g *flowgraph
	s *summary
}

func (r *returns) guard(int, *state, value) {}

func (r *returns) renamed(int, int, *state, int, symbol) {}

func (r *returns) effect(_, _ int, st *state, f ir.Effect, _ births) {
	ret, ok := f.(*ir.Return)
	if !ok {
		return
	}
	v := r.g.value(st, ret.Value)
	r.s.returned = r.s.returned.either(st.facts)
	r.s.yes = r.s.yes.either(r.g.bank.assume(st.facts, v, true))
	r.s.no = r.s.no.either(r.g.bank.assume(st.facts, v, false))
}

// instance is a list of facts about parameters, said of arguments.
func (s *summary) instance(f *facts, to *bank, args []value) *facts {
	if f == nil {
		return nil
	}
	t := &translation{from: s, to: to, args: args, done: map[value]value{}}
	out := noFacts()
	f.of.each(func(v value, c fact) {
		c.lo.by, c.hi.by = t.all(c.lo.by), t.all(c.hi.by)
		out = out.also(&facts{of: (*factTree)(nil).with(t.value(v), c)})
	})
	return out
}

// apply assumes that the handler returned true, or false.
func (s *summary) apply(to *bank, f *facts, args []value, is bool) *facts {
	if is {
		return f.also(s.instance(s.yes, to, args))
	}
	return f.also(s.instance(s.no, to, args))
}

// translation carries values over parameters into a caller.
type translation struct {
	from *summary
	to   *bank
	args []value
	done map[value]value
}

func (t *translation) all(vs []value) []value {
	var out []value
	for _, v := range vs {
		out = union(out, []value{t.value(v)})
	}
	return out
}

func (t *translation) value(v value) value {
	if w, ok := t.done[v]; ok {
		return w
	}
	n := t.from.bank.at(v)
	var w value
	switch {
	case n.sym != noSymbol:
		w = t.args[t.from.params[n.sym]]
	case n.lit != nil:
		w = t.to.term(n.lit, nil)
	default:
		args := make([]value, len(n.args))
		for i, a := range n.args {
			args[i] = t.value(a)
		}
		w = t.to.apply(n.op, n.sort, n.name, args)
	}
	t.done[v] = w
	return w
}
