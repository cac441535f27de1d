package kernel

import (
	"slices"
	"testing"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// assumedAt is what is assumed at an effect of the mill's deliver under some facts.
func assumedAt(t *testing.T, s *ir.System, facts []cert.Fact, edge, effect int) []string {
	t.Helper()
	a := newAuditor(&cert.Certificate{Facts: facts}, s)
	if err := a.readFacts(); err != nil {
		t.Fatal(err)
	}
	c := a.generator.condition(s.Cells[0].Automata[4], edge, effect, func(*site) *term.Term { return term.False })
	var out []string
	for _, t := range c.assumptions {
		out = append(out, t.Text())
	}
	return out
}

// TestSummariesAtCalls: what is assumed of a call speaks of the caller's terms, and is left out
// where a call is not sure, or does not fit.
func TestSummariesAtCalls(t *testing.T) {
	const y = "(var y@0.0 Int)"
	plain := at(1, 1, oneAtAll)
	ofParam := at(1, 1, "(= (var result@X Int) (+ (var n Int) (int 1)))")
	first := func(s *ir.System) *ir.Call { return s.Cells[0].Automata[4].Edges[0].Effects[0].(*ir.Call) }
	none := func(*ir.System) {}
	for _, f := range []struct {
		name   string
		fact   cert.Fact
		system func(s *ir.System)
		want   []string
	}{
		{"the result", plain, none, []string{"(<= (int 1) " + y + ")"}},
		{"the parameter", ofParam, none, []string{"(= " + y + " (+ (var n Int) (int 1)))"}},
		{"an argument that is computed", ofParam, func(s *ir.System) { first(s).Args[0] = term.Int64(4) }, []string{"(= " + y + " (int 5))"}},
		{"an argument that the call overwrites", ofParam, func(s *ir.System) { first(s).Result = term.Var("n", term.Int) },
			[]string{"(= (var n@0.0 Int) (+ (var n Int) (int 1)))"}},
		{"a call that may not be", plain, func(s *ir.System) { first(s).Optional = true }, nil},
		{"a call with any arguments", plain, func(s *ir.System) { first(s).Optional, first(s).Args = true, nil }, nil},
		{"an argument of another sort", ofParam, func(s *ir.System) { first(s).Args[0] = term.Var("id", term.String) }, nil},
		{"an argument of another sort, of which it does not speak", plain, func(s *ir.System) { first(s).Args[0] = term.Var("id", term.String) },
			[]string{"(<= (int 1) " + y + ")"}},
		{"a result that nobody takes", plain, func(s *ir.System) { first(s).Result = nil }, nil},
		{"a result of which it does not speak", at(1, 1, "(<= (int 0) (var n Int))"), func(s *ir.System) { first(s).Result = nil },
			[]string{"(<= (int 0) (var n Int))"}},
		{"what is then true", at(1, 1, "(or (= (var n Int) (var n Int)) (= (var result@X Int) (int 0)))"),
			func(s *ir.System) { first(s).Args[0] = term.Int64(4) }, nil},
		{"another callee", plain, func(s *ir.System) { first(s).Handler.Handler = "_down" }, nil},
		{"a tool", plain, func(s *ir.System) {
			e := s.Cells[0].Automata[4].Edges[0]
			e.Effects[0] = &ir.Act{Builtin: "think", Class: "model", Tools: []ir.HandlerRef{first(s).Handler}, Result: first(s).Result}
		}, nil},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := mill()
			f.system(s)
			before := assumedAt(t, s, nil, 0, 1)
			got := assumedAt(t, s, []cert.Fact{f.fact}, 0, 1)
			if want := append(before, f.want...); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestSummariesOfMemory: @0 is the memory before the call and @X that after it, in each of two calls.
func TestSummariesOfMemory(t *testing.T) {
	s := mill()
	edge := s.Cells[0].Automata[4].Edges[2]
	edge.Effects = append(edge.Effects, &ir.Call{Handler: ir.HandlerRef{Cell: "Mill", Handler: "_note", Arity: 2},
		Args: []*term.Term{term.StringLit("b"), term.Int64(7)}})
	got := assumedAt(t, s, millFacts()[3:4], 2, 2)
	notes := func(tag string) string { return "(var Mill.notes.val@" + tag + " (Array String Int))" }
	want := []string{
		"(= " + notes("2.0") + " (store " + notes("0") + " (var id String) (var y@0.0 Int)))",
		"(= " + notes("2.1") + " (store " + notes("2.0") + ` (str "b") (int 7)))`,
	}
	if got = got[len(got)-2:]; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSummariesMayNotBeMistaken: a parameter that the caller's argument may be converted to, a result
// that is nothing, and what a timer leaves, say nothing of a call.
func TestSummariesMayNotBeMistaken(t *testing.T) {
	for name, spoil := range map[string]func(s *ir.System){
		"an Opaque parameter": func(s *ir.System) {
			a := s.Cells[0].Automata[2]
			a.Vars[0].Term = term.Var("k", term.Opaque)
			a.Params[0] = a.Vars[0].Term
			a.Edges = []*ir.Edge{{From: ir.Entry, To: ir.Exit, Guard: term.True, Effects: []ir.Effect{&ir.Return{Value: term.Int64(0)}}}}
		},
		"a result that is Unit": func(s *ir.System) {
			a := s.Cells[0].Automata[2]
			a.Result, a.Edges = term.Unit, []*ir.Edge{{From: ir.Entry, To: ir.Exit, Guard: term.True}}
		},
		"a timer": func(s *ir.System) { s.Cells[0].Automata[2].Kind = ir.Timer },
	} {
		s := mill()
		s.Cells[0].Automata = s.Cells[0].Automata[:3]
		facts := []cert.Fact{at(2, 1, "(= (app text String (var k Opaque)) (str \"a\"))")}
		if name == "a result that is Unit" {
			facts[0].Text = "(= (var result@X Unit) unit)"
		}
		if name == "a timer" {
			facts = []cert.Fact{at(2, 1, "(= (var result@X Int) (int 0))")}
			if err := newAuditor(&cert.Certificate{Facts: facts}, s).readFacts(); err != nil {
				t.Fatal(err)
			}
		}
		spoil(s)
		if err := ir.Validate(s); err != nil {
			t.Fatal(err)
		}
		if err := newAuditor(&cert.Certificate{Facts: facts}, s).readFacts(); err == nil || err.Kind != BadFact {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFactsUnderOtherSystems: what holds because of facts does not hold where the bodies are others.
func TestFactsUnderOtherSystems(t *testing.T) {
	automaton := func(s *ir.System, n int) *ir.Automaton { return s.Cells[0].Automata[n] }
	for _, f := range []struct {
		name  string
		spoil func(s *ir.System)
		want  ErrorKind
	}{
		{"a loop that counts down", func(s *ir.System) {
			automaton(s, 0).Edges[5].Effects[0].(*ir.Bind).Value = term.Add(term.Var("i", term.Int), term.Int64(-1))
		}, NotAssumed},
		{"a loop that starts below", func(s *ir.System) {
			automaton(s, 0).Edges[1].Effects[0].(*ir.Bind).Value = term.Int64(-1)
		}, NotAssumed},
		{"a third round", func(s *ir.System) {
			a := automaton(s, 0)
			a.Edges = append(a.Edges, &ir.Edge{From: 4, To: 3, Guard: term.True, Back: true, Span: a.Edges[0].Span})
		}, BadCases},
		{"a loop that nothing reaches", func(s *ir.System) {
			automaton(s, 0).Edges[0].Guard, automaton(s, 0).Edges[1].Guard = term.False, term.False
		}, BadFact},
		{"a callee that gives less", func(s *ir.System) {
			automaton(s, 1).Edges[1].Effects[0].(*ir.Return).Value = term.Int64(0)
		}, NotTrivial},
		{"a callee that ends once more", func(s *ir.System) {
			a := automaton(s, 1)
			a.Edges = append(a.Edges, &ir.Edge{From: ir.Entry, To: ir.Exit, Guard: term.True, Span: a.Edges[0].Span,
				Effects: []ir.Effect{&ir.Return{Value: term.Int64(1)}}})
		}, BadCases},
		{"a callee that stores elsewhere", func(s *ir.System) {
			automaton(s, 3).Edges[0].Effects[0].(*ir.Write).Key = term.StringLit("a")
		}, NotTrivial},
		{"a call that may not be", func(s *ir.System) {
			automaton(s, 4).Edges[0].Effects[0].(*ir.Call).Optional = true
		}, NotAssumed},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := mill()
			f.spoil(s)
			refusesWith(t, millCertificate(t), s, nil, f.want)
		})
	}
}
