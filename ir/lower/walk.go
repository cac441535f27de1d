package lower

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// assignedNames are the locals that some statement in n assigns.
func assignedNames(n syntax.Node) map[string]bool {
	out := map[string]bool{}
	syntax.Inspect(n, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.Assign); ok {
			if name := rootName(a.Target); name != "" {
				out[name] = true
			}
		}
		return true
	})
	return out
}

// rootName is the local whose value an assignment changes: x of x, x.f, x[i].f.
func rootName(target syntax.Expr) string {
	for {
		switch t := syntax.Unparen(target).(type) {
		case *syntax.Name:
			return t.Name
		case *syntax.Field:
			target = t.X
		case *syntax.Index:
			target = t.X
		default:
			return ""
		}
	}
}

// assigns tells whether evaluating n may assign a local.
func (b *builder) assigns(n syntax.Node) bool {
	return len(b.assigned) > 0 && len(assignedNames(n)) > 0
}

// effectFree tells whether evaluating n can do nothing but give a value or raise: no call
// of a handler or lambda, no effectful builtin, no write, no statement.
func (l *lowerer) effectFree(n syntax.Node) bool {
	free := true
	syntax.Inspect(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Call, *syntax.Method, *syntax.Pipe:
			free = free && pureCallee(l.info.Calls[n.(syntax.Expr)])
		case *syntax.Block, *syntax.Try, *syntax.Lambda, *syntax.If, *syntax.Match, *syntax.Propagate:
			free = false
		}
		return free
	})
	return free
}

func pureCallee(c *resolve.Callee) bool {
	if c == nil {
		return false
	}
	switch c.Kind {
	case resolve.CallVariant:
		return true
	case resolve.CallBuiltin:
		f := c.Builtin
		return f.Class == builtin.Pure && f.Name != "fail" && f.Name != "clamp" || f.Reads
	case resolve.CallSlot:
		return c.Op != "set" && c.Op != "delete" && c.Op != "push" && c.Op != "append"
	}
	return false
}
