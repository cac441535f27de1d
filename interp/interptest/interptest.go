// Package interptest draws what programs meet when they run: calls from outside with their
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
	var public []*resolve.Handler
	for _, c := range p.Cells {
		for _, h := range c.Handlers {
			if h.Public {
				public = append(public, h)
			}
		}
	}
	if len(public) == 0 {
		return nil
	}
	c := &Call{Handler: public[src.Int(len(public))]}
	for _, p := range c.Handler.Params {
		t := p.Type
		if src.Int(40) == 39 {
			t = resolve.Any
		}
		c.Args = append(c.Args, Value(src, t))
	}
	return c
}

// Value draws a value of a type. Numbers and texts are few, so that keys and ids meet.
func Value(src progen.Source, t *resolve.Type) interp.Value { return value(src, t, 3) }

func value(src progen.Source, t *resolve.Type, depth int) interp.Value {
	switch t.Kind {
	case resolve.IntType:
		return interp.NewInt(int64(src.Int(12) - 3))
	case resolve.FloatType:
		return interp.Float(float64(src.Int(9)) / 2)
	case resolve.StringType:
		return interp.String(Text(src))
	case resolve.BoolType:
		return interp.Bool(src.Int(2) == 1)
	case resolve.UnitType:
		return interp.Unit{}
	case resolve.ListType:
		var items []interp.Value
		for range src.Int(depth + 1) {
			items = append(items, value(src, part(t), depth-1))
		}
		return interp.NewList(items...)
	case resolve.MapType:
		m := interp.NewMap()
		for range src.Int(depth + 1) {
			key := Text(src)
			if t.Key != nil && t.Key.Kind == resolve.IntType {
				key = []string{"0", "1", "2"}[src.Int(3)]
			}
			m = m.With(key, value(src, part(t), depth-1))
		}
		return m
	case resolve.SumTypeKind:
		v := t.Sum.Variants[0]
		if depth > 0 {
			v = t.Sum.Variants[src.Int(len(t.Sum.Variants))]
		}
		var fields []interp.Value
		for _, f := range v.Fields {
			fields = append(fields, value(src, f.Type, depth-1))
		}
		return interp.NewVariant(v, fields...)
	case resolve.RecordType:
		return interp.MapOf("_type", interp.String(t.Name), "x", interp.NewInt(int64(src.Int(4))), "label", interp.String(Text(src)))
	}
	return value(src, some[src.Int(len(some))], depth)
}

// some are the types of values of which nothing is known.
var some = [...]*resolve.Type{{Kind: resolve.IntType}, {Kind: resolve.StringType}, {Kind: resolve.UnitType},
	{Kind: resolve.BoolType}, {Kind: resolve.FloatType}, {Kind: resolve.ListType}, {Kind: resolve.MapType}}

func part(t *resolve.Type) *resolve.Type {
	if t.Elem == nil {
		return resolve.Any
	}
	return t.Elem
}

// Text draws one of few texts: keys, states, numbers, JSON.
func Text(src progen.Source) string {
	texts := [...]string{"k", "a", "zz", "", "idle", "open", "Green", "2", "https://a.example/x", `{"k": 1}`, "é b,a"}
	return texts[src.Int(len(texts))]
}

// Options are what a world gets from outside, as the source decides while the program runs.
func Options(src progen.Source) interp.Options {
	o := outside{src}
	return interp.Options{Model: o, Network: o, Files: o, Input: func() string { return "in" },
		Approve: func(string) bool { return src.Int(2) == 0 }}
}

// outside answers by the source.
type outside struct{ src progen.Source }

// Think calls some tools and answers a text, or JSON where it is asked for, or fails.
func (o outside) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	for range o.src.Int(3) {
		if len(r.Tools) == 0 {
			break
		}
		tool := r.Tools[o.src.Int(len(r.Tools))]
		var args []interp.Value
		for _, p := range tool.Params {
			args = append(args, Value(o.src, p.Type))
		}
		if _, err := tool.Call(args); err != nil && o.src.Int(2) == 0 {
			return interp.Reply{}, err
		}
	}
	switch {
	case o.src.Int(8) == 7:
		return interp.Reply{}, &interp.Error{Kind: interp.KindLLM, Detail: "timeout"}
	case r.JSON:
		return interp.Reply{Text: `{"k": "` + []string{"a", "idle"}[o.src.Int(2)] + `"}`, Tokens: o.src.Int(40)}, nil
	}
	return interp.Reply{Text: Text(o.src), Tokens: o.src.Int(40)}, nil
}

// Fetch gives some value, or a failure.
func (o outside) Fetch(context.Context, interp.Fetch) interp.Value {
	if o.src.Int(4) == 3 {
		return interp.NetworkFailure("timeout", "no reply")
	}
	return Value(o.src, resolve.Any)
}

// ReadFile gives some text, or no file.
func (o outside) ReadFile(string) ([]byte, error) {
	if o.src.Int(4) == 3 {
		return nil, fs.ErrNotExist
	}
	return []byte(Text(o.src)), nil
}

// WriteFile takes what is written, or refuses.
func (o outside) WriteFile(string, []byte) error {
	if o.src.Int(4) == 3 {
		return fs.ErrPermission
	}
	return nil
}

// ReadDir names one file.
func (o outside) ReadDir(string) ([]string, error) { return []string{"a.txt"}, nil }
