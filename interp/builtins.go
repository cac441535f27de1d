package interp

import (
	"maps"
)

// builtinTable maps the names of the builtins that this interpreter runs to what runs them.
// A test holds it against the table of package builtin.
func builtinTable() map[string]impl {
	all := map[string]impl{}
	for _, part := range []map[string]impl{
		agentBuiltins(), textBuiltins(), formatBuiltins(), conversionBuiltins(), numberBuiltins(),
		statisticsBuiltins(), bitBuiltins(), listBuiltins(), functionalBuiltins(), rowBuiltins(), matrixBuiltins(),
		dateBuiltins(), fileBuiltins(), outsideBuiltins(),
	} {
		maps.Copy(all, part)
	}
	return all
}

// Readers of arguments: each raises type when the argument is of another kind.

func (c *call) has(i int) bool { return i < len(c.args) && c.args[i].Kind() != UnitKind }

func (c *call) str(i int) (string, error) {
	s, ok := c.args[i].(String)
	if !ok {
		return "", errArgument(c.name, i, "a String", c.args[i])
	}
	return string(s), nil
}

func (c *call) integer(i int) (Int, error) {
	n, ok := c.args[i].(Int)
	if !ok {
		return Int{}, errArgument(c.name, i, "an Int", c.args[i])
	}
	return n, nil
}

// small reads an Int as an int; one past 64 bits is clamped to the ends.
func (c *call) small(i int) (int, error) {
	n, err := c.integer(i)
	if err != nil {
		return 0, err
	}
	if v, ok := n.Int64(); ok {
		return int(v), nil
	}
	const most = int(^uint(0) >> 1)
	if n.Sign() < 0 {
		return -most - 1, nil
	}
	return most, nil
}

func (c *call) float(i int) (float64, error) {
	f, ok := asFloat(c.args[i])
	if !ok {
		return 0, errArgument(c.name, i, "a number", c.args[i])
	}
	return f, nil
}

func (c *call) list(i int) ([]Value, error) {
	l, ok := c.args[i].(*List)
	if !ok {
		return nil, errArgument(c.name, i, "a List", c.args[i])
	}
	return l.items, c.w.spend(len(l.items))
}

func (c *call) mapping(i int) (*Map, error) {
	m, ok := c.args[i].(*Map)
	if !ok {
		return nil, errArgument(c.name, i, "a Map", c.args[i])
	}
	return m, nil
}

func (c *call) function(i int) (*Function, error) {
	f, ok := c.args[i].(*Function)
	if !ok {
		return nil, errArgument(c.name, i, "a Function", c.args[i])
	}
	return f, nil
}

// strs reads the arguments from i on as texts.
func (c *call) strs(i int) ([]string, error) {
	var out []string
	for ; i < len(c.args); i++ {
		s, err := c.str(i)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// predicate calls a function whose result must be a condition.
func (c *call) predicate(f *Function, v Value) (bool, error) {
	r, err := c.w.apply(f, v)
	if err != nil {
		return false, err
	}
	return condition(r)
}
