package lower

import (
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// ruleScope gives the names of a memory rule their meaning: the entry variables of one key.
type ruleScope struct {
	slots  []*resolve.Slot // the slots the rule guards
	status bool
	size   bool
	total  bool
	key    bool
	absent bool   // the entry may be absent where the rule is judged: it speaks of the state
	odd    string // why the rule is not captured
	raises bool   // it may raise
}

// name resolves a name of the rule: the guarded entry, another slot's entry at the same key,
// or value, key, size, status.
func (r *ruleScope) name(ref *resolve.Ref, name string) (value, bool) {
	switch {
	case ref == nil:
		return value{}, false
	case ref.Kind == resolve.RefSlot:
		return r.entry(ref.Slot, !r.absent && len(r.slots) == 1 && r.slots[0] == ref.Slot), true
	case ref.Kind != resolve.RefSpecial:
		return value{}, false
	}
	switch name {
	case "value":
		if len(r.slots) > 1 {
			r.odd = valueOfSeveral
		}
		return r.entry(r.slots[0], !r.absent), true
	case "key":
		r.key = true
		if len(r.slots) == 1 && r.slots[0].IsList {
			return of(ir.EntryKey(term.Int)), true
		}
		return of(ir.EntryKey(term.String)), true
	case "size":
		r.size = true
		if len(r.slots) > 1 {
			r.odd = sizeOfSeveral
		}
		return of(ir.EntrySize(r.slots[0].Name)), true
	case "status":
		r.status = true
		return of(ir.EntryStatus()), true
	}
	return value{}, false
}

// entry is a slot's entry; the entry being written is there.
func (r *ruleScope) entry(s *resolve.Slot, written bool) value {
	v := value{t: ir.EntryVal(s.Name, sortOf(s.Value)), typ: s.Value}
	switch {
	case v.isUnit():
		return unit()
	case written:
		return v
	case v.sort().Kind == term.KindOpaque:
		v.t = term.Ite(ir.EntryHas(s.Name), v.t, unitBox)
	default:
		v.has = ir.EntryHas(s.Name)
	}
	return v
}

// whole is what a rule asks of a whole slot: the number of its entries, or their sum. Nothing
// else is captured.
func (r *ruleScope) whole(s *resolve.Slot, what string) (value, bool) {
	switch what {
	case "size", "len":
		r.size = true
		return of(ir.EntrySize(s.Name)), true
	case "total":
		r.total = true
		return of(ir.EntrySum(s.Name)), true
	case "keys", "values", "last":
		r.size = true
	}
	r.odd = readsElsewhere
	return value{}, false
}

// rules lowers the memory rules of a cell: one ir.Rule for each conjunct, so that each is
// proven or refuted by itself. A conjunct that names no slot is stated for every slot it
// guards.
func (l *lowerer) rules(c *resolve.Cell) []*ir.Rule {
	var out []*ir.Rule
	for _, inv := range c.Invariants {
		for _, part := range inv.Conjuncts {
			if l.namesSlot(part.Cond) {
				out = append(out, l.rule(c, part.Guards, part.Cond))
				continue
			}
			for _, s := range part.Guards {
				out = append(out, l.rule(c, []*resolve.Slot{s}, part.Cond))
			}
		}
	}
	return out
}

// namesSlot tells whether a rule names a slot as a value.
func (l *lowerer) namesSlot(x syntax.Node) bool {
	return l.speaksOf(x, func(ref *resolve.Ref, _ string) bool { return ref.Kind == resolve.RefSlot })
}

// speaksOfState tells whether a rule speaks of the state of a machine: it is judged at moves and
// removals as well.
func (l *lowerer) speaksOfState(x syntax.Node) bool {
	return l.speaksOf(x, func(ref *resolve.Ref, name string) bool { return ref.Kind == resolve.RefSpecial && name == "status" })
}

// speaksOf tells whether some name of a rule is of a kind.
func (l *lowerer) speaksOf(x syntax.Node, kind func(ref *resolve.Ref, name string) bool) bool {
	found := false
	syntax.Inspect(x, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Name); ok {
			ref := l.info.Names[name]
			found = found || ref != nil && kind(ref, name.Name)
		}
		return !found
	})
	return found
}

func (l *lowerer) rule(c *resolve.Cell, guards []*resolve.Slot, x syntax.Expr) *ir.Rule {
	b := l.newBuilder(nil, &ir.Automaton{Cell: c.Name})
	b.rule = &ruleScope{slots: guards, absent: l.speaksOfState(x)}
	b.assigned = map[string]bool{}
	out := &ir.Rule{Text: x.Span().Normal(), Span: x.Span()}
	for _, g := range guards {
		out.Guards = append(out.Guards, g.Name)
	}
	out.Cond = b.condition(x)
	r := b.rule
	for _, g := range guards {
		l.odd[g] = l.odd[g] || r.raises
	}
	out.Status, out.Size, out.Total = r.status, r.size, r.total
	switch {
	case r.odd != "":
		out.Abstract = r.odd
	case len(b.pending) > 0 || len(b.a.Edges) > 0:
		out.Abstract = readsElsewhere
		out.Step = true
	case r.total && !out.Sums():
		out.Abstract = readsElsewhere
	case out.Sums() || out.Counts():
		out.Step = !lasts(guards, out.Cond)
	case mixedKeys(guards, r.status):
		out.Abstract = noCommonKey
	case r.size:
		// The other entries do not meet the count that the written one met.
		out.Step = true
	case r.key && guards[0].IsList:
		// Entries of a list shift when one is removed.
		out.Step = true
	case fadeApart(guards):
		out.Step = true
	}
	return out
}

// mixedKeys tells whether one key cannot stand for an entry in all of the slots, or in all and
// in the machine: indices are integers, other keys are texts.
func mixedKeys(slots []*resolve.Slot, status bool) bool {
	lists := 0
	for _, s := range slots {
		if s.IsList {
			lists++
		}
	}
	return lists > 0 && (lists < len(slots) || status)
}

// fadeApart tells whether entries of some of the slots may vanish while those of others
// stay: by a time to live, by a restart that empties the ephemeral ones, or as a list closes
// up when one of its entries is removed. A rule between such slots holds when it is judged
// and may not later.
func fadeApart(slots []*resolve.Slot) bool {
	ephemeral := 0
	for _, s := range slots {
		if len(slots) > 1 && (s.IsList || s.Attrs["ttl"] != nil) {
			return true
		}
		if s.Attrs["ephemeral"] != nil {
			ephemeral++
		}
	}
	return ephemeral > 0 && ephemeral < len(slots)
}

// lasts tells whether a rule about counts or sums that holds goes on to hold as entries fade: a
// restart must empty all of the slots or none, and of entries with a time to live there may only
// be an upper bound on their number.
func lasts(slots []*resolve.Slot, cond *term.Term) bool {
	ephemeral := 0
	for _, s := range slots {
		if s.Attrs["ttl"] != nil && !isCap(cond) {
			return false
		}
		if s.Attrs["ephemeral"] != nil {
			ephemeral++
		}
	}
	return ephemeral == 0 || ephemeral == len(slots)
}

// isCap tells whether a condition is a constant upper bound on the entries of a slot.
func isCap(cond *term.Term) bool {
	return (cond.Op == term.OpLe || cond.Op == term.OpLt) &&
		cond.Args[0].Op == term.OpVar && strings.HasSuffix(cond.Args[0].Name, "#") && cond.Args[1].Op == term.OpInt
}
