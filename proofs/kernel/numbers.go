package kernel

import (
	"maps"
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Counts and sums of entries: numbers that the memory holds beside the arrays of a slot, where
// some rule speaks of them (docs/conditions.md, "Counts and sums").

// numbers are what a rule speaks of: the counts and sums of some slots, and whether of anything
// else.
type numbers struct {
	sizes, sums map[string]bool
	others      bool
	total       bool // judged when a call commits, not at writes
}

func numbersOf(r *ir.Rule) numbers {
	n := numbers{sizes: map[string]bool{}, sums: map[string]bool{}, total: r.Total}
	if r.Abstract != "" {
		n.others = true
		return n
	}
	for _, v := range term.Vars(r.Cond) {
		switch slot, what, found := strings.Cut(v.Name, "#"); {
		case found && what == "":
			n.sizes[slot] = true
		case found && what == "sum":
			n.sums[slot] = true
		default:
			n.others = true
		}
	}
	return n
}

// countsAlone tells whether the rule is judged at writes and speaks of counts, and of nothing else.
func (n numbers) countsAlone() bool {
	return !n.total && len(n.sizes) > 0 && len(n.sums) == 0 && !n.others
}

// sumsAlone tells whether the rule is judged at commits and speaks of sums or counts, and of nothing
// else.
func (n numbers) sumsAlone() bool { return n.total && len(n.sizes)+len(n.sums) > 0 && !n.others }

// spokenOf reads the rules of a cell and tells of which counts and sums they speak.
func (l *layout) spokenOf(c *ir.Cell) numbers {
	all := numbers{sizes: map[string]bool{}, sums: map[string]bool{}}
	for _, r := range c.Rules {
		n := numbersOf(r)
		l.numbers[r] = n
		maps.Copy(all.sizes, n.sizes)
		maps.Copy(all.sums, n.sums)
	}
	return all
}

// addNumbers adds the places of the numbers of a slot that rules of its cell speak of.
func (l *layout) addNumbers(spoken numbers, ref ir.SlotRef) {
	if spoken.sizes[ref.Slot] {
		l.counted[ref] = len(l.names)
		l.add(ref.Cell+"."+ref.Slot+".size", term.Int)
	}
	if spoken.sums[ref.Slot] {
		l.summed[ref] = len(l.names)
		l.add(ref.Cell+"."+ref.Slot+".sum", term.Int)
	}
}

// number is what the memory holds for a variable of a rule; nil when it is no number.
func (s *site) number(cell string, v *term.Term) *term.Term {
	slot, what, found := strings.Cut(v.Name, "#")
	if !found {
		return nil
	}
	places := s.b.g.counted
	if what == "sum" {
		places = s.b.g.summed
	}
	if place, ok := places[ir.SlotRef{Cell: cell, Slot: slot}]; ok {
		return s.state.memory[place]
	}
	return nil
}

// inNumbers is a rule about numbers as the memory has them.
func (s *site) inNumbers(r *ir.Rule, cell string) *term.Term {
	if !s.b.g.work.spend(s.b.g.size(r.Cond)) {
		return term.True
	}
	return term.Subst(r.Cond, func(v *term.Term) *term.Term { return s.number(cell, v) })
}

// lasting is a rule about numbers as it is assumed: it holds, or nothing was ever written.
func (s *site) lasting(r *ir.Rule, cell string) *term.Term {
	now := s.inNumbers(r, cell)
	if ofNothing(r).Op == term.OpTrue {
		return now
	}
	var nothing []*term.Term
	for _, v := range term.Vars(r.Cond) {
		nothing = append(nothing, term.Eq(s.number(cell, v), term.Int64(0)))
	}
	return term.Or(now, term.And(nothing...))
}

// ofNothing is a rule about numbers where all are zero.
func ofNothing(r *ir.Rule) *term.Term {
	return term.Subst(r.Cond, func(*term.Term) *term.Term { return term.Int64(0) })
}

// countFacts are what is known of the number of entries of a slot; key is nil where no entry is at
// hand.
func (s *site) countFacts(ref ir.SlotRef, key *term.Term) []*term.Term {
	place, ok := s.b.g.counted[ref]
	if !ok {
		return nil
	}
	size := s.state.memory[place]
	facts := []*term.Term{term.Le(term.Int64(0), size)}
	if key != nil {
		has, _ := s.entry(ref, key)
		facts = append(facts, term.Implies(has, term.Le(term.Int64(1), size)))
	}
	for _, r := range s.b.g.system.Find(ref.Cell).Rules {
		if s.b.g.work.spend(1) && listed(r, ref.Slot) && !r.Step && s.b.g.numbers[r].countsAlone() {
			facts = append(facts, s.lasting(r, ref.Cell))
		}
	}
	return facts
}

// countAfter is the number of entries once there are some more; nil where nothing counts them.
func (s *site) countAfter(ref ir.SlotRef, more *term.Term) *term.Term {
	place, ok := s.b.g.counted[ref]
	if !ok {
		return nil
	}
	return term.Add(s.state.memory[place], more)
}

func oneIf(t *term.Term) *term.Term { return term.Ite(t, term.Int64(1), term.Int64(0)) }

// countWritten is the number of entries after a write: an entry of a list is there already.
func (s *site) countWritten(ref ir.SlotRef, key *term.Term) *term.Term {
	place, ok := s.b.g.counted[ref]
	if !ok {
		return nil
	}
	if s.b.g.isList(ref) {
		return s.state.memory[place]
	}
	has, _ := s.entry(ref, key)
	return s.countAfter(ref, oneIf(term.Not(has)))
}

// inSum is what the entry at a key adds to the sum.
func (s *site) inSum(ref ir.SlotRef, key *term.Term) *term.Term {
	has, val := s.entry(ref, key)
	return term.Ite(has, val, term.Int64(0))
}

func (s *site) setCount(ref ir.SlotRef, n *term.Term) {
	if place, ok := s.b.g.counted[ref]; ok {
		s.state.memory[place] = n
	}
}

// addToSum changes the sum of a slot by some terms.
func (s *site) addToSum(ref ir.SlotRef, by ...*term.Term) {
	if place, ok := s.b.g.summed[ref]; ok {
		s.state.memory[place] = term.Add(append([]*term.Term{s.state.memory[place]}, by...)...)
	}
}

// found is the variable that tells whether a delete finds an entry of a list.
func found(f *ir.Delete, tag string) *term.Term {
	name := "had"
	if f.Had != nil {
		name = f.Had.Name
	}
	return term.Var(name+"@"+tag, term.Bool)
}

func (l *layout) isList(ref ir.SlotRef) bool { return l.system.Find(ref.Cell).Slot(ref.Slot).IsList }
