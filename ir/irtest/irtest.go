// Package irtest builds small systems by hand, for tests.
package irtest

import (
	"reflect"
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Places hands out places of a made-up file, one after the other, one a line.
type Places struct {
	file *source.File
	next int
}

// NewPlaces is a made-up file of n lines.
func NewPlaces(name string, n int) *Places {
	return &Places{file: source.NewFile(name, strings.Repeat("line\n", n))}
}

// Next is the place of the next line.
func (p *Places) Next() source.Span {
	at := p.next
	p.next += len("line\n")
	return source.Span{File: p.file, Start: at, End: at + len("line")}
}

// Body builds an automaton.
type Body struct {
	*ir.Automaton
	places *Places
}

// Handler begins a handler; it is public unless its name starts with "_".
func Handler(p *Places, cell, name string, params ...*term.Term) *Body {
	a := &ir.Automaton{Cell: cell, Name: name, Public: !strings.HasPrefix(name, "_"), Params: params,
		Result: term.Opaque, Locs: int(ir.FirstLoc), Span: p.Next()}
	a.Body = p.Next()
	b := &Body{a, p}
	for _, v := range params {
		b.Vars = append(b.Vars, ir.Var{Term: v, Source: v.Name, Span: p.Next()})
	}
	return b
}

// Local declares a variable.
func (b *Body) Local(name string, s *term.Sort) *term.Term {
	v := term.Var(name, s)
	b.Vars = append(b.Vars, ir.Var{Term: v, Source: name, Span: b.places.Next()})
	return v
}

// Loc is a new location.
func (b *Body) Loc() ir.Loc {
	b.Locs++
	return ir.Loc(b.Locs - 1)
}

// Edge adds an edge; it and its effects get the next places where they have none.
func (b *Body) Edge(from, to ir.Loc, guard *term.Term, effects ...ir.Effect) *ir.Edge {
	e := &ir.Edge{From: from, To: to, Guard: guard, Effects: effects, Span: b.places.Next()}
	for _, f := range effects {
		if f.Place().IsZero() {
			at := reflect.ValueOf(f).Elem().FieldByName("At").Addr().Interface().(*ir.At)
			at.Span = b.places.Next()
		}
	}
	b.Edges = append(b.Edges, e)
	return e
}

// Do is an unconditional edge from the last location made (the entry at first) to a new one.
func (b *Body) Do(effects ...ir.Effect) ir.Loc {
	from := b.last()
	to := b.Loc()
	b.Edge(from, to, term.True, effects...)
	return to
}

// Return ends the body at the last location made.
func (b *Body) Return(effects ...ir.Effect) *ir.Automaton {
	value := term.App("unit", b.Result)
	b.Edge(b.last(), ir.Exit, term.True, append(effects, &ir.Return{Value: value})...)
	return b.Automaton
}

func (b *Body) last() ir.Loc {
	if b.Locs == int(ir.FirstLoc) {
		return ir.Entry
	}
	return ir.Loc(b.Locs - 1)
}

// Back closes a loop.
func (b *Body) Back(from, head ir.Loc, guard *term.Term, effects ...ir.Effect) *ir.Edge {
	e := b.Edge(from, head, guard, effects...)
	e.Back = true
	return e
}

// Loop declares a loop over sorted locations, the first being its head.
func (b *Body) Loop(kind ir.LoopKind, cond *term.Term, locs ...ir.Loc) *ir.Loop {
	l := &ir.Loop{Kind: kind, Head: locs[0], Test: locs[0], Body: locs, Cond: cond, Span: b.places.Next()}
	b.Loops = append(b.Loops, l)
	return l
}
