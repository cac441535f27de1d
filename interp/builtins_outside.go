package interp

import (
	"strings"
	"time"
)

func outsideBuiltins() map[string]impl {
	out := map[string]impl{
		"print": builtinPrint, "write_str": builtinWriteStr, "read_stdin": builtinReadStdin,
		"html":     response("html", 200, "body", "status"),
		"response": response("response", 200, "status", "body", "headers"),
		"redirect": response("redirect", 302, "url", "status"),
		"sse": func(c *call) (Value, error) {
			return MapOf("_response", String("sse"), "events", NewList(c.args...)), nil
		},
	}
	for _, method := range []string{"get", "post", "put", "patch", "delete"} {
		out["http_"+method] = fetch(strings.ToUpper(method))
	}
	return out
}

// fetch is an HTTP builtin; it never raises for what the network does or the options say.
func fetch(method string) impl {
	return func(c *call) (Value, error) {
		url, err := c.str(0)
		if err != nil {
			return nil, err
		}
		f := Fetch{Method: method, URL: url, Body: Unit{}}
		at := 1
		if method != "GET" && method != "DELETE" {
			f.Body, at = c.args[1], 2
			if err := c.w.payToWrite(f.Body); err != nil {
				return nil, err
			}
		}
		if c.has(at) {
			opts, err := c.mapping(at)
			if err != nil {
				return nil, err
			}
			if problem := f.options(opts); problem != "" {
				return NetworkFailure("network", problem), nil
			}
		}
		if c.w.opts.Network == nil {
			return NetworkFailure("network", noNetwork()), nil
		}
		return c.w.opts.Network.Fetch(c.w.ctx, f), nil
	}
}

// options reads the options of a request and tells what is wrong with them.
func (f *Fetch) options(opts *Map) (problem string) {
	milliseconds := 0
	for _, o := range []struct {
		name string
		to   *int
	}{{"timeout", &milliseconds}, {"max_bytes", &f.MaxBytes}} {
		v, ok := opts.Get(o.name)
		if !ok || v.Kind() == UnitKind {
			continue
		}
		i, _ := v.(Int)
		n, fits := i.Int64()
		if !fits || n < 1 || n > maxOption {
			return badNetworkOption(o.name, v)
		}
		*o.to = int(n)
	}
	f.Timeout = time.Duration(milliseconds) * time.Millisecond
	v, ok := opts.Get("headers")
	if !ok || v.Kind() == UnitKind {
		return ""
	}
	headers, ok := v.(*Map)
	if !ok {
		return badNetworkOption("headers", v)
	}
	for i, name := range headers.Keys() {
		text, ok := headers.vals[i].(String)
		if !ok {
			return badNetworkOption("headers", headers.vals[i])
		}
		f.Headers = append(f.Headers, Header{name, string(text)})
	}
	return ""
}

func (w *World) print(text string) {
	if w.opts.Print != nil {
		w.opts.Print(text)
	}
}

func builtinPrint(c *call) (Value, error) {
	texts := make([]string, len(c.args))
	for i, v := range c.args {
		var err error
		if texts[i], err = c.w.text(v); err != nil {
			return nil, err
		}
	}
	c.w.print(strings.Join(texts, " ") + "\n")
	return Unit{}, nil
}

func builtinWriteStr(c *call) (Value, error) {
	s, err := c.w.text(c.args[0])
	if err != nil {
		return nil, err
	}
	c.w.print(s)
	return Unit{}, nil
}

func builtinReadStdin(c *call) (Value, error) {
	if c.w.opts.Input == nil {
		return String(""), nil
	}
	return String(c.w.opts.Input()), nil
}

// response builds a response value: its kind and the arguments by name, and a status where none
// is given.
func response(kind string, status int64, names ...string) impl {
	return func(c *call) (Value, error) {
		m := NewMap().With("_response", String(kind))
		for i, name := range names {
			switch {
			case c.has(i):
				m = m.With(name, c.args[i])
			case name == "status":
				m = m.With(name, NewInt(status))
			}
		}
		return m, nil
	}
}
