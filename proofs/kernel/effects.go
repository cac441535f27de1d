package kernel

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// step runs an effect: it changes the state and adds the facts that the effect teaches.
func (s *site) step(f ir.Effect, tag string) {
	g := s.b.g
	switch f := f.(type) {
	case *ir.Bind:
		s.assign(f.Var, s.eval(f.Value))
	case *ir.Havoc:
		s.unknown(f.Var, tag)
	case *ir.Scan:
		s.scan(f, tag)
	case *ir.Act:
		for _, tool := range f.Tools {
			s.forget(g.sets[g.system.Handler(tool)], tag)
		}
		s.unknown(f.Result, tag)
	case *ir.Read:
		key := s.eval(f.Key)
		has, val := s.entry(f.Slot, key)
		facts := append(s.rulesAt(f.Slot, key), s.countFacts(f.Slot, key)...)
		s.assign(f.Has, has)
		s.assign(f.Val, val)
		s.learn(facts)
	case *ir.Write:
		s.write(f)
	case *ir.Delete:
		s.remove(f, tag)
	case *ir.Push:
		s.learn(s.countFacts(f.Slot, nil))
		after := s.countAfter(f.Slot, term.Int64(1))
		s.forgetSlot(f.Slot, tag)
		s.setCount(f.Slot, after)
	case *ir.Move:
		s.learn(s.beforeMove(f))
		for _, r := range stateRules(g.system.Find(f.Cell)) {
			s.know(s.arrival(f, r))
		}
		place := g.machine[f.Cell]
		s.state.memory[place] = term.Store(s.state.memory[place], s.eval(f.ID), s.eval(f.To))
	case *ir.Inspect:
		s.inspect(f, tag)
	case *ir.Call:
		s.call(f, tag)
	case *ir.Unknown:
		g.work.spend(len(s.state.memory))
		for place := range s.state.memory {
			s.state.memory[place] = g.fresh(place, tag)
		}
	case *ir.Begin:
		g.work.spend(len(s.state.memory) * (1 + len(s.state.saved)))
		s.state.saved = append(s.state.saved, cloneTerms(s.state.memory))
	case *ir.Commit:
		s.state.saved = s.state.saved[:len(s.state.saved)-1]
	case *ir.Rollback:
		last := len(s.state.saved) - 1
		s.state.memory, s.state.saved = s.state.saved[last], s.state.saved[:last]
	}
}

func (s *site) eval(t *term.Term) *term.Term { return s.b.eval(s.state, t) }

func (s *site) assign(v, value *term.Term) {
	if v != nil {
		s.state.vars[s.b.index[v.Name]] = value
	}
}

func (s *site) unknown(v *term.Term, tag string) {
	if v != nil {
		s.assign(v, term.Var(v.Name+"@"+tag, v.Sort))
	}
}

func (s *site) forget(written writeSet, tag string) {
	s.b.g.work.spend(len(written) / 16)
	for place, w := range written {
		if w {
			s.state.memory[place] = s.b.g.fresh(place, tag)
		}
	}
}

func (s *site) forgetSlot(ref ir.SlotRef, tag string) {
	w := make(writeSet, len(s.state.memory))
	w.slot(s.b.g.layout, ref)
	s.forget(w, tag)
}

func (s *site) learn(facts []*term.Term) {
	for _, t := range facts {
		s.know(t)
	}
}

// entry reads a slot at a key.
func (s *site) entry(ref ir.SlotRef, key *term.Term) (has, val *term.Term) {
	place := s.b.g.slot[ref]
	return term.Select(s.state.memory[place], key), term.Select(s.state.memory[place+1], key)
}

// status is the state of a machine's instance.
func (s *site) status(cell string, id *term.Term) *term.Term {
	return term.Select(s.state.memory[s.b.g.machine[cell]], id)
}

func (s *site) write(f *ir.Write) {
	key, value := s.eval(f.Key), s.eval(f.Value)
	s.learn(s.rulesAt(f.Slot, key))
	s.learn(s.countFacts(f.Slot, key))
	after := s.countWritten(f.Slot, key)
	for _, r := range s.b.g.system.Find(f.Slot.Cell).Rules {
		if listed(r, f.Slot.Slot) && statable(r) {
			s.know(s.ruleGoal(r, f.Slot, key, term.True, value, after))
		}
	}
	s.addToSum(f.Slot, value, term.Neg(s.inSum(f.Slot, key)))
	s.setCount(f.Slot, after)
	place := s.b.g.slot[f.Slot]
	s.state.memory[place] = term.Store(s.state.memory[place], key, term.True)
	s.state.memory[place+1] = term.Store(s.state.memory[place+1], key, value)
}

func (s *site) remove(f *ir.Delete, tag string) {
	if s.b.g.isList(f.Slot) {
		s.learn(s.countFacts(f.Slot, nil))
		after := s.countAfter(f.Slot, term.Neg(oneIf(found(f, tag))))
		s.forgetSlot(f.Slot, tag)
		s.setCount(f.Slot, after)
		s.unknown(f.Had, tag)
		return
	}
	key := s.eval(f.Key)
	s.learn(s.countFacts(f.Slot, key))
	has, _ := s.entry(f.Slot, key)
	s.addToSum(f.Slot, term.Neg(s.inSum(f.Slot, key)))
	s.setCount(f.Slot, s.countAfter(f.Slot, term.Neg(oneIf(has))))
	place := s.b.g.slot[f.Slot]
	s.state.memory[place] = term.Store(s.state.memory[place], key, term.False)
	s.assign(f.Had, has)
}

// scan: the number of entries is known where a rule counts them, their sum where a rule sums them.
func (s *site) scan(f *ir.Scan, tag string) {
	places := map[string]map[ir.SlotRef]int{"len": s.b.g.counted, "size": s.b.g.counted, "sum": s.b.g.summed}
	place, ok := places[f.What][f.Slot]
	if !ok {
		s.unknown(f.Var, tag)
		return
	}
	s.assign(f.Var, s.state.memory[place])
	if f.What != "sum" {
		s.learn(s.countFacts(f.Slot, nil))
	}
}

func (s *site) inspect(f *ir.Inspect, tag string) {
	if f.What != "get_status" {
		s.unknown(f.Var, tag)
		return
	}
	s.b.g.work.spend(len(s.b.g.system.Find(f.Cell).Machine.States))
	status := s.status(f.Cell, s.eval(f.ID))
	s.assign(f.Var, status)
	s.know(oneOf(status, s.b.g.system.Find(f.Cell).Machine.States))
}

func oneOf(t *term.Term, texts []string) *term.Term {
	var parts []*term.Term
	for _, text := range texts {
		parts = append(parts, term.Eq(t, term.StringLit(text)))
	}
	return term.Or(parts...)
}

// call: everything that the callee may write is unknown, but for what is known of its returns.
func (s *site) call(f *ir.Call, tag string) {
	callee := s.b.g.system.Handler(f.Handler)
	told := len(s.b.g.facts[spot{callee, ir.Exit}]) > 0 && !f.Optional && len(f.Args) == len(callee.Params)
	before := s.state
	if told {
		s.b.g.work.spend(len(before.vars) + len(before.memory)*(1+len(before.saved)))
		s.state = before.clone()
	}
	s.forget(s.b.g.sets[callee], tag)
	s.unknown(f.Result, tag)
	s.returned(f)
	if told {
		s.summary(f, callee, before)
	}
}

// returned: a callee that is called for sure and whose returns are all text literals gives one of them.
func (s *site) returned(f *ir.Call) {
	if f.Result == nil || f.Optional || !f.Result.Sort.Same(term.String) {
		return
	}
	var texts []string
	for _, e := range s.b.g.system.Handler(f.Handler).Edges {
		if !s.b.g.work.spend(1 + (len(e.Effects)+len(texts))/4) {
			return
		}
		for _, effect := range e.Effects {
			r, ok := effect.(*ir.Return)
			if !ok {
				continue
			}
			if r.Value.Op != term.OpString {
				return
			}
			if !contains(texts, r.Value.Name) {
				texts = append(texts, r.Value.Name)
			}
		}
	}
	if len(texts) > 0 {
		s.know(oneOf(s.eval(f.Result), texts))
	}
}
