package taint

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// An env holds what an array would, and binding leaves the old one as it was.
func TestEnvIsAnArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3*chunkSize).Draw(t, "variables")
		e, model := newEnv(n), make([]value, n)
		for range rapid.IntRange(0, 20).Draw(t, "writes") {
			v, x := rapid.IntRange(0, n-1).Draw(t, "variable"), value(rapid.IntRange(0, 3).Draw(t, "value"))
			old, was := e, slices.Clone(model)
			e, model[v] = e.with(v, x), x
			for i := range n {
				if old.at(i) != was[i] || e.at(i) != model[i] {
					t.Fatalf("variable %d holds %d, before %d", i, e.at(i), old.at(i))
				}
			}
			if !sameChunk([]*state{{env: old}, {env: e}}, v) && was[v] == x {
				t.Fatal("a write of what is there is a change")
			}
		}
	})
}

// Two locations lie on a cycle together exactly when each is reached from the other by some edge.
func TestCyclesAgainstReachability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "locations")
		a := &ir.Automaton{Locs: n}
		outOf := make([][]int, n)
		reach := make([][]bool, n) // by at least one edge
		for i := range reach {
			reach[i] = make([]bool, n)
		}
		for range rapid.IntRange(0, 14).Draw(t, "edges") {
			from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
			outOf[from] = append(outOf[from], len(a.Edges))
			a.Edges = append(a.Edges, &ir.Edge{From: ir.Loc(from), To: ir.Loc(to), Guard: term.True})
			reach[from][to] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		got := cycles(a, outOf)
		visited := func(i int) bool { return i == int(ir.Entry) || reach[ir.Entry][i] }
		for i := range n {
			for j := range n {
				if !visited(i) || !visited(j) {
					continue
				}
				together := got[i] != 0 && got[i] == got[j]
				if together != (reach[i][j] && reach[j][i]) {
					t.Fatalf("%d and %d: %v", i, j, got)
				}
			}
		}
	})
}
