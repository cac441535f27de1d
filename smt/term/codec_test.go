package term_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/smt/internal/termtest"
	"soma.cell/smt/term"
)

var everySort = append(append([]*term.Sort{term.Opaque}, termtest.Arrays...), termtest.Scalars...)

func drawTerm(t *rapid.T) *term.Term {
	return termtest.Term(t, rapid.SampledFrom(everySort).Draw(t, "sort"), 5)
}

func TestTextNotation(t *testing.T) {
	x := term.Var("x@12", term.Int)
	door := term.EnumSort("Door", "open", "half shut")
	for _, c := range []struct {
		term *term.Term
		text string
	}{
		{term.Le(term.Add(x, term.Int64(-5)), term.Int64(3)), "(<= (+ (var x@12 Int) (int -5)) (int 3))"},
		{term.App("len", term.Int, term.Var("s", term.String)), "(app len Int (var s String))"},
		{term.App("now", term.Int), "(app now Int)"},
		{term.EnumLit(door, "half shut"), `(enum (Enum Door open "half shut") "half shut")`},
		{term.FloatLit(1), "(float 0x3ff0000000000000)"},
		{term.FloatLit(math.Copysign(0, -1)), "(float 0x8000000000000000)"},
		{term.StringLit("a\"\x00\xff"), `(str "a\"\x00\xff")`},
		{term.Var("#3", term.Opaque), `(var "#3" Opaque)`},
		{term.Var("", term.Unit), `(var "" Unit)`},
		{term.Eq(term.Var("a", term.ArraySort(term.String, door)), term.Var("b", term.ArraySort(term.String, door))),
			`(= (var a (Array String (Enum Door open "half shut"))) (var b (Array String (Enum Door open "half shut"))))`},
		{term.And(term.Var("p", term.Bool), term.Not(term.Var("q", term.Bool))), "(and (var p Bool) (not (var q Bool)))"},
		{term.True, "true"},
		{term.UnitLit, "unit"},
	} {
		if got := c.term.Text(); got != c.text {
			t.Errorf("Text is %s, want %s", got, c.text)
		}
		back, err := term.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%s): %v", c.text, err)
		} else if !back.Equal(c.term) {
			t.Errorf("Parse(%s) is %s", c.text, back.Text())
		}
	}
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTerm(t)
		if err := term.Check(want); err != nil {
			t.Fatalf("ill sorted: %v", err)
		}
		got, err := term.Parse(want.Text())
		if err != nil {
			t.Fatal(err)
		}
		if !got.Equal(want) || got.Hash() != want.Hash() || got.Text() != want.Text() {
			t.Fatalf("%s came back as %s", want.Text(), got.Text())
		}
	})
}

func TestParseKeepsTheTree(t *testing.T) {
	for _, text := range []string{
		"(not (not (var p Bool)))", "(and true (var p Bool))", "(+ (int 1) (int 2))", "(= (int 1) (int 1))",
		"(and (and (var p Bool) (var q Bool)) (var r Bool))", "(ite true (int 1) (int 2))",
	} {
		got, err := term.Parse(text)
		if err != nil {
			t.Error(err)
		} else if got.Text() != text {
			t.Errorf("%s came back as %s", text, got.Text())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, why string }{
		{"", "expected a term"},
		{"maybe", "expected a term"},
		{"()", `unknown operator ""`},
		{"(xor true false)", `unknown operator "xor"`},
		{"true true", "expected the end"},
		{"(not true", "expected a term"},
		{"(not true))", "expected the end"},
		{"(int 1", `expected ")"`},
		{"(int)", "malformed integer"},
		{"(int 01)", "malformed integer"},
		{"(int -0)", "malformed integer"},
		{"(int +1)", "malformed integer"},
		{"(int 1_0)", "malformed integer"},
		{"(float 1.5)", "malformed float"},
		{"(float 0x1)", "malformed float"},
		{"(float 0x7ff8000000000002)", "malformed float"},
		{"(str hello)", "expected a quoted text"},
		{`(str "a`, "expected a quoted text"},
		{"(var x)", "expected a sort"},
		{"(var x Integer)", "expected a sort"},
		{"(var x (Array Int))", "expected a sort"},
		{"(var x (List Int))", "expected a sort"},
		{"(var x (Enum E))", "an enum needs a value"},
		{"(var x (Enum E a a))", "value a occurs twice"},
		{"(enum (Enum E a) b)", `"b" is no value of (Enum E a)`},
		{"(enum Int b)", "has sort Int, not an enum"},
		{"(not (int 1))", "not: argument 1 has sort Int, not Bool"},
		{"(not true false)", "not: 2 arguments do not fit"},
		{"(and true)", "and: 1 arguments do not fit"},
		{"(+ (int 1) true)", "+: argument 2 has sort Bool, not Int"},
		{"(<= (float 0x3ff0000000000000) (int 1))", "<=: argument 1 has sort Float, not Int"},
		{"(= (int 1) true)", "=: argument 2 has sort Bool, not Int"},
		{"(= (var x (Enum E a)) (var y (Enum E a b)))", "=: argument 2 has sort (Enum E a b), not (Enum E a)"},
		{"(=)", "=: 0 arguments do not fit"},
		{"(ite true (int 1) true)", "ite: argument 3 has sort Bool, not Int"},
		{"(ite (int 1) (int 1) (int 1))", "ite: argument 1 has sort Int, not Bool"},
		{"(ite true)", "ite: 1 arguments do not fit"},
		{"(ite true true)", "ite: 2 arguments do not fit"},
		{"(select (int 1) (int 1))", "select: argument 1 has sort Int, not an array"},
		{"(select (var a (Array Int Bool)) true)", "select: argument 2 has sort Bool, not Int"},
		{"(select (var a (Array Int Bool)) (int 1) (int 2))", "select: 3 arguments do not fit"},
		{"(store (int 1) (int 2) (int 3))", "store: argument 1 has sort Int, not an array"},
		{"(store (var a (Array Int Bool)) (int 2) (int 3))", "store: argument 3 has sort Int, not Bool"},
		{"(store (var a (Array Int Bool)) (int 2))", "store: 2 arguments do not fit"},
		{"(++ (str \"a\") (int 1))", "++: argument 2 has sort Int, not String"},
		{"(f+ (int 1) (int 1))", "f+: argument 1 has sort Int, not Float"},
		{"#0", "names none of the 0 earlier nodes"},
		{"(var x " + strings.Repeat("(Array Int ", 200), "too deep"},
	} {
		got, err := term.Parse(c.text)
		if err == nil {
			t.Errorf("Parse(%s) accepts %s", c.text, got.Text())
		} else if !strings.Contains(err.Error(), c.why) {
			t.Errorf("Parse(%s) says %q, want %q", c.text, err, c.why)
		}
	}
}

func TestParseBoundsDepth(t *testing.T) {
	nested := func(n int) string {
		return strings.Repeat("(not ", n) + "true" + strings.Repeat(")", n)
	}
	deepest := nested(term.MaxDepth - 1)
	got, err := term.Parse(deepest)
	if err != nil {
		t.Fatal(err)
	}
	if got.Depth() != term.MaxDepth || got.Text() != deepest {
		t.Errorf("depth %d came back", got.Depth())
	}
	for _, text := range []string{nested(term.MaxDepth), strings.Repeat("(not ", 1_000_000)} {
		if _, err := term.Parse(text); !errors.Is(err, term.ErrTooDeep) {
			t.Errorf("got %v, want ErrTooDeep", err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"(<= (+ (var x@12 Int) (int -5)) (int 3))", `(str "a\"\x00\xff")`, "(float 0x3ff0000000000000)",
		"(select (store (var a (Array String (Enum D x y))) (str \"k\") (enum (Enum D x y) x)) (str \"\"))",
		"(ite (f= (var f Float) (var f Float)) (app g Opaque unit) (var o Opaque))", "(and true (or false #1))",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := term.Parse(text)
		if err != nil {
			return
		}
		if err := term.Check(parsed); err != nil {
			t.Fatalf("accepted an ill-sorted term: %v", err)
		}
		back, err := term.Parse(parsed.Text())
		if err != nil || !back.Equal(parsed) {
			t.Fatalf("%s: %v", parsed.Text(), err)
		}
	})
}
