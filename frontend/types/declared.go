package types

import (
	"math/big"

	"soma.cell/frontend/resolve"
)

// declared is the type of the values that the runtime lets through as a declared type.
func declared(t *resolve.Type) *Type {
	if t == nil {
		return anything
	}
	switch t.Kind {
	case resolve.IntType:
		return integer
	case resolve.FloatType:
		return floating
	case resolve.StringType:
		return text
	case resolve.BoolType:
		return boolean
	case resolve.UnitType:
		return unit
	case resolve.FunctionType:
		return &Type{Kinds: Function}
	case resolve.ListType:
		return listOf(part(t.Elem))
	case resolve.MapType:
		return mapOf(part(t.Elem))
	case resolve.SumTypeKind:
		return &Type{Kinds: Variant, sum: t.Sum}
	case resolve.RecordType:
		return &Type{Kinds: Map, record: t.Name}
	}
	return anything
}

func part(t *resolve.Type) *Type {
	if t == nil {
		return nil
	}
	return declared(t)
}

// conforms tells whether some value of type t is let through as the declared type d: the
// counterpart of what the runtime does with parameters, entries of slots and fields. What may
// be empty always conforms.
func conforms(t *Type, d *resolve.Type) bool {
	if d == nil || t.Kinds == 0 {
		return true
	}
	switch d.Kind {
	case resolve.IntType:
		return t.may(Int)
	case resolve.FloatType:
		return t.may(Number)
	case resolve.StringType:
		return t.may(String)
	case resolve.BoolType:
		return t.may(Bool)
	case resolve.UnitType:
		return t.may(Unit)
	case resolve.FunctionType:
		return t.may(Function)
	case resolve.ListType:
		return t.may(List) && listConforms(t, d)
	case resolve.MapType:
		return t.may(Map) && mapConforms(t, d)
	case resolve.SumTypeKind:
		return t.may(Variant) && (t.sum == nil || t.sum == d.Sum)
	case resolve.RecordType:
		return t.may(Map) && mayBeRecord(t, d.Name)
	}
	return true
}

func listConforms(t *Type, d *resolve.Type) bool {
	for _, x := range t.items {
		if !conforms(x, d.Elem) {
			return false
		}
	}
	return true
}

func mapConforms(t *Type, d *resolve.Type) bool {
	if d.Elem == nil {
		return true
	}
	for _, f := range t.fields {
		if !keyConforms(f.name, d.Key) || !conforms(f.typ, d.Elem) {
			return false
		}
	}
	return true
}

// keyConforms: a key that stands for an Int must read as one.
func keyConforms(key string, d *resolve.Type) bool {
	if d == nil || d.Kind != resolve.IntType {
		return true
	}
	n, ok := new(big.Int).SetString(key, 10)
	return ok && n.String() == key
}

// mayBeRecord tells whether a map may be a record of that name.
func mayBeRecord(t *Type, name string) bool {
	if t.record != "" || !t.closed {
		return t.record == "" || t.record == name
	}
	tag, ok := t.entry("_type")
	return ok && tag.may(String)
}
