package facts_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/facts"
	"soma.cell/proofs/vc"
	"soma.cell/smt"
	"soma.cell/smt/z3"
)

// found are the facts about a body h and what it calls, as they are told, after the name of the
// body they are about.
func found(t *testing.T, text string) []string {
	t.Helper()
	solver, err := z3.Open("", smt.Limits{Timeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	sys := lower.Program(resolvetest.Program(t, text))
	search := &facts.Search{Sys: sys, Gen: vc.New(sys), Solver: solver}
	var bodies []*ir.Automaton
	for _, a := range sys.Cells[0].Automata {
		if a.Name == "h" {
			bodies = append(bodies, a)
		}
	}
	list, err := search.Inductive(context.Background(), bodies, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	seen := map[string]bool{}
	for _, f := range list {
		if seen[facts.Key(f)] {
			t.Errorf("twice: %s", facts.Told(f))
		}
		seen[facts.Key(f)] = true
		out = append(out, f.Body.Name+": "+facts.Told(f))
	}
	return out
}

// TestInductive: of each body, facts that are found, and others that do not hold and are not.
func TestInductive(t *testing.T) {
	const memory = "memory { s: Map<String, Int> [persistent]  invariant s <= 10  u: Map<String, Int> [persistent]  invariant total(s) == total(u) } "
	for _, c := range []struct{ name, body, holds, not string }{
		{"a counter", `on h(n: Int) { let i = 0  while i < n { i += 1 } }`, "h: 0 <= i", "h: i <= 0; h: i <= n"},
		{"a counter that begins below its end", `on h(n: Int) { require n >= 0 else No  let i = 0  while i < n { i += 1 } }`, "h: 0 <= i; h: i <= n", "h: i < n"},
		{"a bound that a test keeps", `on h(xs: List<Int>) { let t = 0  for x in xs { if t < 10 { t += 1 } } }`, "h: t <= 10; h: 0 <= t", "h: t <= 1"},
		{"what rounds leave", `on h(xs: List<Int>) { let a = 5  for x in xs { a = 10 - a  a = 10 - a } }`, "h: a = 5", "h: a <= 1"},
		{"in step", `on h(xs: List<Int>) { let a = 5  let b = 0  for x in xs { a += 3  b += 1 } }`, "h: 3 * b + 5 = a", "h: a = b"},
		{"three in step", `on h(xs: List<Int>) { let a = 0  let b = 0  let c = 0  for x in xs { if x > 0 { a += 1 } else { b += 1 }  c += 1 } }`, "h: c = a + b", "h: a = c; h: b = c"},
		{"two ways that differ", `on h(xs: List<Int>) { let a = 0  let b = 0  for x in xs { if x > 0 { a += 2  b += 1 } else { a += 1 } } }`, "h: b <= a", "h: a = 2 * b; h: a <= b"},
		{"a switch", `on h(n: Int, xs: List<Int>) { let good = n > 0  for x in xs { if x == n { good = false } } }`, "h: good => 0 < n", "h: good; h: not good; h: 0 < n => good"},
		{"one of some texts", `on h(xs: List<Int>) { let t = "a"  for x in xs { t = "b" } }`, `h: t = "a" or t = "b"`, `h: t = "a"`},
		{"an entry", `on h(k: String, xs: List<Int>) { let i = 0  for x in xs { s.set(k, i)  i += 1 } }`, "h: 0 <= i", "h: i <= 10"},
		{"nested", `on h(n: Int) { let i = 0  let m = 0  while i < 5 { let j = 0  while j < 5 { j += 1  m += 1 }  i += 1 } }`, "h: i <= 5; h: j <= 5; h: m before + j = m", "h: m <= 5"},
		{"conservation", `on h(k: String, xs: List<Int>) { for x in xs { s.set(k, (s.get(k) ?? 0) + x)  u.set(k, (u.get(k) ?? 0) + x) } }`, "h: s.sum before + u.sum = s.sum + u.sum before", "h: s.sum = s.sum before"},
		{"what is returned", `on h() { f(1) }  on f(n: Int) { if n < 0 { return 0 }  if n > 9 { return 9 }  return n }`, "f: 0 <= result", "f: result <= 1; f: result = n"},
		{"by how much memory changes", `on h() { f("a", 2) }  on f(k: String, n: Int) { s.set(k, (s.get(k) ?? 0) + 2 * n) }`, "f: 2 * n = s.sum - s.sum before", "f: s.sum = s.sum before"},
		{"recursion", `on h() { f(3) }  on f(n: Int) { if n <= 0 { return 0 }  return 2 + f(n - 1) }`, "f: 0 <= result", "f: result <= n; f: result = 2 * n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := found(t, "cell App { "+memory+c.body+" }")
			for _, want := range strings.Split(c.holds, "; ") {
				if !slices.Contains(got, want) {
					t.Errorf("not found: %s", want)
				}
			}
			for _, wrong := range strings.Split(c.not, "; ") {
				if slices.Contains(got, wrong) {
					t.Errorf("found, and it does not hold: %s", wrong)
				}
			}
			if t.Failed() {
				t.Log(strings.Join(got, "\n"))
			}
		})
	}
}

// TestTold: facts are told in the names of the source.
func TestTold(t *testing.T) {
	for _, c := range []struct{ body, told string }{
		{`on h(n: Int) { let t = 0  for i in range(0, n) { t += 1 } }`, "h: next i = t"},
		{`on h(xs: List<Int>) { return count(xs, x => x > 0) }`, "h: 0 <= count(xs, x => x > 0)"},
		{`on h(k: String) { f(k, 1) }  on f(k: String, n: Int) { s.set(k, n) }`, "f: s[k] = n; f: s.has(k)"},
		{`on h(xs: List<Int>) { for x in xs { s.set("a", (s.get("a") ?? 0) + 1) } }`, `h: s.has("a") before => s.has("a")`},
		{`on h(k: Int) { f(k) }  on f(k: Int) { u.set(k, 1) }`, "f: u.has(k)"},
		{`state m { initial: a  a -> b  b -> a } on h(k: String) { f(k) }  on f(k: String) { transition(k, "b") }`, `f: not (get_status(k) = "a")`},
	} {
		got := found(t, "cell App { memory { s: Map<String, Int> [persistent]  u: Map<Int, Int> [persistent] } "+c.body+" }")
		for _, want := range strings.Split(c.told, "; ") {
			if !slices.Contains(got, want) {
				t.Errorf("%s: not told: %s, but\n%s", c.body, want, strings.Join(got, "\n"))
			}
		}
	}
}
