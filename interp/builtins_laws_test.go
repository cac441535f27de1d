package interp

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"soma.cell/frontend/resolve/resolvetest"
)

// caller runs builtins on values.
type caller struct {
	t      *testing.T
	worlds map[string]*World
}

func (c *caller) run(t *rapid.T, name string, args ...Value) Value {
	key := fmt.Sprint(name, len(args))
	w := c.worlds[key]
	if w == nil {
		names := []string{"a", "b", "c", "d"}[:len(args)]
		params := strings.TrimSuffix(strings.Join(names, ": Any, ")+": Any", ", ")
		w = New(resolvetest.Program(c.t, fmt.Sprintf("cell P { on h(%s) { return %s(%s) } }", params, name, strings.Join(names, ", "))), Options{})
		c.worlds[key] = w
	}
	v, err := w.Call(context.Background(), "P", "h", args)
	if err != nil {
		t.Fatalf("%s%v raises %v", name, args, err)
	}
	return v
}

// holds checks that two texts of values agree.
func holds(t *rapid.T, law string, got, want Value) {
	if Quote(got) != Quote(want) {
		t.Fatalf("%s: %s, want %s", law, Quote(got), Quote(want))
	}
}

// Texts are sequences of characters, whatever their bytes.
func TestLawsOfTexts(t *testing.T) {
	c := &caller{t, map[string]*World{}}
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.SliceOfN(rapid.SampledFrom([]rune("abé😀 \n{}%")), 0, 12).Draw(t, "text")
		s := String(runes)
		i, j := rapid.IntRange(-15, 15).Draw(t, "i"), rapid.IntRange(-15, 15).Draw(t, "j")
		part := String(rapid.SliceOfN(rapid.SampledFrom([]rune("abé😀")), 0, 2).Draw(t, "part"))
		holds(t, "join undoes split", c.run(t, "join", c.run(t, "split", s, part), part), s)
		holds(t, "len counts characters", c.run(t, "len", s), NewInt(int64(len(runes))))
		holds(t, "reverse twice", c.run(t, "reverse", c.run(t, "reverse", s)), s)
		k := max(0, min(i, len(runes)))
		holds(t, "two parts make the whole", c.run(t, "concat", c.run(t, "substring", s, NewInt(-9), NewInt(int64(i))),
			c.run(t, "substring", s, NewInt(int64(i)), NewInt(99))), s)
		holds(t, "substring clamps", c.run(t, "substring", s, NewInt(0), NewInt(int64(i))), String(runes[:k]))
		from, to := fromEnd(i, len(runes)), fromEnd(j, len(runes))
		holds(t, "slice counts from the end", c.run(t, "slice", s, NewInt(int64(i)), NewInt(int64(j))), String(runes[from:max(from, to)]))
		at := c.run(t, "index_of", s, part)
		n, _ := at.(Int).Int64()
		holds(t, "index_of finds what contains finds", Bool(n >= 0), c.run(t, "contains", s, part))
		if n >= 0 {
			holds(t, "it stands there", c.run(t, "starts_with", c.run(t, "slice", s, at), part), Bool(true))
		}
		holds(t, "padding gives the width", c.run(t, "len", c.run(t, "pad_left", s, NewInt(int64(i)), String("é"))), NewInt(int64(max(i, len(runes)))))
		holds(t, "a text is its own pattern", c.run(t, "regex_replace", s, String(`\Qa\E`), String("$")), c.run(t, "replace", s, String("a"), String("$")))
		holds(t, "JSON reads back", c.run(t, "from_json", c.run(t, "to_json", s)), s)
		holds(t, "format is no other rendering", c.run(t, "format", String("%s"), s), s)
	})
}

func fromEnd(i, n int) int {
	if i < 0 {
		i += n
	}
	return max(0, min(i, n))
}

// Int builtins agree with arithmetic, whatever the size.
func TestLawsOfInts(t *testing.T) {
	c := &caller{t, map[string]*World{}}
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyInt().Draw(t, "a"), anyInt().Draw(t, "b")
		if b.Sign() == 0 {
			b = NewInt(1)
		}
		x, y := a.Big(), b.Big()
		back := func(q, r Value) Value {
			return BigInt(new(big.Int).Add(new(big.Int).Mul(q.(Int).Big(), y), r.(Int).Big()))
		}
		q, r := c.run(t, "floor_div", a, b), c.run(t, "mod", a, b)
		holds(t, "quotient and remainder", back(q, r), a)
		holds(t, "divmod is both", c.run(t, "divmod", a, b), NewList(q, r))
		if m := r.(Int); m.Sign() != 0 && m.Sign() != b.Sign() || m.Big().CmpAbs(y) >= 0 {
			t.Fatalf("mod(%s, %s) is %s", a, b, m)
		}
		holds(t, "idiv truncates", c.run(t, "idiv", a, b), BigInt(new(big.Int).Quo(x, y)))
		d := c.run(t, "div_round", a, b).(Int).Big()
		rest := new(big.Int).Sub(x, new(big.Int).Mul(d, y))
		if new(big.Int).Lsh(rest.Abs(rest), 1).CmpAbs(y) > 0 {
			t.Fatalf("div_round(%s, %s) is %s", a, b, d)
		}
		holds(t, "gcd divides", c.run(t, "mod", a, c.run(t, "gcd", a, b)), NewInt(0))
		holds(t, "xor is its own inverse", c.run(t, "bxor", c.run(t, "bxor", a, b), b), a)
		holds(t, "or and and make the sum", BigInt(new(big.Int).Add(c.run(t, "bor", a, b).(Int).Big(), c.run(t, "band", a, b).(Int).Big())), BigInt(new(big.Int).Add(x, y)))
		n := NewInt(rapid.Int64Range(0, 130).Draw(t, "n"))
		holds(t, "shr undoes shl", c.run(t, "shr", c.run(t, "shl", a, n), n), a)
		holds(t, "a set bit is set", c.run(t, "bit_test", c.run(t, "bit_set", a, n), n), Bool(true))
		holds(t, "a cleared bit is not", c.run(t, "bit_test", c.run(t, "bit_clr", a, n), n), Bool(false))
		e := NewInt(rapid.Int64Range(0, 20).Draw(t, "e"))
		holds(t, "pow_mod is ipow and mod", c.run(t, "pow_mod", a, e, b), c.run(t, "mod", c.run(t, "ipow", a, e), b))
		root := c.run(t, "sqrt_int", c.run(t, "abs", a)).(Int).Big()
		next := new(big.Int).Add(root, big.NewInt(1))
		if mag := new(big.Int).Abs(x); new(big.Int).Mul(root, root).Cmp(mag) > 0 || new(big.Int).Mul(next, next).Cmp(mag) <= 0 {
			t.Fatalf("sqrt_int of |%s| is %s", a, root)
		}
		holds(t, "text reads back", c.run(t, "parse_int", c.run(t, "to_string", a)), a)
	})
}

// Builtins on lists and rows agree with the plainest way to say what they do.
func TestLawsOfLists(t *testing.T) {
	c := &caller{t, map[string]*World{}}
	rapid.Check(t, func(t *rapid.T) {
		var rows []Value
		for i := range rapid.IntRange(0, 12).Draw(t, "rows") {
			row := MapOf("id", NewInt(int64(i)), "n", NewInt(rapid.Int64Range(-3, 3).Draw(t, "n")))
			if rapid.IntRange(0, 5).Draw(t, "whole") > 0 {
				row = row.With("k", NewInt(rapid.Int64Range(0, 3).Draw(t, "k")))
			}
			rows = append(rows, row)
		}
		list := NewList(rows...)
		field := func(v Value, name string) Value { return cell(v.(*Map), name) }

		sorted := c.run(t, "sort_by", list, String("n")).(*List).items
		for i := 1; i < len(sorted); i++ {
			a, b := sorted[i-1], sorted[i]
			before, _ := compareNumbers(field(a, "n"), field(b, "n"))
			first, _ := compareNumbers(field(a, "id"), field(b, "id"))
			if before > 0 || before == 0 && first > 0 {
				t.Fatalf("sort_by gives %v", sorted)
			}
		}
		down := c.run(t, "sort_by", list, String("n"), String("desc")).(*List).items
		for i := 1; i < len(down); i++ {
			before, _ := compareNumbers(field(down[i-1], "n"), field(down[i], "n"))
			first, _ := compareNumbers(field(down[i-1], "id"), field(down[i], "id"))
			if before < 0 || before == 0 && first > 0 {
				t.Fatalf("sort_by desc gives %v", down)
			}
		}
		if len(sorted) != len(rows) || len(down) != len(rows) {
			t.Fatal("sorting loses rows")
		}

		cut := NewInt(rapid.Int64Range(-1, 13).Draw(t, "cut"))
		k, _ := cut.Int64()
		k = max(0, min(k, int64(len(rows))))
		holds(t, "top and bottom make the list", c.run(t, "concat", c.run(t, "top", list, cut),
			c.run(t, "bottom", list, NewInt(int64(len(rows))-k))), list)

		seen := 0
		groups := c.run(t, "group_by", list, String("k")).(*Map)
		for i, key := range groups.Keys() {
			for _, row := range groups.vals[i].(*List).items {
				seen++
				holds(t, "a row is in its group", String(Render(field(row, "k"))), String(key))
			}
		}
		if seen != len(rows) {
			t.Fatalf("group_by keeps %d of %d rows", seen, len(rows))
		}
		holds(t, "a row a group", NewInt(int64(c.run(t, "agg", list, String("k"), String("n:sum")).(*List).Len())), NewInt(int64(groups.Len())))
		holds(t, "distinct_by gives the first of each", c.run(t, "pluck", c.run(t, "distinct_by", list, String("k")), String("k")), c.run(t, "distinct", list, String("k")))

		other := c.run(t, "reverse", list)
		var joined, kept []Value
		for _, l := range rows {
			matched := false
			for _, r := range other.(*List).items {
				if v := field(l, "k"); v.Kind() != UnitKind && same(v, field(r, "k")) {
					joined, kept, matched = append(joined, l), append(kept, l), true
				}
			}
			if !matched {
				kept = append(kept, l)
			}
		}
		holds(t, "inner_join", c.run(t, "inner_join", list, other, String("k")), NewList(joined...))
		holds(t, "left_join", c.run(t, "left_join", list, other, String("k")), NewList(kept...))

		ns := c.run(t, "pluck", list, String("n"))
		holds(t, "the median is a quantile", c.run(t, "to_float", c.run(t, "median", ns)), c.run(t, "to_float", c.run(t, "quantile", ns, Float(0.5))))
		if len(rows) > 0 {
			items := slices.Clone(ns.(*List).items)
			slices.SortFunc(items, ascending)
			holds(t, "min is the first", c.run(t, "min", ns), items[0])
			holds(t, "max is the last", c.run(t, "max", ns), items[len(items)-1])
			holds(t, "min_by is the first of them", field(c.run(t, "min_by", list, String("n")), "id"), field(sorted[0], "id"))
			holds(t, "max_by is the first of them", field(c.run(t, "max_by", list, String("n")), "id"), field(down[0], "id"))
		}
	})
}

// Dates count as days do.
func TestLawsOfDates(t *testing.T) {
	c := &caller{t, map[string]*World{}}
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(rapid.IntRange(1, 9000).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")),
			rapid.IntRange(1, 31).Draw(t, "day"), 0, 0, 0, 0, time.UTC)
		d := String(start.Format(day))
		n := NewInt(rapid.Int64Range(-300_000, 300_000).Draw(t, "days"))
		if k, _ := n.Int64(); start.AddDate(0, 0, int(k)).Year() >= 1 {
			later := c.run(t, "add_days", d, n)
			holds(t, "days between", c.run(t, "days_between", d, later), n)
			holds(t, "and back", c.run(t, "days_between", later, d), negInt(n))
			holds(t, "epoch days differ by them", subInt(cell(c.run(t, "parse_date", later).(*Map), "epoch_day").(Int),
				cell(c.run(t, "parse_date", d).(*Map), "epoch_day").(Int)), n)
		}
		m := NewInt(rapid.Int64Range(0, 500).Draw(t, "months"))
		later := c.run(t, "add_months", d, m)
		holds(t, "months between", c.run(t, "months_between", d, later), m)
		got := c.run(t, "parse_date", later).(*Map)
		last := c.run(t, "days_in_month", cell(got, "year"), cell(got, "month")).(Int)
		wanted := NewInt(int64(start.Day()))
		if cmpInt(last, wanted) < 0 {
			wanted = last
		}
		holds(t, "the day stays, or is the month's last", cell(got, "day"), wanted)
		holds(t, "a date formats as itself", c.run(t, "format_date", d), d)
	})
}
