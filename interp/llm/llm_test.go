package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
)

const key = "sk-very-secret"

// turn is what the service does with one request.
type turn func(w http.ResponseWriter, r *http.Request)

// says answers in words; usage is the price, 0 leaves it out.
func says(text string, usage int) turn {
	return replies(fmt.Sprintf(`{"role": "assistant", "content": %s}`, content(text)), "stop", usage)
}

// calls answers with calls of tools: name, arguments as JSON text, and so on.
func calls(usage int, namesAndArguments ...string) turn {
	var list []string
	for i := 0; i < len(namesAndArguments); i += 2 {
		list = append(list, fmt.Sprintf(`{"id": "c%d", "type": "function", "function": {"name": %q, "arguments": %s}}`,
			i/2, namesAndArguments[i], content(namesAndArguments[i+1])))
	}
	return replies(`{"role": "assistant", "content": null, "tool_calls": [`+strings.Join(list, ", ")+`]}`, "tool_calls", usage)
}

func replies(message, finish string, usage int) turn {
	body := fmt.Sprintf(`{"id": "x", "choices": [{"index": 0, "message": %s, "finish_reason": %q}]`, message, finish)
	if usage > 0 {
		body += fmt.Sprintf(`, "usage": {"prompt_tokens": %d, "completion_tokens": 1, "total_tokens": %d}`, usage-1, usage)
	}
	return raw(200, body+"}")
}

func raw(status int, body string, headers ...string) turn {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// service is a model's service that plays its turns and keeps what it was sent.
type service struct {
	t       *testing.T
	url     string
	turns   []turn
	sent    []map[string]any
	paths   []string
	headers []http.Header
	pauses  []time.Duration
	client  *Client
}

func newService(t *testing.T, turns ...turn) *service {
	t.Helper()
	s := &service{t: t, turns: turns}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var doc map[string]any
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Errorf("a request that is no JSON: %s", data)
		}
		n := len(s.sent)
		s.sent, s.paths, s.headers = append(s.sent, doc), append(s.paths, r.URL.Path), append(s.headers, r.Header)
		if n >= len(s.turns) {
			t.Errorf("request %d has no turn: %s", n, data)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		s.turns[n](w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	c, err := New(Config{URL: server.URL, Key: key, Model: "m1"})
	if err != nil {
		t.Fatal(err)
	}
	c.sleep = func(_ context.Context, d time.Duration) error { s.pauses = append(s.pauses, d); return nil }
	s.client = c
	return s
}

const desk = `
cell type Size { variants { Small Large Exact { width: Int } Pair(Int, Int) } }
cell agent Desk {
    memory { notes: Map<String, String> [persistent]  counts: Map<String, Int> [persistent] }
    state job { initial: open  open -> shut }
    face {
        tool note(key: String, text: String) -> Bool "keeps a note"
        tool add(name: String, by: Int) -> Int "adds to a count"
        tool close(id: String) -> Bool "shuts a job"
        tool fit(size: Size, room: List<Float>, extra: Map<String, Int>) -> String
        tool spend(n: Int) -> Int
        tool ponder(text: String) -> String
        tool spin() -> Int
        tool burst() -> List<Any>
        signal ask(text: String) -> String
    }
    on note(key: String, text: String) { notes.set(key, text)  require text != "bad" else BadNote "no {text}"  return true }
    on add(name: String, by: Int) { counts.set(name, (counts.get(name) ?? 0) + by)  return counts.get(name) ?? 0 }
    on close(id: String) { transition(id, "shut")  return true }
    on fit(size: Size, room: List<Float>, extra: Map<String, Int>) { notes.set("fit", "{size} {room} {extra}")  return "fits" }
    on spend(n: Int) { set_budget(n)  return tokens_remaining() }
    on ponder(text: String) { return think("deep: {text}") }
    on spin() { while true { } return 1 }
    on burst() { let xs = [0]  let i = 0  while i < 60 { xs = [xs, xs]  i += 1 }  return xs }
    on ask(text: String) { return think(text) }
    on with_opts(text: String, opts: Map) { return think(text, "You are a clerk.", opts) }
    on parsed(text: String) { return think_json(text) }
    on within(n: Int, text: String) { set_budget(n)  let a = think(text)  return "{a} {tokens_remaining()} {tokens_used()}" }
    on tried(text: String) { let r = try { think(text) }  notes.set("kind", r.kind ?? "none")  return r.error ?? r.value }
    on twice(text: String) { set_budget(100)  think(text)  return think(text) }
    on show() { let state = get_status("j")  return "{notes} {counts} {state}" }
}
`

// run makes a call and gives its value or its error, then what the agent holds.
func (s *service) run(handler string, args ...interp.Value) (got, state string) {
	s.t.Helper()
	w := interp.New(resolvetest.Program(s.t, desk), interp.Options{Model: s.client, Steps: 100_000})
	v, err := w.Call(context.Background(), "Desk", handler, args)
	if err != nil {
		got = err.Error()
	} else {
		got = interp.Render(v)
	}
	if strings.Contains(got, key) {
		s.t.Errorf("the key is shown: %s", got)
	}
	if len(s.sent) != len(s.turns) {
		s.t.Errorf("%d requests, want %d", len(s.sent), len(s.turns))
	}
	held, err := w.Call(context.Background(), "Desk", "show", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return got, interp.Render(held)
}

const nothingHeld = "{} {} open"

func text(s string) interp.Value { return interp.String(s) }

// messages are the roles and contents of a request.
func (s *service) messages(i int) (out []string) {
	for _, m := range s.sent[i]["messages"].([]any) {
		m := m.(map[string]any)
		line := fmt.Sprintf("%s: %v", m["role"], m["content"])
		if id, ok := m["tool_call_id"]; ok {
			line = fmt.Sprintf("%s %s: %v", m["role"], id, m["content"])
		}
		out = append(out, line)
	}
	return out
}

func TestRequest(t *testing.T) {
	s := newService(t, says("fine", 12))
	opts := interp.MapOf("max_tokens", interp.NewInt(20), "tools_allowed", interp.NewList(text("fit"), text("add")))
	if got, _ := s.run("with_opts", text("hello \"you\""), opts); got != "fine" {
		t.Fatal(got)
	}
	want := map[string]any{}
	if err := json.Unmarshal([]byte(`{
		"model": "m1", "max_tokens": 20,
		"messages": [{"role": "system", "content": "You are a clerk."}, {"role": "user", "content": "hello \"you\""}],
		"tools": [
			{"type": "function", "function": {"name": "add", "description": "adds to a count", "parameters": {
				"type": "object", "additionalProperties": false, "required": ["name", "by"],
				"properties": {"name": {"type": "string"}, "by": {"type": "integer"}}}}},
			{"type": "function", "function": {"name": "fit", "parameters": {
				"type": "object", "additionalProperties": false, "required": ["size", "room", "extra"],
				"properties": {
					"room": {"type": "array", "items": {"type": "number"}},
					"extra": {"type": "object", "additionalProperties": {"type": "integer"}},
					"size": {"anyOf": [
						{"type": "object", "additionalProperties": false, "required": ["_type", "width"],
							"properties": {"_type": {"const": "Exact"}, "width": {"type": "integer"}}},
						{"type": "object", "additionalProperties": false, "required": ["_type", "values"],
							"properties": {"_type": {"const": "Pair"}, "values": {"type": "array", "minItems": 2, "maxItems": 2,
								"prefixItems": [{"type": "integer"}, {"type": "integer"}]}}},
						{"type": "string", "enum": ["Small", "Large"]}]}}}}}
		]}`), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, s.sent[0]); d != "" {
		t.Error(d)
	}
	if s.paths[0] != "/v1/chat/completions" || s.headers[0].Get("Authorization") != "Bearer "+key ||
		s.headers[0].Get("Content-Type") != "application/json" {
		t.Errorf("%s %v", s.paths[0], s.headers[0])
	}
}

// Services differ in what they leave out and in how they write contents and arguments.
func TestShapesOfReplies(t *testing.T) {
	for name, c := range map[string]struct {
		turns []turn
		want  string
	}{
		"parts":    {[]turn{replies(`{"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}`, "stop", 3)}, "ab"},
		"empty":    {[]turn{says("", 3)}, ""},
		"cut off":  {[]turn{replies(`{"content": "half a"}`, "length", 3)}, "half a"},
		"no usage": {[]turn{says("plain", 0)}, "plain"},
		"ollama": {[]turn{
			raw(200, `{"model": "x", "choices": [{"message": {"role": "assistant", "content": "", "tool_calls": [
				{"function": {"name": "add", "arguments": {"name": "n", "by": 2}}}]}, "finish_reason": "tool_calls"}]}`),
			says("done", 0)}, "done"},
		"refusal":        {[]turn{replies(`{"content": null, "refusal": "I will not."}`, "stop", 3)}, "llm: the model refuses: I will not."},
		"filtered":       {[]turn{replies(`{"content": ""}`, "content_filter", 3)}, "llm: the model's answer was withheld by the service's content filter"},
		"no choices":     {[]turn{raw(200, `{"choices": []}`)}, "llm: the model's service answers with nothing"},
		"null content":   {[]turn{replies(`{"content": null}`, "stop", 3)}, "llm: the model's service answers with nothing"},
		"malformed":      {[]turn{raw(200, `{"choices": [{`)}, `llm: the model's service answers with something that is no chat completion: {"choices": [{`},
		"a page":         {[]turn{raw(200, "<html>\n<b>hi</b>")}, "llm: the model's service answers with something that is no chat completion: <html> <b>hi</b>"},
		"wrong types":    {[]turn{raw(200, `{"choices": "none"}`)}, `llm: the model's service answers with something that is no chat completion: {"choices": "none"}`},
		"bad request":    {[]turn{raw(400, `{"error": {"message": "no such model"}}`)}, "llm: the model's service answers with status 400: no such model"},
		"plain error":    {[]turn{raw(404, `{"error": "model not found"}`)}, "llm: the model's service answers with status 404: model not found"},
		"silent error":   {[]turn{raw(401, ``)}, "llm: the model's service answers with status 401"},
		"key in error":   {[]turn{raw(401, `{"error": {"message": "bad key `+key+`!"}}`)}, "llm: the model's service answers with status 401: bad key ***!"},
		"redirect":       {[]turn{raw(302, ``, "Location", "/elsewhere")}, "llm: the model's service answers with status 302"},
		"a long refusal": {[]turn{raw(403, strings.Repeat("x", 5000))}, "llm: the model's service answers with status 403: " + strings.Repeat("x", 200) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := newService(t, c.turns...).run("ask", text("hi")); got != c.want {
				t.Errorf("gives %s\nwant  %s", got, c.want)
			}
		})
	}
}

func TestJSONReplies(t *testing.T) {
	for reply, want := range map[string]string{
		`{"b": 1, "a": [true]}`:         `{"b": 1, "a": [true]}`,
		" {\"a\": 1}\n":                 `{"a": 1}`,
		"```json\n{\"a\": 1}\n```":      `{"a": 1}`,
		"```\n{\"a\": 1}\n```\n":        `{"a": 1}`,
		`[1, 2]`:                        `llm: the model's reply is no JSON object: [1, 2]`,
		`Sure! {"a": 1}`:                `llm: the model's reply is no JSON object: Sure! {"a": 1}`,
		"```json\n{\"a\": 1}":           "llm: the model's reply is no JSON object: ```json\n{\"a\": 1}",
		"``` {\"a\": 1} ```":            "llm: the model's reply is no JSON object: ``` {\"a\": 1} ```",
		`{"a": 1} {"a": 2}`:             `llm: the model's reply is no JSON object: {"a": 1} {"a": 2}`,
		`null`:                          `llm: the model's reply is no JSON object: null`,
		strings.Repeat(`{"a":`, 20_000): `llm: the model's reply is no JSON object: ` + strings.Repeat(`{"a":`, 16) + "…",
	} {
		s := newService(t, says(reply, 5))
		if got, _ := s.run("parsed", text("list")); got != want {
			t.Errorf("%.60q\n\tgives %.200s\n\twant  %s", reply, got, want)
		}
		if format := s.sent[0]["response_format"]; fmt.Sprint(format) != "map[type:json_object]" {
			t.Errorf("response_format is %v", format)
		}
		if got := strings.Join(s.messages(0), "\n"); got != "system: Answer with one JSON object and nothing else.\nuser: list" {
			t.Error(got)
		}
	}
}

func TestToolRounds(t *testing.T) {
	s := newService(t,
		calls(10, "note", `{"key": "a", "text": "first"}`, "add", `{"name": "n", "by": 2}`),
		calls(10, "close", `{"id": "j"}`),
		says("all done", 10))
	got, state := s.run("ask", text("go"))
	if got != "all done" || state != `{"a": "first"} {"n": 2} shut` {
		t.Errorf("%s, %s", got, state)
	}
	want := []string{"user: go", "assistant: <nil>", "tool c0: true", "tool c1: 2", "assistant: <nil>", "tool c0: true"}
	if d := cmp.Diff(want, s.messages(2)); d != "" {
		t.Error(d)
	}
	repeated := fmt.Sprint(s.sent[2]["messages"].([]any)[1].(map[string]any)["tool_calls"])
	if want := `[map[function:map[arguments:{"key": "a", "text": "first"} name:note] id:c0 type:function] map[function:map[arguments:{"name": "n", "by": 2} name:add] id:c1 type:function]]`; repeated != want {
		t.Error(repeated)
	}
}

// A tool that raises is undone and tells the model; what is wrong with a call is told as well.
// The question goes on.
func TestToolErrorsGoToTheModel(t *testing.T) {
	for name, c := range map[string]struct{ name, arguments, want string }{
		"raised":        {"note", `{"key": "a", "text": "bad"}`, `{"error":"BadNote: no bad"}`},
		"a move":        {"close", `{"id": "none"}`, `true`},
		"wrong type":    {"add", `{"name": "n", "by": "2"}`, "{\"error\":\"type: add: parameter `by` must be Int, this is String \\\"2\\\"\"}"},
		"a fraction":    {"add", `{"name": "n", "by": 1.5}`, "{\"error\":\"type: add: parameter `by` must be Int, this is Float 1.5\"}"},
		"missing":       {"add", `{"name": "n"}`, "{\"error\":\"type: add: argument `by` is missing\"}"},
		"unknown":       {"add", `{"name": "n", "by": 1, "to": 2}`, "{\"error\":\"type: add has no parameter `to`\"}"},
		"no JSON":       {"add", `{"name": `, `{"error":"the arguments are no JSON object: json: the document is not complete"}`},
		"no object":     {"add", `[1, 2]`, `{"error":"the arguments are no JSON object: [1, 2]"}`},
		"none at all":   {"add", ``, "{\"error\":\"type: add: argument `name` is missing\"}"},
		"no such tool":  {"show", `{}`, `{"error":"there is no tool \"show\""}`},
		"a signal":      {"ask", `{"text": "x"}`, `{"error":"there is no tool \"ask\""}`},
		"variants":      {"fit", `{"size": "Small", "room": [1, 2.5], "extra": {"a": 1}}`, `"fits"`},
		"a struct":      {"fit", `{"size": {"_type": "Exact", "width": 3}, "room": [], "extra": {}}`, `"fits"`},
		"a pair":        {"fit", `{"size": {"_type": "Pair", "values": [1, 2]}, "room": [], "extra": {}}`, `"fits"`},
		"no variant":    {"fit", `{"size": "Huge", "room": [], "extra": {}}`, "{\"error\":\"type: fit: parameter `size` must be Size, this is String \\\"Huge\\\"\"}"},
		"half a struct": {"fit", `{"size": {"_type": "Exact"}, "room": [], "extra": {}}`, "{\"error\":\"type: fit: parameter `size` must be Size, this is Map {\\\"_type\\\": \\\"Exact\\\"}\"}"},
		"odd field":     {"fit", `{"size": {"_type": "Exact", "width": "x"}, "room": [], "extra": {}}`, "{\"error\":\"type: fit: parameter `size` must be Size, this is Map {\\\"_type\\\": \\\"Exact\\\", \\\"width\\\": \\\"x\\\"}\"}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, calls(10, c.name, c.arguments), says("so be it", 10))
			got, state := s.run("ask", text("go"))
			messages := s.messages(1)
			if got != "so be it" || messages[len(messages)-1] != "tool c0: "+c.want {
				t.Errorf("%s\n%s\nwant tool c0: %s", got, strings.Join(messages, "\n"), c.want)
			}
			if strings.Contains(c.want, "error") && state != nothingHeld {
				t.Errorf("a failed call left %s", state)
			}
		})
	}
	s := newService(t, calls(10, "fit", `{"size": {"_type": "Pair", "values": [1, 2]}, "room": [1, 2.5], "extra": {"b": 1}}`), says("ok", 10))
	if _, state := s.run("ask", text("go")); state != `{"fit": "Pair(1, 2) [1.0, 2.5] {\"b\": 1}"} {} open` {
		t.Error(state)
	}
}

// The transaction is that of the asking handler: when the question fails, what its tools did is
// undone, unless a try keeps the handler alive.
func TestFailedQuestionsUndoTheirTools(t *testing.T) {
	turns := []turn{calls(10, "note", `{"key": "a", "text": "first"}`, "close", `{"id": "j"}`), raw(400, "no")}
	if got, state := newService(t, turns...).run("ask", text("go")); got != "llm: the model's service answers with status 400: no" || state != nothingHeld {
		t.Errorf("%s, %s", got, state)
	}
	if got, state := newService(t, turns...).run("tried", text("go")); got != "llm: the model's service answers with status 400: no" || state != `{"kind": "llm"} {} open` {
		t.Errorf("%s, %s", got, state)
	}
}

func TestMaxRounds(t *testing.T) {
	opts := func(n int64) interp.Value { return interp.MapOf("max_rounds", interp.NewInt(n)) }
	add := calls(5, "add", `{"name": "n", "by": 1}`)

	// After the last call allowed no tools are offered, so that the model answers.
	s := newService(t, add, add, says("ok", 5))
	if got, state := s.run("with_opts", text("go"), opts(2)); got != "ok" || state != `{} {"n": 2} open` {
		t.Errorf("%s, %s", got, state)
	}
	if s.sent[1]["tools"] == nil || s.sent[2]["tools"] != nil {
		t.Error("tools are offered to the end, or not until then")
	}

	// One that calls all the same fails, and nothing it did remains.
	s = newService(t, add, add)
	if got, state := s.run("with_opts", text("go"), opts(1)); got != "llm: the model called tools more than 1 times (option max_rounds)" || state != nothingHeld {
		t.Errorf("%s, %s", got, state)
	}

	// Calls side by side count one by one; those past the limit do not run.
	s = newService(t, calls(5, "add", `{"name": "n", "by": 1}`, "add", `{"name": "n", "by": 1}`, "add", `{"name": "n", "by": 1}`), says("ok", 5))
	if got, state := s.run("with_opts", text("go"), opts(2)); got != "ok" || state != `{} {"n": 2} open` {
		t.Errorf("%s, %s", got, state)
	}
	if m := s.messages(1); m[len(m)-1] != `tool c2: {"error":"the model called tools more than 2 times (option max_rounds)"}` {
		t.Error(m)
	}

	s = newService(t, says("ok", 5))
	if got, _ := s.run("with_opts", text("go"), opts(0)); got != "ok" || s.sent[0]["tools"] != nil {
		t.Errorf("%s, with tools %v", got, s.sent[0]["tools"])
	}

	// Ten is what holds without the option.
	var turns []turn
	for range 10 {
		turns = append(turns, add)
	}
	s = newService(t, append(turns, says("ok", 5))...)
	if got, state := s.run("ask", text("go")); got != "ok" || state != `{} {"n": 10} open` || s.sent[10]["tools"] != nil {
		t.Errorf("%s, %s", got, state)
	}
}

func TestToolsAllowed(t *testing.T) {
	opts := interp.MapOf("tools_allowed", interp.NewList(text("add")))
	s := newService(t, calls(5, "note", `{"key": "a", "text": "x"}`), says("ok", 5))
	if got, state := s.run("with_opts", text("go"), opts); got != "ok" || state != nothingHeld {
		t.Errorf("%s, %s", got, state)
	}
	if m := s.messages(1); m[len(m)-1] != `tool c0: {"error":"there is no tool \"note\""}` {
		t.Error(m)
	}
}

func TestBudget(t *testing.T) {
	for name, c := range map[string]struct {
		turns []turn
		n     int64
		want  string
	}{
		"usage counts":        {[]turn{says("ok", 30)}, 100, "ok 70 30"},
		"to the last token":   {[]turn{says("ok", 100)}, 100, "ok 0 100"},
		"one too many":        {[]turn{says("ok", 101)}, 100, "budget: the token budget is exhausted"},
		"rounds add up":       {[]turn{calls(40, "add", `{"name": "n", "by": 1}`), says("ok", 50)}, 100, "ok 10 90"},
		"no further round":    {[]turn{calls(100, "add", `{"name": "n", "by": 1}`)}, 100, "budget: the token budget is exhausted"},
		"no tools unpaid":     {[]turn{calls(101, "add", `{"name": "n", "by": 1}`)}, 100, "budget: the token budget is exhausted"},
		"estimated":           {[]turn{says("12345678", 0)}, 100, "12345678 97 3"}, // 4 of the prompt, 8 of the reply
		"a tool lowers":       {[]turn{calls(10, "spend", `{"n": 20}`), says("ok", 15)}, 100, "ok 5 25"},
		"a tool cannot raise": {[]turn{calls(10, "spend", `{"n": 5000}`), says("ok", 15)}, 100, "ok 75 25"},
		"a tool ends it":      {[]turn{calls(10, "spend", `{"n": 0}`)}, 100, "budget: the token budget is exhausted"},
		"questions in tools":  {[]turn{calls(10, "ponder", `{"text": "x"}`), says("inner", 20), says("ok", 30)}, 100, "ok 40 60"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t, c.turns...)
			got, state := s.run("within", interp.NewInt(c.n), text("1234"))
			if got != c.want {
				t.Errorf("gives %s\nwant  %s", got, c.want)
			}
			if strings.HasPrefix(c.want, "budget") && state != nothingHeld {
				t.Errorf("what was not paid for left %s", state)
			}
			if s.sent[0]["max_tokens"] != float64(c.n) {
				t.Errorf("max_tokens is %v, the budget %d", s.sent[0]["max_tokens"], c.n)
			}
		})
	}
	s := newService(t, says("ok", 70), says("ok", 31))
	if got, _ := s.run("twice", text("x")); got != "budget: the token budget is exhausted" || s.sent[1]["max_tokens"] != float64(30) {
		t.Errorf("%s, max_tokens %v", got, s.sent[1]["max_tokens"])
	}
}

// An error that ends the invocation does so, whatever the model would make of it.
func TestFinalErrorsEndTheQuestion(t *testing.T) {
	s := newService(t, calls(10, "spin", `{}`))
	if got, state := s.run("tried", text("x")); !strings.HasPrefix(got, "limit: ") || state != nothingHeld {
		t.Errorf("%s, %s", got, state)
	}
}

// A result that is small in memory and endless as text ends the question, not the machine.
func TestResultsAreBounded(t *testing.T) {
	s := newService(t, calls(10, "burst", `{}`))
	if got, state := s.run("ask", text("x")); !strings.HasPrefix(got, "limit: ") || state != nothingHeld {
		t.Errorf("%s, %s", got, state)
	}
}

func TestRetries(t *testing.T) {
	busy := raw(503, `{"error": {"message": "overloaded"}}`)
	s := newService(t, busy, raw(429, ``, "Retry-After", "7"), raw(529, ``), says("ok", 5))
	if got, _ := s.run("ask", text("x")); got != "ok" {
		t.Error(got)
	}
	if d := cmp.Diff([]time.Duration{500 * time.Millisecond, 7 * time.Second, 2 * time.Second}, s.pauses); d != "" {
		t.Error(d)
	}
	s = newService(t, busy, busy, busy, busy)
	if got, _ := s.run("ask", text("x")); got != "llm: the model's service answers with status 503: overloaded" {
		t.Error(got)
	}
	// Nobody waits for longer than the question may take.
	s = newService(t, raw(429, ``, "Retry-After", "31"))
	if got, _ := s.run("ask", text("x")); got != "llm: the model's service answers with status 429; it asks to wait 31 s, longer than the question may take" {
		t.Error(got)
	}
	s = newService(t, raw(429, ``, "Retry-After", "2"))
	opts := interp.MapOf("timeout", interp.NewInt(1500))
	if got, _ := s.run("with_opts", text("x"), opts); got != "llm: the model's service answers with status 429; it asks to wait 2 s, longer than the question may take" {
		t.Error(got)
	}
	// What is no matter of load is not repeated.
	for _, status := range []int{400, 401, 403, 404, 422, 501} {
		s = newService(t, raw(status, ``))
		s.run("ask", text("x"))
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"0": 0, "12": 12 * time.Second, "Mon, 06 May 2024 07:08:19 GMT": 10 * time.Second, "Mon, 06 May 2024 07:00:00 GMT": 0,
		"": -1, "soon": -1, "-3": -1,
	} {
		got, ok := retryAfter(http.Header{"Retry-After": {text}}, now)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestTimeout(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	}
	s := newService(t, hang)
	opts := interp.MapOf("timeout", interp.NewInt(700))
	if got, _ := s.run("with_opts", text("x"), opts); got != "llm: timeout: the model did not answer within 700 ms" {
		t.Error(got)
	}
	// What tools did before the time-out is undone.
	s = newService(t, calls(5, "add", `{"name": "n", "by": 1}`), hang)
	opts = interp.MapOf("timeout", interp.NewInt(1500))
	if got, state := s.run("with_opts", text("x"), opts); got != "llm: timeout: the model did not answer within 1500 ms" || state != nothingHeld {
		t.Errorf("%s, %s", got, state)
	}
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	url := server.URL
	server.Close()
	c, err := New(Config{URL: url + "/v1?token=" + key, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Think(context.Background(), interp.Request{Prompt: "x", Account: account(t)})
	if err == nil || !strings.HasPrefix(err.Error(), "the model's service cannot be reached: ") || strings.Contains(err.Error(), key) {
		t.Error(err)
	}
}

// account is one without a budget.
func account(t *testing.T) *interp.Account {
	t.Helper()
	var out *interp.Account
	w := interp.New(resolvetest.Program(t, desk), interp.Options{Model: grab{&out}})
	if _, err := w.Call(context.Background(), "Desk", "ask", []interp.Value{text("x")}); err != nil {
		t.Fatal(err)
	}
	return out
}

type grab struct{ to **interp.Account }

func (g grab) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	*g.to = r.Account
	return interp.Reply{Text: "ok"}, nil
}

func TestEndpoint(t *testing.T) {
	for url, want := range map[string]string{
		"http://localhost:11434":                "http://localhost:11434/v1/chat/completions",
		"http://localhost:11434/":               "http://localhost:11434/v1/chat/completions",
		"http://localhost:11434/v1":             "http://localhost:11434/v1/chat/completions",
		"https://a.example/v1/":                 "https://a.example/v1/chat/completions",
		"https://a.example/v1/chat/completions": "https://a.example/v1/chat/completions",
		"https://a.example/api?version=2":       "https://a.example/api/chat/completions?version=2",
		"a.example":                             "", "": "", "ftp://a.example": "", "http://": "",
	} {
		got, err := endpoint(url)
		if got != want || (err == nil) == (want == "") {
			t.Errorf("%q: %q, %v", url, got, err)
		}
	}
	if _, err := New(Config{URL: "http://a.example"}); err == nil {
		t.Error("a client without a model")
	}
}
