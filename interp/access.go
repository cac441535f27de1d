package interp

import (
	"unicode/utf8"

	"soma.cell/frontend/resolve"
)

// Reading parts of values and of slots: fields and indexes.

// fieldOf is v.name: a key of a map, a field of a variant, else a pseudo-field.
func (w *World) fieldOf(v Value, name string) (Value, error) {
	switch v := v.(type) {
	case *Map:
		if x, ok := v.Get(name); ok {
			return x, nil
		}
		if x := pseudoField(v, name); x != nil {
			return x, nil
		}
		return Unit{}, nil
	case *Variant:
		if x, ok := v.field(name); ok {
			return x, nil
		}
	case *List:
		if x := pseudoField(v, name); x != nil {
			return x, nil
		}
		if name == "T" {
			return w.builtins["transpose"](&call{w: w, name: "transpose", args: []Value{v}})
		}
	case String:
		if name == "len" || name == "size" {
			return characters(string(v)), nil
		}
	}
	return nil, errNoField(v, name)
}

func pseudoField(v Value, name string) Value {
	switch v := v.(type) {
	case *Map:
		switch name {
		case "len", "size":
			return NewInt(int64(v.Len()))
		case "keys":
			return stringList(v.Keys())
		case "values":
			return NewList(v.vals...)
		case "last":
			return lastOf(v.vals)
		}
	case *List:
		switch name {
		case "len", "size":
			return NewInt(int64(v.Len()))
		case "last":
			return lastOf(v.items)
		}
	}
	return nil
}

func lastOf(items []Value) Value {
	if len(items) == 0 {
		return Unit{}
	}
	return items[len(items)-1]
}

// slotAt is s[k]: () for a missing key of a map slot, an error outside a list slot.
func (w *World) slotAt(s *resolve.Slot, key Value) (Value, error) {
	v, ok, err := w.entry(s, key)
	if err != nil {
		return nil, err
	}
	if !ok && s.IsList {
		return nil, errIndex(key, w.slot(s).size())
	}
	if !ok {
		return Unit{}, nil
	}
	return v, nil
}

// indexOf is v[i].
func (w *World) indexOf(v, i Value) (Value, error) {
	switch v := v.(type) {
	case *List:
		at, ok, err := listIndex("an index of a list", i, v.Len())
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errIndex(i, v.Len())
		}
		return v.items[at], nil
	case *Map:
		key, ok := keyText(i)
		if !ok {
			return nil, errKey("a key", i)
		}
		if x, ok := v.Get(key); ok {
			return x, nil
		}
		return Unit{}, nil
	case String:
		return w.character(string(v), i)
	}
	return nil, errNotIndexable(v)
}

// character is the one-character string s[i]. Characters are counted from the start.
func (w *World) character(s string, i Value) (Value, error) {
	if err := w.spend(len(s) >> 2); err != nil {
		return nil, err
	}
	n := utf8.RuneCountInString(s)
	at, ok, err := listIndex("an index of a String", i, n)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errIndex(i, n)
	}
	if n == len(s) {
		return String(s[at : at+1]), nil
	}
	for ; at > 0; at-- {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	r, _ := utf8.DecodeRuneInString(s)
	return String(r), nil
}
