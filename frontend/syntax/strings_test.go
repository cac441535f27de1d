package syntax

import (
	"strings"
	"testing"
)

func TestSegments(t *testing.T) {
	const tq = `"""`
	for _, c := range []struct{ source, want string }{
		{`""`, `""`},
		{`"plain"`, `"plain"`},
		{`"a{x}b"`, `(str "a" x "b")`},
		{`"{x}{y}"`, `(str x y)`},
		// braces as text
		{`"{{x}}"`, `"{x}"`},
		{`"{{{x}}}"`, `(str "{" x "}")`},
		{`"}"`, `"}"`},
		{`"}}"`, `"}"`},
		{`"a } b"`, `"a } b"`},
		{`"{"`, `"{"`},
		{`"{x"`, `"{x"`},
		{`"{}"`, `"{}"`},
		{`"{ }"`, `"{ }"`},
		{`"\{x}"`, `"{x}"`},
		{`"{a: {b}}"`, `(str "{a: " b "}")`},
		{`"{: {b}}} {x}"`, `(str "{: " b "}} " x)`}, // the second } closes, the third is lone
		{`"{: x}}"`, `"{: x}}"`},
		{`"{color: red}"`, `"{color: red}"`},
		{`"{{color: red}}"`, `"{color: red}"`},
		// digits
		{`"{42}"`, `"{42}"`},
		{`"{007}"`, `"{007}"`},
		{`"{2,3}"`, `"{2,3}"`},
		{`"{2,}"`, `"{2,}"`},
		{`"[a-z]{2,3}{x}"`, `(str "[a-z]{2,3}" x)`},
		{`"{ 42 }"`, `(str 42)`},
		{`"{0x1F}"`, `(str 31)`},
		{`"{1e3}"`, `(str 1000f)`},
		{`"{1_000}"`, `(str 1000)`},
		{`"{1.5}"`, `(str 1.5f)`},
		{`"{42 + n}"`, `(str (+ 42 n))`},
		{`"{-1}"`, `(str (neg 1))`},
		{`"{5s}"`, `(str 5000)`},
		{`"{5%}"`, `(str 0.05f)`},
		{`"{true}"`, `(str true)`},
		// what starts no expression
		{`"{+ x}"`, `"{+ x}"`},
		{`"{.x}"`, `"{.x}"`},
		{`"{-> x}"`, `"{-> x}"`},
		{`"{return x}"`, `"{return x}"`},
		{`"{on}"`, `"{on}"`},
		{`"{+ {x}}"`, `(str "{+ " x "}")`},
		{`"{@{x}@}"`, `(str "{@" x "@}")`},
		// colons
		{`"{Pay::Pending}"`, `(str Pay::Pending)`},
		{`"{f(P { a: 1 })}"`, `(str (call f (record P a:1)))`},
		{`"{P { a: 1 }}"`, `(str (record P a:1))`},
		{`"{f(\":\")}"`, `(str (call f ":"))`},
		// strings inside
		{`"{think(\"x\")}"`, `(str (call think "x"))`},
		{`"{think(\"a {b} c\")}"`, `(str (call think (str "a " b " c")))`},
		{`"{f(\"}\")}!"`, `(str (call f "}") "!")`},
		{`"{f(\"a\\\"b\")}"`, `(str (call f "a\"b"))`},
		{`"{f(\"{g(\\\"x\\\")}\")}"`, `(str (call f (str (call g "x"))))`},
		{`"{f(\"a\nb\")}"`, `(str (call f "a\nb"))`},
		{`"{f(\"\{x}\")}"`, `(str (call f "{x}"))`},
		{`"{\"x\"}"`, `(str "x")`},
		// nested braces and lambdas
		{`"{map(xs, x => { x })}"`, `(str (call map xs (fn x {x})))`},
		{`"{if a { 1 } else { 2 }}"`, `(str (if a {1} {2}))`},
		{`"{match a { 1 -> 2 }}"`, `(str (match a (arm 1 2)))`},
		// escapes
		{`"\n\t\r\0\"\\"`, "\"\\n\\t\\r\\x00\\\"\\\\\""},
		{`"\u{41}\u{1F600}"`, `"A😀"`},
		{`"{\u{41}"`, `"{A"`},
		{`"naïve {x} 😀"`, `(str "naïve " x " 😀")`},
		// triple quotes
		{tq + `a "b" \n {x}` + tq, `(str "a \"b\" \\n " x)`},
		{tq + "two\nlines {f(\"x\")}" + tq, `(str "two\nlines " (call f "x"))`},
		{tq + `{f("a\"b")}` + tq, `(str (call f "a\"b"))`},
		{tq + `{{x}} \{x}` + tq, `(str "{x} \\" x)`},
		{tq + `say "hi"` + tq + `"`, `"say \"hi\"\""`},
		{tq + tq, `""`},
		{tq + `{ \" {x}` + tq, `(str "{ \\\" " x)`},
		{tq + `{"a}` + "\n" + `{x}` + tq, `(str "{\"a}\n" x)`},
	} {
		b := bodyOf(t, "return "+c.source)
		x := b.Stmts[0].(*Return).Value
		if got := dump(x); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.want)
		}
		if got := x.Span().Text(); got != c.source {
			t.Errorf("%s: the span covers %q", c.source, got)
		}
	}
}

// Places inside segments are those of the file, also where escapes were undone.
func TestSegmentSpans(t *testing.T) {
	b := bodyOf(t, `return "é{f(\"a{g(\\\"é\\\", n)}\")} {m + 1}"`)
	var got []string
	Inspect(b, func(n Node) bool {
		got = append(got, n.Span().Text())
		return true
	})
	want := []string{
		`f(\"a{g(\\\"é\\\", n)}\")`, `f`, `\"a{g(\\\"é\\\", n)}\"`, `g(\\\"é\\\", n)`, `g`, `\\\"é\\\"`, `n`, `m + 1`, `m`, `1`,
	}
	if len(got) < 3 || strings.Join(got[3:], "\n") != strings.Join(want, "\n") {
		t.Errorf("spans\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
