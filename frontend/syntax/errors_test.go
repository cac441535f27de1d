package syntax

import (
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/internal/expect"
	"soma.cell/frontend/source"
)

// Programs with expectations in comments: each fault is reported once, in its place, and
// hides no other.
func TestErrors(t *testing.T) {
	programs := append(expect.Programs(t, "testdata/errors.cell"), expect.Programs(t, "testdata/recovery.cell")...)
	for _, f := range programs {
		_, got := Parse(f)
		expect.Check(t, []*source.File{f}, got)
		for i := 1; i < len(got); i++ {
			if got[i].Span.Start < got[i-1].Span.Start {
				t.Errorf("%s: %s is reported before what stands before it", got[i].Span, got[i].Code)
			}
		}
	}
}

// briefly shows diagnostics as "line:col code", in order.
func briefly(list []diag.Diagnostic) string {
	var out []string
	for _, d := range list {
		p := d.Span.From()
		out = append(out, fmt.Sprintf("%d:%d %s", p.Line, p.Col, d.Code))
	}
	return strings.Join(out, ", ")
}

// Faults that leave no room for a comment on their line.
func TestLexicalErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"open string", inBody("let a = \"abc\nlet b = 1 @"), "3:9 E0002, 4:11 E0001"},
		{"open string in a call", inBody("f(\"abc\nlet b = 1 2\nreturn b"), "3:3 E0002, 4:11 E0019"},
		{"open triple string", inBody("let a = \"\"\"abc\nlet b = 1"), "3:9 E0002"},
		{"open comment", inBody("let a = 1 /* abc\nlet b = 1"), "3:11 E0006"},
		{"open comment between cells", "cell A { }\n/* abc", "2:1 E0006"},
		{"backslash at the end", inBody("let a = \"abc\\\nreturn 1"), "3:9 E0002"},
		{"NUL", "cell A { }\n\x00", "2:1 E0007"},
		{"not UTF-8", "cell A { }\nc\xffll B { }\x00", "2:2 E0007"},
		{"a binary file", "\x7fELF\x02\x01\x01\x00\x00", "1:8 E0007"},
		{"UTF-16", "\xff\xfec\x00e\x00", "1:1 E0007"},
		{"nothing", "", "1:1 E0013"},
		{"a mark alone", byteOrderMark + "\n", "1:1 E0013"},
		{"comments alone", "// a\n/* b */", "1:1 E0013"},
		{"byte-order mark", byteOrderMark + "cell A { }", ""},
		{"second mark", "cell A { }\n" + byteOrderMark, "2:1 E0033"},
		{"CRLF", "cell A {\r\n on f() {\r\n  return \"a\"\r\n }\r\n}\r\n", ""},
		{"semicolons", inBody("let a = 1;\nlet b = 2; ; f(a); f(b)"), "3:10 E0008"},
		{"typographic quotes", inBody("return “a”"), "3:8 E0001"},
		{"unit", inBody("let a = 5sec + 90m\nreturn a"), "3:9 E0005, 3:16 E0005"},
		{"numbers", inBody("f(1_, 1__0, 0x, 0xG, 1e, 1.5s, 1e999, 12abc)"), "3:3 E0004, 3:7 E0004, 3:13 E0004, 3:17 E0004, 3:22 E0004, 3:26 E0004, 3:32 E0004, 3:39 E0004"},
		{"escapes", inBody(`return "\d \u{} \u{110000} \u{D800} \u41 \}"`), "3:9 E0003, 3:12 E0003, 3:17 E0003, 3:28 E0003, 3:37 E0003, 3:42 E0003"},
		{"strings on two lines", inBody("f()\nreturn \"a\"\n\"b\""), ""},
	} {
		f := source.NewFile("app.cell", c.text)
		_, list := Parse(f)
		got := briefly(list)
		if c.name == "second mark" {
			got = strings.Replace(got, "E0001", "E0033", 1)
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Faults inside a segment keep to the segment, in its place.
func TestSegmentErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`return "{a junk} {b junk}"`, "3:12 E0009, 3:21 E0009"},
		{`return "{f(a} {n @ 2} {n;}"`, "3:11 E0016, 3:18 E0009, 3:25 E0009"},
		{`return "{f(\"{a junk}\")}"`, "3:17 E0009"},
		{`return "{f(\"a\" \"b\")}"`, "3:18 E0010"},
		{`return "{a ? b : c}"`, ""},
		{`return "{f(a ? b : c)}"`, "3:12 E0045"},
		{`return "{null}"`, "3:10 E0040"},
		{`return "{f(x => { let })}"`, "3:23 E0014"},
		{"return \"a\" + \"{n\"x\n\"}\"", "3:14 E0009"},
	} {
		_, list := parse(inBody(c.source))
		if got := briefly(list); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.want)
			for _, d := range list {
				t.Log(d.Message)
			}
		}
	}
}

// What a repair gives parses, and reads as the message says.
func TestRepairs(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"return null", "return ()"},
		{"return a === b", "return a == b"},
		{"return a !== b", "return a != b"},
		{"if a { } elif b { }", "if a { } else if b { }"},
		{"return a and b or not c", "return a && b || !c"},
		{"return n > 0 ? f(1) : [2]", "return if n > 0 { f(1) } else { [2] }"},
		{"return a ? 1 : b && c ? 2 : 3", "return if a { 1 } else if b && c { 2 } else { 3 }"},
		{"return {size: n, \"b\": 2}", "return map(\"size\", n, \"b\", 2)"},
		{"return {}", "return map()"},
		{"return xs[1:n]", "return slice(xs, 1, n)"},
		{"return xs[:n]", "return slice(xs, 0, n)"},
		{"return match n { 1 => 2 }", "return match n { 1 -> 2 }"},
		{"return match n { 1 -> 2, 2 -> 3, }", "return match n { 1 -> 2 2 -> 3 }"},
		{"var a = 1", "let a = 1"},
		{"let mut a = 1", "let a = 1"},
		{"let a: Map<String, Int> = b", "let a = b"},
		{"a++", "a += 1"},
		{"a.b--", "a.b -= 1"},
		{"return 'x'", "return \"x\""},
		{"return \"a\" \"b\"", "return \"a\" + \"b\""},
		{"return 90m", "return 90min"},
		{"return \"\\d\"", "return \"\\\\d\""},
		{"let a = 1; let b = 2;", "let a = 1 let b = 2"},
		{"if n = 1 { f() }", "if n == 1 { f() }"},
	} {
		text := inBody(c.source)
		_, list := parse(text)
		var edits []diag.Edit
		for _, d := range list {
			edits = append(edits, d.Edits...)
		}
		for i := len(edits) - 1; i >= 0; i-- {
			text = text[:edits[i].Span.Start] + edits[i].New + text[edits[i].Span.End:]
		}
		if got := inBody(c.want); text != got {
			t.Errorf("%s is repaired as\n%s", c.source, text)
		}
		if _, list := parse(text); len(list) > 0 {
			t.Errorf("the repair of %s yields %v", c.source, list)
		}
	}
}
