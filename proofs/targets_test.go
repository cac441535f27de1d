package proofs

import (
	"fmt"
	"slices"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/smt/refute"
)

// The states that a computed target can take: only what a test excludes is left out.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		body string
		want []string
	}{
		{`transition(id, s)`, []string{"a", "b", "c"}},
		{`require contains(["b", "c"], s) else No  transition(id, s)`, []string{"b", "c"}},
		{`require !contains(["b"], s) else No  transition(id, s)`, []string{"a", "c"}},
		{`if s == "b" { transition(id, s) }`, []string{"b"}},
		{`if s == "b" { return 1 }  transition(id, s)`, []string{"a", "c"}},
		{`let x = if n > 0 { "b" } else { "c" }  transition(id, x)`, []string{"b", "c"}},
		{`let x = s  require x == "b" else No  x = id  transition(id, x)`, []string{"a", "b", "c"}},
		{`transition(id, pick(n))`, []string{"b", "c"}},
		{`match s { "b" -> transition(id, s)  _ -> () }`, []string{"b"}},
		{`let x = "b"  for i in range(0, n) { x = s }  transition(id, x)`, []string{"a", "b", "c"}},
	} {
		text := fmt.Sprintf(`
cell C {
    state m { initial: a  a -> b  b -> c  c -> a }
    on h(id: String, s: String, n: Int) { %s }
    on pick(n: Int) { if n > 3 { return "b" }  return "c" }
}`, c.body)
		sys := lower.Program(resolvetest.Program(t, text))
		targets := Targets(sys, refute.DefaultLimits())
		a := sys.Cells[0].Automata[0]
		for _, e := range a.Edges {
			for _, eff := range e.Effects {
				if mv, ok := eff.(*ir.Move); ok {
					if got := targets(a, mv); !slices.Equal(got, c.want) {
						t.Errorf("%s: %v, want %v", c.body, got, c.want)
					}
				}
			}
		}
	}
}
