package kernel

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// The kernel and the prover generate conditions each with code of their own. Random bodies with
// every effect, branches, loops and nested transactions must give them the same formulas, in the
// same order.

// scribe writes random bodies.
type scribe struct {
	t     *rapid.T
	b     *irtest.Body
	here  ir.Loc
	ints  []*term.Term
	texts []*term.Term
	bools []*term.Term
	open  bool // inside a try
}

func (s *scribe) pick(n int) int { return rapid.IntRange(0, n-1).Draw(s.t, "n") }

func (s *scribe) oneOf(ts []*term.Term) *term.Term { return ts[s.pick(len(ts))] }

func (s *scribe) integer() *term.Term {
	switch s.pick(4) {
	case 0:
		return term.Int64(int64(s.pick(4)))
	case 1:
		return term.Add(s.oneOf(s.ints), term.Int64(1))
	}
	return s.oneOf(s.ints)
}

func (s *scribe) text() *term.Term {
	if s.pick(2) == 0 {
		return term.StringLit([]string{"a", "b", "c"}[s.pick(3)])
	}
	return s.oneOf(s.texts)
}

func (s *scribe) condition() *term.Term {
	switch s.pick(5) {
	case 0:
		return term.Le(s.integer(), s.integer())
	case 1:
		return term.Eq(s.text(), s.text())
	case 2:
		return term.False
	}
	return s.oneOf(s.bools)
}

func (s *scribe) do(effects ...ir.Effect) {
	next := s.b.Loc()
	s.b.Edge(s.here, next, term.True, effects...)
	s.here = next
}

func (s *scribe) effect() ir.Effect {
	stock := ir.SlotRef{Cell: "A", Slot: "stock"}
	other := ir.SlotRef{Cell: "A", Slot: "other"}
	list := ir.SlotRef{Cell: "B", Slot: "log"}
	helper := ir.HandlerRef{Cell: "A", Handler: "helper", Arity: 0}
	states := []string{"a", "b", "c"}
	switch s.pick(22) {
	case 0:
		return &ir.Bind{Var: s.oneOf(s.ints), Value: s.integer()}
	case 1:
		return &ir.Bind{Var: s.oneOf(s.texts), Value: s.text()}
	case 2:
		return &ir.Havoc{Var: s.oneOf(s.bools), Why: "anything"}
	case 3:
		return &ir.Read{Slot: stock, Key: s.text(), Has: s.bools[0], Val: s.ints[0]}
	case 4:
		return &ir.Read{Slot: list, Key: s.integer(), Val: s.ints[1]}
	case 5:
		return &ir.Scan{Slot: stock, What: "len", Var: s.ints[1]}
	case 6:
		return &ir.Write{Slot: other, Key: s.text(), Value: s.integer()}
	case 7:
		return &ir.Delete{Slot: stock, Key: s.text(), Had: s.bools[1]}
	case 8:
		return &ir.Delete{Slot: list, Key: s.integer(), Had: s.bools[1]}
	case 9:
		return &ir.Push{Slot: list, Value: s.integer()}
	case 10:
		return &ir.Inspect{Cell: "A", ID: s.text(), What: "get_status", Var: s.texts[0]}
	case 11:
		return &ir.Inspect{Cell: "A", ID: s.text(), What: "has_state", Var: s.bools[0]}
	case 12:
		return &ir.Call{Handler: helper, Result: s.texts[1], Optional: s.pick(3) == 0}
	case 13:
		return &ir.Act{Builtin: "think", Class: "model", Result: s.texts[0], Tools: []ir.HandlerRef{helper}}
	case 14:
		if s.pick(4) == 0 {
			return &ir.Unknown{Why: "who knows"}
		}
		return &ir.Write{Slot: stock, Key: s.text(), Value: s.integer()}
	case 15:
		if s.pick(2) == 0 {
			return &ir.Delete{Slot: list, Key: s.integer()}
		}
		return &ir.Delete{Slot: other, Key: s.text()}
	case 16:
		return &ir.Scan{Slot: stock, What: "sum", Var: s.ints[0]}
	case 17:
		return &ir.Scan{Slot: list, What: "size", Var: s.ints[0]}
	case 18:
		to := term.StringLit(states[1+s.pick(2)])
		return &ir.Move{Cell: "A", ID: s.text(), From: term.StringLit("a"), To: to, Literal: true}
	case 19, 20:
		return s.work()
	}
	guard := ir.EdgeGuard{Edge: 1, Cond: s.condition(), Abstract: s.pick(2) == 0}
	return &ir.Move{Cell: "A", ID: s.text(), To: s.text(), Guards: []ir.EdgeGuard{guard}}
}

// work calls the worker or the clerk, with arguments that fit as a rule, for sure as a rule.
func (s *scribe) work() ir.Effect {
	c := &ir.Call{Handler: ir.HandlerRef{Cell: "A", Handler: "worker", Arity: 2}, Args: []*term.Term{s.integer(), s.text()}, Result: s.ints[0]}
	c.Handler.Handler = []string{"worker", "clerk"}[s.pick(2)]
	switch s.pick(8) {
	case 0:
		c.Optional = true
	case 1:
		c.Optional, c.Args = true, nil
	case 2:
		c.Args[s.pick(2)] = s.oneOf(s.bools)
	case 3:
		c.Result = nil
	}
	return c
}

func (s *scribe) block(depth int) {
	for range 1 + s.pick(2) {
		s.statement(depth)
	}
}

func (s *scribe) statement(depth int) {
	if depth == 0 {
		s.do(s.effect(), s.effect())
		return
	}
	switch s.pick(5) {
	case 0, 1:
		s.branch(depth)
	case 2:
		s.loop(depth)
	case 3:
		s.try(depth)
	default:
		s.do(s.effect())
	}
}

func (s *scribe) branch(depth int) {
	c := s.condition()
	end, yes, no, from := s.b.Loc(), s.b.Loc(), s.b.Loc(), s.here
	s.b.Edge(from, yes, c)
	s.b.Edge(from, no, term.Not(c), s.effect())
	for _, side := range []ir.Loc{yes, no} {
		s.here = side
		s.block(depth - 1)
		if side == no && s.pick(4) == 0 && !s.open {
			s.b.Edge(s.here, ir.Raised, term.True)
		} else {
			s.b.Edge(s.here, end, term.True, s.effect())
		}
	}
	s.here = end
}

func (s *scribe) loop(depth int) {
	head, out := s.b.Loc(), s.b.Loc()
	s.b.Edge(s.here, head, term.True)
	first := s.b.Locs
	c := s.condition()
	s.b.Edge(head, out, term.Not(c))
	s.here = s.b.Loc()
	s.b.Edge(head, s.here, c)
	s.block(depth - 1)
	s.b.Back(s.here, head, term.True, s.effect())
	locs := []ir.Loc{head}
	for l := first; l < s.b.Locs; l++ {
		locs = append(locs, ir.Loc(l))
	}
	s.b.Loop(ir.WhileLoop, c, locs...)
	s.here = out
}

func (s *scribe) try(depth int) {
	s.do(&ir.Begin{})
	before, failed, end := s.open, s.b.Loc(), s.b.Loc()
	s.open = true
	c := s.condition()
	on := s.b.Loc()
	s.b.Edge(s.here, failed, c, s.effect(), &ir.Rollback{})
	s.b.Edge(s.here, on, term.Not(c), s.effect())
	s.here = on
	s.block(depth - 1)
	s.b.Edge(s.here, end, term.True, &ir.Commit{})
	s.b.Edge(failed, end, term.True)
	s.here, s.open = end, before
}

// start gives each local any value.
func (s *scribe) start() {
	var start []ir.Effect
	for _, v := range append(append([]*term.Term{s.ints[0], s.ints[1]}, s.texts[:2]...), s.bools...) {
		start = append(start, &ir.Havoc{Var: v, Why: "start"})
	}
	s.do(start...)
}

func randomSystem(t *rapid.T) *ir.System {
	p := irtest.NewPlaces("a.cell", 4000)
	int0 := term.Int64(0)
	amount := func(slot string) *term.Term {
		return term.Ite(ir.EntryHas(slot), ir.EntryVal(slot, term.Int), int0)
	}
	a := &ir.Cell{
		Name:  "A",
		Slots: []*ir.Slot{{Name: "stock", Value: term.Int}, {Name: "other", Value: term.Int}},
		Rules: []*ir.Rule{
			{Text: "both", Guards: []string{"stock", "other"}, Cond: term.Le(amount("other"), amount("stock"))},
			{Text: "positive", Guards: []string{"stock"}, Cond: term.Le(int0, ir.EntryVal("stock", term.Int))},
			{Text: "open", Guards: []string{"other"}, Status: true, Cond: term.Or(
				term.Eq(ir.EntryStatus(), term.StringLit("a")), term.Eq(ir.EntryKey(term.String), term.StringLit("b")))},
			{Text: "step", Guards: []string{"stock"}, Step: true, Cond: term.Lt(int0, ir.EntryVal("stock", term.Int))},
			{Text: "size", Guards: []string{"stock"}, Size: true, Cond: term.Lt(ir.EntrySize("stock"), term.Int64(5))},
			{Text: "sizes", Guards: []string{"stock", "other"}, Size: true, Cond: term.Lt(ir.EntrySize("stock"), ir.EntrySize("other"))},
			{Text: "fading", Guards: []string{"other"}, Size: true, Step: true, Cond: term.Le(term.Int64(1), ir.EntrySize("other"))},
			{Text: "value and size", Guards: []string{"stock"}, Size: true, Step: true, Cond: term.Le(ir.EntryVal("stock", term.Int), ir.EntrySize("stock"))},
			{Text: "both and size", Guards: []string{"stock", "other"}, Size: true, Step: true, Cond: term.Le(amount("other"), ir.EntrySize("stock"))},
			{Text: "sums", Guards: []string{"stock", "other"}, Total: true, Cond: term.Eq(ir.EntrySum("stock"), ir.EntrySum("other"))},
			{Text: "founded", Guards: []string{"stock"}, Total: true, Size: true, Cond: term.Lt(ir.EntrySize("stock"), ir.EntrySum("stock"))},
			{Text: "fading sum", Guards: []string{"stock"}, Total: true, Step: true, Cond: term.Le(ir.EntrySum("stock"), term.Int64(60))},
		},
		Machine: &ir.Machine{Name: "m", States: []string{"a", "b", "c"}, Initial: "a", Edges: []*ir.MachineEdge{
			{From: "a", To: "b"}, {From: "b", To: "c", Guard: "g"}, {From: "a", To: "c"}}},
	}
	b := &ir.Cell{
		Name: "B", Slots: []*ir.Slot{{Name: "log", IsList: true, Value: term.Int}},
		Rules: []*ir.Rule{
			{Text: "log", Guards: []string{"log"}, Cond: term.Le(int0, ir.EntryVal("log", term.Int))},
			{Text: "log size", Guards: []string{"log"}, Size: true, Cond: term.Le(ir.EntrySize("log"), term.Int64(3))},
		},
	}
	helper := irtest.Handler(p, "A", "helper")
	helper.Result = term.String
	helper.Do(&ir.Write{Slot: ir.SlotRef{Cell: "A", Slot: "other"}, Key: term.StringLit("a"), Value: int0})
	flag := helper.Local("flag", term.Bool)
	end := helper.Do(&ir.Havoc{Var: flag, Why: "anything"})
	helper.Edge(end, ir.Exit, flag, &ir.Return{Value: term.StringLit("a")})
	helper.Edge(end, ir.Exit, term.Not(flag), &ir.Return{Value: term.StringLit("b")})

	// clerk writes down what was there, and gives back what it got.
	clerk := irtest.Handler(p, "A", "clerk", term.Var("k", term.Int), term.Var("t", term.String))
	clerk.Result = term.Int
	was := clerk.Local("was", term.Int)
	stock, other := ir.SlotRef{Cell: "A", Slot: "stock"}, ir.SlotRef{Cell: "A", Slot: "other"}
	clerk.Do(&ir.Read{Slot: stock, Key: clerk.Params[1], Val: was})
	clerk.Do(&ir.Write{Slot: stock, Key: clerk.Params[1], Value: term.Add(was, term.Int64(1))}, &ir.Write{Slot: other, Key: clerk.Params[1], Value: was})
	clerk.Edge(ir.Loc(clerk.Locs-1), ir.Exit, term.True, &ir.Return{Value: clerk.Params[0]})

	// worker calls itself and the helper, and has two ends.
	worker := irtest.Handler(p, "A", "worker", term.Var("k", term.Int), term.Var("t", term.String))
	worker.Result = term.Int
	w := &scribe{t: t, b: worker}
	w.ints = []*term.Term{worker.Local("i", term.Int), worker.Local("j", term.Int), worker.Params[0]}
	w.texts = []*term.Term{worker.Local("s", term.String), worker.Local("u", term.String), worker.Params[1]}
	w.bools = []*term.Term{worker.Local("p", term.Bool), worker.Local("q", term.Bool)}
	w.start()
	w.block(1)
	worker.Edge(w.here, ir.Exit, w.bools[0], &ir.Return{Value: w.ints[0]})
	worker.Edge(w.here, ir.Exit, term.Not(w.bools[0]), w.effect(), &ir.Return{Value: w.ints[2]})

	body := irtest.Handler(p, "A", "body", term.Var("n", term.Int), term.Var("id", term.String))
	s := &scribe{t: t, b: body}
	s.ints = []*term.Term{body.Local("i", term.Int), body.Local("j", term.Int), body.Params[0]}
	s.texts = []*term.Term{body.Local("s", term.String), body.Local("u", term.String), body.Params[1]}
	s.bools = []*term.Term{body.Local("p", term.Bool), body.Local("q", term.Bool)}
	s.start()
	s.block(2)
	body.Edge(s.here, ir.Exit, term.True, &ir.Return{Value: term.App("unit", term.Opaque)})
	a.Automata = []*ir.Automaton{helper.Automaton, clerk.Automaton, worker.Automaton, body.Automaton}
	return &ir.System{Cells: []*ir.Cell{a, b}}
}

func TestConditionsAgreeWithTheProver(t *testing.T) {
	compared, shown := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s := randomSystem(rt)
		if err := ir.Validate(s); err != nil {
			rt.Fatal(err)
		}
		a := newAuditor(&cert.Certificate{Facts: drawFacts(rt, s, 3)}, s)
		if err := a.readFacts(); err != nil {
			rt.Fatal(err)
		}
		mine, theirs := a.generator, vc.New(s)
		var known []vc.Fact
		for _, c := range s.Cells {
			for _, f := range a.facts[c] {
				known = append(known, vc.Fact{Body: f.automaton, At: f.at, Claim: f.term})
			}
		}
		theirs = theirs.Knowing(known, false)
		shown += facts(rt, a, theirs)
		for _, c := range s.Cells {
			for _, p := range places(c) {
				at, reached := theirs.Body(p.automaton).At(p.site.Edge, p.site.Effect)
				k := mine.condition(p.automaton, p.site.Edge, p.site.Effect, func(*site) *term.Term { return term.True })
				if reached != (k != nil) {
					rt.Fatalf("edge %d effect %d: reached is %t for the prover", p.site.Edge, p.site.Effect, reached)
				}
				if !reached {
					continue
				}
				compared++
				same(rt, p, "assumptions", k.assumptions, at.Assume)
				goals(rt, s, mine, theirs, p, at)
			}
			for _, a := range c.Automata {
				for l := range ir.Loc(a.Locs) {
					if l == ir.Raised {
						continue
					}
					for effect := range 3 {
						stmt := ir.Stmt{Loc: l, Effect: effect}
						if effect > effectsFrom(a, l) {
							break
						}
						at, reached := theirs.Body(a).Begins(stmt)
						k := mine.begins(a, stmt)
						if reached != (k != nil) {
							rt.Fatalf("statement at %s, %d: reached is %t for the prover", l, effect, reached)
						}
						if reached {
							same(rt, place{site: cert.Site{Edge: -1, Effect: effect}}, "statements", k.assumptions, at.Assume)
						}
					}
				}
			}
		}
		commits(rt, s, mine, theirs)
	})
	t.Logf("%d sites, %d conditions of facts", compared, shown)
	if compared == 0 || shown == 0 {
		t.Error("nothing was compared")
	}
}

// effectsFrom is the number of effects on the last edge that leaves a location.
func effectsFrom(a *ir.Automaton, l ir.Loc) int {
	n := 0
	for _, e := range a.Edges {
		if e.From == l {
			n = len(e.Effects)
		}
	}
	return n
}

func same(t *rapid.T, p place, what string, mine, theirs []*term.Term) {
	if !slices.EqualFunc(mine, theirs, (*term.Term).Equal) {
		t.Fatalf("edge %d effect %d, %s differ:\n%v\nthe prover:\n%v", p.site.Edge, p.site.Effect, what, mine, theirs)
	}
}

// commits compares the conditions of rules about sums.
func commits(t *rapid.T, s *ir.System, g *generator, theirs *vc.Generator) {
	for _, c := range s.Cells {
		for _, a := range c.Automata {
			for _, r := range s.Cells[0].Rules {
				if !r.Total {
					continue
				}
				if g.mayWrite(a, s.Cells[0], r) != theirs.MayWrite(a, s.Cells[0], r) {
					t.Fatalf("%s: whether %s may break %s", a.Name, a.Name, r.Text)
				}
				body := theirs.Body(a)
				for n, e := range a.Edges {
					if e.To != ir.Exit {
						continue
					}
					p := place{automaton: a, site: cert.Site{Edge: n, Effect: len(e.Effects)}}
					k := g.commit(a, n, "A", r)
					at, reached := body.At(n, len(e.Effects))
					if reached != (k != nil) {
						t.Fatalf("edge %d: reached is %t for the prover", n, reached)
					}
					if !reached {
						continue
					}
					assume, goal := body.Commits(at, s.Cells[0], r)
					same(t, p, "what is assumed of "+r.Text, k.assumptions, assume)
					same(t, p, "goals of "+r.Text, []*term.Term{k.goal}, []*term.Term{goal})
				}
			}
		}
	}
}

func goals(t *rapid.T, s *ir.System, g *generator, theirs *vc.Generator, p place, at vc.Site) {
	if f, ok := p.effect.(*ir.Move); ok {
		m := s.Find(f.Cell).Machine
		for i := range m.Edges {
			k := g.condition(p.automaton, p.site.Edge, p.site.Effect, func(s *site) *term.Term { return s.takes(f, i) })
			same(t, p, "edges", []*term.Term{k.goal}, []*term.Term{at.MoveTakes(f, i)})
		}
		var mine []int
		for i, e := range m.Edges {
			if e.Guard != "" && mayAsk(f, e) {
				mine = append(mine, i)
			}
		}
		if guarded := vc.Guarded(f, m); !slices.Equal(mine, guarded) {
			t.Fatalf("guarded edges %v, the prover: %v", mine, guarded)
		}
		for _, r := range s.Find(f.Cell).Rules {
			if theirs.Stated(r, f) != (r.Status && statable(r)) {
				t.Fatalf("rule %s at a move: the prover states it: %t", r.Text, theirs.Stated(r, f))
			}
			if theirs.Stated(r, f) {
				k := g.invariant(p.automaton, p.site.Edge, p.site.Effect, r)
				same(t, p, "goals", []*term.Term{k.goal}, []*term.Term{at.RuleAt(r, f, tagOf(p.site.Edge, p.site.Effect))})
				same(t, p, "hypotheses", k.assumptions, append(slices.Clone(at.Assume), at.MoveHypotheses(f)...))
			}
		}
		for _, guard := range f.Guards {
			if !guard.Abstract {
				k := g.condition(p.automaton, p.site.Edge, p.site.Effect, func(s *site) *term.Term { return s.allows(f, guard.Edge, guard.Cond) })
				same(t, p, "guards", []*term.Term{k.goal}, []*term.Term{at.GuardHolds(f, guard)})
			}
		}
		k := g.condition(p.automaton, p.site.Edge, p.site.Effect, func(s *site) *term.Term { return oneOf(s.eval(f.To), entered(m)) })
		same(t, p, "targets", []*term.Term{k.goal}, []*term.Term{at.TargetIn(f, entered(m))})
	}
	ref, removes, changes := changedSlot(p.effect)
	if !changes {
		return
	}
	owner := s.Find(ref.Cell)
	for _, r := range owner.Rules {
		if !asked(r, owner.Slot(ref.Slot), removes) {
			continue
		}
		if g.provable(r, owner.Slot(ref.Slot), removes) != theirs.Stated(r, p.effect) {
			t.Fatalf("edge %d effect %d: whether %s has a condition", p.site.Edge, p.site.Effect, r.Text)
		}
		if !theirs.Stated(r, p.effect) {
			continue
		}
		goal := at.RuleAt(r, p.effect, tagOf(p.site.Edge, p.site.Effect))
		k := g.invariant(p.automaton, p.site.Edge, p.site.Effect, r)
		same(t, p, "goals", []*term.Term{k.goal}, []*term.Term{goal})
		var key *term.Term
		switch f := p.effect.(type) {
		case *ir.Write:
			key = f.Key
		case *ir.Delete:
			key = f.Key
		}
		all := append(slices.Clone(at.Assume), at.Hypotheses(ref, key)...)
		same(t, p, "hypotheses", k.assumptions, all)
	}
}
