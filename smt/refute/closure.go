package refute

import (
	"encoding/binary"
	"slices"

	"soma.cell/smt/term"
)

// Congruence closure with explanations, after Nieuwenhuis and Oliveras (RTA 2005): union-find
// with lists of members and of uses, and beside it a forest of the merges in which the way
// between two members of a class tells why they are equal. Formulas are terms too: asserting
// one merges it with true. Besides congruence (equations taken as unordered pairs) it knows:
//
//	an equation between members of one class is true, between different literals false;
//	the sides of a true equation are equal; not p is the opposite of p.
//
// Cost: O(n log n) merges, each use looked up again at most log n times.

type reasonKind uint8

const (
	byLine      reasonKind = iota // a fact
	byArgs                        // congruence of the two ends
	bySame                        // equation node: its sides are equal
	byDifferent                   // equation node: its sides equal different literals a and b
	bySides                       // the two ends are the sides of the true equation node
	byNot                         // node and its argument have opposite truth values
)

type reason struct {
	kind       reasonKind
	line, node int
	crossed    bool // byArgs of equations: the left side of one with the right side of the other
	a, b       int  // literals of byDifferent
}

type merge struct {
	a, b int
	why  reason
}

// closure speaks of terms by their index in the bank.
type closure struct {
	bank      *term.Bank
	truth     [2]int        // the indices of false and true
	nodes     []int         // registered, in order
	args      map[int][]int // of a registered node
	root      map[int]int
	members   map[int][]int
	uses      map[int][]int
	literal   map[int]int // of a class that has one
	signature map[string]int
	next      map[int]int // forest: towards the root of the explanation tree
	why       map[int]reason
	queue     []merge
	clash     *[2]int // two different literals that became equal
}

func newClosure(bank *term.Bank) *closure {
	c := &closure{
		bank: bank, args: map[int][]int{}, root: map[int]int{}, members: map[int][]int{}, uses: map[int][]int{},
		literal: map[int]int{}, signature: map[string]int{}, next: map[int]int{}, why: map[int]reason{},
	}
	c.truth = [2]int{bank.Add(term.False), bank.Add(term.True)}
	c.register(c.truth[0])
	c.register(c.truth[1])
	return c
}

func isDistinctLiteral(t *term.Term) bool {
	return t.IsLiteral() && t.Op != term.OpFloat && t.Op != term.OpUnit
}

// register enters a term and its subterms.
func (c *closure) register(id int) {
	if _, ok := c.root[id]; ok {
		return
	}
	t := c.bank.Term(id)
	args := make([]int, len(t.Args))
	for i, a := range t.Args {
		args[i] = c.bank.Add(a)
		c.register(args[i])
	}
	c.args[id] = args
	c.nodes = append(c.nodes, id)
	c.root[id] = id
	c.members[id] = []int{id}
	if isDistinctLiteral(t) {
		c.literal[id] = id
	}
	for _, a := range args {
		r := c.root[a]
		c.uses[r] = append(c.uses[r], id)
	}
	if len(t.Args) > 0 {
		c.review(id)
	}
}

// assert merges a formula with true.
func (c *closure) assert(id, line int) {
	c.register(id)
	c.queue = append(c.queue, merge{id, c.truth[1], reason{kind: byLine, line: line}})
}

// close works off the queue; it stops at a clash.
func (c *closure) close() {
	for len(c.queue) > 0 && c.clash == nil {
		m := c.queue[0]
		c.queue = c.queue[1:]
		c.merge(m)
	}
}

func (c *closure) merge(m merge) {
	ra, rb := c.root[m.a], c.root[m.b]
	if ra == rb {
		return
	}
	c.link(m)
	la, hasA := c.literal[ra]
	lb, hasB := c.literal[rb]
	if hasA && hasB {
		c.clash = &[2]int{la, lb}
		return
	}
	if len(c.members[ra]) > len(c.members[rb]) {
		ra, rb = rb, ra
	}
	_, knownA := c.value(ra)
	_, knownB := c.value(rb)
	var decided []int // members whose truth value is new
	switch {
	case knownA && !knownB:
		decided = slices.Clone(c.members[rb])
	case knownB && !knownA:
		decided = c.members[ra]
	}
	touched := c.uses[ra]
	if hasA != hasB {
		touched = append(slices.Clone(touched), c.uses[rb]...)
	}
	for _, id := range c.members[ra] {
		c.root[id] = rb
	}
	c.members[rb] = append(c.members[rb], c.members[ra]...)
	c.uses[rb] = append(c.uses[rb], c.uses[ra]...)
	if l, ok := c.literal[ra]; ok {
		c.literal[rb] = l
	}
	for _, id := range touched {
		c.review(id)
	}
	for _, id := range decided {
		truth, _ := c.value(rb)
		c.unfold(id, truth)
	}
}

// link adds an edge to the forest, turning the way from a round so that a is a root.
func (c *closure) link(m merge) {
	node, next, why := m.a, m.b, m.why
	for {
		oldNext, ok := c.next[node]
		oldWhy := c.why[node]
		c.next[node], c.why[node] = next, why
		if !ok {
			return
		}
		node, next, why = oldNext, node, oldWhy
	}
}

// value is the truth value of a term's class, if it has one.
func (c *closure) value(id int) (truth, known bool) {
	r, ok := c.root[id]
	if !ok {
		return false, false
	}
	switch r {
	case c.root[c.truth[1]]:
		return true, true
	case c.root[c.truth[0]]:
		return false, true
	}
	return false, false
}

// review looks at a node whose arguments' classes changed.
func (c *closure) review(id int) {
	t := c.bank.Term(id)
	key := c.key(id)
	if other, ok := c.signature[key]; !ok {
		c.signature[key] = id
	} else if c.root[other] != c.root[id] {
		c.queue = append(c.queue, merge{id, other, reason{kind: byArgs, crossed: c.crossed(id, other)}})
	}
	switch t.Op {
	case term.OpEq:
		a, b := c.root[c.args[id][0]], c.root[c.args[id][1]]
		la, hasA := c.literal[a]
		lb, hasB := c.literal[b]
		switch {
		case a == b:
			c.queue = append(c.queue, merge{id, c.truth[1], reason{kind: bySame, node: id}})
		case hasA && hasB:
			c.queue = append(c.queue, merge{id, c.truth[0], reason{kind: byDifferent, node: id, a: la, b: lb}})
		}
	case term.OpNot:
		if truth, known := c.value(c.args[id][0]); known {
			c.queue = append(c.queue, merge{id, c.truth[index(!truth)], reason{kind: byNot, node: id}})
		}
	}
}

// crossed tells which sides of two congruent equations match. It must be settled now: later
// merges, which rest on this one, may make the other sides match as well.
func (c *closure) crossed(a, b int) bool {
	return c.bank.Term(a).Op == term.OpEq && !c.same(c.args[a][0], c.args[b][0])
}

// unfold draws what follows from the truth of a node.
func (c *closure) unfold(id int, truth bool) {
	t := c.bank.Term(id)
	switch {
	case t.Op == term.OpEq && truth:
		a, b := c.bank.Add(t.Args[0]), c.bank.Add(t.Args[1])
		if c.root[a] != c.root[b] {
			c.queue = append(c.queue, merge{a, b, reason{kind: bySides, node: id}})
		}
	case t.Op == term.OpNot:
		a := c.bank.Add(t.Args[0])
		if _, known := c.value(a); !known {
			c.queue = append(c.queue, merge{a, c.truth[index(!truth)], reason{kind: byNot, node: id}})
		}
	}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// key is the head of a node with the classes of its arguments, the sides of an equation in order.
func (c *closure) key(id int) string {
	t, args := c.bank.Term(id), c.args[id]
	b := binary.AppendUvarint(make([]byte, 0, 64), uint64(t.Op))
	if t.Op == term.OpApp {
		for _, text := range []string{t.Name, t.Sort.String()} {
			b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
		}
	}
	turned := t.Op == term.OpEq && c.root[args[0]] > c.root[args[1]]
	for i := range args {
		if turned {
			i = len(args) - 1 - i
		}
		b = binary.AppendUvarint(b, uint64(c.root[args[i]]))
	}
	return string(b)
}

// same tells whether two terms are known to be equal.
func (c *closure) same(a, b int) bool {
	ra, ok := c.root[a]
	rb, ok2 := c.root[b]
	return ok && ok2 && ra == rb
}

// explain returns the lines that make a and b equal.
func (c *closure) explain(pairs ...[2]int) []int {
	x := explanation{c: c, seen: map[int]bool{}, lines: map[int]bool{}}
	for _, p := range pairs {
		x.pair(p[0], p[1])
	}
	return sortedKeys(x.lines)
}

type explanation struct {
	c     *closure
	seen  map[int]bool // edges of the forest, by their lower end
	lines map[int]bool
	todo  [][2]int
}

func (x *explanation) pair(a, b int) {
	x.todo = append(x.todo, [2]int{a, b})
	for len(x.todo) > 0 {
		p := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		x.way(p[0], p[1])
	}
}

// way walks from both ends to where their ways to the root meet.
func (x *explanation) way(a, b int) {
	above := map[int]bool{}
	for n := a; ; {
		above[n] = true
		up, ok := x.c.next[n]
		if !ok {
			break
		}
		n = up
	}
	meet := b
	for !above[meet] {
		meet = x.c.next[meet]
	}
	for _, end := range []int{a, b} {
		for n := end; n != meet; n = x.c.next[n] {
			if !x.seen[n] {
				x.seen[n] = true
				x.edge(n, x.c.next[n], x.c.why[n])
			}
		}
	}
}

func (x *explanation) edge(a, b int, why reason) {
	c := x.c
	switch why.kind {
	case byLine:
		x.lines[why.line] = true
	case byArgs:
		x.args(a, b, why.crossed)
	case bySame, byDifferent:
		t := c.bank.Term(why.node)
		l, r := c.bank.Add(t.Args[0]), c.bank.Add(t.Args[1])
		if why.kind == bySame {
			x.todo = append(x.todo, [2]int{l, r})
		} else {
			x.todo = append(x.todo, [2]int{l, why.a}, [2]int{r, why.b})
		}
	case bySides:
		x.todo = append(x.todo, [2]int{why.node, c.truth[1]})
	case byNot:
		x.opposite(a, b, why.node)
	}
}

// args explains a congruence.
func (x *explanation) args(a, b int, crossed bool) {
	c := x.c
	ta, tb := c.bank.Term(a), c.bank.Term(b)
	n := len(ta.Args)
	for i := range n {
		j := i
		if crossed {
			j = n - 1 - i
		}
		x.todo = append(x.todo, [2]int{c.bank.Add(ta.Args[i]), c.bank.Add(tb.Args[j])})
	}
}

// opposite explains an edge between a truth value and one of not p and p: by the other one
// having the other value.
func (x *explanation) opposite(a, b, node int) {
	c := x.c
	arg := c.bank.Add(c.bank.Term(node).Args[0])
	truth := a
	end := b
	if a != c.truth[0] && a != c.truth[1] {
		truth, end = b, a
	}
	other := c.truth[0]
	if truth == c.truth[0] {
		other = c.truth[1]
	}
	if end == node {
		x.todo = append(x.todo, [2]int{arg, other})
	} else {
		x.todo = append(x.todo, [2]int{node, other})
	}
}
