package interp

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/frontend/syntax"
)

func TestRendering(t *testing.T) {
	for _, c := range []struct {
		v          Value
		text, json string
	}{
		{Unit{}, "null", "null"},
		{Bool(true), "true", "true"},
		{NewInt(-7), "-7", "-7"},
		{Float(3), "3.0", "3.0"},
		{Float(0.1), "0.1", "0.1"},
		{Float(1e21), "1.0e+21", "1.0e+21"},
		{Float(2.5e-7), "2.5e-07", "2.5e-07"},
		{Float(math.Copysign(0, -1)), "-0.0", "-0.0"},
		{Float(math.NaN()), "NaN", "null"},
		{Float(math.Inf(-1)), "-Infinity", "null"},
		{String(`say "hi"`), `say "hi"`, `"say \"hi\""`},
		{NewList(NewInt(1), String("a\n"), Unit{}), `[1, "a\n", null]`, `[1,"a\n",null]`},
		{MapOf("b", NewInt(1), "a", NewList()), `{"b": 1, "a": []}`, `{"b":1,"a":[]}`},
	} {
		if got := Render(c.v); got != c.text {
			t.Errorf("Render gives %s, want %s", got, c.text)
		}
		if got := ToJSON(c.v); got != c.json {
			t.Errorf("ToJSON gives %s, want %s", got, c.json)
		}
	}
}

// The text of a finite Float reads back as the same Float.
func TestFloatsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		got, ok := parseFloat(renderFloat(f)).(Float)
		if !ok || math.Float64bits(float64(got)) != math.Float64bits(f) {
			t.Fatalf("%v renders as %s, which reads as %v", f, renderFloat(f), got)
		}
	})
}

func anyInt() *rapid.Generator[Int] {
	return rapid.Custom(func(t *rapid.T) Int {
		n := big.NewInt(rapid.SampledFrom([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, 7}).Draw(t, "base"))
		n.Add(n, big.NewInt(rapid.Int64Range(-3, 3).Draw(t, "near")))
		if rapid.Bool().Draw(t, "wide") {
			n.Mul(n, big.NewInt(rapid.Int64().Draw(t, "times")))
		}
		return BigInt(n)
	})
}

// The fast path of Int arithmetic agrees with big integers.
func TestIntArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyInt().Draw(t, "a"), anyInt().Draw(t, "b")
		product, err := mulInt(a, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			got  Int
			want *big.Int
		}{
			{"+", addInt(a, b), new(big.Int).Add(a.Big(), b.Big())},
			{"-", subInt(a, b), new(big.Int).Sub(a.Big(), b.Big())},
			{"*", product, new(big.Int).Mul(a.Big(), b.Big())},
			{"neg", negInt(a), new(big.Int).Neg(a.Big())},
		} {
			if c.got.Big().Cmp(c.want) != 0 {
				t.Fatalf("%s %s %s gives %s, want %s", a, c.name, b, c.got, c.want)
			}
			if c.want.IsInt64() != (c.got.big == nil) {
				t.Fatalf("%s %s %s is not in its normal form", a, c.name, b)
			}
		}
		if got, want := cmpInt(a, b), a.Big().Cmp(b.Big()); got != want {
			t.Fatalf("comparing %s and %s gives %d, want %d", a, b, got, want)
		}
	})
}

// Versions of lists and maps that share memory never see each other's changes.
func TestCollectionsAreValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists, wantLists := []*List{NewList()}, [][]int64{nil}
		maps, wantMaps := []*Map{NewMap()}, [][]string{nil}
		for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
			from := rapid.IntRange(0, len(lists)-1).Draw(t, "from")
			v := int64(i)
			lists = append(lists, lists[from].push(NewInt(v)))
			wantLists = append(wantLists, append(append([]int64(nil), wantLists[from]...), v))

			from = rapid.IntRange(0, len(maps)-1).Draw(t, "from")
			key := string(rune('a' + rapid.IntRange(0, 5).Draw(t, "key")))
			old := wantMaps[from]
			if rapid.IntRange(0, 3).Draw(t, "op") == 0 {
				maps = append(maps, maps[from].Without(key))
				var kept []string
				for _, k := range old {
					if k != key {
						kept = append(kept, k)
					}
				}
				wantMaps = append(wantMaps, kept)
				continue
			}
			maps = append(maps, maps[from].With(key, String(key)))
			kept := append([]string(nil), old...)
			if _, had := maps[from].Get(key); !had {
				kept = append(kept, key)
			}
			wantMaps = append(wantMaps, kept)
		}
		for i, l := range lists {
			for j, v := range wantLists[i] {
				if l.Len() != len(wantLists[i]) || !same(l.items[j], NewInt(v)) {
					t.Fatalf("list %d is %s, want %v", i, Quote(l), wantLists[i])
				}
			}
		}
		for i, m := range maps {
			if m.Len() != len(wantMaps[i]) {
				t.Fatalf("map %d is %s, want %v", i, Quote(m), wantMaps[i])
			}
			for j, k := range wantMaps[i] {
				if m.Keys()[j] != k {
					t.Fatalf("map %d is %s, want %v", i, Quote(m), wantMaps[i])
				}
			}
		}
	})
}

func TestEquality(t *testing.T) {
	big53 := NewInt(1<<53 + 1)
	for _, c := range []struct {
		a, b Value
		eq   bool
		kind string
	}{
		{NewInt(1), Float(1), true, ""},
		{big53, Float(1 << 53), false, ""},
		{BigInt(new(big.Int).Lsh(big.NewInt(1), 2000)), Float(math.Inf(1)), false, ""},
		{BigInt(new(big.Int).Lsh(big.NewInt(1), 63)), Float(1 << 63), true, ""},
		{NewInt(math.MinInt64), Float(-1 << 63), true, ""},
		{NewInt(0), Float(-0.5), false, ""},
		{Float(math.NaN()), Float(math.NaN()), false, ""},
		{Unit{}, String("x"), false, ""},
		{Unit{}, Unit{}, true, ""},
		{NewInt(1), String("1"), false, KindType},
		{Bool(true), NewInt(1), false, KindType},
		{NewList(NewInt(1)), NewList(String("1")), false, ""},
		{MapOf("a", NewInt(1), "b", NewInt(2)), MapOf("b", NewInt(2), "a", Float(1)), true, ""},
		{&Function{}, &Function{}, false, KindType},
	} {
		eq, err := Equal(c.a, c.b)
		kind := ""
		if e, ok := err.(*Error); ok {
			kind = e.Kind
		}
		if eq != c.eq || kind != c.kind {
			t.Errorf("%s == %s: %v %q, want %v %q", Quote(c.a), Quote(c.b), eq, kind, c.eq, c.kind)
		}
	}
	if _, _, err := compare(NewInt(1), String("2")); err == nil {
		t.Error("an Int and a String have an order")
	}
	if v, err := order(syntax.LtOp, Float(math.NaN()), NewInt(1)); err != nil || v != Value(Bool(false)) {
		t.Errorf("NaN < 1 is %v, %v", v, err)
	}
}

func TestFixed(t *testing.T) {
	for _, c := range []struct {
		v      Value
		digits int
		want   string
	}{
		{Float(2.675), 2, "2.68"}, {Float(-2.5), 0, "-3"}, {Float(0.5), 0, "1"}, {Float(9.999), 2, "10.00"},
		{NewInt(3), 2, "3.00"}, {Float(-0.001), 2, "0.00"}, {Float(1e22), 1, "10000000000000000000000.0"}, {Float(0.05), 1, "0.1"},
	} {
		if got := fixed(c.v, c.digits); got != c.want {
			t.Errorf("%s with %d digits is %s, want %s", Quote(c.v), c.digits, got, c.want)
		}
	}
}

func TestJSONReadsBack(t *testing.T) {
	for _, text := range []string{`{"b":[1,2.5,null,true],"a":{"x":"é\n"}}`, `123456789012345678901234567890`, `[]`} {
		v, err := FromJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := ToJSON(v); got != text {
			t.Errorf("%s reads as %s", text, got)
		}
	}
	deep := ""
	for range 3 * maxDepth {
		deep += "["
	}
	for _, text := range []string{``, `{`, `1 2`, `{"a" 1}`, deep} {
		if _, err := FromJSON(text); err == nil {
			t.Errorf("%.20q is read as JSON", text)
		}
	}
}
