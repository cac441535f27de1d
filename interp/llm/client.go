// Package llm asks language models that speak the chat completions protocol of OpenAI, as
// Ollama and others do.
//
// A question is a conversation: the model may call tools, reads what they gave, and goes on,
// until it answers in words. Each request is paid for out of the asking agent's account before
// the next one is made, so that a budget ends a conversation between two rounds.
package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"soma.cell/interp"
)

// Config says which model to ask.
type Config struct {
	URL   string // of the service or of its endpoint
	Key   string // sent as a bearer token, never shown; "" sends none
	Model string
}

// Client is a model behind a URL. It is an interp.Model.
type Client struct {
	config   Config
	endpoint string
	http     *http.Client
	sleep    func(ctx context.Context, d time.Duration) error
}

// DefaultTimeout bounds a question that states no time-out, retries and rounds included.
const DefaultTimeout = 2 * time.Minute

// New is a client of the configured service. The error says what is missing.
func New(c Config) (*Client, error) {
	where, err := endpoint(c.URL)
	if err != nil {
		return nil, err
	}
	if c.Model == "" {
		return nil, errors.New(noModel)
	}
	return &Client{
		config: c, endpoint: where, sleep: sleep,
		// A redirect would send the conversation to a place that nobody configured.
		http: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}, nil
}

// Think holds one conversation.
func (c *Client) Think(ctx context.Context, r interp.Request) (interp.Reply, error) {
	limit := r.Timeout
	if limit == 0 {
		limit = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reply, err := c.converse(ctx, r)
	var raised *interp.Error
	switch {
	case err == nil || errors.As(err, &raised):
		return reply, err
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded):
		return reply, fmt.Errorf(timedOut, limit.Milliseconds())
	}
	return reply, c.redact(err)
}

// converse goes on until the model answers in words.
func (c *Client) converse(ctx context.Context, r interp.Request) (interp.Reply, error) {
	tools := map[string]interp.Tool{}
	for _, t := range r.Tools {
		tools[t.Name] = t
	}
	ask := c.opening(r)
	calls, rounds := 0, r.MaxRounds
	if len(r.Tools) == 0 {
		rounds = 0 // what a model makes up is not answered
	}
	for {
		if r.Account.Left() == 0 {
			return interp.Reply{}, r.Account.Pay(1)
		}
		if calls >= rounds {
			ask.Tools = nil // it may not call any more, so it must answer
		}
		ask.limitTokens(r.MaxTokens, r.Account.Left())
		got, err := c.send(ctx, ask)
		if err != nil {
			return interp.Reply{}, err
		}
		if err := r.Account.Pay(got.price(ask)); err != nil {
			return interp.Reply{}, err
		}
		said, err := got.message()
		if err != nil {
			return interp.Reply{}, err
		}
		if len(said.ToolCalls) == 0 {
			return interp.Reply{Text: said.text()}, nil
		}
		if calls >= rounds {
			return interp.Reply{}, fmt.Errorf(tooManyCalls, rounds)
		}
		ask.Messages = append(ask.Messages, said.echo())
		for i, call := range said.ToolCalls {
			result, err := "", error(nil)
			if calls < rounds {
				result, err = runTool(tools, call.Function)
				calls++
			} else {
				result = refusal(fmt.Sprintf(tooManyCalls, rounds))
			}
			if err != nil {
				return interp.Reply{}, err
			}
			ask.Messages = append(ask.Messages, message{Role: "tool", ToolCallID: said.callID(i), Content: content(result)})
		}
	}
}

// runTool runs one call of a tool. What it raises goes to the model, as does what is wrong with
// the call, unless it ends the whole invocation.
func runTool(tools map[string]interp.Tool, f functionCall) (string, error) {
	t, ok := tools[f.Name]
	if !ok {
		return refusal(fmt.Sprintf(noSuchTool, f.Name)), nil
	}
	sent, err := f.arguments()
	if err != nil {
		return refusal(err.Error()), nil
	}
	args, err := t.Arguments(sent)
	if err != nil {
		return refusal(err.Error()), nil
	}
	v, err := t.Call(args)
	var raised *interp.Error
	switch {
	case errors.As(err, &raised) && raised.Final:
		return "", raised
	case err != nil:
		return refusal(err.Error()), nil
	}
	return interp.ToJSON(v), nil
}

// refusal tells the model of an error.
func refusal(text string) string { return interp.ToJSON(interp.MapOf("error", interp.String(text))) }

// redact takes the key out of an error, whoever put it there.
func (c *Client) redact(err error) error {
	if c.config.Key == "" || !strings.Contains(err.Error(), c.config.Key) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), c.config.Key, "***"))
}
