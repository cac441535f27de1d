package resolve

import (
	"soma.cell/frontend/syntax"
)

// block resolves a block in a scope of its own.
func (w *walker) block(b *syntax.Block) {
	if b == nil {
		return
	}
	idle := w.takeIdle()
	w.push()
	defer w.pop()
	ended, dead := false, w.dead
	defer func() { w.dead = dead }()
	for i, s := range b.Stmts {
		if ended {
			if _, bad := s.(*syntax.BadStmt); !bad {
				w.r.report(unreachable(s))
			}
			ended = false
			w.dead++
		}
		w.stmt(s, i == len(b.Stmts)-1 && !idle)
		if i < len(b.Stmts)-1 && w.leaves(s) {
			ended = true
		}
	}
}

// stmt resolves a statement; used tells whether its value, if it is an expression, is that of
// its block.
func (w *walker) stmt(s syntax.Stmt, used bool) {
	switch s := s.(type) {
	case *syntax.Let:
		w.let(s)
	case *syntax.Assign:
		w.assign(s)
	case *syntax.ExprStmt:
		w.exprStmt(s, used)
	case *syntax.For:
		w.expr(s.In)
		w.push()
		w.hidesSlot(s.Var)
		w.bind(s.Var, true)
		w.loop(s.Body)
		w.pop()
	case *syntax.While:
		w.expr(s.Cond)
		w.loop(s.Body)
	case *syntax.Break:
		w.inLoop(s, "break")
	case *syntax.Continue:
		w.inLoop(s, "continue")
	case *syntax.Return:
		w.returns(s)
	case *syntax.Require:
		w.expr(s.Cond)
		if s.Message != nil {
			w.expr(s.Message)
		}
	case *syntax.Ensure:
		w.expr(s.Cond)
	case *syntax.Emit:
		w.emit(s)
	case *syntax.Mock, *syntax.Assert, *syntax.AssertFails, *syntax.Property:
		w.testStmt(s)
	}
}

func (w *walker) loop(body *syntax.Block) {
	w.loops++
	w.idle = true
	w.block(body)
	w.loops--
}

func (w *walker) inLoop(s syntax.Stmt, word string) {
	if w.loops == 0 {
		w.r.report(outsideLoop(s, word))
	}
}

func (w *walker) let(s *syntax.Let) {
	w.expr(s.Value)
	w.hidesSlot(s.Name)
	machine := w.machineOf(s.Value)
	l := w.bind(s.Name, w.mayBeFunction(s.Value))
	if w.dead == 0 {
		l.let = s
	}
	if !w.assigned[s.Name.Name] {
		l.machine = machine
		if f, ok := syntax.Unparen(s.Value).(*syntax.Lambda); ok {
			l.arity = len(f.Params)
		}
	}
}

// hidesSlot warns of a local with the name of a slot.
func (w *walker) hidesSlot(name syntax.Ident) {
	if slot := w.cell.slot(name.Name); slot != nil && w.lookup(name.Name) == nil {
		w.r.report(letHidesSlot(name, slot.Decl.Name.At))
	}
}

// exprStmt resolves an expression whose value is that of its block, or of no use.
func (w *walker) exprStmt(s *syntax.ExprStmt, used bool) {
	if used {
		w.expr(s.X)
		return
	}
	switch s.X.(type) {
	case *syntax.If, *syntax.Match:
		w.idle = true
		w.expr(s.X)
		w.idle = false
		return
	}
	if w.localUpdate(s) {
		return
	}
	w.expr(s.X)
	w.unused(s.X)
}

// localUpdate reports statements that would change a local as only slots are changed:
// xs.push(v), m.set(k, v) and their kin.
func (w *walker) localUpdate(s *syntax.ExprStmt) bool {
	m, ok := s.X.(*syntax.Method)
	if !ok || m.Name.Name != "push" && !updateWord(m.Name.Name) {
		return false
	}
	name, ok := syntax.Unparen(m.X).(*syntax.Name)
	if !ok || w.lookup(name.Name) == nil || w.takenByHandler(m) {
		return false
	}
	w.expr(m.X)
	w.exprs(m.Args)
	switch l := w.lookup(name.Name); {
	case l.hides:
	case m.Name.Name == "push":
		w.r.report(pushWithoutUse(m, name.Name))
	default:
		w.r.report(localUpdate(m, name.Name))
	}
	return true
}

// takenByHandler tells whether a method is a call of a local or a handler of its name.
func (w *walker) takenByHandler(m *syntax.Method) bool {
	c, found := w.near(m.Name.Name, len(m.Args)+1)
	return found && c.Kind != CallBuiltin || !found && len(w.others(m.Name.Name, len(m.Args)+1)) > 0
}

// updated names the local that a call gives a changed copy of, or "".
func (w *walker) updated(x syntax.Expr) string {
	call, ok := x.(*syntax.Call)
	c := w.r.info.Calls[x]
	if !ok || c.Kind != CallBuiltin || len(call.Args) == 0 {
		return ""
	}
	switch name, ok := call.Args[0].(*syntax.Name); c.Builtin.Name {
	case "push", "with", "without":
		if ok && w.lookup(name.Name) != nil {
			return name.Name
		}
	}
	return ""
}

// unused warns when the result of a call without effects is thrown away.
func (w *walker) unused(x syntax.Expr) {
	x = syntax.Unparen(x)
	if c := w.r.info.Calls[x]; c == nil || w.mode != inBody || !w.effectless(x) {
		return
	}
	w.r.report(unusedResult(x, w.updated(x)))
}

func (w *walker) returns(s *syntax.Return) {
	if s.Value != nil {
		w.expr(s.Value)
	}
	switch {
	case w.lambdas > 0:
		w.r.report(returnInLambda(s))
	case w.mode == inTest && w.handler == nil:
		w.r.report(returnInRules(s))
	}
}

// assign resolves place = value. The root of the place is a local, or a slot of the cell.
func (w *walker) assign(s *syntax.Assign) {
	w.expr(s.Value)
	switch t := s.Target.(type) {
	case *syntax.Name:
		w.assignName(s, t)
	case *syntax.Field:
		if slot := w.slotOf(t.X); slot != nil {
			w.expr(t.X)
			if !slot.Scalar {
				w.r.report(slotFieldAssignment(s, slot, t.Name.Name))
			}
			return
		}
		if slot := w.slotOf(t); slot != nil {
			w.expr(t)
			w.whole(s, slot)
			return
		}
		w.expr(t)
	default:
		w.expr(s.Target)
		if slot := w.rootSlot(s.Target); slot != nil {
			w.impure(syntax.Ident{Place: syntax.Place{At: s.Target.Span()}, Name: s.Target.Span().Normal() + " = …"})
		}
	}
}

// whole reports the assignment of a slot as a whole.
func (w *walker) whole(s *syntax.Assign, slot *Slot) {
	if !slot.Scalar {
		w.r.report(wholeSlot(s, slot))
	}
}

// rootSlot is the slot whose entry a place is in, or nil.
func (w *walker) rootSlot(x syntax.Expr) *Slot {
	for x := range syntax.Path(x) {
		if entry, ok := x.(*syntax.Index); ok {
			if slot := w.slotOf(entry.X); slot != nil {
				return slot
			}
		}
	}
	return nil
}

func (w *walker) assignName(s *syntax.Assign, t *syntax.Name) {
	if l := w.lookup(t.Name); l != nil {
		w.r.info.Names[t] = &Ref{Kind: RefLocal}
		l.fn = l.fn || s.Op == syntax.NoOp && w.mayBeFunction(s.Value)
		return
	}
	if slot := w.slotOf(t); slot != nil {
		w.r.info.Names[t] = &Ref{Kind: RefSlot, Slot: slot}
		w.whole(s, slot)
		return
	}
	w.lost = true
	w.r.report(unboundAssignment(s, t, w.r.nearest(t.Name, w.visible)))
	w.bind(syntax.Ident{Place: t.Place, Name: t.Name}, true) // what reads it is none the worse
}

// emit finds the listeners of an event in all cells, in order of declaration.
func (w *walker) emit(s *syntax.Emit) {
	w.exprs(s.Args)
	w.impure(syntax.Ident{Place: s.Event.Place, Name: "emit"})
	name := s.Event.Name
	all := w.r.handlers[name]
	for _, h := range all {
		if len(h.Params) != len(s.Args) {
			w.r.report(emitCount(s, h))
			continue
		}
		w.r.info.Listeners[s] = append(w.r.info.Listeners[s], h)
	}
	if len(all) == 0 && !w.r.excused[name] {
		w.r.report(noListener(s, w.r.nearest(name, among(w.r.handlers))))
	}
}
