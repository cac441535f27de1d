package cost_test

import (
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/cost"
)

func system(t *testing.T, text string) *ir.System {
	t.Helper()
	s := lower.Program(resolvetest.Program(t, text))
	if err := ir.Validate(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// billOf is "calls tokens latency" of a handler; ? where an amount is unknown.
func billOf(t *testing.T, text, handler string) string {
	t.Helper()
	for a, b := range cost.Of(system(t, text)) {
		if a.Name == handler {
			return fmt.Sprintf("%s %s %s", short(b.Calls), short(b.Tokens), short(b.Latency))
		}
	}
	t.Fatalf("there is no %s", handler)
	return ""
}

func short(a cost.Amount) string {
	if n, ok := a.Known(); ok {
		return fmt.Sprint(n)
	}
	return "?"
}

// ten asks for ten tokens within a second.
const ten = `think("q", map("max_tokens", 10, "timeout", 1s))`

// TestBodies bounds a body with parameters n, c, text and xs.
func TestBodies(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing", `return n + 1`, "0 0 0"},
		{"one question", `let a = TEN  return a`, "1 10 1000"},
		{"no options", `let a = think("q")  return a`, "1 ? ?"},
		{"options in a name", `let o = map("max_tokens", 7)  return think("q", "be brief", o)`, "1 7 ?"},
		{"options that change", `let o = map("max_tokens", 7)  o.max_tokens = 70  return think("q", o)`, "1 ? ?"},
		{"options that are computed", `return think("q", map("max_tokens", n))`, "1 ? ?"},
		{"a limit of zero is none", `return think("q", map("max_tokens", 0, "timeout", 0))`, "1 ? ?"},
		{"a name twice", `let o = map("max_tokens", 7, "max_tokens", 9)  return think("q", o)`, "1 ? ?"},
		{"JSON", `return think_json("q", map("max_tokens", 9, "timeout", 5))`, "1 9 5"},

		{"branches", `if c { let a = TEN } else { let a = TEN  let b = TEN }  return 1`, "2 20 2000"},
		{"an early return", `if c { let a = TEN  return 1 }  let b = TEN  return 2`, "1 10 1000"},
		{"a return after a question", `let a = TEN  if c { return 1 }  let b = TEN  return 2`, "2 20 2000"},
		{"a condition", `if TEN == "a" { return 1 }  return TEN`, "2 20 2000"},
		{"a message", `require c else Bad "no: {ask()}"  return 1`, "1 10 1000"},
		{"a message or what follows", `require c else Bad "no: {ask()}{ask()}{ask()}"  let a = TEN  let b = TEN  return 1`, "3 30 3000"},
		{"a message that costs less", `require c else Bad "no: {ask()}"  let a = TEN  let b = TEN  return 1`, "2 20 2000"},
		{"an interpolation", `return "a {ask()} b"`, "1 10 1000"},
		{"a match", `match TEN { "a" -> { return TEN }  _ -> { return 1 } }`, "2 20 2000"},
		{"a guard of an arm", `match n { 1 if TEN == "a" -> { return 1 }  2 if TEN == "b" -> { return 2 }  _ -> { return 3 } }`, "2 20 2000"},
		{"a pipe", `let a = "q" |> think(map("max_tokens", 3))  return a`, "1 3 ?"},
		{"a method", `let a = "q".think(map("max_tokens", 3))  return a`, "1 3 ?"},
		{"and", `return c && TEN == "a" && TEN == "b"`, "2 20 2000"},
		{"an index", `let m = map("a", 1)  m[TEN] = 2  return m`, "1 10 1000"},
		{"refused but paid for", `let r = try { TEN }  let b = TEN  return r.kind ?? b`, "2 20 2000"},
		{"a try that goes on", `let r = try { let a = TEN  require false else No  a }  return TEN`, "2 20 2000"},

		{"a range", `for i in range(0, 3) { let a = TEN }  return 1`, "3 30 3000"},
		{"a range that is empty, counted as one round", `for i in range(3, 0) { let a = TEN }  return 1`, "1 10 1000"},
		{"a range of all", `for i in range(-9223372036854775807, 9223372036854775807) { let a = TEN }  return 1`, "? ? ?"},
		{"a computed range", `for i in range(0, n) { let a = TEN }  return 1`, "? ? ?"},
		{"a list that is written out", `for x in ["a", "b"] { let a = TEN }  return 1`, "2 20 2000"},
		{"a list in a name", `let list1 = ["a", "b"]  for x in list1 { let a = TEN }  return 1`, "2 20 2000"},
		{"a list of computed items", `for x in [text, "b", text] { let a = TEN }  return 1`, "3 30 3000"},
		{"a parameter", `for x in xs { let a = TEN }  return 1`, "? ? ?"},
		{"loop_bound", `for [loop_bound(4)] x in xs { let a = TEN }  return 1`, "4 40 4000"},
		{"the smaller bound", `for [loop_bound(4)] x in ["a", "b"] { let a = TEN }  return 1`, "2 20 2000"},
		{"a round that leaves", `for i in range(0, 3) { let a = TEN  if c { break }  let b = TEN }  return 1`, "6 60 6000"},
		{"nested loops", `for i in range(0, 3) { for j in range(0, 4) { let a = TEN }  let b = TEN }  return 1`, "15 150 15000"},
		{"a branch out of a loop", `for i in range(0, 3) { let a = TEN  if c { let b = TEN  return 1 } }  return 1`, "4 40 4000"},
		{"a while condition", `while [loop_bound(3)] TEN == "more" { n += 1 }  return 1`, "4 40 4000"},
		{"a while condition and its body", `while [loop_bound(3)] TEN == "more" { let a = TEN }  return 1`, "7 70 7000"},
		{"a while condition with a choice", `while [loop_bound(3)] c && TEN == "more" { let a = TEN }  return 1`, "7 70 7000"},
		{"more than the bound", `let r = try { while [loop_bound(3)] true { let a = TEN }  1 }  return TEN`, "4 40 4000"},
		{"more than the bound, asked", `let r = try { while [loop_bound(3)] TEN == "a" { let a = TEN }  1 }  return TEN`, "8 80 8000"},
		{"a counter", `let k = 0  while k < 3 { let a = TEN  k += 1 }  return 1`, "3 30 3000"},
		{"a counter by two", `let k = 10  while k > 0 { let a = TEN  k -= 2 }  return 1`, "10 100 10000"},
		{"a counter that starts anywhere", `let k = n  while k < 3 { let a = TEN  k += 1 }  return 1`, "? ? ?"},
		{"a counter of two starts", `let k = 0  if c { k = 1 }  while k < 3 { let a = TEN  k += 1 }  return 1`, "3 30 3000"},
		{"a counter in a loop", `for i in range(0, 2) { let k = 0  while k < 3 { let a = TEN  k += 1 } }  return 1`, "6 60 6000"},
		{"a counter kept over a loop", `let k = 0  for i in range(0, 2) { while k < 3 { let a = TEN  k += 1 }  k = n }  return 1`, "? ? ?"},
		{"a counter that an inner loop leaves lower", `let k = 3  for i in range(0, 2) { while k > 0 { let a = TEN  k -= 1 } }  return 1`, "6 60 6000"},
		{"a counter nearer to its end", `let k = 0  while c { k += 1 }  while k < 3 { let a = TEN  k += 1 }  return 1`, "3 30 3000"},
		{"a counter further from its end", `let k = 0  while c { k -= 1 }  while k < 3 { let a = TEN  k += 1 }  return 1`, "? ? ?"},
		{"a counter that another loop moves either way", `let k = 0  while c { if n > 0 { k += 1 } else { k -= 1 } }  while k < 3 { let a = TEN  k += 1 }  return 1`, "? ? ?"},
		{"a counter tested in the middle", `let k = 0  while true { let a = TEN  if k >= 3 { break }  k += 1 }  return 1`, "4 40 4000"},
		{"a counter that may stay", `let k = 0  while k < 3 { let a = TEN  if c { k += 1 } }  return 1`, "? ? ?"},
		{"a loop that asks nothing", `for x in xs { n += 1 }  while c { n += 1 }  return TEN`, "1 10 1000"},

		{"a lambda on a list", `return map(["a", "b", "c"], x => TEN)`, "3 30 3000"},
		{"a lambda on a parameter", `return map(xs, x => TEN)`, "? ? ?"},
		{"a filter", `return filter(["a", "b"], x => TEN == x)`, "2 20 2000"},
		{"a reduce", `return reduce(["a", "b"], "", p => p.acc + TEN)`, "2 20 2000"},
		{"a block lambda", `return ["a", "b"].any(x => { let a = TEN  a == TEN })`, "4 40 4000"},
		{"a named function", `let f = x => TEN  return f(1) + f(2)`, "2 20 2000"},
		{"a kept function", `let fs = [x => TEN]  let f = fs[0]  return f(1)`, "? ? ?"},
		{"a kept function that asks nothing", `let fs = [x => x + 1]  let f = fs[0]  let a = TEN  return f(1)`, "1 10 1000"},
		{"a kept function that calls", `let fs = [x => ask()]  let f = fs[0]  return f(1)`, "? ? ?"},
		{"a kept function that always fails", `let fs = [x => { let a = TEN  fail("no") }]  let f = fs[0]  let r = try { f(1) }  return try { f(1) }`, "? ? ?"},

		{"a call", `return ask() + ask()`, "2 20 2000"},
		{"a private handler", `return _hidden() + TEN`, "3 30 3000"},
		{"an event", `emit rung(n)  return 1`, "1 10 1000"},
		{"a delegate", `return delegate("Desk", "ask")`, "1 10 1000"},
		{"a computed delegate", `return delegate("Desk", text)`, "? ? ?"},
		{"a callee that raises", `let r = try { failing() }  return TEN`, "2 20 2000"},
		{"recursion", `return again(n)`, "? ? ?"},
		{"recursion that asks nothing", `return count_down(n) + len(TEN)`, "1 10 1000"},
		{"another cell", `return Other.ask_twice()`, "2 20 2000"},

		{"a budget", `set_budget(15)  let a = TEN  let b = TEN  return 1`, "2 15 2000"},
		{"a budget for what follows", `let a = TEN  set_budget(5)  let b = think("q")  return 1`, "2 15 ?"},
		{"budgets add up", `set_budget(5)  let a = think("q")  set_budget(6)  let b = think("q")  return 1`, "2 11 ?"},
		{"a budget on one way", `if c { set_budget(5) }  let a = think("q")  return 1`, "1 ? ?"},
		{"a budget on both ways", `if c { set_budget(5) } else { set_budget(9) }  let a = think("q")  return 1`, "1 9 ?"},
		{"a budget over a loop", `set_budget(50)  while c { let a = think("q") }  return 1`, "? 50 ?"},
		{"a budget over a path without it", `set_budget(50)  if c { let a = think("q") }  let b = think("q")  return 1`, "2 50 ?"},
		{"a budget in a loop", `for i in range(0, 3) { set_budget(5)  let a = think("q") }  return 1`, "3 15 ?"},
		{"a budget in an endless loop", `while c { set_budget(5)  let a = think("q") }  return 1`, "? ? ?"},
		{"a budget of a callee", `limited()  let a = think("q")  return 1`, "1 8 ?"},
		{"a budget of a refused callee", `let r = try { limited() }  let a = think("q")  return 1`, "1 ? ?"},
		{"a clamped budget", `set_budget(clamp(n, 0, 30))  let a = think("q")  return 1`, "1 30 ?"},
		{"the smaller budget", `set_budget(min(n, 30))  let a = think("q")  return 1`, "1 30 ?"},
		{"the larger budget", `set_budget(max(n, 30))  let a = think("q")  return 1`, "1 ? ?"},
		{"a chosen budget", `let b = 10  if c { b = 20 }  set_budget(b)  let a = think("q")  return 1`, "1 20 ?"},
		{"a computed budget", `set_budget(n)  let a = TEN  let b = think("q")  return 1`, "2 ? ?"},

		{"sleeping", `sleep(250)  sleep(2s)  return 1`, "0 0 2250"},
		{"a computed sleep", `sleep(n)  return 1`, "0 0 ?"},
		{"a clamped sleep", `sleep(clamp(n, 0, 40))  return 1`, "0 0 40"},
		{"a request", `return http_get("https://a.example/", map("timeout", 300))`, "0 0 300"},
		{"a request without end", `return http_get("https://a.example/")`, "0 0 ?"},
		{"a body is no options", `return http_post("https://a.example/", map("timeout", 300))`, "0 0 ?"},
		{"options behind a body", `return http_post("https://a.example/", "b", map("timeout", 300))`, "0 0 300"},
		{"a person", `return approve("really?")`, "0 0 ?"},
		{"a socket", `return ws_connect("wss://a.example/", map("timeout", 3))`, "0 0 ?"},
	} {
		text := `
cell Desk {
    memory { seen: Map<String, Int> [persistent] }
    on go(n: Int, c: Bool, text: String, xs: List<String>) { ` + c.body + ` }
    on ask() { return TEN }
    on _hidden() { return TEN + TEN }
    on failing() { let a = TEN  require a == "fine" else No  return 1 }
    on again(n: Int) { let a = TEN  if n <= 0 { return 0 }  return again(n - 1) }
    on count_down(n: Int) { if n <= 0 { return 0 }  return count_down(n - 1) }
    on limited() { set_budget(8) }
    on rung(n: Int) { let a = TEN }
    on use_all() { return _hidden() }
}
cell Other { on ask_twice() { return Desk.ask() + Desk.ask() } }`
		got := billOf(t, strings.ReplaceAll(text, "TEN", ten), "go")
		if got != c.want {
			t.Errorf("%s: %s, not %s\n\t%s", c.name, got, c.want, c.body)
		}
	}
}

// TestTools bounds a question whose model has tools: one that asks a model in turn, one that
// waits, one that does neither.
func TestTools(t *testing.T) {
	for _, c := range []struct{ name, options, want string }{
		{"ten rounds", `"max_tokens", 10, "timeout", 1s`, "21 160 2000"},
		{"two rounds", `"max_tokens", 10, "timeout", 1s, "max_rounds", 2`, "5 40 1200"},
		{"no rounds", `"max_tokens", 10, "timeout", 1s, "max_rounds", 0`, "1 10 1000"},
		{"computed rounds", `"max_tokens", 10, "timeout", 1s, "max_rounds", n`, "? ? ?"},
		{"a quiet tool", `"max_tokens", 10, "timeout", 1s, "max_rounds", 2, "tools_allowed", ["add"]`, "3 30 1000"},
		{"a tool that waits", `"max_tokens", 10, "timeout", 1s, "max_rounds", 2, "tools_allowed", ["add", "wait"]`, "3 30 1200"},
		{"no tools", `"max_tokens", 10, "timeout", 1s, "tools_allowed", []`, "1 10 1000"},
		{"computed tools", `"max_tokens", 10, "timeout", 1s, "max_rounds", 1, "tools_allowed", list(name)`, "3 25 1100"},
	} {
		text := `
cell agent Desk {
    face {
        signal go(n: Int, name: String) -> String
        tool add(a: Int) -> Int "adds one"
        tool wait(a: Int) -> Int "waits"
        tool ask(a: Int) -> String "asks"
    }
    on go(n: Int, name: String) { return think("q", map(` + c.options + `)) }
    on add(a: Int) { return a + 1 }
    on wait(a: Int) { sleep(100)  return a }
    on ask(a: Int) { return think("t", map("max_tokens", 5, "timeout", 50, "tools_allowed", [])) }
}`
		if got := billOf(t, text, "go"); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// TestBudgetInTools: a tool can lower a budget only.
func TestBudgetInTools(t *testing.T) {
	const text = `
cell agent Desk {
    face {
        signal go() -> String
        signal free() -> String
        tool raise_it() -> Int "sets a budget"
    }
    on go() { set_budget(20)  return think("q", map("max_tokens", 10, "max_rounds", 5)) }
    on free() { return think("q", map("max_rounds", 3)) }
    on raise_it() { set_budget(100)  return 1 }
}`
	if got := billOf(t, text, "go"); got != "6 20 ?" {
		t.Errorf("with a budget: %s", got)
	}
	if got := billOf(t, text, "free"); got != "4 ? ?" {
		t.Errorf("without: %s", got)
	}
}

// TestLimits judges limits: ✓ with its evidence, ⚠ and ✗ with the reason.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ cost, body, want string }{
		{`tokens: 10`, `return TEN`, "proven kernel-checked 10 go"},
		{`tokens: 9`, `return TEN`, "unknown: a call of `go` may take up to 10"},
		{`tokens: 0`, `return n`, "proven kernel-checked"},
		{`tokens: 9`, `return think("q")`, "unknown: what a call of `go` may take is not known: think() states no `max_tokens`"},
		{`tokens: 15`, `set_budget(15)  let a = TEN  return TEN`, "proven engine-trusted 15 go"},
		{`tokens: 30`, `let k = 0  while k < 3 { let a = TEN  k += 1 }  return 1`, "proven engine-trusted 30 go"},
		{`tokens: 10`, `return "{_ask()}"`, "proven kernel-checked 10 go"},
		{`calls: 7`, `while [loop_bound(3)] TEN == "a" { let a = TEN }  return 1`, "proven kernel-checked 7 go"},
		{`calls: 1`, `let a = TEN  return TEN`, "refuted: every call of `go` that returns takes at least 2"},
		{`calls: 1`, `if n > 0 { return 1 }  let a = TEN  return TEN`, "unknown: a call of `go` may take up to 2"},
		{`latency: 2s`, `sleep(3s)  return 1`, "refuted: every call of `go` that returns takes at least 3000 ms"},
		{`latency: 3s`, `sleep(3s)  return 1`, "proven kernel-checked 3000 ms go"},
		{`latency: 1s`, `return TEN`, "proven kernel-checked 1000 ms go"},
		{`usd: 0.5`, `return n`, "proven kernel-checked"},
		{`usd: 0.5`, `return TEN`, "unknown: there is no price"},
		{`usd: 0.0002, usd_per_1000_tokens: 0.02`, `return TEN`, "proven kernel-checked 0.0002 (10 tokens) go"},
		{`usd: 0.0001, usd_per_1000_tokens: 0.02`, `return TEN`, "unknown: a call of `go` may take up to 0.0002 (10 tokens)"},
	} {
		text := "cell Desk { cost { " + c.cost + " }\n on go(n: Int) { " + strings.ReplaceAll(c.body, "TEN", ten) + " }\n on _ask() { return " + ten + " } }"
		all := cost.Check(system(t, text))
		if len(all) != 1 {
			t.Fatalf("%s: %d limits", c.cost, len(all))
		}
		j := all[0]
		got := j.Obligation.Verdict.String()
		if j.Obligation.Reason != "" {
			got += ": " + j.Obligation.Reason
		} else {
			got = strings.TrimSpace(fmt.Sprintf("%s %s %s %s", got, j.Obligation.Evidence.Class, j.Amount, j.Handler))
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s with %s: %s, not %s", c.cost, c.body, got, c.want)
		}
	}
}

// TestWhoCounts: timers and public handlers of the cell count, private ones as they are called.
func TestWhoCounts(t *testing.T) {
	const text = `
cell Desk {
    cost { tokens: 10 }
    every 1h { let a = TEN  let b = TEN }
    on go() { return _x() }
    on _x() { return TEN }
}
cell Free { on go_on() { return Desk.go() + Desk.go() } }`
	j := cost.Check(system(t, strings.ReplaceAll(text, "TEN", ten)))
	if len(j) != 1 || !strings.Contains(j[0].Obligation.Reason, "may take up to 20") {
		t.Errorf("%+v", j)
	}
}
