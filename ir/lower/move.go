package lower

import (
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// machineCall lowers transition and the builtins that read a machine.
func (b *builder) machineCall(c *resolve.Callee, args []syntax.Expr, span source.Span, wanted bool) value {
	if c.Machine == nil || len(args) == 0 {
		b.values(args)
		return b.unknownValue(span, machineless(c.Builtin.Name))
	}
	if c.Builtin.Name == "transition" {
		return b.move(c.Machine, args, span, wanted)
	}
	id := b.idTerm(b.first(args), span)
	in := &ir.Inspect{At: b.at(span), Cell: c.Machine.Cell.Name, ID: id, What: c.Builtin.Name}
	in.Var = b.temp(sortOfName(c.Builtin.Result), span)
	b.emit(in)
	return of(in.Var)
}

// move lowers transition(id, to) and transition(id, from, to).
func (b *builder) move(m *resolve.Machine, args []syntax.Expr, span source.Span, wanted bool) value {
	if len(args) < 2 || len(args) > 3 {
		b.values(args)
		return b.unknownValue(span, wrongTransition)
	}
	vs := make([]value, len(args))
	vs[0] = b.keep(b.expr(args[0]), args[1], args[len(args)-1])
	for i := 1; i < len(args); i++ {
		if state, ok := b.literalState(args[i]); ok {
			vs[i] = of(term.StringLit(state))
			continue
		}
		vs[i] = b.expr(args[i])
		if i == 1 && len(args) == 3 {
			vs[i] = b.keep(vs[i], args[2])
		}
	}
	mv := &ir.Move{Cell: m.Cell.Name, ID: b.idTerm(vs[0], args[0].Span())}
	last := len(args) - 1
	mv.To = b.convert(vs[last], term.String, args[last].Span())
	mv.ToSpan = args[last].Span()
	_, mv.Literal = b.literalState(args[last])
	if last == 2 {
		mv.From = b.convert(vs[1], term.String, args[1].Span())
		mv.FromSpan = args[1].Span()
	}
	mv.Guards = b.guards(m, mv)
	b.mayBeRefused(b.refusedMove(m, mv), span)
	mv.At = b.at(span)
	b.emit(mv)
	if !wanted {
		return unit()
	}
	return of(b.havoc(term.Opaque, ir.Environment, movesResult, span, mv.ID, mv.To))
}

// refusedMove is the kind of the error with which a move is refused, if there is one for all
// cases: guards and rules on the state may refuse it, too.
func (l *lowerer) refusedMove(m *resolve.Machine, mv *ir.Move) string {
	status := func(r *ir.Rule) bool { return r.Status }
	if len(mv.Guards) > 0 || slices.ContainsFunc(l.cells[m.Cell].Rules, status) {
		return ""
	}
	return "invalid_transition"
}

// literalState tells whether a target is literal: a string without interpolation, a bare
// state name or a variant.
func (b *builder) literalState(x syntax.Expr) (string, bool) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.String:
		return x.Literal()
	case *syntax.VariantRef:
		return x.Name.Name, true
	case *syntax.Name:
		if _, local := b.env.find(x.Name); local {
			return "", false
		}
		if ref := b.info.Names[x]; ref != nil && ref.Kind == resolve.RefState {
			return x.Name, true
		}
	}
	return "", false
}

// guards lowers the guards of the edges that a move may take, as they read at this place.
func (b *builder) guards(m *resolve.Machine, mv *ir.Move) []ir.EdgeGuard {
	var out []ir.EdgeGuard
	for i, e := range m.Edges {
		if e.Row.Guard == nil || excluded(mv.To, e.To) || mv.From != nil && excluded(mv.From, e.From) {
			continue
		}
		b.inGuard = true
		b.open()
		b.env.bind("_id", of(mv.ID))
		b.env.bind("_from", of(term.StringLit(e.From)))
		b.env.bind("_to", of(term.StringLit(e.To)))
		g := ir.EdgeGuard{Edge: i, Abstract: !b.effectFree(e.Row.Guard)}
		g.Cond = b.condition(e.Row.Guard)
		b.close()
		b.inGuard = false
		out = append(out, g)
	}
	return out
}

// excluded tells whether a term is a literal other than the state.
func excluded(t *term.Term, state string) bool { return t.Op == term.OpString && t.Name != state }
