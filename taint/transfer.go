package taint

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// recorder is told what an edge does, once the states are final.
type recorder interface {
	guard(edge int, s *state, v value)
	effect(edge, index int, s *state, f ir.Effect, born births)
	renamed(edge, index int, s *state, v int, to symbol)
}

// follow is the state after an edge, or nil when its guard cannot hold.
func (g *flowgraph) follow(edge int, rec recorder) *state {
	e := g.a.Edges[edge]
	from := g.at[e.From]
	if from == nil {
		return nil
	}
	guard := g.value(from, e.Guard)
	if rec != nil {
		rec.guard(edge, from, guard)
	}
	s := &state{env: from.env, facts: g.bank.assume(from.facts, guard, true)}
	if s.facts == nil {
		return nil
	}
	for i, f := range e.Effects {
		s = g.apply(edge, i, s, f, rec)
	}
	return s
}

// apply is the state after an effect.
func (g *flowgraph) apply(edge, index int, s *state, f ir.Effect, rec recorder) *state {
	if b, ok := f.(*ir.Bind); ok {
		return &state{env: s.env.with(g.vars[variableKey(b.Var)], g.value(s, b.Value)), facts: s.facts}
	}
	var born births
	for _, gift := range gives(f) {
		v := g.vars[variableKey(gift.to)]
		b := birth{loc: g.a.Edges[edge].From, edge: edge, effect: index, role: gift.role, v: v}
		born = append(born, newborn{gift.role, v, g.name(b)})
	}
	if rec != nil {
		rec.effect(edge, index, s, f, born)
	}
	if call, ok := f.(*ir.Call); ok {
		return g.call(edge, index, s, call, born, rec)
	}
	if len(born) == 0 {
		return s
	}
	out := g.rename(edge, index, s, rec, born)
	for _, b := range born {
		out.env = out.env.with(b.v, g.bank.symbol(b.sym, g.a.Vars[b.v].Term.Sort))
	}
	return out
}

// newborn is a symbol that an effect brings, for a variable.
type newborn struct {
	role role
	v    int
	sym  symbol
}

type births []newborn

// of is the symbol of a role, or noSymbol.
func (b births) of(r role) symbol {
	for _, n := range b {
		if n.role == r {
			return n.sym
		}
	}
	return noSymbol
}

type gift struct {
	role role
	to   *term.Term
}

// gives are the variables that an effect other than Bind assigns.
func gives(f ir.Effect) []gift {
	if r, ok := f.(*ir.Read); ok {
		var out []gift
		if r.Val != nil {
			out = append(out, gift{given, r.Val})
		}
		if r.Has != nil {
			out = append(out, gift{present, r.Has})
		}
		return out
	}
	var out []gift
	for _, t := range ir.Defs(f) {
		out = append(out, gift{given, t})
	}
	return out
}

// rename prepares a state for symbols that are born at an effect: values that mention a former
// self get a symbol of their own, facts about them go.
func (g *flowgraph) rename(edge, index int, s *state, rec recorder, born births) *state {
	if !g.repeats(edge) {
		return &state{env: s.env, facts: s.facts} // no symbol has a former self
	}
	old := map[symbol]bool{}
	for _, b := range born {
		old[b.sym] = true
	}
	place := func(v int) birth {
		return birth{loc: g.a.Edges[edge].From, edge: edge, effect: index, role: stale, v: v}
	}
	for _, sym := range g.stale[site{edge, index}] {
		old[sym] = true
	}
	out := &state{env: s.env}
	for v := range g.a.Vars {
		if !g.bank.mentions(s.env.at(v), old) {
			continue
		}
		b := place(v)
		out.env = out.env.with(v, g.symbol(b))
		old[g.name(b)] = true
		if rec != nil {
			rec.renamed(edge, index, s, v, g.name(b))
		}
	}
	out.facts = s.facts.without(g.bank, old)
	return out
}

// call is the state after a call that returned.
func (g *flowgraph) call(edge, index int, s *state, c *ir.Call, born births, rec recorder) *state {
	args := make([]value, len(c.Args))
	for i, t := range c.Args {
		args[i] = g.value(s, t)
	}
	var sum *summary
	if !c.Optional {
		sum = g.summary(c)
	}
	facts := s.facts
	if sum != nil {
		facts = facts.also(sum.instance(sum.returned, g.bank, args))
	}
	if facts == nil { // it never returns; the location after it keeps what was known
		facts = s.facts
	}
	out := g.rename(edge, index, &state{env: s.env, facts: facts}, rec, born)
	if c.Result == nil {
		return out
	}
	v := g.vars[variableKey(c.Result)]
	fresh := map[symbol]bool{born.of(given): true}
	for _, a := range args {
		if g.bank.mentions(a, fresh) { // an argument was given by the same call before
			sum = nil
		}
	}
	if sum == nil {
		out.env = out.env.with(v, g.bank.symbol(born.of(given), c.Result.Sort))
	} else {
		out.env = out.env.with(v, g.bank.result(born.of(given), c.Result.Sort, sum, args))
	}
	return out
}
