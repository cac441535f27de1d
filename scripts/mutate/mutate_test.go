package main

import (
	"fmt"
	"os"
	"testing"

	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/ir"
	"soma.cell/proofs"
	"soma.cell/proofs/cert"
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

// TestClaimsRestOnFacts: what is proven with facts about loops and calls is held against runs, too.
func TestClaimsRestOnFacts(t *testing.T) {
	z, err := z3.Open("", smt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	p := checked(source.NewFile("app.cell", `cell C {
    on up(n: Int) { return n + 1 }
    on go(n: Int) {
        let i = 0
        while i < n { i = up(i) }
        ensure i >= 0
    }
}`))
	r, err := p.verify(&memory{Solver: z, known: map[string]smt.Verdict{}})
	if err != nil {
		t.Fatal(err)
	}
	proven := map[obligation.Kind]int{}
	for _, o := range r.Obligations {
		if o.Verdict == obligation.Proven {
			proven[o.Kind]++
		}
	}
	if proven[obligation.Ensure] != 1 || proven[obligation.Fact] < 2 {
		t.Errorf("proven: %v", proven)
	}
}

// forger says of a program what is not true, and how often.
type forger func(r *proofs.Report, sys *ir.System) int

// forge calls what is open of a kind decided.
func forge(kind obligation.Kind, verdict obligation.Verdict) forger {
	return func(r *proofs.Report, _ *ir.System) (n int) {
		for i := range r.Obligations {
			if o := &r.Obligations[i]; o.Kind == kind && o.Verdict != obligation.Proven && o.Verdict != verdict {
				o.Verdict = verdict
				n++
			}
		}
		return n
	}
}

func forgeProven(kind obligation.Kind) forger { return forge(kind, obligation.Proven) }

// forgeDead calls all statements dead, or all ends of bodies.
func forgeDead(ends bool) forger {
	return func(r *proofs.Report, sys *ir.System) (n int) {
		for _, c := range sys.Cells {
			for _, a := range c.Automata {
				for i, s := range a.Stmts {
					if end := s.Loc == ir.Exit; end == ends && !s.Behind {
						r.Obligations = append(r.Obligations, obligation.Obligation{
							ID: cert.ID(c.Name, a.Name, cert.DeadCode, i+1), Kind: obligation.DeadCode, Cell: c.Name, Handler: a.Name,
							Span: s.Span, Claim: cert.ClaimDeadCode(a.Name, i+1, s), Verdict: obligation.Proven,
						})
						n++
					}
				}
			}
		}
		return n
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
		forge      forger
	}{
		{"a rule", `cell C { memory { n: Map<String, Int> [persistent]  invariant n >= 0 }  on put(k: String, v: Int) { n.set(k, v) } }`, forgeProven(obligation.Invariant)},
		{"a rule under try", `cell C { memory { n: Map<String, Int> [persistent]  invariant n >= 0 }  on put(k: String, v: Int) { let r = try { n.set(k, v) }  return r.kind } }`, forgeProven(obligation.Invariant)},
		{"a rule that two calls break", `cell C { memory { n: Map<String, Int> [persistent]  invariant n <= 2 }  on up(k: String) { n.set(k, (n.get(k) ?? 0) + 1) } }`, forgeProven(obligation.Invariant)},
		{"a rule about the state, at a move", `cell C { memory { n: Map<String, Int> [persistent]  invariant status != "b" || (n ?? 0) > 0 }  state m { initial: a  a -> b }  on go(k: String) { transition(k, "b") }  on put(k: String) { n.set(k, 1) } }`, forgeProven(obligation.Invariant)},
		{"a guard", `cell C { state m { initial: a  a -> b { guard { v > 0 } } }  on go(k: String, v: Int) { transition(k, "b") } }`, forgeProven(obligation.Guard)},
		{"an ensure", `cell C { on go(v: Int) { if v > 3 { ensure v < 0 }  return v } }`, forgeProven(obligation.Ensure)},
		{"a target", `cell C { state m { initial: a  a -> b }  on go(k: String, t: String) { transition(k, t) } }`, forgeProven(obligation.EdgeDeclared)},
		{"a model's choice", `cell C { state m { initial: a  a -> b }  on go(k: String) { let t = think(k)  transition(k, t) } }`, forgeProven(obligation.ThinkIsolated)},
		{"a loop", `cell C { on go(v: Int) { while v != 0 { v = v - 1 }  return v } }`, forgeProven(obligation.Termination)},
		{"a recursion", `cell C { on go(v: Int) { if v == 0 { return 0 }  return go(v - 1) } }`, forgeProven(obligation.Termination)},
		{"a state", `cell C { state m { initial: a  a -> b  b -> c }  on go(k: String) { transition(k, "b") }  on on_(k: String) { transition(k, "b", "c") } }`, forgeProven(obligation.Temporal)},
		{"a count, at a write", `cell C { memory { n: Map<String, Int> [persistent]  invariant n.size <= 1 }  on put(k: String) { n.set(k, 1) } }`, forgeProven(obligation.Invariant)},
		{"a count, at a push", `cell C { memory { n: List<Int> [persistent]  invariant n.size <= 1 }  on put(v: Int) { n.push(v) } }`, forgeProven(obligation.Invariant)},
		{"a count, at a removal", `cell C { memory { n: Map<String, Int> [persistent]  m: Map<String, Int> [persistent]  invariant n.size <= m.size }  on put(k: String) { m.set(k, 1)  n.set(k, 1) }  on drop(k: String) { return m.delete(k) } }`, forgeProven(obligation.Invariant)},
		{"a rule between slots, at a removal", `cell C { memory { n: Map<String, Int> [persistent]  m: Map<String, Int> [persistent]  invariant (n ?? 0) <= (m ?? 0) }  on put(k: String) { m.set(k, 1)  n.set(k, 1) }  on drop(k: String) { return m.delete(k) } }`, forgeProven(obligation.Invariant)},
		{"a sum", `cell C { memory { a: Map<String, Int> [persistent]  b: Map<String, Int> [persistent]  invariant total(a) == total(b) }  on give(k: String, j: String) { let x = a.get(k) ?? 0  let y = a.get(j) ?? 0  a.set(k, x - 1)  a.set(j, y + 1) } }`, forgeProven(obligation.Invariant)},
		{"a sum that another cell breaks", `cell C { memory { a: Map<String, Int> [persistent]  invariant total(a) <= 2 }  on _up(k: String) { a.set(k, (a.get(k) ?? 0) + 1) } }  cell D { on go(k: String) { C._up(k) } }`, forgeProven(obligation.Invariant)},
		{"a sum that a timer breaks", `cell C { memory { a: Map<String, Int> [persistent]  invariant total(a) <= 2 }  every 1h { a.set("k", (a.get("k") ?? 0) + 1) } }`, forgeProven(obligation.Invariant)},
		{"an edge nobody takes", `cell C { state m { initial: a  a -> b  b -> c }  on go(k: String) { transition(k, "b") }  on on_(k: String, v: Int) { if v == 2 { transition(k, "b", "c") } } }`, forge(obligation.EdgeTaken, obligation.Refuted)},
		{"a dead statement", `cell C { memory { n: Map<String, Int> [persistent] }  on go(k: String) { if (n.get(k) ?? 0) == 2 { return "two" }  n.set(k, (n.get(k) ?? 0) + 1)  return "less" } }`, forgeDead(false)},
		{"a dead statement under try, in a function", `cell C { on go(vs: List<Int>) { let r = try { map(vs, v => { if v == 3 { fail("three") }  v }) }  return r.kind } }`, forgeDead(false)},
		{"an end that nobody comes to", `cell C { on go(v: Int) { require v > 2 else Small  require v < 4 else Large  return v } }`, forgeDead(true)},
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
			run := func() string {
				broken, _, err := hold(&claims{program: p, report: r}, 2000)
				if err != nil {
					t.Fatal(err)
				}
				return broken
			}
			if broken := run(); broken != "" {
				t.Errorf("what is proven of it is false: %s", broken)
			}
			forged := c.forge(r, p.system)
			if broken := run(); forged == 0 || broken == "" {
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

// TestNestedRecursionIsTold: of a handler that is called with its own result no run is held against
// the proof that it ends; of any other handler it is.
func TestNestedRecursionIsTold(t *testing.T) {
	for body, want := range map[string]bool{
		"return f(f(n - 1))":         true,
		"return f(n - 1 + g(f(n)))":  true,
		"return f(n - 1) + f(n - 2)": false,
		"return g(f(n - 1))":         false,
	} {
		p := checked(source.NewFile("app.cell", "cell C { on g(n: Int) { return n }  on f(n: Int) { if n < 1 { return 0 }  "+body+" } }"))
		if p == nil {
			t.Fatalf("%s: the check refuses it", body)
		}
		c := &claims{program: p}
		if got := c.nested(map[[2]string]bool{{"C", "f"}: true, {"C", "g"}: true}); got != want {
			t.Errorf("%s: nested %v, want %v", body, got, want)
		}
		if c.nested(map[[2]string]bool{{"C", "g"}: true}) {
			t.Errorf("%s: g is said to be nested", body)
		}
	}
}
