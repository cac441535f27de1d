package interp

func functionalBuiltins() map[string]impl {
	return map[string]impl{
		"filter": builtinFilter, "find": builtinFind, "reduce": builtinReduce,
		"any": builtinAny, "all": builtinAll, "count": builtinCount,
	}
}

// listAndFunction reads (list, f).
func (c *call) listAndFunction() ([]Value, *Function, error) {
	items, err := c.list(0)
	if err != nil {
		return nil, nil, err
	}
	f, err := c.function(1)
	return items, f, err
}

func builtinMapList(c *call) (Value, error) {
	items, f, err := c.listAndFunction()
	if err != nil {
		return nil, err
	}
	out := make([]Value, len(items))
	for i, v := range items {
		if out[i], err = c.w.apply(f, v); err != nil {
			return nil, err
		}
	}
	return NewList(out...), nil
}

func builtinFilter(c *call) (Value, error) {
	items, f, err := c.listAndFunction()
	if err != nil {
		return nil, err
	}
	var out []Value
	for _, v := range items {
		ok, err := c.predicate(f, v)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, v)
		}
	}
	return NewList(out...), nil
}

// first finds the first item whose test gives want.
func (c *call) first(want bool) (Value, bool, error) {
	items, f, err := c.listAndFunction()
	if err != nil {
		return nil, false, err
	}
	for _, v := range items {
		ok, err := c.predicate(f, v)
		if err != nil {
			return nil, false, err
		}
		if ok == want {
			return v, true, nil
		}
	}
	return Unit{}, false, nil
}

func builtinFind(c *call) (Value, error) {
	v, _, err := c.first(true)
	return v, err
}

func builtinAny(c *call) (Value, error) {
	_, found, err := c.first(true)
	return Bool(found), err
}

func builtinAll(c *call) (Value, error) {
	_, found, err := c.first(false)
	return Bool(!found), err
}

func builtinCount(c *call) (Value, error) {
	items, f, err := c.listAndFunction()
	if err != nil {
		return nil, err
	}
	n := int64(0)
	for _, v := range items {
		ok, err := c.predicate(f, v)
		if err != nil {
			return nil, err
		}
		if ok {
			n++
		}
	}
	return NewInt(n), nil
}

// builtinReduce folds: the function takes {acc, val}, or the two as arguments of its own.
func builtinReduce(c *call) (Value, error) {
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	f, err := c.function(2)
	if err != nil {
		return nil, err
	}
	acc := c.args[1]
	for _, v := range items {
		args := []Value{MapOf("acc", acc, "val", v)}
		if f.arity() == 2 {
			args = []Value{acc, v}
		}
		if acc, err = c.w.apply(f, args...); err != nil {
			return nil, err
		}
	}
	return acc, nil
}
