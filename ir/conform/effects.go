package conform

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// effects makes the effects of an edge from the i-th on, then goes on at its end.
func (w *walk) effects(f *frame, e *ir.Edge, i int, p path, l locals, k then) bool {
	if i == len(e.Effects) {
		return w.at(f, e.To, p, l, k)
	}
	next := func(p path, l locals) bool { return w.effects(f, e, i+1, p, l, k) }
	set := func(p path, x, v *term.Term) bool {
		if x != nil {
			l = l.bind(f.index[x.Name], v)
		}
		return next(p, l)
	}
	switch eff := e.Effects[i].(type) {
	case *ir.Bind:
		return set(p, eff.Var, w.eval(f, p, l, eff.Value))
	case *ir.Havoc:
		if eff.Origin == ir.Abstraction {
			p = p.note("a value the lowering does not know: " + eff.Why)
		}
		if undone(e, i) {
			return set(p, eff.Var, term.StringLit(w.steps[p.pos-1].Error))
		}
		return set(p, eff.Var, w.any(eff.Var.Sort))
	case *ir.Scan:
		return w.scan(p, eff, set)
	case *ir.Inspect:
		return set(p, eff.Var, w.inspect(f, p, l, eff))
	case *ir.Read:
		return w.read(f, eff, p, l, next)
	case *ir.Write:
		return w.write(f, eff, p, l, next)
	case *ir.Push:
		return w.push(f, eff, p, l, next)
	case *ir.Delete:
		return w.delete(f, eff, p, l, next)
	case *ir.Move:
		return w.move(f, eff, p, l, next)
	case *ir.Call:
		if eff.Optional && next(p, l) {
			return true
		}
		if w.next(p, Enter) != nil && w.steps[w.ends[p.pos]].Raised {
			return w.stuck(p, "a call that returns")
		}
		return w.call(f, eff, p, l, func(p path, o outcome) bool { return !o.raised && set(p, eff.Result, o.value) })
	case *ir.Act:
		if eff.InGuard && w.next(p, Act) == nil {
			// The guard of an edge that this run does not take.
			return eff.Result == nil && next(p, l) || eff.Result != nil && set(p, eff.Result, w.any(eff.Result.Sort))
		}
		return w.act(f, eff, p, l, func(p path, o outcome) bool { return !o.raised && set(p, eff.Result, o.value) })
	case *ir.Unknown:
		return w.unknown(p, func(p path) bool { return next(p, l) })
	case *ir.Begin:
		if w.next(p, Begin) == nil {
			return w.stuck(p, "the start of a try")
		}
		p.pos++
		l.saved = append(slices.Clip(l.saved), p.mem)
		return next(p, l)
	case *ir.Commit, *ir.Rollback:
		_, undo := eff.(*ir.Rollback)
		s := w.next(p, End)
		if s == nil || s.Raised != undo {
			return w.stuck(p, "the end of a try")
		}
		p.pos++
		last := len(l.saved) - 1
		if undo {
			p.mem = l.saved[last]
		}
		l.saved = l.saved[:last]
		return next(p, l)
	case *ir.Raise:
		return w.raise(eff, p) && next(p, l)
	case *ir.Return:
		l.result = w.eval(f, p, l, eff.Value)
		return next(p, l)
	}
	return next(p, l) // an announced event, whose listeners are calls of their own
}

// undone tells whether an effect follows a rollback: then it takes the kind of the error.
func undone(e *ir.Edge, i int) bool {
	if i == 0 {
		return false
	}
	_, ok := e.Effects[i-1].(*ir.Rollback)
	return ok
}

// raise looks ahead to where the error is caught, or ends the body.
func (w *walk) raise(r *ir.Raise, p path) bool {
	for _, kind := range []Kind{Leave, End} {
		if s := w.next(p, kind); s != nil && s.Raised {
			if r.Kind == "" || r.Kind == s.Error {
				return true
			}
			return w.stuck(p, "an error of kind %s, not %s", r.Kind, s.Error)
		}
	}
	return w.stuck(p, "an error of kind %s", r.Kind)
}

func (w *walk) scan(p path, e *ir.Scan, set func(path, *term.Term, *term.Term) bool) bool {
	if e.What == "sum" {
		return set(p, e.Var, p.mem.sum(e.Slot))
	}
	if e.Var.Sort.Kind == term.KindInt {
		return set(p, e.Var, term.Int64(int64(p.mem.Size(e.Slot))))
	}
	return set(p.note("what a whole slot holds"), e.Var, w.any(e.Var.Sort))
}

func (w *walk) inspect(f *frame, p path, l locals, e *ir.Inspect) *term.Term {
	id := w.eval(f, p, l, e.ID)
	if !known(id) {
		return w.any(e.Var.Sort)
	}
	state, moved := p.mem.State(e.Cell, id.Name)
	switch e.What {
	case "get_status":
		if !moved {
			state = w.e.sys.Find(e.Cell).Machine.Initial
		}
		return term.StringLit(state)
	case "has_state":
		return term.BoolLit(moved)
	}
	return w.any(e.Var.Sort)
}

// slot is a slot of the system.
func (w *walk) slot(r ir.SlotRef) *ir.Slot { return w.e.sys.Find(r.Cell).Slot(r.Slot) }

func (w *walk) read(f *frame, e *ir.Read, p path, l locals, next func(path, locals) bool) bool {
	slot, key := w.slot(e.Slot), w.eval(f, p, l, e.Key)
	has, val := w.any(term.Bool), w.any(slot.Value)
	if known(key) {
		v := p.mem.Entry(slot, e.Slot, key)
		has = term.BoolLit(v != nil)
		if v != nil {
			val = v
		}
	} else {
		p = p.note("a key that is not known")
	}
	if e.Has != nil {
		l = l.bind(f.index[e.Has.Name], has)
	}
	if e.Val != nil {
		l = l.bind(f.index[e.Val.Name], val)
	}
	return next(p, l)
}

// stored matches what a step stores with the term that the body stores.
func (w *walk) stored(p path, t *term.Term, v Value) (path, *term.Term, bool) {
	value := w.e.values.Term(v, t.Sort)
	if value == nil {
		return p, nil, w.stuck(p, "a stored value of sort %s", t.Sort)
	}
	if !known(t) {
		p = p.note("a stored value that is not known")
	}
	p, ok := w.equate(p, t, value)
	if !ok {
		return p, nil, w.stuck(p, "the value %s, not %s", t, value)
	}
	return p, value, true
}

func (w *walk) write(f *frame, e *ir.Write, p path, l locals, next func(path, locals) bool) bool {
	s := w.next(p, Write)
	if s == nil || s.Cell != e.Slot.Cell || s.Name != e.Slot.Slot {
		return w.stuck(p, "a write of %s", e.Slot.Slot)
	}
	slot := w.slot(e.Slot)
	key := w.e.values.Term(s.Key, slot.Key())
	p, ok := w.equate(p, w.eval(f, p, l, e.Key), key)
	if !ok {
		return w.stuck(p, "a write of %s under %s, not %s", e.Slot.Slot, w.eval(f, p, l, e.Key), key)
	}
	p, value, ok := w.stored(p, w.eval(f, p, l, e.Value), s.Value)
	if !ok {
		return false
	}
	p, ok = w.allowed(p, w.judgeKnown(p, e.Slot, key, value))
	if !ok {
		return w.stuck(p, "the rules refuse this write")
	}
	p.pos++
	p.mem = p.mem.write(slot, e.Slot, key, value)
	return next(p, l)
}

// allowed notes where a rule could not be judged; ok is false where it refuses the step.
func (w *walk) allowed(p path, v verdict) (path, bool) {
	if v == unknown {
		p = p.note("a rule that is not judged")
	}
	return p, v != no
}

func (w *walk) push(f *frame, e *ir.Push, p path, l locals, next func(path, locals) bool) bool {
	s := w.next(p, Push)
	if s == nil || s.Cell != e.Slot.Cell || s.Name != e.Slot.Slot {
		return w.stuck(p, "a push to %s", e.Slot.Slot)
	}
	p, value, ok := w.stored(p, w.eval(f, p, l, e.Value), s.Value)
	if !ok {
		return false
	}
	p, ok = w.allowed(p, w.judgeKnown(p, e.Slot, term.Int64(int64(p.mem.Size(e.Slot))), value))
	if !ok {
		return w.stuck(p, "the rules refuse this push")
	}
	p.pos++
	p.mem = p.mem.push(e.Slot, value)
	return next(p, l)
}

// delete removes an entry; where none was, the run makes no step.
func (w *walk) delete(f *frame, e *ir.Delete, p path, l locals, next func(path, locals) bool) bool {
	slot, key := w.slot(e.Slot), w.eval(f, p, l, e.Key)
	had := func(l locals, was bool) locals {
		if e.Had == nil {
			return l
		}
		return l.bind(f.index[e.Had.Name], term.BoolLit(was))
	}
	if s := w.next(p, Delete); s != nil && s.Cell == e.Slot.Cell && s.Name == e.Slot.Slot {
		at := w.e.values.Term(s.Key, slot.Key())
		if on, ok := w.equate(p, key, at); ok {
			if on, ok = w.allowed(on, w.judgeKnown(on, e.Slot, at, nil)); ok {
				on.pos++
				on.mem = on.mem.delete(slot, e.Slot, at)
				if next(on, had(l, true)) {
					return true
				}
			}
		}
	}
	if known(key) && p.mem.Entry(slot, e.Slot, key) != nil {
		return w.stuck(p, "a delete of %s under %s", e.Slot.Slot, key)
	}
	return next(p, had(l, false))
}

func (w *walk) move(f *frame, e *ir.Move, p path, l locals, next func(path, locals) bool) bool {
	s := w.next(p, Move)
	if s == nil || s.Cell != e.Cell {
		return w.stuck(p, "a move in %s", e.Cell)
	}
	ok := true
	for _, part := range []struct {
		t    *term.Term
		text string
	}{{e.ID, s.ID}, {e.From, s.From}, {e.To, s.To}} {
		if part.t == nil {
			continue
		}
		t := w.eval(f, p, l, part.t)
		if !known(t) {
			p = p.note("a move that is not known")
		}
		if p, ok = w.equate(p, t, term.StringLit(part.text)); !ok {
			return w.stuck(p, "a move with %s, not %q", t, part.text)
		}
	}
	if from := w.state(p, e.Cell, s.ID); from != s.From {
		return w.stuck(p, "a move from %s, not %s", from, s.From)
	}
	if p, ok = w.allowed(p, w.edgeAllowed(f, p, l, e, s.From, s.To)); !ok {
		return w.stuck(p, "the machine refuses %s -> %s", s.From, s.To)
	}
	p.pos++
	p.mem = p.mem.move(e.Cell, s.ID, s.To)
	return next(p, l)
}

func (w *walk) state(p path, cell, id string) string {
	if s, ok := p.mem.State(cell, id); ok {
		return s
	}
	return w.e.sys.Find(cell).Machine.Initial
}

// call runs a handler inside this one.
func (w *walk) call(f *frame, e *ir.Call, p path, l locals, k then) bool {
	s := w.next(p, Enter)
	callee := w.e.sys.Handler(e.Handler)
	if s == nil || callee == nil || s.Cell != callee.Cell || s.Name != callee.Name || len(s.Args) != len(e.Args) {
		return w.stuck(p, "a call of %s", e.Handler)
	}
	for i, a := range e.Args {
		t := w.eval(f, p, l, a)
		v := w.e.values.Term(s.Args[i], t.Sort)
		if v == nil {
			continue // the callee's parameter converted it
		}
		if !known(t) {
			p = p.note("an argument that is not known")
		}
		ok := true
		if p, ok = w.equate(p, t, v); !ok {
			return w.stuck(p, "the argument %s, not %s", t, v)
		}
	}
	return w.run(callee, p, func(p path, o outcome) bool {
		if !o.raised && e.Result != nil && !o.value.Sort.Same(e.Result.Sort) {
			o.value = w.e.values.Term(w.steps[p.pos-1].Value, e.Result.Sort)
			if o.value == nil {
				return w.stuck(p, "a result of sort %s", e.Result.Sort)
			}
		}
		return k(p, o)
	})
}

// act makes what the outside sees, with what a model's tools do meanwhile.
func (w *walk) act(f *frame, e *ir.Act, p path, l locals, k then) bool {
	s := w.next(p, Act)
	if s == nil || s.Name != e.Builtin || len(s.Args) != len(e.Args) {
		return w.stuck(p, "%s", e.Builtin)
	}
	for i, a := range e.Args {
		t := w.eval(f, p, l, a)
		v := w.e.values.Term(s.Args[i], t.Sort)
		ok := v != nil
		if ok {
			p, ok = w.equate(p, t, v)
		}
		if !ok {
			return w.stuck(p, "%s of %s", e.Builtin, t)
		}
	}
	p.pos++
	return w.during(e, p, k)
}

// during goes on inside an act: tools may run, in any number, each a transaction.
func (w *walk) during(e *ir.Act, p path, k then) bool {
	if e.Class == "call" && w.next(p, Enter) != nil {
		// A delegate with a computed name: what it runs is an Unknown of its own.
		return w.skipped(p, k)
	}
	if s := w.next(p, Acted); s != nil {
		p.pos++
		if s.Raised {
			return k(p, outcome{raised: true})
		}
		o := outcome{}
		if e.Result != nil {
			if o.value = w.e.values.Term(s.Value, e.Result.Sort); o.value == nil {
				return w.stuck(p, "a result of %s of sort %s", e.Builtin, e.Result.Sort)
			}
		}
		return k(p, o)
	}
	s := w.next(p, Enter)
	if s == nil {
		return w.stuck(p, "the end of %s", e.Builtin)
	}
	for _, t := range e.Tools {
		if t.Cell != s.Cell || t.Handler != s.Name || t.Arity != len(s.Args) {
			continue
		}
		before := p.mem
		return w.run(w.e.sys.Handler(t), p, func(p path, o outcome) bool {
			if o.raised {
				p.mem = before
			}
			return w.during(e, p, k)
		})
	}
	return w.stuck(p, "a tool of %s", e.Builtin)
}
