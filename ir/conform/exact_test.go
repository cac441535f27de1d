package conform_test

import (
	"os"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// TestExact runs a program that is modelled without a loss: its system allows exactly what the
// interpreter does. A system that allows more is seen to.
func TestExact(t *testing.T) {
	text, err := os.ReadFile("testdata/exact.cell")
	if err != nil {
		t.Fatal(err)
	}
	p := resolvetest.Try(source.NewFile("exact.cell", string(text)))
	if p == nil {
		t.Fatal("the program has errors")
	}
	r := newRunner(t, p, 7, nil)
	for range 1500 {
		if wrong := r.call(); wrong != "" {
			t.Fatal(wrong)
		}
	}
	for why, n := range r.loose {
		t.Errorf("%d times: %s", n, why)
	}
	if r.gaveUp > 0 {
		t.Errorf("%d calls without an answer", r.gaveUp)
	}
	t.Logf("%d steps, %d places passed", r.total, r.choices)
	for _, f := range looser() {
		found := false
		r := newRunner(t, p, 7, func(s *ir.System) { found = f.alter(s) })
		for range 1500 {
			if r.call(); len(r.loose) > 0 {
				break
			}
		}
		if !found || len(r.loose) == 0 {
			t.Errorf("nothing shows that %s", f.name)
		}
	}
}

// looser are faults that make a system allow more.
func looser() []fault {
	rules := func(name string, change func(*ir.Rule)) fault {
		return fault{name, func(s *ir.System) bool {
			for _, r := range s.Cells[0].Rules {
				change(r)
			}
			return true
		}}
	}
	return []fault{
		onEdges("either branch may be taken", func(_ *ir.Automaton, e *ir.Edge) bool {
			if e.Cond.IsZero() {
				return false
			}
			e.Guard = term.True
			return true
		}),
		onEdges("an error may be raised without a reason", func(_ *ir.Automaton, e *ir.Edge) bool {
			if r, ok := raiseOf(e); !ok || r.Refusal {
				return false
			}
			e.Guard = term.True
			return true
		}),
		rules("a rule is forgotten", func(r *ir.Rule) { r.Cond = term.True }),
		rules("a rule is not captured", func(r *ir.Rule) { r.Abstract = "lost" }),
		one("a guard of an edge is forgotten", func(m *ir.Move) (ir.Effect, bool) {
			x := *m
			x.Guards = nil
			return &x, len(m.Guards) > 0
		}),
		one("a declared source is forgotten", func(m *ir.Move) (ir.Effect, bool) {
			x := *m
			x.From = nil
			return &x, true
		}),
		{"every edge is declared", func(s *ir.System) bool {
			m := s.Cells[0].Machine
			for _, from := range m.States {
				for _, to := range m.States {
					if m.Edge(from, to) < 0 {
						m.Edges = append(m.Edges, &ir.MachineEdge{From: from, To: to})
					}
				}
			}
			return true
		}},
		one("a value that is read is lost", func(r *ir.Read) (ir.Effect, bool) {
			x := *r
			x.Val = nil
			return &x, true
		}),
		one("what a computation gives is lost", func(b *ir.Bind) (ir.Effect, bool) {
			return &ir.Havoc{At: b.At, Var: b.Var, Origin: ir.Environment, Why: "lost"}, true
		}),
	}
}
