package ctl

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func mustParse(t testing.TB, text string) *Formula {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return f
}

func TestNNF(t *testing.T) {
	for text, want := range map[string]string{
		"!!p":            "p",
		"!true":          "false",
		"!(p && !q)":     "!p || q",
		"p -> q":         "!p || q",
		"!(p -> q)":      "p && !q",
		"p <-> q":        "p && q || !p && !q",
		"!(p <-> q)":     "p && !q || !p && q",
		"EX p":           "EX p",
		"!EX p":          "AX !p",
		"!AX p":          "EX !p",
		"EF p":           "E[true U p]",
		"!EF p":          "A[false R !p]",
		"AF p":           "A[true U p]",
		"!AF p":          "E[false R !p]",
		"EG p":           "E[false R p]",
		"!EG p":          "A[true U !p]",
		"AG p":           "A[false R p]",
		"!AG p":          "E[true U !p]",
		"!E[p U q]":      "A[!p R !q]",
		"!A[p U q]":      "E[!p R !q]",
		"!E[p R q]":      "A[!p U !q]",
		"!A[p R q]":      "E[!p U !q]",
		"E[p W q]":       "E[q R p || q]",
		"A[p W q]":       "A[q R p || q]",
		"!E[p W q]":      "A[!q U !p && !q]",
		"!A[p W q]":      "E[!q U !p && !q]",
		"AG(p -> EF q)":  "A[false R !p || E[true U q]]",
		"!AG(p -> EF q)": "E[true U p && A[false R !q]]",
	} {
		if got := NNF(mustParse(t, text)).String(); got != want {
			t.Errorf("NNF(%s) = %s, want %s", text, got, want)
		}
	}
}

// isNormal reports whether only core operators occur and negation only at atoms.
func isNormal(f *Formula) bool {
	for _, g := range postorder(f) {
		switch g.Op {
		case OpTrue, OpFalse, OpAtom, OpAnd, OpOr, OpEX, OpAX, OpEU, OpAU, OpER, OpAR:
		case OpNot:
			if g.Left.Op != OpAtom {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func TestRandomFormulasRenderAndNormalise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		f := randomFormula(rng, 5)
		again, err := Parse(f.String())
		if err != nil || !same(f, again) {
			t.Fatalf("%s does not parse back: %v, %v", f, again, err)
		}
		g := NNF(f)
		if !isNormal(g) {
			t.Fatalf("NNF(%s) = %s", f, g)
		}
		if NNF(g).String() != g.String() {
			t.Fatalf("NNF(%s) is no fixed point", f)
		}
		if back := NNF(Not(NNF(Not(f)))); back.String() != g.String() && f.Op != OpIff && !strings.Contains(f.String(), "<->") {
			t.Fatalf("double negation of %s gives %s, not %s", f, back, g)
		}
	}
}

// TestNNFIsLinear: equivalences nest without doubling, and rendering the result,
// which would be exponentially long as a tree, stops.
func TestNNFIsLinear(t *testing.T) {
	names := make([]string, 300)
	for i := range names {
		names[i] = "p" + strings.Repeat("x", i)
	}
	f := mustParse(t, strings.Join(names, " <-> "))
	start := time.Now()
	g := NNF(f)
	if got := len(postorder(g)); got > 10*len(names) {
		t.Errorf("%d nodes for %d atoms", got, len(names))
	}
	if text := g.String(); !strings.Contains(text, "…") {
		t.Errorf("rendering of %d bytes is not cut", len(text))
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestAtoms(t *testing.T) {
	f := mustParse(t, "AG(b -> a.x) && E[b U c] <-> a.x || true")
	if got := f.Atoms(); !slices.Equal(got, []string{"b", "a.x", "c"}) {
		t.Errorf("Atoms = %v", got)
	}
}
