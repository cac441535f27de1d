package proofs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
	"soma.cell/smt/refute"
)

// What a run refuses is not proven. Each body writes a negative number where a careless
// reading of the language sees a positive one.
func TestRefusedWritesAreNotProven(t *testing.T) {
	bodies := map[string]string{
		"an index from the end":           `log.push(1)  log[0] = 5  log[-1] = -5  out.set("k", log[0])`,
		"compound assignment":             `let t = 1  t += (if true { t = -9  1 } else { 2 })  out.set("k", t)`,
		"compound assignment to an entry": `num.set("k", 1)  num["k"] += bump("k")  if num["k"] == 11 { out.set("k", -1) }`,
		"an index with an effect":         `let m = map("k", 1)  m[key()] += 1  if num.get("n") == 1 { out.set("k", -1) }`,
		"a value that changes its place":  `let m = map("b", 1)  m["a"] = (if true { m = map("b", -1)  5 } else { 3 })  out.set("k", m["b"])`,
		"a guard that assigns": `let x = ()
			let r = match 1 { 1 if (if true { x = 5  false } else { false }) -> 0  y -> y }
			if x == () { out.set("k", 1) } else { out.set("k", -1) }`,
		"an Int in a list of Floats":   `let xs = [1]  if to_string(xs) != "[1.0]" { real.set("k", xs) }`,
		"an Int in a pushed map":       `let m = map("a", 1)  if to_string(m) != "{{\"a\": 1.0}}" { rows.push(m) }`,
		"a text in search of a number": `let t = 1  let r = try { t = -1  let b = contains("text", n)  t = 3 }  out.set("k", t)`,
		"the larger of two kinds":      `let t = 1  let r = try { t = -1  let b = max(n, "a")  t = 3 }  out.set("k", t)`,
		"a malformed expression":       `let t = 1  let r = try { t = -1  let b = regex_match("a", "(")  t = 3 }  out.set("k", t)`,
		"a key that is a truth":        `let t = 1  let r = try { t = -1  let b = map(n == 0, 1)  t = 3 }  out.set("k", t)`,
		"a variant arm for a number":   `let t = 1  let r = try { t = -1  let b = match from_json("3") { Red::Go -> 2  _ -> 3 }  t = 3 }  out.set("k", t)`,
		"a field of another type":      `let t = 1  let r = try { t = -1  let b = Red::Wide { n: from_json("true") }  t = 3 }  out.set("k", t)`,
		"an error without a detail":    `let r = try { fail("Odd") }  if r.error == "Odd" { out.set("k", -1) }`,
		"variants of one name":         `for x in [Red::Go] { if x == Red::Go && x != Blue::Go { out.set("k", -1) } }`,
		"tuple variants of one name":   `for x in [Red::Stop(n)] { if x == Red::Stop(n) && x != Blue::Stop(n) { out.set("k", -1) } }`,
		"struct variants of one name":  `let y = Red::Wide { n: n }  let z = Blue::Wide { n: n }  for x in [y] { if x == y && x != z { out.set("k", -1) } }`,
		"patterns of one name":         `for x in [Red::Go] { match x { Red::Go -> { match x { Blue::Go -> 0  _ -> { out.set("k", -1) } } }  _ -> 0 } }`,
		"a name bound again":           `let t = -1  let f = x => t  let t = 1  out.set("k", f(0))`,
		"a name bound again inside":    `let t = -1  if true { let f = x => t  let t = 1  out.set("k", f(0)) }`,
		"a hidden local":               `let t = 1  let f = x => { t = -1  x }  if true { let t = 5  f(1) }  out.set("k", t)`,
		"a function in a loop":         `let t = 1  let f = x => { t = -1  x }  for i in range(0, 2) { out.set("k", t)  f(1) }`,
		"a function run by a loop":     `let t = 1  let f = x => { t = -1  x }  for i in range(0, 2) { f(1) }  out.set("k", t)`,
		"a function in a function":     `let t = 1  let f = x => { t = -1  x }  let g = y => f(y)  g(1)  out.set("k", t)`,
		"a function in a failing try":  `let t = 1  let f = x => { t = -1  x }  let r = try { f(1)  require false else Bad }  out.set("k", t)`,
		"a function that raises": `let t = 1  let f = a => { require a > 0 else Bad  a }
			if n == 0 { let z = 3  let r = try { let y = 2  t = -1  f(-1) }  out.set("k", t) }`,
		"a function kept over an assignment": `let t = 1  let f = x => { out.set("k", t)  1 }  t = -1  let fs = [f]  for g in fs { g(1) }`,
		"a function kept over a write": `num.set("m", 1)
			let f = x => { if num.get("m") == 2 { out.set("k", -1) }  1 }
			num.set("m", 2)  let fs = [f]  for g in fs { g(1) }`,
		"a key that is no text":      `let t = 1  let r = try { t = -1  num.get(true)  t = 3 }  out.set("k", t)`,
		"an instance without a name": `let t = 1  let r = try { t = -1  get_status(1.5)  t = 3 }  out.set("k", t)`,
		"a kind that is not the likely one": `let t = 1  let r = try { t = -1  transition("i", "a", "b")  t = 3 }
			if r.kind == "guard_failed" { out.set("k", t) }`,
		"an operand before a function": `let t = 1  let f = x => { t = -1  0 }  let y = t + sum(map([1], q => f(q))) + t  out.set("k", y - 1)`,
	}
	solver := opened(t, smt.Limits{})
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(`
cell type Red { variants { Go  Stop(Int)  Wide { n: Int } } }
cell type Blue { variants { Go  Stop(Int)  Wide { n: Int } } }
cell P {
    memory {
        out: Map<String, Int> [persistent]
        num: Map<String, Int> [persistent]
        log: List<Int> [persistent]
        real: Map<String, List<Float>> [persistent]
        rows: List<Map<String, Float>> [persistent]
        invariant out >= 0
        invariant to_string(real) != "[1.0]"
        invariant to_string(rows) != "{{\"a\": 1.0}}"
    }
    state m { initial: a  a -> b { guard { n > 5 } } }
    on bump(k: String) { num.set(k, 10)  return 1 }
    on key() { num.set("n", (num.get("n") ?? 0) + 1)  return "k" }
    on h(n: Int) {
        BODY
        return 0
    }
}
`, "BODY", body)
			prog := resolvetest.Program(t, text)
			w := interp.New(prog, interp.Options{})
			_, err := w.Call(context.Background(), "P", "h", []interp.Value{interp.NewInt(0)})
			var refused *interp.Error
			if !errors.As(err, &refused) || refused.Kind != "invariant" {
				t.Fatalf("the run is not refused: %v", err)
			}
			sys := lower.Program(prog)
			if err := ir.Validate(sys); err != nil {
				t.Fatal(err)
			}
			report, err := Verify(context.Background(), sys, Options{Solver: solver, Refute: refute.DefaultLimits()})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(report.Obligations, func(o obligation.Obligation) bool {
				return o.Kind == obligation.Invariant && o.Verdict != obligation.Proven &&
					o.Span.Start <= refused.Span.Start && refused.Span.End <= o.Span.End
			}) {
				t.Errorf("%s, and every rule is proven there", refused)
			}
		})
	}
}
