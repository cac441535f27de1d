package taint

import (
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A delegate whose names are computed runs one of the handlers that take its arguments. In the
// system an effect on the outside stands for it, followed by an unknown effect and an unknown
// value at the same place; these are no more than what the handlers do that may run, and give.

// findDelegates notes the places of such delegates, with what they gave.
func (c *collector) findDelegates() {
	c.delegates = map[source.Span][]symbol{}
	for i, e := range c.g.a.Edges {
		for k, f := range e.Effects {
			act, ok := f.(*ir.Act)
			if !ok || act.Class != "call" {
				continue
			}
			results := c.delegates[act.Span]
			if results == nil {
				results = []symbol{}
			}
			if act.Result != nil {
				v := c.g.vars[variableKey(act.Result)]
				results = append(results, c.g.name(birth{loc: e.From, edge: i, effect: k, role: given, v: v}))
			}
			c.delegates[act.Span] = results
		}
	}
}

// delegate notes the calls of a delegate whose names are computed: of every handler that they
// may stand for.
func (c *collector) delegate(edge int, s *state, f *ir.Act, to place) {
	for _, callee := range delegated(c.sys, f) {
		site := &callSite{edge: edge, facts: s.facts, callee: callee, result: to.sym, span: f.Span}
		for _, t := range f.Args[2:] {
			site.args = append(site.args, c.g.value(s, t))
		}
		for _, t := range f.Args[:2] {
			site.names = append(site.names, c.g.value(s, t))
		}
		c.calls = append(c.calls, site)
	}
	if to.sym != noSymbol {
		var names []input
		for _, t := range f.Args[:min(2, len(f.Args))] {
			names = append(names, input{v: c.g.value(s, t), how: choosing})
		}
		c.flow(edge, s, to, names...)
	}
}

// delegated lists the handlers that a delegate may run: those that take its arguments, of the
// cell or the name where one of them is literal.
func delegated(sys *ir.System, f *ir.Act) []*ir.Automaton {
	if len(f.Args) < 2 {
		return nil
	}
	is := func(t *term.Term, name string) bool { return t.Op != term.OpString || t.Name == name }
	var out []*ir.Automaton
	for _, cell := range sys.Cells {
		for _, a := range cell.Automata {
			if a.Kind == ir.Handler && len(a.Params) == len(f.Args)-2 && is(f.Args[0], cell.Name) && is(f.Args[1], a.Name) {
				out = append(out, a)
			}
		}
	}
	return out
}
