package vc

import (
	"fmt"
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// What lasts through a loop, and what a callee does, is no part of the passive form: a head and a
// call forget. Facts say it. They are assumed here and shown by conditions of their own; the
// induction over the steps of a run is Floyd's ("Assigning meanings to programs", 1967), with
// summaries of calls as in Hoare's rule for recursive procedures.

// Fact is a formula about the head of a loop or, at ir.Exit, about what a body returns and leaves in
// memory: docs/conditions.md, "Facts".
type Fact struct {
	Body  *ir.Automaton
	At    ir.Loc
	Claim *term.Term
}

// place is where a fact stands.
type place struct {
	a  *ir.Automaton
	at ir.Loc
}

// Knowing is a generator whose bodies assume facts. Labelled bodies assume, in place of each fact, a
// Bool constant of which Site.Assume says that it implies the fact: the answer to a query tells then
// which facts it rests on. What certificates speak of is not labelled.
func (g *Generator) Knowing(facts []Fact, labelled bool) *Generator {
	out := *g
	out.facts, out.labelled = map[place][]numbered{}, labelled
	for n, f := range facts {
		at := place{f.Body, f.At}
		out.facts[at] = append(out.facts[at], numbered{n, f.Claim})
	}
	return &out
}

// numbered is a fact with its number among those that a generator knows.
type numbered struct {
	n     int
	claim *term.Term
}

// Label is a constant that stands for a fact at some place of a labelled body.
type Label struct {
	Is   *term.Term // constant ⇒ fact
	Fact int        // the number of the fact
}

// learn assumes a fact, or its label.
func (s *step) learn(f numbered, claim *term.Term, tag string) {
	if claim == term.True {
		return
	}
	if s.g.labelled {
		label := term.Var(fmt.Sprintf("fact%d@%s", f.n, tag), term.Bool)
		s.labels = append(s.labels, Label{term.Implies(label, claim), f.n})
		claim = label
	}
	s.know(claim)
}

// mayKnow tells whether some condition of the body may assume a fact.
func (b *Body) mayKnow() bool {
	for _, l := range b.a.Loops {
		if len(b.g.facts[place{b.a, l.Head}]) > 0 {
			return true
		}
	}
	for _, e := range b.a.Edges {
		for _, eff := range e.Effects {
			if call, ok := eff.(*ir.Call); ok && len(b.g.summary(call)) > 0 {
				return true
			}
		}
	}
	return false
}

// head is a loop head, before what the loop may change is forgotten.
type head struct {
	before *state
	path   []*term.Term
	fresh  []int // the items that are forgotten, by their index in state.items
}

// enterLoop forgets what the loop may change, and assumes the facts of the head.
func (b *Body) enterLoop(l *ir.Loop) {
	h := &head{before: b.states[l.Head], path: b.paths[l.Head]}
	after := b.havocLoop(l)
	was := h.before.items(b.a)
	for i, it := range after.items(b.a) {
		if !it.get().Equal(was[i].get()) {
			h.fresh = append(h.fresh, i)
		}
	}
	b.heads[l.Head], b.states[l.Head] = h, after
	s := &step{g: b.g, state: after, path: slices.Clone(h.path)}
	for _, f := range b.g.facts[place{b.a, l.Head}] {
		s.learn(f, f.claim, fmt.Sprintf("H%d", l.Head))
	}
	b.paths[l.Head] = s.path
	b.labels = append(b.labels, s.labels...)
}

// summary are the facts about what a call returns.
func (g *Generator) summary(e *ir.Call) []numbered {
	callee := g.sys.Handler(e.Handler)
	if e.Optional || callee == nil || len(e.Args) != len(callee.Params) {
		return nil
	}
	return g.facts[place{callee, ir.Exit}]
}

// returned assumes the facts about what a call returned, where they speak of what it gives and takes.
func (s *step) returned(e *ir.Call, facts []numbered, before *state) {
	if len(facts) == 0 {
		return
	}
	callee := s.g.sys.Handler(e.Handler)
	by := map[string]*term.Term{}
	for i, p := range callee.Params {
		by[p.Name] = before.eval(e.Args[i])
	}
	after := s.state.memItems(s.state.mem, "")
	for i, it := range before.memItems(before.mem, "") {
		by[it.name("0")], by[it.name(exitTag)] = it.get(), after[i].get()
	}
	if e.Result != nil {
		by[resultName] = s.state.vars[e.Result.Name]
	}
	for _, f := range facts {
		fits := !slices.ContainsFunc(term.Vars(f.claim), func(v *term.Term) bool {
			return by[v.Name] == nil || !by[v.Name].Sort.Same(v.Sort)
		})
		if fits {
			s.learn(f, substituted(f.claim, by), s.tag)
		}
	}
}

// Names at the end of a body.
const (
	exitTag    = "X"
	resultName = "result@X"
)

func substituted(t *term.Term, by map[string]*term.Term) *term.Term {
	return term.Subst(t, func(v *term.Term) *term.Term { return by[v.Name] })
}

// Shown is a condition of a fact: at the end of an edge or, with Edge -1, at the start of a loop.
type Shown struct {
	Edge, Effect int
	Assume       []*term.Term
	Labels       []Label
	Goal         *term.Term
}

// Shows are the conditions of a fact of this body. There are none where no run comes.
func (b *Body) Shows(f Fact) []Shown {
	if f.At == ir.Exit {
		return b.showsReturn(f)
	}
	h := b.heads[f.At]
	if h == nil {
		return nil
	}
	start := Site{Assume: append(b.axioms(f.At), h.path...), Labels: b.labels, state: h.before}
	out := []Shown{{Edge: -1, Assume: start.Assume, Labels: start.Labels, Goal: substituted(f.Claim, h.now(b, h.before, f.At))}}
	for n, e := range b.a.Edges {
		if e.To != f.At || !e.Back {
			continue
		}
		if site, ok := b.At(n, len(e.Effects)); ok {
			out = append(out, Shown{n, len(e.Effects), site.Assume, site.Labels, substituted(f.Claim, h.now(b, site.state, f.At))})
		}
	}
	return out
}

// now is what the forgotten items are in a state.
func (h *head) now(b *Body, s *state, at ir.Loc) map[string]*term.Term {
	items := s.items(b.a)
	out := make(map[string]*term.Term, len(h.fresh))
	for _, i := range h.fresh {
		out[items[i].name(fmt.Sprintf("H%d", at))] = items[i].get()
	}
	return out
}

func (b *Body) showsReturn(f Fact) []Shown {
	var out []Shown
	for n, e := range b.a.Edges {
		if e.To != ir.Exit {
			continue
		}
		site, ok := b.At(n, len(e.Effects))
		if !ok {
			continue
		}
		now := map[string]*term.Term{}
		for _, it := range site.state.memItems(site.state.mem, "") {
			now[it.name(exitTag)] = it.get()
		}
		goal := term.False
		if now[resultName] = b.result(n, site); now[resultName] != nil || !slices.ContainsFunc(term.Vars(f.Claim), isResult) {
			goal = substituted(f.Claim, now)
		}
		out = append(out, Shown{n, len(e.Effects), site.Assume, site.Labels, goal})
	}
	return out
}

func isResult(v *term.Term) bool { return v.Name == resultName }

// result is what an edge into the exit returns, at the site behind its effects; nil when the edge does
// not end with its only return, of the sort of the body's results.
func (b *Body) result(edge int, s Site) *term.Term {
	var value *term.Term
	effects := b.a.Edges[edge].Effects
	for i, eff := range effects {
		r, ok := eff.(*ir.Return)
		switch {
		case !ok:
		case i < len(effects)-1 || b.a.Result == nil || !r.Value.Sort.Same(b.a.Result):
			return nil
		default:
			value = s.state.eval(r.Value)
		}
	}
	return value
}

// Item is a part of a state of which a fact may speak: a variable, an array of a slot, its size or
// sum, the states of a machine.
type Item struct {
	Name string     // of the variable or the part of the memory
	Is   *term.Term // the name of the item in facts
	Was  *term.Term // before the loop, or when the body began
	Slot ir.SlotRef // of a part of a slot
	Cell string     // of the states of a machine
}

// Loop is a loop that a run reaches, as its facts see it.
type Loop struct {
	*ir.Loop
	Items  []Item       // what a round may change
	Same   []*term.Term // what rounds do not change: terms of the other items
	Names  map[string]bool
	Rounds []Round                     // one for each back edge that a run may take
	Eval   func(*term.Term) *term.Term // a term of the body in the state at the head
}

// Unchanged tells whether rounds leave the value of a term.
func (l Loop) Unchanged(t *term.Term) bool {
	return !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool {
		return slices.ContainsFunc(l.Items, func(it Item) bool { return it.Is.Name == v.Name })
	})
}

// Round is the end of a back edge: what is known there, and the items.
type Round struct{ Assume, Items []*term.Term }

// Loops are the loops that a run reaches, in the order of the automaton.
func (b *Body) Loops() []Loop {
	var out []Loop
	for _, l := range b.a.Loops {
		h := b.heads[l.Head]
		if h == nil {
			continue
		}
		loop := Loop{Loop: l, Names: map[string]bool{}, Eval: b.states[l.Head].eval}
		tag := fmt.Sprintf("H%d", l.Head)
		was := h.before.items(b.a)
		fresh := map[int]bool{}
		for _, i := range h.fresh {
			fresh[i] = true
			loop.Items = append(loop.Items, b.item(was[i], was[i].get(), tag))
			loop.Names[was[i].name(tag)] = true
		}
		for i, it := range was {
			if it.depth != "" {
				continue
			}
			for _, v := range term.Vars(it.get()) {
				loop.Names[v.Name] = true
			}
			if !fresh[i] {
				loop.Same = append(loop.Same, it.get())
			}
		}
		for n, e := range b.a.Edges {
			if e.To != l.Head || !e.Back {
				continue
			}
			if site, ok := b.At(n, len(e.Effects)); ok {
				now := site.state.items(b.a)
				round := Round{Assume: site.Assume}
				for _, i := range h.fresh {
					round.Items = append(round.Items, now[i].get())
				}
				loop.Rounds = append(loop.Rounds, round)
			}
		}
		out = append(out, loop)
	}
	return out
}

func (b *Body) item(it item, was *term.Term, tag string) Item {
	return Item{Name: it.base, Is: term.Var(it.name(tag), it.get().Sort), Was: was, Slot: it.slot, Cell: it.cell}
}

// End is the end of a body as its facts see it.
type End struct {
	Items  []Item                      // what the body may write
	Result *term.Term                  // nil when no fact may speak of it
	Names  map[string]bool             // of which facts may speak: these, the parameters and the memory at the start
	Eval   func(*term.Term) *term.Term // a term of the body in the state at the start
	// Returns are the ways to the end: each path of a body with few and without loops, or else
	// each edge into the exit that a run may take.
	Returns []Returned
	Whole   bool // the ways are paths
}

// Returned is a way to the end of a body: what is known there, what is returned (nil where
// End.Result is), and the items.
type Returned struct {
	Assume, Items []*term.Term
	Value         *term.Term
}

// End is what facts may say of the end of the body.
func (b *Body) End() End {
	start := b.g.entry(b.a)
	end := End{Names: map[string]bool{}, Eval: start.eval}
	if r := b.a.Result; r != nil && r.Kind != term.KindUnit && r.Kind != term.KindOpaque {
		end.Result = term.Var(resultName, r)
		end.Names[resultName] = true
	}
	for _, p := range b.a.Params {
		end.Names[p.Name] = p.Sort.Kind != term.KindOpaque
	}
	touched := b.g.writes[b.a.Ref()]
	written := map[int]bool{}
	for i, it := range start.memItems(start.mem, "") {
		end.Names[it.name("0")] = true
		if touched.all || touched.slots[it.slot] || touched.machines[it.cell] {
			written[i] = true
			end.Items = append(end.Items, b.item(it, it.get(), exitTag))
			end.Names[it.name(exitTag)] = true
		}
	}
	add := func(edge int, site Site) {
		r := Returned{Assume: site.Assume}
		if end.Result != nil {
			r.Value = b.result(edge, site)
		}
		for i, it := range site.state.memItems(site.state.mem, "") {
			if written[i] {
				r.Items = append(r.Items, it.get())
			}
		}
		end.Returns = append(end.Returns, r)
	}
	if end.Whole = b.eachPath(add); end.Whole {
		return end
	}
	end.Returns = nil
	for n, e := range b.a.Edges {
		if e.To != ir.Exit {
			continue
		}
		if site, ok := b.At(n, len(e.Effects)); ok {
			add(n, site)
		}
	}
	return end
}

// Bounds of the bodies whose paths are followed one by one.
const (
	mostPaths = 8
	mostEdges = 100
)

// eachPath follows each path of a body without loops to its end, and tells whether they are few.
func (b *Body) eachPath(end func(edge int, s Site)) bool {
	if len(b.a.Loops) > 0 || len(b.a.Edges) > mostEdges {
		return false
	}
	out := make([][]int, b.a.Locs)
	for n, e := range b.a.Edges {
		if b.edges[n] && e.To != ir.Raised {
			out[e.From] = append(out[e.From], n)
		}
	}
	type way struct {
		loc   ir.Loc
		state *state
		path  []*term.Term
	}
	steps, ends := 0, 0
	for work := []way{{loc: ir.Entry, state: b.g.entry(b.a)}}; len(work) > 0; {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range slices.Backward(out[w.loc]) {
			e := b.a.Edges[n]
			s := &step{g: b.g, state: w.state.copy(), path: slices.Clone(w.path)}
			guard := s.state.eval(e.Guard)
			if guard == term.False {
				continue
			}
			s.know(guard)
			for i, f := range e.Effects {
				s.tag = fmt.Sprintf("%d.%d", n, i)
				s.effect(f)
			}
			if steps++; steps > mostPaths*b.a.Locs {
				return false
			}
			if e.To != ir.Exit {
				work = append(work, way{e.To, s.state, s.path})
				continue
			}
			if ends++; ends > mostPaths {
				return false
			}
			end(n, Site{Assume: s.path, Of: b.a, state: s.state, g: b.g})
		}
	}
	return true
}
