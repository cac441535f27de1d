package interp

import (
	"context"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
)

type example struct{ body, want string }

// check compares values as text; a want that ends in ":" is the kind of an error.
func check(t *testing.T, examples []example) {
	t.Helper()
	for _, e := range examples {
		got := eval(t, e.body)
		ok := got == e.want
		if strings.HasSuffix(e.want, ":") {
			ok = strings.HasPrefix(got+":", e.want)
		}
		if !ok {
			t.Errorf("%s\n\tgives %s\n\twant  %s", e.body, got, e.want)
		}
	}
}

func TestOperators(t *testing.T) {
	check(t, []example{
		{`7 / 2`, `3.5`}, {`6 / 2`, `3`}, {`0 - 7 % 3`, `-1`}, {`(0 - 7) % 3`, `-1`}, {`7.5 % 2`, `1.5`},
		{`1 / 0`, `division_by_zero:`}, {`1 % 0`, `division_by_zero:`}, {`1.0 / 0`, `division_by_zero:`},
		{`2 + 0.5`, `2.5`}, {`9223372036854775807 + 1`, `9223372036854775808`}, {`5%`, `0.05`}, {`1_000 * 2s`, `2000000`},
		{`"a" + "b"`, `"ab"`}, {`let n = 1  "a" + to_string(n)`, `"a1"`}, {`let xs = list("a") + list("b")  xs`, `["a", "b"]`},
		{`[1, 2] + [10, 20]`, `[11, 22]`}, {`[1, 2] * 3`, `[3, 6]`}, {`concat([1], [2])`, `[1, 2]`}, {`[1] + [1, 2]`, `range:`},
		{`let x = to_int("5")  x < 3 || x > 4`, `true`}, {`1 == 1.0`, `true`}, {`() == ()`, `true`}, {`let u = ()  u != 3`, `true`},
		{`let s = from_json("\"1\"")  1 == s`, `type:`}, {`let s = from_json("\"1\"")  s < 1`, `type:`},
		{`[1, [2]] == [1, [2.0]]`, `true`}, {`map("a", 1, "b", 2) == map("b", 2, "a", 1)`, `true`},
		{`let u = ()  u ?? 4`, `4`}, {`let u = 3  u ?? 4`, `3`}, {`let u = from_json("null")  u && true`, `type:`},
		{`false && fail("x")`, `false`}, {`true || fail("x")`, `true`},
		{`- [1, 2]`, `[-1, -2]`}, {`!(1 > 2)`, `true`}, {`9007199254740993 == 9007199254740992.0`, `false`},
		{`"b" > "a"`, `true`}, {`1e308 * 10`, `Infinity`}, {`let n = 1e308 * 10 - 1e308 * 10  n == n`, `false`},
	})
}

func TestConditions(t *testing.T) {
	check(t, []example{
		{`let u = ()  if u { 1 } else { 2 }`, `2`},
		{`let n = from_json("1")  if n { 1 } else { 2 }`, `type:`},
		{`if 1 > 2 { 1 }`, `null`},
		{`let x = if 2 > 1 { "y" } else { "n" }  x`, `"y"`},
		{`if false { 1 } else if true { 2 } else { 3 }`, `2`},
		{`require 1 > 2 else TooSmall "it is {1 + 1}"`, `TooSmall: it is 2`},
		{`require 1 > 2 else TooSmall`, `TooSmall: requirement not met: 1 > 2`},
		{`require 1 > 2 else "odd tag"`, `odd tag:`},
		{`ensure 1 > 2`, `ensure:`},
	})
}

func TestStringsAndIndexes(t *testing.T) {
	check(t, []example{
		{`"a{1 + 1}b"`, `"a2b"`}, {`"""{[1, "a"]}"""`, `"[1, \"a\"]"`}, {`"{()}"`, `"null"`}, {`"{{x}}"`, `"{x}"`},
		{`let s = "héllo"  s[1]`, `"é"`}, {`let s = "abc"  s[-1]`, `"c"`}, {`let s = "abc"  s[3]`, `index:`},
		{`let xs = [1, 2]  xs[-1]`, `2`}, {`let xs = [1, 2]  xs[2]`, `index:`}, {`let m = map("a", 1)  m["b"]`, `null`},
		{`let m = map("a", 1)  m.b`, `null`}, {`let m = map("len", 7)  m.len`, `7`}, {`let m = map("a", 7)  m.len`, `1`},
		{`let s = "x"  s.name`, `type:`}, {`let xs = [1]  xs.name`, `type:`}, {`let m = map(1, "x")  m["1"]`, `"x"`},
		{`let m = map("a", 1)  m.get("b") ?? 5`, `5`}, {`let m = map("a", 1)  m.has("a")`, `true`},
	})
}

func TestAssignmentsMakeCopies(t *testing.T) {
	check(t, []example{
		{`let a = [1, 2]  let b = a  b[0] = 9  [a, b]`, `[[1, 2], [9, 2]]`},
		{`let a = map("x", map("y", 1))  let b = a  b.x.y = 2  [a.x.y, b.x.y]`, `[1, 2]`},
		{`let a = [1]  a[0] += 4  a[1] = 3`, `index:`},
		{`let a = [1]  a[0] += 4  a`, `[5]`},
		{`let x = 1  if true { x = 2  let x = 3 }  x`, `2`},
		{`let c = Charged { id: "a", amount: 1 }  let d = c  d.amount = 2  [c.amount, d.amount]`, `[1, 2]`},
		{`let xs = []  for i in range(0, 4) { xs = push(xs, i) }  let ys = push(xs, 9)  [xs, ys]`, `[[0, 1, 2, 3], [0, 1, 2, 3, 9]]`},
		{`let f = n => n + 1  let g = x => { let y = f(x)  y * 2 }  g(4)`, `10`},
		{`let total = 0  let f = n => { total += n }  f(2)  f(3)  total`, `5`},
	})
}

func TestLoops(t *testing.T) {
	check(t, []example{
		{`let n = 0  for e in map("a", 1, "b", 2) { n += e.value }  n`, `3`},
		{`let n = 0  for line in "a\n\nbb\n" { n += len(line) }  n`, `3`},
		{`let n = 0  for x in () { n = 1 }  n`, `0`},
		{`let k = from_json("3")  for x in k { k = 1 }`, `type:`},
		{`let n = 0  for i in range(0, 10) { if i == 3 { continue }  if i == 6 { break }  n += i }  n`, `12`},
		{`let n = 0  for i in range(5, 0, -2) { n = n * 10 + i }  n`, `531`},
		{`for i in range(0, 10, 0) { }`, `range:`},
		{`for i in range(0, 1000000000000) { if i > 3 { return i } }`, `4`},
		{`let n = 0  while n < 5 { n += 1 }  n`, `5`},
		{`let n = 0  while [loop_bound(3)] n < 5 { n += 1 }  n`, `loop_bound:`},
		{`let n = 0  while [loop_bound(5)] n < 5 { n += 1 }  n`, `5`},
		{`for [loop_bound(2)] i in [1, 2, 3] { }`, `loop_bound:`},
	})
}

func TestMatch(t *testing.T) {
	check(t, []example{
		{`match 5 { 1 || 2 -> "low"  3..9 -> "mid"  _ -> "high" }`, `"mid"`},
		{`match -3 { -3 -> "neg"  _ -> "other" }`, `"neg"`},
		{`match "pre-x" { "pre-" + rest -> rest  _ -> "none" }`, `"x"`},
		{`match map("kind", "a", "n", 2) { {kind: "a", n} -> n  _ -> 0 }`, `2`},
		{`match map("n", 2) { {missing} -> 1  {n: k} if k > 5 -> 2  {n: k} -> k * 10 }`, `20`},
		{`match () { () -> "unit"  _ -> "some" }`, `"unit"`},
		{`match Declined("no") { Charged { id, .. } -> id  Declined(why) -> why  Pending -> "p" }`, `"no"`},
		{`let c = Charged { id: "q", amount: 3 }  match c { Charged { amount: n, .. } -> n  Declined(_) -> 0  Pending -> 0 }`, `3`},
		{`match Pay::Pending { Pay::Pending -> 1  _ -> 0 }`, `1`},
		{`let n = from_json("7")  match n { 1 -> 2 }`, `match: no arm fits 7`},
		{`let n = from_json("7")  match n { Pending -> 2  _ -> 1 }`, `type:`},
		{`match 3 { n if n > 2 -> { let m = n * 2  m }  _ -> 0 }`, `6`},
		{`let t = Node { left: Leaf, right: Node { left: Leaf, right: Leaf } }  match t { Node { right: Node { .. }, .. } -> "deep"  _ -> "flat" }`, `"deep"`},
	})
}

func TestErrors(t *testing.T) {
	check(t, []example{
		{`let r = try { fail("kaput", "badly") }  [r.value, r.error, r.kind, r.detail]`, `[null, "kaput: badly", "kaput", "badly"]`},
		{`let r = try { 5 }  [r.value, r.error, r.kind, r.detail]`, `[5, null, null, null]`},
		{`try { fail("a", "b") }?`, `a: b`}, {`try { 4 }?`, `4`},
		{`let r = try { 1 / 0 }  fail(r)`, `division_by_zero:`},
		{`let r = try { let xs = [3]  map(xs, x => fail("inner", "{x}")) }  r.error`, `"inner: 3"`},
		{`let n = 1  let r = try { n = 2  fail("x") }  n`, `2`},
		{`let r = try { recurse(0) }  r.kind`, `stack_overflow:`},
		{`let r = try { return 7 }  8`, `7`},
		{`let f = from_json("3")  f?`, `type:`},
		{`let f = x => x  [f == (), () != f]`, `[false, true]`}, {`let f = x => x  f == f`, `type: Function and Function cannot be compared`},
		{`delegate("Other", "twice", 4)`, `8`}, {`let c = "Other"  let h = "none"  delegate(c, h)`, `undefined_function:`},
		{`Other.twice(3)`, `6`}, {`3 |> twice`, `6`}, {`twice(5)`, `10`}, {`3 |> add(4)`, `7`}, {`[3, 1, 2] |> sort() |> nth(0)`, `1`},
		{`let x = from_json("\"s\"")  add(x, 1)`, `type: add: parameter` + " `a` must be Int, this is String \"s\""},
		{`half(3)`, `1.5`}, {`deep([map("a", 1)])`, `1`}, {`let m = from_json("[{\"a\": 1.5}]")  deep(m)`, `type:`},
		{`Charged { id: "x", amount: to_int("z") }`, `type:`},
	})
}

func TestMemory(t *testing.T) {
	check(t, []example{
		{`stock.set("a", 1)  stock.set(1, 2)  stock["1"] += 5  [stock.get("a"), stock[1], stock.keys, stock.values(), stock.len, stock.size]`, `[1, 7, ["1", "a"], [7, 1], 2, 2]`},
		{`[stock.get("x"), stock.has("x"), stock["x"], stock.delete("x")]`, `[null, false, null, false]`},
		{`stock.set("a", 1)  [stock.delete("a"), stock.has("a")]`, `[true, false]`},
		{`prices.set("a", 3)  prices.get("a")`, `3.0`},
		{`stock.set("a", from_json("1.5"))`, `type: slot ` + "`stock` holds Int, this is Float 1.5"},
		{`stock.set("a", stock.get("zz"))`, "type: slot `stock` holds Int, this is () — the value may be (): write a default, `… ?? default`"},
		{`let u = from_json("null")  stock.set(u, 1)`, `type:`},
		{`rows.set("r", map("n", 1))  rows["r"].n += 4  rows.get("r")`, `{"n": 5}`},
		{`rows["q"].n = 4`, `type:`}, {`rows.set("r", from_json("{\"a\": \"x\"}"))`, `type:`},
		{`let m = map("n", 1)  rows.set("r", m)  m.n = 2  rows.get("r")`, `{"n": 1}`},
		{`log.push("a")  log.append("b")  log[0] = "c"  [log.get(1), log.get(9), log[-1], log.last, log.len()]`, `["b", null, "b", "b", 2]`},
		{`log[0] = "x"`, `index:`}, {`log.push("a")  log[1]`, `index:`}, {`log.set(99999999999999999999, "x")`, `index:`},
		{`log.push("a")  log.push("b")  [log.delete(0), log.delete(7), log]`, `[true, false, ["b"]]`},
		{`stock.set("b", 2)  stock.set("a", 1)  let n = ""  for e in stock { n += e.key }  n`, `"ab"`},
		{`let r = try { stock.set("a", 1)  log.push("x")  transition("j", "running")  fail("no") }  [stock.size, log.len, get_status("j"), has_state("j"), r.kind]`, `[0, 0, "new", false, "no"]`},
		{`let a = next_id()  let r = try { next_id()  fail("x") }  [a, next_id()]`, `[1, 3]`},
		{`remember("k", [1])  [recall("k"), recall("z")]`, `[[1], null]`},
		{`_note("hi")  emit chatter("you")  log`, `["hi", "heard you"]`},
	})
}

func TestMachines(t *testing.T) {
	check(t, []example{
		{`transition("j", "running")`, `{"id": "j", "from": "new", "to": "running"}`},
		{`transition(7, "running")  get_status("7")`, `"running"`},
		{`transition("j", "running")  transition("j", "running", "done")  [get_status("j"), valid_transitions("j"), has_state("j")]`, `["done", [], true]`},
		{`valid_transitions("j")`, `["running", "failed"]`},
		{`power = 1  transition("j", "running")`, `guard_failed: 'j' may not go new → running: the guard power > 3 does not hold`},
		{`transition("j", "done")`, `invalid_transition: invalid transition: new → done — 'j' is in 'new', which allows running, failed`},
		{`transition("j", "failed")  transition("j", "failed")`, `invalid_transition: invalid transition: failed → failed — 'j' is in 'failed', which allows no other state: it is terminal`},
		{`transition("j", "running",   "done")`, `invalid_transition: invalid transition: new → done — transition("j", "running", "done") declares its source, and 'j' is in 'new', not 'running'`},
		{`transition("j", "running")  transition("j", "running")  get_status("j")`, `"running"`},
		{`let to = "nowhere"  transition("j", to)`, `invalid_transition:`},
		{`let id = from_json("null")  transition(id, "running")`, `type:`},
	})
}

func TestRunaways(t *testing.T) {
	check(t, []example{
		{`while true { }`, `limit:`},
		{`let s = "x"  while true { s = s + s }`, `limit:`},
		{`let n = 3  while true { n = n * n }`, `limit:`},
		{`let r = try { while true { } }  1`, `limit:`},
		{`let xs = [1, "a"]  while true { xs = xs + xs }`, `limit:`},
		{`let xs = [0]  for i in range(0, 100000) { xs = [xs] }  to_string(xs)`, `range:`},
		{`let xs = [0]  let i = 0  while i < 60 { xs = [xs, xs]  i += 1 }  to_json(xs)`, `limit:`},
		{`shl(1, 100000000)`, `range:`}, {`ipow(10, 100000000)`, `limit:`}, {`pad_left("x", 1000000000000)`, `limit:`},
		{`range(0, 100000000)`, `limit:`},
		{`let n = ipow(2, 1000000)  sum(map(range(0, 10000), i => n))`, `limit:`},
		{`let xs = map(range(0, 20000), i => map("k", i))  len(distinct(xs))`, `limit:`},
		{`let xs = map(range(0, 20000), i => [1, [i]])  len(distinct(xs))`, `20000`},
		{`let rows = map(range(0, 15000), i => map("k", i))  [len(inner_join(rows, rows, "k")), len(group_by(rows, "k"))]`, `[15000, 15000]`},
	})
}

// A world to which nothing is handed has nothing.
func TestAWorldAlone(t *testing.T) {
	check(t, []example{
		{`[now(), now_ms(), today(), format_date(86400)]`, `[0, 0, "1970-01-01", "1970-01-02"]`},
		{`sleep(1500)  now_ms()`, `1500`},
		{`[read_file("x"), write_file("x", "y"), read_files("."), http_get("http://x").kind, read_stdin()]`,
			`[{"error": "there are no files here"}, {"error": "there are no files here"}, {"error": "there are no files here"}, "network", ""]`},
		{`approve("it")`, `approval_required:`}, {`ws_connect("ws://x")`, `unsupported:`}, {`think("it")`, `"it"`},
		{`User { name: "A" }`, `{"_type": "User", "name": "A"}`},
	})
}

// Deep expressions inside deep recursion end in an error of the language.
func TestDeepRecursionIsAnError(t *testing.T) {
	for name, expr := range map[string]string{
		"a chain of operators": strings.Repeat("1 + ", 9000) + "g(n + 1)",
		"nested parentheses":   strings.Repeat("(", 300) + "g(n + 1)" + strings.Repeat(")", 300),
		"a chain of pipes":     "g(n + 1)" + strings.Repeat(" |> abs", 9000),
		"nested blocks":        strings.Repeat("if true { ", 150) + "g(n + 1)" + strings.Repeat(" }", 150),
	} {
		p := resolvetest.Program(t, "cell Deep { on g(n: Int) { return "+expr+" } }")
		_, err := New(p, Options{}).Call(context.Background(), "Deep", "g", []Value{NewInt(0)})
		if e, ok := err.(*Error); !ok || e.Kind != KindStackOverflow || !e.Final {
			t.Errorf("%s: %.80v", name, err)
		}
	}
}

func TestLongChainsEvaluate(t *testing.T) {
	p := resolvetest.Program(t, "cell Deep { on g(n: Int) { return n"+strings.Repeat(" + 1", 9000)+" } }")
	v, err := New(p, Options{}).Call(context.Background(), "Deep", "g", []Value{NewInt(0)})
	if err != nil || Quote(v) != "9000" {
		t.Errorf("%v, %v", v, err)
	}
}

// A context that ends stops a call, and try does not catch that.
func TestContextStopsCalls(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := resolvetest.Program(t, "cell Deep { on g() { let r = try { while true { } }  return 1 } }")
	_, err := New(p, Options{}).Call(ctx, "Deep", "g", nil)
	if e, ok := err.(*Error); !ok || e.Kind != KindLimit || !strings.Contains(e.Detail, "interrupted") {
		t.Errorf("%v", err)
	}
}

func TestCapturedLocals(t *testing.T) {
	check(t, []example{
		{`let t = 1  let f = x => t  t = 2  f(0)`, `2`},
		{`let t = 1  let f = x => t  let t = 2  [f(0), t]`, `[1, 2]`},
		{`let t = 1  if true { let f = x => t  let t = 2  f(0) }`, `1`},
		{`let f = x => 1  let f = n => if n == 0 { 0 } else { f(n - 1) + 10 }  f(3)`, `11`},
		{`let fs = list()  for i in range(0, 3) { fs = push(fs, x => x + i) }  fs |> map(f => { let g = f  g(10) })`, `[10, 11, 12]`},
		{`let fs = list()  for i in [1, 2] { let n = i  fs = push(fs, x => { n += x  n }) }  let a = fs[0]  let b = fs[1]  [a(10), a(10), b(10)]`, `[11, 21, 12]`},
		{`let n = 1  let f = x => { let g = y => { n += y  n }  g(x) + n }  [f(2), n]`, `[6, 3]`},
		{`let f = (a, b) => c => a * c + b  let g = f(2, 3)  g(10)`, `23`},
		{`let xs = [1, 2]  let f = i => { xs[i] = 9  xs }  let ys = xs  f(0)  [xs, ys]`, `[[9, 2], [1, 2]]`},
		{`match 4 { n -> { let f = x => n + x  f(1) } }`, `5`},
	})
}

// A guard reads the locals of the place that calls transition, in whatever function that is.
func TestGuardsReadTheCaller(t *testing.T) {
	check(t, []example{
		{`let f = id => { let power = 1  transition(id, "running") }  f("j")`, `guard_failed:`},
		{`power = 1  let f = id => { let power = 9  transition(id, "running") }  f("j").to`, `"running"`},
		{`let f = id => transition(id, "running")  power = 1  f("j")`, `guard_failed:`},
		{`if true { let power = 2  transition("j", "running") }`, `guard_failed:`},
		{`for power in [4] { transition("j", "running") }  get_status("j")`, `"running"`},
		{`["a", "b"] |> map(id => transition(id, "running").to)`, `["running", "running"]`},
	})
}
