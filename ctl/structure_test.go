package ctl

import (
	"slices"
	"testing"
)

// graph builds a structure with initial state 0, or the given ones.
func graph(t testing.TB, n int, edges [][2]int, initial ...int) *Structure {
	t.Helper()
	b := NewBuilder(n)
	for _, e := range edges {
		b.AddEdge(e[0], e[1])
	}
	if len(initial) == 0 {
		initial = []int{0}
	}
	for _, state := range initial {
		b.AddInitial(state)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStructure(t *testing.T) {
	s := graph(t, 5, [][2]int{{0, 2}, {0, 1}, {0, 2}, {1, 1}, {3, 0}, {2, 4}, {1, 0}})
	for state, want := range [][]int32{{1, 2}, {0, 1}, {4}, {0}, {4}} {
		if got := s.Succ(state); !slices.Equal(got, want) {
			t.Errorf("Succ(%d) = %v, want %v", state, got, want)
		}
	}
	for state, want := range [][]int32{{1, 3}, {0, 1}, {0}, {}, {2, 4}} {
		if got := s.Pred(state); !slices.Equal(got, want) {
			t.Errorf("Pred(%d) = %v, want %v", state, got, want)
		}
	}
	if s.Len() != 5 || s.Edges() != 7 {
		t.Errorf("%d states, %d edges", s.Len(), s.Edges())
	}
	for state := range 5 {
		if s.Stutters(state) != (state == 4) {
			t.Errorf("Stutters(%d) = %v", state, s.Stutters(state))
		}
	}
	if !s.HasEdge(4, 4) || !s.HasEdge(0, 2) || s.HasEdge(2, 0) || s.HasEdge(-1, 0) || s.HasEdge(0, 5) {
		t.Error("HasEdge is wrong")
	}
	if got := s.Reachable(); !got.Equal(SetOf(5, 0, 1, 2, 4)) {
		t.Errorf("Reachable = %v", slices.Collect(got.All()))
	}
}

// TestSelfLoopIsNoStutter: a state whose only exit is an explicit self-loop has
// the same paths as one without exit, but is not terminal.
func TestSelfLoopIsNoStutter(t *testing.T) {
	s := graph(t, 2, [][2]int{{0, 0}})
	if s.Stutters(0) || !s.Stutters(1) {
		t.Error("a self-loop counts as stutter, or a missing exit does not")
	}
}

func TestBuilderErrors(t *testing.T) {
	for want, build := range map[string]func() *Builder{
		"a structure cannot have 0 states":   func() *Builder { return NewBuilder(0) },
		"the structure has no initial state": func() *Builder { return NewBuilder(1) },
		"state 2 is out of range: there are 2 states": func() *Builder {
			b := NewBuilder(2)
			b.AddInitial(0)
			b.AddEdge(0, 2)
			b.AddEdge(0, 9)
			return b
		},
		"state -1 is out of range: there are 2 states": func() *Builder {
			b := NewBuilder(2)
			b.AddInitial(-1)
			return b
		},
	} {
		if _, err := build().Build(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
