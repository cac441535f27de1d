package witness

import (
	"math/big"
	"slices"

	"soma.cell/interp"
)

// small makes a case small, by what is left out and by simpler values in place of others, as
// long as it is refused for the same reason. It is greedy and always tries in the same order.
func (r *refuser) small(c *Case) {
	r.runs, r.spent = 0, 0
	for again := true; again; {
		again = r.shorter(c) || r.renamed(c) || r.simpler(c)
	}
}

// keep takes a case in place of c when it is still refused.
func (r *refuser) keep(c *Case, next Case) bool {
	if r.exhausted() || r.refused(&next, strict(&next)) == nil {
		return false
	}
	*c = next
	return true
}

// shorter leaves out entries, states and answers.
func (r *refuser) shorter(c *Case) (progress bool) {
	for i := len(c.Entries) - 1; i >= 0; i-- {
		next := *c
		next.Entries = slices.Delete(slices.Clone(c.Entries), i, i+1)
		progress = r.keep(c, next) || progress
	}
	for i := len(c.Status) - 1; i >= 0; i-- {
		next := *c
		next.Status = slices.Delete(slices.Clone(c.Status), i, i+1)
		progress = r.keep(c, next) || progress
	}
	for i := len(c.Given) - 1; i >= 0; i-- {
		next := *c
		next.Given = slices.Delete(slices.Clone(c.Given), i, i+1)
		progress = r.keep(c, next) || progress
	}
	return progress
}

// names are the texts that a small case uses, in this order.
var names = [...]string{"a", "b", "c", "d"}

// renamed gives each text of the case, wherever it stands, the first name that is free.
func (r *refuser) renamed(c *Case) (progress bool) {
	for _, old := range c.texts() {
		if old == "" {
			continue
		}
		for _, name := range names {
			if name == old {
				break
			}
			if slices.Contains(c.texts(), name) {
				continue
			}
			if r.keep(c, c.each(func(v interp.Value) interp.Value {
				if v == interp.String(old) {
					return interp.String(name)
				}
				return v
			})) {
				progress = true
				break
			}
		}
	}
	return progress
}

// texts are the texts of a case, each once, in order.
func (c *Case) texts() []string {
	var out []string
	c.each(func(v interp.Value) interp.Value {
		if s, ok := v.(interp.String); ok && !slices.Contains(out, string(s)) {
			out = append(out, string(s))
		}
		return v
	})
	return out
}

// each is the case with every value replaced: arguments first, then what was stored, answered
// and given.
func (c *Case) each(by func(interp.Value) interp.Value) Case {
	next := *c
	next.Args, next.Entries, next.Status = slices.Clone(c.Args), slices.Clone(c.Entries), slices.Clone(c.Status)
	next.Answers, next.Given = slices.Clone(c.Answers), slices.Clone(c.Given)
	next.Replies = slices.Clone(c.Replies)
	for i, v := range next.Args {
		next.Args[i] = by(v)
	}
	for i, e := range next.Entries {
		next.Entries[i].Key, next.Entries[i].Value = by(e.Key), by(e.Value)
	}
	for i, s := range next.Status {
		if id, ok := by(interp.String(s.ID)).(interp.String); ok {
			next.Status[i].ID = string(id)
		}
	}
	for i, a := range next.Answers {
		if text, ok := by(interp.String(a.Text)).(interp.String); ok {
			next.Answers[i].Text = string(text)
		}
	}
	for i, v := range next.Replies {
		next.Replies[i] = by(v)
	}
	for i, g := range next.Given {
		next.Given[i].Value = by(g.Value)
	}
	return next
}

// simpler replaces one value at a time.
func (r *refuser) simpler(c *Case) (progress bool) {
	places := 0
	c.each(func(v interp.Value) interp.Value { places++; return v })
	for at := range places {
		var old interp.Value
		n := 0
		c.each(func(v interp.Value) interp.Value {
			if n == at {
				old = v
			}
			n++
			return v
		})
		for _, better := range simplerThan(old) {
			n := 0
			if r.keep(c, c.each(func(v interp.Value) interp.Value {
				n++
				if n-1 == at {
					return better
				}
				return v
			})) {
				progress = true
				break
			}
		}
	}
	return progress
}

// simplerThan are values that are simpler than one, the simplest first.
func simplerThan(v interp.Value) []interp.Value {
	var out []interp.Value
	switch v := v.(type) {
	case interp.Int:
		for _, n := range simplerInts(v.Big()) {
			out = append(out, interp.BigInt(n))
		}
	case interp.Float:
		for _, f := range []interp.Float{0, 1, -1} {
			if f == v {
				break
			}
			out = append(out, f)
		}
	case interp.String:
		if v != "" && !slices.Contains(names[:], string(v)) {
			out = append(out, interp.String(""))
			if n, ok := new(big.Int).SetString(string(v), 10); ok {
				for _, m := range simplerInts(n) {
					out = append(out, interp.String(m.String()))
				}
			}
			if runes := []rune(string(v)); len(runes) > 1 {
				out = append(out, interp.String(runes[:len(runes)/2]), interp.String(runes[:len(runes)-1]))
			}
		}
	case interp.Bool:
		if v {
			out = append(out, interp.Bool(false))
		}
	case *interp.List:
		items := make([]interp.Value, v.Len())
		for i := range items {
			items[i] = v.At(i)
		}
		return simplerLists(items)
	case *interp.Map:
		for _, k := range v.Keys() {
			if k != "_type" {
				out = append(out, v.Without(k))
			}
		}
		for _, k := range v.Keys() {
			x, _ := v.Get(k)
			for _, y := range simplerThan(x) {
				out = append(out, v.With(k, y))
			}
		}
	}
	return out
}

// simplerInts are those nearer to 0, where a positive one is simpler than its negative.
func simplerInts(n *big.Int) []*big.Int {
	if n.Sign() == 0 {
		return nil
	}
	var out []*big.Int
	abs := new(big.Int).Abs(n)
	for _, m := range []*big.Int{
		big.NewInt(0), big.NewInt(1), big.NewInt(-1), new(big.Int).Quo(n, big.NewInt(2)),
		new(big.Int).Sub(n, big.NewInt(int64(n.Sign()))),
	} {
		less := new(big.Int).Abs(m).Cmp(abs)
		if less < 0 || less == 0 && m.Sign() > n.Sign() {
			out = append(out, m)
		}
	}
	return out
}

func simplerLists(items []interp.Value) []interp.Value {
	var out []interp.Value
	if len(items) > 1 {
		out = append(out, interp.NewList())
	}
	for i := range items {
		out = append(out, interp.NewList(slices.Delete(slices.Clone(items), i, i+1)...))
	}
	for i, v := range items {
		for _, better := range simplerThan(v) {
			next := slices.Clone(items)
			next[i] = better
			out = append(out, interp.NewList(next...))
		}
	}
	return out
}
