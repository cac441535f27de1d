package kernel

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// factNames are the variables of which a fact at a place may speak, found from the states that the
// generator has there.
func factNames(g *generator, a *ir.Automaton, at ir.Loc) []*term.Term {
	var out []*term.Term
	if at == ir.Exit {
		out = append(out, a.Params...)
		for place := range g.names {
			out = append(out, g.fresh(place, "0"))
			if g.sets[a][place] {
				out = append(out, g.fresh(place, "X"))
			}
		}
		if a.Result.Kind != term.KindOpaque {
			out = append(out, term.Var("result@X", a.Result))
		}
		return out
	}
	b := g.body(a)
	for _, t := range append(cloneTerms(b.states[at].vars), b.states[at].memory...) {
		if t.Op == term.OpVar && strings.HasSuffix(t.Name, "@"+headTag(at)) {
			out = append(out, t)
		}
	}
	was := b.heads[at].state
	return append(out, term.Vars(append(cloneTerms(was.vars), was.memory...)...)...)
}

// drawFacts draws facts at the heads and ends of all bodies, true or not, and at most so many of a place.
func drawFacts(t *rapid.T, s *ir.System, most int) []cert.Fact {
	g := newGenerator(s, &budget{maxWork})
	var out []cert.Fact
	for _, c := range s.Cells {
		for n, a := range c.Automata {
			places := append([]ir.Loc{ir.Exit}, slices.Sorted(maps.Keys(g.body(a).heads))...)
			for _, at := range places {
				d := factDrawer{t, factNames(g, a, at), factPairs(g, a, at)}
				seen := map[string]bool{"true": true}
				for range d.pick(most + 1) {
					text := d.formula(2).Text()
					if !seen[text] {
						out = append(out, cert.Fact{Cell: c.Name, Automaton: n, At: int(at), Text: text})
					}
					seen[text] = true
				}
			}
		}
	}
	return out
}

// factPairs are the items that change up to a place, each with what it was.
func factPairs(g *generator, a *ir.Automaton, at ir.Loc) (out [][2]*term.Term) {
	if at == ir.Exit {
		for place := range g.names {
			if g.sets[a][place] {
				out = append(out, [2]*term.Term{g.fresh(place, "X"), g.fresh(place, "0")})
			}
		}
		return out
	}
	now, was := g.body(a).states[at].items(), g.body(a).heads[at].state.items()
	for i := range now {
		if !(*now[i]).Equal(*was[i]) {
			out = append(out, [2]*term.Term{*now[i], *was[i]})
		}
	}
	return out
}

type factDrawer struct {
	t     *rapid.T
	names []*term.Term
	pairs [][2]*term.Term
}

func (d factDrawer) pick(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "n") }

func (d factDrawer) formula(depth int) *term.Term {
	if depth > 0 {
		switch d.pick(4) {
		case 0:
			return term.Not(d.formula(depth - 1))
		case 1:
			return term.Implies(d.formula(depth-1), d.formula(depth-1))
		case 2:
			return term.And(d.formula(depth-1), d.formula(depth-1))
		}
	}
	if len(d.pairs) > 0 && d.pick(2) == 0 {
		pair := d.pairs[d.pick(len(d.pairs))]
		return d.lasting(pair[0], pair[1])
	}
	if len(d.names) == 0 {
		return term.False
	}
	v := d.names[d.pick(len(d.names))]
	switch v.Sort.Kind {
	case term.KindBool:
		return v
	case term.KindArray:
		if d.pick(3) == 0 {
			return term.Eq(v, d.of(v.Sort))
		}
		at := term.Select(v, d.of(v.Sort.Key))
		if at.Sort.Same(term.Bool) {
			return at
		}
		return term.Eq(at, d.of(at.Sort))
	case term.KindInt:
		if d.pick(2) == 0 {
			return term.Le(v, d.of(term.Int))
		}
	}
	return term.Eq(v, d.of(v.Sort))
}

// lasting compares what is with what was.
func (d factDrawer) lasting(now, was *term.Term) *term.Term {
	switch {
	case d.pick(4) == 0:
		return term.Eq(now, was)
	case now.Sort.Kind == term.KindArray:
		key := d.of(now.Sort.Key)
		return d.lasting(term.Select(now, key), term.Select(was, key))
	case now.Sort.Kind == term.KindInt && d.pick(2) == 0:
		return term.Le(now, was)
	case now.Sort.Kind == term.KindInt:
		return term.Le(was, now)
	case now.Sort.Kind == term.KindBool && d.pick(2) == 0:
		return term.Implies(now, was)
	case now.Sort.Kind == term.KindBool:
		return term.Implies(was, now)
	}
	return term.Eq(now, was)
}

// of is a variable of a sort, or a literal.
func (d factDrawer) of(sort *term.Sort) *term.Term {
	var fit []*term.Term
	for _, v := range d.names {
		switch {
		case v.Sort.Same(sort):
			fit = append(fit, v)
		case v.Sort.Kind == term.KindArray && v.Sort.Key.Same(term.String) && v.Sort.Elem.Same(sort) && d.pick(3) == 0:
			fit = append(fit, term.Select(v, d.of(term.String)))
		}
	}
	switch {
	case sort.Same(term.Int):
		fit = append(fit, term.Int64(int64(d.pick(3))))
	case sort.Same(term.String):
		fit = append(fit, term.StringLit([]string{"a", "b", "c"}[d.pick(3)]))
	}
	return fit[d.pick(len(fit))]
}

// facts compares the conditions of the facts themselves, and of what facts may speak.
func facts(t *rapid.T, a *auditor, theirs *vc.Generator) int {
	n := 0
	for _, c := range a.system.Cells {
		for _, f := range a.facts[c] {
			body := theirs.Body(f.automaton)
			mine, shown := a.generator.shownAt(c, f), body.Shows(f.at, f.term)
			if len(mine) != len(shown) {
				t.Fatalf("%s at %s: %d conditions, of the prover %d", f.automaton.Name, f.at, len(mine), len(shown))
			}
			for i, p := range mine {
				if p.site.Edge != shown[i].Edge || p.site.Effect != shown[i].Effect {
					t.Fatalf("%s at %s: edge %d effect %d, of the prover %d and %d", f.automaton.Name, f.at, p.site.Edge, p.site.Effect, shown[i].Edge, shown[i].Effect)
				}
				k := a.generator.keeps(f, p.site.Edge)
				same(t, p, "assumptions of a fact", k.assumptions, shown[i].Assume)
				same(t, p, "goals of a fact", []*term.Term{k.goal}, []*term.Term{shown[i].Goals[0]})
				n++
			}
		}
		for _, automaton := range c.Automata {
			body := theirs.Body(automaton)
			sameNames(t, a.generator, automaton, ir.Exit, body.End().Names)
			for _, l := range body.Loops() {
				sameNames(t, a.generator, automaton, l.Head, l.Names)
			}
		}
	}
	return n
}

func sameNames(t *rapid.T, g *generator, a *ir.Automaton, at ir.Loc, theirs map[string]bool) {
	mine := map[string]bool{}
	for _, v := range factNames(g, a, at) {
		if err := g.checkFact(&fact{spot: spot{a, at}, term: term.App("p", term.Bool, v)}); err != nil {
			t.Fatal(err)
		}
		mine[v.Name] = true
	}
	if !maps.Equal(mine, theirs) {
		t.Fatalf("%s at %s: facts may speak of %v, for the prover of %v", a.Name, at, mine, theirs)
	}
}
