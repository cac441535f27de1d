package kernel

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// answer checks the evidence of one condition.
func (a *auditor) answer(e *cert.Evidence, c *condition) (cert.Class, *Error) {
	switch data := e.Data.(type) {
	case *cert.Refutation:
		return a.byRefutation(c, data)
	case *cert.Script:
		return byScript(c, data)
	}
	if e.Rule == cert.ByTrivial {
		return byTriviality(c)
	}
	return "", errRule(e.Rule)
}

func byTriviality(c *condition) (cert.Class, *Error) {
	if !c.trivial() {
		return "", errNotTrivial()
	}
	return cert.KernelChecked, nil
}

func (a *auditor) byRefutation(c *condition, r *cert.Refutation) (cert.Class, *Error) {
	if c == nil {
		return "", errUnreached()
	}
	return cert.KernelChecked, checkRefutation(c.negated(), r, a.budget)
}

// byScript trusts a solver; that the script states the condition is not checked.
func byScript(c *condition, s *cert.Script) (cert.Class, *Error) {
	if c == nil {
		return "", errUnreached()
	}
	if s.Solver == "" || s.Text == "" {
		return "", errScript()
	}
	return cert.SolverTrusted, nil
}

// answerCase checks the evidence of one of several conditions.
func (a *auditor) answerCase(k *cert.Case, c *condition) (cert.Class, *Error) {
	switch {
	case k.Rule == cert.ByTrivial && k.Refutation == nil && k.Script == nil:
		return byTriviality(c)
	case k.Rule == cert.ByRefutation && k.Refutation != nil && k.Script == nil:
		return a.byRefutation(c, k.Refutation)
	case k.Rule == cert.ByScript && k.Script != nil && k.Refutation == nil:
		return byScript(c, k.Script)
	}
	return "", errRule(k.Rule)
}

// weaker is the weaker of two classes.
func weaker(a, b cert.Class) cert.Class {
	order := []cert.Class{cert.NoEvidence, cert.EngineTrusted, cert.SolverTrusted, cert.KernelChecked}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// moves lists the moves of a cell's machine in all bodies, in the order of the system.
func (a *auditor) moves(cell *ir.Cell) []place {
	if out, ok := a.moving[cell]; ok {
		return out
	}
	var out []place
	for _, c := range a.system.Cells {
		if !a.budget.spend(1 + len(a.effects[c])/16) {
			return nil
		}
		for _, p := range a.effects[c] {
			if f, ok := p.effect.(*ir.Move); ok && f.Cell == cell.Name {
				out = append(out, p)
			}
		}
	}
	a.moving[cell] = out
	return out
}

// eachCase checks one condition for each of some places.
func (a *auditor) eachCase(e *cert.Evidence, at []place, of func(k *cert.Case, p place) (*condition, *Error)) (cert.Class, *Error) {
	data, ok := e.Data.(*cert.Cases)
	if !ok {
		return "", errRule(e.Rule)
	}
	if len(data.Cases) != len(at) {
		return "", errCaseCount(len(data.Cases), len(at))
	}
	class := cert.KernelChecked
	for i, p := range at {
		k := &data.Cases[i]
		if k.Site != p.site {
			return "", errCaseSite(i)
		}
		c, err := of(k, p)
		if err != nil {
			return "", errInCase(i, err)
		}
		got, err := a.answerCase(k, c)
		if err != nil {
			return "", errInCase(i, err)
		}
		class = weaker(class, got)
	}
	return class, nil
}

// untaken checks that no move of a machine takes one of its edges.
func (a *auditor) untaken(e *cert.Evidence, cell *ir.Cell, edge int) (cert.Class, *Error) {
	if a.unknown {
		return "", errAnything()
	}
	return a.eachCase(e, a.moves(cell), func(k *cert.Case, p place) (*condition, *Error) {
		if len(k.Values) > 0 {
			return nil, errValues()
		}
		return a.generator.condition(p.automaton, p.site.Edge, p.site.Effect, func(s *site) *term.Term {
			return term.Not(s.takes(p.effect.(*ir.Move), edge))
		}), nil
	})
}

// target is the condition that a move's target is one of some texts.
func (a *auditor) target(p place, f *ir.Move, texts []string) *condition {
	return a.generator.condition(p.automaton, p.site.Edge, p.site.Effect, func(s *site) *term.Term {
		return oneOf(s.eval(f.To), texts)
	})
}

// guard is the condition that the guard of an edge holds whenever a move asks for the edge.
func (a *auditor) guard(p place, f *ir.Move, edge int, guard *term.Term) *condition {
	return a.generator.condition(p.automaton, p.site.Edge, p.site.Effect, func(s *site) *term.Term {
		return s.allows(f, edge, guard)
	})
}

// isolated checks that each computed target of a machine is one of some values that the program
// lists.
func (a *auditor) isolated(e *cert.Evidence, cell *ir.Cell) (cert.Class, *Error) {
	if a.unknown {
		return "", errAnything()
	}
	var computed []place
	for _, p := range a.moves(cell) {
		if !p.effect.(*ir.Move).To.IsLiteral() {
			computed = append(computed, p)
		}
	}
	return a.eachCase(e, computed, func(k *cert.Case, p place) (*condition, *Error) {
		for i, v := range k.Values {
			if !a.listed(cell, v) || i > 0 && k.Values[i-1] >= v {
				return nil, errValues()
			}
		}
		return a.target(p, p.effect.(*ir.Move), k.Values), nil
	})
}

// listed tells whether a text is a state of the machine or a literal of the program's bodies.
func (a *auditor) listed(cell *ir.Cell, text string) bool {
	if a.literals == nil {
		a.literals = a.textLiterals()
	}
	return a.literals[text] || a.budget.spend(1+len(cell.Machine.States)/16) && contains(cell.Machine.States, text)
}

func (a *auditor) textLiterals() map[string]bool {
	out := map[string]bool{}
	seen := map[*term.Term]bool{}
	var visit func(t *term.Term)
	visit = func(t *term.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if t.Op == term.OpString {
			out[t.Name] = true
		}
		for _, arg := range t.Args {
			visit(arg)
		}
	}
	for _, c := range a.system.Cells {
		for _, automaton := range c.Automata {
			for _, e := range automaton.Edges {
				visit(e.Guard)
				for _, f := range e.Effects {
					for _, t := range ir.Uses(f) {
						visit(t)
					}
				}
			}
		}
	}
	return out
}

// runEvidence trusts that a run was seen. What it calls must be there for anybody to call, and
// the move must be the edge.
func (a *auditor) runEvidence(e *cert.Evidence, edge *ir.MachineEdge) (cert.Class, *Error) {
	run, ok := e.Data.(*cert.Run)
	if !ok {
		return "", errRule(e.Rule)
	}
	if run.From != edge.From || run.To != edge.To || len(run.Calls) == 0 {
		return "", errRunEdge()
	}
	for _, call := range run.Calls {
		h := a.system.Handler(ir.HandlerRef{Cell: call.Cell, Handler: call.Handler, Arity: len(call.Args)})
		if h == nil || !h.Public {
			return "", errRunCall(call.Cell, call.Handler)
		}
	}
	return cert.EngineTrusted, nil
}
