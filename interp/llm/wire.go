package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"soma.cell/interp"
)

// The protocol's documents, as far as they are used.

type request struct {
	Model          string          `json:"model"`
	Messages       []message       `json:"messages"`
	MaxTokens      int             `json:"max_tokens,omitempty"`
	ResponseFormat *responseFormat `json:"response_format,omitempty"`
	Tools          []tool          `json:"tools,omitempty"`
}

type responseFormat struct {
	Type string `json:"type"`
}

type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Refusal    string          `json:"refusal,omitempty"`
	ToolCalls  []toolCall      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type response struct {
	Choices []struct {
		Message      message `json:"message"`
		FinishReason string  `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
	} `json:"usage"`
}

func content(text string) json.RawMessage {
	data, _ := json.Marshal(text) // of a string: cannot fail
	return data
}

// opening is the first request of a conversation.
func (c *Client) opening(r interp.Request) *request {
	ask := &request{Model: c.config.Model}
	system := r.System
	if r.JSON {
		ask.ResponseFormat = &responseFormat{Type: "json_object"}
		system = strings.TrimSpace(system + "\n\n" + onlyJSON)
	}
	if system != "" {
		ask.Messages = append(ask.Messages, message{Role: "system", Content: content(system)})
	}
	ask.Messages = append(ask.Messages, message{Role: "user", Content: content(r.Prompt)})
	for _, t := range r.Tools {
		ask.Tools = append(ask.Tools, describe(t))
	}
	return ask
}

// limitTokens asks for no more than the option and the budget allow.
func (q *request) limitTokens(most, left int) {
	q.MaxTokens = most
	if left >= 0 && (most == 0 || left < most) {
		q.MaxTokens = left
	}
}

// price is what a request and its reply cost: as the service says, else by their length.
func (p *response) price(asked *request) int {
	if u := p.Usage; u != nil {
		if n := max(u.Total, u.Prompt+u.Completion); n > 0 {
			return n
		}
	}
	n := 0
	for _, m := range asked.Messages {
		n += interp.Tokens(m.text())
	}
	if len(p.Choices) > 0 {
		said := p.Choices[0].Message
		n += interp.Tokens(said.text())
		for _, call := range said.ToolCalls {
			n += interp.Tokens(call.Function.Name + string(call.Function.Arguments))
		}
	}
	return max(n, 1)
}

// message is what the model said, unless it refused.
func (p *response) message() (*message, error) {
	if len(p.Choices) == 0 {
		return nil, errors.New(noChoices)
	}
	said := &p.Choices[0].Message
	switch {
	case said.Refusal != "":
		return nil, fmt.Errorf(refused, clip(said.Refusal))
	case p.Choices[0].FinishReason == "content_filter":
		return nil, errors.New(filtered)
	case len(said.ToolCalls) == 0 && !said.spoken():
		return nil, errors.New(noChoices)
	}
	return said, nil
}

// spoken tells whether the content is a text, maybe an empty one.
func (m *message) spoken() bool { return len(m.Content) > 0 && string(m.Content) != "null" }

// text is the content: a text, or the texts among the parts of a list.
func (m *message) text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct{ Text string }
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// echo is the message as the next request repeats it.
func (m *message) echo() message {
	out := message{Role: "assistant", Content: m.Content}
	if len(out.Content) == 0 {
		out.Content = json.RawMessage("null")
	}
	for i, call := range m.ToolCalls {
		// The protocol has arguments as a text, while some services send an object.
		if args, ok := call.Function.text(); ok {
			call.Function.Arguments = content(args)
		} else {
			call.Function.Arguments = content(string(call.Function.Arguments))
		}
		call.ID, call.Type = m.callID(i), "function"
		out.ToolCalls = append(out.ToolCalls, call)
	}
	return out
}

// callID names a call; not all services do.
func (m *message) callID(i int) string {
	if id := m.ToolCalls[i].ID; id != "" {
		return id
	}
	return fmt.Sprintf("call_%d", i)
}

// text is the arguments where they are sent as a text.
func (f functionCall) text() (string, bool) {
	var text string
	err := json.Unmarshal(f.Arguments, &text)
	return text, err == nil && len(f.Arguments) > 0 && f.Arguments[0] == '"'
}

// arguments reads the arguments; none at all are an empty object.
func (f functionCall) arguments() (*interp.Map, error) {
	text, ok := f.text()
	if !ok {
		text = string(f.Arguments)
	}
	if text = strings.TrimSpace(text); text == "" || text == "null" {
		return interp.NewMap(), nil
	}
	v, err := interp.FromJSON(text)
	if err != nil {
		return nil, fmt.Errorf(badArguments, err)
	}
	m, ok := v.(*interp.Map)
	if !ok {
		return nil, fmt.Errorf(badArguments, clip(text))
	}
	return m, nil
}

// clip shortens a text for a message.
func clip(text string) string {
	const most = 200
	if r := []rune(strings.Join(strings.Fields(text), " ")); len(r) > most {
		return string(r[:most]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}
