package types

import (
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// fieldExpr goes over x.f.
func (b *body) fieldExpr(x *syntax.Field) *Type {
	if use := b.info.Slots[x]; use != nil {
		return b.slotField(use.Slot, use.Op)
	}
	if ref, ok := x.X.(*syntax.VariantRef); ok && b.info.Variants[ref] == nil {
		return anything // of a cell: resolution has reported it
	}
	t := b.expr(x.X)
	return b.fieldOf(x.Name, t, t)
}

// fieldOf is the type of v.name, where v may be of type t; whole is what messages show.
func (b *body) fieldOf(name syntax.Ident, t, whole *Type) *Type {
	if whole.Kinds == 0 {
		return never
	}
	out, found := fieldType(t, name.Name)
	if !found {
		b.report(noField(name, whole, fieldNames(whole)))
		return never
	}
	if _, has := t.entry(name.Name); !has && isTryResult(t) && out == unit {
		b.report(noTryField(name))
	}
	return out
}

// fieldType is the type of v.name; found is false where no value of the type has that field.
func fieldType(t *Type, name string) (out *Type, found bool) {
	out = never
	if t.may(Map) {
		out, found = join(out, mapField(t, name)), true
	}
	if t.may(List) {
		if f := listField(t, name); f != nil {
			out, found = join(out, f), true
		}
	}
	if t.may(String) && (name == "len" || name == "size") {
		out, found = join(out, integer), true
	}
	if t.may(Variant) {
		f, ok := variantFieldType(t, name)
		out, found = join(out, f), found || ok
	}
	return out, found
}

// mapField is a field of a map: () when absent; a real key wins over the pseudo-fields.
func mapField(t *Type, name string) *Type {
	if f, ok := t.entry(name); ok {
		return f
	}
	pseudo := unit
	switch name {
	case "len", "size":
		pseudo = integer
	case "keys":
		pseudo = texts
	case "values":
		pseudo = listOf(t.value)
	case "last":
		pseudo = join(t.valueType(), unit)
	}
	if t.closed {
		return pseudo
	}
	if name == "_type" && t.record != "" {
		return text
	}
	return join(t.valueType(), pseudo)
}

func listField(t *Type, name string) *Type {
	switch name {
	case "len", "size":
		return integer
	case "last":
		return join(t.elemType(), unit)
	case "T":
		if vector(t) {
			return &Type{Kinds: List}
		}
	}
	return nil
}

// variantFieldType is a field of the struct variants that a value may be.
func variantFieldType(t *Type, name string) (*Type, bool) {
	if t.sum == nil {
		return anything, true
	}
	out, found := never, false
	for _, v := range variantsOf(t) {
		for _, p := range v.Fields {
			if v.Struct && p.Name == name {
				out, found = join(out, declared(p.Type)), true
			}
		}
	}
	return out, found
}

// variantsOf lists the variants that a value of a known sum type may be.
func variantsOf(t *Type) []*resolve.Variant {
	if t.variant != nil {
		return []*resolve.Variant{t.variant}
	}
	return t.sum.Variants
}

// fieldNames lists the fields that struct variants of the type have, for suggestions.
func fieldNames(t *Type) []string {
	if t.sum == nil || !t.may(Variant) {
		return nil
	}
	var out []string
	for _, v := range variantsOf(t) {
		for _, p := range v.Fields {
			if v.Struct {
				out = append(out, p.Name)
			}
		}
	}
	return out
}

// index goes over x[i].
func (b *body) index(x *syntax.Index) *Type {
	if use := b.info.Slots[x]; use != nil && use.Op == "index" {
		b.slotKey(use.Slot, x.I, b.expr(x.I), false)
		if use.Slot.IsList {
			return declared(use.Slot.Value)
		}
		return join(declared(use.Slot.Value), unit)
	}
	t := b.expr(x.X)
	out, _ := b.element(x, x.X, x.I, t, b.expr(x.I))
	return out
}

// element is the type of v[i]; ok is false where nothing of the type can be indexed so, which is
// reported.
func (b *body) element(x, of, index syntax.Expr, t, i *Type) (out *Type, ok bool) {
	if t.Kinds == 0 || i.Kinds == 0 {
		return never, true
	}
	out = never
	if t.may(List) && i.may(Int) {
		out, ok = join(out, t.elemType()), true
	}
	if t.may(Map) && i.may(String|Int) {
		out, ok = join(out, entryAt(t, index)), true
	}
	if t.may(String) && i.may(Int) && indexes(x) {
		out, ok = join(out, text), true
	}
	switch {
	case ok:
	case !t.may(List | Map | String):
		b.report(notIndexable(of, t))
	case t.may(Map):
		b.report(badKey(index, i, t.String(), nil))
	default:
		b.report(badIndex(index, i, t.String(), nil))
	}
	return out, ok
}

// indexes tells whether an element is read by brackets, which work on texts too.
func indexes(x syntax.Expr) bool {
	_, ok := x.(*syntax.Index)
	return ok
}

// entryAt is the type of m[k], () when absent.
func entryAt(t *Type, key syntax.Expr) *Type {
	if t.closed {
		if name, ok := literal(key); ok {
			if f, found := t.entry(name); found {
				return f
			}
			return unit
		}
	}
	return join(t.valueType(), unit)
}
