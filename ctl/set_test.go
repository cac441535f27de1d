package ctl

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSetAgainstMap compares every operation with the same one on maps, at sizes
// around the word size.
func TestSetAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 200} {
		for range 20 {
			a, inA := randomSet(rng, n)
			b, inB := randomSet(rng, n)
			wantMembers(t, "Or", a.Or(b), func(i int) bool { return inA[i] || inB[i] })
			wantMembers(t, "And", a.And(b), func(i int) bool { return inA[i] && inB[i] })
			wantMembers(t, "Not", a.Not(), func(i int) bool { return !inA[i] })
			wantMembers(t, "operand", a, func(i int) bool { return inA[i] })
			subset := true
			for i := range n {
				subset = subset && (!inA[i] || inB[i])
			}
			if a.SubsetOf(b) != subset {
				t.Fatalf("n=%d: SubsetOf = %v", n, !subset)
			}
			if a.Equal(b) != slices.Equal(slices.Collect(a.All()), slices.Collect(b.All())) {
				t.Fatalf("n=%d: Equal is wrong", n)
			}
		}
	}
}

func randomSet(rng *rand.Rand, n int) (*Set, map[int]bool) {
	set, in := NewSet(n), map[int]bool{}
	for i := range n {
		if rng.IntN(2) == 0 {
			set.Add(i)
			in[i] = true
		}
	}
	return set, in
}

func wantMembers(t *testing.T, what string, got *Set, want func(int) bool) {
	t.Helper()
	var members []int
	for i := range got.Len() {
		if want(i) {
			members = append(members, i)
		}
		if got.Has(i) != want(i) {
			t.Fatalf("%s: Has(%d) = %v", what, i, got.Has(i))
		}
	}
	if all := slices.Collect(got.All()); !slices.Equal(all, members) {
		t.Fatalf("%s: All = %v, want %v", what, all, members)
	}
	if got.Count() != len(members) || got.Empty() != (len(members) == 0) {
		t.Fatalf("%s: Count = %d, Empty = %v, want %d members", what, got.Count(), got.Empty(), len(members))
	}
	first := -1
	if len(members) > 0 {
		first = members[0]
	}
	if got.First() != first {
		t.Fatalf("%s: First = %d, want %d", what, got.First(), first)
	}
}

func TestSetEdges(t *testing.T) {
	s := SetOf(70, 0, 69)
	if s.Has(-1) || s.Has(70) {
		t.Error("a state out of range is a member")
	}
	s.Remove(69)
	if !s.Equal(SetOf(70, 0)) {
		t.Error("Remove left the state in")
	}
	if NewSet(64).Equal(NewSet(65)) {
		t.Error("sets over different universes are equal")
	}
	for range s.All() {
		break // leaving early must not go on
	}
	for name, misuse := range map[string]func(){
		"state 70 is out of range: there are 70 states": func() { s.Add(70) },
		"state -1 is out of range: there are 70 states": func() { s.Remove(-1) },
		"sets over 70 and over 3 states do not combine": func() { s.And(NewSet(3)) },
	} {
		func() {
			defer func() {
				if got := recover(); got != name {
					t.Errorf("panic %v, want %q", got, name)
				}
			}()
			misuse()
		}()
	}
}
