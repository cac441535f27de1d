package interp

import (
	"slices"
	"strings"
)

func listBuiltins() map[string]impl {
	return map[string]impl{
		"list": func(c *call) (Value, error) { return NewList(c.args...), nil },
		"map":  builtinMap, "push": builtinPush, "nth": builtinNth, "with": builtinWith,
		"without": builtinWithout, "merge": builtinMerge,
		"keys":    ofMap(func(m *Map) Value { return stringList(m.Keys()) }),
		"values":  ofMap(func(m *Map) Value { return NewList(m.vals...) }),
		"entries": ofMap(func(m *Map) Value { return NewList(entries(m)...) }),
		"range":   builtinRange, "reverse": builtinReverse, "sort": builtinSort, "flatten": builtinFlatten,
		"zip": builtinZip, "enumerate": builtinEnumerate, "top": part(true), "bottom": part(false),
		"word_count": builtinWordCount,
	}
}

func ofMap(f func(*Map) Value) impl {
	return func(c *call) (Value, error) {
		m, err := c.mapping(0)
		if err != nil {
			return nil, err
		}
		return f(m), c.w.spend(m.Len())
	}
}

// setPairs sets key, value pairs from argument i on.
func (c *call) setPairs(m *Map, i int) (Value, error) {
	if (len(c.args)-i)%2 != 0 {
		return nil, errArgCount(c.name, len(c.args))
	}
	for ; i < len(c.args); i += 2 {
		key, ok := keyText(c.args[i])
		if !ok {
			return nil, errKey("a key", c.args[i])
		}
		var err error
		if m, err = c.w.withEntry(m, key, c.args[i+1]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// builtinMap makes a map of pairs, or applies a function to each item of a list.
func builtinMap(c *call) (Value, error) {
	if len(c.args) == 2 && c.args[1].Kind() == FunctionKind {
		return builtinMapList(c)
	}
	return c.setPairs(NewMap(), 0)
}

func builtinPush(c *call) (Value, error) {
	l, ok := c.args[0].(*List)
	if !ok {
		return nil, errArgument(c.name, 0, "a List", c.args[0])
	}
	for _, v := range c.args[1:] {
		l = l.push(v)
	}
	return l, nil
}

func builtinNth(c *call) (Value, error) {
	l, ok := c.args[0].(*List)
	if !ok {
		return nil, errArgument(c.name, 0, "a List", c.args[0])
	}
	v, ok, err := valueAt(l, c.args[1])
	if err != nil || !ok {
		return Unit{}, err
	}
	return v, nil
}

func builtinWith(c *call) (Value, error) {
	if m, ok := c.args[0].(*Map); ok {
		return c.setPairs(m, 1)
	}
	l, ok := c.args[0].(*List)
	if !ok {
		return nil, errArgument(c.name, 0, "a Map or List", c.args[0])
	}
	if len(c.args)%2 != 1 {
		return nil, errArgCount(c.name, len(c.args))
	}
	var v Value = l
	var err error
	for i := 1; i < len(c.args); i += 2 {
		if v, err = c.w.put(v, step{index: c.args[i]}, c.args[i+1]); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func builtinWithout(c *call) (Value, error) {
	m, err := c.mapping(0)
	if err != nil {
		return nil, err
	}
	for _, k := range c.args[1:] {
		key, ok := keyText(k)
		if !ok {
			return nil, errKey("a key", k)
		}
		if err := c.w.spend(m.Len()); err != nil {
			return nil, err
		}
		m = m.Without(key)
	}
	return m, nil
}

func builtinMerge(c *call) (Value, error) {
	a, err := c.mapping(0)
	if err != nil {
		return nil, err
	}
	b, err := c.mapping(1)
	if err != nil {
		return nil, err
	}
	for i, k := range b.Keys() {
		if err := c.w.spend(1 + a.Len()>>6); err != nil {
			return nil, err
		}
		a = a.With(k, b.vals[i])
	}
	return a, nil
}

// rangeBounds reads the ends and the step of a range.
func rangeBounds(name string, args []Value) (lo, hi, step Int, err error) {
	step = NewInt(1)
	for i, to := range []*Int{&lo, &hi, &step} {
		if i >= len(args) || i == 2 && args[i].Kind() == UnitKind {
			break
		}
		n, ok := args[i].(Int)
		if !ok {
			return lo, hi, step, errArgument(name, i, "an Int", args[i])
		}
		*to = n
	}
	if step.Sign() == 0 {
		err = errRange("range: the step is 0")
	}
	return lo, hi, step, err
}

func builtinRange(c *call) (Value, error) {
	lo, hi, step, err := rangeBounds(c.name, c.args)
	if err != nil {
		return nil, err
	}
	var out []Value
	for i := lo; cmpInt(i, hi)*step.Sign() < 0; i = addInt(i, step) {
		if len(out) >= maxItems {
			return nil, errMemory()
		}
		if err := c.w.spend(1); err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return NewList(out...), nil
}

func builtinReverse(c *call) (Value, error) {
	if s, ok := c.args[0].(String); ok {
		r := []rune(s)
		slices.Reverse(r)
		return String(r), nil
	}
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	items = slices.Clone(items)
	slices.Reverse(items)
	return NewList(items...), nil
}

func builtinFlatten(c *call) (Value, error) {
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	var out []Value
	for _, v := range items {
		if l, ok := v.(*List); ok {
			out = append(out, l.items...)
		} else {
			out = append(out, v)
		}
		if len(out) > maxItems {
			return nil, errMemory()
		}
	}
	return NewList(out...), nil
}

func builtinZip(c *call) (Value, error) {
	a, err := c.list(0)
	if err != nil {
		return nil, err
	}
	b, err := c.list(1)
	if err != nil {
		return nil, err
	}
	var out []Value
	for i := range min(len(a), len(b)) {
		out = append(out, MapOf("left", a[i], "right", b[i]))
	}
	return NewList(out...), nil
}

func builtinEnumerate(c *call) (Value, error) {
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	var out []Value
	for i, v := range items {
		out = append(out, MapOf("index", NewInt(int64(i)), "value", v))
	}
	return NewList(out...), nil
}

// part is top or bottom: the first or last n items.
func part(first bool) impl {
	return func(c *call) (Value, error) {
		items, err := c.list(0)
		if err != nil {
			return nil, err
		}
		n, err := c.small(1)
		if err != nil {
			return nil, err
		}
		n = min(max(n, 0), len(items))
		if first {
			return NewList(items[:n:n]...), nil
		}
		return NewList(items[len(items)-n:]...), nil
	}
}

func builtinWordCount(c *call) (Value, error) {
	var texts []string
	switch v := c.args[0].(type) {
	case String:
		texts = []string{string(v)}
	case *List:
		for _, x := range v.items {
			text, err := c.w.text(x)
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
	default:
		return nil, errArgument(c.name, 0, "a String or List", v)
	}
	m := NewMap()
	for _, text := range texts {
		for _, word := range strings.Fields(strings.ToLower(text)) {
			n, _ := m.Get(word)
			old, _ := n.(Int)
			if err := c.w.spend(1 + m.Len()>>6); err != nil {
				return nil, err
			}
			m = m.With(word, addInt(old, NewInt(1)))
		}
	}
	return m, nil
}
