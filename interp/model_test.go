package interp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"soma.cell/frontend/resolve/resolvetest"
)

// modelFunc is a model of a test: it may call the tools of its request.
type modelFunc func(r Request) (Reply, error)

func (f modelFunc) Think(_ context.Context, r Request) (Reply, error) { return f(r) }

const clerk = `
cell agent Clerk {
    memory { kept: Map<String, Int> [persistent]  invariant kept >= 0 }
    state job { initial: open  open -> shut }
    face {
        tool keep(key: String, n: Int) -> Int
        tool shut(id: String) -> Bool
        tool lower(n: Int) -> Int
        tool learn(key: String, text: String) -> Int
        tool forever() -> Int
        tool again(text: String) -> String
        signal ask(opts: Map) -> String
    }
    on keep(key: String, n: Int) { kept.set(key, n)  require n < 100 else TooMuch "{n}"  return n }
    on shut(id: String) { transition(id, "shut")  return true }
    on lower(n: Int) { set_budget(n)  return tokens_remaining() }
    on learn(key: String, text: String) { remember(key, text)  return next_id() }
    on forever() { return forever() }
    on again(text: String) { return think(text, map("max_rounds", 1)) }
    on ask(opts: Map) { return think("go", opts) }
    on paid(n: Int) { set_budget(n)  let a = think("go")  return "{a} {tokens_remaining()}" }
    on caught() { let r = try { think("go") }  return r.error ?? r.value }
    on seen() { let k = recall("k")  return "{kept} {get_status(1)} {k} {next_id()}" }
}
`

// clerkRun makes a call with a model, then tells what the agent holds.
func clerkRun(t *testing.T, m modelFunc, handler string, args ...Value) (got, held string) {
	t.Helper()
	w := New(resolvetest.Program(t, clerk), Options{Model: m, Steps: 100_000})
	v, err := w.Call(context.Background(), "Clerk", handler, args)
	if got = ""; err != nil {
		got = err.Error()
	} else {
		got = Render(v)
	}
	s, err := w.Call(context.Background(), "Clerk", "seen", nil)
	if err != nil {
		t.Fatal(err)
	}
	return got, Render(s)
}

const fresh = "{} open null 1"

// use calls a tool by its name.
func (r Request) use(t *testing.T, name string, args ...Value) (Value, error) {
	t.Helper()
	for _, tool := range r.Tools {
		if tool.Name == name {
			return tool.Call(args)
		}
	}
	t.Errorf("no tool %s is offered", name)
	return Unit{}, nil
}

func names(r Request) string {
	var out []string
	for _, t := range r.Tools {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}

// Tools run inside the asking handler's transaction; one that raises is undone alone.
func TestToolsOfAModel(t *testing.T) {
	got, held := clerkRun(t, func(r Request) (Reply, error) {
		if names(r) != "keep shut lower learn forever again" {
			t.Errorf("offered: %s", names(r))
		}
		v, err := r.use(t, "keep", String("a"), NewInt(7))
		if err != nil || Quote(v) != "7" {
			t.Errorf("%v, %v", v, err)
		}
		for _, c := range []struct {
			key  Value
			n    Value
			want string
		}{
			{String("b"), NewInt(100), "TooMuch: 100"},
			{String("a"), NewInt(-1), "invariant: kept >= 0 does not hold of the written value Int -1"},
			{String("a"), String("9"), "type: keep: parameter `n` must be Int, this is String \"9\""},
		} {
			if _, err := r.use(t, "keep", c.key, c.n); err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		}
		if _, err := r.use(t, "shut", NewInt(1)); err == nil || !strings.HasPrefix(err.Error(), "type: ") {
			t.Error(err)
		}
		if _, err := r.use(t, "shut", String("1")); err != nil {
			t.Error(err)
		}
		if _, err := r.use(t, "shut", String("1")); err == nil || !strings.HasPrefix(err.Error(), "invalid_transition: ") {
			t.Error(err)
		}
		if v, err := r.use(t, "learn", String("k"), String("v")); err != nil || Quote(v) != "1" {
			t.Errorf("%v, %v", v, err)
		}
		return Reply{Text: "done"}, nil
	}, "ask", NewMap())
	if got != "done" || held != `{"a": 7} shut v 2` {
		t.Errorf("%s, %s", got, held)
	}
}

// When the question fails, all that its tools did is undone with the asking handler, and the
// numbers it drew are given back.
func TestAFailedQuestionIsUndone(t *testing.T) {
	act := func(r Request) {
		r.use(t, "keep", String("a"), NewInt(7))
		r.use(t, "shut", String("1"))
		r.use(t, "learn", String("k"), String("v"))
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"of the model":    {errors.New("no line"), "llm: no line"},
		"of the language": {&Error{Kind: "budget", Detail: "spent"}, "budget: spent"},
	} {
		fail := func(r Request) (Reply, error) { act(r); return Reply{}, c.err }
		if got, held := clerkRun(t, fail, "ask", NewMap()); got != c.want || held != fresh {
			t.Errorf("%s: %s, %s", name, got, held)
		}
		if got, held := clerkRun(t, fail, "caught"); got != c.want || held != "{} open null 2" {
			t.Errorf("%s, caught: %s, %s", name, got, held)
		}
	}
}

func TestToolRoundsAreCounted(t *testing.T) {
	greedy := func(r Request) (Reply, error) {
		for i := range 12 {
			r.use(t, "keep", String("n"), NewInt(int64(i)))
		}
		return Reply{Text: "done"}, nil
	}
	if got, held := clerkRun(t, greedy, "ask", NewMap()); got != "llm: the model called tools more than 10 times (option max_rounds)" || held != fresh {
		t.Errorf("%s, %s", got, held)
	}
	if got, held := clerkRun(t, greedy, "ask", MapOf("max_rounds", NewInt(12))); got != "done" || held != `{"n": 11} open null 1` {
		t.Errorf("%s, %s", got, held)
	}
	// A question inside a tool has rounds of its own.
	nested := func(r Request) (Reply, error) {
		if r.Prompt == "go" {
			v, err := r.use(t, "again", String("inner"))
			return Reply{Text: Render(v)}, err
		}
		if _, err := r.use(t, "keep", String("n"), NewInt(1)); err != nil {
			t.Error(err)
		}
		return Reply{Text: "inner done"}, nil
	}
	if got, held := clerkRun(t, nested, "ask", MapOf("max_rounds", NewInt(1))); got != "inner done" || held != `{"n": 1} open null 1` {
		t.Errorf("%s, %s", got, held)
	}
}

func TestToolsAllowed(t *testing.T) {
	for _, c := range []struct {
		opts *Map
		want string
	}{
		{MapOf("tools_allowed", NewList(String("shut"), String("none"))), "shut"},
		{MapOf("tools_allowed", NewList()), ""},
		{MapOf("tools_allowed", Unit{}), "keep shut lower learn forever again"},
		{MapOf("max_tokens", NewInt(5)), "keep shut lower learn forever again"},
	} {
		got, _ := clerkRun(t, func(r Request) (Reply, error) { return Reply{Text: names(r)}, nil }, "ask", c.opts)
		if got != c.want {
			t.Errorf("%s: %s", Quote(c.opts), got)
		}
	}
	for _, c := range []struct {
		opts *Map
		want string
	}{
		{MapOf("tools_allowed", String("shut")), "type: think: option tools_allowed must be a List of tools, this is String"},
		{MapOf("tools_allowed", NewList(NewInt(1))), "type: think: option tools_allowed must be a List of tools, this is List"},
		{MapOf("max_rounds", String("3")), "type: think: option max_rounds must be an Int, this is String"},
		{MapOf("timeout", NewInt(-1)), "range: think: option timeout must be in 0..2147483647, not -1"},
		{MapOf("max_tokens", NewInt(1<<40)), "range: think: option max_tokens must be in 0..2147483647, not 1099511627776"},
	} {
		got, _ := clerkRun(t, func(Request) (Reply, error) { t.Error("asked"); return Reply{}, nil }, "ask", c.opts)
		if got != c.want {
			t.Errorf("%s: %s", Quote(c.opts), got)
		}
	}
}

// Inside a tool the budget can only be lowered, and what is spent there is spent.
func TestBudgetsInsideTools(t *testing.T) {
	for _, c := range []struct {
		n     int64 // set before the question
		lower int64 // set by a tool
		left  string
		price int
		want  string
	}{
		{100, 40, "40", 30, "ok 10"},
		{100, 40, "40", 41, "budget: the token budget is exhausted"},
		{100, 400, "100", 30, "ok 70"},
		{100, 0, "0", 1, "budget: the token budget is exhausted"},
		{100, 100, "100", 100, "ok 0"},
	} {
		got, _ := clerkRun(t, func(r Request) (Reply, error) {
			v, err := r.use(t, "lower", NewInt(c.lower))
			if err != nil || Quote(v) != c.left {
				t.Errorf("%v, %v, want %s", v, err, c.left)
			}
			return Reply{Text: "ok", Tokens: c.price}, nil
		}, "paid", NewInt(c.n))
		if got != c.want {
			t.Errorf("%+v gives %s", c, got)
		}
	}
	// What a model pays for on the way is not charged again, and an account may run dry.
	got, held := clerkRun(t, func(r Request) (Reply, error) {
		r.use(t, "keep", String("a"), NewInt(1))
		if err := r.Account.Pay(60); err != nil || r.Account.Left() != 40 {
			t.Errorf("%v, %d left", err, r.Account.Left())
		}
		return Reply{Text: strings.Repeat("long ", 1000)}, nil
	}, "paid", NewInt(100))
	if !strings.HasPrefix(got, "long") || held != `{"a": 1} open null 1` {
		t.Errorf("%.80s, %s", got, held)
	}
	got, held = clerkRun(t, func(r Request) (Reply, error) {
		r.use(t, "keep", String("a"), NewInt(1))
		return Reply{}, r.Account.Pay(101)
	}, "paid", NewInt(100))
	if got != "budget: the token budget is exhausted" || held != fresh {
		t.Errorf("%s, %s", got, held)
	}
}

// What ends an invocation ends it, even when the model does not care; and a tool is of no use
// once its question is answered.
func TestToolsEndWithTheirQuestion(t *testing.T) {
	careless := func(r Request) (Reply, error) {
		r.use(t, "keep", String("a"), NewInt(1))
		r.use(t, "forever")
		if _, err := r.use(t, "keep", String("b"), NewInt(1)); err == nil {
			t.Error("tools go on after the end")
		}
		return Reply{Text: "done"}, nil
	}
	if got, held := clerkRun(t, careless, "caught"); got != "stack_overflow: calls are nested deeper than 512" || held != fresh {
		t.Errorf("%s, %s", got, held)
	}
	var kept Tool
	w := New(resolvetest.Program(t, clerk), Options{Model: modelFunc(func(r Request) (Reply, error) {
		kept = r.Tools[0]
		return Reply{Text: "done"}, nil
	})})
	if _, err := w.Call(context.Background(), "Clerk", "ask", []Value{NewMap()}); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Call([]Value{String("a"), NewInt(1)}); err == nil || err.Error() != "llm: the tool `keep` was called after the answer" {
		t.Error(err)
	}
	if n := w.slot(w.prog.Cells[0].Slots[0]).size(); n != 0 {
		t.Errorf("a late call wrote %d entries", n)
	}
}

// Nobody but the agent itself offers its tools: a plain cell's think has none.
func TestOnlyAgentsHaveTools(t *testing.T) {
	p := resolvetest.Program(t, `
cell Plain { face { tool go() -> Int  signal ask() -> String }  on go() { return 1 }  on ask() { return think("x") } }
cell agent Other { face { tool mine() -> Int  signal ask2() -> String }  on mine() { return 2 }  on ask2() { return ask() + think("y") } }
`)
	w := New(p, Options{Model: modelFunc(func(r Request) (Reply, error) { return Reply{Text: "<" + names(r) + ">"}, nil })})
	v, err := w.Call(context.Background(), "Other", "ask2", nil)
	if err != nil || Render(v) != "<><mine>" {
		t.Errorf("%v, %v", v, err)
	}
}
