package interp

// joinRows merges rows whose key agrees, the left row's fields first and winning.
func joinRows(c *call, outer bool) (Value, error) {
	left, err := c.rows(0)
	if err != nil {
		return nil, err
	}
	right, err := c.rows(1)
	if err != nil {
		return nil, err
	}
	key, err := c.str(2)
	if err != nil {
		return nil, err
	}
	byKey := map[string][]*Map{}
	for _, r := range right {
		k := bucket(cell(r, key))
		byKey[k] = append(byKey[k], r)
	}
	var out []Value
	for _, l := range left {
		matched, k := false, cell(l, key)
		for _, r := range byKey[bucket(k)] {
			if err := c.w.spend(1); err != nil {
				return nil, err
			}
			if k.Kind() != UnitKind && same(k, cell(r, key)) {
				out, matched = append(out, mergeRows(l, r)), true
			}
		}
		if !matched && outer {
			out = append(out, l)
		}
	}
	return NewList(out...), nil
}

func mergeRows(l, r *Map) *Map {
	m := l
	for i, k := range r.Keys() {
		if _, has := l.Get(k); !has {
			m = m.With(k, r.vals[i])
		}
	}
	return m
}
