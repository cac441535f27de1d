package interp

import (
	"slices"

	"soma.cell/frontend/resolve"
)

// Tool is a tool of the asking agent's face.
type Tool struct {
	Name, Description string
	Params            []resolve.Param
	// Call runs the tool inside the asking handler's transaction; when it raises, what it
	// wrote is undone and the error is for the model to read.
	Call func(args []Value) (Value, error)
	// handler is what Call runs.
	handler *resolve.Handler
}

// offered lists the tools of an agent's face, or those of them that the options allow.
func (c *call) offered(opts *Map) ([]Tool, error) {
	allowed, limited := opts.Get("tools_allowed")
	var names []string
	if limited = limited && allowed.Kind() != UnitKind; limited {
		list, ok := allowed.(*List)
		if !ok {
			return nil, errOption(c.name, "tools_allowed", "a List of tools", allowed)
		}
		for _, v := range list.items {
			name, ok := v.(String)
			if !ok {
				return nil, errOption(c.name, "tools_allowed", "a List of tools", allowed)
			}
			names = append(names, string(name))
		}
	}
	if c.f.cell == nil || !c.f.cell.Agent {
		return nil, nil
	}
	var out []Tool
	for _, s := range c.f.cell.Signals {
		if s.Tool && s.Handler != nil && (!limited || slices.Contains(names, s.Name)) {
			out = append(out, Tool{Name: s.Name, Description: s.Decl.Description, Params: s.Handler.Params, handler: s.Handler})
		}
	}
	return out, nil
}

// toolSession holds a model to its question while it answers: no more calls of tools than
// allowed, none afterwards, and no going on after an error that ends the invocation.
type toolSession struct {
	w          *World
	left, most int
	over       bool
	err        error
}

// tools are the tools that can be called.
func (s *toolSession) tools(offered []Tool) []Tool {
	var out []Tool
	for _, t := range offered {
		t.Call = func(args []Value) (Value, error) { return s.call(t.handler, args) }
		out = append(out, t)
	}
	return out
}

func (s *toolSession) call(h *resolve.Handler, args []Value) (Value, error) {
	switch {
	case s.over:
		return nil, errToolLate(h.Name)
	case s.err != nil:
		return nil, s.err
	case s.left == 0:
		s.err = errToolRounds(s.most)
		return nil, s.err
	}
	s.left--
	v, err := s.w.callTool(h, args)
	if e, ok := err.(*Error); ok && e.Final {
		s.err = e
	}
	return v, err
}

func (w *World) callTool(h *resolve.Handler, args []Value) (Value, error) {
	w.agent.inTools++
	v, err := w.transaction(func() (Value, error) {
		v, err := w.callHandler(h, args)
		if err == nil {
			err = w.payToWrite(v) // for the model reads it
		}
		return v, err
	})
	w.agent.inTools--
	return v, err
}

// Arguments turns what a model sent for a tool, a JSON object, into arguments in order. The
// names must be those of the parameters. What the parameters' types say beyond JSON is read
// from it: a variant from its name or from an object with its name under "_type".
func (t Tool) Arguments(sent *Map) ([]Value, error) {
	args := make([]Value, len(t.Params))
	for i, p := range t.Params {
		v, ok := sent.Get(p.Name)
		if !ok {
			return nil, errToolMissing(t.Name, p.Name)
		}
		args[i] = typed(v, p.Type)
	}
	for _, name := range sent.Keys() {
		if !slices.ContainsFunc(t.Params, func(p resolve.Param) bool { return p.Name == name }) {
			return nil, errToolUnknown(t.Name, name)
		}
	}
	return args, nil
}

// typed is a value from JSON in the shape that a type asks for; what does not fit stays as it
// is, for the call to refuse.
func typed(v Value, t *resolve.Type) Value {
	if t == nil {
		return v
	}
	switch t.Kind {
	case resolve.ListType:
		if l, ok := v.(*List); ok && t.Elem != nil {
			out := make([]Value, l.Len())
			for i, x := range l.items {
				out[i] = typed(x, t.Elem)
			}
			return NewList(out...)
		}
	case resolve.MapType:
		if m, ok := v.(*Map); ok && t.Elem != nil {
			out := NewMap()
			for i, k := range m.Keys() {
				out = out.With(k, typed(m.vals[i], t.Elem))
			}
			return out
		}
	case resolve.SumTypeKind:
		return variantFromJSON(v, t.Sum)
	}
	return v
}

// variantFromJSON undoes what ToJSON does to a variant.
func variantFromJSON(v Value, of *resolve.SumType) Value {
	name, fields := v, NewMap()
	if m, ok := v.(*Map); ok {
		fields = m
		name, _ = m.Get("_type")
	}
	text, _ := name.(String)
	for _, variant := range of.Variants {
		if variant.Name != string(text) {
			continue
		}
		vals := make([]Value, len(variant.Fields))
		list, _ := fields.Get("values")
		items, _ := list.(*List)
		for i, f := range variant.Fields {
			x, ok := fields.Get(f.Name)
			if !variant.Struct {
				if ok = items != nil && items.Len() == len(vals); ok {
					x = items.items[i]
				}
			}
			if !ok {
				return v
			}
			got, ok := conform(typed(x, f.Type), f.Type)
			if !ok {
				return v
			}
			vals[i] = got
		}
		return NewVariant(variant, vals...)
	}
	return v
}
