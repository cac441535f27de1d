package progen

import (
	"maps"
	"slices"
	"strings"
)

// effects is what a body does, as far as frames speak of it.
type effects struct {
	reads, writes, calls map[string]bool
	moves                map[edge]bool
	inspects             bool // reads the machine of the cell
	thinks               bool // it, or what it calls, asks the model
}

func newEffects() *effects {
	return &effects{reads: map[string]bool{}, writes: map[string]bool{}, calls: map[string]bool{}, moves: map[edge]bool{}}
}

// add counts the effects of a private handler as the caller's own.
func (e *effects) add(f *effects) {
	maps.Copy(e.reads, f.reads)
	maps.Copy(e.writes, f.writes)
	maps.Copy(e.calls, f.calls)
	maps.Copy(e.moves, f.moves)
	e.inspects = e.inspects || f.inspects
	e.thinks = e.thinks || f.thinks
}

// clauses are the lines of the frame of a signal of the cell that has just these effects.
func (e *effects) clauses(c *cell) []string {
	reads := map[string]bool{}
	for s := range e.reads {
		if !e.writes[s] {
			reads[s] = true
		}
	}
	if e.inspects && len(e.moves) == 0 && c.machine != nil {
		reads[c.machine.name] = true
	}
	moves := map[string]bool{}
	for m := range e.moves {
		moves[m.from+" -> "+m.to] = true
	}
	var out []string
	for _, clause := range []struct {
		word  string
		items map[string]bool
	}{{"reads", reads}, {"writes", e.writes}, {"moves", moves}, {"calls", e.calls}} {
		if len(clause.items) > 0 {
			out = append(out, clause.word+" "+strings.Join(slices.Sorted(maps.Keys(clause.items)), ", "))
		}
	}
	return out
}

// The methods below note an effect of the body that is being drawn.

func (g *gen) reads(s *slot) string  { g.fx.reads[s.name] = true; return s.name }
func (g *gen) writes(s *slot) string { g.fx.writes[s.name] = true; return s.name }

// effect notes the call of a builtin that has one.
func (g *gen) effect(name string) string {
	g.fx.calls[name] = true
	if name == "think" || name == "think_json" {
		g.fx.thinks = true
	}
	return name
}
