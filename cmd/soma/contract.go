package main

import (
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// The declarations of a program in words, as describe and skeleton show them.

// kindOf is how a declaration introduces itself: "skeleton agent", "cell", …
func kindOf(d *syntax.Decl) string {
	switch d.Kind {
	case syntax.AgentCell:
		return "cell agent"
	case syntax.TypeCell:
		return "cell type"
	case syntax.TestCell:
		return "cell test"
	case syntax.Skeleton:
		return "skeleton"
	case syntax.AgentSkeleton:
		return "skeleton agent"
	case syntax.Flesh:
		return "flesh"
	}
	return "cell"
}

// signature is "name(p: T, …) -> T", without an arrow where the result is not stated.
func signature(s *resolve.Signal) string {
	text := s.Name + "(" + strings.Join(paramTexts(s.Params), ", ") + ")"
	if s.Decl.Result != nil {
		text += " -> " + s.Result.String()
	}
	return text
}

// handlerSignature is "name(p: T, …)", and the name of a timer.
func handlerSignature(h *resolve.Handler) string {
	if h.Timer != nil {
		return h.Name
	}
	return h.Name + "(" + strings.Join(paramTexts(h.Params), ", ") + ")"
}

func paramTexts(params []resolve.Param) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = p.Name + ": " + p.Type.String()
	}
	return out
}

// frameDoc is the frame of a signal, item by item as written.
type frameDoc struct {
	Reads  []string `json:"reads"`
	Writes []string `json:"writes"`
	Moves  []string `json:"moves"`
	Calls  []string `json:"calls"`
}

// frameOf is nil for a signal without a frame.
func frameOf(s *resolve.Signal) *frameDoc {
	if s.Frame == nil {
		return nil
	}
	return &frameDoc{
		Reads:  itemTexts(s.Frame.Reads, func(f resolve.FrameSlot) *syntax.ClauseItem { return f.Item }),
		Writes: itemTexts(s.Frame.Writes, func(f resolve.FrameSlot) *syntax.ClauseItem { return f.Item }),
		Moves:  itemTexts(s.Frame.Moves, func(f resolve.FrameEdge) *syntax.ClauseItem { return f.Item }),
		Calls:  itemTexts(s.Frame.Calls, func(f resolve.FrameCall) *syntax.ClauseItem { return f.Item }),
	}
}

func itemTexts[T any](list []T, item func(T) *syntax.ClauseItem) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = item(x).At.Normal()
	}
	return out
}

// clauses are the lines of a frame; an empty one says so.
func (f *frameDoc) clauses() []string {
	if f == nil {
		return []string{"no frame: anything goes"}
	}
	var out []string
	for _, c := range []struct {
		word  string
		items []string
	}{{"reads", f.Reads}, {"writes", f.Writes}, {"moves", f.Moves}, {"calls", f.Calls}} {
		if len(c.items) > 0 {
			out = append(out, c.word+" "+strings.Join(c.items, ", "))
		}
	}
	if out == nil {
		return []string{"pure: no reads, writes, moves or calls"}
	}
	return out
}

// slotType is the type of a slot as written, on one line.
func slotType(s *resolve.Slot) string { return s.Decl.Type.At.Normal() }

// slotAttributes are the attributes of a slot as written.
func slotAttributes(s *resolve.Slot) []string {
	out := []string{}
	for _, a := range s.Decl.Attrs {
		out = append(out, a.At.Normal())
	}
	return out
}

// slotText is "name: Type [attributes]".
func slotText(name, typ string, attributes []string) string {
	text := name + ": " + typ
	if len(attributes) > 0 {
		text += " [" + strings.Join(attributes, ", ") + "]"
	}
	return text
}
