package resolve

import (
	"strings"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/syntax"
)

// What nothing uses: only what misleads is said. A local whose value does something, or is
// tested by being computed, may be unread; one that starts with _ says that it is.

// unreadLocal is a local that its body does not read. A guard may.
type unreadLocal struct {
	name    string
	finding diag.Diagnostic
}

// leave judges a local at the end of its life.
func (w *walker) leave(l *local) {
	if l.read || l.let == nil || strings.HasPrefix(l.let.Name.Name, "_") {
		return
	}
	switch {
	case l.outer != nil:
		w.unread = append(w.unread, &unreadLocal{l.let.Name.Name, letHidesLocal(l.let.Name, l.outer.at)})
	case w.effectless(l.let.Value):
		w.unread = append(w.unread, &unreadLocal{l.let.Name.Name, unusedLet(l.let.Name)})
	}
}

// effectless tells whether computing a resolved expression surely does nothing but give its
// value: it changes nothing, asks nobody and raises nothing by design.
func (w *walker) effectless(x syntax.Expr) bool {
	idle := true
	syntax.Inspect(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lambda:
			return false
		case *syntax.Call, *syntax.Method:
			idle = idle && w.harmless(n.(syntax.Expr))
		case *syntax.Pipe:
			if idle = idle && w.harmless(n); idle && n.Call != nil {
				idle = w.effectless(n.X)
				for _, a := range n.Call.Args {
					idle = idle && w.effectless(a)
				}
			}
			return false
		case *syntax.Propagate, *syntax.Match, *syntax.BadExpr:
			idle = false
		case *syntax.Let, *syntax.ExprStmt:
		case syntax.Stmt:
			idle = false
		}
		return idle
	})
	return idle
}

// harmless tells whether a call does nothing but give its result.
func (w *walker) harmless(x syntax.Expr) bool {
	c := w.r.info.Calls[x]
	switch {
	case c == nil:
		return false
	case c.Kind == CallBuiltin:
		return (c.Builtin.Class == builtin.Pure || c.Builtin.Reads) && len(c.Builtin.Raises) == 0 &&
			!(c.Builtin.CallsBack() && w.hasLambda(x))
	case c.Kind == CallSlot:
		return !writesSlot(c.Op)
	}
	return c.Kind == CallVariant || c.Kind == CallValue
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

// unusedLets warns of the locals that neither their body nor any guard reads: a guard reads
// the locals of whoever moves.
func (r *resolver) unusedLets() {
	guards := map[string]bool{}
	for x := range r.callerNames {
		guards[x.Name] = true
	}
	for _, l := range r.unread {
		if !guards[l.name] {
			r.report(l.finding)
		}
	}
}

// unusedPrivates warns of private handlers whose names stand nowhere but in their own bodies.
// Text decides, not meaning: tests of used files are not resolved, and may call them.
func (r *resolver) unusedPrivates() {
	if r.computedDelegate() {
		return
	}
	mentioned := map[string]bool{}
	for _, d := range r.flatten() {
		for _, h := range d.Handlers {
			mention(mentioned, h.Body, h.Name.Name)
		}
		rest := *d
		rest.Handlers = nil
		inspectDecl(&rest, func(n syntax.Node) bool {
			note(mentioned, n, "")
			return true
		})
		for _, f := range d.Faces {
			for _, s := range f.Signals {
				for _, clause := range s.Clauses {
					for _, item := range clause.Items {
						mentioned[item.Name.Name] = true
					}
				}
			}
		}
	}
	for _, c := range r.prog.Cells {
		for _, h := range c.Handlers {
			if h.Decl != nil && !h.Public && h.Signal == nil && !mentioned[h.Name] {
				r.report(unusedPrivate(h))
			}
		}
	}
}

// computedDelegate tells whether some delegate may call any handler.
func (r *resolver) computedDelegate() bool {
	for _, c := range r.info.Calls {
		if c.Kind == CallBuiltin && c.Builtin.Name == "delegate" {
			return true
		}
	}
	return false
}

// mention notes the names that a body mentions, but for one.
func mention(names map[string]bool, body *syntax.Block, but string) {
	syntax.Inspect(body, func(n syntax.Node) bool {
		note(names, n, but)
		return true
	})
}

func note(names map[string]bool, n syntax.Node, but string) {
	add := func(name string) {
		if name != but {
			names[name] = true
		}
	}
	switch n := n.(type) {
	case *syntax.Name:
		add(n.Name)
	case *syntax.Method:
		add(n.Name.Name)
	case *syntax.Field:
		add(n.Name.Name)
	case *syntax.Emit:
		add(n.Event.Name)
	case *syntax.Mock:
		add(n.Name.Name)
	case *syntax.String:
		if text, ok := n.Literal(); ok {
			add(text)
		}
	}
}
