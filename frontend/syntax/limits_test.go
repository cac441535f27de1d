package syntax

import (
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/diag"
)

func nested(open, inside, close string, n int) string {
	return strings.Repeat(open, n) + inside + strings.Repeat(close, n)
}

// Each limit admits what is at it and refuses what is beyond, with one error.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(n int) string
		most int
		code diag.Code
	}{
		{"parentheses", func(n int) string { return "return " + nested("(", "n", ")", n) }, maxNesting, diag.NestingTooDeep},
		{"lists", func(n int) string { return "return " + nested("[", "n", "]", n) }, maxNesting, diag.NestingTooDeep},
		{"calls", func(n int) string { return "return " + nested("f(", "n", ")", n) }, maxNesting, diag.NestingTooDeep},
		{"indices", func(n int) string { return "return " + nested("x[", "n", "]", n) }, maxNesting, diag.NestingTooDeep},
		{"nots", func(n int) string { return "return " + strings.Repeat("!", n) + "n" }, maxNesting, diag.NestingTooDeep},
		{"minuses", func(n int) string { return "return " + strings.Repeat("- ", n) + "n" }, maxNesting, diag.NestingTooDeep},
		{"lambdas", func(n int) string { return "return " + strings.Repeat("x => ", n) + "n" }, maxNesting, diag.NestingTooDeep},
		{"ifs", func(n int) string { return nested("if n { ", "n", " }", n) }, maxNesting, diag.NestingTooDeep},
		{"loops", func(n int) string { return nested("for x in n { ", "n", " }", n) }, maxNesting, diag.NestingTooDeep},
		{"tries", func(n int) string { return nested("try { ", "n", " }", n) }, maxNesting, diag.NestingTooDeep},
		{"matches", func(n int) string { return nested("match n { _ -> ", "n", " }", n) }, maxNesting, diag.NestingTooDeep},
		{"patterns", func(n int) string { return "match n { " + nested("V(", "x", ")", n-1) + " -> n }" }, maxNesting, diag.NestingTooDeep},
		{"sums", func(n int) string { return "return n" + strings.Repeat(" + n", n) }, maxChain, diag.ChainTooLong},
		{"mixed sums", func(n int) string { return "return n" + strings.Repeat(" + n - n", n/2) }, maxChain, diag.ChainTooLong},
		{"pipes", func(n int) string { return "return n" + strings.Repeat("\n|> f(n)", n) }, maxChain, diag.ChainTooLong},
		{"methods", func(n int) string { return "return n" + strings.Repeat(".f(n)", n) }, maxChain, diag.ChainTooLong},
		{"else ifs", func(n int) string { return "if n { n }" + strings.Repeat(" else if n { n }", n) }, maxChain, diag.ChainTooLong},
		{"alternatives", func(n int) string { return "match n { 1" + strings.Repeat(" || 1", n) + " -> 2 }" }, maxChain, diag.ChainTooLong},
	} {
		if _, list := parse(inBody(c.make(c.most))); len(list) != 0 {
			t.Errorf("%s: %d are refused: %s %s", c.name, c.most, briefly(list), list[0].Message)
		}
		beyond := c.most + 2 // patterns and mixed sums come in pairs
		if _, list := parse(inBody(c.make(beyond))); len(list) != 1 || list[0].Code != c.code {
			t.Errorf("%s: %d give %s", c.name, beyond, briefly(list))
		}
	}
}

// Nesting is bounded outside bodies too.
func TestNestingOfDeclarations(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"types":     func(n int) string { return "cell A { memory { a: " + nested("List<", "Int", ">", n-1) + " } }" },
		"interiors": func(n int) string { return nested("cell A { interior { ", "", " } }", n) },
	} {
		if _, list := parse(text(maxNesting)); len(list) != 0 {
			t.Errorf("%s: %d are refused: %s", name, maxNesting, briefly(list))
		}
		if _, list := parse(text(maxNesting + 1)); len(list) != 1 || list[0].Code != diag.NestingTooDeep {
			t.Errorf("%s: %d give %s", name, maxNesting+1, briefly(list))
		}
	}
}

// Chains inside chains do not add up to a tree that a recursive walk could not pass.
func TestHeight(t *testing.T) {
	chain := "n" + strings.Repeat(" + n", 9_000)
	if _, list := parse(inBody("return f(" + strings.Repeat(chain+", ", 20) + "n)")); len(list) != 0 {
		t.Errorf("chains side by side are refused: %s", briefly(list))
	}
	tall := chain
	for range 4 {
		tall = "(" + tall + ")" + strings.Repeat(" + n", 9_000)
	}
	if _, list := parse(inBody("return " + tall)); len(list) != 1 || list[0].Code != diag.ChainTooLong {
		t.Errorf("chains inside chains give %s", briefly(list))
	}
}

// Ten megabytes of braces give one error.
func TestTenMegabytesOfBraces(t *testing.T) {
	if _, list := parse(inBody(strings.Repeat("{", 10<<20))); len(list) != 1 {
		t.Errorf("%d errors: %s", len(list), briefly(list))
	}
}

// Large inputs of any kind are read in time that grows with their size, with few errors:
// quadratic time would be minutes.
func TestLargeInputs(t *testing.T) {
	const size = 1 << 18
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	escaped := func(levels int) string { // strings in segments in strings
		text := "x"
		for range levels {
			text = `"{f(` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `)}"`
		}
		return text
	}
	for _, c := range []struct {
		name, text string
		errors     int
	}{
		{"braces", fill("{"), 1},
		{"braces in a body", "cell A { on f() { " + fill("{"), 1},
		{"blocks", "cell A { on f() { " + fill("if a {"), 1},
		{"parentheses", inBody(fill("(")), 1},
		{"brackets", "cell A { on f() { return " + fill("["), 1},
		{"closing braces", fill("}"), 1},
		{"cells", fill("cell A {"), 1},
		{"words", fill("word "), 1},
		{"lines of words", inBody(fill("word\n")), maxErrors},
		{"statements", inBody(fill("f(1)\n")), 0},
		{"digits", inBody("return " + strings.Repeat("7", maxDigits)), 0},
		{"more digits", inBody("return " + strings.Repeat("7", maxDigits+1)), 1},
		{"hexadecimal digits", inBody("return 0x" + strings.Repeat("f", maxDigits+1)), 1},
		{"digits of a Float", inBody("return 1." + strings.Repeat("7", maxDigits+1)), 1},
		{"digits of a pattern", inBody("match n { " + strings.Repeat("7", maxDigits+1) + " -> 1  _ -> 2 }"), 1},
		{"a comment", "cell A { } /*" + fill("* /"), 1},
		{"a line comment", "cell A { } //" + fill("x"), 0},
		{"one string", inBody(`return "` + fill("x") + `"`), 0},
		{"text braces", inBody(`return "` + fill("{ ") + `"`), 0},
		{"text braces that match", inBody(`return "` + nested("{: ", "x", "}", size/4) + `"`), 0},
		{"braces and quotes", inBody(`return "` + fill(`{ \" `) + `"`), 0},
		{"braces and quotes in triple quotes", inBody(`return """` + fill(`{ \" { " `) + `"""`), 0},
		{"braces, colons and quotes", inBody(`return """` + fill(`{: " `) + `"""`), 0},
		{"segments", inBody(`return "` + fill("{n}") + `"`), 0},
		{"segments in segments", inBody("return " + escaped(14)), 0},
		{"question marks", inBody(fill("n ? ")), 0},
		{"choices of other languages", inBody("return " + fill("a ? b : ")), 1},
		{"else ifs", inBody(fill("if a { } else ")), 1},
		{"loops of other languages", "cell A { on f() { " + fill("for i = 0;"), 1},
		{"handlers in handlers", "cell A { on f() { " + fill("\non f() {\n"), maxErrors},
		{"cells in cells", fill("\ncell A {\n"), maxErrors},
		{"arrows", inBody("return " + fill("x => ")), 1},
		{"lambda parameters", inBody("return " + fill("(a, ")), 1},
		{"semicolons", fill(";"), 1},
		{"junk", inBody(fill("@\n")), maxErrors},
		{"dots", inBody("return a" + fill(".b")), 1},
		{"minus", inBody("return " + fill("-")), 1},
	} {
		start := time.Now()
		_, list := parse(c.text)
		took := time.Since(start)
		if len(list) != c.errors {
			t.Errorf("%s: %d errors, want %d: %s", c.name, len(list), c.errors, briefly(list[:min(3, len(list))]))
		}
		if limit := 10 * time.Second; took > limit {
			t.Errorf("%s: took %v", c.name, took)
		}
	}
}

// A megabyte of what opens and is never closed is refused in a moment, with one error, wherever it
// stands.
func TestMegabytes(t *testing.T) {
	for _, unit := range []string{"{", "(", "[", "\"{", "a |> ", "else if ", "if a { } else if ", "!", "-", "- ", "x => ", "a[", "f(", "match a { _ -> "} {
		for _, place := range []string{"", "cell A { on f() { return "} {
			text := place + strings.Repeat(unit, 1<<20/len(unit))
			start := time.Now()
			_, list := parse(text)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%q after %q took %v", unit, place, took)
			}
			if len(list) != 1 {
				t.Errorf("%q after %q: %d errors: %s", unit, place, len(list), briefly(list[:min(3, len(list))]))
			}
		}
	}
}

// The number of errors shown is bounded, and the last one says so.
func TestMostErrors(t *testing.T) {
	_, list := parse(inBody(strings.Repeat("let = 1\n", 200)))
	if len(list) != maxErrors {
		t.Fatalf("%d errors, want %d", len(list), maxErrors)
	}
	notes := list[maxErrors-1].Notes
	if len(notes) != 1 || !strings.Contains(notes[0].Message, "only the first 50 are shown") {
		t.Errorf("the last error says %v", notes)
	}
	_, list = parse(inBody(strings.Repeat("let = 1\n", maxErrors)))
	if len(list) != maxErrors || len(list[maxErrors-1].Notes) != 0 {
		t.Errorf("%d errors alone: %v", len(list), list[len(list)-1].Notes)
	}
}
