package lower

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Two maps that grew apart hold what Go's maps hold, and differ where these do.
func TestBindingsAreMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.IntRange(0, 20)
		grow := func(m *bindings, model map[string]*value) (*bindings, map[string]*value) {
			model = maps.Clone(model)
			for _, i := range rapid.SliceOfN(names, 0, 30).Draw(t, "bound") {
				name, v := "x"+strconv.Itoa(i), &value{}
				before := maps.Clone(model)
				next := m.with(name, v)
				model[name] = v
				if got := maps.Collect(m.all()); !maps.Equal(got, before) {
					t.Fatalf("binding %s changed the map it was bound in", name)
				}
				m = next
			}
			return m, model
		}
		common, shared := grow(nil, map[string]*value{})
		a, inA := grow(common, shared)
		b, inB := grow(common, shared)

		var inOrder []string
		for name, v := range a.all() {
			inOrder = append(inOrder, name)
			if v != inA[name] || a.find(name) != v {
				t.Fatalf("%s has another value", name)
			}
		}
		if !slices.Equal(inOrder, slices.Sorted(maps.Keys(inA))) {
			t.Fatalf("the names are %v", inOrder)
		}
		if a.find("y") != nil {
			t.Fatal("a name that is not bound has a value")
		}
		found := map[string]bool{}
		a.changed(b, func(name string) { found[name] = true })
		for name, v := range inA {
			if inB[name] != v && !found[name] {
				t.Fatalf("%s differs and is not found", name)
			}
			sameNames := len(inA) == len(inB) && maps.EqualFunc(inA, inB, func(*value, *value) bool { return true })
			if sameNames && inB[name] == v && found[name] {
				t.Fatalf("%s is found and does not differ", name)
			}
		}
	})
}

// Maps of the same names have the same shape, so that comparing them takes the time of what differs.
func TestComparingBindingsTakesTheTimeOfTheirDifference(t *testing.T) {
	var m *bindings
	for i := range 10_000 {
		m = m.with("x"+strconv.Itoa(i), &value{})
	}
	other := m.with("x77", &value{}).with("x9876", &value{})
	var found []string
	m.changed(other, func(name string) { found = append(found, name) })
	if !slices.Equal(found, []string{"x77", "x9876"}) {
		t.Errorf("%d names differ", len(found))
	}
	deepest := 0
	var depth func(n *bindings, d int)
	depth = func(n *bindings, d int) {
		if n != nil {
			deepest = max(deepest, d)
			depth(n.left, d+1)
			depth(n.right, d+1)
		}
	}
	depth(m, 1)
	if deepest > 60 {
		t.Errorf("10,000 names stand %d deep", deepest)
	}
}
