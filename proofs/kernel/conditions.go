package kernel

import (
	"slices"
	"strconv"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// The kernel's own generator of conditions, from docs/conditions.md alone: passive form
// (Flanagan and Saxe, POPL 2001), one symbolic state a location, fresh constants where paths
// meet and at the heads of loops. Cost: locations × (variables + slots), and for each site the
// joins before it.

// generator makes the conditions of one system.
type generator struct {
	*layout
	sets   map[*ir.Automaton]writeSet // what each handler may write
	bodies map[*ir.Automaton]*body
	sizes  map[*term.Term]int
	facts  map[spot][]*fact // what is assumed at heads and of calls
	work   *budget
}

func newGenerator(s *ir.System, work *budget) *generator {
	g := &generator{layout: newLayout(s), bodies: map[*ir.Automaton]*body{}, sizes: map[*term.Term]int{}, work: work}
	g.sets = g.writeSets()
	return g
}

// body holds what is known at each location of an automaton.
type body struct {
	g       *generator
	a       *ir.Automaton
	index   map[string]int // of variables by name
	leaving [][]int        // the edges of a location
	loops   map[ir.Loc]*ir.Loop
	heads   map[ir.Loc]*head // of the loops that are reached
	states  []*state         // nil where no counted edge leads
	paths   [][]*term.Term
	axioms  [][]*term.Term // of the join at a location
	order   []ir.Loc
	into    [][]int // the counted forward edges into a location, ascending
	counted []bool  // by edge
}

// body walks an automaton, once.
func (g *generator) body(a *ir.Automaton) *body {
	if b, ok := g.bodies[a]; ok {
		return b
	}
	b := &body{
		g: g, a: a, index: map[string]int{}, leaving: make([][]int, a.Locs), loops: map[ir.Loc]*ir.Loop{}, heads: map[ir.Loc]*head{},
		states: make([]*state, a.Locs), paths: make([][]*term.Term, a.Locs), axioms: make([][]*term.Term, a.Locs),
		into: make([][]int, a.Locs), counted: make([]bool, len(a.Edges)),
	}
	for i, v := range a.Vars {
		b.index[v.Term.Name] = i
	}
	for n, e := range a.Edges {
		b.leaving[e.From] = append(b.leaving[e.From], n)
	}
	for _, loop := range a.Loops {
		b.loops[loop.Head] = loop
	}
	b.order = topological(a)
	for _, l := range b.order {
		if g.work.spend(1) {
			b.visit(l)
		}
	}
	g.bodies[a] = b
	return b
}

// forward tells whether states are followed along an edge. What happens on back edges and on
// those into Raised is judged, but leads nowhere.
func forward(e *ir.Edge) bool { return !e.Back && e.To != ir.Raised }

// topological sorts the locations by the forward edges; of those that are free, the smallest
// number comes first.
func topological(a *ir.Automaton) []ir.Loc {
	waiting := make([]int, a.Locs)
	leaving := make([][]ir.Loc, a.Locs)
	for _, e := range a.Edges {
		if forward(e) {
			waiting[e.To]++
			leaving[e.From] = append(leaving[e.From], e.To)
		}
	}
	free := minHeap{}
	for l, n := range waiting {
		if n == 0 {
			free.push(l)
		}
	}
	var order []ir.Loc
	for len(free) > 0 {
		l := free.pop()
		order = append(order, ir.Loc(l))
		for _, to := range leaving[l] {
			if waiting[to]--; waiting[to] == 0 {
				free.push(int(to))
			}
		}
	}
	return order
}

// visit finds what is known at a location, then which of the edges that leave it count.
func (b *body) visit(l ir.Loc) {
	if l == ir.Raised {
		return
	}
	switch edges := b.into[l]; {
	case l == ir.Entry:
		b.states[l] = b.entry()
	case len(edges) == 0:
		return
	case len(edges) == 1:
		at := b.after(edges[0], len(b.a.Edges[edges[0]].Effects))
		b.states[l], b.paths[l] = at.state, at.path
	default:
		slices.Sort(edges)
		b.join(l, edges)
	}
	if loop := b.loops[l]; loop != nil {
		b.heads[l] = &head{path: b.paths[l], state: b.states[l]}
		b.forget(loop)
		b.assume(l)
	}
	for _, n := range b.leaving[l] {
		if e := b.a.Edges[n]; b.eval(b.states[l], e.Guard).Op != term.OpFalse {
			b.counted[n] = true
			if forward(e) {
				b.into[e.To] = append(b.into[e.To], n)
			}
		}
	}
}

// width is the number of terms in a state without transactions.
func (b *body) width() int { return len(b.a.Vars) + len(b.g.names) }

// size is the number of distinct nodes of a term.
func (g *generator) size(t *term.Term) int {
	if n, ok := g.sizes[t]; ok {
		return n
	}
	seen := map[*term.Term]bool{}
	var visit func(t *term.Term)
	visit = func(t *term.Term) {
		if seen[t] || !g.work.spend(1) {
			return
		}
		seen[t] = true
		for _, a := range t.Args {
			visit(a)
		}
	}
	visit(t)
	g.sizes[t] = len(seen)
	return len(seen)
}

// entry: parameters are themselves, everything else is unknown.
func (b *body) entry() *state {
	s := &state{}
	for i, v := range b.a.Vars {
		if i < len(b.a.Params) {
			s.vars = append(s.vars, v.Term)
		} else {
			s.vars = append(s.vars, term.Var(v.Term.Name+"@0", v.Term.Sort))
		}
	}
	for place := range b.g.names {
		s.memory = append(s.memory, b.g.fresh(place, "0"))
	}
	return s
}

// eval is a term of the body in a state.
func (b *body) eval(s *state, t *term.Term) *term.Term {
	if !b.g.work.spend(b.g.size(t)) {
		return t
	}
	return term.Subst(t, func(v *term.Term) *term.Term {
		if i, ok := b.index[v.Name]; ok {
			return s.vars[i]
		}
		return nil
	})
}

// join merges the states of several edges into one.
func (b *body) join(l ir.Loc, edges []int) {
	b.g.work.spend(len(edges) * b.width())
	tag := "L" + strconv.Itoa(int(l))
	var ends []*site
	var items [][]**term.Term
	for _, n := range edges {
		end := b.after(n, len(b.a.Edges[n].Effects))
		ends, items = append(ends, end), append(items, end.state.items())
		for _, t := range end.path {
			b.g.work.spend(len(t.Args)) // a conjunction is taken apart
		}
	}
	merged := ends[0].state.clone()
	if !b.g.work.spend(0) {
		b.states[l] = merged
		return
	}
	definitions := make([][]*term.Term, len(edges))
	for k, item := range merged.items() {
		same := true
		for i := range edges {
			same = same && (*items[i][k]).Equal(*item)
		}
		if same {
			continue
		}
		fresh := term.Var(b.itemName(k, tag), (*item).Sort)
		for i := range edges {
			definitions[i] = append(definitions[i], term.Eq(fresh, *items[i][k]))
		}
		*item = fresh
	}
	var ways []*term.Term
	for i, n := range edges {
		way := term.Var("in@"+strconv.Itoa(n), term.Bool)
		ways = append(ways, way)
		b.axioms[l] = append(b.axioms[l], term.Implies(way, term.And(append(cloneTerms(ends[i].path), definitions[i]...)...)))
	}
	b.states[l], b.paths[l] = merged, []*term.Term{term.Or(ways...)}
}

// itemName is the name of item k where it is joined: BASE@TAG, and .d in a saved memory.
func (b *body) itemName(k int, tag string) string {
	if k < len(b.a.Vars) {
		return b.a.Vars[k].Term.Name + "@" + tag
	}
	k -= len(b.a.Vars)
	depth := k/len(b.g.names) - 1
	name := b.g.names[k%len(b.g.names)] + "@" + tag
	if depth >= 0 {
		name += "." + strconv.Itoa(depth)
	}
	return name
}

// forget makes unknown what the loop may change.
func (b *body) forget(loop *ir.Loop) {
	s := b.states[loop.Head].clone()
	tag := "H" + strconv.Itoa(int(loop.Head))
	inside := map[ir.Loc]bool{}
	for _, l := range loop.Body {
		inside[l] = true
	}
	for _, e := range b.a.Edges {
		if !inside[e.From] || !inside[e.To] || !b.g.work.spend(1+len(b.g.names)/16) {
			continue
		}
		for _, f := range e.Effects {
			for _, v := range ir.Defs(f) {
				s.vars[b.index[v.Name]] = term.Var(v.Name+"@"+tag, v.Sort)
			}
		}
		for place, written := range b.g.writtenBy(e.Effects) {
			if written {
				s.memory[place] = b.g.fresh(place, tag)
			}
		}
	}
	b.states[loop.Head] = s
}

// site is a place on an edge: the path that leads there and the state.
type site struct {
	b     *body
	path  []*term.Term
	state *state
}

func (s *site) know(t *term.Term) {
	if t.Op != term.OpTrue {
		s.path = append(s.path, t)
	}
}

// after follows edge n from the state of its source over its first effects.
func (b *body) after(n, effects int) *site {
	e := b.a.Edges[n]
	b.g.work.spend(1 + effects + b.width()/8 + len(b.paths[e.From]))
	s := &site{b: b, path: cloneTerms(b.paths[e.From]), state: b.states[e.From].clone()}
	s.know(b.eval(s.state, e.Guard))
	for i, f := range e.Effects[:effects] {
		s.step(f, tagOf(n, i))
	}
	return s
}

// before is the site of effect i of edge n, with its assumptions; nil when no run reaches it.
func (b *body) before(n, i int) (at *site, assumptions []*term.Term) {
	if !b.counted[n] {
		return nil, nil
	}
	if !b.g.work.spend(1 + b.a.Locs/4) {
		return nil, nil
	}
	at = b.after(n, i)
	return at, append(b.joins(b.a.Edges[n].From), at.path...)
}

// joins are the axioms of the joins from which counted edges lead to l.
func (b *body) joins(l ir.Loc) []*term.Term {
	var axioms []*term.Term
	above := b.above(l)
	for _, l := range b.order {
		if above[l] && b.g.work.spend(1+len(b.axioms[l])) {
			axioms = append(axioms, b.axioms[l]...)
		}
	}
	return axioms
}

// above marks the locations from which counted edges lead to l, l itself among them.
func (b *body) above(l ir.Loc) []bool {
	marked := make([]bool, b.a.Locs)
	marked[l] = true
	for todo := []ir.Loc{l}; len(todo) > 0; {
		to := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range b.into[to] {
			if from := b.a.Edges[n].From; !marked[from] {
				marked[from] = true
				todo = append(todo, from)
			}
		}
	}
	return marked
}

func tagOf(edge, effect int) string { return strconv.Itoa(edge) + "." + strconv.Itoa(effect) }
