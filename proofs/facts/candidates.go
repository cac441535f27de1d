// Package facts finds what lasts through loops and what calls leave: it guesses formulas of a few
// forms, and keeps those that are inductive together. The method is Houdini (Flanagan and Leino,
// "Houdini, an annotation assistant for ESC/Java", FME 2001). Nothing rests on the guesses:
// each fact that is kept has conditions of its own (docs/conditions.md, "Facts").
package facts

import (
	"math/big"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// Bounds of the guesses, so that a large body has a bounded number of questions.
const (
	mostCandidates = 400 // at a place
	mostConstants  = 12
	mostKeys       = 6   // of a slot or machine
	mostNodes      = 200 // of a candidate
)

// guesser gathers the candidates of one place.
type guesser struct {
	sys   *ir.System
	body  *ir.Automaton
	at    ir.Loc
	names map[string]bool // of which candidates may speak
	eval  func(*term.Term) *term.Term
	seen  map[string]bool
	out   []vc.Fact
}

// quantity is a number that changes: what it is, what it was, and what the ways round make of it.
type quantity struct {
	is, was *term.Term
	now     []*term.Term
}

// change is by how much the number has changed.
func (q quantity) change() *term.Term {
	if q.was.Op == term.OpInt && q.was.Int.Sign() == 0 {
		return q.is
	}
	return term.Sub(q.is, q.was)
}

func guess(sys *ir.System, a *ir.Automaton, at ir.Loc, names map[string]bool, eval func(*term.Term) *term.Term) *guesser {
	return &guesser{sys: sys, body: a, at: at, names: names, eval: eval, seen: map[string]bool{}}
}

// add adds a candidate, unless it is one already or may not be a fact.
func (g *guesser) add(claim *term.Term) {
	if len(g.out) >= mostCandidates || claim == term.True || claim == term.False || !g.speakable(claim) {
		return
	}
	text := claim.Text()
	if !g.seen[text] {
		g.seen[text] = true
		g.out = append(g.out, vc.Fact{Body: g.body, At: g.at, Claim: claim})
	}
}

// speakable tells whether a term is small and made of names of which facts may speak. Function values
// are none: their names mean something else in each body.
func (g *guesser) speakable(t *term.Term) bool {
	nodes, fits := 0, true
	term.Each(func(u *term.Term) {
		nodes++
		switch u.Op {
		case term.OpVar:
			fits = fits && g.names[u.Name]
		case term.OpApp:
			fits = fits && u.Name != "function"
		}
	}, t)
	return fits && nodes <= mostNodes
}

func isInt(t *term.Term) bool { return t.Sort.Kind == term.KindInt }

// loop guesses what lasts through a loop.
func loop(sys *ir.System, a *ir.Automaton, l vc.Loop) []vc.Fact {
	g := guess(sys, a, l.Head, l.Names, l.Eval)
	for _, it := range l.Items {
		g.add(term.Eq(it.Is, it.Was))
		switch it.Is.Sort.Kind {
		case term.KindBool:
			g.add(it.Is)
			g.add(term.Not(it.Is))
			g.add(term.Implies(it.Is, it.Was))
			g.add(term.Implies(it.Was, it.Is))
		case term.KindString:
			g.listed(it.Is, it.Was)
		case term.KindArray:
			g.array(it, g.keys(it, l.Unchanged))
		}
	}
	numbers := g.numbers(l)
	g.tests(l)
	constants := g.constants()
	for i, q := range numbers {
		g.bounds(q, constants)
		for _, p := range numbers[:i] {
			g.related(p, q, constants)
		}
	}
	for i, q := range numbers {
		for j, p := range numbers {
			if i != j {
				g.add(term.Le(q.is, p.is))
			}
		}
	}
	return g.out
}

// numbers are the Ints that change in a loop: variables, counts, sums, and entries at keys that stay.
func (g *guesser) numbers(l vc.Loop) []quantity {
	var out []quantity
	for i, it := range l.Items {
		switch {
		case isInt(it.Is):
			q := quantity{is: it.Is, was: it.Was}
			for _, r := range l.Rounds {
				q.now = append(q.now, r.Items[i])
			}
			out = append(out, q)
		case it.Is.Sort.Kind == term.KindArray && it.Is.Sort.Elem.Kind == term.KindInt:
			for _, k := range g.keys(it, l.Unchanged) {
				q := quantity{is: term.Select(it.Is, k), was: term.Select(it.Was, k)}
				for _, r := range l.Rounds {
					q.now = append(q.now, term.Select(r.Items[i], k))
				}
				out = append(out, q)
			}
		}
	}
	return out
}

// listed guesses that a text is one of those that the body gives to variables, or what it was, if
// anything.
func (g *guesser) listed(is, was *term.Term) {
	var any []*term.Term
	if was != nil {
		any = append(any, term.Eq(is, was))
	}
	for _, e := range g.body.Edges {
		for _, f := range e.Effects {
			bind, ok := f.(*ir.Bind)
			if !ok || bind.Value.Op != term.OpString || len(any) > mostConstants {
				continue
			}
			if t := term.Eq(is, bind.Value); !slices.ContainsFunc(any, t.Equal) {
				any = append(any, t)
			}
		}
	}
	if len(any) > 0 {
		g.add(term.Or(any...))
	}
}

// keys are the terms under which the body looks into a slot or a machine, as they are at the place.
func (g *guesser) keys(it vc.Item, fits func(*term.Term) bool) []*term.Term {
	var out []*term.Term
	for _, e := range g.body.Edges {
		for _, eff := range e.Effects {
			key := keyOf(eff, it)
			if key == nil || len(out) == mostKeys {
				continue
			}
			key = g.eval(key)
			if fits(key) && g.speakable(key) && !slices.ContainsFunc(out, key.Equal) {
				out = append(out, key)
			}
		}
	}
	return out
}

// keyOf is the key under which an effect looks at an item, nil where it does not.
func keyOf(e ir.Effect, it vc.Item) *term.Term {
	var slot ir.SlotRef
	var key *term.Term
	switch e := e.(type) {
	case *ir.Read:
		slot, key = e.Slot, e.Key
	case *ir.Write:
		slot, key = e.Slot, e.Key
	case *ir.Delete:
		slot, key = e.Slot, e.Key
	case *ir.Move:
		if it.Cell == e.Cell {
			return e.ID
		}
	case *ir.Inspect:
		if it.Cell == e.Cell {
			return e.ID
		}
	}
	if it.Cell != "" || slot != it.Slot || key == nil || !key.Sort.Same(it.Is.Sort.Key) {
		return nil
	}
	return key
}

// array guesses about the entries at some keys.
func (g *guesser) array(it vc.Item, keys []*term.Term) {
	for _, k := range keys {
		is, was := term.Select(it.Is, k), term.Select(it.Was, k)
		g.add(term.Eq(is, was))
		switch {
		case it.Cell != "":
			for _, s := range g.sys.Find(it.Cell).Machine.States {
				g.add(term.Not(term.Eq(is, term.StringLit(s))))
			}
		case is.Sort.Kind == term.KindBool:
			g.add(is)
			g.add(term.Implies(was, is))
		}
	}
}

// tests guesses what the tests of a loop say, and what they come to when they fail for the first time.
func (g *guesser) tests(l vc.Loop) {
	for _, e := range g.body.Edges {
		if !slices.Contains(l.Body, e.From) {
			continue
		}
		term.Each(func(t *term.Term) {
			if (t.Op == term.OpLe || t.Op == term.OpLt) && isInt(t.Args[0]) {
				g.add(t)
				g.add(term.Le(t.Args[0], t.Args[1]))
				g.add(term.Le(t.Args[1], t.Args[0]))
			}
		}, g.eval(e.Guard))
	}
}

// constants are 0, 1, and the numbers that the body and the rules name.
func (g *guesser) constants() []*term.Term {
	out := []*term.Term{term.Int64(0), term.Int64(1)}
	visit := func(t *term.Term) {
		if t.Op == term.OpInt && len(out) < mostConstants && t.Int.BitLen() < 64 && !slices.ContainsFunc(out, t.Equal) {
			out = append(out, t)
		}
	}
	for _, e := range g.body.Edges {
		term.Each(visit, e.Guard)
		for _, eff := range e.Effects {
			for _, t := range ir.Uses(eff) {
				term.Each(visit, t)
			}
		}
	}
	for _, c := range g.sys.Cells {
		for _, r := range c.Rules {
			if r.Abstract == "" {
				term.Each(visit, r.Cond)
			}
		}
	}
	return out
}

// bounds guesses on which side of what it was, and of constants, a number stays.
func (g *guesser) bounds(q quantity, constants []*term.Term) {
	g.add(term.Le(q.was, q.is))
	g.add(term.Le(q.is, q.was))
	for _, c := range constants {
		g.add(term.Le(c, q.is))
		g.add(term.Le(q.is, c))
	}
}

// related guesses that one number changes by no more than another, or by a multiple of it.
func (g *guesser) related(p, q quantity, constants []*term.Term) {
	dp, dq := p.change(), q.change()
	g.add(term.Le(dp, dq))
	g.add(term.Le(dq, dp))
	for _, c := range constants {
		if c.Int.Cmp(big.NewInt(1)) > 0 {
			g.add(term.Le(dp, term.Mul(c, dq)))
			g.add(term.Le(dq, term.Mul(c, dp)))
		}
	}
}

// end guesses what a body returns, and what it leaves in memory.
func end(sys *ir.System, a *ir.Automaton, e vc.End) []vc.Fact {
	g := guess(sys, a, ir.Exit, e.Names, e.Eval)
	g.returns(e)
	constants := g.constants()
	if e.Result != nil {
		g.result(e.Result, constants)
	}
	anywhere := func(*term.Term) bool { return true }
	for _, it := range e.Items {
		g.add(term.Eq(it.Is, it.Was))
		switch {
		case isInt(it.Is):
			g.changed(quantity{is: it.Is, was: it.Was}, constants)
		case it.Is.Sort.Kind == term.KindArray:
			keys := g.keys(it, anywhere)
			g.array(it, keys)
			for _, k := range keys {
				if it.Is.Sort.Elem.Kind == term.KindInt {
					g.changed(quantity{is: term.Select(it.Is, k), was: term.Select(it.Was, k)}, constants)
				}
				for _, p := range a.Params {
					if p.Sort.Same(it.Is.Sort.Elem) {
						g.add(term.Eq(term.Select(it.Is, k), p))
					}
				}
			}
		}
	}
	return g.out
}

// returns guesses that the body does what the ways to its ends say, as far as they speak of its
// parameters and the memory when it began: of straight code, everything.
func (g *guesser) returns(e vc.End) {
	var ways []*term.Term
	for _, r := range e.Returns {
		var parts []*term.Term
		for _, p := range r.Assume {
			if g.speakable(p) {
				parts = append(parts, p)
			}
		}
		if r.Value != nil && g.speakable(r.Value) {
			parts = append(parts, term.Eq(e.Result, r.Value))
		}
		for i, it := range e.Items {
			if g.speakable(r.Items[i]) {
				parts = append(parts, term.Eq(it.Is, r.Items[i]))
			}
		}
		if len(e.Returns) == 1 {
			for _, p := range parts {
				g.add(p)
			}
		}
		ways = append(ways, term.And(parts...))
	}
	if len(ways) > 1 {
		g.add(term.Or(ways...))
	}
}

// result guesses what is returned.
func (g *guesser) result(r *term.Term, constants []*term.Term) {
	var one []*term.Term
	for _, p := range g.body.Params {
		if p.Sort.Same(r.Sort) {
			g.add(term.Eq(r, p))
			one = append(one, term.Eq(r, p))
		}
	}
	if len(one) > 1 {
		g.add(term.Or(one...))
	}
	if r.Sort.Kind == term.KindString {
		g.listed(r, nil)
	}
	if !isInt(r) {
		return
	}
	for _, c := range constants {
		g.add(term.Le(c, r))
		g.add(term.Le(r, c))
	}
	for _, p := range g.body.Params {
		if isInt(p) {
			g.add(term.Le(p, r))
			g.add(term.Le(r, p))
		}
	}
}

// changed guesses by how much a number changes.
func (g *guesser) changed(q quantity, constants []*term.Term) {
	g.bounds(q, constants)
	for _, p := range g.body.Params {
		if isInt(p) {
			g.add(term.Le(q.is, term.Add(q.was, p)))
			g.add(term.Le(term.Sub(q.was, p), q.is))
		}
	}
	for _, c := range constants[1:] {
		g.add(term.Le(q.is, term.Add(q.was, c)))
		g.add(term.Le(term.Sub(q.was, c), q.is))
	}
}
