package resolve

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/syntax"
)

// block resolves a block in a scope of its own.
func (w *walker) block(b *syntax.Block) {
	if b == nil {
		return
	}
	w.push()
	defer w.pop()
	ended := false
	for i, s := range b.Stmts {
		if ended {
			if _, bad := s.(*syntax.BadStmt); !bad {
				w.r.report(unreachable(s))
			}
			ended = false
		}
		w.stmt(s, i == len(b.Stmts)-1)
		if i < len(b.Stmts)-1 && leaves(s) {
			ended = true
		}
	}
}

// leaves tells whether control surely does not go on after a statement.
func leaves(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Return, *syntax.Break, *syntax.Continue:
		return true
	case *syntax.ExprStmt:
		if i, ok := s.X.(*syntax.If); ok {
			return ifLeaves(i)
		}
	}
	return false
}

func ifLeaves(i *syntax.If) bool {
	switch e := i.Else.(type) {
	case *syntax.Block:
		return e != nil && blockLeaves(i.Then) && blockLeaves(e)
	case *syntax.If:
		return e != nil && blockLeaves(i.Then) && ifLeaves(e)
	}
	return false
}

func blockLeaves(b *syntax.Block) bool {
	for _, s := range b.Stmts {
		if leaves(s) {
			return true
		}
	}
	return false
}

func (w *walker) stmt(s syntax.Stmt, last bool) {
	switch s := s.(type) {
	case *syntax.Let:
		w.let(s)
	case *syntax.Assign:
		w.assign(s)
	case *syntax.ExprStmt:
		w.exprStmt(s, last)
	case *syntax.For:
		w.expr(s.In)
		w.iterable(s.In)
		w.push()
		w.bind(s.Var, nil)
		w.loop(s.Body)
		w.pop()
	case *syntax.While:
		w.condition(s.Cond)
		w.loop(s.Body)
	case *syntax.Break:
		w.inLoop(s, "break")
	case *syntax.Continue:
		w.inLoop(s, "continue")
	case *syntax.Return:
		w.returns(s)
	case *syntax.Require:
		w.condition(s.Cond)
		if s.Message != nil {
			w.expr(s.Message)
		}
	case *syntax.Ensure:
		w.condition(s.Cond)
	case *syntax.Emit:
		w.emit(s)
	case *syntax.Mock, *syntax.Assert, *syntax.AssertFails, *syntax.Property:
		w.testStmt(s)
	}
}

func (w *walker) loop(body *syntax.Block) {
	w.loops++
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
	if slot := w.cell.slot(s.Name.Name); slot != nil && w.lookup(s.Name.Name) == nil {
		w.r.report(letHidesSlot(s.Name, slot.Decl.Name.At))
	}
	l := w.bind(s.Name, w.typeOf(s.Value))
	l.fn = w.mayBeFunction(s.Value)
}

func (w *walker) exprStmt(s *syntax.ExprStmt, last bool) {
	if w.localUpdate(s) {
		return
	}
	w.expr(s.X)
	if !last && w.mode == inBody {
		w.unused(s)
	}
}

// localUpdate reports xs.push(v) as a statement on a local value, which changes nothing.
func (w *walker) localUpdate(s *syntax.ExprStmt) bool {
	m, ok := s.X.(*syntax.Method)
	if !ok || m.Name.Name != "push" {
		return false
	}
	name, ok := syntax.Unparen(m.X).(*syntax.Name)
	if !ok || w.lookup(name.Name) == nil || w.lookup("push") != nil || w.cell.handler("push", len(m.Args)+1) != nil {
		return false
	}
	w.expr(m.X)
	w.exprs(m.Args)
	w.r.report(pushWithoutUse(m, name.Name))
	return true
}

// unused warns when the result of a call without effects is thrown away.
func (w *walker) unused(s *syntax.ExprStmt) {
	c := w.r.info.Calls[syntax.Unparen(s.X)]
	if c == nil {
		return
	}
	switch c.Kind {
	case CallBuiltin:
		if c.Builtin.Class != builtin.Pure || len(c.Builtin.Raises) > 0 || w.hasLambda(s.X) {
			return
		}
	case CallVariant, CallValue:
	default:
		return
	}
	w.r.report(unusedResult(s))
}

// hasLambda tells whether a function is among the arguments: it may be there for its effects.
func (w *walker) hasLambda(x syntax.Expr) bool {
	found := false
	syntax.Inspect(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lambda:
			found = true
		case *syntax.Name:
			if l := w.lookup(n.Name); l != nil && l.fn {
				found = true
			}
		}
		return !found
	})
	return found
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
	case s.Value != nil:
		w.resultFits(s.Value)
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
			w.r.report(slotFieldAssignment(s, slot, t.Name.Name))
			return
		}
		if slot := w.slotOf(t); slot != nil {
			w.expr(t)
			w.r.report(wholeSlot(s, slot))
			return
		}
		w.expr(t)
	default:
		w.expr(s.Target)
		if use := w.r.info.Slots[s.Target]; use != nil && s.Op == syntax.NoOp {
			w.stored(s.Value, use.Slot)
		}
	}
	if s.Op != syntax.NoOp {
		w.operands(s.Op, s.Target, s.Value, s)
	}
}

func (w *walker) assignName(s *syntax.Assign, t *syntax.Name) {
	if l := w.lookup(t.Name); l != nil {
		w.r.info.Names[t] = &Ref{Kind: RefLocal}
		l.fn = l.fn || s.Op == syntax.NoOp && w.mayBeFunction(s.Value)
		return
	}
	if slot := w.slotOf(t); slot != nil {
		w.r.info.Names[t] = &Ref{Kind: RefSlot, Slot: slot}
		w.r.report(wholeSlot(s, slot))
		return
	}
	w.r.report(unboundAssignment(s, t, nearest(t.Name, w.visible())))
}

// emit finds the listeners of an event in all cells, in order of declaration.
func (w *walker) emit(s *syntax.Emit) {
	w.exprs(s.Args)
	name := s.Event.Name
	all := w.r.handlers[name]
	for _, h := range all {
		if len(h.Params) != len(s.Args) {
			w.r.report(emitCount(s, h))
			continue
		}
		w.r.info.Listeners[s] = append(w.r.info.Listeners[s], h)
	}
	if len(all) == 0 {
		w.r.report(noListener(s, nearest(name, keysOf(w.r.handlers))))
	}
}
