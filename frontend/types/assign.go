package types

import (
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// assignment goes over place = value and its kin. The place is a local or an entry of a slot,
// and a way into it.
func (b *body) assignment(s *syntax.Assign) {
	old := b.place(s.Target)
	value := b.expr(s.Value)
	if s.Op != syntax.NoOp {
		value = b.combine(s, old, value)
	}
	if want := b.declaredAt(s.Target); want != nil && !conforms(value, want) {
		b.report(b.misfit(s.Value, value, want, slotEntry{b.slotOf(s.Target)}))
		return
	}
	b.store(s.Target, s.Value, value)
}

// combine is the type that a compound assignment writes.
func (b *body) combine(s *syntax.Assign, old, value *Type) *Type {
	if s.Op == syntax.CoalesceOp {
		if !old.may(Unit) {
			return old
		}
		return join(old.only(Every&^Unit), value)
	}
	t, ok := operate(s.Op, old, value)
	if !ok {
		b.report(badOperands(s, s.Op.String(), s.Target, s.Value, old, value))
		return never
	}
	return t
}

// place goes over the indexes of an assignable place and gives the type of what it holds.
func (b *body) place(x syntax.Expr) *Type {
	t := b.holds(x)
	b.types[x] = t
	return t
}

func (b *body) holds(x syntax.Expr) *Type {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Name:
		return b.name(x)
	case *syntax.Field:
		if use := b.info.Slots[x]; use != nil {
			return slotValue(use.Slot)
		}
		out, _ := fieldType(b.place(x.X), x.Name.Name)
		return out
	case *syntax.Index:
		if use := b.slotIndex(x); use != nil {
			b.slotKey(use, x.I, b.expr(x.I), true)
			return join(declared(use.Value), unit)
		}
		t, out := b.place(x.X), never
		b.expr(x.I)
		if t.may(Map) {
			out = join(out, entryAt(t, x.I))
		}
		if t.may(List) {
			out = join(out, t.elemType())
		}
		if t.may(String) {
			out = join(out, text)
		}
		return out
	}
	return anything
}

// slotIndex is the slot of which an expression is an entry, or nil.
func (b *body) slotIndex(x *syntax.Index) *resolve.Slot {
	if use := b.info.Slots[x]; use != nil && use.Op == "index" {
		return use.Slot
	}
	return nil
}

// slotOf is the slot that a place lies in, or nil.
func (b *body) slotOf(x syntax.Expr) *resolve.Slot {
	for x := range syntax.Path(x) {
		if entry, ok := x.(*syntax.Index); ok {
			if s := b.slotIndex(entry); s != nil {
				return s
			}
		}
	}
	return nil
}

// declaredAt is the type that a slot's declaration states for a place in it, or nil.
func (b *body) declaredAt(x syntax.Expr) *resolve.Type {
	var whole *resolve.Type
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Index:
		if s := b.slotIndex(x); s != nil {
			return s.Value
		}
		whole = b.declaredAt(x.X)
	case *syntax.Field:
		whole = b.declaredAt(x.X)
	}
	if whole != nil && (whole.Kind == resolve.ListType || whole.Kind == resolve.MapType) {
		return whole.Elem
	}
	return nil
}

// store goes over the write to a place: each step of the way must be into something that has
// such a part. The local that the place starts from takes the type it has afterwards.
func (b *body) store(target, value syntax.Expr, t *Type) {
	switch x := syntax.Unparen(target).(type) {
	case *syntax.Name:
		if l := b.lookup(x.Name); l != nil {
			b.assign(l, t)
		}
	case *syntax.Field:
		if whole := b.types[x.X]; whole != nil && b.takesField(x, whole, value, t) {
			b.store(x.X, value, withField(whole, x.Name.Name, t))
		}
	case *syntax.Index:
		if whole := b.types[x.X]; whole != nil && b.slotIndex(x) == nil && b.takesElement(x, whole) {
			b.store(x.X, value, withElement(whole, x.I, t))
		}
	}
}

// takesField tells whether a field can be written, which some maps and variants allow.
func (b *body) takesField(x *syntax.Field, whole *Type, value syntax.Expr, t *Type) bool {
	if whole.may(Map) || whole.Kinds == 0 || whole.may(Variant) && whole.sum == nil {
		return true
	}
	if !whole.may(Variant) {
		b.report(noField(x.Name, whole, nil))
		return false
	}
	var last *variantField
	for _, v := range variantsOf(whole) {
		for _, p := range v.Fields {
			if !v.Struct || p.Name != x.Name.Name {
				continue
			}
			if conforms(t, p.Type) {
				return true
			}
			last = &variantField{v, p}
		}
	}
	if last == nil {
		b.report(noField(x.Name, whole, fieldNames(whole)))
	} else {
		b.report(b.misfit(value, t, last.field.Type, *last))
	}
	return false
}

// takesElement tells whether an element can be written, which lists and maps allow.
func (b *body) takesElement(x *syntax.Index, whole *Type) bool {
	i := orAny(b.types[x.I])
	switch {
	case whole.Kinds == 0 || i.Kinds == 0 || whole.may(Map) && i.may(String|Int) || whole.may(List) && i.may(Int):
		return true
	case !whole.may(Map | List):
		b.report(notIndexable(x.X, whole))
	case whole.may(Map):
		b.report(badKey(x.I, i, whole.String(), nil))
	default:
		b.report(badIndex(x.I, i, whole.String(), nil))
	}
	return false
}

// withField is a type after a field was written.
func withField(whole *Type, name string, t *Type) *Type {
	out := whole.only(Map | Variant)
	if !out.may(Map) {
		return out
	}
	record := out.record
	if name == "_type" {
		record = ""
	}
	fields := slices.DeleteFunc(slices.Clone(out.fields), func(f field) bool { return f.name == name })
	changed := mapWith(append(fields, field{name, t}), record)
	if !out.closed {
		changed = made(Type{Kinds: Map, value: joinParts(out.value, t), record: record})
	}
	return join(out.only(Variant), changed)
}

// withElement is a type after an element was written under a key or index.
func withElement(whole *Type, key syntax.Expr, t *Type) *Type {
	if name, ok := literal(key); ok && !whole.may(List) {
		return withField(whole.only(Map), name, t)
	}
	out := never
	if whole.may(List) {
		out = join(out, listOf(joinParts(whole.elem, t)))
	}
	if whole.may(Map) {
		out = join(out, mapOf(joinParts(whole.value, t)))
	}
	return out
}
