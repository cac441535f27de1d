package interp

import (
	"context"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
)

// vault is a program whose rules the cases below meet and break.
const vault = `
cell Vault {
    memory {
        stock: Map<String, Int> [persistent]
        reserved: Map<String, Int> [persistent]
        invariant stock >= 0 && stock <= 100
        invariant (reserved ?? 0) <= (stock ?? 0)
        invariant stock.size <= 2
    }
    memory {
        steps: Map<String, Int> [persistent]
        invariant !steps.has(key) || steps > steps.get(key)
    }
    memory {
        names: List<String> [ephemeral, immutable]
        invariant names != ""
    }
    memory {
        born: Map<String, Int> [persistent, immutable]
        invariant key != "evil"
        invariant size <= 3
    }
    memory {
        left: Map<String, Int> [persistent]
        right: Map<String, Int> [persistent]
        invariant total(left) == total(right)
    }
    memory {
        weight: Map<String, Int> [persistent]
        invariant status != "heavy" || (weight ?? 0) > 10
    }
    memory {
        ranks: List<Int> [ephemeral]
        invariant value <= key
    }
    state parcel { initial: light  light -> heavy -> light }
    on stock_set(k: String, n: Int) { stock.set(k, n) }
    on reserve(k: String, n: Int) { reserved.set(k, n) }
    on stock_delete(k: String) { stock.delete(k) }
    on step(k: String, n: Int) { steps.set(k, n) }
    on name(s: String) { names.push(s) }
    on rename(s: String) { names[0] = s }
    on unname() { names.delete(0) }
    on bear(k: String) { born.set(k, 1) }
    on unbear(k: String) { born.delete(k) }
    on both(a: Int, b: Int) { left.set("x", a)  right.set("y", b) }
    on one(a: Int) { left.set("x", a) }
    on caught(a: Int) { let r = try { one(a) }  return r.kind }
    on weigh(k: String, n: Int) { weight.set(k, n) }
    on unweigh(k: String) { weight.delete(k) }
    on rank(n: Int) { ranks.push(n) }
    on unrank(i: Int) { ranks.delete(i) }
    on load(k: String) { transition(k, "heavy") }
}
`

// Each case is a row of calls; only the last may raise, and must raise what stands there.
func TestInvariants(t *testing.T) {
	s, n := func(x string) Value { return String(x) }, func(x int64) Value { return NewInt(x) }
	type step struct {
		handler string
		args    []Value
	}
	call := func(h string, args ...Value) step { return step{h, args} }
	for _, c := range []struct {
		steps []step
		want  string // a part of the error; empty: none
	}{
		{[]step{call("stock_set", s("a"), n(100))}, ""},
		{[]step{call("stock_set", s("a"), n(101))}, "invariant: stock <= 100 does not hold of the written value Int 101"},
		{[]step{call("stock_set", s("a"), n(-1))}, "invariant: stock >= 0"},
		{[]step{call("stock_set", s("a"), n(5)), call("reserve", s("a"), n(5))}, ""},
		{[]step{call("stock_set", s("a"), n(5)), call("reserve", s("a"), n(6))}, "(reserved ?? 0) <= (stock ?? 0)"},
		{[]step{call("reserve", s("b"), n(1))}, "(reserved ?? 0) <= (stock ?? 0)"},
		{[]step{call("stock_set", s("a"), n(5)), call("reserve", s("a"), n(5)), call("stock_set", s("a"), n(4))}, "(reserved ?? 0)"},
		{[]step{call("stock_set", s("a"), n(5)), call("reserve", s("a"), n(5)), call("stock_delete", s("a"))}, "invariant: (reserved ?? 0)"},
		{[]step{call("stock_set", s("a"), n(5)), call("stock_delete", s("a"))}, ""},
		{[]step{call("stock_set", s("a"), n(1)), call("stock_set", s("b"), n(1)), call("stock_set", s("a"), n(2))}, ""},
		{[]step{call("stock_set", s("a"), n(1)), call("stock_set", s("b"), n(1)), call("stock_set", s("c"), n(2))}, "stock.size <= 2"},
		{[]step{call("step", s("a"), n(3)), call("step", s("a"), n(4))}, ""},
		{[]step{call("step", s("a"), n(3)), call("step", s("a"), n(3))}, "steps > steps.get(key)"},
		{[]step{call("name", s("x")), call("rename", s("y"))}, "slot `names` is immutable"},
		{[]step{call("name", s("x")), call("unname")}, "invariant: slot `names` is immutable"},
		{[]step{call("bear", s("k")), call("bear", s("k"))}, "slot `born` is immutable"},
		{[]step{call("bear", s("k")), call("unbear", s("k"))}, "slot `born` is immutable"},
		{[]step{call("bear", s("evil"))}, `key != "evil"`},
		{[]step{call("bear", s("a")), call("bear", s("b")), call("bear", s("c")), call("bear", s("d"))}, "size <= 3"},
		{[]step{call("both", n(3), n(3))}, ""},
		{[]step{call("rank", n(0)), call("rank", n(1)), call("unrank", n(0))}, "value <= key does not hold of the list without"},
		{[]step{call("rank", n(0)), call("rank", n(1)), call("unrank", n(1))}, ""},
		{[]step{call("both", n(3), n(4))}, "invariant: total(left) == total(right)"},
		{[]step{call("caught", n(4))}, "total(left)"}, // at the end of the outermost call, not of the inner one
		{[]step{call("load", s("p"))}, `invariant: status != "heavy" || (weight ?? 0) > 10 does not hold of 'p' in 'heavy'`},
		{[]step{call("weigh", s("p"), n(11)), call("load", s("p"))}, ""},
		{[]step{call("weigh", s("p"), n(11)), call("load", s("p")), call("weigh", s("p"), n(10))}, "invariant: status"},
		{[]step{call("weigh", s("p"), n(11)), call("load", s("p")), call("unweigh", s("p"))}, "invariant: status"},
		{[]step{call("weigh", s("p"), n(1)), call("unweigh", s("p"))}, ""},
	} {
		w := New(resolvetest.Program(t, vault), Options{})
		for i, st := range c.steps {
			_, before := w.Digest()
			_, err := w.Call(context.Background(), "Vault", st.handler, st.args)
			text := ""
			if err != nil {
				text = err.Error()
			}
			last := i == len(c.steps)-1
			if !last && err != nil || last && (c.want == "") != (err == nil) || last && !strings.Contains(text, c.want) {
				t.Errorf("%v: call %d gives %q, want %q", c.steps, i, text, c.want)
			}
			if _, after := w.Digest(); err != nil && before != after {
				t.Errorf("%v: a refused call left a trace", c.steps)
			}
		}
	}
}
