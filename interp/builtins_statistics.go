package interp

import (
	"math"
	"slices"

	"soma.cell/frontend/syntax"
)

func statisticsBuiltins() map[string]impl {
	return map[string]impl{
		"avg": builtinAvg, "median": builtinMedian, "quantile": builtinQuantile,
		"variance": spread(1, false), "stdev": spread(1, true),
		"pvariance": spread(0, false), "pstdev": spread(0, true), "stddev": spread(0, true),
	}
}

// mean stays an Int when it is exact, and is () of nothing.
func mean(items []Value) (Value, error) {
	if len(items) == 0 {
		return Unit{}, nil
	}
	total, err := foldNumbers(syntax.AddOp, items, 0)
	if err != nil {
		return nil, err
	}
	return arithmetic(syntax.DivOp, total, NewInt(int64(len(items))))
}

func builtinAvg(c *call) (Value, error) {
	items, err := c.list(0)
	if err == nil {
		err = c.w.payFor(items...)
	}
	if err != nil {
		return nil, err
	}
	return mean(items)
}

// sortedNumbers are the numbers of a list argument, ascending, NaN last.
func (c *call) sortedNumbers() ([]Value, error) {
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	for _, v := range items {
		if !isNumber(v) {
			return nil, errType("%s needs numbers, this is %s", c.name, aKind(v))
		}
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Value) int { return ascending(a, b) })
	return items, nil
}

func builtinMedian(c *call) (Value, error) {
	items, err := c.sortedNumbers()
	if err != nil {
		return nil, err
	}
	n := len(items)
	switch {
	case n == 0:
		return Unit{}, nil
	case n%2 == 1:
		return items[n/2], nil
	}
	return mean(items[n/2-1 : n/2+1])
}

// builtinQuantile interpolates linearly between neighbours.
func builtinQuantile(c *call) (Value, error) {
	items, err := c.sortedNumbers()
	if err != nil {
		return nil, err
	}
	q, err := c.float(1)
	if err != nil {
		return nil, err
	}
	if !(q >= 0 && q <= 1) {
		return nil, errRange("quantile needs a share in 0..1, not %s", brief(c.args[1]))
	}
	if len(items) == 0 {
		return Unit{}, nil
	}
	at := q * float64(len(items)-1)
	i := int(math.Floor(at))
	if part := at - float64(i); part > 0 {
		lo, _ := asFloat(items[i])
		hi, _ := asFloat(items[i+1])
		return Float(lo + part*(hi-lo)), nil
	}
	return items[i], nil
}

// spread is a variance or standard deviation; less is 1 for a sample, 0 for a population.
func spread(less int, root bool) impl {
	return func(c *call) (Value, error) {
		items, err := c.sortedNumbers()
		if err != nil {
			return nil, err
		}
		n := len(items)
		if n <= less {
			return Unit{}, nil
		}
		sum := 0.0
		for _, v := range items {
			f, _ := asFloat(v)
			sum += f
		}
		centre, squares := sum/float64(n), 0.0
		for _, v := range items {
			f, _ := asFloat(v)
			squares += (f - centre) * (f - centre)
		}
		out := squares / float64(n-less)
		if root {
			out = math.Sqrt(out)
		}
		return Float(out), nil
	}
}
