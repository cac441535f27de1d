package taint

import (
	"maps"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A factTree holds what a map would, in the order of the values; what is made of it leaves it as
// it was, and is as deep as its values have bits. The same facts are the same tree, however made.
func TestFactTreeIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Map(rapid.Int32Range(0, 40), toValue), rapid.Map(rapid.Int32Min(0), toValue))
		drawn := rapid.MapOf(number, rapid.Custom(someFact))
		a, b := drawn.Draw(t, "a"), drawn.Draw(t, "b")
		for v := range a {
			if rapid.Bool().Draw(t, "shared") {
				b[v] = a[v]
			}
		}
		build := func(m map[value]fact, name string) *factTree {
			var out *factTree
			for _, v := range rapid.Permutation(slices.Sorted(maps.Keys(m))).Draw(t, name) {
				out = out.with(v, m[v])
			}
			return out
		}
		x, y := build(a, "order of a"), build(b, "order of b")
		sameFacts(t, x, a)
		if !x.equal(build(a, "another order")) {
			t.Fatal("the order of writes shows")
		}
		if x.equal(y) != maps.EqualFunc(a, b, fact.equal) {
			t.Fatal("equal")
		}

		either := map[value]fact{}
		for v, c := range a {
			if d, ok := b[v]; ok {
				if e := c.either(d); !e.equal(fact{}) {
					either[v] = e
				}
			}
		}
		sameFacts(t, x.both(y, fact.either), either)

		odd := func(v value, c fact) bool { return v%2 == 1 || c.listed }
		kept := maps.Clone(a)
		maps.DeleteFunc(kept, func(v value, c fact) bool { return !odd(v, c) })
		sameFacts(t, x.filter(odd), kept)

		v, c := number.Draw(t, "value"), someFact(t)
		more := maps.Clone(a)
		more[v] = c
		sameFacts(t, x.with(v, c), more)
		sameFacts(t, x, a)
		sameFacts(t, y, b)
	})
}

func toValue(n int32) value { return value(n) }

// someFact draws a fact that says something.
func someFact(t *rapid.T) fact {
	side := func(name string) bound {
		if !rapid.Bool().Draw(t, name) {
			return bound{}
		}
		by := rapid.SliceOfNDistinct(rapid.Map(rapid.Int32Range(0, 5), toValue), 0, 2, rapid.ID).Draw(t, "by")
		slices.Sort(by)
		return bound{set: true, by: by}
	}
	c := fact{listed: rapid.Bool().Draw(t, "listed"), lo: side("lo"), hi: side("hi")}
	c.prefixed = c.equal(fact{}) || rapid.Bool().Draw(t, "prefixed")
	return c
}

func sameFacts(t *rapid.T, x *factTree, want map[value]fact) {
	t.Helper()
	var keys []value
	x.each(func(v value, c fact) {
		keys = append(keys, v)
		if d, ok := want[v]; !ok || !c.equal(d) {
			t.Fatalf("%d: %v, not %v", v, c, d)
		}
		if d, ok := x.at(v); !ok || !d.equal(c) {
			t.Fatalf("%d is not found", v)
		}
	})
	if !slices.Equal(keys, slices.Sorted(maps.Keys(want))) {
		t.Fatalf("holds %v", keys)
	}
	most := 0
	for _, v := range keys {
		most = max(most, bits.Len32(uint32(v)))
	}
	if d := x.depth(); d > most+1 {
		t.Fatalf("depth %d for values of %d bits", d, most)
	}
}

func (t *factTree) depth() int {
	if t == nil {
		return 0
	}
	return 1 + max(t.left.depth(), t.right.depth())
}
