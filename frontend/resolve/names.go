package resolve

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/syntax"
)

func (w *walker) exprs(list []syntax.Expr) {
	for _, x := range list {
		w.expr(x)
	}
}

// expr resolves an expression.
func (w *walker) expr(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Name:
		w.name(x)
	case *syntax.String:
		for _, s := range x.Segments {
			if s.X != nil {
				w.expr(s.X)
			}
		}
	case *syntax.List:
		w.exprs(x.Items)
	case *syntax.Record:
		w.record(x)
	case *syntax.VariantRef:
		w.variantRef(x)
	case *syntax.Unary:
		w.expr(x.X)
	case *syntax.Binary:
		w.expr(x.X)
		w.expr(x.Y)
		w.stateCompared(x)
	case *syntax.Call:
		w.call(x)
	case *syntax.Method:
		w.method(x)
	case *syntax.Pipe:
		w.pipe(x)
	case *syntax.Field:
		w.field(x)
	case *syntax.Index:
		if slot := w.slotOf(x.X); slot != nil {
			w.slotUsed(x.X, slot, "index")
			w.r.info.Slots[x] = &SlotUse{Slot: slot, Op: "index"}
		} else {
			w.expr(x.X)
		}
		w.expr(x.I)
	case *syntax.Propagate:
		w.expr(x.X)
	case *syntax.Lambda:
		w.lambda(x)
	case *syntax.If:
		w.ifExpr(x)
	case *syntax.Try:
		w.block(x.Body)
	case *syntax.Match:
		w.match(x)
	case *syntax.Paren:
		w.expr(x.X)
	}
}

func (w *walker) ifExpr(x *syntax.If) {
	idle := w.takeIdle()
	w.expr(x.Cond)
	w.idle = idle
	w.block(x.Then)
	w.idle = idle
	switch e := x.Else.(type) {
	case *syntax.Block:
		w.block(e)
	case *syntax.If:
		if e != nil {
			w.ifExpr(e)
		}
	}
	w.idle = false
}

// takeIdle tells whether nobody uses the value of what is read next, and forgets it.
func (w *walker) takeIdle() bool {
	idle := w.idle
	w.idle = false
	return idle
}

func (w *walker) lambda(x *syntax.Lambda) {
	loops := w.loops
	w.loops = 0
	w.push()
	for i, p := range x.Params {
		for _, q := range x.Params[:i] {
			if p.Name == q.Name && p.Name != "_" {
				w.r.report(duplicate(p, "parameter", q.At))
			}
		}
		w.hidesSlot(p)
		w.bind(p, true)
	}
	if x.Body != nil {
		w.lambdas++
		w.block(x.Body)
		w.lambdas--
	} else {
		w.expr(x.X)
	}
	w.pop()
	w.loops = loops
}

// name resolves a name where a value is wanted.
func (w *walker) name(x *syntax.Name) {
	ref := w.refer(x)
	if ref != nil {
		w.r.info.Names[x] = ref
		if ref.Kind == RefSlot {
			w.ruleNames(ref.Slot, x)
		}
	}
}

// refer decides what a name means: a local, a slot, a name special to this place. Anything
// else is reported and gives nil, or RefBuiltin for a function where a value is wanted.
func (w *walker) refer(x *syntax.Name) *Ref {
	name := x.Name
	if l := w.lookup(name); l != nil {
		l.read = true
		return &Ref{Kind: RefLocal}
	}
	if slot := w.bareSlot(name); slot != nil {
		return &Ref{Kind: RefSlot, Slot: slot}
	}
	if w.special(x) {
		return &Ref{Kind: RefSpecial}
	}
	if w.mode == inGuard {
		w.r.callerNames[x] = true
		return &Ref{Kind: RefLocal}
	}
	w.lost = true
	switch {
	case w.mode == inTest && len(w.r.slots[name]) > 1:
		w.r.report(ambiguousSlot(x, w.r.slots[name]))
	case w.callable(name):
		w.r.report(functionAsValue(x, w.takesOne(name)))
		return &Ref{Kind: RefBuiltin}
	case w.r.excused[name]:
	case len(w.r.slots[name]) > 0:
		w.r.report(foreignSlot(x, w.r.slots[name][0]))
	default:
		w.r.report(undefinedName(x, w.stateHint(name), w.r.nearest(name, w.namesHere)))
	}
	return nil
}

// special tells whether a name is bound by the place itself.
func (w *walker) special(x *syntax.Name) bool {
	switch w.mode {
	case inInvariant:
		switch x.Name {
		case "value", "size":
			w.rule.wide = true
			return true
		case "key":
			return true
		case "status":
			w.rule.status = append(w.rule.status, x)
			return true
		}
	case inGuard:
		return x.Name == "_id" || x.Name == "_from" || x.Name == "_to"
	}
	return false
}

// bareSlot finds the slot that a bare name means, or nil: one of the own cell or, in tests,
// the only one of the program.
func (w *walker) bareSlot(name string) *Slot {
	if s := w.cell.slot(name); s != nil {
		return s
	}
	if all := w.r.slots[name]; w.mode == inTest && len(all) == 1 {
		return all[0]
	}
	return nil
}

// slotOf finds the slot an expression names, s or Cell.s, or nil.
func (w *walker) slotOf(x syntax.Expr) *Slot {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Name:
		if w.lookup(x.Name) == nil {
			return w.bareSlot(x.Name)
		}
	case *syntax.Field:
		if ref, ok := x.X.(*syntax.VariantRef); ok && ref.Type == nil {
			if c := w.r.cells[ref.Name.Name]; c != nil {
				return c.slot(x.Name.Name)
			}
		}
	}
	return nil
}

// slotUsed records that an expression names a slot, of which op is wanted.
func (w *walker) slotUsed(x syntax.Expr, slot *Slot, op string) {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Name:
		w.r.info.Names[x] = &Ref{Kind: RefSlot, Slot: slot}
	case *syntax.Field:
		w.r.info.Slots[x] = &SlotUse{Slot: slot, Op: "value"}
		if slot.Cell != w.cell && w.mode != inTest {
			w.r.report(foreignSlot(x, slot))
		}
	}
	if w.rule != nil {
		w.rule.use(slot, op)
	}
}

// field resolves x.f: a pseudo-field of a slot, a slot of a named cell, or a field of a value.
func (w *walker) field(x *syntax.Field) {
	if slot := w.slotOf(x); slot != nil {
		w.slotUsed(x, slot, "value")
		return
	}
	if slot := w.slotOf(x.X); slot != nil {
		if op := x.Name.Name; pseudoField(op) && !(w.mode == inInvariant && (op == "keys" || op == "values" || op == "last")) {
			w.slotUsed(x.X, slot, op)
			w.r.info.Slots[x] = &SlotUse{Slot: slot, Op: op}
			return
		}
	}
	if ref, ok := x.X.(*syntax.VariantRef); ok && ref.Type == nil {
		if c := w.r.cells[ref.Name.Name]; c != nil {
			w.r.report(unknownCellSlot(x, c, w.r.nearest(x.Name.Name, c.slotNames)))
			return
		}
	}
	w.expr(x.X)
}

func pseudoField(name string) bool {
	switch name {
	case "keys", "values", "len", "size", "last":
		return true
	}
	return false
}

// callable tells whether a name is that of a builtin or of some handler.
func (w *walker) callable(name string) bool {
	return builtin.Lookup(name) != nil || len(w.r.handlers[name]) > 0 || len(w.cell.named(name)) > 0
}

// takesOne tells whether what a name calls takes a single argument.
func (w *walker) takesOne(name string) bool {
	_, found := w.near(name, 1)
	return found || len(w.others(name, 1)) == 1
}

// namesHere lists the names that could stand at this place.
func (w *walker) namesHere() []string {
	out := append(w.visible(), w.cell.slotNames()...)
	switch w.mode {
	case inInvariant:
		out = append(out, "value", "key", "size", "status")
	case inGuard:
		out = append(out, "_id", "_from", "_to")
	case inTest:
		out = append(out, keysOf(w.r.slots)...)
	}
	return out
}

// stateHint is the machine whose state has the name, or nil.
func (w *walker) stateHint(name string) *Machine {
	if m := w.machine(); m != nil && m.HasState(name) {
		return m
	}
	return nil
}

// machine is the one that the machine builtins act on here: the cell's own, else the only
// one of the program; nil when there is none or several.
func (w *walker) machine() *Machine {
	if w.cell.Machine != nil {
		return w.cell.Machine
	}
	if len(w.r.machines) == 1 {
		return w.r.machines[0]
	}
	return nil
}
