package kernel

import (
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// questions derives the complete list of obligations from the system and the properties, in the
// order of docs/certificates.md.
func (a *auditor) questions() ([]*question, *Error) {
	if err := a.checkProperties(); err != nil {
		return nil, err
	}
	if err := a.readFacts(); err != nil {
		return nil, err
	}
	var out []*question
	for _, c := range a.system.Cells {
		l := &lister{a: a, cell: c, counts: map[string]int{}}
		if c.Machine != nil {
			a.machines[c] = newMachineGraphs(c)
		}
		l.frames()
		l.flow()
		l.termination()
		l.costs()
		l.facts()
		l.invariants()
		l.commits()
		l.edgesDeclared()
		l.guards()
		l.ensures()
		l.deadCode()
		if c.Machine != nil {
			l.edgesTaken()
			l.thinkIsolated()
			if err := l.temporal(); err != nil {
				return nil, err
			}
		}
		out = append(out, l.list...)
	}
	return out, nil
}

// lister lists the questions of one cell.
type lister struct {
	a      *auditor
	cell   *ir.Cell
	counts map[string]int
	list   []*question
}

// add appends a question under the next number of its cell, handler and kind.
func (l *lister) add(kind cert.Kind, handler, claim string, site *cert.Site, q question) {
	if l.a.listing++; l.a.listing > l.a.most || !l.a.budget.spend(1+len(claim)/8) {
		return
	}
	prefix := cert.ID(l.cell.Name, handler, kind, 0)
	l.counts[prefix]++
	q.Obligation = cert.Obligation{
		ID: cert.ID(l.cell.Name, handler, kind, l.counts[prefix]), Kind: kind,
		Cell: l.cell.Name, Handler: handler, Site: site, Claim: claim,
	}
	l.list = append(l.list, &q)
}

func (l *lister) frames() {
	for _, s := range l.cell.Signals {
		if s.Frame == nil {
			continue
		}
		l.add(cert.Frame, s.Automaton, cert.ClaimFrame(s.Name), nil, question{
			proven: func(e *cert.Evidence) (cert.Class, *Error) { return l.a.frameEvidence(e, l.cell, s) },
		})
	}
}

func (l *lister) flow() {
	l.add(cert.Flow, "", cert.ClaimFlow(l.cell.Name), nil, question{
		proven: func(e *cert.Evidence) (cert.Class, *Error) { return l.a.flowEvidence(e, l.cell) },
	})
}

func (l *lister) termination() {
	for _, a := range l.cell.Automata {
		l.add(cert.Termination, a.Name, cert.ClaimTermination(a.Name), nil, question{
			proven: func(e *cert.Evidence) (cert.Class, *Error) { return l.a.terminationEvidence(e, a) },
		})
	}
}

func (l *lister) costs() {
	for _, limit := range l.cell.Limits {
		if limit.Key == ir.CostPrice {
			continue
		}
		l.add(cert.Cost, "", cert.ClaimCost(l.cell.Name, limit), nil, question{
			proven: func(e *cert.Evidence) (cert.Class, *Error) { return l.a.costEvidence(e, l.cell, limit) },
		})
	}
}

// place is an effect in the system.
type place struct {
	automaton *ir.Automaton
	site      cert.Site
	effect    ir.Effect
}

// places lists the effects of a cell's bodies, in the order of the system.
func places(c *ir.Cell) []place {
	var out []place
	for n, a := range c.Automata {
		for e, edge := range a.Edges {
			for i, f := range edge.Effects {
				out = append(out, place{a, cert.Site{Cell: c.Name, Automaton: n, Edge: e, Effect: i}, f})
			}
		}
	}
	return out
}

// changedSlot is the slot whose entries an effect changes.
func changedSlot(f ir.Effect) (ref ir.SlotRef, removes, changes bool) {
	switch f := f.(type) {
	case *ir.Write:
		return f.Slot, false, true
	case *ir.Push:
		return f.Slot, false, true
	case *ir.Delete:
		return f.Slot, true, true
	}
	return ir.SlotRef{}, false, false
}

// asked tells whether a rule must be shown where a slot changes. An entry that goes away breaks
// no rule about itself alone, but may break one that counts; those that it moves in a list may break
// one about where they stand. Rules about sums are judged when a call commits.
func asked(r *ir.Rule, slot *ir.Slot, removes bool) bool {
	if r.Total || !listed(r, slot.Name) {
		return false
	}
	return !removes || len(r.Guards) > 1 || r.Size || r.Status || slot.IsList && r.Step
}

// provable tells whether a rule that must be shown where a slot changes has a condition there.
func (l *layout) provable(r *ir.Rule, slot *ir.Slot, removes bool) bool {
	return statable(r) && (!removes || l.numbers[r].countsAlone() || (len(r.Guards) > 1 || r.Status) && !slot.IsList)
}

func (l *lister) invariants() {
	for _, p := range l.a.effects[l.cell] {
		if f, ok := p.effect.(*ir.Move); ok {
			l.stateRules(p, f)
			continue
		}
		ref, removes, changes := changedSlot(p.effect)
		if !changes {
			continue
		}
		owner := l.a.system.Find(ref.Cell)
		slot := owner.Slot(ref.Slot)
		for _, r := range owner.Rules {
			if l.a.listing > l.a.most {
				return
			}
			if !asked(r, slot, removes) {
				continue
			}
			q := question{runtime: true}
			if l.a.generator.provable(r, slot, removes) {
				q.proven = func(e *cert.Evidence) (cert.Class, *Error) {
					return l.a.answer(e, l.a.generator.invariant(p.automaton, p.site.Edge, p.site.Effect, r))
				}
			}
			site := p.site
			l.add(cert.Invariant, p.automaton.Name, cert.ClaimInvariant(p.automaton.Name, ref.Slot, r.Text), &site, q)
		}
	}
}

// stateRules lists the rules about the state that a move must keep.
func (l *lister) stateRules(p place, f *ir.Move) {
	c := l.a.system.Find(f.Cell)
	for _, r := range c.Rules {
		if !r.Status || l.a.listing > l.a.most {
			continue
		}
		q := question{runtime: true}
		if statable(r) {
			q.proven = func(e *cert.Evidence) (cert.Class, *Error) {
				return l.a.answer(e, l.a.generator.invariant(p.automaton, p.site.Edge, p.site.Effect, r))
			}
		}
		site := p.site
		l.add(cert.Invariant, p.automaton.Name, cert.ClaimStateRule(p.automaton.Name, c.Machine.Name, r.Text), &site, q)
	}
}

// commits lists the rules about sums: each is shown of each body that may write what it judges, if
// somebody outside may start it.
func (l *lister) commits() {
	for n, a := range l.cell.Automata {
		if !a.Public {
			continue
		}
		var ends []place
		for e, edge := range a.Edges {
			if edge.To == ir.Exit {
				ends = append(ends, place{automaton: a, site: cert.Site{Cell: l.cell.Name, Automaton: n, Edge: e, Effect: len(edge.Effects)}})
			}
		}
		for _, owner := range l.a.system.Cells {
			for _, r := range owner.Rules {
				if !l.a.budget.spend(1+len(owner.Slots)) || l.a.listing > l.a.most {
					return
				}
				if !r.Total || !l.a.generator.mayWrite(a, owner, r) {
					continue
				}
				q := question{runtime: true}
				if l.a.generator.numbers[r].sumsAlone() {
					q.proven = func(e *cert.Evidence) (cert.Class, *Error) {
						return l.a.eachCase(e, ends, func(k *cert.Case, p place) (*condition, *Error) {
							if len(k.Values) > 0 {
								return nil, errValues()
							}
							return l.a.generator.commit(a, p.site.Edge, owner.Name, r), nil
						})
					}
				}
				l.add(cert.Invariant, a.Name, cert.ClaimTotal(a.Name, r.Text), nil, q)
			}
		}
	}
}

// mayWrite tells whether a body may write a slot that a rule judges, or, where the condition does
// not capture the rule, any slot of the rule's cell.
func (g *generator) mayWrite(a *ir.Automaton, c *ir.Cell, r *ir.Rule) bool {
	for _, slot := range c.Slots {
		if g.sets[a][g.slot[ir.SlotRef{Cell: c.Name, Slot: slot.Name}]] && (r.Abstract != "" || listed(r, slot.Name)) {
			return true
		}
	}
	return false
}

func (l *lister) edgesDeclared() {
	for _, p := range l.a.effects[l.cell] {
		f, ok := p.effect.(*ir.Move)
		if !ok || f.To.IsLiteral() {
			continue
		}
		machine := l.a.system.Find(f.Cell).Machine
		site := p.site
		l.add(cert.EdgeDeclared, p.automaton.Name, cert.ClaimEdgeDeclared(p.automaton.Name, machine.Name), &site, question{
			runtime: true,
			proven: func(e *cert.Evidence) (cert.Class, *Error) {
				return l.a.answer(e, l.a.target(p, f, entered(machine)))
			},
		})
	}
}

// guards lists the guarded edges that each move may ask for. A guard that the system does not know
// has no condition.
func (l *lister) guards() {
	for _, p := range l.a.effects[l.cell] {
		f, ok := p.effect.(*ir.Move)
		if !ok {
			continue
		}
		machine := l.a.system.Find(f.Cell).Machine
		if !l.a.budget.spend(len(machine.Edges)) {
			return
		}
		for i, e := range machine.Edges {
			if e.Guard == "" || !mayAsk(f, e) {
				continue
			}
			q := question{runtime: true}
			if guard := knownGuard(f, i); guard != nil {
				q.proven = func(ev *cert.Evidence) (cert.Class, *Error) {
					return l.a.answer(ev, l.a.guard(p, f, i, guard))
				}
			}
			site := p.site
			l.add(cert.Guard, p.automaton.Name, cert.ClaimGuard(p.automaton.Name, machine.Name, e.From, e.To, e.Guard), &site, q)
		}
	}
}

// knownGuard is the guard of an edge as it reads at a move, nil where it is not known.
func knownGuard(f *ir.Move, edge int) *term.Term {
	for _, guard := range f.Guards {
		if guard.Edge == edge {
			if guard.Abstract {
				return nil
			}
			return guard.Cond
		}
	}
	return nil
}

func (l *lister) edgesTaken() {
	graphs := l.a.machines[l.cell]
	for i, e := range l.cell.Machine.Edges {
		l.add(cert.EdgeTaken, "", cert.ClaimEdgeTaken(l.cell.Machine.Name, e.From, e.To), nil, question{
			proven: func(ev *cert.Evidence) (cert.Class, *Error) {
				class, err := l.a.runEvidence(ev, e)
				graphs.seen[i] = err == nil
				return class, err
			},
			refuted: func(ev *cert.Evidence) (cert.Class, *Error) {
				class, err := l.a.untaken(ev, l.cell, i)
				if err == nil {
					graphs.remove(i, class)
				}
				return class, err
			},
		})
	}
}

func (l *lister) thinkIsolated() {
	l.add(cert.ThinkIsolated, "", cert.ClaimThinkIsolated(l.cell.Machine.Name), nil, question{
		runtime: true,
		proven:  func(e *cert.Evidence) (cert.Class, *Error) { return l.a.isolated(e, l.cell) },
	})
}

// temporal lists the machine checks, then the properties of the cell.
func (l *lister) temporal() *Error {
	m := l.cell.Machine
	ask := func(text string, f *formula) {
		l.add(cert.Temporal, "", cert.ClaimTemporal(m.Name, text), nil, question{
			proven:  func(e *cert.Evidence) (cert.Class, *Error) { return l.a.holds(e, l.cell, normal(f)) },
			refuted: func(e *cert.Evidence) (cert.Class, *Error) { return l.a.fails(e, l.cell, normal(f)) },
		})
	}
	atom := func(name string) *formula { return &formula{op: "atom", atom: name} }
	for _, s := range m.States {
		ask(cert.PropertyReachable(s), &formula{op: "EF", left: atom(s)})
	}
	ask(cert.PropertyDeadlock, &formula{op: "AG", left: &formula{op: "not", left: atom(cert.AtomStuck)}})
	goal, text := cert.AtomInitial, cert.PropertyHome
	for _, s := range m.States {
		if m.Terminal(s) {
			goal, text = cert.AtomTerminal, cert.PropertyLive
		}
	}
	ask(text, &formula{op: "AG", left: &formula{op: "EF", left: atom(goal)}})
	if !l.a.budget.spend(len(l.a.certificate.Properties) / 16) {
		return errWork()
	}
	for _, p := range l.a.certificate.Properties {
		if p.Cell != l.cell.Name {
			continue
		}
		f, err := parseFormula(p.Text)
		if err != nil {
			return err
		}
		if err := l.a.checkAtoms(f, l.cell); err != nil {
			return err
		}
		ask(p.Text, f)
	}
	return nil
}
