package termination_test

import (
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/termination"
)

// check lowers a program that must be free of other faults, and returns the verdict on a handler.
func check(t *testing.T, text, id string) obligation.Obligation {
	t.Helper()
	s := lower.Program(resolvetest.Program(t, text))
	if err := ir.Validate(s); err != nil {
		t.Fatal(err)
	}
	for _, o := range termination.Check(s) {
		if o.ID == id {
			return o
		}
	}
	t.Fatalf("there is no obligation %s", id)
	return obligation.Obligation{}
}

// judge compares a verdict with what is wanted: "structure", "measure: n - i", or "open: why".
func judge(t *testing.T, o obligation.Obligation, want string) {
	t.Helper()
	kind, part, _ := strings.Cut(want, ": ")
	got := "open"
	switch {
	case o.Verdict == obligation.Proven && o.Evidence.Class == obligation.KernelChecked && o.Evidence.Rule == "termination" && o.Evidence.Data == nil:
		got = "structure"
	case o.Verdict == obligation.Proven && o.Evidence.Class == obligation.EngineTrusted && o.Evidence.Rule == "engine":
		got = "measure"
	case o.Verdict != obligation.Unknown || o.Reason == "" || o.Evidence.Class != obligation.NoEvidence:
		got = "inconsistent"
	}
	text, _ := o.Evidence.Data.(string)
	if got != kind || !strings.Contains(strings.ReplaceAll(o.Reason+text, "`", "'"), part) {
		t.Errorf("it is %s (%s%s), not %s", got, o.Reason, text, want)
	}
}

// TestLoops judges a body with parameters n, m and xs, a slot and a helper.
func TestLoops(t *testing.T) {
	const open = "open: the while loop at app.cell:"
	for _, c := range []struct{ name, body, want string }{
		{"none", `return n`, "structure"},
		{"for", `for x in xs { total.set(x, 1) }`, "structure"},
		{"for over a range", `for i in range(0, n) { total.set("a", i) }`, "structure"},
		{"lambda", `let y = map(xs, x => len(x))`, "structure"},
		{"while with a bound", `while [loop_bound(9)] true { n += 1 }`, "structure"},
		{"while that leaves at once", `while true { break }`, "structure"},

		{"up to a parameter", `let i = 0  while i < n { i += 1 }`, "measure: n - i falls"},
		{"up to it, and it too", `let i = 0  while i <= n { i += 2 }`, "measure: n - i falls"},
		{"down to zero", `while n > 0 { n -= 1 }`, "measure: n falls"},
		{"down, turned round", `while !(n <= 0) { n = n - 3 }`, "measure: n falls"},
		{"towards each other", `while n < m { n += 1  m -= 1 }`, "measure: m - n falls"},
		{"in both branches", `let i = 0  while i < n { if m > 2 { i += 1 } else { i += 5 } }`, "measure: n - i falls"},
		{"among other tests", `let i = 0  while i < n && m > 2 { i += 1 }`, "measure: n - i falls"},
		{"before a call", `let i = 0  while i < n && help() == 1 { i += 1 }`, "measure: n - i falls"},
		{"after a call", `let i = 0  while help() == 1 && i < n { i += 1 }`, "measure: n - i falls"},
		{"between calls", `let i = 0  while help() == 1 && i < n && any(xs, x => x == "a") { i += 1 }`, "measure: n - i falls"},
		{"multiplied", `let i = 0  while 2 * i < n { i += 1 }`, "measure: n - 2 * i falls"},
		{"to the length of a list", `let i = 0  while i < len(xs) { i += 1 }`, "measure: len(xs) - i falls"},
		{"left in the middle", `let i = 0  while true { if i >= n { break }  i += 1 }`, "measure: n - i falls"},
		{"stopped by require", `let i = 0  while true { require i < n else Far  i += 1 }`, "measure: n - i falls"},
		{"with continue", `let i = 0  while i < n { i += 1  if m > 2 { continue }  m += 1 }`, "measure: n - i falls"},
		{"nested", `let i = 0  while i < n { let j = 0  while j < m { j += 1 }  i += 1 }`, "measure: n - i falls"},
		{"through a copy", `let i = 0  while i < n { let k = i + 1  i = k }`, "measure: n - i falls"},
		{"halved", `while n > 0 { n = idiv(n, 2) }`, "measure: n falls"},
		{"halved below one", `while n > 1 { n = idiv(n, 3) }`, "measure: n falls"},
		{"with a call between", `let i = 0  while i < n { help()  i += 1 }`, "measure: n - i falls"},
		{"in a try", `let i = 0  while i < n { let r = try { fail("no") }  i += 1 }`, "measure: n - i falls"},

		{"for ever", `while true { n += 1 }`, open},
		{"away from the bound", `let i = 0  while i < n { i -= 1 }`, open},
		{"standing still", `let i = 0  while i < n { m += 1 }`, open},
		{"by nothing", `let i = 0  while i < n { i += 0 }`, open},
		{"by an unknown step", `let i = 0  while i < n { i += m }`, open},
		{"in one branch alone", `let i = 0  while i < n { if m > 2 { i += 1 } }`, open},
		{"in one branch the other way", `let i = 0  while i < n { if m > 2 { i += 1 } else { i -= 1 } }`, open},
		{"with a bound that moves along", `let i = 0  while i < n { i += 1  n += 1 }`, open},
		{"with a bound that some branch moves", `let i = 0  while i < n { i += 1  if m > 2 { n += 1 } }`, open},
		{"with a bound read from memory", `let i = 0  while i < (total.get("n") ?? 0) { i += 1 }`, open},
		{"with a counter in memory", `while (total.get("n") ?? 0) < n { total.set("n", (total.get("n") ?? 0) + 1) }`, open},
		{"with a counter that a continue keeps", `let i = 0  while i < n { if m > 2 { continue }  i += 1 }`, open},
		{"with a counter that is set back", `let i = 0  while i < n { i += 1  if m > i { i = 0 } }`, open},
		{"with a counter that an inner loop moves", `let i = 0  while i < n { i += 1  for x in xs { i -= 1 } }`, open},
		{"tested in an inner loop alone", `let i = 0  while true { for x in xs { require i < n else Far }  i += 1 }`, open},
		{"unequal to zero", `while n != 0 { n -= 1 }`, open},
		{"to the length of a list that grows", `let i = 0  while i < len(xs) { i += 1  xs = push(xs, "a") }`, open},
		{"one test or another", `let i = 0  while i < n || m > 2 { i += 1 }`, open},
		{"one test or a call", `let i = 0  while i < n || help() == 1 { i += 1 }`, open},
		{"a test that is turned round, and a call", `let i = 0  while !(i < n && help() == 1) { i += 1 }`, open},
		{"a counter that the condition moves back", `let i = 0  while i < n && any(xs, x => { i = i - 1  true }) { i += 1 }`, open},
		{"halved down to zero and on", `while n >= 0 { n = idiv(n, 2) }`, open},
		{"halved by one", `while n > 0 { n = idiv(n, 1) }`, open},
		{"divided as a sum", `while n + m > 0 { n = idiv(n, 2) }`, open},
		{"a Float", `let x = 1.0  while x > 0.0 { x = x - 0.1 }`, open},
		{"asked of the model", `let a = ""  while a != "done" { a = think("next?") }`, open},
		{"an inner loop", `let i = 0  while i < n { while true { m += 1 }  i += 1 }`, open},
		{"in a lambda", `let y = map(xs, x => { let k = 0  while k < 1 { m += 1 }  k })`, open},
		{"by a lambda", `let i = 0  let up = x => { i = i - 1  x }  while i < n { i += 1  let k = up(1) }`, "open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			judge(t, check(t, `cell Mill {
    memory { total: Map<String, Int> }
    on run(n: Int, m: Int, xs: List<String>) { `+c.body+` }
    on help() { return 1 }
}
`, "Mill/run/termination/1"), c.want)
		})
	}
}

// TestRecursion judges a handler f of some parameters, which may be recursive.
func TestRecursion(t *testing.T) {
	const open = "open: 'f' calls itself at app.cell:"
	for _, c := range []struct{ name, handler, want string }{
		{"base case below", `on f(n: Int) { if n <= 0 { return 1 }  return n * f(n - 1) }`, "measure: n falls"},
		{"test before the call", `on f(n: Int) { if n > 0 { return f(n - 2) }  return 0 }`, "measure: n falls"},
		{"base case by require", `on f(n: Int) { require n >= 0 else Low  if n == 0 { return 1 }  return f(n - 1) }`, "measure: n falls"},
		{"as a value of if", `on f(n: Int) { if n < 2 { 1 } else { f(n - 1) + f(n - 2) } }`, "measure: n falls"},
		{"upwards", `on f(i: Int, n: Int) { if i < n { return f(i + 1, n) }  return i }`, "measure: n - i falls"},
		{"upwards in a list", `on f(xs: List<Int>, i: Int) { if i >= len(xs) { return 0 }  return xs[i] + f(xs, i + 1) }`, "measure: len(xs) - i falls"},
		{"towards each other", `on f(a: Int, b: Int) { if a >= b { return 0 }  return f(a + 1, b - 1) }`, "measure: b - a falls"},
		{"halved", `on f(n: Int) { if n <= 1 { return 0 }  return 1 + f(n / 2) }`, "measure: n falls"},
		{"halved by a builtin", `on f(n: Int) { if n < 1 { return 0 }  return 1 + f(idiv(n, 2)) }`, "measure: n falls"},
		{"in a loop", `on f(n: Int) { if n <= 0 { return 0 }  for k in range(0, 2) { f(n - 1) }  return 1 }`, "measure: n falls"},
		{"in a lambda", `on f(n: Int) { if n <= 0 { return 0 }  return sum(map([1, 2], x => f(n - 1))) }`, "measure: n falls"},
		{"in an interpolation", `on f(n: Int) { if n <= 0 { return "" }  return "x{f(n - 1)}" }`, "measure: n falls"},
		{"through a local", `on f(n: Int) { if n <= 0 { return 0 }  let k = n - 1  return f(k) }`, "measure: n falls"},
		{"by delegate", `on f(n: Int) { if n <= 0 { return 0 }  return delegate("Mill", "f", n - 1) }`, "measure: n falls"},
		{"another arity is another handler", `on f(n: Int) { return f(n, 1) }  on f(n: Int, m: Int) { return n + m }`, "structure"},

		{"no base case", `on f(n: Int) { return f(n - 1) }`, open},
		{"base case at zero alone", `on f(n: Int) { if n == 0 { return 1 }  return n * f(n - 1) }`, open},
		{"base case after the call", `on f(n: Int) { let r = f(n - 1)  if n <= 0 { return 1 }  return r }`, open},
		{"base case on one path", `on f(n: Int, m: Int) { if m > 0 { if n <= 0 { return 1 } }  return f(n - 1, m) }`, open},
		{"one call that does not fall", `on f(n: Int) { if n <= 0 { return 1 }  return f(n - 1) + f(n) }`, open},
		{"rising", `on f(n: Int) { if n <= 0 { return 1 }  return f(n + 1) }`, open},
		{"bounded above, falling", `on f(n: Int) { if n > 100 { return 1 }  return f(n - 1) }`, open},
		{"rebound parameter", `on f(n: Int, m: Int) { if n <= 0 { return 1 }  n = m  return f(n - 1, m) }`, open},
		{"rebound before the test", `on f(n: Int, m: Int) { n = m  if n <= 0 { return 1 }  return f(n - 1, m) }`, open},
		{"test of another parameter", `on f(n: Int, m: Int) { if m <= 0 { return 1 }  return f(n - 1, m) }`, open},
		{"exchanged parameters", `on f(n: Int, m: Int) { if n <= 0 { return 1 }  return f(m, n - 1) }`, open},
		{"bound that rises along", `on f(i: Int, n: Int) { if i >= n { return 1 }  return f(i + 1, n + 1) }`, open},
		{"other list", `on f(xs: List<Int>, i: Int) { if i >= len(xs) { return 0 }  return f(push(xs, 1), i + 1) }`, open},
		{"halved down to zero", `on f(n: Int) { if n < 0 { return 0 }  return f(idiv(n, 2)) }`, open},
		{"from memory", `on f(n: Int) { if n <= 0 { return 0 }  return f(total.get("n") ?? 0) }`, open},
		{"a Float", `on f(n: Float) { if n <= 0.0 { return 0 }  return f(n - 0.5) }`, open},
		{"through an event", `on f(n: Int) { if n <= 0 { return 0 }  emit f(n - 1)  return 1 }`, "open: 'f' listens to an event that it emits"},
		{"through a computed delegate", `on f(n: Int) { if n <= 0 { return 0 }  let h = "{n}"  return delegate("Mill", h, n - 1) }`, "open: what happens at"},
		{"a circle", `on f(n: Int) { if n <= 0 { return 0 }  return g(n - 1) }  on g(n: Int) { if n <= 0 { return 0 }  return f(n - 1) }`, "open: handlers call each other in a circle: f → g → f"},
		{"a circle through an event", `on f(n: Int) { emit g(n) }  on g(n: Int) { if n > 0 { f(n - 1) } }`, "open: handlers call each other in a circle: f → g → f"},
		{"a callee that is open", `on f(n: Int) { return g(n) }  on g(n: Int) { return h(n) }  on h(n: Int) { while true { n += 1 } }`, "open: it may run 'g': the while loop at app.cell:"},
		{"a callee with a measure", `on f(n: Int) { return g(n) }  on g(n: Int) { while n > 0 { n -= 1 } }`, "measure: the measures of what it calls"},
	} {
		t.Run(c.name, func(t *testing.T) {
			judge(t, check(t, "cell Mill {\n    memory { total: Map<String, Int> }\n    "+c.handler+"\n}\n", "Mill/f/termination/1"), c.want)
		})
	}
}

func TestToolsOfAModel(t *testing.T) {
	text := func(tool string) string {
		return `cell agent Mill {
    face { tool look(n: Int) -> Int "looks"  signal ask() -> String }
    on look(n: Int) { ` + tool + ` }
    on ask() { return think("well?") }
}
`
	}
	judge(t, check(t, text("return n"), "Mill/ask/termination/1"), "structure")
	judge(t, check(t, text("while true { n += 1 }"), "Mill/ask/termination/1"), "open: it may run 'look': the while loop")
	judge(t, check(t, text(`let a = think("more?")  return n`), "Mill/look/termination/1"), "open: 'look' is a tool of a model that it asks")
}

func TestTimersAndOtherCells(t *testing.T) {
	const text = `cell Mill {
    on grind(n: Int) { Store.take(n)  return n }
    every 5s { grind(1) }
}
cell Store {
    on take(n: Int) { if n > 5 { Mill.grind(n) }  return n }
}
`
	judge(t, check(t, text, "Mill/grind/termination/1"), "open: grind → Store.take → grind")
	judge(t, check(t, text, "Mill/every 5s/termination/1"), "open: it may run 'grind': handlers call each other in a circle")
}

func TestObligationsStandInOrder(t *testing.T) {
	o := check(t, "cell Mill {\n    on f(n: Int) { return n }\n    on f(n: Int, m: Int) { while n > m { n -= 1 } }\n}\n", "Mill/f/termination/2")
	judge(t, o, "measure: n - m falls")
	if o.Claim != "f terminates" || o.Kind != obligation.Termination || o.Cell != "Mill" || o.Handler != "f" || o.Span.From().Line != 3 {
		t.Errorf("obligation is %+v", o)
	}
}

// Every handler of a large circle stays open, those too whose own circle is too long to show.
func TestLargeCircles(t *testing.T) {
	const n = 300
	var b strings.Builder
	b.WriteString("cell Mill {\n on f0(n: Int) { return f299(n) }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, " on f%d(n: Int) { if n <= 0 { return 0 }  return f%d(n - 1) }\n", i, i-1)
	}
	b.WriteString("}\n")
	for _, i := range []int{0, 1, 150, 299} {
		judge(t, check(t, b.String(), fmt.Sprintf("Mill/f%d/termination/1", i)), "open: handlers call each other in a circle, through many others")
	}
}

// A body too large to search is left open, although each of its calls would end.
func TestBodiesTooLargeToSearch(t *testing.T) {
	const call = "if n > 0 { f(n - 1) }\n"
	text := func(times int) string {
		return "cell Mill { on f(n: Int) {\n" + strings.Repeat(call, times) + "return 1 } }"
	}
	judge(t, check(t, text(10), "Mill/f/termination/1"), "measure: n falls")
	judge(t, check(t, text(500), "Mill/f/termination/1"), "open: its body is too large to look for what comes nearer to a bound")
}
