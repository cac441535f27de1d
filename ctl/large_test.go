package ctl

import (
	"math/rand/v2"
	"testing"
)

const large = 100_000

// chain is 0 -> 1 -> … -> n-1, where the last state stutters or, with back,
// returns to the given state.
func chain(t testing.TB, n, back int) *Structure {
	b := NewBuilder(n)
	b.AddInitial(0)
	for state := range n - 1 {
		b.AddEdge(state, state+1)
	}
	if back >= 0 {
		b.AddEdge(n-1, back)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLongChain(t *testing.T) {
	s := chain(t, large, -1)
	atoms := map[string]*Set{"end": SetOf(large, large-1), "start": SetOf(large, 0)}
	for text, want := range map[string]bool{
		"AF end":                 true,
		"AG EF end":              true,
		"AG(end -> AG end)":      true,
		"EF AX AX end":           true,
		"EF EG end":              true,
		"AG(start -> AX !start)": true,
		"AG EF start":            false,
		"AG !end":                false,
		"EG !end":                false,
	} {
		r, err := Check(s, atoms, mustParse(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if r.Holds() != want {
			t.Errorf("%s: %v", text, r.Holds())
		}
	}
	r, err := Check(s, atoms, mustParse(t, "AG !end"))
	if err != nil {
		t.Fatal(err)
	}
	if rank := r.Root().Rank; rank[0] != large-1 || rank[large-1] != 0 {
		t.Errorf("ranks from %d to %d", rank[0], rank[large-1])
	}
	trace, err := Counterexample(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := Replay(s, trace); err != nil || len(trace.Prefix) != large {
		t.Errorf("%d states, error %v", len(trace.Prefix), err)
	}
}

// TestLongLasso finds the cycle at the end of a long chain; the depth-first
// search goes as deep as there are states.
func TestLongLasso(t *testing.T) {
	s := chain(t, large, large/2)
	r, err := Check(s, map[string]*Set{"never": NewSet(large)}, mustParse(t, "AF never"))
	if err != nil {
		t.Fatal(err)
	}
	trace, err := Counterexample(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := Replay(s, trace); err != nil || len(trace.Prefix) != large/2 || len(trace.Loop) != large/2 || !trace.Complete {
		t.Errorf("%d states and a loop of %d, error %v", len(trace.Prefix), len(trace.Loop), err)
	}
}

// scattered is a random graph with three edges a state.
func scattered(t testing.TB, n int) (*Structure, map[string]*Set) {
	rng := rand.New(rand.NewPCG(5, 6))
	b := NewBuilder(n)
	b.AddInitial(0)
	for range 3 * n {
		b.AddEdge(rng.IntN(n), rng.IntN(n))
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	p, _ := randomSet(rng, n)
	q, _ := randomSet(rng, n)
	return s, map[string]*Set{"p": p, "q": q}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		scattered(b, large)
	}
}

func BenchmarkCheck(b *testing.B) {
	s, atoms := scattered(b, large)
	f := mustParse(b, "AG(p -> EF q) && A[p U q] || EG(p || AX q)")
	for b.Loop() {
		if _, err := Check(s, atoms, f); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckChain(b *testing.B) {
	s := chain(b, large, -1)
	atoms := map[string]*Set{"end": SetOf(large, large-1)}
	f := mustParse(b, "AG EF end && AF end")
	for b.Loop() {
		if _, err := Check(s, atoms, f); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCounterexample(b *testing.B) {
	s := chain(b, large, large/2)
	r, err := Check(s, map[string]*Set{"never": NewSet(large)}, mustParse(b, "AF never"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Counterexample(r); err != nil {
			b.Fatal(err)
		}
	}
}
