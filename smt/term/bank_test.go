package term_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/smt/term"
)

func TestBankNodes(t *testing.T) {
	x := func() *term.Term { return term.Var("x", term.Int) }
	b := term.NewBank()
	first := b.Add(term.Le(term.Add(x(), term.Int64(1)), x()))
	again := b.Add(term.Le(term.Add(x(), term.Int64(1)), x()))
	if first != again {
		t.Errorf("equal terms have indices %d and %d", first, again)
	}
	want := []string{"(var x Int)", "(int 1)", "(+ #0 #1)", "(<= #2 #0)"}
	if !slices.Equal(b.Nodes(), want) {
		t.Errorf("nodes %q, want %q", b.Nodes(), want)
	}
}

func TestBankRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := term.NewBank()
		var terms []*term.Term
		var at []int
		for range rapid.IntRange(1, 4).Draw(t, "terms") {
			u := drawTerm(t)
			terms, at = append(terms, u), append(at, b.Add(u))
		}
		data, err := json.Marshal(b.Nodes())
		if err != nil {
			t.Fatal(err)
		}
		var nodes []string
		if err := json.Unmarshal(data, &nodes); err != nil {
			t.Fatal(err)
		}
		back, err := term.ParseBank(nodes)
		if err != nil {
			t.Fatal(err)
		}
		for i, u := range terms {
			if got := back.Term(at[i]); !got.Equal(u) {
				t.Fatalf("%s came back as %s", u.Text(), got.Text())
			}
			if back.Add(u) != at[i] {
				t.Fatalf("%s has another index in the bank read back", u.Text())
			}
		}
		if back.Len() != len(nodes) {
			t.Fatalf("%d nodes became %d", len(nodes), back.Len())
		}
	})
}

// doubling is a term of n+1 distinct nodes and 2^n leaves.
func doubling(n int) *term.Term {
	t := term.Var("x", term.Int)
	for range n {
		t = term.Add(t, t)
	}
	return t
}

func TestBankKeepsSharing(t *testing.T) {
	b := term.NewBank()
	root := b.Add(doubling(200))
	if b.Len() != 201 {
		t.Fatalf("%d nodes", b.Len())
	}
	back, err := term.ParseBank(b.Nodes())
	if err != nil {
		t.Fatal(err)
	}
	if !back.Term(root).Equal(doubling(200)) {
		t.Error("the shared term came back as another")
	}
	if shown := doubling(200).String(); len(shown) > 1<<17 || !strings.HasSuffix(shown, "…") {
		t.Errorf("a huge tree is shown in %d bytes", len(shown))
	}
}

func TestParseBankRefuses(t *testing.T) {
	for _, c := range []struct {
		nodes []string
		why   string
	}{
		{[]string{"(not #0)"}, "node 0: at byte 7: reference #0 names none of the 0 earlier nodes"},
		{[]string{"true", "(not #1)"}, "node 1: at byte 7: reference #1"},
		{[]string{"true", "(not #-1)"}, "reference #-1"},
		{[]string{"true", "(not #00)"}, "reference #00"},
		{[]string{"(int 1)", "(not #0)"}, "node 1: at byte 8: not: argument 1 has sort Int, not Bool"},
		{[]string{""}, "node 0"},
	} {
		if _, err := term.ParseBank(c.nodes); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v, want %q", c.nodes, err, c.why)
		}
	}
	chain := []string{"true"}
	for i := range term.MaxDepth {
		chain = append(chain, "(not #"+itoa(i)+")")
	}
	if _, err := term.ParseBank(chain); !errors.Is(err, term.ErrTooDeep) {
		t.Errorf("got %v, want ErrTooDeep", err)
	}
	if _, err := term.ParseBank(chain[:len(chain)-1]); err != nil {
		t.Error(err)
	}
}
