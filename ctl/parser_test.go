package ctl

import (
	"errors"
	"strings"
	"testing"
)

// TestParse lists texts and the minimal rendering of what they mean.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		// Atoms.
		"done":               "done",
		" order.paid ":       "order.paid",
		"Shop.order.paid":    "Shop.order.paid",
		"café && 東京_2 || _":  "café && 東京_2 || _",
		"true || false":      "true || false",
		"m.true && m.AG.not": "m.true && m.AG.not",
		"trueish && notable": "trueish && notable",
		"A && E -> U || R":   "A && E -> U || R",
		"A [A U E]":          "A[A U E]",
		"A[U U U]":           "A[U U U]",
		"E[W W R]":           "E[W W R]",
		"AG(A)":              "AG A",
		"X && F || G":        "X && F || G",
		// Unary operators bind tightest and stack.
		"AG x && y":          "AG x && y",
		"AG(x && y)":         "AG (x && y)",
		"!a && b":            "!a && b",
		"!(a && b)":          "!(a && b)",
		"not a or not not b": "!a || !!b",
		"AG EF p":            "AG EF p",
		"AX(EX(AF(EG(p))))":  "AX EX AF EG p",
		"AG\n\tp":            "AG p",
		"!AG!p":              "!AG !p",
		// Binary precedence and associativity.
		"a || b && c":       "a || b && c",
		"(a || b) && c":     "(a || b) && c",
		"a && b || c && d":  "a && b || c && d",
		"a -> b || c":       "a -> b || c",
		"(a -> b) || c":     "(a -> b) || c",
		"a -> b -> c":       "a -> b -> c",
		"a -> (b -> c)":     "a -> b -> c",
		"(a -> b) -> c":     "(a -> b) -> c",
		"a <-> b -> c":      "a <-> b -> c",
		"(a <-> b) -> c":    "(a <-> b) -> c",
		"a <-> b <-> c":     "a <-> b <-> c",
		"a <-> (b <-> c)":   "a <-> (b <-> c)",
		"a && (b && c)":     "a && (b && c)",
		"(a && b) && c":     "a && b && c",
		"a and b or c -> d": "a && b || c -> d",
		// Brackets.
		"A[p U q]":               "A[p U q]",
		"E[p R q]":               "E[p R q]",
		"A[p->q W r<->s]":        "A[p -> q W r <-> s]",
		"A[(p) U (q || r)]":      "A[p U q || r]",
		"!E[p U q] && r":         "!E[p U q] && r",
		"A[A[p U q] U E[p W q]]": "A[A[p U q] U E[p W q]]",
		"AG A[p U q]":            "AG A[p U q]",
	} {
		f, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := f.String(); got != want {
			t.Errorf("%q renders as %q, want %q", text, got, want)
		}
	}
}

// TestParseTree pins the shape where rendering could hide a shared mistake.
func TestParseTree(t *testing.T) {
	a, b, c := Atom("a"), Atom("b"), Atom("c")
	for text, want := range map[string]*Formula{
		"a -> b -> c":        Implies(a, Implies(b, c)),
		"a <-> b <-> c":      Iff(Iff(a, b), c),
		"a || b && !c":       Or(a, And(b, Not(c))),
		"AG a -> AF b":       Implies(AG(a), AF(b)),
		"AX a && EX b":       And(AX(a), EX(b)),
		"EF a || EG b":       Or(EF(a), EG(b)),
		"A[a || b U b -> c]": AU(Or(a, b), Implies(b, c)),
		"E[a U b]":           EU(a, b),
		"A[a R b]":           AR(a, b),
		"E[a R b]":           ER(a, b),
		"A[a W b]":           AW(a, b),
		"E[a W b]":           EW(a, b),
		"true && false":      And(True(), False()),
	} {
		f, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if !same(f, want) {
			t.Errorf("%q parses as %s", text, f)
		}
	}
}

// same compares formulas as trees.
func same(f, g *Formula) bool {
	if f == nil || g == nil {
		return f == g
	}
	return f.Op == g.Op && f.Name == g.Name && same(f.Left, g.Left) && same(f.Right, g.Right)
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		msg    string
	}{
		{"", 0, "unexpected end: expected a formula"},
		{"  ", 2, "unexpected end: expected a formula"},
		{"AG", 2, "unexpected end: expected a formula"},
		{"a &&", 4, "unexpected end: expected a formula"},
		{"a -> ", 5, "unexpected end: expected a formula"},
		{"(a", 2, "unexpected end: expected an operator or ')'"},
		{"A[p U q", 7, "unexpected end: expected an operator or ']'"},
		{"A[p", 3, "unexpected end: expected an operator, such as U, R or W"},
		{"A[p]", 3, `unexpected "]": expected an operator, such as U, R or W`},
		{"A[p q]", 4, `unexpected "q": expected an operator, such as U, R or W`},
		{"A[U q]", 4, `unexpected "q": expected an operator, such as U, R or W`},
		{"A[p U q)", 7, `unexpected ")": expected an operator or ']'`},
		{"(p]", 2, `unexpected "]": expected an operator or ')'`},
		{"A[p U q U r]", 8, `A[ ] and E[ ] hold one of U, R and W: "U" is a second`},
		{"A[(p U q) U r]", 5, `"U" stands only directly inside A[ ] or E[ ]`},
		{"p U q", 2, `"U" stands only directly inside A[ ] or E[ ]`},
		{"G p", 0, `"G" needs a path quantifier: write AG or EG`},
		{"a -> F(b)", 5, `"F" needs a path quantifier: write AF or EF`},
		{"G (p)", 0, `"G" needs a path quantifier: write AG or EG`},
		{"X ]", 2, `unmatched "]"`},
		{"A[X p U q]", 2, `"X" needs a path quantifier: write AX or EX`},
		{"a)", 1, `unmatched ")"`},
		{"p ]", 2, `unmatched "]"`},
		{"a b", 2, `unexpected "b": expected an operator or the end`},
		{"a not b", 2, `unexpected "not": expected an operator or the end`},
		{"x[p U q]", 1, `unexpected "[": expected an operator or the end`},
		{"&& a", 0, `unexpected "&&": expected a formula`},
		{"a && or b", 5, `unexpected "or": expected a formula`},
		{"()", 1, `unexpected ")": expected a formula`},
		{"a & b", 2, `unknown operator "&" (did you mean "&&"?)`},
		{"a | b", 2, `unknown operator "|" (did you mean "||"?)`},
		{"a => b", 2, `unknown operator "=>" (did you mean "->"?)`},
		{"a <=> b", 2, `unknown operator "<=>" (did you mean "<->"?)`},
		{"a == b", 2, `unknown operator "==" (did you mean "<->"?)`},
		{"a != b", 2, `unknown operator "!=" (did you mean "<->"?)`},
		{"a = b", 2, `unknown operator "=" (did you mean "<->"?)`},
		{"a <- b", 2, `unknown operator "<-" (did you mean "->"?)`},
		{"~a", 0, `unknown operator "~" (did you mean "!"?)`},
		{"a &&& b", 4, `unknown operator "&" (did you mean "&&"?)`},
		{"é + b", 3, "unexpected character '+'"},
		{"a → b", 2, "unexpected character '→'"},
		{"\"a\"", 0, `unexpected character '"'`},
		{"1a", 0, "a name must not start with a digit"},
		{"a.1", 2, "a name must not start with a digit"},
		{"a.", 2, "a name is missing after '.'"},
		{"a. b", 2, "a name is missing after '.'"},
		{".a", 0, "unexpected character '.'"},
		{"a.b.c.d", 5, "a name has at most 3 parts (Cell.machine.state)"},
		{"a \xff", 2, "the text is not valid UTF-8"},
		{"a\xff", 1, "the text is not valid UTF-8"},
	} {
		f, err := Parse(c.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: parsed as %v, error %v", c.text, f, err)
		} else if syntax.Offset != c.offset || syntax.Msg != c.msg {
			t.Errorf("%q: offset %d: %s\n\twant offset %d: %s", c.text, syntax.Offset, syntax.Msg, c.offset, c.msg)
		}
	}
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := Parse("a -> ")
	if want := "offset 5: unexpected end: expected a formula"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestParseLimits: at the limit all is well, one step beyond is an error at the
// place of that step, and hostile input is refused without going on.
func TestParseLimits(t *testing.T) {
	const nesting = "the formula is nested too deep (limit 400)"
	const length = "the formula is too long (limit 10000 operands)"
	nest := func(open, close string, n int) string {
		return strings.Repeat(open, n) + "p" + strings.Repeat(close, n)
	}
	chain := func(op string, n int) string { return strings.Repeat("p"+op, n-1) + "p" }
	for _, c := range []struct {
		name, text string
		offset     int // of the error; -1: none
		msg        string
	}{
		{"parentheses", nest("(", ")", 400), -1, ""},
		{"parentheses+1", nest("(", ")", 401), 400, nesting},
		{"negations", nest("!", "", 400), -1, ""},
		{"negations+1", nest("!", "", 401), 400, nesting},
		{"quantifiers", nest("AG ", "", 401), 1200, nesting},
		{"brackets", nest("A[", " U q]", 400), -1, ""},
		{"brackets+1", nest("A[", " U q]", 401), 801, nesting},
		{"mixed", nest("!(", ")", 201), 400, nesting},
		{"hostile", strings.Repeat("(", 5_000_000), 400, nesting},
		{"and", chain("&&", 10_000), -1, ""},
		{"and+1", chain("&&", 10_001), 30_000, length},
		{"or+1", chain(" or ", 10_001), 50_000, length},
		{"implies", chain("->", 10_000), -1, ""},
		{"implies+1", chain("->", 10_001), 30_000, length},
		{"iff", chain("<->", 10_000), -1, ""},
		{"iff+1", chain("<->", 10_001), 40_000, length},
		{"many chains", nest("(p&&", ")", 300), -1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse(c.text)
			if c.offset < 0 {
				if err != nil {
					t.Fatal(err)
				}
				again, err := Parse(f.String())
				if err != nil || !same(f, again) {
					t.Fatalf("rendering does not parse back: %v", err)
				}
				NNF(f)
				return
			}
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset != c.offset || syntax.Msg != c.msg {
				t.Fatalf("error %v, want offset %d: %s", err, c.offset, c.msg)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"AG(open -> AF shut)", "A[p U q] <-> !E[!q W x.y.z]", "A[U R W] || A && not E", "a -> b -> (c -> d) and é",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) || syntax.Msg == "" {
				t.Fatalf("%q: bad error %v", text, err)
			}
			return
		}
		again, err := Parse(formula.String())
		if err != nil || !same(formula, again) {
			t.Fatalf("%q renders as %q, which does not parse back: %v", text, formula, err)
		}
		if normal := NNF(formula); !isNormal(normal) {
			t.Fatalf("%q: normal form %s is none", text, normal)
		}
	})
}
