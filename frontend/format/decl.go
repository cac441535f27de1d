package format

import (
	"soma.cell/frontend/syntax"
)

func (p *printer) file(f *syntax.File) {
	for _, u := range f.Uses {
		p.write("use ")
		for i, part := range u.Path {
			if i > 0 {
				p.write("::")
			}
			p.write(part.Name)
		}
		p.newline()
	}
	for i, d := range f.Decls {
		if i > 0 || len(f.Uses) > 0 {
			p.newline()
		}
		p.decl(d)
		p.newline()
	}
}

// head introduces a declaration.
func head(k syntax.DeclKind) string {
	switch k {
	case syntax.AgentCell:
		return "cell agent "
	case syntax.TypeCell:
		return "cell type "
	case syntax.TestCell:
		return "cell test "
	case syntax.Skeleton:
		return "skeleton "
	case syntax.AgentSkeleton:
		return "skeleton agent "
	case syntax.Flesh:
		return "flesh "
	}
	return "cell "
}

func (p *printer) decl(d *syntax.Decl) {
	p.write(head(d.Kind), d.Name.Name, " ")
	sections := p.sections(d)
	p.lines(len(sections), func(i int) {
		if i > 0 {
			p.newline()
		}
		sections[i]()
	})
}

// sections lists what writes each section, the picture before the bodies.
func (p *printer) sections(d *syntax.Decl) (out []func()) {
	add := func(f func()) { out = append(out, f) }
	for _, m := range d.Memory {
		add(func() { p.memory(m) })
	}
	for _, m := range d.Machines {
		add(func() { p.machine(m) })
	}
	for _, f := range d.Faces {
		add(func() { p.face(f) })
	}
	for _, v := range d.Verify {
		add(func() { p.verify(v) })
	}
	for _, c := range d.Costs {
		add(func() { p.settings(c) })
	}
	for _, h := range d.Handlers {
		add(func() { p.handler(h) })
	}
	for _, t := range d.Timers {
		add(func() { p.timer(t) })
	}
	if len(d.Variants) > 0 {
		add(func() { p.variants(d.Variants) })
	}
	for _, r := range d.Rules {
		add(func() { p.rules(r) })
	}
	for _, in := range d.Interior {
		add(func() { p.interior(in) })
	}
	return out
}

// --- memory ---

func (p *printer) memory(m *syntax.Memory) {
	p.write("memory ")
	p.lines(len(m.Slots)+len(m.Invariants), func(i int) {
		if i < len(m.Slots) {
			p.slot(m.Slots[i])
			return
		}
		p.write("invariant ")
		p.expr(m.Invariants[i-len(m.Slots)].Cond, anywhere)
	})
}

func (p *printer) slot(s *syntax.Slot) {
	p.write(s.Name.Name, ": ")
	p.typ(s.Type)
	p.attrs(s.Attrs)
}

func (p *printer) attrs(list []*syntax.Attr) {
	if len(list) == 0 {
		return
	}
	p.list(" [", len(list), func(i int) {
		p.write(list[i].Name.Name)
		if args := list[i].Args; len(args) > 0 {
			p.args(args)
		}
	}, "]")
}

func (p *printer) typ(t *syntax.Type) {
	p.write(t.Name.Name)
	if len(t.Args) > 0 {
		p.list("<", len(t.Args), func(i int) { p.typ(t.Args[i]) }, ">")
	}
}

// --- machines ---

func (p *printer) machine(m *syntax.Machine) {
	p.write("state ", m.Name.Name)
	if m.Type != nil {
		p.write(": ")
		p.typ(m.Type)
	}
	p.write(" ")
	p.lines(len(m.Initial)+len(m.Edges), func(i int) {
		if i < len(m.Initial) {
			p.write("initial: ", m.Initial[i].Name)
			return
		}
		p.edge(m.Edges[i-len(m.Initial)])
	})
}

func (p *printer) edge(e *syntax.EdgeRow) {
	if e.From == nil {
		p.write("*")
	} else {
		p.write(e.From.Name)
	}
	p.write(" -> ", e.To.Name)
	if len(e.Except) > 0 {
		p.write(" except ")
		p.states(e.Except)
	}
	if e.Guard != nil {
		p.write(" { guard { ")
		p.expr(e.Guard, anywhere)
		p.write(" } }")
	}
}

func (p *printer) states(list []syntax.Ident) {
	p.list("[", len(list), func(i int) { p.write(list[i].Name) }, "]")
}

// --- faces ---

func (p *printer) face(f *syntax.Face) {
	p.write("face ")
	signals, promises := len(f.Signals), len(f.Promises)
	p.lines(signals+promises+len(f.Givens), func(i int) {
		switch {
		case i < signals:
			p.signal(f.Signals[i])
		case i < signals+promises:
			p.promise(f.Promises[i-signals])
		default:
			p.given(f.Givens[i-signals-promises])
		}
	})
}

func (p *printer) signal(s *syntax.Signal) {
	word := "signal "
	if s.Tool {
		word = "tool "
	}
	p.write(word, s.Name.Name)
	p.params(s.Params)
	if s.Result != nil {
		p.write(" -> ")
		p.typ(s.Result)
	}
	if s.Description != "" {
		p.write(" ")
		p.text(s.Description)
	}
	p.indent++
	for _, c := range s.Clauses {
		p.newline()
		p.clause(c)
	}
	p.indent--
}

func (p *printer) params(list []*syntax.Param) {
	p.list("(", len(list), func(i int) {
		p.write(list[i].Name.Name)
		if t := list[i].Type; t != nil {
			p.write(": ")
			p.typ(t)
		}
	}, ")")
}

func (p *printer) clause(c *syntax.Clause) {
	switch c.Kind {
	case syntax.Reads:
		p.write("reads ")
	case syntax.Writes:
		p.write("writes ")
	case syntax.Moves:
		p.write("moves ")
	case syntax.Calls:
		p.write("calls ")
	}
	p.list("", len(c.Items), func(i int) {
		item := c.Items[i]
		if item.Cell != nil {
			p.write(item.Cell.Name, ".")
		}
		p.write(item.Name.Name)
		if item.To != nil {
			p.write(" -> ", item.To.Name)
		}
	}, "")
}

func (p *printer) promise(x *syntax.Promise) {
	p.write("promise ")
	if x.Free {
		p.text(x.Text)
		return
	}
	p.write(x.Text)
}

func (p *printer) given(g *syntax.Given) {
	p.write("given ", g.Name.Name, ": ")
	p.typ(g.Type)
	if g.Cond != nil {
		p.write(" where ")
		p.expr(g.Cond, anywhere)
	}
}

// --- properties, settings ---

func (p *printer) verify(v *syntax.Verify) {
	p.write("verify ")
	p.lines(len(v.Props), func(i int) { p.prop(v.Props[i]) })
}

func (p *printer) prop(x *syntax.Prop) {
	subject := ""
	if x.Subject != nil {
		subject = x.Subject.Name
	}
	switch x.Kind {
	case syntax.PropEventually:
		p.write("eventually ")
	case syntax.PropNever:
		p.write("never ")
	case syntax.PropAlways:
		p.write("always ")
	case syntax.PropAfterEventually:
		p.write("after ", subject, " eventually ")
	case syntax.PropAfterNever:
		p.write("after ", subject, " never ")
	case syntax.PropBeforeRequires:
		p.write("before ", subject, " requires ")
	case syntax.PropBeforeRequiresAll:
		p.write("before ", subject, " requires_all ")
	case syntax.PropCTL:
		p.write("property ")
		p.text(x.Name)
		p.write(" = ")
		p.text(x.CTL)
		return
	case syntax.PropFair:
		p.fair(x)
		return
	}
	p.states(x.States)
}

func (p *printer) fair(x *syntax.Prop) {
	p.write("fair ")
	if x.Strong {
		p.write("strong ")
	} else {
		p.write("weak ")
	}
	if x.Handler != nil {
		p.write(x.Handler.Name)
		return
	}
	p.write(x.Edge[0].Name, " -> ", x.Edge[1].Name)
}

func (p *printer) settings(s *syntax.Settings) {
	p.write(s.Name, " ")
	p.lines(len(s.Pairs), func(i int) {
		p.write(s.Pairs[i].Name.Name, ": ")
		p.expr(s.Pairs[i].Value, anywhere)
	})
}

// --- bodies ---

func (p *printer) handler(h *syntax.Handler) {
	p.write("on ", h.Name.Name)
	p.params(h.Params)
	p.attrs(h.Attrs)
	p.write(" ")
	p.block(h.Body)
}

func (p *printer) timer(t *syntax.Timer) {
	if t.Every {
		p.write("every ")
	} else {
		p.write("after ")
	}
	p.expr(t.Period, anywhere)
	p.write(" ")
	p.block(t.Body)
}

func (p *printer) variants(list []*syntax.Variant) {
	p.write("variants ")
	p.lines(len(list), func(i int) {
		v := list[i]
		p.write(v.Name.Name)
		switch {
		case v.Struct && len(v.Fields) == 0:
			p.write(" {}")
		case v.Struct:
			p.list(" { ", len(v.Fields), func(i int) {
				p.write(v.Fields[i].Name.Name, ": ")
				p.typ(v.Fields[i].Type)
			}, " }")
		case len(v.Fields) > 0:
			p.list("(", len(v.Fields), func(i int) { p.typ(v.Fields[i].Type) }, ")")
		}
	})
}

func (p *printer) rules(r *syntax.Rules) {
	p.write("rules ")
	p.lines(len(r.Items), func(i int) { p.stmt(r.Items[i]) })
}

func (p *printer) interior(in *syntax.Interior) {
	p.write("interior ")
	p.lines(len(in.Cells), func(i int) {
		if i > 0 {
			p.newline()
		}
		p.decl(in.Cells[i])
	})
}
