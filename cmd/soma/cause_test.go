package main

import (
	"strings"
	"testing"
)

// One cause gives one finding, and nothing that follows from it: whatever the rest of a program
// does with what is wrong, it is not blamed.
func TestOneCauseOneFinding(t *testing.T) {
	for _, c := range []struct{ cause, codes, text string }{
		{"an unknown type of a slot", "E0209",
			`cell A { memory { s: Map<String, Itn> }
			on f(k: String) { s.set(k, "x")  s[k] = 3  let v = s.get(k) ?? 0  return v + 1 } }`},
		{"an unknown type of a parameter", "E0209",
			`cell A { on f(x: Strnig) { return g(x) + "a" + x } on g(x: String) { return x } }`},
		{"a scalar slot", "E0240",
			`cell A { memory { n: Int } on f(k: Int) { n = n + k  n += 1  if n > 3 { return n }  return n.get("n") } }`},
		{"a slot that is none of both", "E0240",
			`cell A { memory { n: Any } on f(k: Int) { n = k  n.x = 3  return n } }`},
		{"a skeleton without flesh", "E0201",
			`skeleton A { face { signal f(n: Int) -> Int  tool t(n: Int) -> Int "t" } }
			cell B { on g(n: Int) { emit f(n)  delegate("A", "f", n)  return f(n) + A.f(n) + A.t(n) + (n |> f) } }
			cell test T { rules { mock A.f 3  mock t 2  assert g(1) + A.f(2) == 3 } }`},
		{"a flesh without skeleton", "E0202",
			`flesh A { on f(n) { return n } }
			cell B { on g(n: Int) { return f(n) + A.f(n) } }`},
		{"a cell declared twice", "E0200",
			`cell A { on f(n: Int) { return n } }
			cell A { memory { s: Map<String, Int> } on h(n: Int) { return n } }
			cell B { on g(n: Int) { emit h(n)  return h(n) + A.h(n) + f(n) } }`},
		{"a signal without handler", "E0205",
			`cell A { face { signal f(n: Int) -> Int } on g(n: Int) { return f(n) + 1 } }
			cell B { on h(n: Int) { return A.f(n) } }`},
		{"a handler of another count", "E0205",
			`skeleton A { face { signal f(n: Int, m: Int) -> Int } } flesh A { on f(n) { return n } }
			cell B { on h(n: Int) { return A.f(n, 2) } }`},
		{"a misspelled handler", "E0204",
			`skeleton A { face { signal total_of(n: Int) -> Int } } flesh A { on totl_of(n) { return n } }
			cell B { on h(n: Int) { return A.total_of(n) + total_of(n) } }`},
		{"a name that is bound nowhere, in three places", "E0220 E0220 E0220",
			`cell A { on f(n: Int) { let a = m + 1  let b = a * m.x  return "{m} {b}" } }`},
		{"a misspelled local that is then read nowhere", "E0220",
			`cell A { on f(n: Int) { let amount = n + 1  let twice = x => x * 2  return twice(amuont) } }`},
		{"an assignment without let", "E0225",
			`cell A { on f(n: Int) { total = n  total += 1  for x in [total] { total = total + x }  return total } }`},
		{"an undefined function", "E0226",
			`cell A { on f(n: Int) { let x = nowhere(n) + 1  if x > 2 { return x - 1 }  return x } }`},
		{"an unknown cell", "E0226",
			`cell A { on f(n: Int) { let x = Shpo.price(n)  return x + 1 } }`},
		{"a wrong number of arguments", "E0227",
			`cell A { on f(n: Int) { let x = lowercase(n, 2, 3) + 1  return x } }`},
		{"a function where a value stands", "E0221",
			`cell A { on f(n: Int) { return n + f } }`},
		{"a word of another language, and a name beside it", "E0044 E0220",
			`cell A { on f(n: Int) { if n > 1 and n < 9 { return 1 }  return nn } }`},
		{"a second machine", "E0250",
			`cell A { state a { initial: x  x -> y } state b { initial: p  p -> q }
			face { signal f(id: String) -> Map moves p -> q }
			on f(id: String) { if get_status(id) == "p" { return transition(id, "q") }  return transition(id, "p", q) } }`},
		{"a machine without edges", "E0252",
			`cell A { state a { initial: x } on f(id: String) { if get_status(id) == "y" { return 1 }  return transition(id, "y") } }`},
		{"a machine of an unknown type", "E0209",
			`cell A { state a: Lihgt { initial: on_it  on_it -> off } on f(id: String) { return transition(id, "off") } }`},
		{"an unknown variant of a match", "E0235",
			`cell type P { variants { Cash Card(String) } }
			cell A { on f(p: P) { return match p { Cash -> "" Crd(x) -> x } } }`},
		{"an unknown field of a variant", "E0236",
			`cell type P { variants { Card { number: String } } }
			cell A { on f(p: P) { return match p { Card { numbr, .. } -> numbr + "x" } } }`},
		{"a record of a sum type", "E0236",
			`cell type P { variants { Cash } }
			cell A { face { signal f(n: Int) -> Int } on f(n: Int) { return P { n: n } } }`},
		{"a type without variants", "E0248",
			`cell type P { variants { } } cell A { on f(p: P) { return match p { x -> x } } }`},
		{"a parameter with the name of a slot", "E0224",
			`cell A { memory { s: Map<String, Int> } on f(s: Int, k: String) { s.set(k, 1)  return s } }`},
		{"a parameter without type", "E0207",
			`cell A { on f(n) { return n + 1 } on g(n: Int) { return f(n) + f("x") } }`},
		{"a name in a rule", "E0220",
			`cell A { memory { s: Map<String, Int>  invariant s <= lmit } on f(k: String) { s.set(k, 1) } }`},
		{"an unknown slot of a total", "E0234",
			`cell A { memory { held: Map<String, Int>  invariant total(hled) <= 3 } on f(k: String) { held.set(k, 1) } }`},
		{"an exception that is no state", "E0253",
			`cell A { state a { initial: x  x -> y -> x  * -> z except [yy, y, x]  y -> z } on f(id: String) { return transition(id, "z") } }`},
		{"a move to what is no state", "E0253",
			`cell A { state a { initial: x  x -> y } face { signal f(id: String) -> Map moves x -> y }
			on f(id: String) { return transition(id, "x", "yyy") } }`},
		{"an unknown slot in a clause", "E0210",
			`skeleton A { memory { notes: Map<String, Int> } face { signal f(k: String) -> Int reads ntoes } }
			flesh A { on f(k) { return notes.get(k) ?? 0 } }`},
		{"a private handler in a clause", "E0213",
			`skeleton A { face { signal f(k: String) -> Int calls _g } } flesh A { on f(k) { return _g(k) } on _g(k) { return 1 } }`},
		{"an arm that takes all", "W0123",
			`cell A { on f(n: Int) { return match n { x -> 1  2 -> 2  3 -> 3  _ -> 4 } } }`},
		{"a statement that leaves", "W0105",
			`cell A { on f(n: Int) { return n  let x = 2  print(n)  return 3 } }`},
		{"a property of an unknown state", "E0261",
			`cell A { state a { initial: x  x -> y } verify { after yy eventually [x] } on f(id: String) { return transition(id, "y") } }`},
	} {
		var got []string
		found := findingsOfText(t, c.text, "2027")
		for _, d := range found {
			got = append(got, string(d.Code))
		}
		if strings.Join(got, " ") != c.codes {
			t.Errorf("%s gives %v", c.cause, strings.Join(briefly(found), "\n  "))
		}
	}
}
