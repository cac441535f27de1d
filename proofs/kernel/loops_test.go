package kernel

import (
	"slices"
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// nest has a loop in a loop, and in the outer one a transaction that each round undoes.
func nest() *ir.System {
	p := irtest.NewPlaces("nest.cell", 200)
	notes := ir.SlotRef{Cell: "Nest", Slot: "notes"}
	id, n := term.Var("id", term.String), term.Var("n", term.Int)
	b := irtest.Handler(p, "Nest", "walk", id, n)
	x, y := b.Local("x", term.Int), b.Local("y", term.Int)
	outer, inner, back, out := b.Loc(), b.Loc(), b.Loc(), b.Loc() // 3, 4, 5, 6
	on := func(v *term.Term) *term.Term { return term.Lt(v, n) }
	b.Edge(ir.Entry, outer, on(term.Int64(0)), &ir.Bind{Var: x, Value: term.Int64(0)}, &ir.Begin{}) // 0
	b.Edge(ir.Entry, outer, term.Not(on(term.Int64(0))), &ir.Bind{Var: x, Value: n},
		&ir.Write{Slot: notes, Key: id, Value: n}, &ir.Begin{}) // 1
	b.Edge(outer, inner, on(x), &ir.Havoc{Var: y})                                                                          // 2
	b.Edge(outer, out, term.Not(on(x)))                                                                                     // 3
	b.Back(inner, inner, on(y), &ir.Bind{Var: x, Value: term.Add(x, term.Int64(1))})                                        // 4
	b.Edge(inner, out, term.Eq(y, n))                                                                                       // 5: out of both
	b.Edge(inner, back, term.Lt(n, y))                                                                                      // 6
	b.Back(back, outer, term.True, &ir.Begin{}, &ir.Write{Slot: notes, Key: term.StringLit("a"), Value: x}, &ir.Rollback{}) // 7
	b.Edge(out, ir.Exit, term.True, &ir.Commit{}, &ir.Return{Value: term.App("unit", term.Opaque)})
	b.Loop(ir.ForLoop, nil, outer, inner, back)
	b.Loop(ir.ForLoop, nil, inner)
	return &ir.System{Cells: []*ir.Cell{{
		Name: "Nest", Span: p.Next(), Automata: []*ir.Automaton{b.Automaton},
		Slots: []*ir.Slot{{Name: "notes", Value: term.Int, Type: "Map<String, Int>", Span: p.Next()}},
	}}}
}

func atNest(loc int, text string) cert.Fact { return cert.Fact{Cell: "Nest", At: loc, Text: text} }

// TestFactsOfNestedLoops: what lasts in the inner loop speaks of the outer round, and the outer loop
// needs it; what a round undoes lasts.
func TestFactsOfNestedLoops(t *testing.T) {
	has := func(tag string) string { return "(var Nest.notes.has@" + tag + " (Array String Bool))" }
	grows := atNest(4, "(<= (var x@H3 Int) (var x@H4 Int))")
	grown := atNest(3, "(<= (var x@L3 Int) (var x@H3 Int))")
	kept := atNest(3, "(= "+has("H3")+" "+has("L3")+")")
	for _, f := range []struct {
		name   string
		facts  []cert.Fact
		system func(b *ir.Automaton)
		want   []string
	}{
		{"both", []cert.Fact{grown, kept, grows}, nil, nil},
		{"the outer one alone", []cert.Fact{grown}, nil, []string{"Nest/walk/fact/1 at 7"}},
		{"an inner loop that shrinks", []cert.Fact{grown, grows}, func(b *ir.Automaton) {
			b.Edges[4].Effects[0].(*ir.Bind).Value = term.Add(term.Var("x", term.Int), term.Int64(-1))
		}, []string{"Nest/walk/fact/2 at 4"}},
		{"a round that keeps what it does", []cert.Fact{kept}, func(b *ir.Automaton) {
			b.Edges[7].Effects[2] = &ir.Commit{}
		}, []string{"Nest/walk/fact/1 at 7"}},
		{"a round that does more behind what it undoes", []cert.Fact{kept}, func(b *ir.Automaton) {
			b.Edges[7].Effects = append(b.Edges[7].Effects, b.Edges[7].Effects[1])
		}, []string{"Nest/walk/fact/1 at 7"}},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := nest()
			if f.system != nil {
				f.system(s.Cells[0].Automata[0])
			}
			m := &maker{t: t, facts: f.facts}
			c := m.certificate(s)
			if !slices.Equal(m.unproven, f.want) {
				t.Errorf("not shown: %v, want %v", m.unproven, f.want)
			}
			if err := firstError(Audit(c)); (err == nil) != (len(f.want) == 0) {
				t.Error(err)
			}
		})
	}
}

// TestNamesAtNestedHeads: a fact may speak of what stays as it is while its loop runs, and of nothing
// else.
func TestNamesAtNestedHeads(t *testing.T) {
	has := func(tag string) *term.Term {
		return term.Var("Nest.notes.has@"+tag, term.ArraySort(term.String, term.Bool))
	}
	i := func(name string) *term.Term { return term.Var(name, term.Int) }
	for _, f := range []struct {
		head ir.Loc
		name *term.Term
		may  bool
	}{
		{3, i("x@H3"), true}, {3, i("x@L3"), true}, {3, i("y@H3"), true}, {3, i("y@0"), true}, {3, i("n"), true},
		{3, has("H3"), true}, {3, has("L3"), true},
		{3, i("x@H4"), false}, {3, i("y@2.0"), false}, {3, i("x@0"), false}, {3, has("0"), false},
		{3, has("L3.0"), false}, // what the transaction saved
		{4, i("x@H4"), true}, {4, i("x@H3"), true}, {4, i("y@2.0"), true}, {4, i("n"), true}, {4, has("H3"), true},
		{4, i("x@L3"), false}, {4, i("y@H3"), false}, {4, i("y@H4"), false}, {4, has("H4"), false}, {4, has("L3"), false},
	} {
		g := newGenerator(nest(), &budget{maxWork})
		err := g.checkFact(&fact{spot: spot{g.system.Cells[0].Automata[0], f.head}, term: term.App("p", term.Bool, f.name)})
		if (err == nil) != f.may {
			t.Errorf("%s at %s: %v", f.name, f.head, err)
		}
	}
}
