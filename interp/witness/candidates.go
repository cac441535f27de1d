package witness

import (
	"math/big"
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/interp"
)

// most bounds the candidates for one argument or one answer.
const most = 24

// candidates are the values worth trying at one place, likeliest first. What memory holds
// goes after the first front of them.
type candidates struct {
	values []interp.Value
	front  int
	seen   map[string]bool
}

func (c *candidates) add(v interp.Value) {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if len(c.values) == most {
		return
	}
	if text := interp.Quote(v); !c.seen[text] {
		c.seen[text] = true
		c.values = append(c.values, v)
	}
}

func (c *candidates) texts(list []string) {
	for _, s := range list {
		c.add(interp.String(s))
	}
}

// memoryHere marks the place of what memory holds, the first time.
func (c *candidates) memoryHere() {
	if c.front < 0 {
		c.front = len(c.values)
	}
}

// freshIDs name the instances that a search creates when nothing else suggests an id.
var freshIDs = [...]string{"w1", "w2"}

// forParam are the candidates for a parameter that no state changes, at least one: a fresh
// id where one is wanted, then what tests compare the parameter with, then the rest.
func (s *search) forParam(r *reading, p resolve.Param) *candidates {
	c := &candidates{front: -1}
	if r.ids[p.Name] {
		if p.Type.Kind == resolve.IntType {
			c.add(interp.NewInt(1))
		} else {
			c.add(interp.String(freshIDs[0]))
		}
	}
	if h := r.hints[p.Name]; h != nil {
		if h.memory {
			c.memoryHere()
		}
		c.literals(p.Type, &h.literals)
	}
	s.fill(c, p.Type, r, 0)
	if len(c.values) == 0 {
		c.add(interp.Unit{})
	}
	c.memoryHere()
	return c
}

// in are the candidates for a parameter in a state: the ids of its instances where an id is
// wanted, then the others with what memory holds in its place.
func (c *candidates) in(n *node, t *resolve.Type, id bool) []interp.Value {
	var early, late []interp.Value
	if id {
		for _, id := range n.ids[:min(len(n.ids), 4)] {
			if v, ok := idOf(id, t); ok {
				early = append(early, v)
			}
		}
	}
	for _, v := range n.stored {
		if t.Kind == resolve.AnyType || v.Kind().String() == t.String() {
			late = append(late, v)
		}
	}
	out := make([]interp.Value, 0, len(early)+len(late)+len(c.values))
	out = append(out, early...)
	for i := range c.values {
		if i == c.front {
			out = addNew(out, late)
		}
		out = addNew(out, c.values[i:i+1])
	}
	if c.front == len(c.values) {
		out = addNew(out, late)
	}
	return out
}

// addNew appends the values that are not there yet.
func addNew(list, values []interp.Value) []interp.Value {
	for _, v := range values {
		if !slices.ContainsFunc(list, func(x interp.Value) bool { return sameScalar(x, v) }) {
			list = append(list, v)
		}
	}
	return list
}

func sameScalar(a, b interp.Value) bool {
	if s, ok := a.(interp.String); ok {
		t, ok := b.(interp.String)
		return ok && s == t
	}
	i, ok := a.(interp.Int)
	j, ok2 := b.(interp.Int)
	return ok && ok2 && i.Big().Cmp(j.Big()) == 0
}

func idOf(id string, t *resolve.Type) (interp.Value, bool) {
	if t.Kind != resolve.IntType {
		return interp.String(id), true
	}
	n, ok := new(big.Int).SetString(id, 10)
	if !ok {
		return nil, false
	}
	return interp.BigInt(n), true
}

// literals adds the literals that fit a type, and the numbers around them.
func (c *candidates) literals(t *resolve.Type, l *literals) {
	if t.Kind == resolve.StringType || t.Kind == resolve.AnyType {
		c.texts(l.texts)
	}
	if t.Kind == resolve.IntType || t.Kind == resolve.AnyType {
		c.near(l.ints)
	}
	if t.Kind == resolve.FloatType {
		c.nearFloats(l)
	}
}

// near adds each Int and its neighbours: comparisons turn there.
func (c *candidates) near(list []interp.Int) {
	for _, i := range list {
		for _, d := range []int64{0, 1, -1} {
			c.add(interp.BigInt(new(big.Int).Add(i.Big(), big.NewInt(d))))
		}
	}
}

func (c *candidates) nearFloats(l *literals) {
	numbers := slices.Clone(l.floats)
	for _, i := range l.ints {
		f, _ := new(big.Float).SetInt(i.Big()).Float64()
		numbers = append(numbers, f)
	}
	for _, f := range numbers {
		for _, d := range []float64{0, 0.5, -0.5} {
			c.add(interp.Float(f + d))
		}
	}
}

// fill adds the candidates of a type.
func (s *search) fill(c *candidates, t *resolve.Type, r *reading, depth int) {
	switch t.Kind {
	case resolve.StringType:
		s.texts(c, r)
	case resolve.IntType:
		s.ints(c, r)
	case resolve.FloatType:
		s.floats(c, r)
	case resolve.BoolType:
		c.add(interp.Bool(true))
		c.add(interp.Bool(false))
	case resolve.UnitType:
		c.add(interp.Unit{})
	case resolve.ListType:
		s.lists(c, t, r, depth)
	case resolve.MapType, resolve.RecordType:
		s.records(c, t, r, depth)
	case resolve.SumTypeKind:
		s.variants(c, t.Sum, r, depth)
	case resolve.AnyType:
		s.texts(c, r)
		s.ints(c, r)
		c.add(interp.Bool(true))
		c.add(interp.Bool(false))
	}
}

func (s *search) texts(c *candidates, r *reading) {
	c.texts(freshIDs[:1])
	c.texts(r.tested.texts)
	c.memoryHere()
	c.texts(r.own.texts)
	c.add(interp.String(""))
	c.texts(r.all.texts)
	c.texts(freshIDs[1:])
	c.texts(s.everywhere.texts)
}

func (s *search) ints(c *candidates, r *reading) {
	c.add(interp.NewInt(1))
	c.near(r.tested.ints)
	c.add(interp.NewInt(0))
	c.memoryHere()
	c.near(r.own.ints)
	c.add(interp.NewInt(-1))
	c.add(interp.NewInt(1_000_000))
	c.near(r.all.ints)
	c.near(s.everywhere.ints)
}

func (s *search) floats(c *candidates, r *reading) {
	for _, l := range []*literals{r.tested, r.own, r.all, s.everywhere} {
		c.nearFloats(l)
		for _, f := range []float64{1, 0, -1} {
			c.add(interp.Float(f))
		}
	}
}

// inner are a few candidates for a part of a value.
func (s *search) inner(t *resolve.Type, r *reading, depth int) []interp.Value {
	if t == nil {
		t = resolve.Any
	}
	c := &candidates{front: -1}
	if depth < 3 {
		s.fill(c, t, r, depth+1)
	}
	if len(c.values) == 0 {
		c.add(interp.Unit{})
	}
	return c.values[:min(len(c.values), 8)]
}

func (s *search) lists(c *candidates, t *resolve.Type, r *reading, depth int) {
	items := s.inner(t.Elem, r, depth)
	c.add(interp.NewList(items[0]))
	c.add(interp.NewList())
	for _, v := range items[1:] {
		c.add(interp.NewList(v))
	}
	if len(items) > 1 {
		c.add(interp.NewList(items[0], items[1]))
	}
	c.add(interp.NewList(items[0], items[0], items[0]))
}

// records are maps with every field that the handler reads, each field with the same value.
func (s *search) records(c *candidates, t *resolve.Type, r *reading, depth int) {
	build := func(v interp.Value) interp.Value {
		m := interp.NewMap()
		if t.Kind == resolve.RecordType {
			m = m.With("_type", interp.String(t.Name))
		}
		for _, f := range r.all.fields {
			m = m.With(f, v)
		}
		return m
	}
	for _, v := range s.inner(t.Elem, r, depth) {
		c.add(build(v))
	}
	if t.Kind == resolve.MapType {
		c.add(interp.NewMap())
	}
}

func (s *search) variants(c *candidates, sum *resolve.SumType, r *reading, depth int) {
	if depth > 2 {
		return
	}
	for round := range 4 {
		for _, v := range sum.Variants {
			fields := make([]interp.Value, len(v.Fields))
			for i, f := range v.Fields {
				values := s.inner(f.Type, r, depth)
				fields[i] = values[min(round, len(values)-1)]
			}
			c.add(interp.NewVariant(v, fields...))
		}
	}
}

// answers are texts that a model may give inside a handler: the literals its tests compare
// with, numbers near the Int literals, nothing, and something odd.
func (s *search) answers(r *reading) []string {
	c := &candidates{front: -1}
	c.texts(r.tested.texts)
	for _, l := range []*literals{r.tested, r.all} {
		near := &candidates{}
		near.near(l.ints)
		for _, v := range near.values[:min(len(near.values), 9)] {
			c.add(interp.String(interp.Render(v)))
		}
	}
	c.texts([]string{"", "~ something else ~"})
	c.texts(r.own.texts)
	c.texts(r.all.texts)
	c.texts(s.everywhere.texts)
	out := make([]string, len(c.values))
	for i, v := range c.values {
		out[i] = interp.Render(v)
	}
	return out
}

// objects are maps with every field that the handler reads, each with the same value.
func (s *search) objects(r *reading) []interp.Value {
	c := &candidates{front: -1}
	c.texts(s.answers(r))
	s.ints(c, r)
	c.add(interp.Bool(true))
	c.add(interp.Bool(false))
	out := make([]interp.Value, len(c.values), len(c.values)+1)
	for i, v := range c.values {
		m := interp.NewMap()
		for _, f := range r.all.fields {
			m = m.With(f, v)
		}
		out[i] = m
	}
	return append(out, interp.NewMap())
}

// objectTexts are JSON answers of a model.
func (s *search) objectTexts(r *reading) []string {
	var out []string
	for _, v := range s.objects(r) {
		if text := interp.ToJSON(v); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// networkReplies are bodies with the fields that are read, a failure, which alone has the field
// error, and plain texts.
func (s *search) networkReplies(r *reading) []interp.Value {
	out := s.objects(r)
	for i, v := range out {
		out[i] = v.(*interp.Map).Without("error")
	}
	out = slices.Insert(out, 1, interp.NetworkFailure("network", "no route"))
	for _, text := range s.answers(r) {
		out = append(out, interp.String(text))
	}
	return out
}
