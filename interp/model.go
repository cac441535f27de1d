package interp

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"
)

// Model answers think and think_json.
type Model interface {
	// Think may call the request's tools before it answers, one at a time. An *Error is raised
	// as it is, any other error as kind "llm".
	Think(ctx context.Context, r Request) (Reply, error)
}

// Request is one question to a model.
type Request struct {
	Prompt, System string
	JSON           bool          // the reply must be a JSON object
	MaxTokens      int           // of the reply; 0: not stated
	Timeout        time.Duration // of the whole question; 0: not stated
	MaxRounds      int           // how many calls of tools the question allows
	Tools          []Tool        // what the model may call
	Account        *Account
}

// Reply is a model's answer. Tokens is what it costs beside what the account was charged; with
// neither it costs one token for every four characters.
type Reply struct {
	Text   string
	Tokens int
}

// Account is where a model that works in rounds pays for each of them.
type Account struct {
	agent *agent
	paid  bool
}

// Left is the number of tokens that the question may still cost, -1 without a budget. A tool
// may lower it.
func (a *Account) Left() int { return a.agent.left }

// Pay charges tokens; the error, of kind budget, says that they were not there.
func (a *Account) Pay(tokens int) error {
	a.paid = true
	return a.agent.pay(tokens)
}

// Fixed is a model that always answers the same text.
type Fixed string

// Think answers the fixed text.
func (f Fixed) Think(context.Context, Request) (Reply, error) { return Reply{Text: string(f)}, nil }

// Echo is a model that answers with the prompt.
type Echo struct{}

// Think answers the prompt.
func (Echo) Think(_ context.Context, r Request) (Reply, error) { return Reply{Text: r.Prompt}, nil }

// Tokens is the price of a text whose price nobody states.
func Tokens(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }

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
	parsed, err := FromJSON(unfenced(text))
	if m, ok := parsed.(*Map); ok && err == nil {
		return m, nil
	}
	return nil, errNotJSONReply(text)
}

// unfenced takes off the fence that models like to put around JSON.
func unfenced(text string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !ok {
		return text
	}
	inner, ok = strings.CutSuffix(inner, "```")
	if _, body, lines := strings.Cut(inner, "\n"); ok && lines {
		return body
	}
	return text
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
	reply, err := w.mockedReply(r)
	if reply == nil && err == nil {
		reply, err = w.modelReply(r)
	}
	if err != nil {
		return nil, err
	}
	w.agent.trace = append(w.agent.trace, MapOf("prompt", String(r.Prompt), "reply", reply))
	return reply, nil
}

// mockedReply is what a test scripted, or nil.
func (w *World) mockedReply(r Request) (Value, error) {
	names := []string{"think"}
	if r.JSON {
		names = []string{"think_json", "think"}
	}
	for _, name := range names {
		v, mocked, err := w.mocks.builtin(name)
		if !mocked {
			continue
		}
		if err != nil {
			return nil, err
		}
		text, err := w.text(v)
		if err == nil {
			err = w.agent.pay(Tokens(text))
		}
		return v, err
	}
	return nil, nil
}

func (w *World) modelReply(r Request) (Value, error) {
	model := w.opts.Model
	if model == nil {
		model = Echo{}
		if w.opts.OnEcho != nil {
			w.opts.OnEcho()
		}
	}
	r.Account = &Account{agent: &w.agent}
	session := &toolSession{w: w, left: r.MaxRounds, most: r.MaxRounds}
	r.Tools = session.tools(r.Tools)
	answer, err := model.Think(w.ctx, r)
	session.over = true
	if session.err != nil { // whatever the model made of it
		return nil, session.err
	}
	if e, ok := err.(*Error); ok {
		return nil, e
	}
	if err != nil {
		return nil, &Error{Kind: KindLLM, Detail: err.Error()}
	}
	if answer.Tokens == 0 && !r.Account.paid {
		answer.Tokens = Tokens(answer.Text)
	}
	if err := w.agent.pay(answer.Tokens); err != nil {
		return nil, err
	}
	return String(answer.Text), w.allocate(len(answer.Text))
}

// request reads the arguments of think: the prompt, then a system text, options or both.
func (c *call) request(wantJSON bool) (Request, error) {
	prompt, err := c.w.text(c.args[0])
	if err != nil {
		return Request{}, err
	}
	r := Request{Prompt: prompt, JSON: wantJSON, MaxRounds: defaultRounds}
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
	milliseconds := 0
	for _, o := range []struct {
		name string
		to   *int
	}{{"max_tokens", &r.MaxTokens}, {"timeout", &milliseconds}, {"max_rounds", &r.MaxRounds}} {
		if *o.to, err = c.option(opts, o.name, *o.to); err != nil {
			return Request{}, err
		}
	}
	r.Timeout = time.Duration(milliseconds) * time.Millisecond
	r.Tools, err = c.offered(opts)
	return r, err
}

// defaultRounds is how many calls of tools a question allows when it does not say.
const defaultRounds = 10

// option reads a count from the options of think.
func (c *call) option(opts *Map, name string, otherwise int) (int, error) {
	v, ok := opts.Get(name)
	if !ok || v.Kind() == UnitKind {
		return otherwise, nil
	}
	i, ok := v.(Int)
	if !ok {
		return 0, errOption(c.name, name, "an Int", v)
	}
	n, fits := i.Int64()
	if !fits || n < 0 || n > maxOption {
		return 0, errRange("%s: option %s must be in 0..%d, not %s", c.name, name, maxOption, brief(v))
	}
	return int(n), nil
}

const maxOption = 1<<31 - 1
