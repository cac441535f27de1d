package interp

import "soma.cell/frontend/resolve"

// text renders a value, within the budget.
func (w *World) text(v Value) (string, error) {
	if s, ok := v.(String); ok {
		return string(s), nil
	}
	if err := w.payToWrite(v); err != nil {
		return "", err
	}
	s := Render(v)
	return s, w.allocateText(len(s))
}

// payForTree charges for a walk over a whole value.
func (w *World) payForTree(v Value) error {
	const node = 8
	return w.spend(node * weigh(v, w.steps/node))
}

// payToWrite pays for writing a value out as text or JSON, here or wherever it goes.
func (w *World) payToWrite(v Value) error {
	if depthOf(v) > maxDepth {
		return errDeep()
	}
	return w.payForTree(v)
}

// weigh counts the nodes of a value, up to a limit: a value may share parts and be much
// larger as text than in memory.
func weigh(v Value, limit int) int {
	var inside []Value
	n := 1
	switch v := v.(type) {
	case String:
		return 1 + len(v)>>4
	case Int:
		return 1 + price(v.size())
	case *List:
		inside = v.items
	case *Map:
		inside = v.vals
		n += v.Len()
	case *Variant:
		inside = v.Fields
	}
	for _, x := range inside {
		if n > limit {
			break
		}
		n += weigh(x, limit-n)
	}
	return n
}

// build makes a variant, enforcing the types of its fields.
func (w *World) build(of *resolve.Variant, fields []Value) (Value, error) {
	if len(fields) != len(of.Fields) {
		return nil, errVariantFields(of)
	}
	for i, v := range fields {
		got, ok := conform(v, of.Fields[i].Type)
		if !ok {
			return nil, errSum(of, of.Fields[i].Name, of.Fields[i].Type, v)
		}
		fields[i] = got
	}
	return NewVariant(of, fields...), nil
}

// entries are the {key, value} maps of a map.
func entries(m *Map) []Value {
	out := make([]Value, 0, m.Len())
	for i, k := range m.Keys() {
		out = append(out, MapOf("key", String(k), "value", m.vals[i]))
	}
	return out
}
