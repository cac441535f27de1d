package syntax_test

import (
	"slices"
	"strings"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/format"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// FuzzInterpolation holds for every text between quotes: reading it ends without a panic, and
// where nothing is wrong its segments are cut once and whole: each expression stands in braces
// of the literal, behind the one before it, and texts are not empty and not side by side. A
// literal that is written anew from its parts, by hand or by package format, reads back as the
// same parts.
func FuzzInterpolation(f *testing.F) {
	for _, text := range []string{
		"", "plain", "a {n} b", "{n}{m}", "{{n}}", "{{{n}}}", "{42} {2,3} {5%}", "{color: red} {n}", `{f(\"x\", 1)}`, `{f(\"{n}\")}`,
		`\{n} \u{1F600} {n}`, "{Light::Red}", "{xs.map(x => x + 1)}", "{if n > 1 { 2 } else { 3 }}", "{match n { 1 -> 2  _ -> 3 }}",
		"{try { n }}", "{+ {n}}", "{: {n}}} {n}", "{n", "}} {n}", "{P { a: 1 }.a}", "{m[\\\"k\\\"]}", "{n |> f}", "{-1}{!b}", "{(n)}{[n, 1]}", "{()}",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, content string, triple bool) {
		if len(content) > 4<<10 {
			return
		}
		quotes := `"`
		if triple {
			quotes = `"""`
		}
		s := soleString(quotes + content + quotes)
		if s == nil {
			return
		}
		parts := whole(t, s)
		for _, again := range []string{rewritten(s, quotes), format.Node(s)} {
			other := soleString(again)
			if other == nil {
				t.Fatalf("%q reads back wrong as %q", s.At.Text(), again)
			}
			if got := whole(t, other); !slices.Equal(parts, got) {
				t.Fatalf("%q has the parts %q, and %q those of %q", s.At.Text(), parts, got, again)
			}
		}
	})
}

// soleString reads a literal that is the whole value of a handler; nil when something is wrong.
func soleString(literal string) *syntax.String {
	file, found := syntax.Parse(source.NewFile("app.cell", "cell A {\n on f() {\n  return "+literal+"\n }\n}\n"))
	if len(diag.Errors(found)) > 0 || len(file.Decls) != 1 || len(file.Decls[0].Handlers) != 1 || len(file.Decls[0].Handlers[0].Body.Stmts) != 1 {
		return nil // the text ended the literal
	}
	r, ok := file.Decls[0].Handlers[0].Body.Stmts[0].(*syntax.Return)
	if !ok {
		return nil
	}
	s, ok := r.Value.(*syntax.String)
	if !ok || s.At.Text() != literal {
		return nil
	}
	return s
}

// whole sees to it that the segments are cut once and whole, and lists them: texts as they
// are, expressions as package format writes them.
func whole(t *testing.T, s *syntax.String) (parts []string) {
	met := map[syntax.Node]int{}
	syntax.Inspect(s, func(n syntax.Node) bool { met[n]++; return true })
	text, at, wasText := s.At.File.Text, s.At.Start, false
	for _, seg := range s.Segments {
		if seg.X == nil {
			if seg.Text == "" || wasText {
				t.Fatalf("%q has an empty segment of text, or two side by side", s.At.Text())
			}
			wasText = true
			parts = append(parts, seg.Text)
			continue
		}
		x := seg.X.Span()
		if x.Start < at || x.End > s.At.End || x.Start >= x.End {
			t.Fatalf("%q: an expression at %d..%d, not behind the one before", s.At.Text(), x.Start, x.End)
		}
		if !strings.Contains(text[at:x.Start], "{") || !strings.Contains(text[x.End:s.At.End], "}") {
			t.Fatalf("%q: the expression at %d..%d stands in no braces", s.At.Text(), x.Start, x.End)
		}
		if met[seg.X] != 1 {
			t.Fatalf("%q: a walk meets the expression at %d %d times", s.At.Text(), x.Start, met[seg.X])
		}
		at, wasText = x.End, false
		parts = append(parts, "{"+format.Node(seg.X)+"}")
	}
	return parts
}

// rewritten is the literal with its texts spelled anew and its expressions as they stand.
func rewritten(s *syntax.String, quotes string) string {
	spell := strings.NewReplacer("{", "{{", "}", "}}")
	if quotes == `"` {
		spell = strings.NewReplacer("{", `\{`, "}", "}}", `\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\x00", `\0`)
	}
	var b strings.Builder
	for _, seg := range s.Segments {
		if seg.X == nil {
			b.WriteString(spell.Replace(seg.Text))
		} else {
			b.WriteString("{ " + seg.X.Span().Text() + " }") // {42} were text
		}
	}
	return quotes + b.String() + quotes
}
