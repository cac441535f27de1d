package resolve

import (
	"slices"

	"soma.cell/frontend/syntax"
)

// Names that stand in texts: keys of maps, options, tools, types. The runtime takes any text;
// one that surely means nothing is said.

// builtinTexts checks the literal texts among the arguments of a resolved builtin call.
func (w *walker) builtinTexts(name string, all []syntax.Expr) {
	switch name {
	case "map":
		w.repeatedKeys(all)
	case "think", "think_json":
		for _, x := range all[1:] {
			w.options(x, name, []string{"max_tokens", "timeout", "max_rounds", "tools_allowed"})
		}
	case "http_get", "http_delete":
		w.httpOptions(name, all, 1)
	case "http_post", "http_put", "http_patch":
		w.httpOptions(name, all, 2)
	case "is_a", "is_type":
		if text, ok := literalText(all[1]); ok {
			w.typeText(all[1], text)
		}
	}
}

func (w *walker) httpOptions(name string, all []syntax.Expr, at int) {
	if len(all) > at {
		w.options(all[at], name, []string{"timeout", "max_bytes", "headers"})
	}
}

// repeatedKeys warns of a literal key that map(k, v, …) names twice. Keys are text.
func (w *walker) repeatedKeys(pairs []syntax.Expr) {
	first := map[string]syntax.Expr{}
	for i := 0; i+1 < len(pairs); i += 2 {
		key, ok := keyText(pairs[i])
		if !ok {
			continue
		}
		if x := first[key]; x != nil {
			w.r.report(repeatedKey(pairs[i], key, x))
			continue
		}
		first[key] = pairs[i]
	}
}

// keyText is the key that a literal makes.
func keyText(x syntax.Expr) (string, bool) {
	if n, ok := syntax.Unparen(x).(*syntax.Int); ok {
		return n.Value.String(), true
	}
	return literalText(x)
}

// options warns of keys of a literal map that name no option.
func (w *walker) options(x syntax.Expr, name string, known []string) {
	call, ok := syntax.Unparen(x).(*syntax.Call)
	if !ok {
		return
	}
	if c := w.r.info.Calls[call]; c == nil || c.Kind != CallBuiltin || c.Builtin.Name != "map" {
		return
	}
	for i := 0; i+1 < len(call.Args); i += 2 {
		key, ok := literalText(call.Args[i])
		switch {
		case !ok:
		case key == "tools_allowed" && len(known) == 4:
			w.tools(call.Args[i+1])
		default:
			if !slices.Contains(known, key) {
				w.r.report(unknownOption(call.Args[i], name, key, known, w.r.nearest(key, these(known))))
			}
		}
	}
}

// tools wants the literal names of a list to be tools of the agent.
func (w *walker) tools(x syntax.Expr) {
	list, ok := syntax.Unparen(x).(*syntax.List)
	if !ok || w.mode == inTest {
		return
	}
	var known []string
	for _, s := range w.cell.Signals {
		if s.Tool {
			known = append(known, s.Name)
		}
	}
	for _, item := range list.Items {
		if name, ok := literalText(item); ok && !slices.Contains(known, name) {
			w.r.report(unknownTool(item, w.cell, name, w.r.nearest(name, these(known))))
		}
	}
}

// typeText warns of the name of a type that is none. Records come from outside, too, so that
// only a near name tells a mistake.
func (w *walker) typeText(x syntax.Expr, text string) {
	if _, known := builtinType(text); known || text == "Variant" || w.r.types[text] != nil || w.r.records[text] || w.r.variants[text] != nil {
		return
	}
	if guess := w.r.nearest(text, w.r.typeNames, among(w.r.variants), these([]string{"Variant"})); guess.Name != "" {
		w.r.report(unknownTypeText(x, text, guess))
	}
}

// nearVariant warns of a record that looks like a misspelled variant: its name is nearly one
// and its fields are the same.
func (w *walker) nearVariant(x *syntax.Record) {
	guess := w.r.nearest(x.Name.Name, among(w.r.variants))
	if !guess.Sure {
		return
	}
	for _, v := range w.r.variants[guess.Name] {
		given := map[string]bool{}
		for _, f := range x.Fields {
			given[f.Name.Name] = v.field(f.Name.Name) != nil
		}
		if v.Struct && len(x.Fields) == len(v.Fields) && len(v.missing(given)) == 0 {
			w.r.report(nearVariant(x.Name, guess))
			return
		}
	}
}
