package resolve

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/syntax"
)

// test resolves a test cell: its helpers, then its rules in one scope, since state and
// names carry from rule to rule.
func (r *resolver) test(t *TestCell) {
	t.Helpers = newCell(t.Decl)
	for _, d := range t.Decl.Handlers {
		if others := r.handlers[d.Name.Name]; len(others) > 0 {
			r.report(helperHidesHandler(d.Name, others[0]))
		}
		r.addHandler(t.Helpers, d)
	}
	for _, h := range t.Helpers.Handlers {
		r.walk(h, inTest)
	}
	w := &walker{r: r, cell: t.Helpers, mode: inTest, assigned: map[string]bool{}}
	w.push()
	for _, rules := range t.Decl.Rules {
		for _, s := range rules.Items {
			for name := range assignedNames(s) {
				w.assigned[name] = true
			}
		}
	}
	for _, rules := range t.Decl.Rules {
		for i, s := range rules.Items {
			w.stmt(s, i == len(rules.Items)-1)
		}
	}
}

func (w *walker) testStmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Mock:
		w.mock(s)
	case *syntax.Assert:
		w.expr(s.Cond)
	case *syntax.AssertFails:
		w.expr(s.X)
		if s.Matching != nil {
			w.expr(s.Matching)
		}
	case *syntax.Property:
		w.property(s)
	}
}

// mock finds what a mock replaces: a builtin, or a handler by the rules of calls.
func (w *walker) mock(s *syntax.Mock) {
	if s.Reply != nil {
		w.expr(s.Reply)
	}
	name := s.Name.Name
	if s.Cell != nil {
		c := w.r.cells[s.Cell.Name]
		switch {
		case c == nil:
			w.unknownCell(*s.Cell)
		case len(c.named(name)) == 0 && w.r.excused[name]:
		case len(c.named(name)) == 0:
			w.r.report(unknownMock(s.Name, w.r.nearest(name, c.handlerNames)))
		default:
			w.r.info.Mocks[s] = &Callee{Kind: CallHandler, Handler: c.named(name)[0]}
		}
		return
	}
	if b := builtin.Lookup(name); b != nil {
		w.r.info.Mocks[s] = &Callee{Kind: CallBuiltin, Builtin: b}
		return
	}
	switch list := w.r.handlers[name]; {
	case len(list) == 0 && w.r.excused[name]:
	case len(list) == 0:
		w.r.report(unknownMock(s.Name, w.r.nearest(name, w.r.calleeNames)))
	case !oneCell(list):
		w.r.report(ambiguousCall(s.Name, list))
	default:
		w.r.info.Mocks[s] = &Callee{Kind: CallHandler, Handler: list[0]}
	}
}

func (w *walker) property(s *syntax.Property) {
	for _, x := range []syntax.Expr{s.Lo, s.Hi, s.Count} {
		if x != nil {
			w.expr(x)
		}
	}
	w.push()
	w.bind(s.Var, mayHold(w.r.typ(s.Type)))
	w.expr(s.Cond)
	w.pop()
}
