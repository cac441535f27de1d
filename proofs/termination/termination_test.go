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
func check(t resolvetest.TB, text, id string) obligation.Obligation {
	t.Helper()
	s := lower.Program(resolvetest.Program(t, text))
	if err := ir.Validate(s); err != nil {
		t.Fatalf("%v", err)
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
		{"halved and rounded down", `while n > 0 { n = floor(n / 2) }`, "measure: n falls"},
		{"halved below one", `while n > 1 { n = idiv(n, 3) }`, "measure: n falls"},
		{"to the next", `let i = 0  while i < n { i = max(i, n - 9) + 1 }`, open},
		{"no further than zero", `while n > 0 { n = max(n - 3, 0) }`, "measure: n falls"},
		{"to zero or down", `while n > 0 { if m > 2 { n = 0 } else { n -= 1 } }`, "measure: n falls"},
		{"by a local number", `let i = 0  while i < n { let by = 2  i += by }`, "measure: n - i falls"},
		{"common divisor", `while m > 0 { let r = n % m  n = m  m = r }`, "measure: m falls"},
		{"common divisor by a builtin", `while m > 0 { let r = mod(n, m)  n = m  m = r }`, "measure: m falls"},
		{"with an inner loop that helps", `let i = 0  while i < n { while i < m { i += 1 }  i += 1 }`, "measure: n - i falls"},
		{"with an inner for that helps", `let i = 0  while i < n { for x in xs { if x == "a" { i += 2 } }  i += 1 }`, "measure: n - i falls"},
		{"with a lambda that helps", `let i = 0  while i < n { let y = map(xs, x => { i = i + 1  x })  i += 1 }`, "measure: n - i falls"},
		{"where an inner loop starts", `let i = 0  while i < n { let j = i  while j < m { j += 1 }  i = j + 1 }`, "measure: n - i falls"},
		{"with a call between", `let i = 0  while i < n { help()  i += 1 }`, "measure: n - i falls"},
		{"in a try", `let i = 0  while i < n { let r = try { fail("no") }  i += 1 }`, "measure: n - i falls"},

		{"two counters", `let i = 0  let j = 0  while i < n { if j < m { j += 1 } else { j = 0  i += 1 } }`, "measure: (n - i, m - j) falls"},
		{"two counters down", `while n > 0 { if m > 0 { m -= 1 } else { m = n  n -= 1 } }`, "measure: (n, m) falls"},
		{"three counters", `let k = 9  while n > 0 { if m > 0 { m -= 1  k = n } else { if k > 0 { k -= 1 } else { m = k  n -= 1 } } }`, "measure: (n, m, k) falls"},
		{"three counters in a ring", `let k = 9  while n > 0 { if m > 0 { m -= 1  k += 1 } else { if k > 0 { k -= 1  m += 1 } else { n -= 1 } } }`, open},
		{"three counters, one after the other", `let k = 9  while n > 0 { if m > 0 { if k > 0 { k -= 1 } else { m -= 1  k = n } } else { m = k  n -= 1 } }`, "measure: (n, m, k) falls"},
		{"a counter with a break", `while n > 0 { if m <= 0 { break }  if xs == list() { n -= 1  m = 7 } else { m -= 1 } }`, "measure: (n, m) falls"},
		{"a counter with a continue", `while n > 0 { if m > 0 { m -= 1  continue }  n -= 1  m = 7 }`, "measure: (n, m) falls"},
		{"one of two in each round", `while n > 0 && m > 0 { if xs == list() { n -= 1 } else { m -= 1 } }`, "measure: (n, m) falls"},
		{"a flag or a counter", `let done = false  let i = 0  while !done && i < 10 { if help() == 1 { done = true } else { i += 1 } }`, "measure: (not done, -i) falls"},
		{"a flag that a counter sets", `let going = true  while going { if n <= 0 { going = false } else { n -= 1 } }`, "measure: (going, n) falls"},
		{"a flag alone", `let done = false  while !done { done = true }`, "measure: not done falls"},
		{"a flag set in an inner loop", `let done = false  while !done && n > 0 { for x in xs { done = true }  n -= 1 }`, "measure: n falls"},
		{"a flag that says whether to go on", `let more = true  let i = 0  while more { i += 1  more = i < n }`, "measure: n - i falls"},
		{"a flag that says whether it is done", `let done = false  let i = 0  while !done { i += 1  done = i >= n || m > 3 }`, "measure: n - i falls"},
		{"a flag that says so as long as it did", `let more = true  let i = 0  while more { i += 1  more = more && i < n }`, "measure: n - i falls"},
		{"a flag and a counter behind it", `let more = true  while more { if m > 0 { m -= 1 } else { n -= 1  m = 9 }  more = n > 0 }`, "measure: (n, m) falls"},
		{"up to a size", `let i = 0  while i < jobs.len { i += 1 }`, "measure: jobs.size - i falls"},
		{"a queue", `while jobs.len > 0 { let j = jobs[0]  jobs.delete(0) }`, "measure: jobs.size falls"},
		{"a queue and a call that leaves it alone", `while jobs.len > 0 { help()  jobs.delete(0) }`, "measure: jobs.size falls"},
		{"a queue, some of it", `while jobs.len > 3 && n > 0 { if help() == 1 { jobs.delete(0) } else { n -= 1 } }`, "measure: (jobs.size, n) falls"},
		{"a queue deleted in a try that holds nothing else", `while jobs.len > 0 { let r = try { help() }  jobs.delete(0) }`, "measure: jobs.size falls"},

		{"two counters, both up", `let i = 0  let j = 0  while i < n { if j < m { j += 1 } else { j = 0 } }`, open},
		{"two counters against each other", `while n > 0 && m > 0 { if xs == list() { n -= 1  m += 1 } else { m -= 1  n += 1 } }`, open},
		{"two counters, the second raises the first", `while n > 0 { if m > 0 { m -= 1  n += 1 } else { n -= 1  m = n } }`, open},
		{"two counters, one is not tested", `let j = 0  while n > 0 { if xs == list() { j += 1 } else { j = 0  n -= 1 } }`, open},
		{"two counters, a continue that leaves one out", `while n > 0 { if m > 0 { if n > 3 { continue }  m -= 1 } else { n -= 1  m = 7 } }`, open},
		{"a flag that is set back", `let done = false  while !done { done = true  if n > 3 { done = false } }`, open},
		{"a flag that is set back elsewhere", `let done = false  while !done { if n > 3 { done = true } else { n -= 1 }  done = false }`, open},
		{"a flag that nothing else tests", `let done = false  while n > 0 { if m > 0 { done = true } else { n -= 1 } }`, open},
		{"a flag that says so too early", `let more = true  let i = 0  while more { more = i < n  i -= 1 }`, open},
		{"a flag that says so of what was", `let more = true  let i = 0  while more { more = i < n  i += 1 }`, open},
		{"a flag that says so in one branch", `let more = true  let i = 0  while more { i += 1  if m > 3 { more = i < n } }`, open},
		{"a flag that says so and is set back", `let more = true  let i = 0  while more { i += 1  more = i < n  if m > 3 { more = true } }`, open},
		{"a flag that says so of its own past", `let more = true  while more { n += 1  more = 0 < (if more { n } else { m }) }`, open},
		{"a flag that says the opposite", `let more = true  let i = 0  while more { i += 1  more = i > n }`, open},
		{"a flag that one of two says", `let more = true  let i = 0  while more { i += 1  more = i < n || m > 3 }`, open},
		{"a flag of another name", `let more = true  let rest = true  let i = 0  while more { i += 1  rest = i < n }`, open},
		{"a flag that says so in an inner loop", `let more = true  let i = 0  while more { i += 1  for x in xs { more = i < n } }`, open},
		{"a flag with a continue before", `let more = true  let i = 0  while more { i += 1  if m > 3 { continue }  more = i < n }`, open},
		{"a flag tested after it is set", `let more = true  let i = 0  while true { i += 1  more = true  if !more { break }  more = i < n }`, open},
		{"up to a size that grows", `let i = 0  while i < jobs.len { i += 1  jobs.push("x") }`, open},
		{"up to a size that a call may raise", `let i = 0  while i < jobs.len { i += 1  fill() }`, open},
		{"down from a size", `let i = 0  while jobs.len < i { jobs.delete(0) }`, open},
		{"down to a size, whose entries may fade", `while n > jobs.len { n -= 1 }`, open},
		{"up by entries", `while jobs.len < n { jobs.push("x") }`, open},
		{"a flag set to what it is not", `let done = false  while !done { done = m > 3 }`, open},
		{"a remainder by what may be zero or less", `while m != 0 { let r = n % m  n = m  m = r }`, open},
		{"a remainder of the counter", `while m > 0 { m = m % n }`, open},
		{"no further than one", `while n > 0 { n = max(n - 3, 1) }`, open},
		{"to ten or down", `while n > 0 { if m > 2 { n = 10 } else { n -= 1 } }`, open},
		{"with an inner loop that hinders", `let i = 0  while i < n { while i > m { i -= 1 }  i += 1 }`, open},
		{"with an inner loop that helps and hinders", `let i = 0  while i < n { for x in xs { if x == "a" { i += 2 } else { i -= 1 } }  i += 1 }`, open},
		{"with an inner loop that halves", `while n > 0 - 9 { for x in xs { n = idiv(n, 2) }  n -= 1 }`, open},
		{"with an inner loop that sets back", `let i = 0  while i < n { i += 1  for x in xs { i = m } }`, open},
		{"halved in one branch, below zero", `while n > 0 - 9 { if m > 2 { n = idiv(n, 2) } else { n -= 1 } }`, open},
		{"with an inner loop alone", `let i = 0  while i < n { for x in xs { i += 1 } }`, open},
		{"with an inner loop that moves the bound", `let i = 0  while i < n { for x in xs { n += 1 }  i += 1 }`, open},
		{"a shadowed counter", `let i = 0  while i < n { if n > 0 { let i = 5  i += 1 } }`, open},
		{"a queue that grows again", `while jobs.len > 0 { jobs.delete(0)  jobs.push("again") }`, open},
		{"a queue that grows first", `while jobs.len > 0 { jobs.push("again")  jobs.delete(0) }`, open},
		{"a queue that a call may fill", `while jobs.len > 0 { fill()  jobs.delete(0) }`, open},
		{"a queue whose delete is undone", `while jobs.len > 0 { let r = try { jobs.delete(0)  help() } }`, open},
		{"a queue whose delete may be refused", `while jobs.len > 0 { let r = try { jobs.delete(0) } }`, open},
		{"a queue at a computed index", `while jobs.len > 0 { jobs.delete(n) }`, open},
		{"a queue from its second entry", `while jobs.len > 0 { jobs.delete(1) }`, open},
		{"another queue", `while jobs.len > 0 { others.delete(0) }`, open},
		{"a map by any key", `while total.size > 0 { total.delete("a") }`, open},
		{"a queue in one branch", `while jobs.len > 0 { if help() == 1 { jobs.delete(0) } }`, open},
		{"a queue before its test", `while jobs.len >= 0 { jobs.delete(0) }`, open},
		{"a queue of questions", `while jobs.len > 0 { let a = think("well?")  jobs.delete(0) }`, "measure: jobs.size falls"},

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
		{"halved and rounded", `while n > 0 { n = round(n / 2) }`, open},
		{"halved and rounded up", `while n > 0 { n = ceil(n / 2) }`, open},
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
    memory { total: Map<String, Int>  jobs: List<String>  others: List<String> }
    on run(n: Int, m: Int, xs: List<String>) { `+c.body+` }
    on help() { return 1 }
    on fill() { refill() }
    on refill() { jobs.push("more") }
}
`, "Mill/run/termination/1"), c.want)
		})
	}
}

// TestRecursion judges a handler f of some parameters, which may be recursive.
func TestRecursion(t *testing.T) {
	const open = "open: 'f' calls itself at app.cell:"
	const circle = "open: handlers call each other in a circle: f → g"
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

		{"exchanged parameters", `on f(n: Int, m: Int) { if n <= 0 { return 1 }  return f(m, n - 1) }`, "measure: n falls on every way round"},
		{"one or the other", `on f(n: Int, m: Int) { if n <= 0 || m <= 0 { return 1 }  return f(n - 1, m) + f(n, m - 1) }`, "measure: n or m falls on every way round"},
		{"one, and then the other", `on f(n: Int, m: Int) { if n <= 0 { return 1 }  if m <= 0 { return f(n - 1, 9) }  return f(n - 1, f(n, m - 1)) }`, "measure: n or m falls on every way round"},
		{"tested after a step", `on f(n: Int) { n -= 1  if n > 0 { return f(n) }  return 0 }`, "measure: n falls"},
		{"no further than zero", `on f(n: Int) { if n > 0 { return f(max(n - 3, 0)) }  return 0 }`, "measure: n falls"},
		{"common divisor", `on f(n: Int, m: Int) { if m <= 0 { return n }  return f(m, n % m) }`, "measure: m falls"},
		{"through an event", `on f(n: Int) { if n <= 0 { return 0 }  emit f(n - 1)  return 1 }`, "measure: n falls"},

		{"even and odd", `on f(n: Int) { if n <= 0 { return true }  return g(n - 1) }  on g(n: Int) { if n <= 0 { return false }  return f(n - 1) }`, "measure: n falls on every way round"},
		{"one test for two", `on f(n: Int) { if n <= 0 { return true }  return g(n - 1) }  on g(n: Int) { return f(n) }`, "measure: n falls on every way round"},
		{"one step for two", `on f(n: Int) { if n <= 0 { return true }  return g(n) }  on g(n: Int) { return f(n - 1) }`, "measure: n falls on every way round"},
		{"a step up and two down", `on f(n: Int) { if n <= 0 { return 1 }  return g(n + 1) }  on g(k: Int) { return f(k - 2) }`, "measure: n falls on every way round"},
		{"other places", `on f(a: Int, n: Int) { if n <= 0 { return 1 }  return g(n, a) }  on g(n: Int, a: Int) { return h(a, a, n) }  on h(a: Int, b: Int, n: Int) { return f(b + 5, n - 1) }`, "measure: n falls on every way round"},
		{"upwards in a list", `on f(xs: List<Int>, i: Int) { if i >= len(xs) { return 0 }  return g(i + 1, xs) }  on g(i: Int, xs: List<Float>) { return h(xs, i) }  on h(ys: List<Int>, k: Int) { return f(ys, k) }`, "measure: len(xs) - i falls on every way round"},
		{"each with a loop of its own", `on f(n: Int) { let i = 0  while i < n { g(n - 1)  i += 1 } }  on g(n: Int) { if n > 0 { f(n - 1) } }`, "measure: n - i falls; n falls on every way round"},
		{"two ways round", `on f(n: Int, m: Int) { if n <= 0 || m <= 0 { return 1 }  return g(n - 1, m) + h(n, m - 1) }  on g(n: Int, m: Int) { return f(n, m) }  on h(n: Int, m: Int) { return f(n, m) }`, "measure: n or m falls on every way round"},
		{"around through an event", `on f(n: Int) { emit g(n) }  on g(n: Int) { if n > 0 { f(n - 1) } }`, "measure: n falls on every way round"},
		{"around through a delegate", `on f(n: Int) { if n > 0 { delegate("Mill", "g", n - 1) } }  on g(n: Int) { f(n) }`, "measure: n falls on every way round"},
		{"around in a try", `on f(n: Int) { let r = try { g(n - 1) }  return 1 }  on g(n: Int) { if n <= 0 { fail("low") }  return f(n) }`, "measure: n falls on every way round"},
		{"two that call themselves and each other", `on f(n: Int) { if n <= 0 { return 0 }  f(n - 1)  return g(n, n) }  on g(n: Int, m: Int) { if m <= 0 { return 0 }  g(n, m - 1)  return f(n - 1) }`, "measure: n falls on every way round"},
		{"around in a lambda", `on f(n: Int) { if n > 0 { let y = map([1, 2], x => g(n - 1)) } }  on g(n: Int) { f(n) }`, "measure: n falls on every way round"},

		{"around, no base case", `on f(n: Int) { return g(n - 1) }  on g(n: Int) { return f(n - 1) }`, circle},
		{"around, base case at zero alone", `on f(n: Int) { if n == 0 { return true }  return g(n - 1) }  on g(n: Int) { if n == 0 { return false }  return f(n - 1) }`, circle},
		{"around, base case after the call", `on f(n: Int) { let r = g(n - 1)  if n <= 0 { return 1 }  return r }  on g(n: Int) { return f(n - 1) }`, circle},
		{"around, no step", `on f(n: Int) { if n <= 0 { return 1 }  return g(n) }  on g(n: Int) { return f(n) }`, circle},
		{"around, a step down and one up", `on f(n: Int) { if n <= 0 { return 1 }  return g(n - 1) }  on g(n: Int) { return f(n + 1) }`, circle},
		{"around, another parameter", `on f(a: Int, n: Int) { if n <= 0 { return 1 }  return g(n - 1, a + 1) }  on g(n: Int, a: Int) { return f(n, a) }`, circle},
		{"around, a short cut without a step", `on f(n: Int) { if n <= 0 { return 1 }  return g(n - 1) }  on g(n: Int) { return g(n) + f(n) }`, circle},
		{"around, a test on one way alone", `on f(n: Int) { if n <= 0 { return 1 }  return g(n - 1) }  on g(n: Int) { return g(n - 1) + f(n) }`, circle},
		{"around, two ways against each other", `on f(n: Int, m: Int) { if n <= 0 || m <= 0 { return 1 }  return g(n - 1, m + 1) + h(n + 1, m - 1) }  on g(n: Int, m: Int) { return f(n, m) }  on h(n: Int, m: Int) { return f(n, m) }`, circle},
		{"around, a rebound parameter", `on f(n: Int, m: Int) { if n <= 0 { return 1 }  n = m  return g(n - 1, m) }  on g(n: Int, m: Int) { return f(n, m) }`, circle},
		{"around, a shadowed parameter", `on f(n: Int, m: Int) { if n <= 0 { return 1 }  if m > 0 { let n = m  return g(n - 1, m) }  return 0 }  on g(n: Int, m: Int) { return f(n, m) }`, circle},
		{"around in a try that catches its own base case", `on f(n: Int) { let r = try { require n > 0 else Low }  return g(n - 1) }  on g(n: Int) { return f(n) }`, circle},
		{"around, a Float", `on f(n: Float) { if n <= 0.0 { return 1 }  return g(n - 1.0) }  on g(n: Float) { return f(n) }`, circle},
		{"around, from memory", `on f(n: Int) { if n <= 0 { return 1 }  total.set("n", n - 1)  return g() }  on g() { return f(total.get("n") ?? 0) }`, circle},
		{"around, another list", `on f(xs: List<Int>, i: Int) { if i >= len(xs) { return 0 }  return g(i + 1, push(xs, 1)) }  on g(i: Int, xs: List<Int>) { return f(xs, i) }`, circle},
		{"around, other entries", `on f(xs: List<Int>, i: Int) { if i >= xs[0] { return 0 }  return g(xs, i + 1) }  on g(xs: List<Int>, i: Int) { return f(xs, i) }`, circle},
		{"around, through a computed delegate", `on f(n: Int) { if n <= 0 { return 0 }  return g(n - 1) }  on g(n: Int) { let h = "f"  return delegate("Mill", h, n) }`, "open"},
		{"around, one of them loops", `on f(n: Int) { if n <= 0 { return 0 }  return g(n - 1) }  on g(n: Int) { let k = 0  while k < 1 { total.set("x", 1) }  return f(n - 1) }`, "open: it may run 'g': the while loop at app.cell:"},
		{"around, one of them calls what loops", `on f(n: Int) { if n <= 0 { return 0 }  return g(n - 1) }  on g(n: Int) { h()  return f(n - 1) }  on h() { while true { total.set("x", 1) } }`, "open: it may run 'g': the while loop at app.cell:"},

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
		{"exchanged with another number", `on f(n: Int, m: Int) { if m <= 0 { return 1 }  return f(m, n + 1) }`, open},
		{"exchanged, one of them rising", `on f(n: Int, m: Int) { if n <= 0 { return 1 }  return f(m + 1, n - 1) }`, open},
		{"bound that rises along", `on f(i: Int, n: Int) { if i >= n { return 1 }  return f(i + 1, n + 1) }`, open},
		{"other list", `on f(xs: List<Int>, i: Int) { if i >= len(xs) { return 0 }  return f(push(xs, 1), i + 1) }`, open},
		{"halved down to zero", `on f(n: Int) { if n < 0 { return 0 }  return f(idiv(n, 2)) }`, open},
		{"from memory", `on f(n: Int) { if n <= 0 { return 0 }  return f(total.get("n") ?? 0) }`, open},
		{"a Float", `on f(n: Float) { if n <= 0.0 { return 0 }  return f(n - 0.5) }`, open},
		{"through an event, without a base case", `on f(n: Int) { emit f(n - 1)  return 1 }`, "open: 'f' listens to an event that it emits"},
		{"through a computed delegate", `on f(n: Int) { if n <= 0 { return 0 }  let h = "{n}"  return delegate("Mill", h, n - 1) }`, "open: what happens at"},
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

	queue := func(slot string) string {
		return `cell agent Mill {
    face { tool add(n: Int) -> Int "adds"  signal drain() -> String }
    memory { jobs: List<String>  others: List<String> }
    on add(n: Int) { ` + slot + `.push("more")  return n }
    on drain() { while jobs.len > 0 { jobs.delete(0)  let a = think("well?") }  return "" }
}
`
	}
	judge(t, check(t, queue("others"), "Mill/drain/termination/1"), "measure: jobs.size falls")
	judge(t, check(t, queue("jobs"), "Mill/drain/termination/1"), "open: the while loop at app.cell:")

	// The model chooses what a tool gets, so nothing falls on the way through it.
	const around = `cell agent Mill {
    face { tool look(n: Int) -> Int "looks"  signal ask(n: Int) -> String }
    on look(n: Int) { if n <= 0 { return 0 }  ask(n - 1)  return n }
    on ask(n: Int) { if n <= 0 { return "" }  return think("well?") }
}
`
	judge(t, check(t, around, "Mill/ask/termination/1"), "open: handlers call each other in a circle: ask → look → ask")
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

	falling := strings.Replace(text, "Mill.grind(n)", "Mill.grind(n - 1)", 1)
	judge(t, check(t, falling, "Mill/grind/termination/1"), "measure: n falls on every way round")
	judge(t, check(t, falling, "Mill/every 5s/termination/1"), "measure: the measures of what it calls")
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

// A handler that passes its parameters on in too many orders is left open in good time, although
// with fewer of them the same is shown to end.
func TestTooManyOrders(t *testing.T) {
	text := func(n int) string {
		var params, zero, shifted, swapped []string
		for i := range n {
			params = append(params, fmt.Sprintf("p%d: Int", i))
			zero = append(zero, fmt.Sprintf("p%d <= 0", i))
			shifted = append(shifted, fmt.Sprintf("p%d", (i+1)%n))
			swapped = append(swapped, fmt.Sprintf("p%d", i))
		}
		swapped[0], swapped[1] = "p1", "p0 - 1"
		shifted[n-1] = "p0 - 1"
		return fmt.Sprintf("cell Mill {\n    on f(%s) { if %s { return 1 }  f(%s)  return f(%s) }\n}\n",
			strings.Join(params, ", "), strings.Join(zero, " || "), strings.Join(shifted, ", "), strings.Join(swapped, ", "))
	}
	judge(t, check(t, text(3), "Mill/f/termination/1"), "measure: p0 falls on every way round")
	judge(t, check(t, text(10), "Mill/f/termination/1"), "open: 'f' calls itself")
}
