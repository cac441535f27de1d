package main

import (
	"fmt"
	"os"
	"testing"

	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
	"soma.cell/smt/z3"
)

var folders = []string{"../../testdata/examples", "../../testdata/corpus", "../../testdata/prove"}

// TestNothingProvenOfMutants is a sample of what make mutate does.
func TestNothingProvenOfMutants(t *testing.T) {
	got, err := run(folders, 150, 300, func(text string) { t.Error(text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Log(got)
	if got.mutants != 150 || got.changed == 0 || got.proven < 500 || got.calls < 10_000 {
		t.Error("too little was compared")
	}
}

// TestRunsShowFalseProofs holds the search against claims that are not true: what the prover left
// open in these programs is called proven, and runs must show of each kind that it is not.
func TestRunsShowFalseProofs(t *testing.T) {
	solver, err := z3.Open("", smt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	for _, c := range []struct {
		name, text string
		kind       obligation.Kind
	}{
		{"a rule", `cell C { memory { n: Map<String, Int> [persistent]  invariant n >= 0 }  on put(k: String, v: Int) { n.set(k, v) } }`, obligation.Invariant},
		{"a rule under try", `cell C { memory { n: Map<String, Int> [persistent]  invariant n >= 0 }  on put(k: String, v: Int) { let r = try { n.set(k, v) }  return r.kind } }`, obligation.Invariant},
		{"a rule that two calls break", `cell C { memory { n: Map<String, Int> [persistent]  invariant n <= 2 }  on up(k: String) { n.set(k, (n.get(k) ?? 0) + 1) } }`, obligation.Invariant},
		{"a rule about the state, at a move", `cell C { memory { n: Map<String, Int> [persistent]  invariant status != "b" || (n ?? 0) > 0 }  state m { initial: a  a -> b }  on go(k: String) { transition(k, "b") }  on put(k: String) { n.set(k, 1) } }`, obligation.Invariant},
		{"a guard", `cell C { state m { initial: a  a -> b { guard { v > 0 } } }  on go(k: String, v: Int) { transition(k, "b") } }`, obligation.Guard},
		{"a target", `cell C { state m { initial: a  a -> b }  on go(k: String, t: String) { transition(k, t) } }`, obligation.EdgeDeclared},
		{"a model's choice", `cell C { state m { initial: a  a -> b }  on go(k: String) { let t = think(k)  transition(k, t) } }`, obligation.ThinkIsolated},
		{"a loop", `cell C { on go(v: Int) { while v != 0 { v = v - 1 }  return v } }`, obligation.Termination},
		{"a recursion", `cell C { on go(v: Int) { if v == 0 { return 0 }  return go(v - 1) } }`, obligation.Termination},
		{"a state", `cell C { state m { initial: a  a -> b  b -> c }  on go(k: String) { transition(k, "b") }  on on_(k: String) { transition(k, "b", "c") } }`, obligation.Temporal},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := checked(source.NewFile("app.cell", c.text))
			if p == nil {
				t.Fatal("the check refuses it")
			}
			r, err := p.verify(solver)
			if err != nil {
				t.Fatal(err)
			}
			if broken, _ := explore(&claims{program: p, report: r}, 2000); broken != "" {
				t.Errorf("what is proven of it is false: %s", broken)
			}
			forged := 0
			for i := range r.Obligations {
				if o := &r.Obligations[i]; o.Kind == c.kind && o.Verdict != obligation.Proven {
					o.Verdict = obligation.Proven
					forged++
				}
			}
			if broken, _ := explore(&claims{program: p, report: r}, 2000); forged == 0 || broken == "" {
				t.Errorf("%d claims were forged, and no run shows it", forged)
			}
		})
	}
}

// TestMutantsArePrograms holds that each change changes the text and leaves a program that parses.
func TestMutantsArePrograms(t *testing.T) {
	text, err := os.ReadFile("../../testdata/examples/refund_desk.cell")
	if err != nil {
		t.Fatal(err)
	}
	f := source.NewFile("app.cell", string(text))
	tree, _ := syntax.Parse(f)
	seen := map[string]string{format.File(tree): "the program itself"}
	for i := range changes(f) {
		change, text := mutant(f, i)
		name := fmt.Sprintf("%v: %s", change.at, change.what)
		if same := seen[text]; same != "" && change.what != "statements swapped" {
			t.Errorf("%s gives the same as %s", name, same)
		}
		seen[text] = name
		if _, found := syntax.Parse(source.NewFile("app.cell", text)); wrong(found) {
			t.Errorf("%s cannot be read: %s\n%s", name, found[0].Message, text)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d changes", len(seen))
	}
}
