// Package interptest draws what programs meet when they run: values, calls from outside with their
// arguments, and a model, a network, files and people that answer.
package interptest

import (
	"context"
	"io/fs"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/interp"
)

// Call is a call from outside.
type Call struct {
	Handler *resolve.Handler
	Args    []interp.Value
}

// Run makes the call.
func (c *Call) Run(ctx context.Context, w *interp.World) (interp.Value, error) {
	return w.Call(ctx, c.Handler.Cell.Name, c.Handler.Name, c.Args)
}

// Draw draws a call of what the environment may call; nil when there is nothing. The arguments
// are of their types, now and then not.
func Draw(src progen.Source, p *resolve.Program) *Call {
	public := Public(p)
	if len(public) == 0 {
		return nil
	}
	c := &Call{Handler: public[src.Int(len(public))]}
	values := Few(src)
	for _, p := range c.Handler.Params {
		t := p.Type
		if src.Int(40) == 39 {
			t = resolve.Any
		}
		c.Args = append(c.Args, values.Of(t))
	}
	return c
}

// Public are the handlers that the environment may call.
func Public(p *resolve.Program) []*resolve.Handler {
	var out []*resolve.Handler
	for _, c := range p.Cells {
		for _, h := range c.Handlers {
			if h.Public {
				out = append(out, h)
			}
		}
	}
	return out
}

// Options are what a world gets from outside, as the source decides while the program runs.
func Options(src progen.Source) interp.Options {
	o := outside{Few(src)}
	return interp.Options{Model: o, Network: o, Files: o, Input: func() string { return "in" },
		Approve: func(string) bool { return src.Int(2) == 0 }}
}

// outside answers with values that are drawn.
type outside struct{ values *Values }

// Think calls some tools and answers a text, or JSON where it is asked for, or fails.
func (o outside) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	if err := o.values.UseTools(r); err != nil && o.values.Source.Int(2) == 0 {
		return interp.Reply{}, err
	}
	switch {
	case o.values.Source.Int(8) == 7:
		return interp.Reply{}, &interp.Error{Kind: interp.KindLLM, Detail: "timeout"}
	case r.JSON:
		return interp.Reply{Text: `{"k": "` + []string{"a", "idle"}[o.values.Source.Int(2)] + `"}`, Tokens: o.values.Source.Int(40)}, nil
	}
	return interp.Reply{Text: string(o.values.Texts()), Tokens: o.values.Source.Int(40)}, nil
}

// Fetch gives some value, or a failure.
func (o outside) Fetch(context.Context, interp.Fetch) interp.Value {
	if o.values.Source.Int(4) == 3 {
		return interp.NetworkFailure("timeout", "no reply")
	}
	return o.values.Of(resolve.Any)
}

// ReadFile gives some text, or no file.
func (o outside) ReadFile(string) ([]byte, error) {
	if o.values.Source.Int(4) == 3 {
		return nil, fs.ErrNotExist
	}
	return []byte(o.values.Texts()), nil
}

// WriteFile takes what is written, or refuses.
func (o outside) WriteFile(string, []byte) error {
	if o.values.Source.Int(4) == 3 {
		return fs.ErrPermission
	}
	return nil
}

// ReadDir names one file.
func (o outside) ReadDir(string) ([]string, error) { return []string{"a.txt"}, nil }
