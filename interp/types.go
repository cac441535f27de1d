package interp

import (
	"math/big"

	"soma.cell/frontend/resolve"
)

// conform checks a value against a declared type, all the way down, and turns Ints into
// Floats where the type says Float.
func conform(v Value, t *resolve.Type) (Value, bool) {
	if t == nil || t.Kind == resolve.AnyType {
		return v, true
	}
	switch t.Kind {
	case resolve.FloatType:
		if i, ok := v.(Int); ok {
			return Float(i.float()), true
		}
		return v, v.Kind() == FloatKind
	case resolve.ListType:
		return conformList(v, t.Elem)
	case resolve.MapType:
		return conformMap(v, t)
	case resolve.SumTypeKind:
		x, ok := v.(*Variant)
		return v, ok && x.Of.Type == t.Sum
	case resolve.RecordType:
		return v, recordName(v) == t.Name
	}
	want, ok := plainKinds[t.Kind]
	return v, ok && v.Kind() == want
}

var plainKinds = map[resolve.TypeKind]Kind{
	resolve.IntType:      IntKind,
	resolve.StringType:   StringKind,
	resolve.BoolType:     BoolKind,
	resolve.UnitType:     UnitKind,
	resolve.FunctionType: FunctionKind,
}

func conformList(v Value, elem *resolve.Type) (Value, bool) {
	l, ok := v.(*List)
	if !ok || elem == nil {
		return v, ok
	}
	items, ok := conformAll(l.items, elem)
	if !ok || items == nil {
		return v, ok
	}
	return NewList(items...), true
}

func conformMap(v Value, t *resolve.Type) (Value, bool) {
	m, ok := v.(*Map)
	if !ok || t.Elem == nil {
		return v, ok
	}
	for _, k := range m.Keys() {
		if !keyConforms(k, t.Key) {
			return nil, false
		}
	}
	vals, ok := conformAll(m.vals, t.Elem)
	if !ok || vals == nil {
		return v, ok
	}
	out := NewMap()
	for i, k := range m.Keys() {
		out = out.With(k, vals[i])
	}
	return out, true
}

// conformAll is nil when no item changed.
func conformAll(items []Value, t *resolve.Type) ([]Value, bool) {
	var out []Value
	for i, x := range items {
		y, ok := conform(x, t)
		if !ok {
			return nil, false
		}
		if x.Kind() != y.Kind() || t.Elem != nil {
			if out == nil {
				out = append([]Value(nil), items...)
			}
			out[i] = y
		}
	}
	return out, true
}

// keyConforms: keys are text; one that stands for an Int must read as one.
func keyConforms(key string, t *resolve.Type) bool {
	if t == nil || t.Kind != resolve.IntType {
		return true
	}
	n, ok := new(big.Int).SetString(key, 10)
	return ok && n.String() == key
}

// recordName is the name of a record literal, or "".
func recordName(v Value) string {
	m, ok := v.(*Map)
	if !ok {
		return ""
	}
	name, _ := m.Get("_type")
	s, _ := name.(String)
	return string(s)
}

// keyText is the text that stands for a key or an instance id.
func keyText(v Value) (string, bool) {
	switch v := v.(type) {
	case String:
		return string(v), true
	case Int:
		return v.String(), true
	}
	return "", false
}
