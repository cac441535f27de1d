package kernel

import (
	"slices"
	"strconv"
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// Facts are what a certificate says that lasts: at the head of a loop in each round, and at the
// exit of a handler between its entry and what it returns. They are assumed at heads and calls, so
// each must be shown: at the start of the loop and at the end of each round, at each end of the
// body. What a fact speaks of must mean the same wherever it is assumed; what else may stand in it
// is refused before anything is generated with it.

// fact is a formula at a place of a body.
type fact struct {
	spot
	number int // of the automaton in its cell
	text   string
	term   *term.Term
}

// spot is a location of an automaton.
type spot struct {
	automaton *ir.Automaton
	at        ir.Loc
}

// readFacts reads the facts and hands them to the generator.
func (a *auditor) readFacts() *Error {
	a.generator.facts = map[spot][]*fact{}
	cells := map[string]int{}
	for i, c := range a.system.Cells {
		cells[c.Name] = i
	}
	var all []*fact
	last, texts := [3]int{-1, -1, -1}, map[string]bool{}
	for _, f := range a.certificate.Facts {
		if !a.budget.spend(1 + len(f.Text)/8) {
			return errWork()
		}
		cell, ok := cells[f.Cell]
		if !ok || f.Automaton < 0 || f.Automaton >= len(a.system.Cells[cell].Automata) {
			return errFactPlace(f)
		}
		switch here := [3]int{cell, f.Automaton, f.At}; slices.Compare(last[:], here[:]) {
		case 1:
			return errFactOrder(f)
		case -1:
			last, texts = here, map[string]bool{}
		}
		if texts[f.Text] {
			return errFactTwice(f)
		}
		texts[f.Text] = true
		t, err := readFact(f)
		if err != nil {
			return err
		}
		c := a.system.Cells[cell]
		read := &fact{spot{c.Automata[f.Automaton], ir.Loc(f.At)}, f.Automaton, f.Text, t}
		all, a.facts[c] = append(all, read), append(a.facts[c], read)
		a.generator.facts[read.spot] = append(a.generator.facts[read.spot], read)
	}
	return a.checkFacts(all)
}

// readFact reads a text, which must be the one that its term is written as. A function value is
// another one in each round and in each body, however it is written.
func readFact(f cert.Fact) (*term.Term, *Error) {
	t, err := term.Parse(f.Text)
	switch {
	case err != nil:
		return nil, errFactText(f, err.Error())
	case !t.Sort.Same(term.Bool):
		return nil, errFactText(f, "it is no Bool")
	case t.Op == term.OpTrue:
		return nil, errFactText(f, "it says nothing")
	case t.Text() != f.Text:
		return nil, errFactText(f, "it is not written as terms are")
	}
	functions := false
	term.Each(func(t *term.Term) { functions = functions || t.Op == term.OpApp && t.Name == "function" }, t)
	if functions {
		return nil, errFactText(f, "it speaks of a function value")
	}
	return t, nil
}

// checkFacts checks where facts stand and what they speak of. The summaries go first, as the
// bodies, which the facts of heads are about, are walked with them.
func (a *auditor) checkFacts(all []*fact) *Error {
	for _, exit := range []bool{true, false} {
		for _, f := range all {
			if exit != (f.at == ir.Exit) {
				continue
			}
			err := a.generator.checkFact(f)
			if !a.budget.spend(a.generator.size(f.term)) {
				return errWork()
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *generator) checkFact(f *fact) *Error {
	allowed := g.inSummary
	if f.at == ir.Exit {
		if f.automaton.Kind != ir.Handler {
			return errFactSpot(f)
		}
	} else {
		b := g.body(f.automaton)
		if b.heads[f.at] == nil {
			return errFactSpot(f)
		}
		allowed = b.atHead
	}
	for _, v := range term.Vars(f.term) {
		if !allowed(f, v) {
			return errFactVariable(f, v)
		}
	}
	return nil
}

// inSummary tells whether a variable may stand in a fact at the exit: a parameter as the caller gives
// it (an Opaque one may be converted on the way), the memory before, what the handler may have
// written of it afterwards, the result.
func (g *generator) inSummary(f *fact, v *term.Term) bool {
	base, tag, tagged := strings.Cut(v.Name, "@")
	place, memory := g.place[base]
	switch {
	case !tagged:
		return v.Sort.Kind != term.KindOpaque && g.work.spend(len(f.automaton.Params)/16) &&
			slices.ContainsFunc(f.automaton.Params, v.Equal)
	case memory:
		return v.Equal(g.fresh(place, tag)) && (tag == "0" || tag == "X" && g.sets[f.automaton][place])
	}
	return v.Name == result && v.Sort.Same(f.automaton.Result) &&
		v.Sort.Kind != term.KindUnit && v.Sort.Kind != term.KindOpaque
}

// atHead tells whether a variable may stand in a fact at a head: what the loop makes unknown, and
// what the state was made of when the loop began.
func (b *body) atHead(f *fact, v *term.Term) bool {
	if now := b.states[f.at].item(b, v.Name, headTag(f.at)); now != nil && now.Equal(v) {
		return true
	}
	sort := b.heads[f.at].mentioned(b.g.work)[v.Name]
	return sort != nil && sort.Same(v.Sort)
}

// head is what is known where a loop begins, before it makes things unknown and its facts say more.
type head struct {
	path      []*term.Term
	state     *state
	constants map[string]*term.Sort // nil until they are asked for
}

// mentioned are the variables of the state, with their sorts. What the open transactions saved is no
// part of it.
func (h *head) mentioned(work *budget) map[string]*term.Sort {
	if h.constants != nil {
		return h.constants
	}
	h.constants = map[string]*term.Sort{}
	seen := map[*term.Term]bool{}
	var visit func(t *term.Term)
	visit = func(t *term.Term) {
		if seen[t] || !work.spend(1) {
			return
		}
		seen[t] = true
		if t.Op == term.OpVar {
			h.constants[t.Name] = t.Sort
		}
		for _, arg := range t.Args {
			visit(arg)
		}
	}
	for _, t := range append(cloneTerms(h.state.vars), h.state.memory...) {
		visit(t)
	}
	return h.constants
}

// result is what a summary calls that which comes back.
const result = "result@X"

func headTag(l ir.Loc) string { return "H" + strconv.Itoa(int(l)) }

// item is what a state holds of the variable or the part of the memory that name, BASE@TAG, is
// about; nil when it is about none, or has another tag.
func (s *state) item(b *body, name, tag string) *term.Term {
	base, got, _ := strings.Cut(name, "@")
	if got != tag {
		return nil
	}
	if i, ok := b.index[base]; ok {
		return s.vars[i]
	}
	if place, ok := b.g.place[base]; ok {
		return s.memory[place]
	}
	return nil
}

// assume adds the facts of a head to what is known there.
func (b *body) assume(head ir.Loc) {
	path := slices.Clip(b.paths[head])
	for _, f := range b.g.facts[spot{b.a, head}] {
		path = append(path, f.term)
	}
	b.paths[head] = path
}

// summary is what the facts of a callee say of a call; before is the state that it began in.
func (s *site) summary(f *ir.Call, callee *ir.Automaton, before *state) {
	g := s.b.g
	given := map[string]*term.Term{}
	for i, p := range callee.Params {
		given[p.Name] = s.b.eval(before, f.Args[i])
	}
	if f.Result != nil {
		given[result] = s.eval(f.Result)
	}
	for _, fact := range g.facts[spot{callee, ir.Exit}] {
		if !g.work.spend(g.size(fact.term)) {
			return
		}
		missing := false
		said := term.Subst(fact.term, func(v *term.Term) *term.Term {
			u := given[v.Name]
			if base, tag, _ := strings.Cut(v.Name, "@"); tag == "0" {
				u = before.memory[g.place[base]]
			} else if place, ok := g.place[base]; ok {
				u = s.state.memory[place]
			}
			if u == nil || !u.Sort.Same(v.Sort) {
				missing = true
				return nil
			}
			return u
		})
		if !missing {
			s.know(said)
		}
	}
}

// reads is a fact of a head as it reads in another state.
func (b *body) reads(f *fact, s *state) *term.Term {
	if !b.g.work.spend(b.g.size(f.term)) {
		return f.term
	}
	return term.Subst(f.term, func(v *term.Term) *term.Term { return s.item(b, v.Name, headTag(f.at)) })
}

// returns is a fact of the exit as it reads at the end of an edge. What comes back is known where the
// edge ends with the one thing that it returns.
func (s *site) returns(f *fact, e *ir.Edge) *term.Term {
	if !s.b.g.work.spend(s.b.g.size(f.term) + len(e.Effects)) {
		return f.term
	}
	var value *term.Term
	if n := len(e.Effects); n > 0 {
		if last, ok := e.Effects[n-1].(*ir.Return); ok && !slices.ContainsFunc(e.Effects[:n-1], isReturn) {
			value = s.eval(last.Value)
		}
	}
	missing := false
	out := term.Subst(f.term, func(v *term.Term) *term.Term {
		if v.Name != result {
			return s.state.item(s.b, v.Name, "X")
		}
		if value == nil || !value.Sort.Same(v.Sort) {
			missing = true
			return nil
		}
		return value
	})
	if missing {
		return term.False
	}
	return out
}

// facts lists the facts of the cell.
func (l *lister) facts() {
	for _, f := range l.a.facts[l.cell] {
		l.add(cert.FactKind, f.automaton.Name, cert.ClaimFact(f.automaton.Name, f.at, f.text), nil, question{
			must:   true,
			proven: func(e *cert.Evidence) (cert.Class, *Error) { return l.a.factEvidence(e, l.cell, f) },
		})
	}
}

// begin is the edge by which cases name the start of a loop.
const begin = -1

// factEvidence checks a fact where it must be shown. Nothing is trusted for it.
func (a *auditor) factEvidence(e *cert.Evidence, c *ir.Cell, f *fact) (cert.Class, *Error) {
	class, err := a.eachCase(e, a.generator.shownAt(c, f), func(k *cert.Case, p place) (*condition, *Error) {
		if len(k.Values) > 0 {
			return nil, errValues()
		}
		return a.generator.keeps(f, p.site.Edge), nil
	})
	if err == nil && class != cert.KernelChecked {
		err = errFactTrusted()
	}
	return class, err
}

// shownAt lists where a fact must be shown: at the start of the loop and at the end of each round, or
// at each end of the body.
func (g *generator) shownAt(c *ir.Cell, f *fact) []place {
	var out []place
	at := func(edge, effect int) {
		out = append(out, place{automaton: f.automaton, site: cert.Site{Cell: c.Name, Automaton: f.number, Edge: edge, Effect: effect}})
	}
	if f.at != ir.Exit {
		at(begin, 0)
	}
	b := g.body(f.automaton)
	g.work.spend(len(f.automaton.Edges))
	for n, e := range f.automaton.Edges {
		if b.counted[n] && e.To == f.at && (e.Back || f.at == ir.Exit) {
			at(n, len(e.Effects))
		}
	}
	return out
}

// keeps is the condition that a fact holds at the start of its loop or at the end of an edge.
func (g *generator) keeps(f *fact, edge int) *condition {
	b := g.body(f.automaton)
	if edge == begin {
		h := b.heads[f.at]
		return &condition{assumptions: append(b.joins(f.at), h.path...), goal: b.reads(f, h.state)}
	}
	e := f.automaton.Edges[edge]
	return g.condition(f.automaton, edge, len(e.Effects), func(s *site) *term.Term {
		if f.at == ir.Exit {
			return s.returns(f, e)
		}
		return b.reads(f, s.state)
	})
}
