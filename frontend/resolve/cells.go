package resolve

import (
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// declare is round 1: it makes the objects of the program and pairs skeletons with flesh.
func (r *resolver) declare() {
	decls := r.flatten()
	places := map[string]source.Span{}
	fleshes := map[string]*syntax.Decl{}
	skeletons := map[string]bool{}
	for _, d := range decls {
		if d.Kind == syntax.Flesh {
			if first := fleshes[d.Name.Name]; first != nil {
				r.report(duplicate(d.Name, "flesh", first.Name.At))
				r.excuse(d)
				continue
			}
			fleshes[d.Name.Name] = d
			continue
		}
		if first, taken := places[d.Name.Name]; taken {
			r.report(duplicate(d.Name, "cell", first))
			r.excuse(d)
			continue
		}
		places[d.Name.Name] = d.Name.At
		switch d.Kind {
		case syntax.TypeCell:
			r.declareType(d)
		case syntax.TestCell:
			if r.inEntry(d) {
				r.prog.Tests = append(r.prog.Tests, &TestCell{Name: d.Name.Name, Decl: d})
			}
		default:
			skeletons[d.Name.Name] = true
			r.prog.Cells = append(r.prog.Cells, newCell(d))
		}
	}
	r.recordNames()
	for _, t := range r.prog.Types {
		r.variantFields(t)
	}
	for _, c := range r.prog.Cells {
		r.cells[c.Name] = c
		r.pair(c, fleshes)
		r.memory(c)
		r.handlersOf(c)
		for _, h := range c.Handlers {
			if h.Decl != nil {
				r.handlers[h.Name] = append(r.handlers[h.Name], h)
			}
		}
		for _, s := range c.Slots {
			r.slots[s.Name] = append(r.slots[s.Name], s)
		}
		for _, d := range c.decls() {
			for _, v := range d.Verify {
				c.Verify = append(c.Verify, v.Props...)
			}
		}
	}
	for _, d := range decls {
		if d.Kind == syntax.Flesh && !skeletons[d.Name.Name] {
			r.report(missingSkeleton(d.Name, r.nearest(d.Name.Name, among(r.cells))))
			r.excuse(d)
		}
	}
}

// excuse notes what a refused declaration would have declared.
func (r *resolver) excuse(d *syntax.Decl) {
	r.excused[d.Name.Name] = true
	for _, h := range d.Handlers {
		r.excused[h.Name.Name] = true
	}
	for _, m := range d.Memory {
		for _, s := range m.Slots {
			r.excused[s.Name.Name] = true
		}
	}
}

// flatten lists the declarations of all files in order, nested cells after the cell that
// holds them.
func (r *resolver) flatten() []*syntax.Decl {
	var out []*syntax.Decl
	var add func(d *syntax.Decl)
	add = func(d *syntax.Decl) {
		out = append(out, d)
		for _, in := range d.Interior {
			for _, c := range in.Cells {
				add(c)
			}
		}
	}
	for _, f := range r.prog.Files {
		for _, d := range f.Decls {
			add(d)
		}
	}
	return out
}

func (r *resolver) inEntry(d *syntax.Decl) bool {
	return len(r.prog.Files) > 0 && d.At.File == r.prog.Files[0].Source
}

// pair gives a skeleton its flesh.
func (r *resolver) pair(c *Cell, fleshes map[string]*syntax.Decl) {
	flesh := fleshes[c.Name]
	if !c.isSkeleton() {
		if flesh != nil {
			r.report(fleshOfPlainCell(flesh.Name, c.Decl.Name.At))
		}
		return
	}
	if flesh == nil {
		r.report(missingFlesh(c.Decl.Name))
		return
	}
	c.Flesh = flesh
}

// memory makes the slots of a cell.
func (r *resolver) memory(c *Cell) {
	for _, m := range c.Decl.Memory {
		for _, s := range m.Slots {
			if first := c.slot(s.Name.Name); first != nil {
				r.report(duplicate(s.Name, "slot", first.Decl.Name.At))
				continue
			}
			slot := r.slot(c, s)
			c.Slots = append(c.Slots, slot)
			c.slots[slot.Name] = slot
		}
		for _, inv := range m.Invariants {
			c.Invariants = append(c.Invariants, &Invariant{Decl: inv, Section: m})
		}
	}
}

// handlersOf makes the handlers of a cell, timers last.
func (r *resolver) handlersOf(c *Cell) {
	for _, d := range c.decls() {
		for _, h := range d.Handlers {
			r.addHandler(c, h)
		}
	}
	for _, d := range c.decls() {
		for _, t := range d.Timers {
			c.Handlers = append(c.Handlers, &Handler{Cell: c, Name: timerName(t), Body: t.Body, Timer: t, Public: true})
		}
	}
}

func (r *resolver) addHandler(c *Cell, d *syntax.Handler) {
	if first := c.handler(d.Name.Name, len(d.Params)); first != nil {
		r.report(duplicate(d.Name, "handler", first.Decl.Name.At))
		return
	}
	if reserved(d.Name.Name) {
		r.report(reservedName(d.Name))
	}
	h := &Handler{Cell: c, Name: d.Name.Name, Body: d.Body, Decl: d, Public: !private(d.Name.Name)}
	for _, a := range d.Attrs {
		if a.Name.Name != "native" {
			r.report(unknownHandlerAttribute(a, r.nearest(a.Name.Name, these([]string{"native"}))))
		}
	}
	inFlesh := c.Flesh != nil && d.At.File == c.Flesh.At.File && within(d.At, c.Flesh.At)
	first := map[string]source.Span{}
	for _, p := range d.Params {
		if at, ok := first[p.Name.Name]; ok {
			r.report(duplicate(p.Name, "parameter", at))
		} else {
			first[p.Name.Name] = p.Name.At
		}
		if s := c.slot(p.Name.Name); s != nil {
			r.report(parameterHidesSlot(p.Name, s.Decl.Name.At))
		}
		param := Param{Name: p.Name.Name, Type: Any, Decl: p}
		switch {
		case p.Type == nil && !inFlesh:
			r.report(untypedParameter(p.Name))
		case p.Type != nil && inFlesh:
			r.report(typedFleshParameter(p))
		case p.Type != nil:
			param.Type = r.typ(p.Type)
		}
		h.Params = append(h.Params, param)
	}
	c.Handlers = append(c.Handlers, h)
	c.handlers[h.Name] = append(c.handlers[h.Name], h)
}

// private tells whether a handler name is out of the environment's reach.
func private(name string) bool { return strings.HasPrefix(name, "_") }

// reserved tells whether a name is kept for the machinery of cells.
func reserved(name string) bool {
	switch name {
	case "transition", "approve", "fail", "get_status", "has_state", "valid_transitions",
		"think", "think_json", "set_budget", "tokens_used":
		return true
	}
	return false
}

func within(inner, outer source.Span) bool {
	return inner.Start >= outer.Start && inner.End <= outer.End
}

func timerName(t *syntax.Timer) string {
	word := "after "
	if t.Every {
		word = "every "
	}
	return word + t.Period.Span().Normal()
}
