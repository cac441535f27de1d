package kernel

import (
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// ensures lists the places where the condition of an ensure statement is false: each is to be shown
// out of reach.
func (l *lister) ensures() {
	for _, p := range l.a.effects[l.cell] {
		f, ok := p.effect.(*ir.Raise)
		if !ok || f.Ensures == "" {
			continue
		}
		site := p.site
		l.add(cert.Ensure, p.automaton.Name, cert.ClaimEnsure(p.automaton.Name, f.Ensures), &site, question{
			runtime: true,
			proven:  func(e *cert.Evidence) (cert.Class, *Error) { return l.a.answer(e, l.a.ensured(p)) },
		})
	}
}

// ensured is the condition that no run comes to where an ensure statement raises.
func (a *auditor) ensured(p place) *condition {
	return a.generator.condition(p.automaton, p.site.Edge, p.site.Effect, func(*site) *term.Term { return term.False })
}
