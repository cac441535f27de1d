package types

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// rule is what the names of a memory rule stand for.
type rule struct {
	absent bool // the rule is judged where an entry is missing, too
	value  *Type
	key    *Type
}

// slot is what a slot's name stands for: the written value, or the value at the same key.
func (r *rule) slot(s *resolve.Slot) *Type {
	t := declared(s.Value)
	if r.absent {
		t = join(t, unit)
	}
	return t
}

func (r *rule) special(name string) *Type {
	switch name {
	case "value":
		return r.value
	case "key":
		return r.key
	case "size":
		return integer
	case "status":
		return text
	}
	return anything
}

// invariants looks at the memory rules of a cell, conjunct by conjunct.
func (c *checker) invariants(cell *resolve.Cell) {
	for _, inv := range cell.Invariants {
		for _, part := range inv.Conjuncts {
			b := c.body(part.Cond)
			b.rule = c.ruleOf(part)
			b.special = b.rule.special
			b.run(func() { b.condition(part.Cond) })
		}
	}
}

// ruleOf reads what a conjunct speaks of. One that names several slots, counts entries or
// speaks of sums or a status is judged where there is no entry, too; () stands for it then.
func (c *checker) ruleOf(part *resolve.Conjunct) *rule {
	r := &rule{value: never, key: never}
	slots := map[*resolve.Slot]bool{}
	mention := func(s *resolve.Slot, op string) {
		slots[s] = true
		switch op {
		case "len", "size", "keys", "values", "last", "total":
			r.absent = true
		}
	}
	total, status := false, false
	syntax.Inspect(part.Cond, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Name:
			if ref := c.info.Names[n]; ref != nil {
				switch {
				case ref.Kind == resolve.RefSlot:
					mention(ref.Slot, "")
				case ref.Kind == resolve.RefSpecial && n.Name == "size":
					r.absent = true
				case ref.Kind == resolve.RefSpecial && n.Name == "status":
					r.absent, status = true, true
				}
			}
		case *syntax.Call, *syntax.Method, *syntax.Pipe:
			if callee := c.info.Calls[n.(syntax.Expr)]; callee != nil && callee.Kind == resolve.CallSlot {
				mention(callee.Slot, callee.Op)
				total = total || callee.Op == "total"
			}
		case *syntax.Field, *syntax.Index:
			if use := c.info.Slots[n.(syntax.Expr)]; use != nil {
				mention(use.Slot, use.Op)
			}
		}
		return true
	})
	r.absent = r.absent || len(slots) > 1
	for _, s := range part.Guards {
		r.value = join(r.value, declared(s.Value))
		if s.IsList {
			r.key = join(r.key, integer)
		} else {
			r.key = join(r.key, text)
		}
	}
	if r.absent {
		r.value = join(r.value, unit)
	}
	if status {
		r.key = join(r.key, text)
	}
	if total {
		r.key = join(r.key, unit)
	}
	return r
}

// test looks at the helpers and the rules of a test cell. A rule that raises ends alone, so that
// each is left anywhere, like a try; names carry from one to the next.
func (c *checker) test(t *resolve.TestCell) {
	if t.Helpers == nil {
		return
	}
	for _, h := range t.Helpers.Handlers {
		c.resultOf(h)
	}
	var items []syntax.Stmt
	for _, rules := range t.Decl.Rules {
		items = append(items, rules.Items...)
	}
	b := c.body(&syntax.Block{Stmts: items})
	b.inTest = true
	b.run(func() {
		for _, s := range items {
			b.item(s)
		}
	})
}

// item goes over one statement among the rules of a test.
func (b *body) item(s syntax.Stmt) {
	r := b.within(func() { b.stmt(s) })
	b.afterwards(r)
}

func (b *body) testStmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Mock:
		if s.Reply != nil {
			b.expr(s.Reply)
		}
	case *syntax.Assert:
		b.assert(s.Cond)
	case *syntax.AssertFails:
		b.quiet++
		b.expr(s.X)
		b.quiet--
		if s.Matching != nil {
			b.expr(s.Matching)
		}
	case *syntax.Property:
		for _, x := range []syntax.Expr{s.Lo, s.Hi, s.Count} {
			if x == nil {
				continue
			}
			if t := b.expr(x); t.Kinds != 0 && !t.may(Int) {
				b.report(noRange(x, t))
			}
		}
		b.push()
		b.bind(s.Var, integer)
		b.assert(s.Cond)
		b.pop()
	}
}

// assert goes over what must be a Bool; () is none.
func (b *body) assert(x syntax.Expr) {
	if t := b.expr(x); t.Kinds != 0 && !t.may(Bool) {
		b.report(notBool(x, t))
	}
}
