package interp

import (
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// rule is one top-level conjunct of an invariant, with what decides when it is judged.
type rule struct {
	cond   syntax.Expr
	code   *code // once it was needed
	text   string
	slots  []*resolve.Slot // named in it
	guards []*resolve.Slot // the slots whose writes it judges
	size   bool            // speaks of entry counts
	key    bool            // speaks of the key
	status bool            // speaks of a machine's state: judged at moves, too
	total  bool            // speaks of sums: judged when the outermost handler commits
}

// ruleScope binds the names of a rule while it is judged.
type ruleScope struct {
	slot   *resolve.Slot // the written slot; nil at moves and commits
	key    Value
	value  Value // what is written; () at a delete
	size   int   // entry count of the written slot afterwards
	status string
}

// rulesOf cuts the invariants of a cell into conjuncts.
func rulesOf(c *resolve.Cell, info *resolve.Info) []*rule {
	var out []*rule
	for _, inv := range c.Invariants {
		for _, part := range inv.Conjuncts {
			r := &rule{cond: part.Cond, text: part.Cond.Span().Normal(), guards: part.Guards}
			r.scan(info)
			out = append(out, r)
		}
	}
	return out
}

// scan learns what a rule speaks of.
func (r *rule) scan(info *resolve.Info) {
	syntax.Inspect(r.cond, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Name:
			if ref := info.Names[n]; ref != nil {
				r.names(ref, n.Name)
			}
		case *syntax.Call:
			r.operates(info.Calls[n])
		case *syntax.Method:
			r.operates(info.Calls[n])
		case *syntax.Field:
			r.uses(info.Slots[n])
		case *syntax.Index:
			r.uses(info.Slots[n])
		}
		return true
	})
}

func (r *rule) names(ref *resolve.Ref, name string) {
	switch {
	case ref.Kind == resolve.RefSlot:
		r.mention(ref.Slot)
	case ref.Kind == resolve.RefSpecial && name == "size":
		r.size = true
	case ref.Kind == resolve.RefSpecial && name == "key":
		r.key = true
	case ref.Kind == resolve.RefSpecial && name == "status":
		r.status = true
	}
}

func (r *rule) operates(c *resolve.Callee) {
	if c == nil || c.Kind != resolve.CallSlot {
		return
	}
	r.mention(c.Slot)
	r.total = r.total || c.Op == "total"
	r.size = r.size || countsEntries(c.Op)
}

func (r *rule) uses(u *resolve.SlotUse) {
	if u != nil {
		r.mention(u.Slot)
		r.size = r.size || countsEntries(u.Op)
	}
}

func (r *rule) mention(s *resolve.Slot) {
	if !slices.Contains(r.slots, s) {
		r.slots = append(r.slots, s)
	}
}

func countsEntries(op string) bool {
	switch op {
	case "size", "len", "keys", "values", "last":
		return true
	}
	return false
}

// checkWrite judges the rules that guard a slot before a value is written under a key.
func (w *World) checkWrite(s *resolve.Slot, key, v Value, size int) error {
	for _, r := range w.rules[s.Cell] {
		if !r.total && slices.Contains(r.guards, s) {
			if err := w.judge(r, s, key, v, size, "the written value "+clip(describe(v))); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkDelete judges what a missing entry may break: rules between slots, on counts, on status.
func (w *World) checkDelete(s *resolve.Slot, key Value) error {
	for _, r := range w.rules[s.Cell] {
		if !r.total && slices.Contains(r.guards, s) && (r.size || r.status || len(r.slots) > 1) {
			if err := w.judge(r, s, key, Unit{}, w.slot(s).size()-1, "the memory without the deleted entry"); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkShift judges, for the entries of a list slot that a delete moves to the index before
// theirs, the rules that speak of the index, or of what other slots hold there.
func (w *World) checkShift(s *resolve.Slot, deleted int) error {
	items := w.slot(s).items
	for _, r := range w.rules[s.Cell] {
		if r.total || !slices.Contains(r.guards, s) || !r.key && len(r.slots) < 2 {
			continue
		}
		for i := deleted; i+1 < len(items); i++ {
			if err := w.judge(r, s, NewInt(int64(i)), items[i+1], len(items)-1, "the list without the deleted entry"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *World) judge(r *rule, s *resolve.Slot, key, v Value, size int, what string) error {
	scope := &ruleScope{slot: s, key: key, value: v, size: size}
	if id, ok := keyText(key); ok && s.Cell.Machine != nil {
		scope.status = w.status(s.Cell.Machine, id)
	}
	ok, err := w.holds(r, s.Cell, scope)
	if err == nil && !ok {
		err = errInvariant(r.text, what)
	}
	return err
}

// checkMove judges the rules on status before instance id arrives in a state.
func (w *World) checkMove(m *resolve.Machine, id, to string) error {
	for _, r := range w.rules[m.Cell] {
		if err := w.checkStatus(r, m, id, to); err != nil {
			return err
		}
	}
	return nil
}

// checkStatus judges a rule, if it is one on status, for an instance in a state.
func (w *World) checkStatus(r *rule, m *resolve.Machine, id, state string) error {
	if !r.status || len(r.guards) == 0 {
		return nil
	}
	stored, had, err := w.entry(r.guards[0], String(id))
	if err != nil || !had {
		stored = Unit{}
	}
	scope := &ruleScope{key: String(id), value: stored, size: w.slot(r.guards[0]).size(), status: state}
	ok, err := w.holds(r, m.Cell, scope)
	if err == nil && !ok {
		err = errInvariantAtMove(r.text, id, state)
	}
	return err
}

// checkTotals judges the rules about sums.
func (w *World) checkTotals() error {
	for _, c := range w.prog.Cells {
		for _, r := range w.rules[c] {
			if !r.total {
				continue
			}
			ok, err := w.holds(r, c, &ruleScope{key: Unit{}, value: Unit{}})
			if err == nil && !ok {
				err = errInvariant(r.text, "the memory at the end of the call")
			}
			if err != nil {
				return at(err, r.cond.Span())
			}
		}
	}
	return nil
}

func (w *World) holds(r *rule, c *resolve.Cell, scope *ruleScope) (bool, error) {
	if r.code == nil {
		r.code = w.ruleCode(c, r.cond)
	}
	f := r.code.begin()
	f.rule = scope
	v, err := w.run(f, &f.code.fragment)
	r.code.end(f)
	if err != nil {
		return false, err
	}
	return condition(v)
}

// special is value, key, size or status inside a rule.
func (r *ruleScope) special(name string) (Value, bool) {
	switch name {
	case "value":
		return r.value, true
	case "key":
		return r.key, true
	case "size":
		return NewInt(int64(r.size)), true
	case "status":
		return String(r.status), true
	}
	return nil, false
}

// slotInRule is a slot's name inside a rule: the value being written, or what another slot
// holds at the same key.
func (w *World) slotInRule(r *ruleScope, s *resolve.Slot) (Value, error) {
	if s == r.slot {
		return r.value, nil
	}
	if s.IsList && r.key.Kind() != IntKind {
		return Unit{}, nil
	}
	if r.key.Kind() == UnitKind {
		return Unit{}, nil
	}
	v, ok, err := w.entry(s, r.key)
	if err != nil || !ok {
		return Unit{}, err
	}
	return v, nil
}

// total is the sum of an Int slot.
func (w *World) total(s *resolve.Slot) (Value, error) {
	st := w.slot(s)
	items := st.items
	for _, k := range st.keys() {
		items = append(items[:len(items):len(items)], st.entries[k])
	}
	var sum Value = NewInt(0)
	for _, v := range items {
		var err error
		if sum, err = arithmetic(syntax.AddOp, sum, v); err != nil {
			return nil, err
		}
	}
	return sum, nil
}
