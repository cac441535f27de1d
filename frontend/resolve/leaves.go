package resolve

import "soma.cell/frontend/syntax"

// leaves tells whether control surely does not go on after a resolved statement: it returns,
// goes to a loop around, fails or runs for ever.
func (w *walker) leaves(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Return, *syntax.Break, *syntax.Continue:
		return true
	case *syntax.While:
		b, ok := syntax.Unparen(s.Cond).(*syntax.Bool)
		return ok && b.Value && !breaks(s.Body)
	case *syntax.ExprStmt:
		return w.exprLeaves(s.X)
	}
	return false
}

func (w *walker) exprLeaves(x syntax.Expr) bool {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.If:
		return w.ifLeaves(x)
	case *syntax.Match: // a value that no arm takes raises
		for _, arm := range x.Arms {
			if arm.Body == nil && !w.exprLeaves(arm.Value) || arm.Body != nil && !w.blockLeaves(arm.Body) {
				return false
			}
		}
		return len(x.Arms) > 0
	case *syntax.Call:
		c := w.r.info.Calls[x]
		return c != nil && c.Kind == CallBuiltin && c.Builtin.Name == "fail"
	}
	return false
}

func (w *walker) ifLeaves(i *syntax.If) bool {
	switch e := i.Else.(type) {
	case *syntax.Block:
		return e != nil && w.blockLeaves(i.Then) && w.blockLeaves(e)
	case *syntax.If:
		return e != nil && w.blockLeaves(i.Then) && w.ifLeaves(e)
	}
	return false
}

func (w *walker) blockLeaves(b *syntax.Block) bool {
	for _, s := range b.Stmts {
		if w.leaves(s) {
			return true
		}
	}
	return false
}

// breaks tells whether a loop's body may leave the loop by break.
func breaks(body *syntax.Block) bool {
	found := false
	syntax.Inspect(body, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.Break:
			found = true
		case *syntax.For, *syntax.While, *syntax.Lambda:
			return false
		}
		return !found
	})
	return found
}
