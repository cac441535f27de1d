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

// Shown is a condition of facts of one place, each with its goal: at the end of an edge or, with
// Edge -1, at the start of a loop.
type Shown struct {
	Edge, Effect int
	Assume       []*term.Term
	Labels       []Label
	Goals        []*term.Term
}

// Shows are the conditions of facts of this body at a place. There are none where no run comes.
func (b *Body) Shows(at ir.Loc, claims ...*term.Term) []Shown {
	var out []Shown
	show := func(edge, effect int, s Site, goal func(claim *term.Term) *term.Term) {
		c := Shown{Edge: edge, Effect: effect, Assume: s.Assume, Labels: s.Labels}
		for _, claim := range claims {
			c.Goals = append(c.Goals, goal(claim))
		}
		out = append(out, c)
	}
	h := b.heads[at]
	if h != nil {
		show(-1, 0, Site{Assume: append(b.axioms(at), h.path...), Labels: b.labels}, h.goal(b, h.before, at))
	}
	for n, e := range b.a.Edges {
		if e.To != at || at != ir.Exit && (h == nil || !e.Back) {
			continue
		}
		site, ok := b.At(n, len(e.Effects))
		switch {
		case !ok:
		case at == ir.Exit:
			show(n, len(e.Effects), site, b.returns(n, site))
		default:
			show(n, len(e.Effects), site, h.goal(b, site.state, at))
		}
	}
	return out
}

// goal gives facts of the head in a state.
func (h *head) goal(b *Body, s *state, at ir.Loc) func(*term.Term) *term.Term {
	items := s.items(b.a)
	now := make(map[string]*term.Term, len(h.fresh))
	for _, i := range h.fresh {
		now[items[i].name(fmt.Sprintf("H%d", at))] = items[i].get()
	}
	return func(claim *term.Term) *term.Term { return substituted(claim, now) }
}

// returns gives facts of the exit at the site behind an edge into it.
func (b *Body) returns(edge int, s Site) func(*term.Term) *term.Term {
	now := map[string]*term.Term{}
	for _, it := range s.state.memItems(s.state.mem, "") {
		now[it.name(exitTag)] = it.get()
	}
	now[resultName] = b.result(edge, s)
	return func(claim *term.Term) *term.Term {
		if now[resultName] == nil && slices.ContainsFunc(term.Vars(claim), isResult) {
			return term.False
		}
		return substituted(claim, now)
	}
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
