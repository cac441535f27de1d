package kernel

import (
	"slices"
	"strings"
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// mill grinds: its bodies store what loops and calls give, which is at least 0 for reasons that
// only facts tell.
func mill() *ir.System {
	p := irtest.NewPlaces("mill.cell", 400)
	id, n, k := term.Var("id", term.String), term.Var("n", term.Int), term.Var("k", term.Int)
	sacks := ir.SlotRef{Cell: "Mill", Slot: "sacks"}
	c := &ir.Cell{
		Name: "Mill", Span: p.Next(),
		Slots: []*ir.Slot{
			{Name: "sacks", Value: term.Int, Type: "Map<String, Int>", Span: p.Next()},
			{Name: "notes", Value: term.Int, Type: "Map<String, Int>", Span: p.Next()},
		},
		Rules: []*ir.Rule{{Text: "sacks >= 0", Guards: []string{"sacks"}, Cond: term.Le(term.Int64(0), ir.EntryVal("sacks", term.Int)), Span: p.Next()}},
	}
	call := func(name string, result *term.Term, args ...*term.Term) *ir.Call {
		return &ir.Call{Handler: ir.HandlerRef{Cell: "Mill", Handler: name, Arity: len(args)}, Args: args, Result: result}
	}

	// grind counts rounds from 0 to n, two locations before the head meeting in it.
	grind := irtest.Handler(p, "Mill", "grind", id, n) // automaton 0
	i, was := grind.Local("i", term.Int), grind.Local("was", term.Int)
	head, round, out := grind.Loc(), grind.Loc(), grind.Loc() // 3, 4, 5
	grind.Edge(ir.Entry, head, term.Lt(n, term.Int64(5)), &ir.Bind{Var: i, Value: term.Int64(0)}, &ir.Bind{Var: was, Value: n})
	grind.Edge(ir.Entry, head, term.Not(term.Lt(n, term.Int64(5))), &ir.Bind{Var: i, Value: term.Int64(1)}, &ir.Bind{Var: was, Value: term.Int64(4)})
	grind.Edge(head, round, term.Lt(i, n))
	grind.Edge(head, out, term.Not(term.Lt(i, n)))
	grind.Back(round, head, term.Eq(i, term.Int64(3)), &ir.Bind{Var: i, Value: term.Add(i, term.Int64(2))})
	grind.Back(round, head, term.Not(term.Eq(i, term.Int64(3))), &ir.Bind{Var: i, Value: term.Add(i, term.Int64(1))})
	grind.Loop(ir.ForLoop, nil, head, round)
	grind.Edge(out, ir.Exit, term.True, &ir.Write{Slot: sacks, Key: id, Value: i}, &ir.Return{Value: term.App("unit", term.Opaque)})

	// _next gives at least 1, at each of its two ends.
	next := irtest.Handler(p, "Mill", "_next", n) // automaton 1
	next.Result = term.Int
	positive := term.Le(term.Int64(0), n)
	next.Edge(ir.Entry, ir.Exit, positive, &ir.Bind{Var: n, Value: term.Add(n, term.Int64(1))}, &ir.Return{Value: n})
	next.Edge(ir.Entry, ir.Exit, term.Not(positive), &ir.Return{Value: term.Int64(1)})

	// _down gives 0, if anything: it calls itself.
	down := irtest.Handler(p, "Mill", "_down", k) // automaton 2
	down.Result = term.Int
	r := down.Local("r", term.Int)
	down.Edge(ir.Entry, ir.Exit, term.Le(k, term.Int64(0)), &ir.Return{Value: term.Int64(0)})
	down.Edge(ir.Entry, ir.Exit, term.Not(term.Le(k, term.Int64(0))),
		call("_down", r, term.Add(k, term.Int64(-1))), &ir.Return{Value: r})

	// _note stores its number twice, and touches no sack.
	note := irtest.Handler(p, "Mill", "_note", id, n) // automaton 3
	notes := ir.SlotRef{Cell: "Mill", Slot: "notes"}
	note.Return(&ir.Write{Slot: notes, Key: id, Value: n})

	// deliver stores what the three give.
	deliver := irtest.Handler(p, "Mill", "deliver", id, n) // automaton 4
	y, z, val := deliver.Local("y", term.Int), deliver.Local("z", term.Int), deliver.Local("val", term.Int)
	deliver.Do(call("_next", y, n), call("_down", z, n))
	deliver.Do(&ir.Write{Slot: sacks, Key: id, Value: term.Add(y, z, term.Int64(-1))})
	deliver.Do(call("_note", nil, id, y))
	deliver.Do(&ir.Read{Slot: notes, Key: id, Val: val})
	deliver.Return(&ir.Write{Slot: sacks, Key: id, Value: val})
	c.Automata = []*ir.Automaton{grind.Automaton, next.Automaton, down.Automaton, note.Automaton, deliver.Automaton}
	return &ir.System{Cells: []*ir.Cell{c}}
}

// The variables that facts of the mill speak of.
var (
	hasNow   = "(var Mill.notes.has@X (Array String Bool))"
	valNow   = "(var Mill.notes.val@X (Array String Int))"
	atHead   = "(<= (int 0) (var i@H3 Int))"
	oneAtAll = "(<= (int 1) (var result@X Int))"
)

// at is a fact of the mill.
func at(automaton, loc int, text string) cert.Fact {
	return cert.Fact{Cell: "Mill", Automaton: automaton, At: loc, Text: text}
}

// millFacts are what it takes to prove all of the mill.
func millFacts() []cert.Fact {
	return []cert.Fact{
		at(0, 3, atHead),
		at(1, 1, oneAtAll),
		at(2, 1, "(= (var result@X Int) (int 0))"),
		at(3, 1, "(= "+valNow+" (store (var Mill.notes.val@0 (Array String Int)) (var id String) (var n Int)))"),
		at(3, 1, "(select "+hasNow+" (var id String))"),
	}
}

func millCertificate(t testing.TB) *cert.Certificate {
	t.Helper()
	m := &maker{t: t, facts: millFacts()}
	c := m.certificate(mill())
	if len(m.unproven) > 0 {
		t.Fatalf("not shown: %v", m.unproven)
	}
	return c
}

// TestFactsProve: with facts everything about the mill is proven, without them the writes are not;
// each fact is needed.
func TestFactsProve(t *testing.T) {
	invariants := func(c *cert.Certificate) (proven, all int) {
		for _, o := range c.Obligations {
			if o.Kind == cert.Invariant {
				if all++; o.Verdict == cert.Proven {
					proven++
				}
			}
		}
		return proven, all
	}
	c := millCertificate(t)
	r := Audit(c)
	if err := firstError(r); err != nil {
		t.Fatal(err)
	}
	if n := r.CountClass(cert.KernelChecked); n < 5+3 {
		t.Errorf("%d checked", n)
	}
	if proven, all := invariants(c); proven != all || all != 3 {
		t.Errorf("%d of %d proven", proven, all)
	}
	for i, f := range millFacts()[:4] {
		m := &maker{t: t, facts: append(millFacts()[:i:i], millFacts()[i+1:]...)}
		less := m.certificate(mill())
		if err := firstError(Audit(less)); err != nil {
			t.Errorf("without %s: %v", f.Text, err)
		}
		if proven, all := invariants(less); proven == all {
			t.Errorf("%s is needed for nothing", f.Text)
		}
	}
}

// TestFactsThatDoNotHold: there is no proof where there is nothing to prove, and the kernel says of
// which case.
func TestFactsThatDoNotHold(t *testing.T) {
	for _, f := range []struct {
		name   string
		fact   cert.Fact
		system func(s *ir.System)
		at     []string // the edges of the cases that fail
	}{
		{"not at the start", at(0, 3, "(<= (int 1) (var i@H3 Int))"), nil, []string{"-1"}},
		{"not kept by a round", at(0, 3, "(<= (var i@H3 Int) (int 9))"), nil, []string{"5"}},
		{"kept by one way of going on only", at(0, 3, "(not (= (var i@H3 Int) (int 4)))"), func(s *ir.System) {
			s.Cells[0].Automata[0].Edges[4].Effects[0].(*ir.Bind).Value = term.Add(term.Var("i", term.Int), term.Int64(1))
		}, []string{"4"}},
		{"nor at the start nor kept", at(0, 3, "(= (var i@H3 Int) (int 2))"), nil, []string{"-1", "5"}},
		{"what the loop began with, at one entry only", at(0, 3, "(= (var was@L3 Int) (var n Int))"), nil, []string{"-1"}},
		{"one exit breaks it", at(1, 1, "(<= (int 2) (var result@X Int))"), nil, []string{"0", "1"}},
		{"the other exit breaks it", at(1, 1, "(= (var result@X Int) (+ (var n Int) (int 1)))"), nil, []string{"1"}},
		{"the parameter is what came in, not what was made of it", at(1, 1, "(=> (<= (int 0) (var n Int)) (= (var result@X Int) (var n Int)))"), nil, []string{"0"}},
		{"a recursion that adds", at(2, 1, "(= (var result@X Int) (int 0))"), func(s *ir.System) {
			s.Cells[0].Automata[2].Edges[1].Effects[1].(*ir.Return).Value = term.Add(term.Var("r", term.Int), term.Int64(1))
		}, []string{"1"}},
		{"a recursion that ends elsewhere", at(2, 1, "(= (var result@X Int) (int 0))"), func(s *ir.System) {
			s.Cells[0].Automata[2].Edges[0].Effects[0].(*ir.Return).Value = term.Int64(1)
		}, []string{"0"}},
		{"the memory before is not that after", at(3, 1, "(= "+valNow+" (var Mill.notes.val@0 (Array String Int)))"), nil, []string{"0"}},
		{"an entry of another key", at(3, 1, "(select "+hasNow+" (str \"a\"))"), nil, []string{"0"}},
		{"what is written is undone", at(3, 1, "(select "+hasNow+" (var id String))"), func(s *ir.System) {
			e := s.Cells[0].Automata[3].Edges[0]
			e.Effects = append([]ir.Effect{&ir.Begin{}, e.Effects[0], &ir.Rollback{}}, e.Effects[1])
		}, []string{"0"}},
		{"what comes back where something is done after it", at(1, 1, oneAtAll), func(s *ir.System) {
			e := s.Cells[0].Automata[1].Edges[0]
			e.Effects = append(e.Effects, &ir.Bind{Var: term.Var("n", term.Int), Value: term.Int64(7)})
		}, []string{"0"}},
		{"what comes back of two returns", at(1, 1, oneAtAll), func(s *ir.System) {
			e := s.Cells[0].Automata[1].Edges[0]
			e.Effects = append(e.Effects, &ir.Return{Value: term.Int64(1)})
		}, []string{"0"}},
		{"what comes back of no return", at(1, 1, oneAtAll), func(s *ir.System) {
			e := s.Cells[0].Automata[1].Edges[1]
			e.Effects = nil
		}, []string{"1"}},
		{"false", at(4, 1, "false"), nil, []string{"4"}},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := mill()
			if f.system != nil {
				f.system(s)
			}
			m := &maker{t: t, facts: []cert.Fact{f.fact}}
			c := m.certificate(s)
			want := []string{}
			for _, edge := range f.at {
				want = append(want, find(c, "Mill/"+s.Cells[0].Automata[f.fact.Automaton].Name+"/fact/1").ID+" at "+edge)
			}
			if !slices.Equal(m.unproven, want) {
				t.Errorf("not shown: %v, want %v", m.unproven, want)
			}
			r := Audit(c)
			if err := firstError(r); err == nil || err.Kind != NotTrivial || len(r.Results) > 0 {
				t.Errorf("%v, with %d results", err, len(r.Results))
			}
		})
	}
}

// TestFactsThatMayNotStand: a fact is refused for where it stands, how it is written, and what it
// speaks of.
func TestFactsThatMayNotStand(t *testing.T) {
	whole := millCertificate(t)
	for _, f := range []struct {
		name  string
		facts []cert.Fact
		say   string
	}{
		{"of no cell", []cert.Fact{{Cell: "Kiln", At: 3, Text: atHead}}, "no automaton"},
		{"of no automaton", []cert.Fact{at(5, 3, atHead)}, "no automaton"},
		{"of an automaton before the first", []cert.Fact{at(-1, 3, atHead)}, "no automaton"},
		{"at a location that is no head", []cert.Fact{at(0, 4, atHead)}, "no head"},
		{"at the entry", []cert.Fact{at(0, 0, atHead)}, "no head"},
		{"where it raises", []cert.Fact{at(0, 2, atHead)}, "no head"},
		{"at no location", []cert.Fact{at(0, 99, atHead)}, "no head"},
		{"at a location before the first", []cert.Fact{at(0, -3, atHead)}, "no head"},
		{"twice", []cert.Fact{at(0, 3, atHead), at(0, 3, atHead)}, "stands twice"},
		{"twice, not side by side", []cert.Fact{at(1, 1, oneAtAll), at(1, 1, "false"), at(1, 1, oneAtAll)}, "stands twice"},
		{"automata out of order", []cert.Fact{at(1, 1, oneAtAll), at(0, 3, atHead)}, "later place"},
		{"locations out of order", []cert.Fact{at(0, 3, atHead), at(0, 1, "false")}, "later place"},
		{"no term", []cert.Fact{at(0, 3, "(<= (int 0)")}, "as a fact"},
		{"no text", []cert.Fact{at(0, 3, "")}, "as a fact"},
		{"ill-sorted", []cert.Fact{at(0, 3, "(<= (int 0) true)")}, "as a fact"},
		{"no formula", []cert.Fact{at(0, 3, "(var i@H3 Int)")}, "no Bool"},
		{"true", []cert.Fact{at(0, 3, "true")}, "says nothing"},
		{"blanks", []cert.Fact{at(0, 3, "(<=  (int 0) (var i@H3 Int))")}, "not written"},
		{"a name in quotes", []cert.Fact{at(0, 3, `(<= (int 0) (var "i@H3" Int))`)}, "not written"},
		{"behind the term", []cert.Fact{at(0, 3, atHead+" ")}, "not written"},
		{"a reference", []cert.Fact{at(0, 3, "(<= #0 (var i@H3 Int))")}, "as a fact"},
		{"a function value", []cert.Fact{at(0, 3, "(= (app function Opaque (int 1)) (app function Opaque (int 2)))")}, "function value"},

		{"a variable at no time", []cert.Fact{at(0, 3, "(<= (int 0) (var i Int))")}, "may stand in no fact"},
		{"a variable at another head", []cert.Fact{at(0, 3, "(<= (int 0) (var i@H4 Int))")}, "may stand in no fact"},
		{"a variable of another sort", []cert.Fact{at(0, 3, "(var i@H3 Bool)")}, "may stand in no fact"},
		{"a variable that the loop leaves alone, as if it did not", []cert.Fact{at(0, 3, "(<= (int 0) (var was@H3 Int))")}, "may stand in no fact"},
		{"a variable that the loop leaves alone, of another sort", []cert.Fact{at(0, 3, "(var was@L3 Bool)")}, "may stand in no fact"},
		{"a variable of the round", []cert.Fact{at(0, 3, "(<= (int 0) (var i@4.0 Int))")}, "may stand in no fact"},
		{"a way into the head", []cert.Fact{at(0, 3, "(or (var in@0 Bool) (var in@1 Bool))")}, "may stand in no fact"},
		{"a variable at the entry that is given a value", []cert.Fact{at(0, 3, "(<= (int 0) (var i@0 Int))")}, "may stand in no fact"},
		{"what a head does not return", []cert.Fact{at(0, 3, "(<= (int 0) (var result@X Int))")}, "may stand in no fact"},
		{"memory that the loop does not write", []cert.Fact{at(0, 3, "(select (var Mill.sacks.has@H3 (Array String Bool)) (str \"a\"))")}, "may stand in no fact"},
		{"no such variable", []cert.Fact{at(0, 3, "(<= (int 0) (var j@H3 Int))")}, "may stand in no fact"},
		{"a bare mark", []cert.Fact{at(0, 3, "(<= (int 0) (var @H3 Int))")}, "may stand in no fact"},

		{"a local of the callee", []cert.Fact{at(2, 1, "(= (var r@0 Int) (int 0))")}, "may stand in no fact"},
		{"a local at the exit", []cert.Fact{at(2, 1, "(= (var r@X Int) (int 0))")}, "may stand in no fact"},
		{"a parameter at the exit", []cert.Fact{at(1, 1, "(<= (int 0) (var n@X Int))")}, "may stand in no fact"},
		{"a parameter of another", []cert.Fact{at(1, 1, "(<= (int 0) (var k Int))")}, "may stand in no fact"},
		{"a parameter of another sort", []cert.Fact{at(1, 1, "(var n Bool)")}, "may stand in no fact"},
		{"memory that the callee does not write", []cert.Fact{at(3, 1, "(select (var Mill.sacks.has@X (Array String Bool)) (str \"a\"))")}, "may stand in no fact"},
		{"memory of another sort", []cert.Fact{at(3, 1, "(select (var Mill.notes.has@X (Array Int Bool)) (int 1))")}, "may stand in no fact"},
		{"memory at an effect", []cert.Fact{at(3, 1, "(select (var Mill.notes.has@0.0 (Array String Bool)) (str \"a\"))")}, "may stand in no fact"},
		{"a result that is any value", []cert.Fact{at(3, 1, "(= (var result@X Opaque) (app unit Opaque))")}, "may stand in no fact"},
		{"a result of another sort", []cert.Fact{at(1, 1, "(var result@X Bool)")}, "may stand in no fact"},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := *whole
			c.Facts = f.facts
			r := Audit(&c)
			if err := firstError(r); err == nil || err.Kind != BadFact || !strings.Contains(err.Message, f.say) || len(r.Results) > 0 {
				t.Errorf("%v, with %d results; want %q", err, len(r.Results), f.say)
			}
		})
	}
}

// TestFactEvidence: each fact has its obligation, where it belongs, proven for each case by what the
// kernel checks itself; else nothing of the certificate counts.
func TestFactEvidence(t *testing.T) {
	whole, err := cert.Encode(millCertificate(t))
	if err != nil {
		t.Fatal(err)
	}
	const loop, call = "Mill/grind/fact/1", "Mill/_next/fact/1"
	cases := func(c *cert.Certificate, id string) *[]cert.Case {
		return &find(c, id).Evidence.Data.(*cert.Cases).Cases
	}
	open := func(v cert.Verdict) func(c *cert.Certificate) {
		return func(c *cert.Certificate) {
			o := find(c, loop)
			o.Verdict, o.Reason, o.Evidence = v, "who knows", cert.Evidence{Class: cert.NoEvidence}
		}
	}
	for _, f := range []struct {
		name  string
		spoil func(c *cert.Certificate)
		want  ErrorKind
	}{
		{"no obligation", func(c *cert.Certificate) {
			c.Obligations = slices.DeleteFunc(c.Obligations, func(o *cert.Obligation) bool { return o.ID == call })
		}, BadList},
		{"no obligation of any", func(c *cert.Certificate) {
			c.Obligations = slices.DeleteFunc(c.Obligations, func(o *cert.Obligation) bool { return o.Kind == cert.FactKind })
		}, BadList},
		{"obligations of no fact", func(c *cert.Certificate) { c.Facts = nil }, BadList},
		{"obligations out of order", func(c *cert.Certificate) {
			i := slices.IndexFunc(c.Obligations, func(o *cert.Obligation) bool { return o.ID == loop })
			c.Obligations[i], c.Obligations[i+1] = c.Obligations[i+1], c.Obligations[i]
		}, BadList},
		{"another fact", func(c *cert.Certificate) { c.Facts[0].Text = "(<= (int -1) (var i@H3 Int))" }, BadClaim},
		{"another claim", func(c *cert.Certificate) { find(c, loop).Claim = cert.ClaimFact("grind", 3, "true") }, BadClaim},
		{"a site", func(c *cert.Certificate) { find(c, loop).Site = &cert.Site{Cell: "Mill"} }, BadClaim},
		{"unknown", open(cert.Unknown), BadVerdict},
		{"left to the runtime", open(cert.RuntimeChecked), BadVerdict},
		{"refuted", open(cert.Refuted), BadVerdict},
		{"no verdict", open(""), BadVerdict},
		{"by triviality", func(c *cert.Certificate) {
			find(c, loop).Evidence = cert.Evidence{Class: cert.KernelChecked, Rule: cert.ByTrivial}
		}, UnknownRule},
		{"on the word of the engine", func(c *cert.Certificate) {
			find(c, loop).Evidence = cert.Evidence{Class: cert.EngineTrusted, Rule: cert.ByEngine}
		}, UnknownRule},
		{"on the word of a solver, once", func(c *cert.Certificate) {
			k := &(*cases(c, loop))[1]
			k.Rule, k.Refutation, k.Script = cert.ByScript, nil, &cert.Script{Solver: "s", Text: "t"}
			find(c, loop).Evidence.Class = cert.SolverTrusted
		}, BadClass},
		{"no cases", func(c *cert.Certificate) { *cases(c, loop) = []cert.Case{} }, BadCases},
		{"no start", func(c *cert.Certificate) { *cases(c, loop) = (*cases(c, loop))[1:] }, BadCases},
		{"a round less", func(c *cert.Certificate) { *cases(c, loop) = (*cases(c, loop))[:2] }, BadCases},
		{"an end less", func(c *cert.Certificate) { *cases(c, call) = (*cases(c, call))[:1] }, BadCases},
		{"a start of no loop", func(c *cert.Certificate) {
			*cases(c, call) = append([]cert.Case{(*cases(c, loop))[0]}, *cases(c, call)...)
		}, BadCases},
		{"another effect", func(c *cert.Certificate) { (*cases(c, loop))[1].Site.Effect = 0 }, BadCases},
		{"the start at an effect", func(c *cert.Certificate) { (*cases(c, loop))[0].Site.Effect = 1 }, BadCases},
		{"the start at the first edge", func(c *cert.Certificate) { (*cases(c, loop))[0].Site.Edge = 0 }, BadCases},
		{"another automaton", func(c *cert.Certificate) { (*cases(c, loop))[0].Site.Automaton = 1 }, BadCases},
		{"rounds out of order", func(c *cert.Certificate) {
			k := *cases(c, loop)
			k[1], k[2] = k[2], k[1]
		}, BadCases},
		{"values", func(c *cert.Certificate) { (*cases(c, loop))[0].Values = []string{"a"} }, BadCases},
		{"the proof of another case", func(c *cert.Certificate) {
			k := *cases(c, loop)
			k[1].Refutation = k[2].Refutation
		}, NotAssumed},
		{"a case said to be trivial", func(c *cert.Certificate) {
			k := &(*cases(c, loop))[1]
			k.Rule, k.Refutation = cert.ByTrivial, nil
		}, NotTrivial},
	} {
		t.Run(f.name, func(t *testing.T) {
			c, err := cert.Decode(whole)
			if err != nil {
				t.Fatal(err)
			}
			f.spoil(c)
			r := Audit(c)
			if err := firstError(r); err == nil || err.Kind != f.want || len(r.Results) > 0 {
				t.Errorf("%v, with %d results; want %s", err, len(r.Results), f.want)
			}
		})
	}
}
