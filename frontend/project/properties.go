package project

import (
	"strings"

	"github.com/BurntSushi/toml"

	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// builder turns a decoded soma.toml into a Manifest.
type builder struct {
	path   string
	file   *source.File
	table  *table
	meta   toml.MetaData
	places map[string]source.Span // of dotted keys
}

// span is the place of a key, or of the nearest table around it that was found.
func (b *builder) span(key ...string) source.Span {
	for n := len(key); n > 0; n-- {
		if at, ok := b.places[strings.Join(key[:n], "\x00")]; ok {
			return at
		}
	}
	return source.Span{File: b.file}
}

func (b *builder) position(key ...string) source.Position { return b.span(key...).From() }

// elsewhere tells whether a table belongs to other tools: it is known and unused here.
func elsewhere(table string) bool {
	switch table {
	case "dependencies", "models", "peers", "bus", "compute", "cluster":
		return true
	}
	return false
}

// verify fills the properties in the order in which the file states them.
func (b *builder) verify(v *Verify) error {
	t := &b.table.Verify
	for _, key := range b.meta.Keys() {
		if len(key) < 2 || key[0] != "verify" {
			continue
		}
		var err error
		switch {
		case len(key) == 2:
			err = b.flat(v, key)
		case len(key) == 3 && key[1] == "rules":
			v.Rules = append(v.Rules, Rule{Name: key[2], Formula: t.Rules[key[2]], At: b.span(key...)})
		case len(key) == 3 && key[1] == "fairness" && key[2] == "strong":
			err = b.fair(v, key, t.Fairness.Strong, true)
		case len(key) == 3 && key[1] == "fairness":
			err = b.fair(v, key, t.Fairness.Weak, false)
		case len(key) >= 4 && b.meta.Type(key...) == "Array":
			err = b.conditional(v, key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// flat reads a key that stands directly in [verify].
func (b *builder) flat(v *Verify, key toml.Key) error {
	t := &b.table.Verify
	switch key[1] {
	case "cells":
		v.CellsAt = b.span(key...)
		for _, name := range t.Cells {
			v.Cells = append(v.Cells, Name{Name: name, At: v.CellsAt})
		}
		return b.nonEmpty(key, t.Cells)
	case "deadlock_free":
		v.DeadlockFree = t.DeadlockFree
	case "eventually":
		return b.states(v, key, syntax.PropEventually, "", t.Eventually)
	case "always":
		return b.states(v, key, syntax.PropAlways, "", t.Always)
	case "never":
		return b.states(v, key, syntax.PropNever, "", t.Never)
	case "ctl":
		at := b.span(key...)
		for _, formula := range t.CTL {
			v.Props = append(v.Props, &syntax.Prop{Place: syntax.Place{At: at}, Kind: syntax.PropCTL, CTL: formula, CTLAt: at})
		}
		return b.nonEmpty(key, t.CTL)
	}
	return nil
}

// conditional reads a key of [verify.after.X] or [verify.before.X].
func (b *builder) conditional(v *Verify, key toml.Key) error {
	last := len(key) - 1
	subject := strings.Join(key[2:last], ".")
	switch key[1] + "." + key[last] {
	case "after.eventually":
		return b.states(v, key, syntax.PropAfterEventually, subject, b.table.Verify.After.list(key[2:]))
	case "after.never":
		return b.states(v, key, syntax.PropAfterNever, subject, b.table.Verify.After.list(key[2:]))
	case "before.requires":
		return b.states(v, key, syntax.PropBeforeRequires, subject, b.table.Verify.Before.list(key[2:]))
	case "before.requires_all":
		return b.states(v, key, syntax.PropBeforeRequiresAll, subject, b.table.Verify.Before.list(key[2:]))
	}
	return nil
}

// list is the list of strings that a key holds.
func (s subjects) list(key toml.Key) []string {
	value := any(map[string]any(s))
	for _, part := range key {
		value = value.(map[string]any)[part]
	}
	var out []string
	for _, item := range value.([]any) {
		out = append(out, item.(string))
	}
	return out
}

// states adds a property over a list of states.
func (b *builder) states(v *Verify, key toml.Key, kind syntax.PropKind, subject string, states []string) error {
	place := syntax.Place{At: b.span(key...)}
	p := &syntax.Prop{Place: place, Kind: kind}
	if subject != "" {
		p.Subject = &syntax.Ident{Place: place, Name: subject}
	}
	for _, s := range states {
		p.States = append(p.States, syntax.Ident{Place: place, Name: s})
	}
	v.Props = append(v.Props, p)
	return b.nonEmpty(key, states)
}

// fair adds fairness assumptions: the name of a handler, or an edge a -> b.
func (b *builder) fair(v *Verify, key toml.Key, list []string, strong bool) error {
	place := syntax.Place{At: b.span(key...)}
	for _, text := range list {
		p := &syntax.Prop{Place: place, Kind: syntax.PropFair, Strong: strong}
		from, to, isEdge := strings.Cut(text, "->")
		from, to = strings.TrimSpace(from), strings.TrimSpace(to)
		switch {
		case from == "" || isEdge && to == "" || strings.ContainsAny(from+to, " \t->"):
			return badFairness(b.path, b.position(key...), text)
		case isEdge:
			p.Edge = [2]syntax.Ident{{Place: place, Name: from}, {Place: place, Name: to}}
		default:
			p.Handler = &syntax.Ident{Place: place, Name: from}
		}
		v.Props = append(v.Props, p)
	}
	return b.nonEmpty(key, list)
}

func (b *builder) nonEmpty(key toml.Key, list []string) error {
	if len(list) > 0 {
		return nil
	}
	return emptyList(b.path, b.position(key...), key.String())
}
