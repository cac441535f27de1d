package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/interp"
)

// What a body does may hide in any place where an expression or a statement may stand. The two
// tables here are the places and what is hidden there; the tests beside them hold every analysis
// against their product.

// A hidingPlace is a body of `work(id, n)`, which runs what is hidden in it on ("sent", 1). The
// holes: E is any expression, B, I and T make a Bool, an Int and a text of it, S is a statement.
type hidingPlace struct {
	name string
	body string
	// flesh holds further handlers, clauses what the place itself needs.
	flesh, clauses string
	// kept is a place whose function is kept and run where nobody knows which it is: what runs it
	// is warned of, and what the function does is seen all the same.
	kept bool
	// open is a place that is not shown to end for a reason of its own: another cell runs its
	// function, or the argument that falls has no type.
	open bool
	// not are the words of clauses for which the place itself needs the widest one.
	not string
}

var hidingPlaces = []hidingPlace{
	// Texts and conditions.
	{name: "interpolation", body: `return "a {§E} b"`},
	{name: "interpolation in a long string", body: `return """a {§E} b"""`},
	{name: "interpolation in an interpolation", body: `return """a {concat("b", "{§E}")}"""`},
	{name: "second segment", body: `return "{n}{§E}"`},
	{name: "condition of require", body: `require §B || n > 0 else No`},
	{name: "message of require", body: `require n > 1 else No "m {§E}"`},
	{name: "message of require in a try", body: `let r = try { require n > 1 else No "m {§E}" }  return r.kind`},
	{name: "ensure", body: `ensure §B || n > 0`},
	{name: "condition of if", body: `if §B { return 1 }  return 2`},
	{name: "then", body: `if n > 0 { §S }`},
	{name: "else", body: `if n > 1 { return 1 } else { §S }`},
	{name: "condition of else if", body: `if n > 1 { return 1 } else if §B { return 2 }  return 3`},
	{name: "last else", body: `if n > 2 { return 1 } else if n > 1 { return 2 } else { §S }`},
	{name: "condition of an if expression", body: `let v = if §B { 1 } else { 2 }  return v`},
	{name: "branch of an if expression", body: `let v = if n > 0 { §E } else { 2 }  return v`},
	{name: "other branch of an if expression", body: `let v = if n > 1 { 1 } else { §E }  return v`},
	{name: "statement in a branch of an if expression", body: `let v = if n > 0 { §S  1 } else { 2 }  return v`},
	// Matches.
	{name: "subject of match", body: `return match §B { true -> 1  _ -> 2 }`},
	{name: "subject of a match statement", body: `match §T { "x" -> { return 1 } _ -> { return 2 } }`},
	{name: "guard of an arm", body: `return match n { 7 -> 0  x if §B -> x  _ -> 2 }`},
	{name: "value of an arm", body: `return match n { 1 -> §E  _ -> 2 }`},
	{name: "value of the last arm", body: `return match n { 7 -> 1  _ -> §E }`},
	{name: "block of an arm", body: `return match n { 1 -> { §S  3 }  _ -> 2 }`},
	{name: "block of a match statement", body: `match n { 1 -> { §S }  _ -> { return 2 } }`},
	{name: "guard of an arm with a prefix", body: `return match id { "se" + rest if §B && rest != "" -> rest  _ -> "x" }`},
	{name: "subject of match that is a map", body: `return match map("a", §E, "b", 2) { {a: x, b} -> [x, b]  _ -> 2 }`},
	{name: "match in the guard of an arm", body: `return match n { x if match §B { true -> true  _ -> x > 0 } -> x  _ -> 2 }`},
	{name: "if in a list in a lambda", body: `return map([n], x => [if x > 0 { §E } else { 1 }])`},
	// Errors.
	{name: "try", body: `let r = try { §S }  return r.kind`},
	{name: "value of a try", body: `let r = try { §E }  return r.value`},
	{name: "try raised again", body: `return try { §E }?`},
	{name: "try in a try", body: `let r = try { let q = try { §E }  q.kind }  return r.kind`},
	{name: "try in a lambda in an interpolation", body: `return "{map([n], x => try { §S }.kind)}"`},
	{name: "return in a try", body: `let r = try { return §E }  return r.kind`},
	{name: "try in an argument", body: `return max(n, try { §I }?)`},
	{name: "before a raise that is caught", body: `let r = try { §S  fail("no") }  return r.kind`},
	{name: "try raised again in an interpolation", body: `return """{try { §E }?}"""`},
	{name: "continue in a try", body: `for x in [n] { let r = try { if x > 0 { §S  continue } }  if r.kind == () { return 1 } }  return 2`},
	{name: "break in a try", body: `for x in [n] { let r = try { if x > 0 { §S  break } }  if r.kind == () { return 1 } }  return 2`},
	{name: "message of require in a lambda", body: `let r = try { map([n], x => { require x > 1 else No "{§E}"  x }) }  return r.kind`},
	{name: "argument of fail", body: `let r = try { fail("no", §T) }  return r.kind`},
	// Functions.
	{name: "lambda of filter", body: `return filter([n], x => §B)`},
	{name: "lambda of map", body: `return map([n], x => §E)`},
	{name: "lambda of reduce", body: `return reduce([n], 0, p => §I)`},
	{name: "start of reduce", body: `return reduce([n], §I, p => p.acc + p.val)`},
	{name: "lambda of find", body: `return find([n], x => §B)`},
	{name: "lambda of any", body: `return any([n], x => §B)`},
	{name: "lambda of all", body: `return all([n], x => §B)`},
	{name: "lambda of count", body: `return count([n], x => §B)`},
	{name: "lambda of sort_by", body: `return sort_by([n, 2], x => §T)`},
	{name: "lambda of two arguments of reduce", body: `return reduce([n], 0, (a, x) => a + x + §I)`},
	{name: "lambda of pluck", body: `return pluck([n], x => §E)`},
	{name: "lambda of group_by", body: `return group_by([n], x => §T)`},
	{name: "lambda of distinct_by", body: `return distinct_by([n, 2], x => §T)`},
	{name: "lambda of unique_by", body: `return unique_by([n, 2], x => §T)`},
	{name: "lambda of count_by", body: `return count_by([n], x => §I, 1)`},
	{name: "lambda of sum_by", body: `return sum_by([n], x => §I)`},
	{name: "lambda of avg_by", body: `return avg_by([n], x => §I)`},
	{name: "lambda of min_by", body: `return min_by([n], x => §I)`},
	{name: "lambda of max_by", body: `return max_by([n], x => §I)`},
	{name: "lambda of distinct", body: `return distinct([n, 2], x => §T)`},
	{name: "block lambda", body: `return map([n], x => { §S  x })`},
	{name: "lambda of a method", body: `return [n].filter(x => §B)`},
	{name: "lambda in a pipe", body: `return [n] |> filter(x => §B)`},
	{name: "lambda in a lambda", body: `return map([n], x => map([x], y => §E))`},
	{name: "lambda that is called", body: `let f = x => §E  return f(1)`},
	{name: "block lambda that is called", body: `let f = x => { §S  x }  return f(1)`},
	{name: "lambda called as a method", body: `let f = x => §E  return n.f()`},
	{name: "lambda called in a pipe", body: `let f = x => §E  return n |> f`},
	{name: "lambda called in a pipe with arguments", body: `let f = (x, y) => §E  return n |> f(2)`},
	{name: "lambda of two names", body: `let f = x => §E  let g = f  return g(1)`},
	{name: "lambda called by a lambda", body: `let f = x => §E  let g = x => f(x)  return g(1)`},
	{name: "lambda called in an interpolation", body: `let f = x => §E  return "{f(1)}"`},
	{name: "lambda with a name given to a builtin", body: `let f = x => §E  return map([n], f)`, kept: true},
	{name: "one of two lambdas", body: `let f = if n > 0 { x => §E } else { x => x }  return f(1)`, kept: true},
	{name: "lambda kept in a list", body: `let fs = [x => §E]  let f = fs[0]  return f(1)`, kept: true},
	{name: "block lambda kept in a list", body: `let fs = [x => { §S  x }]  let f = fs[0]  return f(1)`, kept: true},
	{name: "lambda kept in a map", body: `let fs = map("f", x => §E, "g", 1)  let f = fs.f  return f(1)`, kept: true},
	{name: "lambda kept in a record", body: `let fs = Pair { f: x => §E }  let f = fs.f  return f(1)`, kept: true},
	{name: "lambda given to a private handler", body: `return _run(x => §E)`, flesh: `on _run(f) { return f(1) }`, kept: true},
	{name: "lambda given to a signal", body: `return Desk.apply(x => §E)`, clauses: `calls Desk.apply`, open: true},
	{name: "lambda that a lambda gives", body: `let make = y => { x => §E }  let f = make(1)  return f(1)`, kept: true},
	{name: "lambda that a private handler gives", body: `let f = _make(id, n)  return f(1)`,
		flesh: `on _make(id, n) { return x => §E }`, kept: true},
	{name: "lambda in the condition of while", body: `let i = 0  while i < 1 && any([n], x => §B || x > 0) { i += 1 }  return i`},
	{name: "lambda assigned", body: `let f = x => x  f = x => §E  return f(1)`},
	{name: "lambda assigned in a loop", body: `let f = x => x  for i in [n, 2] { f(i)  f = x => §E }`, kept: true},
	{name: "lambda assigned in a branch", body: `let f = x => x  if n > 0 { f = x => §E }  return f(1)`, kept: true},
	{name: "lambda pushed to a list", body: `let fs = push([], x => §E)  let f = fs[0]  return f(1)`, kept: true},
	{name: "lambda from a list given to a builtin", body: `let fs = [x => §E]  return map([n], fs[0])`, kept: true},
	{name: "lambda out of a try", body: `let r = try { x => §E }  let f = r.value  return f(1)`, kept: true},
	{name: "lambda out of a match", body: `let f = match n { 1 -> x => §E  _ -> x => x }  return f(1)`, kept: true},
	{name: "lambda of a lambda's argument", body: `let run = g => g(1)  return run(x => §E)`, kept: true},
	{name: "loop in a block lambda", body: `return map([n], x => { for y in [x] { if y > 0 { §S } }  x })`},
	{name: "lambda that keeps its body", body: `let f = x => §E  let g = f  f = x => x  return [f(1), g(1)]`, kept: true},
	{name: "lambda that hides another", body: `let f = x => x  if f(n) > 0 { let g = f  let h = x => §E  return [g(1), h(1)] }`},
	{name: "lambda at the end of a long chain", body: chained(12), kept: true},
	{name: "lambda given itself", body: `let f = g => { §S  1 }  return f(f)`, kept: true},
	{name: "lambda in brackets", body: `return map([n], (x => §E))`},
	{name: "lambda chosen in an argument", body: `return map([n], if n > 0 { x => §E } else { x => x })`, kept: true},
	{name: "lambda matched in an argument", body: `return filter([n], match n { 1 -> x => §B  _ -> x => true })`, kept: true},
	{name: "lambda in a list that is mapped", body: `return [x => §E].map(g => g(1))`, kept: true},
	{name: "lambda in a list that is folded", body: `return reduce([x => §E], 0, p => { let g = p.val  g(1) })`, kept: true},
	{name: "lambda in a list that is walked", body: `for f in [x => §E] { f(1) }`, kept: true},
	{name: "lambda bound by a pattern", body: `return match x => §E { f -> f(1) }`, kept: true},
	{name: "lambda merged into a map", body: `let m = merge(map("a", 1), map("f", x => §E, "b", 2))  let f = m.f  return f(1)`, kept: true},
	{name: "lambda that is remembered", body: `remember("f", x => §E)  let f = recall("f")  return f(1)`, clauses: "calls remember, recall", kept: true},
	{name: "lambda kept in memory", body: `spare[id] = x => §E  let f = spare[id]  return f(1)`, clauses: "writes spare", kept: true},
	{name: "lambda assigned to a field", body: `let m = map("f", 1)  m.f = x => §E  let f = m.f  return f(1)`, kept: true},
	{name: "lambda that a private handler maps", body: `return _run(x => §E)`, flesh: `on _run(f) { return map([1], f) }`, kept: true},
	{name: "lambda given by a delegate", body: `return delegate("Desk", "apply", x => §E)`, clauses: "calls Desk.apply", open: true},
	{name: "lambda given by an event", body: `emit run(x => §E)`, clauses: "calls emit", open: true},
	{name: "lambda in a pipe of lambdas", body: `let f = x => §E  let g = x => x  return n |> g |> f |> g`},
	{name: "try in a loop in a lambda", body: `return map([n], x => { let r = try { for y in [x] { if y > 0 { §S  break } } }  r.kind })`},
	{name: "effect in a loop of loops", body: `for a in [n] { for b in [a] { for c in [b] { for d in [c] { if d > 0 { §S } } } } }`},
	{name: "effect in a loop of loops that assign", body: `let s = 0  for a in [n] { for b in [a] { for c in [b] { for d in [c] { for e in [d] { s = s + e  s += §I } } } } }  return s`},
	// Pipes, methods, operators.
	{name: "receiver of a pipe", body: `return §T |> trim`},
	{name: "argument in a pipe", body: `return n |> max(§I)`},
	{name: "receiver of a method", body: `return §T.trim()`},
	{name: "argument of a method", body: `return n.max(§I)`},
	{name: "argument of a builtin", body: `return max(n, §I)`},
	{name: "right side of ??", body: `let none = recall("x")  return none ?? §E`, clauses: "calls recall"},
	{name: "left side of ??", body: `return §E ?? 1`},
	{name: "right side of &&", body: `return n > 0 && §B`},
	{name: "right side of ||", body: `return n > 1 || §B`},
	{name: "left side of a comparison", body: `return §I < n`},
	{name: "right side of a comparison", body: `return n < §I`},
	{name: "right side of +", body: `return n + §I`},
	{name: "operand of !", body: `return !(§B)`},
	{name: "operand of -", body: `return -(§I)`},
	{name: "last operand of a chain of &&", body: `return n > 0 && n > -1 && §B`},
	{name: "last operand of a chain of ||", body: `return n > 1 || n > 2 || §B`},
	{name: "last operand of a chain of +", body: `return n + 1 + 2 + §I`},
	{name: "last call of a chain of pipes", body: `return n |> max(1) |> max(§I)`},
	{name: "argument in a chain of methods", body: `return id.trim().replace("a", §T).trim()`},
	{name: "pseudo-field", body: `return §T.len`},
	{name: "character of a text", body: `return concat("a", §T)[0]`},
	{name: "method in a lambda", body: `return map([id], x => x.replace("a", §T))`},
	{name: "list", body: `return [n, §E]`},
	{name: "record", body: `return Pair { a: n, b: §E }`},
	{name: "variant with fields", body: `return Boxed { content: §E }`},
	{name: "variant with arguments", body: `return Wrapped(§E)`},
	{name: "index", body: `let xs = list(1, 2, 3)  return xs[§I % 3]`},
	{name: "indexed value", body: `return [§E][0]`},
	{name: "value whose field is read", body: `return (Pair { a: §E }).a`},
	// Statements.
	{name: "let", body: `let v = §E  return [v, v]`},
	{name: "assignment", body: `let v = 1  v = §I  return v`},
	{name: "compound assignment", body: `let v = 1  v += §I  return v`},
	{name: "return", body: `return §E`},
	{name: "last value", body: `§E`},
	{name: "index of an assignment", body: `let m = map("a", 1)  m[§T] = 2  return m`},
	{name: "value assigned at an index", body: `let m = map("a", 1)  m["a"] = §E  return m`},
	{name: "value assigned to a field", body: `let m = map("a", 1)  m.a = §E  return m`},
	{name: "value added at an index", body: `let m = map("a", 1)  m["a"] += §I  return m`},
	{name: "inner index of an assignment", body: `let m = map("a", map("b", 1))  m["a"][§T] = 2  return m`},
	{name: "outer index of an assignment", body: `let m = map("a", map("b", 1))  let q = try { m[§T].b = 2 }  return q.kind`},
	{name: "condition of while", body: `let i = 0  while i < 1 && §B { i += 1 }  return i`},
	{name: "body of while", body: `let i = 0  while i < 1 { i += 1  §S }  return i`},
	{name: "sequence of for", body: `let s = 0  for x in [§E] { s += 1 + len("{x}") }  return s`},
	{name: "bound of a range", body: `let s = 0  for i in range(0, §I % 5) { s += i }  return s`},
	{name: "body of for", body: `for x in [n] { if x > 0 { §S } }`},
	{name: "body of for before continue", body: `for x in [n] { if x > 0 { §S  continue }  §N }`},
	{name: "body of for before break", body: `for x in [n] { if x > 0 { §S  break }  §N }`},
	{name: "statement", body: `§S`},
	{name: "body of a bounded for", body: `for [loop_bound(3)] x in [n] { if x > 0 { §S } }`},
	{name: "body of a bounded while", body: `let i = 0  while [loop_bound(3)] i < 1 { i += 1  §S }`},
	{name: "map that is walked", body: `let s = 0  for e in map("a", §E) { s += len("{e.value}") }  return s`},
	{name: "value assigned to a deep field", body: `let m = map("a", map("b", 1))  m.a.b = §E  return m`},
	{name: "before a return", body: `if n > 0 { §S  return 1 }  return 2`},
	{name: "after a raise that is caught", body: `let r = try { fail("no") }  if r.kind == "no" { §S }`},
	// Memory.
	{name: "key of get", body: `return spare.get(§T)`, clauses: "reads spare"},
	{name: "key of has", body: `return spare.has(§T)`, clauses: "reads spare"},
	{name: "key of an entry", body: `return spare[§T]`, clauses: "reads spare"},
	{name: "key of set", body: `spare.set(§T, 1)`, clauses: "writes spare"},
	{name: "value of set", body: `spare.set(id, §T)`, clauses: "writes spare"},
	{name: "key of delete", body: `return spare.delete(§T)`, clauses: "writes spare"},
	{name: "pushed value", body: `pile.push(§T)`, clauses: "writes pile"},
	{name: "key of an assigned entry", body: `spare[§T] = 1`, clauses: "writes spare"},
	{name: "value of an assigned entry", body: `spare[id] = §T`, clauses: "writes spare"},
	{name: "value added to an entry", body: `spare[id] = 1  spare[id] += §I`, clauses: "writes spare"},
	{name: "key of an entry that is added to", body: `let r = try { spare[§T] += 1 }  return r.kind`, clauses: "writes spare"},
	{name: "value of a field of an entry", body: `spare[id] = map("f", 1)  spare[id].f = §T`, clauses: "writes spare"},
	{name: "index in an entry", body: `spare[id] = map("f", 1)  spare[id][§T] = 2`, clauses: "writes spare"},
	{name: "key of an entry with a field", body: `let r = try { spare[§T].f = 2 }  return r.kind`, clauses: "writes spare"},
	// Calls and moves.
	{name: "argument of a signal", body: `return echo(§E)`, clauses: "calls echo"},
	{name: "argument of a private handler", body: `return _echo(§E)`, flesh: `on _echo(x) { return x }`},
	{name: "argument of another cell", body: `return Desk.keep(§T)`, clauses: "calls Desk.keep"},
	{name: "argument of a lambda", body: `let f = x => x  return f(§E)`},
	{name: "argument of print", body: `print(§T)`, clauses: "calls print"},
	{name: "argument of sleep", body: `sleep(§I % 2)`, clauses: "calls sleep"},
	{name: "prompt of think", body: `return think(§T)`, clauses: "calls think"},
	{name: "argument of emit", body: `emit filed(§E)`, clauses: "calls emit"},
	{name: "argument of a delegate", body: `return delegate("Desk", "keep", §T)`, clauses: "calls Desk.keep"},
	{name: "name of a delegate", body: `let r = try { delegate("Desk", §T, id) }  return r.kind`, clauses: "calls delegate", not: "calls delegate"},
	{name: "argument of a delegate with a computed name", body: `let r = try { delegate("Desk", id, §E) }  return r.kind`, clauses: "calls delegate", not: "calls delegate"},
	{name: "id of get_status", body: `return get_status(§T)`, clauses: "reads paper", not: "paper"},
	{name: "id of a move", body: `transition(§T, "draft", "sent")`, clauses: "moves draft -> sent", not: "paper"},
	{name: "target of a move", body: `let r = try { transition(id, id + §T) }  return r.kind`, clauses: "moves draft -> sent, sent -> draft, gone -> sent, draft -> gone", not: "paper"},
	{name: "source of a move", body: `let r = try { transition(id, id + §T, "draft") }  return r.kind`, clauses: "moves sent -> draft", not: "paper"},
	// Private handlers of the flesh.
	{name: "private handler", body: `return _hide(id, n)`, flesh: `on _hide(id, n) { §S  return n }`},
	{name: "private handler of a private handler", body: `return _first(id, n)`, flesh: `on _first(id, n) { return "{_hide(id, n)}" }  on _hide(id, n) { return §E }`},
	{name: "private handler called in a message", body: `require n > 1 else No "{_hide(id, n)}"`, flesh: `on _hide(id, n) { return §E }`},
	{name: "private handler called in a lambda", body: `return [n].map(x => _hide(id, x))`, flesh: `on _hide(id, n) { return §E }`},
	{name: "private handler called as a method", body: `return id._hide(n)`, flesh: `on _hide(id, n) { return §E }`},
	{name: "private handler called in a pipe", body: `return id |> _hide(n)`, flesh: `on _hide(id, n) { return §E }`},
	{name: "private handler of two", body: `return _hide(id, n)`, flesh: `on _hide(id) { return id }  on _hide(id, n) { return [_hide(id), §E] }`},
	{name: "private handler that listens", body: `emit _heard(id, n)`, flesh: `on _heard(id, n) { §S }`, clauses: "calls emit"},
	{name: "private handler that calls itself", body: `return _hide(id, n)`, flesh: `on _hide(id, n) { if n > 0 { return _hide(id, n - 1) }  let x = 1  return [x, §E] }`, open: true},
	{name: "private handler called by a delegate", body: `return delegate("Office", "_hide", id, n)`, flesh: `on _hide(id, n) { return §E }`},
}

// chained is a body with a lambda behind n others, each of which calls the one before.
func chained(n int) string {
	body := "let f0 = x => §E"
	for i := 1; i <= n; i++ {
		body += fmt.Sprintf("  let f%d = x => f%d(x)", i, i-1)
	}
	return body + fmt.Sprintf("  return f%d(1)", n)
}

// A hiddenEffect is what hides. One of expr and stmt is given; a finding stands at its beginning,
// or at the mark ‹ in it.
type hiddenEffect struct {
	name, expr, stmt string
	clause           string
	code             diag.Code
	// shows tells whether a step of a run is the effect; nil where runs leave no step.
	shows func(interp.Step) bool
	// contract is what `soma skeleton` says of it.
	contract string
}

func wrote(kind interp.StepKind, slot string) func(interp.Step) bool {
	return func(s interp.Step) bool { return s.Kind == kind && s.Name == slot }
}

func moved(s interp.Step) bool {
	return s.Kind == interp.StepMove && s.From == "draft" && s.To == "sent"
}

func entered(name string) func(interp.Step) bool {
	return func(s interp.Step) bool { return s.Kind == interp.StepEnter && s.Name == name }
}

func acted(name string) func(interp.Step) bool {
	return func(s interp.Step) bool { return s.Kind == interp.StepAct && s.Name == name }
}

// hiddenEffects has one effect of each kind of clause first; the rest are other ways to have them.
var hiddenEffects = []hiddenEffect{
	{name: "read", expr: `notes.get(id)`, clause: "reads notes", code: diag.FrameRead, contract: "reads notes"},
	{name: "status", expr: `get_status(id)`, clause: "reads paper", code: diag.FrameRead, contract: "inspects paper"},
	{name: "write", expr: `notes.set(id, 1)`, clause: "writes notes", code: diag.FrameWrite, shows: wrote(interp.StepWrite, "notes"), contract: "writes notes"},
	{name: "assigned entry", stmt: `notes[id] = 1`, clause: "writes notes", code: diag.FrameWrite, shows: wrote(interp.StepWrite, "notes"), contract: "writes notes"},
	{name: "push", expr: `log.push(id)`, clause: "writes log", code: diag.FrameWrite, shows: wrote(interp.StepPush, "log"), contract: "writes log"},
	{name: "move with a source", expr: `transition(id, draft, sent)`, clause: "moves draft -> sent", code: diag.FrameMove, shows: moved,
		contract: "moves paper: draft -> sent"},
	{name: "move", expr: `transition(id, sent)`, clause: "moves draft -> sent, gone -> sent", code: diag.FrameMove, shows: moved,
		contract: "moves paper: draft -> sent, paper: gone -> sent"},
	{name: "call", expr: `other(n)`, clause: "calls other", code: diag.FrameCall, shows: entered("other"), contract: "calls other"},
	{name: "call of another cell", expr: `Desk.take(id)`, clause: "calls Desk.take", code: diag.FrameCall, shows: entered("take"), contract: "calls Desk.take"},
	{name: "model", expr: `think(id)`, clause: "calls think", code: diag.FrameCall, shows: acted("think"), contract: "asks a model, which spends tokens: think"},
	{name: "clock", expr: `now()`, clause: "calls now", code: diag.FrameCall, shows: acted("now"), contract: "reads the clock: now"},
	{name: "event", stmt: `emit ping(id)`, clause: "calls emit", code: diag.FrameCall, shows: entered("ping"), contract: "emits ping"},
}

// otherForms are further ways to have an effect, each held at a few places.
var otherForms = []hiddenEffect{
	{name: "argument of len", expr: `len(‹notes)`, clause: "reads notes", code: diag.FrameRead},
	{name: "argument of keys", expr: `keys(‹notes)`, clause: "reads notes", code: diag.FrameRead},
	{name: "receiver of a pipe", expr: `‹notes |> len`, clause: "reads notes", code: diag.FrameRead},
	{name: "entry of an entry", expr: `‹rows[id]["f"]`, clause: "reads rows", code: diag.FrameRead},
	{name: "field of what get gives", expr: `‹rows.get(id).f`, clause: "reads rows", code: diag.FrameRead},
	{name: "entry of a list", expr: `log.get(0)`, clause: "reads log", code: diag.FrameRead},
	{name: "delete in a list", expr: `log.delete(0)`, clause: "writes log", code: diag.FrameWrite},
	{name: "assigned entry of a list", stmt: `log[0] = id`, clause: "writes log", code: diag.FrameWrite},
	{name: "compound in a field of an entry", stmt: `rows[id].f += 1`, clause: "writes rows", code: diag.FrameWrite},
	{name: "deep entry", stmt: `rows[id]["f"]["g"] = 1`, clause: "writes rows", code: diag.FrameWrite},
	{name: "delegate as a method", expr: `"Desk".delegate("take", id)`, clause: "calls Desk.take", code: diag.FrameCall, shows: entered("take")},
	{name: "delegate in a pipe", expr: `"Desk" |> delegate("take", id)`, clause: "calls Desk.take", code: diag.FrameCall, shows: entered("take")},
	{name: "model as a method", expr: `id.think()`, clause: "calls think", code: diag.FrameCall, shows: acted("think")},
	{name: "model in a pipe", expr: `id |> think`, clause: "calls think", code: diag.FrameCall, shows: acted("think")},
	{name: "has", expr: `notes.has(id)`, clause: "reads notes", code: diag.FrameRead},
	{name: "entry", expr: `notes[id]`, clause: "reads notes", code: diag.FrameRead},
	{name: "keys", expr: `notes.keys`, clause: "reads notes", code: diag.FrameRead},
	{name: "values", expr: `notes.values()`, clause: "reads notes", code: diag.FrameRead},
	{name: "len", expr: `notes.len`, clause: "reads notes", code: diag.FrameRead},
	{name: "size", expr: `log.size`, clause: "reads log", code: diag.FrameRead},
	{name: "last", expr: `log.last`, clause: "reads log", code: diag.FrameRead},
	{name: "slot itself", expr: `notes`, clause: "reads notes", code: diag.FrameRead},
	{name: "has_state", expr: `has_state(id)`, clause: "reads paper", code: diag.FrameRead},
	{name: "valid_transitions", expr: `valid_transitions(id)`, clause: "reads paper", code: diag.FrameRead},
	{name: "status in a pipe", expr: `id |> get_status`, clause: "reads paper", code: diag.FrameRead},
	{name: "delete", expr: `notes.delete(id)`, clause: "writes notes", code: diag.FrameWrite},
	{name: "append", expr: `log.append(id)`, clause: "writes log", code: diag.FrameWrite, shows: wrote(interp.StepPush, "log")},
	{name: "compound", stmt: `notes[id] += 1`, clause: "writes notes", code: diag.FrameWrite},
	{name: "field of an entry", stmt: `rows[id].f = 1`, clause: "writes rows", code: diag.FrameWrite},
	{name: "computed move", expr: `transition(id, id)`, clause: "moves draft -> sent, sent -> draft, gone -> sent, draft -> gone", code: diag.FrameMove, shows: moved},
	{name: "computed move with a source", expr: `transition(id, "draft", id)`, clause: "moves draft -> sent, draft -> gone", code: diag.FrameMove, shows: moved},
	{name: "computed source", expr: `transition(id, trim("draft"), "sent")`, clause: "moves draft -> sent, gone -> sent", code: diag.FrameMove, shows: moved},
	{name: "move as a method", expr: `id.transition("draft", "sent")`, clause: "moves draft -> sent", code: diag.FrameMove, shows: moved},
	{name: "move in a pipe", expr: `id |> transition("draft", "sent")`, clause: "moves draft -> sent", code: diag.FrameMove, shows: moved},
	{name: "call as a method", expr: `n.other()`, clause: "calls other", code: diag.FrameCall, shows: entered("other")},
	{name: "call in a pipe", expr: `n |> other`, clause: "calls other", code: diag.FrameCall, shows: entered("other")},
	{name: "own handler by its full name", expr: `Office.other(n)`, clause: "calls other", code: diag.FrameCall, shows: entered("other")},
	{name: "handler of another cell by its bare name", expr: `take(id)`, clause: "calls Desk.take", code: diag.FrameCall, shows: entered("take")},
	{name: "delegate", expr: `delegate("Desk", "take", id)`, clause: "calls Desk.take", code: diag.FrameCall, shows: entered("take")},
	{name: "delegate to a sibling", expr: `delegate("Office", "other", n)`, clause: "calls other", code: diag.FrameCall, shows: entered("other")},
	{name: "print", expr: `print(id)`, clause: "calls print", code: diag.FrameCall, shows: acted("print")},
	{name: "print as a method", expr: `id.print()`, clause: "calls print", code: diag.FrameCall, shows: acted("print")},
	{name: "print in a pipe", expr: `id |> print`, clause: "calls print", code: diag.FrameCall, shows: acted("print")},
}

// hide puts an effect into a place. It gives the program and where a finding must stand.
func hide(p hidingPlace, e hiddenEffect, clauses string) (text string, offset int) {
	return hideIn(hidingProgram, p, e, clauses)
}

// hideIn is hide in a variant of the program.
func hideIn(program string, p hidingPlace, e hiddenEffect, clauses string) (text string, offset int) {
	const mark = "‹"
	expr, stmt := e.expr, e.stmt
	if !strings.Contains(expr+stmt, mark) {
		expr, stmt = mark+expr, mark+stmt
	}
	if e.expr == "" {
		expr = "(try { " + stmt + " })"
	} else {
		stmt = "require (" + expr + ") != () || n > 0 else Gone"
		if strings.Contains(e.expr, "|>") {
			expr = "(" + expr + ")"
		}
	}
	fill := strings.NewReplacer(
		"§E", expr,
		"§B", "("+expr+" != ())",
		"§I", "len(to_string("+expr+"))",
		"§T", "to_string("+expr+")",
		"§S", stmt,
		"§N", `require n > 0 else Gone`,
	)
	text = strings.NewReplacer(
		"CLAUSES", strings.TrimSpace(p.clauses+" "+clauses),
		"BODY", fill.Replace(p.body),
		"FLESH", fill.Replace(p.flesh),
	).Replace(program)
	offset = strings.Index(text, mark)
	return strings.ReplaceAll(text, mark, ""), offset
}

const hidingProgram = `cell type Parcel {
    variants { Boxed { content: Any }  Wrapped(Any) }
}

skeleton agent Office {
    memory {
        notes: Map<String, Int>
        log: List<String>
        spare: Map<String, Any>
        pile: List<String>
        rows: Map<String, Map>
    }
    state paper {
        initial: draft
        draft -> sent
        sent -> draft
        gone -> sent
        draft -> gone
    }
    face {
        signal other(n: Int) -> Int
        signal echo(x: Any) -> Any
        signal work(id: String, n: Int) -> Any CLAUSES
    }
}

flesh Office {
    on other(n) { return n }
    on echo(x) { return x }
    on work(id, n) {
        BODY
    }
    FLESH
}

cell Desk {
    on take(x: String) { return x }
    on keep(x: String) { return x }
    on apply(f: Function) { return f(1) }
    on run(f: Function) { return f(1) }
    on ping(x: String) { return x }
    on filed(x: Any) { return x }
}
`

// skipped tells whether the place itself needs the clause of the effect.
func skipped(p hidingPlace, e hiddenEffect) bool {
	if p.clauses == e.clause || p.not != "" && e.clause == "calls think" {
		return true
	}
	if p.not == "paper" {
		return strings.HasPrefix(e.clause, "moves") || e.clause == "reads paper"
	}
	return p.not != "" && p.not == e.clause
}

func TestHidingPlacesHaveNames(t *testing.T) {
	var names []string
	for _, p := range hidingPlaces {
		names = append(names, p.name)
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != len(hidingPlaces) {
		t.Errorf("%d places have %d names", len(hidingPlaces), n)
	}
}
