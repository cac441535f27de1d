package taint

import (
	"maps"
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// state is what is known at a location, whatever run reached it: the value of each variable
// and the facts about values.
type state struct {
	env   env
	facts *facts
}

// birth is where a symbol comes into being.
type birth struct {
	loc    ir.Loc // of a join; of an effect: the location its edge leaves
	edge   int    // of an effect, else -1
	effect int
	role   role
	v      int // the variable
}

type role int8

const (
	initial  role = iota // the variable at entry: a parameter, or nothing yet
	given                // what an effect gives
	present              // the second thing a Read gives: whether the entry is there
	selected             // what a join selects among the values of its edges
	stale                // what a variable held that mentioned a symbol born again
)

// flowgraph computes the states of an automaton: a forward dataflow analysis whose domain is
// symbolic values, in static single assignment form made on the fly. Where edges bring
// different values, a join makes a symbol, for good; so the analysis ends. Where a symbol is
// born again (in a loop), what mentions its former self is renamed first, so that one state
// never uses a symbol in two meanings.
//
// A sweep takes the locations in reverse postorder and supposes that rounds of loops bring
// nothing new; then it looks at the edges that go back and, where that was not so, makes
// symbols at their targets, or drops facts there, and sweeps again.
//
// Cost: outside of loops a sweep is about linear in the edges, as states share what does not
// change (env.go) and nothing is born again; inside it is linear in edges times variables. The
// number of sweeps is about the depth to which loops nest.
type flowgraph struct {
	a       *ir.Automaton
	bank    *bank
	summary func(*ir.Call) *summary // of a callee that was analysed before
	vars    map[string]int
	symbols []birth
	born    map[birth]symbol
	joins   map[ir.Loc]map[int]bool // the variables a join has made symbols for
	into    [][]int                 // edges by target
	outOf   [][]int                 // edges by source
	order   []ir.Loc                // reverse postorder
	rank    []int                   // by location: its index in order
	cycle   []int                   // by location: see cycles
	stale   map[site][]symbol       // the symbols made for what mentioned a former self
	entered []*facts                // by location: what holds when it is first come to
	brought map[ir.Loc]*facts       // what the edges that go back to a location leave of that
	at      []*state                // by location; nil where no run comes
	out     []*state                // by edge; nil where no run comes
}

func newFlowgraph(a *ir.Automaton, summary func(*ir.Call) *summary) *flowgraph {
	g := &flowgraph{
		a: a, bank: newBank(), summary: summary,
		vars:  map[string]int{},
		born:  map[birth]symbol{},
		joins: map[ir.Loc]map[int]bool{},
		into:  make([][]int, a.Locs),
		outOf: make([][]int, a.Locs),
		rank:  make([]int, a.Locs),
		stale: map[site][]symbol{},
	}
	for i, v := range a.Vars {
		g.vars[variableKey(v.Term)] = i
	}
	for i, e := range a.Edges {
		g.into[e.To] = append(g.into[e.To], i)
		g.outOf[e.From] = append(g.outOf[e.From], i)
	}
	g.cycle = cycles(a, g.outOf)
	g.run()
	return g
}

// site is an effect of an edge.
type site struct{ edge, effect int }

// repeats tells whether a run may take an edge more than once.
func (g *flowgraph) repeats(edge int) bool {
	e := g.a.Edges[edge]
	return g.cycle[e.From] != 0 && g.cycle[e.From] == g.cycle[e.To]
}

func variableKey(v *term.Term) string { return v.Name + " " + v.Sort.String() }

// maxSweeps bounds the sweeps that only drop facts; past it no facts are kept at loops.
const maxSweeps = 50

func (g *flowgraph) run() {
	g.sort()
	entry := &state{env: newEnv(len(g.a.Vars)), facts: noFacts()}
	for i := range g.a.Vars {
		entry.env[i/chunkSize][i%chunkSize] = g.symbol(birth{loc: ir.Entry, edge: -1, role: initial, v: i})
	}
	for n := 0; ; n++ {
		g.sweep(entry)
		switch {
		case g.newSymbols():
			g.brought, n = nil, 0
		case !g.fewerFacts(n > maxSweeps):
			return
		}
	}
}

// sweep computes all states once.
func (g *flowgraph) sweep(entry *state) {
	g.at = make([]*state, g.a.Locs)
	g.out = make([]*state, len(g.a.Edges))
	g.entered = make([]*facts, g.a.Locs)
	g.at[ir.Entry] = entry
	for _, l := range g.order {
		if l != ir.Entry {
			g.at[l] = g.join(l)
		}
		for _, i := range g.outOf[l] {
			g.out[i] = g.follow(i, nil)
		}
	}
}

// goesBack tells whether an edge leads to a location that comes no later.
func (g *flowgraph) goesBack(edge int) bool {
	e := g.a.Edges[edge]
	return g.rank[e.To] <= g.rank[e.From]
}

// coming lists what the edges into a location bring, those that go back or the others.
func (g *flowgraph) coming(l ir.Loc, back bool) []*state {
	var out []*state
	for _, i := range g.into[l] {
		if g.out[i] != nil && g.goesBack(i) == back {
			out = append(out, g.out[i])
		}
	}
	return out
}

// newSymbols makes symbols for variables to which edges that go back bring something new.
func (g *flowgraph) newSymbols() bool {
	found := false
	for _, l := range g.order {
		if back := g.coming(l, true); len(back) > 0 {
			before := len(g.joins[l])
			g.settle(l, append([]*state{g.at[l]}, back...))
			found = found || len(g.joins[l]) > before
		}
	}
	return found
}

// fewerFacts tells whether some location has facts that edges that go back do not bring, and
// drops them for the next sweep; none stay when the end is near.
func (g *flowgraph) fewerFacts(giveUp bool) bool {
	found := false
	for _, l := range g.order {
		back := g.coming(l, true)
		if len(back) == 0 {
			continue
		}
		left := g.shared(l, back)
		if giveUp {
			left = noFacts()
		}
		if !g.at[l].facts.equal(g.entered[l].either(left)) {
			if g.brought == nil {
				g.brought = map[ir.Loc]*facts{}
			}
			g.brought[l] = left
			found = true
		}
	}
	return found
}

// shared are the facts that all of several edges bring to a join.
func (g *flowgraph) shared(l ir.Loc, ins []*state) *facts {
	var out *facts
	for _, in := range ins {
		old := g.reborn(l, in)
		out = out.either(in.facts.without(g.bank, old))
	}
	return out
}

// sort computes a reverse postorder of the locations.
func (g *flowgraph) sort() {
	seen := make([]bool, g.a.Locs)
	type visit struct {
		loc  ir.Loc
		next int
	}
	stack := []visit{{loc: ir.Entry}}
	seen[ir.Entry] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(g.outOf[top.loc]) {
			g.order = append(g.order, top.loc)
			stack = stack[:len(stack)-1]
			continue
		}
		to := g.a.Edges[g.outOf[top.loc][top.next]].To
		top.next++
		if !seen[to] && to != ir.Exit && to != ir.Raised { // nothing goes on from those
			seen[to] = true
			stack = append(stack, visit{loc: to})
		}
	}
	slices.Reverse(g.order)
	for i := range g.rank {
		g.rank[i] = len(g.order)
	}
	for i, l := range g.order {
		g.rank[l] = i
	}
}

// symbol gives the value that a birth brings.
func (g *flowgraph) symbol(b birth) value {
	return g.bank.symbol(g.name(b), g.a.Vars[b.v].Term.Sort)
}

func (g *flowgraph) name(b birth) symbol {
	s, ok := g.born[b]
	if !ok {
		s = symbol(len(g.symbols))
		g.symbols = append(g.symbols, b)
		g.born[b] = s
		if b.role == stale {
			at := site{b.edge, b.effect}
			g.stale[at] = append(g.stale[at], s)
		}
	}
	return s
}

// value is what a term is in a state.
func (g *flowgraph) value(s *state, t *term.Term) value {
	return g.bank.term(t, func(v *term.Term) value { return s.env.at(g.vars[variableKey(v)]) })
}

// join is the state where edges meet; nil when no run comes.
func (g *flowgraph) join(l ir.Loc) *state {
	ins := g.coming(l, false)
	if len(ins) == 0 {
		return nil
	}
	g.settle(l, ins)
	out := &state{env: ins[0].env, facts: g.shared(l, ins)}
	for _, v := range g.joined(l) {
		out.env = out.env.with(v, g.symbol(g.selection(l, v)))
	}
	g.entered[l] = out.facts
	if left := g.brought[l]; left != nil {
		out.facts = out.facts.either(left)
	}
	return out
}

// settle makes symbols for the variables on whose values the edges into a join do not agree.
func (g *flowgraph) settle(l ir.Loc, ins []*state) {
	old := make([]map[symbol]bool, len(ins))
	for again := true; again; {
		again = false
		for i, in := range ins {
			old[i] = g.reborn(l, in)
		}
		for v := 0; v < len(g.a.Vars); v++ {
			if g.cycle[l] == 0 && v%chunkSize == 0 && sameChunk(ins, v) {
				v += chunkSize - 1 // nothing is born again, and all is the same
				continue
			}
			if g.joins[l][v] || g.agree(v, ins, old) {
				continue
			}
			if g.joins[l] == nil {
				g.joins[l] = map[int]bool{}
			}
			g.joins[l][v] = true
			g.name(g.selection(l, v))
			again = true
		}
	}
}

// joined are the variables a join has made symbols for, in order.
func (g *flowgraph) joined(l ir.Loc) []int { return slices.Sorted(maps.Keys(g.joins[l])) }

func (g *flowgraph) selection(l ir.Loc, v int) birth {
	return birth{loc: l, edge: -1, role: selected, v: v}
}

// agree tells whether all edges bring the same value of a variable, in the same meaning.
func (g *flowgraph) agree(v int, ins []*state, old []map[symbol]bool) bool {
	for i, in := range ins {
		if held := in.env.at(v); held != ins[0].env.at(v) || g.bank.mentions(held, old[i]) {
			return false
		}
	}
	return true
}

// reborn are the symbols of a join that get another meaning when it is entered from a state.
func (g *flowgraph) reborn(l ir.Loc, in *state) map[symbol]bool {
	var out map[symbol]bool
	if g.cycle[l] == 0 {
		return nil // it is entered once
	}
	for _, v := range g.joined(l) {
		b := g.selection(l, v)
		if in.env.at(v) == g.symbol(b) {
			continue
		}
		if out == nil {
			out = map[symbol]bool{}
		}
		out[g.name(b)] = true
	}
	return out
}
