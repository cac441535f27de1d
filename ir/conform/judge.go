package conform

import (
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// verdict is what rules and edges say of a step.
type verdict int

const (
	unknown verdict = iota
	yes
	no
)

// judge tells whether the rules allow a write (value nil: a delete; key nil: a push).
func (w *walk) judge(f *frame, p path, l locals, ref ir.SlotRef, key, value *term.Term) verdict {
	if w.slot(ref).Immutable {
		return unknown
	}
	at := term.Int64(int64(p.mem.Size(ref)))
	if key != nil {
		at = w.eval(f, p, l, key)
	}
	if value != nil {
		if value = w.eval(f, p, l, value); !known(value) {
			return unknown
		}
	}
	if !known(at) {
		return unknown
	}
	return w.judgeKnown(p, ref, at, value)
}

// judgeKnown tells whether the rules allow a write or, without a value, a delete.
func (w *walk) judgeKnown(p path, ref ir.SlotRef, key, value *term.Term) verdict {
	out := yes
	c := w.e.sys.Find(ref.Cell)
	for _, r := range c.Rules {
		if !slices.Contains(r.Guards, ref.Slot) || r.Total {
			continue
		}
		if value == nil && len(r.Guards) == 1 && !r.Size && !r.Status {
			continue // rules on one entry say nothing of its absence
		}
		if r.Abstract != "" {
			out = unknown
			continue
		}
		switch w.rule(p, c, r, ref, key, value) {
		case term.True:
		case term.False:
			return no
		default:
			out = unknown
		}
	}
	return out
}

// rule is a rule's condition for one key, with the entry that a step makes.
func (w *walk) rule(p path, c *ir.Cell, r *ir.Rule, ref ir.SlotRef, key, value *term.Term) *term.Term {
	entry := func(name string) *term.Term {
		if name == ref.Slot {
			return value
		}
		return p.mem.Entry(c.Slot(name), ir.SlotRef{Cell: c.Name, Slot: name}, key)
	}
	return w.e.eval(r.Cond, func(v *term.Term) *term.Term {
		if name, ok := strings.CutSuffix(v.Name, "#"); ok {
			return term.Int64(int64(w.sizeAfter(p, ir.SlotRef{Cell: c.Name, Slot: name}, ref, key, value)))
		}
		if name, ok := strings.CutSuffix(v.Name, "?"); ok {
			return term.BoolLit(entry(name) != nil)
		}
		if name, ok := strings.CutSuffix(v.Name, "!"); ok {
			return entry(name)
		}
		switch v.Name {
		case ir.EntryKey(term.String).Name:
			return key
		case ir.EntryStatus().Name:
			return term.StringLit(w.state(p, c.Name, key.Name))
		}
		return nil
	})
}

// sizeAfter is the number of a slot's entries once a value is stored in a slot, or its entry gone.
func (w *walk) sizeAfter(p path, of, changed ir.SlotRef, key, value *term.Term) int {
	n := p.mem.Size(of)
	had := of == changed && p.mem.Entry(w.slot(of), of, key) != nil
	switch {
	case of != changed || had == (value != nil):
		return n
	case had:
		return n - 1
	case value == nil:
		return n
	}
	return n + 1
}

// mayMove tells whether the machine allows a move.
func (w *walk) mayMove(f *frame, p path, l locals, e *ir.Move) verdict {
	id, to := w.eval(f, p, l, e.ID), w.eval(f, p, l, e.To)
	if !known(id) || !known(to) {
		return unknown
	}
	from := w.state(p, e.Cell, id.Name)
	if e.From != nil {
		switch declared := w.eval(f, p, l, e.From); {
		case !known(declared):
			return unknown
		case declared.Name != from:
			return no
		}
	}
	return w.edgeAllowed(f, p, l, e, from, to.Name)
}

// edgeAllowed tells whether an edge is declared and its guard holds. Rules on the state are
// judged at the move, too.
func (w *walk) edgeAllowed(f *frame, p path, l locals, e *ir.Move, from, to string) verdict {
	c := w.e.sys.Find(e.Cell)
	edge := c.Machine.Edge(from, to)
	if edge < 0 {
		return no
	}
	out := yes
	for _, r := range c.Rules {
		if r.Status {
			out = unknown
		}
	}
	for _, g := range e.Guards {
		if g.Edge != edge {
			continue
		}
		switch holds := w.eval(f, p, l, g.Cond); {
		case g.Abstract || holds != term.True && holds != term.False:
			out = unknown
		case holds == term.False:
			return no
		}
	}
	return out
}
