package kernel

import (
	"slices"
	"strconv"

	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// closure is a congruence closure without any cleverness: a union-find over the subterms of a
// few lines, closed by passes until nothing changes. Every line is equal to true. Besides
// congruence: an equation (an unordered pair) between members of one class is true, between
// different literals false; the sides of a true equation are equal; not p is the opposite of p.
// Cost: passes × terms; each pass but the last joins two classes.
type closure struct {
	bank    *term.Bank
	heads   *heads
	size    int // of the nodes with their arguments
	nodes   []int
	parent  map[int]int
	literal map[int]int // of a class
	clash   bool        // different literals are equal
	changed bool
}

// closureOf closes the lines that l names, with the subterms of the claim entered.
func (d *derivation) closureOf(l cert.Line, claim *term.Term) (*closure, *Error) {
	c := &closure{bank: d.bank, heads: d.heads, parent: map[int]int{}, literal: map[int]int{}}
	c.enter(term.True)
	c.enter(term.False)
	c.enter(claim)
	for _, f := range l.From {
		c.enter(d.term(f))
		c.join(d.claims[f], d.bank.Add(term.True))
	}
	for c.changed = true; c.changed && !c.clash; {
		if !d.work.spend(c.size) {
			return nil, errWork()
		}
		c.pass()
	}
	return c, nil
}

func (c *closure) enter(t *term.Term) {
	id := c.bank.Add(t)
	if _, ok := c.parent[id]; ok {
		return
	}
	for _, a := range t.Args {
		c.enter(a)
	}
	c.nodes = append(c.nodes, id)
	c.size += 2 + len(t.Args)
	c.parent[id] = id
	switch t.Op {
	case term.OpTrue, term.OpFalse, term.OpInt, term.OpString, term.OpEnum:
		c.literal[id] = id
	}
}

func (c *closure) root(id int) int {
	for c.parent[id] != id {
		id, c.parent[id] = c.parent[id], c.parent[c.parent[id]]
	}
	return id
}

func (c *closure) join(a, b int) {
	a, b = c.root(a), c.root(b)
	if a == b {
		return
	}
	la, hasA := c.literal[a]
	lb, hasB := c.literal[b]
	c.clash = c.clash || hasA && hasB && la != lb
	c.parent[a], c.changed = b, true
	if hasA {
		c.literal[b] = la
	}
}

func (c *closure) pass() {
	c.changed = false
	signature := map[string]int{}
	for _, id := range c.nodes {
		t := c.bank.Term(id)
		if len(t.Args) == 0 {
			continue
		}
		key := c.key(id, t)
		if other, ok := signature[key]; ok {
			c.join(id, other)
		} else {
			signature[key] = id
		}
		switch t.Op {
		case term.OpEq:
			c.equation(id, c.bank.Add(t.Args[0]), c.bank.Add(t.Args[1]))
		case term.OpNot:
			c.opposite(id, c.bank.Add(t.Args[0]))
			c.opposite(c.bank.Add(t.Args[0]), id)
		}
	}
}

func (c *closure) equation(id, a, b int) {
	la, hasA := c.literal[c.root(a)]
	lb, hasB := c.literal[c.root(b)]
	switch {
	case c.root(a) == c.root(b):
		c.join(id, c.bank.Add(term.True))
	case hasA && hasB && la != lb:
		c.join(id, c.bank.Add(term.False))
	}
	if c.root(id) == c.root(c.bank.Add(term.True)) {
		c.join(a, b)
	}
}

// opposite: when p is true or false, its opposite is the other one.
func (c *closure) opposite(id, p int) {
	yes, no := c.bank.Add(term.True), c.bank.Add(term.False)
	switch c.root(p) {
	case c.root(yes):
		c.join(id, no)
	case c.root(no):
		c.join(id, yes)
	}
}

// key is the head of a node with the classes of its arguments.
func (c *closure) key(id int, t *term.Term) string {
	roots := make([]int, len(t.Args))
	for i, a := range t.Args {
		roots[i] = c.root(c.bank.Add(a))
	}
	if t.Op == term.OpEq {
		slices.Sort(roots)
	}
	key := strconv.AppendInt(nil, int64(c.heads.number(id, t)), 10)
	for _, r := range roots {
		key = strconv.AppendInt(append(key, ' '), int64(r), 10)
	}
	return string(key)
}

// heads numbers the operators of terms, with their names and sorts: a name or a sort may be long.
type heads struct {
	numbers map[string]int
	of      map[int]int // by term
}

func newHeads() *heads { return &heads{numbers: map[string]int{}, of: map[int]int{}} }

func (h *heads) number(id int, t *term.Term) int {
	if n, ok := h.of[id]; ok {
		return n
	}
	text := t.Op.String() + " " + strconv.Quote(t.Name) + " " + t.Sort.String()
	if _, ok := h.numbers[text]; !ok {
		h.numbers[text] = len(h.numbers)
	}
	h.of[id] = h.numbers[text]
	return h.of[id]
}

func (c *closure) isTrue(t *term.Term) bool {
	return c.root(c.bank.Add(t)) == c.root(c.bank.Add(term.True))
}
