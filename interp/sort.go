package interp

import (
	"math"
	"math/bits"
	"slices"
)

// descending reads an optional "asc" or "desc".
func (c *call) descending(i int) (bool, error) {
	if !c.has(i) {
		return false, nil
	}
	order, err := c.str(i)
	if err != nil {
		return false, err
	}
	if order != "asc" && order != "desc" {
		return false, errType("%s: the order is \"asc\" or \"desc\", not %q", c.name, order)
	}
	return order == "desc", nil
}

func builtinSort(c *call) (Value, error) {
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	down, err := c.descending(1)
	if err != nil {
		return nil, err
	}
	return c.sortItems(items, items, down)
}

// sortItems orders items by their keys, stable, NaN last; keys of mixed kinds are an error.
func (c *call) sortItems(items, keys []Value, down bool) (Value, error) {
	for _, k := range keys {
		if err := sortable(c.name, keys[0], k); err != nil {
			return nil, err
		}
		if err := c.w.spend(bits.Len(uint(len(keys))) * weigh(k, c.w.steps)); err != nil {
			return nil, err
		}
	}
	at := make([]int, len(items))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int {
		a, b := keys[i], keys[j]
		if down && !isNaN(a) && !isNaN(b) {
			a, b = b, a
		}
		return ascending(a, b)
	})
	out := make([]Value, len(items))
	for i, from := range at {
		out[i] = items[from]
	}
	return NewList(out...), nil
}

func sortable(name string, first, v Value) error {
	number, text := isNumber(first), first.Kind() == StringKind
	if number && isNumber(v) || text && v.Kind() == StringKind {
		return nil
	}
	a, ok := first.(*List)
	b, ok2 := v.(*List)
	if !ok || !ok2 {
		return errType("%s cannot order %s and %s", name, aKind(first), aKind(v))
	}
	for i := range min(a.Len(), b.Len()) {
		if err := sortable(name, a.items[i], b.items[i]); err != nil {
			return err
		}
	}
	return nil
}

func isNaN(v Value) bool {
	f, ok := v.(Float)
	return ok && math.IsNaN(float64(f))
}

// ascending orders numbers, strings, and lists item by item; NaN goes last.
func ascending(a, b Value) int {
	x, ok := a.(*List)
	y, ok2 := b.(*List)
	if ok && ok2 {
		for i := range min(x.Len(), y.Len()) {
			if c := ascending(x.items[i], y.items[i]); c != 0 {
				return c
			}
		}
		return x.Len() - y.Len()
	}
	c, ordered, _ := compare(a, b)
	switch {
	case ordered:
		return c
	case isNaN(a) && !isNaN(b):
		return 1
	case isNaN(b) && !isNaN(a):
		return -1
	}
	return 0
}
