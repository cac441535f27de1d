package interp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"soma.cell/frontend/resolve/resolvetest"
)

// action is one thing a body does; inner are those of a try or of a called handler.
type action struct {
	kind  string // set delete push move id fail try call
	key   string
	n     int
	inner []action
}

func actions(depth int) *rapid.Generator[[]action] {
	kinds := []string{"set", "set", "delete", "push", "pop", "move", "id", "fail", "remember"}
	if depth > 0 {
		kinds = append(kinds, "try", "try", "call")
	}
	one := rapid.Custom(func(t *rapid.T) action {
		a := action{
			kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
			key:  rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"),
			n:    rapid.IntRange(-1, 5).Draw(t, "n"),
		}
		if a.kind == "try" || a.kind == "call" {
			a.inner = actions(depth-1).Draw(t, "inner")
		}
		return a
	})
	return rapid.SliceOfN(one, 0, 5)
}

// writer turns actions into handlers.
type writer struct {
	handlers strings.Builder
	count    int
}

func (w *writer) body(list []action) string {
	var b strings.Builder
	for _, a := range list {
		switch a.kind {
		case "set":
			fmt.Fprintf(&b, "stock.set(%q, 0 + %d)\n", a.key, a.n)
		case "delete":
			fmt.Fprintf(&b, "stock.delete(%q)\n", a.key)
		case "push":
			fmt.Fprintf(&b, "log.push(\"%s%d\")\n", a.key, a.n)
		case "pop":
			fmt.Fprintf(&b, "log.delete(0)\n")
		case "move":
			fmt.Fprintf(&b, "let target = \"s%d\"\ntransition(%q, target)\n", max(a.n, 0), a.key)
		case "id":
			b.WriteString("next_id()\n")
		case "remember":
			fmt.Fprintf(&b, "remember(%q, %d)\n", a.key, a.n)
		case "fail":
			b.WriteString("if stock.len >= 0 { fail(\"planned\") }\n")
		case "try":
			fmt.Fprintf(&b, "let r = try {\n%s}\n", w.body(a.inner))
		case "call":
			fmt.Fprintf(&b, "%s()\n", w.handler(a.inner))
		}
	}
	return b.String()
}

func (w *writer) handler(list []action) string {
	w.count++
	name := fmt.Sprintf("h%d", w.count)
	body := w.body(list)
	fmt.Fprintf(&w.handlers, "on %s() {\n%s}\n", name, body)
	return name
}

// naive is the state that the actions act on, copied whole at every transaction.
type naive struct {
	stock map[string]int
	log   []string
	state map[string]string
	kept  map[string]int
	moves []string
	ids   int
}

func (s *naive) copy() naive {
	return naive{maps.Clone(s.stock), slices.Clone(s.log), maps.Clone(s.state), maps.Clone(s.kept), slices.Clone(s.moves), s.ids}
}

// run gives false when the actions raise.
func (s *naive) run(list []action) bool {
	for _, a := range list {
		switch a.kind {
		case "set":
			if a.n < 0 { // the invariant
				return false
			}
			s.stock[a.key] = a.n
		case "delete":
			delete(s.stock, a.key)
		case "push":
			s.log = append(s.log, fmt.Sprintf("%s%d", a.key, a.n))
		case "pop":
			s.log = s.log[min(1, len(s.log)):]
		case "move":
			from, to := s.state[a.key], max(a.n, 0)
			if from == "" {
				from = "s0"
			}
			if to > 3 || fmt.Sprintf("s%d", to-1) != from {
				return false
			}
			s.state[a.key] = fmt.Sprintf("s%d", to)
			s.moves = append(s.moves, a.key+s.state[a.key])
		case "id":
			s.ids++
		case "remember":
			s.kept[a.key] = a.n
		case "fail":
			return false
		case "try":
			before := s.copy()
			if !s.run(a.inner) {
				before.ids = s.ids // ids drawn stay drawn
				*s = before
			}
		case "call":
			if !s.run(a.inner) {
				return false
			}
		}
	}
	return true
}

// Random bodies, with failures at every depth, leave what a model that copies leaves.
func TestTransactionsAgreeWithCopies(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &writer{}
		var names []string
		var bodies [][]action
		for range rapid.IntRange(1, 4).Draw(rt, "calls") {
			body := actions(3).Draw(rt, "body")
			bodies = append(bodies, body)
			names = append(names, w.handler(body))
		}
		text := `cell Depot {
    memory { stock: Map<String, Int> [persistent]  log: List<String> [ephemeral]  invariant stock >= 0 }
    state box { initial: s0  s0 -> s1 -> s2 -> s3 }
` + w.handlers.String() + "}\n"
		p := resolvetest.Program(t, text)
		world := New(p, Options{})
		model := naive{stock: map[string]int{}, state: map[string]string{}, kept: map[string]int{}}
		for i, body := range bodies {
			before := model.copy()
			ok := model.run(body)
			if !ok {
				model = before
			}
			_, err := world.Call(context.Background(), "Depot", names[i], nil)
			if (err == nil) != ok {
				rt.Fatalf("call %d: error %v, want success %v\n%s", i, err, ok, text)
			}
			if got, want := worldText(world), model.text(); got != want {
				rt.Fatalf("after call %d:\n%s\nwant\n%s\n%s", i, got, want, text)
			}
		}
	})
}

func (s *naive) text() string {
	return fmt.Sprintf("%v %v %v %v %v %d", s.stock, s.log, s.state, s.kept, s.moves, s.ids)
}

func worldText(w *World) string {
	c := w.prog.Cells[0]
	s := naive{stock: map[string]int{}, kept: map[string]int{}, state: map[string]string{}}
	for k, v := range w.slot(c.Slots[0]).entries {
		s.stock[k] = int(v.(Int).small)
	}
	for _, v := range w.slot(c.Slots[1]).items {
		s.log = append(s.log, string(v.(String)))
	}
	maps.Copy(s.state, w.Instances(c.Machine))
	if m := w.kept[c]; m != nil {
		for i, k := range m.Keys() {
			s.kept[k] = int(m.vals[i].(Int).small)
		}
	}
	for _, m := range w.Moves() {
		s.moves = append(s.moves, m.ID+m.To)
	}
	s.ids = int(w.ids[c])
	return s.text()
}

// Going back to a snapshot undoes everything, and the snapshot stays good for another time.
func TestSnapshots(t *testing.T) {
	p := resolvetest.Program(t, `cell Depot {
    memory { stock: Map<String, Int> [persistent]  log: List<String> [ephemeral] }
    state box { initial: s0  s0 -> s1 -> s2 }
    on put(k: String, n: Int) { stock.set(k, n)  log.push(k)  remember(k, n)  next_id() }
    on go(k: String, to: String) { transition(k, to) }
}`)
	w := New(p, Options{})
	call := func(h string, args ...Value) {
		t.Helper()
		if _, err := w.Call(context.Background(), "Depot", h, args); err != nil {
			t.Fatal(err)
		}
	}
	empty := w.Snapshot()
	call("put", String("a"), NewInt(1))
	call("go", String("a"), String("s1"))
	one := w.Snapshot()
	text := worldText(w)
	for range 2 {
		call("put", String("b"), NewInt(2))
		call("put", String("a"), NewInt(3))
		call("go", String("a"), String("s2"))
		w.Restore(one)
		if got := worldText(w); got != strings.Replace(text, "[as1]", "[]", 1) {
			t.Errorf("back at %s, want %s without moves", got, text)
		}
	}
	w.Restore(empty)
	if got := worldText(w); got != "map[] [] map[] map[] [] 0" {
		t.Errorf("the empty world is %s", got)
	}
}

// What follows a restored state is what followed it the first time, chance, clock and tokens
// included.
func TestSnapshotsHoldChanceClockAndTokens(t *testing.T) {
	p := resolvetest.Program(t, `cell Dice { on roll() { sleep(5)  return list(random(1000000), now_ms(), len(think("abc")), tokens_used(), len(trace())) } }`)
	w := New(p, Options{})
	roll := func() string {
		t.Helper()
		v, err := w.Call(context.Background(), "Dice", "roll", nil)
		if err != nil {
			t.Fatal(err)
		}
		return Quote(v)
	}
	first := roll()
	s := w.Snapshot()
	second, third := roll(), roll()
	w.Restore(s)
	if a, b := roll(), roll(); a != second || b != third || first == second {
		t.Errorf("%s then %s, the first time %s then %s", a, b, second, third)
	}
}
