package interp

import (
	"fmt"
	"strings"

	"soma.cell/frontend/syntax"
)

// Rows are lists of maps.

func rowBuiltins() map[string]impl {
	return map[string]impl{
		"filter_by": builtinFilterBy, "sort_by": builtinSortBy, "pluck": builtinPluck, "select": builtinSelect,
		"group_by": builtinGroupBy, "distinct": builtinDistinct, "distinct_by": builtinDistinctBy,
		"unique_by": builtinDistinctBy, "count_by": builtinCountBy, "sum_by": builtinSumBy, "avg_by": builtinAvgBy,
		"min_by": extremeBy(-1), "max_by": extremeBy(1), "agg": builtinAgg,
		"inner_join": func(c *call) (Value, error) { return joinRows(c, false) },
		"left_join":  func(c *call) (Value, error) { return joinRows(c, true) },
	}
}

// rows reads a list of maps.
func (c *call) rows(i int) ([]*Map, error) {
	items, err := c.list(i)
	if err != nil {
		return nil, err
	}
	out := make([]*Map, len(items))
	for j, v := range items {
		m, ok := v.(*Map)
		if !ok {
			return nil, errType("%s needs rows, that is maps; item %d is %s", c.name, j, aKind(v))
		}
		out[j] = m
	}
	return out, nil
}

func cell(row *Map, field string) Value {
	if v, ok := row.Get(field); ok {
		return v
	}
	return Unit{}
}

// keyed gives items and, for each, the value of the field or function of the next argument.
func (c *call) keyed() (items, keys []Value, err error) {
	if items, err = c.list(0); err != nil {
		return nil, nil, err
	}
	keys = make([]Value, len(items))
	for j, v := range items {
		if keys[j], err = c.keyOf(1, v); err != nil {
			return nil, nil, err
		}
	}
	return items, keys, nil
}

// keyOf is a field of a row, the fields of a list, or what a function gives.
func (c *call) keyOf(i int, v Value) (Value, error) {
	switch by := c.args[i].(type) {
	case *Function:
		return c.w.apply(by, v)
	case String:
		return c.w.fieldOf(v, string(by))
	case *List:
		var out []Value
		for _, f := range by.items {
			name, ok := f.(String)
			if !ok {
				return nil, errArgument(c.name, i, "a list of fields", by)
			}
			x, err := c.w.fieldOf(v, string(name))
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
		return NewList(out...), nil
	}
	return nil, errArgument(c.name, i, "a field or a Function", c.args[i])
}

var comparisons = map[string]syntax.BinOp{
	"==": syntax.EqOp, "!=": syntax.NeOp, "<": syntax.LtOp, "<=": syntax.LeOp, ">": syntax.GtOp, ">=": syntax.GeOp,
}

func builtinFilterBy(c *call) (Value, error) {
	rows, err := c.rows(0)
	if err != nil {
		return nil, err
	}
	field, err := c.str(1)
	if err != nil {
		return nil, err
	}
	op, want := syntax.EqOp, c.args[len(c.args)-1]
	if len(c.args) == 4 {
		text, err := c.str(2)
		if err != nil {
			return nil, err
		}
		var known bool
		if op, known = comparisons[text]; !known {
			return nil, errType("filter_by knows > >= < <= == !=, not %q", text)
		}
	}
	var out []Value
	for _, row := range rows {
		v, err := c.w.operate(op, cell(row, field), want)
		if err != nil {
			return nil, err
		}
		if v == Value(Bool(true)) {
			out = append(out, row)
		}
	}
	return NewList(out...), nil
}

func builtinSortBy(c *call) (Value, error) {
	items, keys, err := c.keyed()
	if err != nil {
		return nil, err
	}
	down, err := c.descending(2)
	if err != nil {
		return nil, err
	}
	return c.sortItems(items, keys, down)
}

func builtinPluck(c *call) (Value, error) {
	_, keys, err := c.keyed()
	return NewList(keys...), err
}

func builtinSelect(c *call) (Value, error) {
	rows, err := c.rows(0)
	if err != nil {
		return nil, err
	}
	fields, err := c.strs(1)
	if err != nil {
		return nil, err
	}
	out := make([]Value, len(rows))
	for i, row := range rows {
		m := NewMap()
		for _, f := range fields {
			m = m.With(f, cell(row, f))
		}
		out[i] = m
	}
	return NewList(out...), nil
}

// group is the items that share a key.
type group struct {
	key   Value
	items []Value
}

// groups collects items by the structural equality of their keys, in order of first sight.
func (c *call) groups(items, keys []Value) ([]*group, error) {
	var out []*group
	byText := map[string][]*group{}
	for i, k := range keys {
		if depthOf(k) > maxDepth {
			return nil, errDeep()
		}
		text := bucket(k)
		var g *group
		for _, old := range byText[text] {
			if err := c.w.spend(1); err != nil {
				return nil, err
			}
			if same(old.key, k) {
				g = old
			}
		}
		if g == nil {
			g = &group{key: k}
			out = append(out, g)
			byText[text] = append(byText[text], g)
		}
		g.items = append(g.items, items[i])
	}
	return out, c.w.spend(len(items))
}

// bucket gives equal values equal texts (1 and 1.0, maps in any order of keys), and most
// others different ones. It looks at the beginning of a list, and not deep.
func bucket(v Value) string { return bucketWithin(v, 2) }

func bucketWithin(v Value, depth int) string {
	switch v := v.(type) {
	case String:
		return "s" + string(v)
	case Int:
		return "n" + renderFloat(v.float())
	case Float:
		return "n" + renderFloat(float64(v)+0)
	case *Map:
		return fmt.Sprint("m", v.Len())
	case *List:
		text := fmt.Sprint("l", v.Len())
		for _, x := range v.items[:min(depth*2, v.Len())] {
			text += "," + bucketWithin(x, depth-1)
		}
		return text
	}
	return v.Kind().String()
}

func builtinGroupBy(c *call) (Value, error) {
	items, keys, err := c.keyed()
	if err != nil {
		return nil, err
	}
	var order []string
	groups := map[string][]Value{}
	for i, k := range keys {
		text, err := c.w.text(k)
		if err != nil {
			return nil, err
		}
		if groups[text] == nil {
			order = append(order, text)
		}
		groups[text] = append(groups[text], items[i])
	}
	m := NewMap()
	for _, text := range order {
		m = m.With(text, NewList(groups[text]...))
	}
	return m, nil
}

// builtinDistinct gives the values themselves, or those of a field.
func builtinDistinct(c *call) (Value, error) {
	keys, err := c.list(0)
	if err == nil && c.has(1) {
		_, keys, err = c.keyed()
	}
	if err != nil {
		return nil, err
	}
	return c.firsts(keys, keys)
}

// builtinDistinctBy gives the first row of each value of a field.
func builtinDistinctBy(c *call) (Value, error) {
	items, keys, err := c.keyed()
	if err != nil {
		return nil, err
	}
	return c.firsts(items, keys)
}

func (c *call) firsts(items, keys []Value) (Value, error) {
	groups, err := c.groups(items, keys)
	if err != nil {
		return nil, err
	}
	out := make([]Value, len(groups))
	for i, g := range groups {
		out[i] = g.items[0]
	}
	return NewList(out...), nil
}

func builtinCountBy(c *call) (Value, error) {
	_, keys, err := c.keyed()
	if err != nil {
		return nil, err
	}
	n := int64(0)
	for _, k := range keys {
		if same(k, c.args[2]) {
			n++
		}
	}
	return NewInt(n), nil
}

func builtinSumBy(c *call) (Value, error) {
	_, keys, err := c.keyed()
	if err == nil {
		err = c.w.payFor(keys...)
	}
	if err != nil {
		return nil, err
	}
	return foldNumbers(syntax.AddOp, keys, 0)
}

func builtinAvgBy(c *call) (Value, error) {
	_, keys, err := c.keyed()
	if err == nil {
		err = c.w.payFor(keys...)
	}
	if err != nil {
		return nil, err
	}
	return mean(keys)
}

// extremeBy gives the first row with the least or greatest field.
func extremeBy(sign int) impl {
	return func(c *call) (Value, error) {
		items, keys, err := c.keyed()
		if err != nil {
			return nil, err
		}
		var best, row Value = Unit{}, Unit{}
		for i, k := range keys {
			better, err := beats(k, best, sign)
			if err != nil {
				return nil, err
			}
			if better {
				best, row = k, items[i]
			}
		}
		return row, nil
	}
}

// builtinAgg gives a row for each group: the field, a column for each "col:fn", the count.
func builtinAgg(c *call) (Value, error) {
	rows, err := c.rows(0)
	if err != nil {
		return nil, err
	}
	texts, err := c.strs(1)
	if err != nil {
		return nil, err
	}
	items, keys := make([]Value, len(rows)), make([]Value, len(rows))
	for i, row := range rows {
		items[i], keys[i] = row, cell(row, texts[0])
	}
	groups, err := c.groups(items, keys)
	if err != nil {
		return nil, err
	}
	out := make([]Value, len(groups))
	for i, g := range groups {
		if out[i], err = aggregate(g, texts[0], texts[1:]); err != nil {
			return nil, err
		}
	}
	return NewList(out...), nil
}

func aggregate(g *group, field string, columns []string) (Value, error) {
	m := NewMap().With(field, g.key)
	for _, column := range columns {
		name, fn, _ := strings.Cut(column, ":")
		var vals []Value
		for _, row := range g.items {
			vals = append(vals, cell(row.(*Map), name))
		}
		v, err := aggregateColumn(fn, vals)
		if err != nil {
			return nil, err
		}
		m = m.With(name+"_"+fn, v)
	}
	return m.With("count", NewInt(int64(len(g.items)))), nil
}

func aggregateColumn(fn string, vals []Value) (Value, error) {
	switch fn {
	case "sum":
		return foldNumbers(syntax.AddOp, vals, 0)
	case "avg":
		return mean(vals)
	case "count":
		return NewInt(int64(len(vals))), nil
	case "min", "max":
		sign := 1
		if fn == "min" {
			sign = -1
		}
		return extreme(sign)(&call{name: fn, args: append([]Value{vals[0]}, vals...)})
	}
	return nil, errType("agg knows sum, avg, min, max, count, not %q", fn)
}
