package lower

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

func slotRef(s *resolve.Slot) ir.SlotRef { return ir.SlotRef{Cell: s.Cell.Name, Slot: s.Name} }

// keyTerm is the key under which a value is stored: map slots have text keys, where 1 and
// "1" are one key; list slots have Int keys.
func (b *builder) keyTerm(s *resolve.Slot, v value, span source.Span) *term.Term {
	if s.IsList {
		return b.listIndex(b.convert(v, term.Int, span), span)
	}
	if s.Key != nil && s.Key.Kind == resolve.IntType && v.sort().Kind == term.KindString {
		b.mayRaise("type", span) // text that is no Int
	}
	return b.idTerm(v, span)
}

// listIndex is where an index leads: a negative one counts from the end, and how long the
// list is nobody knows.
func (b *builder) listIndex(k *term.Term, span source.Span) *term.Term {
	if b.rule != nil || k.Op == term.OpInt && k.Int.Sign() >= 0 {
		return k
	}
	i := b.havoc(term.Int, ir.Environment, indexOfList, span, k)
	from := term.Le(term.Int64(0), k)
	b.when(b.flush(span), term.And(term.Le(term.Int64(0), i), term.Implies(from, term.Eq(i, k))), span)
	return i
}

// idTerm is a key or an instance id as text. What is neither text nor an Int is refused at run
// time.
func (b *builder) idTerm(v value, span source.Span) *term.Term {
	if v.isUnit() {
		b.mayRaise("type", span)
		return b.havoc(term.String, ir.Abstraction, unitKey, span)
	}
	v = b.definite(v, span)
	if k := v.sort().Kind; k != term.KindString && k != term.KindInt {
		b.mayRaise("type", span)
	}
	return renderTerm(v.t)
}

// slotCall lowers slot.op(args).
func (b *builder) slotCall(c *resolve.Callee, args []syntax.Expr, span source.Span) value {
	s := c.Slot
	switch c.Op {
	case "get":
		return b.readSlot(s, b.first(args), false, span)
	case "has":
		v := b.first(args)
		has := b.temp(term.Bool, span)
		b.emit(&ir.Read{At: b.at(span), Slot: slotRef(s), Key: b.keyTerm(s, v, span), Has: has})
		return of(has)
	case "set":
		return b.setSlot(s, args, span)
	case "delete":
		key := b.keyTerm(s, b.first(args), span)
		had := b.temp(term.Bool, span)
		b.mayBeRefused(b.refusal(s), span)
		b.emit(&ir.Delete{At: b.at(span), Slot: slotRef(s), Key: key, Had: had})
		return of(had)
	case "push", "append":
		for _, a := range args {
			v := b.stored(b.expr(a), s.Value, a.Span())
			b.mayBeRefused(b.refusal(s), span)
			b.emit(&ir.Push{At: b.at(span), Slot: slotRef(s), Value: v, ValueSpan: a.Span()})
		}
		return unit()
	}
	for _, a := range args {
		b.expr(a)
	}
	return b.scan(s, c.Op, span)
}

func (b *builder) first(args []syntax.Expr) value {
	if len(args) == 0 {
		return unit()
	}
	return b.values(args)[0]
}

// readSlot lowers slot.get(k) and slot[k]: the entry, or unit where it is absent. Indexing a
// list out of range raises.
func (b *builder) readSlot(s *resolve.Slot, key value, strict bool, span source.Span) value {
	return b.entry(s, b.keyTerm(s, key, span), strict, span)
}

// entry reads the entry at a key.
func (b *builder) entry(s *resolve.Slot, k *term.Term, strict bool, span source.Span) value {
	has := b.temp(term.Bool, span)
	val := b.temp(sortOf(s.Value), span)
	if strict {
		b.mayRaise("index", span)
	}
	b.emit(&ir.Read{At: b.at(span), Slot: slotRef(s), Key: k, Has: has, Val: val})
	if val.Sort.Kind == term.KindUnit {
		return unit()
	}
	if val.Sort.Kind == term.KindOpaque {
		if strict {
			return value{t: val, typ: s.Value}
		}
		return of(term.Ite(has, val, unitBox))
	}
	return value{t: val, has: has, typ: s.Value}
}

// setSlot lowers slot.set(k, v).
func (b *builder) setSlot(s *resolve.Slot, args []syntax.Expr, span source.Span) value {
	if len(args) != 2 {
		return b.unknownValue(span, "set")
	}
	vs := b.values(args)
	key := b.keyTerm(s, vs[0], span)
	b.write(s, key, vs[1], args[1].Span(), span)
	return unit()
}

// refusal is the kind of the error with which a write or delete of a slot is refused, if there is
// one for all cases.
func (l *lowerer) refusal(s *resolve.Slot) string {
	if l.odd[s] {
		return ""
	}
	return "invariant"
}

func (b *builder) write(s *resolve.Slot, key *term.Term, v value, valueSpan, span source.Span) {
	stored := b.stored(v, s.Value, valueSpan)
	if s.IsList {
		b.mayRaise("index", span)
	}
	b.knowParts(s, stored, span)
	b.mayBeRefused(b.refusal(s), span)
	b.emit(&ir.Write{At: b.at(span), Slot: slotRef(s), Key: key, Value: stored, ValueSpan: valueSpan})
}

// stored is a value as a slot of a type keeps it. Ints inside become Floats where the type says
// so: such a value is another one, of which nothing is known but what it comes from.
func (b *builder) stored(v value, t *resolve.Type, span source.Span) *term.Term {
	out := b.convert(v, sortOf(t), span)
	if !floatsInside(t) || v.typ != nil && v.typ.String() == t.String() {
		return out
	}
	return term.App("stored:"+t.String(), term.Opaque, out)
}

// floatsInside tells whether values of a type are containers of Floats.
func floatsInside(t *resolve.Type) bool {
	return t.Elem != nil && (t.Elem.Kind == resolve.FloatType || floatsInside(t.Elem))
}

// scan reads a whole slot.
func (b *builder) scan(s *resolve.Slot, what string, span source.Span) value {
	if b.rule != nil {
		if v, ok := b.rule.whole(s, what); ok {
			return v
		}
	}
	sort := term.Opaque
	if what == "len" || what == "size" || what == "sum" {
		sort = term.Int
	}
	v := b.temp(sort, span)
	b.emit(&ir.Scan{At: b.at(span), Slot: slotRef(s), What: what, Var: v})
	if (what == "len" || what == "size") && b.rule == nil {
		b.when(b.flush(span), term.Le(term.Int64(0), v), span)
	}
	out := of(v)
	switch what {
	case "keys", "values":
		out.typ = &resolve.Type{Kind: resolve.ListType}
		if what == "values" {
			out.typ.Elem = s.Value
		}
	case "itself":
		if s.IsList {
			out.typ = &resolve.Type{Kind: resolve.ListType, Elem: s.Value}
		}
	}
	return out
}

// slotPlace finds the slot behind an assignment target: slot[k], or a place inside it.
func (b *builder) slotPlace(target syntax.Expr) (s *resolve.Slot, entry *syntax.Index, inner bool) {
	for {
		target = syntax.Unparen(target)
		if use := b.info.Slots[target]; use != nil {
			if x, ok := target.(*syntax.Index); ok {
				return use.Slot, x, inner
			}
			return nil, nil, false
		}
		switch t := target.(type) {
		case *syntax.Index:
			target = t.X
		case *syntax.Field:
			target = t.X
		default:
			return nil, nil, false
		}
		inner = true
	}
}

// assignSlot lowers slot[k] = v, slot[k] += v, and slot[k].f = v, which replaces the entry by
// one that differs inside.
func (b *builder) assignSlot(s *syntax.Assign, slot *resolve.Slot, entry *syntax.Index, inner bool, target syntax.Expr) {
	key := b.store("", of(b.keyTerm(slot, b.keep(b.expr(entry.I), s.Value), s.At)), s.At).t
	if !inner {
		v := b.combined(s, func() value { return b.entry(slot, key, slot.IsList, entry.At) })
		b.write(slot, key, v, writtenSpan(s), s.At)
		return
	}
	path := b.path(target, entry, s.Value)
	v := b.expr(s.Value)
	from := []*term.Term{b.boxed(b.entry(slot, key, slot.IsList, entry.At))}
	for _, p := range path {
		from = append(from, b.boxed(p.index))
	}
	from = append(from, b.boxed(v))
	b.mayRaise("index", s.At)
	name := "replaced"
	if s.Op != syntax.NoOp {
		name += ":" + s.Op.String()
	}
	next := of(term.App(name, term.Opaque, from...))
	b.write(slot, key, next, writtenSpan(s), s.At)
}

// writtenSpan is what a message shows of the written value: all of a compound assignment.
func writtenSpan(s *syntax.Assign) source.Span {
	if s.Op != syntax.NoOp {
		return s.At
	}
	return s.Value.Span()
}
