package interp

import (
	"context"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
)

const putProgram = `
cell type Mood { variants { Calm  Stop(Int)  Wide { n: Int, s: String } } }
cell agent P {
    memory {
        num: Map<String, Int> [persistent]
        cap: Map<String, Int> [persistent]
        log: List<Int> [persistent]
        ids: Map<Int, String> [persistent]
        invariant (num ?? 0) <= (cap ?? 0)
        invariant log >= 0
    }
    state m { initial: a  a -> b  b -> a }
    on take(k: String) { require get_status(k) == "b" else No  num.set(k, (num.get(k) ?? 0) + 1)  return num[k] }
    on same(x: Any) { return x }
    on later() { return now() }
}
`

// A world that was put into a state goes on from there as if calls had led to it.
func TestPut(t *testing.T) {
	prog := resolvetest.Program(t, putProgram)
	w := New(prog, Options{})
	c := prog.Cells[0]
	put := func(slot int, key, v Value, wrong string) {
		t.Helper()
		err := w.Put(c.Slots[slot], key, v)
		if (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%v, wanted %q", err, wrong)
		}
	}
	put(0, String("k"), NewInt(1), "")
	if err := w.Judge(); err == nil || !strings.Contains(err.Error(), "(num ?? 0) <= (cap ?? 0)") {
		t.Errorf("judged %v", err)
	}
	put(1, String("k"), NewInt(2), "")
	put(2, NewInt(0), NewInt(5), "")
	put(2, NewInt(1), NewInt(6), "")
	put(2, NewInt(0), NewInt(7), "")
	put(2, NewInt(3), NewInt(7), "index")
	put(0, String("k"), String("x"), "type")
	put(0, NewList(), NewInt(1), "key")
	put(3, String("x"), String("x"), "key")
	put(3, NewInt(4), String("x"), "")
	if err := w.Judge(); err != nil {
		t.Error(err)
	}
	if w.PutStatus(c.Machine, "k", "nowhere") == nil || w.PutStatus(c.Machine, "k", "b") != nil {
		t.Error("the state")
	}
	ctx := context.Background()
	if v, err := w.Call(ctx, "P", "take", []Value{String("k")}); err != nil || v != Value(NewInt(2)) {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := w.Call(ctx, "P", "take", []Value{String("k")}); err == nil {
		t.Error("the rule is not judged")
	}
	if _, items := w.Entries(c.Slots[2]); len(items) != 2 || items[0] != Value(NewInt(7)) {
		t.Errorf("the list is %v", items)
	}
	w.Script([]Given{{"now", NewInt(77)}, {"now", String("noon")}, {"no_such", NewInt(1)}})
	if v, err := w.Call(ctx, "P", "later", nil); err != nil || v != Value(NewInt(77)) {
		t.Errorf("now gives %v, %v", v, err)
	}
}

// What is written as a literal reads back as the value.
func TestLiteral(t *testing.T) {
	types := resolvetest.Program(t, putProgram).Types
	mood := types[0].Variants
	for _, v := range []Value{
		Unit{}, Bool(true), NewInt(-7), Float(2), Float(-0.25), Float(1e21), String(""),
		String("a \"b\" {c} \\ \n\t\r\x00 é \u200b }}{{ {1} \U0001F600"),
		NewList(), NewList(NewInt(1), NewList(String("x"))), NewMap(), MapOf("k", NewInt(1), "{l}", NewList(Unit{})),
		NewVariant(mood[0]), NewVariant(mood[1], NewInt(3)), NewVariant(mood[2], NewInt(3), String("s")),
	} {
		text, ok := Literal(v)
		if !ok {
			t.Errorf("%s has no literal", Quote(v))
			continue
		}
		w := New(resolvetest.Program(t, putProgram+"cell Q { on h() { return "+text+" } }"), Options{})
		got, err := w.Call(context.Background(), "Q", "h", nil)
		if err != nil || got.Kind() != v.Kind() || Quote(got) != Quote(v) {
			t.Errorf("%s reads as %v, %v", text, got, err)
		}
	}
	if text, ok := Literal(NewList(&Function{})); ok {
		t.Errorf("a function is %s", text)
	}
}

const statusProgram = `
cell S {
    memory {
        fee: Map<String, Int> [persistent]
        seen: Map<String, Int> [ephemeral]
        invariant status != "paid" || (fee ?? 0) >= 3
        invariant status != "paid" || (seen ?? 0) >= 3
    }
    state m { initial: open  open -> paid  paid -> open }
}
`

// An instance in a state that a rule forbids is no state of the program, with an entry or without,
// but where the entry may have faded.
func TestJudgeInstances(t *testing.T) {
	prog := resolvetest.Program(t, statusProgram)
	c := prog.Cells[0]
	for _, k := range []struct {
		state string
		fee   int64
		holds bool
	}{{"paid", 0, false}, {"paid", 2, false}, {"paid", 3, true}, {"open", 0, true}, {"open", 2, true}} {
		w := New(prog, Options{})
		if k.fee > 0 {
			if err := w.Put(c.Slots[0], String("k"), NewInt(k.fee)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.PutStatus(c.Machine, "k", k.state); err != nil {
			t.Fatal(err)
		}
		if err := w.Judge(); (err == nil) != k.holds {
			t.Errorf("%v is judged %v", k, err)
		}
	}
}
