package interp

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"soma.cell/frontend/resolve"
)

// Model answers think and think_json.
type Model interface {
	// Think may call the request's tools before it answers. An *Error is raised as it is,
	// any other error as kind "llm".
	Think(ctx context.Context, r Request) (Reply, error)
}

// Request is one question to a model. Zero means "not stated".
type Request struct {
	Prompt, System string
	JSON           bool // the reply must be a JSON object
	MaxTokens      int
	Timeout        time.Duration
	MaxRounds      int    // of tool calls
	Tools          []Tool // what the model may call
}

// Tool is a tool of the asking agent's face.
type Tool struct {
	Name, Description string
	Params            []resolve.Param
	// Call runs the tool inside the asking handler's transaction; when it raises, what it
	// wrote is undone and the error is for the model to read.
	Call func(args []Value) (Value, error)
}

// Reply is a model's answer; Tokens 0 means one token for every four characters.
type Reply struct {
	Text   string
	Tokens int
}

// Fixed is a model that always answers the same text.
type Fixed string

// Think answers the fixed text.
func (f Fixed) Think(context.Context, Request) (Reply, error) { return Reply{Text: string(f)}, nil }

// Echo is a model that answers with the prompt.
type Echo struct{}

// Think answers the prompt.
func (Echo) Think(_ context.Context, r Request) (Reply, error) { return Reply{Text: r.Prompt}, nil }

// agent is what think and its kin keep between calls.
type agent struct {
	used    int // tokens, in all
	left    int // tokens allowed, -1 without a budget
	inTools int // tool calls under way
	trace   []Value
}

func (a *agent) reset()     { *a = agent{left: -1} }
func (a *agent) unlimited() { a.left = -1 }

// pay takes a reply's tokens off the budget.
func (a *agent) pay(tokens int) error {
	a.used += tokens
	if a.left < 0 {
		return nil
	}
	if tokens > a.left {
		a.left = 0
		return errBudget()
	}
	a.left -= tokens
	return nil
}

// tokens is the price of a text whose price nobody states.
func tokens(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

func builtinThink(c *call) (Value, error) {
	v, err := c.ask(false)
	if err != nil {
		return nil, err
	}
	text, err := c.w.text(v)
	return String(text), err
}

func builtinThinkJSON(c *call) (Value, error) {
	v, err := c.ask(true)
	if err != nil {
		return nil, err
	}
	if m, ok := v.(*Map); ok {
		return m, nil
	}
	text, err := c.w.text(v)
	if err != nil {
		return nil, err
	}
	parsed, err := FromJSON(text)
	if m, ok := parsed.(*Map); ok && err == nil {
		return m, nil
	}
	return nil, errNotJSONReply(text)
}

// ask gets a reply from a mock, from the model, or from the echo.
func (c *call) ask(wantJSON bool) (Value, error) {
	w := c.w
	r, err := c.request(wantJSON)
	if err != nil {
		return nil, err
	}
	if w.agent.left == 0 {
		return nil, errBudget()
	}
	reply, price, err := w.reply(r)
	if err != nil {
		return nil, err
	}
	w.agent.trace = append(w.agent.trace, MapOf("prompt", String(r.Prompt), "reply", reply))
	return reply, w.agent.pay(price)
}

func (w *World) reply(r Request) (reply Value, price int, err error) {
	names := []string{"think"}
	if r.JSON {
		names = []string{"think_json", "think"}
	}
	for _, name := range names {
		if v, mocked, err := w.mocks.builtin(name); mocked {
			if err != nil {
				return nil, 0, err
			}
			text, err := w.text(v)
			return v, tokens(text), err
		}
	}
	model := w.opts.Model
	if model == nil {
		model = Echo{}
		if w.opts.OnEcho != nil {
			w.opts.OnEcho()
		}
	}
	answer, err := model.Think(w.ctx, r)
	if e, ok := err.(*Error); ok {
		return nil, 0, e
	}
	if err != nil {
		return nil, 0, &Error{Kind: KindLLM, Detail: err.Error()}
	}
	if answer.Tokens == 0 {
		answer.Tokens = tokens(answer.Text)
	}
	return String(answer.Text), answer.Tokens, w.allocate(len(answer.Text))
}

// request reads the arguments of think: the prompt, then a system text, options or both.
func (c *call) request(wantJSON bool) (Request, error) {
	prompt, err := c.w.text(c.args[0])
	if err != nil {
		return Request{}, err
	}
	r := Request{Prompt: prompt, JSON: wantJSON, MaxRounds: 10}
	opts := NewMap()
	for _, v := range c.args[1:] {
		switch v := v.(type) {
		case *Map:
			opts = v
		case Unit:
		default:
			if r.System, err = c.w.text(v); err != nil {
				return Request{}, err
			}
		}
	}
	number := func(name string) int {
		v, _ := opts.Get(name)
		i, _ := v.(Int)
		n, _ := i.Int64()
		return int(n)
	}
	r.MaxTokens = number("max_tokens")
	r.Timeout = time.Duration(number("timeout")) * time.Millisecond
	if n := number("max_rounds"); n > 0 {
		r.MaxRounds = n
	}
	allowed, limited := opts.Get("tools_allowed")
	r.Tools = c.w.tools(c.f.cell, allowed, limited)
	return r, nil
}

// tools are the tools of an agent's face, or those of them that are listed.
func (w *World) tools(cell *resolve.Cell, allowed Value, limited bool) []Tool {
	if cell == nil || !cell.Agent {
		return nil
	}
	var out []Tool
	for _, s := range cell.Signals {
		if !s.Tool || s.Handler == nil {
			continue
		}
		if list, _ := allowed.(*List); limited && (list == nil || !holdsText(list, s.Name)) {
			continue
		}
		out = append(out, Tool{
			Name: s.Name, Description: s.Decl.Description, Params: s.Handler.Params,
			Call: func(args []Value) (Value, error) { return w.callTool(s.Handler, args) },
		})
	}
	return out
}

func holdsText(l *List, text string) bool {
	for _, v := range l.items {
		if s, ok := v.(String); ok && string(s) == text {
			return true
		}
	}
	return false
}

func (w *World) callTool(h *resolve.Handler, args []Value) (Value, error) {
	w.agent.inTools++
	v, err := w.transaction(func() (Value, error) { return w.callHandler(h, args) })
	w.agent.inTools--
	return v, err
}

// builtinSetBudget allows so many more tokens; inside a tool call it can only lower.
func builtinSetBudget(c *call) (Value, error) {
	n, err := c.small(0)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, errRange("set_budget needs a number of tokens, not %d", n)
	}
	a := &c.w.agent
	if a.inTools == 0 || a.left < 0 || n < a.left {
		a.left = n
	}
	return Unit{}, nil
}

func builtinApprove(c *call) (Value, error) {
	action, err := c.w.text(c.args[0])
	if err != nil {
		return nil, err
	}
	if c.w.opts.Approve == nil {
		return nil, errApproval(action)
	}
	return Bool(c.w.opts.Approve(action)), nil
}

func builtinRemember(c *call) (Value, error) {
	key, ok := keyText(c.args[0])
	if !ok {
		return nil, errKey("a key of remember", c.args[0])
	}
	cell, old := c.f.cell, c.w.kept[c.f.cell]
	now := old
	if now == nil {
		now = NewMap()
	}
	c.w.kept[cell] = now.With(key, c.args[1])
	c.w.undoWith(func() { c.w.kept[cell] = old })
	return Unit{}, nil
}

func builtinRecall(c *call) (Value, error) {
	key, ok := keyText(c.args[0])
	if !ok {
		return nil, errKey("a key of recall", c.args[0])
	}
	if m := c.w.kept[c.f.cell]; m != nil {
		if v, ok := m.Get(key); ok {
			return v, nil
		}
	}
	return Unit{}, nil
}

func builtinNextID(c *call) (Value, error) {
	c.w.ids[c.f.cell]++
	return NewInt(c.w.ids[c.f.cell]), nil
}

// builtinDelegate calls a public handler by its name.
func builtinDelegate(c *call) (Value, error) {
	cell, err := c.str(0)
	if err != nil {
		return nil, err
	}
	name, err := c.str(1)
	if err != nil {
		return nil, err
	}
	h := c.w.find(cell, name, len(c.args)-2)
	if h == nil || !h.Public || h.Timer != nil {
		return nil, errUndefinedFunction(cell + "." + name)
	}
	return c.w.callHandler(h, c.args[2:])
}

func agentBuiltins() map[string]impl {
	return map[string]impl{
		"transition": builtinTransition, "get_status": builtinGetStatus, "has_state": builtinHasState,
		"valid_transitions": builtinValidTransitions,
		"think":             builtinThink, "think_json": builtinThinkJSON,
		"set_budget": builtinSetBudget, "approve": builtinApprove,
		"remember": builtinRemember, "recall": builtinRecall,
		"next_id": builtinNextID, "delegate": builtinDelegate,
		"tokens_used":      func(c *call) (Value, error) { return NewInt(int64(c.w.agent.used)), nil },
		"tokens_remaining": func(c *call) (Value, error) { return NewInt(int64(c.w.agent.left)), nil },
		"trace":            func(c *call) (Value, error) { return NewList(slices.Clone(c.w.agent.trace)...), nil },
		"clear_trace":      func(c *call) (Value, error) { c.w.agent.trace = nil; return Unit{}, nil },
		"clear_context":    func(c *call) (Value, error) { return Unit{}, nil },
	}
}
