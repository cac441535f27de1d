package format_test

import (
	"math/big"
	"os"
	"testing"

	"soma.cell/frontend/format"
	"soma.cell/frontend/syntax"
)

// A file in canonical form comes out as it is.
func TestCanonicalForm(t *testing.T) {
	text, err := os.ReadFile("testdata/canonical.cell")
	if err != nil {
		t.Fatal(err)
	}
	f, found := parse(string(text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	if got := format.File(f); got != string(text) {
		t.Errorf("got\n%s", got)
	}
}

// Expressions as they are written anywhere, and in the form they get.
func TestExpressions(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"0xFF + 1_000", "255 + 1000"},
		{"5% * 1e3", "0.05 * 1000.0"},
		{"90s + 60s + 1500ms + 0ms + 48h", "90s + 1min + 1500ms + 0ms + 2d"},
		{"- - a", "- -a"},
		{"!(!a)", "!(!a)"},
		{"a ? ?", "a? ?"},
		{"a? ?? b", "a? ?? b"},
		{"a |> f() |> B.g(1,)?", "a |> f |> B.g(1)?"},
		{"f(\n  a,\n  b\n)", "f(a, b)"},
		{"R{a:1}.a", "R { a: 1 }.a"},
		{"if a { 1 }\nelse { 2 }", "if a { 1 } else { 2 }"},
		{"xs.map(x=>{ x })", "xs.map(x => { x })"},
		{`"{ 42 } {{ }} {x} \u{41}\u{7}"`, `"{ 42 } {{ }} {x} A\u{7}"`},
		{`"""a "{f("x")}" \n"""`, `"a \"{f(\"x\")}\" \\n"`},
		{"\"\"\"{m(x => {\n let y = x\n -y })}\"\"\"", "\"\"\"{m(x => {\n        let y = x\n        -y\n    })}\"\"\""},
		{`"{m(x => { let y = x  y })}"`, `"{m(x => { let y = x  y })}"`},
	} {
		text := "cell A {\n    on f() {\n        return " + c.source + "\n    }\n}\n"
		f, found := parse(text)
		if len(found) > 0 {
			t.Errorf("%s: %v", c.source, found)
			continue
		}
		x := f.Decls[0].Handlers[0].Body.Stmts[0].(*syntax.Return).Value
		if got := format.Node(x); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}

// Trees put together by hand get the parentheses that they need, and no others.
func TestParentheses(t *testing.T) {
	name := func(s string) syntax.Expr { return &syntax.Name{Name: s} }
	op := func(x syntax.Expr, op syntax.BinOp, y syntax.Expr) syntax.Expr {
		return &syntax.Binary{Op: op, X: x, Y: y}
	}
	a, b, c := name("a"), name("b"), name("c")
	lambda := &syntax.Lambda{Params: []syntax.Ident{{Name: "x"}}, X: a}
	record := &syntax.Record{Name: syntax.Ident{Name: "R"}}
	block := func(x syntax.Expr) *syntax.Block { return &syntax.Block{Stmts: []syntax.Stmt{&syntax.ExprStmt{X: x}}} }
	choice := &syntax.If{Cond: a, Then: block(b)}
	for _, test := range []struct {
		tree syntax.Node
		want string
	}{
		{op(op(a, syntax.AddOp, b), syntax.MulOp, c), "(a + b) * c"},
		{op(a, syntax.SubOp, op(b, syntax.SubOp, c)), "a - (b - c)"},
		{op(op(a, syntax.SubOp, b), syntax.SubOp, c), "a - b - c"},
		{op(op(a, syntax.LtOp, b), syntax.EqOp, c), "(a < b) == c"},
		{op(lambda, syntax.AddOp, b), "(x => a) + b"},
		{op(a, syntax.AddOp, lambda), "a + x => a"},
		{&syntax.Unary{X: op(a, syntax.AddOp, b)}, "-(a + b)"},
		{&syntax.Field{X: &syntax.Unary{X: a}, Name: syntax.Ident{Name: "f"}}, "(-a).f"},
		{&syntax.If{Cond: op(a, syntax.EqOp, record), Then: block(b)}, "if a == (R {}) { b }"},
		{&syntax.If{Cond: &syntax.List{Items: []syntax.Expr{record}}, Then: block(b)}, "if [R {}] { b }"},
		{&syntax.Require{Cond: choice, Tag: syntax.Ident{Name: "T"}}, "require (if a { b }) else T"},
		{&syntax.Require{Cond: a, Tag: syntax.Ident{Name: "too low"}}, `require a else "too low"`},
		{&syntax.Require{Cond: a, Tag: syntax.Ident{Name: "if"}}, `require a else "if"`},
		{&syntax.ExprStmt{X: op(choice, syntax.SubOp, a)}, "(if a { b }) - a"},
		{&syntax.ExprStmt{X: op(choice, syntax.AddOp, a)}, "if a { b } + a"},
		{&syntax.Let{Name: syntax.Ident{Name: "v"}, Value: op(choice, syntax.SubOp, a)}, "let v = if a { b } - a"},
		{&syntax.Match{X: a, Arms: []*syntax.Arm{{Patterns: []syntax.Pattern{&syntax.Wildcard{}}, Guard: lambda, Value: lambda}}},
			"match a {\n    _ if (x => a) -> x => a\n}"},
		{&syntax.LiteralPattern{Value: &syntax.Int{Value: big.NewInt(-60_000), Duration: true}}, "-1min"},
	} {
		if got := format.Node(test.tree); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
