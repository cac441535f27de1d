package resolve

import (
	"cmp"
	"slices"

	"soma.cell/frontend/syntax"
)

// ruleReading gathers what one conjunct of an invariant mentions.
type ruleReading struct {
	named  map[*Slot]bool // by bare name, by total or by size: writes to these are judged
	stored map[*Slot]bool // through get, has or an index: the memory before the write
	bare   map[*syntax.Name]*Slot
	wide   bool // speaks of value or size, whatever the slot
	status []*syntax.Name
	totals []syntax.Ident
}

// use notes that the rule asks a slot for op.
func (u *ruleReading) use(slot *Slot, op string) {
	switch op {
	case "get", "has", "index":
		u.stored[slot] = true
	default:
		u.named[slot] = true
	}
}

// ruleNames notes a slot that a rule names as a value.
func (w *walker) ruleNames(slot *Slot, x *syntax.Name) {
	if w.rule != nil {
		w.rule.named[slot] = true
		w.rule.bare[x] = slot
	}
}

// invariants resolves the memory rules of a cell, conjunct by conjunct.
func (r *resolver) invariants(c *Cell) {
	for _, inv := range c.Invariants {
		guarded := map[*Slot]bool{}
		for _, cond := range conjuncts(inv.Decl.Cond) {
			w := &walker{r: r, cell: c, mode: inInvariant, rule: &ruleReading{
				named: map[*Slot]bool{}, stored: map[*Slot]bool{}, bare: map[*syntax.Name]*Slot{}}}
			w.push()
			w.expr(cond)
			part := &Conjunct{Cond: cond, Guards: w.rule.guards(c, inv)}
			inv.Conjuncts = append(inv.Conjuncts, part)
			for _, s := range part.Guards {
				guarded[s] = true
			}
			w.judgeRule(cond)
		}
		inv.Guards = c.declared(guarded)
	}
}

// declared are the slots of the cell among some, in order of declaration.
func (c *Cell) declared(some map[*Slot]bool) []*Slot {
	var out []*Slot
	for s := range some {
		if s.Cell == c {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b *Slot) int { return cmp.Compare(a.Decl.At.Start, b.Decl.At.Start) })
	return out
}

// conjuncts cuts a rule at its top-level conjunctions.
func conjuncts(x syntax.Expr) []syntax.Expr {
	if b, ok := syntax.Unparen(x).(*syntax.Binary); ok && b.Op == syntax.AndOp {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []syntax.Expr{x}
}

// guards lists the slots whose writes the conjunct judges, in order of declaration.
func (u *ruleReading) guards(c *Cell, inv *Invariant) []*Slot {
	chosen := u.named
	if len(chosen) == 0 && !u.wide {
		chosen = u.stored
	}
	if len(chosen) > 0 {
		return c.declared(chosen)
	}
	var out []*Slot
	section := map[string]bool{}
	for _, s := range inv.Section.Slots {
		section[s.Name.Name] = true
	}
	for _, s := range c.Slots {
		if section[s.Name] {
			out = append(out, s)
		}
	}
	return out
}

// judgeRule checks what a conjunct as a whole must obey.
func (w *walker) judgeRule(cond syntax.Expr) {
	u := w.rule
	for _, x := range u.status {
		if w.cell.Machine == nil {
			w.r.report(statusWithoutMachine(x, w.cell))
			break
		}
		if len(u.bare) == 0 {
			w.r.report(statusWithoutSlot(x))
			break
		}
	}
	if len(u.totals) > 0 && (len(u.bare) > 0 || u.wide || len(u.status) > 0) {
		w.r.report(mixedTotal(u.totals[0]))
	}
	slots := map[*Slot]bool{}
	for _, s := range u.bare {
		slots[s] = true
	}
	if len(slots) > 1 || len(u.status) > 0 && w.cell.Machine != nil {
		w.undefaulted(cond)
	}
	w.lengths(cond)
}

// undefaulted reports slots of a rule between slots that are computed with as they are:
// an entry that is missing at the key reads as ().
func (w *walker) undefaulted(cond syntax.Expr) {
	reported := map[*Slot]bool{}
	check := func(x syntax.Expr) {
		name, ok := syntax.Unparen(x).(*syntax.Name)
		if !ok {
			return
		}
		if s := w.rule.bare[name]; s != nil && !reported[s] {
			reported[s] = true
			w.r.report(undefaulted(name, s))
		}
	}
	syntax.Inspect(cond, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Binary:
			switch n.Op {
			case syntax.OrOp, syntax.AndOp, syntax.CoalesceOp, syntax.EqOp, syntax.NeOp:
			default:
				check(n.X)
				check(n.Y)
			}
		case *syntax.Unary:
			if !n.Not {
				check(n.X)
			}
		case *syntax.Field:
			check(n.X)
		case *syntax.Index:
			check(n.X)
		case *syntax.Call, *syntax.Method, *syntax.Pipe:
			w.undefaultedArgs(n.(syntax.Expr), check)
		}
		return true
	})
}

// undefaultedArgs checks the arguments of a builtin that does not take ().
func (w *walker) undefaultedArgs(x syntax.Expr, check func(syntax.Expr)) {
	c := w.r.info.Calls[x]
	if c == nil || c.Kind != CallBuiltin {
		return
	}
	var args []syntax.Expr
	switch x := x.(type) {
	case *syntax.Call:
		args = x.Args
	case *syntax.Method:
		args = append([]syntax.Expr{x.X}, x.Args...)
	case *syntax.Pipe:
		args = append([]syntax.Expr{x.X}, x.Call.Args...)
	}
	for i, a := range args {
		if takes := c.Builtin.ParamTypes(i); !slices.Contains(takes, "Any") && !slices.Contains(takes, "Unit") {
			check(a)
		}
	}
}

// lengths warns of len(slot), which measures the written value and not the slot.
func (w *walker) lengths(cond syntax.Expr) {
	syntax.Inspect(cond, func(n syntax.Node) bool {
		var arg syntax.Expr
		switch n := n.(type) {
		case *syntax.Call:
			if len(n.Args) == 1 {
				arg = n.Args[0]
			}
		case *syntax.Pipe:
			arg = n.X
		}
		if arg == nil {
			return true
		}
		c := w.r.info.Calls[n.(syntax.Expr)]
		name, isName := syntax.Unparen(arg).(*syntax.Name)
		if c != nil && c.Kind == CallBuiltin && c.Builtin.Name == "len" && isName && w.rule.bare[name] != nil {
			w.r.report(lengthOfValue(n.Span(), name.Name))
		}
		return true
	})
}
