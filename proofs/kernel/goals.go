package kernel

import (
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// listed tells whether a rule judges the writes of a slot.
func listed(r *ir.Rule, slot string) bool { return contains(r.Guards, slot) }

// statable tells whether a rule's condition captures it, as one that writes are judged by.
func statable(r *ir.Rule) bool { return r.Abstract == "" && !r.Total }

// rulesAt are the rules of a slot and of those that rules list together with it, as they hold of
// the stored entries at a key.
func (s *site) rulesAt(ref ir.SlotRef, key *term.Term) []*term.Term {
	var out []*term.Term
	c := s.b.g.system.Find(ref.Cell)
	s.b.g.work.spend(len(c.Rules))
	together := map[string]bool{}
	for _, r := range c.Rules {
		if statable(r) && !s.b.g.numbers[r].countsAlone() && listed(r, ref.Slot) {
			for _, guard := range r.Guards {
				together[guard] = true
			}
		}
	}
	for _, r := range c.Rules {
		near := slices.ContainsFunc(r.Guards, func(guard string) bool { return together[guard] })
		if near && statable(r) && !s.b.g.numbers[r].countsAlone() && !r.Step {
			out = append(out, s.stored(c, r, key))
		}
	}
	return out
}

// stored is a rule as it holds of the stored entries at a key, and, when it is about the state and
// its entries do not fade, of an instance that moved.
func (s *site) stored(c *ir.Cell, r *ir.Rule, key *term.Term) *term.Term {
	var when []*term.Term
	for _, guard := range r.Guards {
		has, _ := s.entry(ir.SlotRef{Cell: c.Name, Slot: guard}, key)
		when = append(when, has)
	}
	if r.Status && !fades(c, r) {
		when = append(when, term.Not(term.Eq(s.status(c.Name, key), term.StringLit(c.Machine.Initial))))
	}
	return term.Implies(term.Or(when...), s.instance(r, c.Name, key, nil))
}

// fades tells whether an entry that a rule speaks of may go away with nothing to judge it.
func fades(c *ir.Cell, r *ir.Rule) bool {
	return slices.ContainsFunc(r.Guards, func(guard string) bool {
		return slices.ContainsFunc(c.Slot(guard).Attrs, func(attr string) bool {
			name, _, _ := strings.Cut(attr, "(")
			return contains([]string{"ephemeral", "ttl", "capacity"}, strings.TrimSpace(name))
		})
	})
}

// stateRules are the rules that moves of a cell's machine must keep.
func stateRules(c *ir.Cell) []*ir.Rule {
	var out []*ir.Rule
	for _, r := range c.Rules {
		if r.Status && statable(r) {
			out = append(out, r)
		}
	}
	return out
}

// beforeMove are the facts that a move has when the rules about the state are judged: the rules
// of the slots that these list, at the id, then the edges.
func (s *site) beforeMove(f *ir.Move) []*term.Term {
	c := s.b.g.system.Find(f.Cell)
	if !s.b.g.work.spend(len(c.Rules)) {
		return nil
	}
	about, together := map[string]bool{}, map[string]bool{}
	for _, r := range stateRules(c) {
		for _, guard := range r.Guards {
			about[guard] = true
		}
	}
	in := func(set map[string]bool) func(string) bool { return func(guard string) bool { return set[guard] } }
	for _, r := range c.Rules {
		if statable(r) && !s.b.g.numbers[r].countsAlone() && slices.ContainsFunc(r.Guards, in(about)) {
			for _, guard := range r.Guards {
				together[guard] = true
			}
		}
	}
	var out []*term.Term
	for _, r := range c.Rules {
		if statable(r) && !s.b.g.numbers[r].countsAlone() && !r.Step && slices.ContainsFunc(r.Guards, in(together)) {
			out = append(out, s.stored(c, r, s.eval(f.ID)))
		}
	}
	return append(out, s.anyEdge(f))
}

// arrival is a rule about the state as a move makes it.
func (s *site) arrival(f *ir.Move, r *ir.Rule) *term.Term {
	return s.instance(r, f.Cell, s.eval(f.ID), map[string]*term.Term{"!status": s.eval(f.To)})
}

// ruleGoal is a rule about an entry as it is being written or removed, and the number of entries
// afterwards.
func (s *site) ruleGoal(r *ir.Rule, ref ir.SlotRef, key, has, val, count *term.Term) *term.Term {
	given := map[string]*term.Term{ref.Slot + "?": has, ref.Slot + "!": val}
	if count != nil {
		given[ref.Slot+"#"] = count
	}
	return s.instance(r, ref.Cell, key, given)
}

// instance is a rule's condition at a key: given replaces some entry variables, the memory the
// others.
func (s *site) instance(r *ir.Rule, cell string, key *term.Term, given map[string]*term.Term) *term.Term {
	if !s.b.g.work.spend(len(s.b.g.system.Find(cell).Slots) + s.b.g.size(r.Cond)) {
		return term.True
	}
	entry := map[string]*term.Term{"!key": key}
	if _, ok := s.b.g.machine[cell]; ok && key.Sort.Same(term.String) {
		entry["!status"] = s.status(cell, key)
	}
	for _, slot := range s.b.g.system.Find(cell).Slots {
		if slot.Key().Same(key.Sort) {
			entry[slot.Name+"?"], entry[slot.Name+"!"] = s.entry(ir.SlotRef{Cell: cell, Slot: slot.Name}, key)
		}
	}
	for name, t := range given {
		entry[name] = t
	}
	return term.Subst(r.Cond, func(v *term.Term) *term.Term {
		if t, ok := entry[v.Name]; ok && t.Sort.Same(v.Sort) {
			return t
		}
		return s.number(cell, v)
	})
}

// takes is the condition under which a move takes a declared edge.
func (s *site) takes(f *ir.Move, edge int) *term.Term {
	e := s.b.g.system.Find(f.Cell).Machine.Edges[edge]
	parts := s.asked(f, e)
	for _, guard := range f.Guards {
		if guard.Edge == edge && !guard.Abstract {
			parts = append(parts, s.eval(guard.Cond))
		}
	}
	return term.And(parts...)
}

// asked is the condition under which a move asks for a declared edge.
func (s *site) asked(f *ir.Move, e *ir.MachineEdge) []*term.Term {
	parts := []*term.Term{term.Eq(s.status(f.Cell, s.eval(f.ID)), term.StringLit(e.From))}
	if f.From != nil {
		parts = append(parts, term.Eq(s.eval(f.From), term.StringLit(e.From)))
	}
	return append(parts, term.Eq(s.eval(f.To), term.StringLit(e.To)))
}

// allows is the claim that the guard of an edge holds whenever a move asks for the edge.
func (s *site) allows(f *ir.Move, edge int, guard *term.Term) *term.Term {
	e := s.b.g.system.Find(f.Cell).Machine.Edges[edge]
	return term.Implies(term.And(s.asked(f, e)...), s.eval(guard))
}

// mayAsk tells whether what is literal in a move lets it ask for an edge.
func mayAsk(f *ir.Move, e *ir.MachineEdge) bool {
	fits := func(t *term.Term, state string) bool { return t == nil || t.Op != term.OpString || t.Name == state }
	return fits(f.From, e.From) && fits(f.To, e.To)
}

// anyEdge is the fact of a move that was not refused.
func (s *site) anyEdge(f *ir.Move) *term.Term {
	var ways []*term.Term
	for edge := range s.b.g.system.Find(f.Cell).Machine.Edges {
		if !s.b.g.work.spend(8 + len(f.Guards)/4) {
			break
		}
		ways = append(ways, s.takes(f, edge))
	}
	return term.Or(ways...)
}

// entered are the states that an edge enters, in order of states.
func entered(m *ir.Machine) []string {
	var out []string
	for _, state := range m.States {
		if slices.ContainsFunc(m.Edges, func(e *ir.MachineEdge) bool { return e.To == state }) {
			out = append(out, state)
		}
	}
	return out
}

// condition is what is asked of the solver: whether assumptions ⇒ goal is valid.
type condition struct {
	assumptions []*term.Term
	goal        *term.Term
}

// trivial tells whether there is nothing to prove.
func (c *condition) trivial() bool {
	return c == nil || c.goal.Op == term.OpTrue ||
		slices.ContainsFunc(c.assumptions, func(t *term.Term) bool { return t.Op == term.OpFalse })
}

// negated are the formulas that a refutation may assume.
func (c *condition) negated() []*term.Term {
	return append(cloneTerms(c.assumptions), term.Not(c.goal))
}

// condition is the condition of a goal at an effect; nil when no run reaches it.
func (g *generator) condition(a *ir.Automaton, edge, effect int, goal func(s *site) *term.Term) *condition {
	at, assumptions := g.body(a).before(edge, effect)
	if at == nil {
		return nil
	}
	return &condition{assumptions: assumptions, goal: goal(at)}
}

// removalGoal is a rule about the memory without an entry. One that speaks of counts is judged only
// where there was an entry.
func (s *site) removalGoal(r *ir.Rule, f *ir.Delete, tag string) *term.Term {
	key := s.eval(f.Key)
	gone := term.Var("val@"+tag, s.b.g.sorts[s.b.g.slot[f.Slot]+1].Elem)
	goal := s.ruleGoal(r, f.Slot, key, term.False, gone, s.countAfter(f.Slot, term.Int64(-1)))
	if !r.Size {
		return goal
	}
	was, _ := s.entry(f.Slot, key)
	if s.b.g.isList(f.Slot) {
		was = found(f, tag)
	}
	return term.Implies(was, goal)
}

// commit is the condition that a rule about sums holds at the end of an edge into Exit, given that
// it held when the body began.
func (g *generator) commit(a *ir.Automaton, edge int, cell string, r *ir.Rule) *condition {
	c := g.condition(a, edge, len(a.Edges[edge].Effects), func(s *site) *term.Term { return s.inNumbers(r, cell) })
	if c == nil || r.Step {
		return c
	}
	b := g.body(a)
	start := &site{b: b, state: b.entry()}
	if held := start.lasting(r, cell); held.Op != term.OpTrue {
		c.assumptions = append(c.assumptions, held)
	}
	return c
}

// invariant is the condition that an effect keeps a rule. The stored entry at the same key
// satisfies the rules of the slot; a move took an edge.
func (g *generator) invariant(a *ir.Automaton, edge, effect int, r *ir.Rule) *condition {
	f := a.Edges[edge].Effects[effect]
	tag := tagOf(edge, effect)
	var hypotheses []*term.Term
	c := g.condition(a, edge, effect, func(s *site) *term.Term {
		switch f := f.(type) {
		case *ir.Write:
			key := s.eval(f.Key)
			hypotheses = s.rulesAt(f.Slot, key)
			hypotheses = append(hypotheses, s.countFacts(f.Slot, key)...)
			return s.ruleGoal(r, f.Slot, key, term.True, s.eval(f.Value), s.countWritten(f.Slot, key))
		case *ir.Push:
			hypotheses = s.countFacts(f.Slot, nil)
			return s.ruleGoal(r, f.Slot, term.Var("key@"+tag, term.Int), term.True, s.eval(f.Value), s.countAfter(f.Slot, term.Int64(1)))
		case *ir.Delete:
			key := s.eval(f.Key)
			hypotheses = append(s.rulesAt(f.Slot, key), s.countFacts(f.Slot, key)...)
			return s.removalGoal(r, f, tag)
		case *ir.Move:
			hypotheses = s.beforeMove(f)
			return s.arrival(f, r)
		}
		return term.False
	})
	for _, h := range hypotheses {
		if h.Op != term.OpTrue {
			c.assumptions = append(c.assumptions, h)
		}
	}
	return c
}
