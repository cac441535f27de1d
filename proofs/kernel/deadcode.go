package kernel

import (
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// deadCode lists the statements that the certificate says nothing reaches. It need not say so of
// any: what it leaves out is not claimed.
func (l *lister) deadCode() {
	if l.a.dead == nil {
		l.a.dead = map[string]bool{}
		for _, o := range l.a.certificate.Obligations {
			if o.Kind == cert.DeadCode {
				l.a.dead[o.ID] = true
			}
		}
	}
	if len(l.a.dead) == 0 {
		return
	}
	for _, a := range l.cell.Automata {
		for _, s := range a.Stmts {
			if l.a.listing > l.a.most || !l.a.budget.spend(1+len(a.Name)/8) {
				return
			}
			prefix := cert.ID(l.cell.Name, a.Name, cert.DeadCode, 0)
			n := l.counts[prefix] + 1
			if !l.a.dead[cert.ID(l.cell.Name, a.Name, cert.DeadCode, n)] {
				l.counts[prefix] = n
				continue
			}
			l.add(cert.DeadCode, a.Name, cert.ClaimDeadCode(a.Name, n, s), nil, question{
				proven: func(e *cert.Evidence) (cert.Class, *Error) { return l.a.answer(e, l.a.generator.begins(a, s)) },
			})
		}
	}
}

// begins is the condition that no run comes to where a statement begins; nil when none does.
func (g *generator) begins(a *ir.Automaton, s ir.Stmt) *condition {
	b := g.body(a)
	c := &condition{goal: term.False}
	if s.Effect == 0 {
		if b.states[s.Loc] == nil {
			return nil
		}
		c.assumptions = append(b.joins(s.Loc), b.paths[s.Loc]...)
		return c
	}
	leaving := b.leaving[s.Loc]
	if len(leaving) == 0 {
		return nil
	}
	at, assumptions := b.before(leaving[len(leaving)-1], s.Effect)
	if at == nil {
		return nil
	}
	c.assumptions = assumptions
	return c
}
