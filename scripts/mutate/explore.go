package main

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
)

const (
	depth       = 4       // of calls from the initial state
	stepsOfCall = 100_000 // evaluated nodes
	callsOfNode = 60      // from one state
	large       = 100     // a literal from which on a loop may be long
)

// explorer searches for a run that breaks a claim: breadth first over the states of a program,
// with small values and the literals of the program as arguments, and answers of a model that
// are drawn from the same.
type explorer struct {
	claims  *claims
	world   *interp.World
	rand    *rand.Rand
	ints    []interp.Value
	texts   []interp.Value
	entered map[[2]string]bool
	broken  string
}

// explore makes at most so many calls. It gives the first claim that a run breaks, and the run.
func explore(c *claims, calls int) (broken string, made int) {
	e := &explorer{claims: c, rand: rand.New(rand.NewPCG(1, 0))}
	e.literals()
	e.world = interp.New(c.program.resolved, interp.Options{
		Model: e, Network: interp.NetworkFunc(func(interp.Fetch) interp.Value { return e.value(resolve.Any, 2) }),
		Approve: func(string) bool { return e.rand.IntN(2) == 0 },
		Print:   func(string) {}, Trace: e.step, Steps: stepsOfCall,
	})
	type node struct {
		state *interp.Snapshot
		path  []string
	}
	queue := []node{{state: e.world.Snapshot()}}
	seen := map[string]bool{}
	var public []*resolve.Handler
	for _, cell := range c.program.resolved.Cells {
		for _, h := range cell.Handlers {
			if h.Public {
				public = append(public, h)
			}
		}
	}
	for len(queue) > 0 && len(public) > 0 && made < calls {
		n := queue[0]
		queue = queue[1:]
		each := max(1, callsOfNode/len(public))
		for _, h := range public {
			for range each {
				if len(h.Params) == 0 && each > 3 {
					each = 3
				}
				e.world.Restore(n.state)
				text := e.call(h)
				made++
				path := append(slices.Clip(n.path), text)
				if e.broken != "" {
					return fmt.Sprintf("%s, broken by %s", e.broken, strings.Join(path, "; ")), made
				}
				if _, all := e.world.Digest(); !seen[all] && len(path) < depth {
					seen[all] = true
					queue = append(queue, node{e.world.Snapshot(), path})
				}
			}
		}
	}
	return "", made
}

// call makes a call of a handler and gives it as text.
func (e *explorer) call(h *resolve.Handler) string {
	var args []interp.Value
	var shown []string
	for _, p := range h.Params {
		args = append(args, e.value(p.Type, 2))
		shown = append(shown, interp.Quote(args[len(args)-1]))
	}
	e.entered = map[[2]string]bool{}
	_, err := e.world.Call(context.Background(), h.Cell.Name, h.Name, args)
	if raised, ok := err.(*interp.Error); ok {
		e.blame(e.claims.raised(raised, e.entered))
	}
	for _, m := range e.world.Moves() {
		e.blame(e.claims.moved(m.Machine.Cell.Name, m.From, m.To, true))
	}
	return fmt.Sprintf("%s.%s(%s)", h.Cell.Name, h.Name, strings.Join(shown, ", "))
}

// step looks at what happens inside a call, under a try too.
func (e *explorer) step(s interp.Step) {
	switch s.Kind {
	case interp.StepEnter:
		e.entered[[2]string{s.Cell, s.Name}] = true
	case interp.StepMove:
		e.blame(e.claims.moved(s.Cell, s.From, s.To, false))
	}
	if s.Raised != nil {
		e.blame(e.claims.raised(s.Raised, e.entered))
	}
}

func (e *explorer) blame(claim string) {
	if e.broken == "" {
		e.broken = claim
	}
}

// literals gathers the values worth trying: small ones, and those of the program with their
// neighbours.
func (e *explorer) literals() {
	ints := []int64{-1, 0, 1, 2, 3}
	texts := []string{"a", "b", ""}
	e.claims.small = true
	see := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Int:
			if n.Value.CmpAbs(big.NewInt(large)) > 0 {
				e.claims.small = false
			}
			for d := int64(-1); n.Value.IsInt64() && d <= 1 && len(ints) < 24; d++ {
				if v := n.Value.Int64() + d; !slices.Contains(ints, v) {
					ints = append(ints, v)
				}
			}
		case *syntax.String:
			if s, plain := n.Literal(); plain && len(texts) < 16 && len(s) < 20 && !slices.Contains(texts, s) {
				texts = append(texts, s)
			}
		}
		return true
	}
	for _, f := range e.claims.program.resolved.Files {
		for _, d := range f.Decls {
			for _, m := range d.Memory {
				for _, r := range m.Invariants {
					syntax.Inspect(r.Cond, see)
				}
			}
			for _, h := range d.Handlers {
				syntax.Inspect(h.Body, see)
			}
		}
	}
	for _, n := range ints {
		e.ints = append(e.ints, interp.NewInt(n))
	}
	for _, s := range append(texts, oddText) {
		e.texts = append(e.texts, interp.String(s))
	}
}

func (e *explorer) pick(from []interp.Value) interp.Value {
	if e.rand.IntN(2) == 0 { // what memory holds meets itself
		return from[e.rand.IntN(min(3, len(from)))]
	}
	return from[e.rand.IntN(len(from))]
}

// value draws a value of a type.
func (e *explorer) value(t *resolve.Type, deep int) interp.Value {
	part := func(t *resolve.Type) *resolve.Type {
		if t == nil {
			return resolve.Any
		}
		return t
	}
	switch t.Kind {
	case resolve.IntType:
		return e.pick(e.ints)
	case resolve.FloatType:
		f := []float64{0, 1, -1, 0.5, 2.5, 100, math.Inf(1), math.NaN()}
		return interp.Float(f[e.rand.IntN(len(f))])
	case resolve.StringType:
		return e.pick(e.texts)
	case resolve.BoolType:
		return interp.Bool(e.rand.IntN(2) == 0)
	case resolve.ListType:
		var items []interp.Value
		for range e.rand.IntN(deep + 1) {
			items = append(items, e.value(part(t.Elem), deep-1))
		}
		return interp.NewList(items...)
	case resolve.MapType, resolve.RecordType:
		m := interp.NewMap()
		for range e.rand.IntN(deep + 1) {
			key := e.texts[e.rand.IntN(len(e.texts))].(interp.String)
			m = m.With(string(key), e.value(part(t.Elem), deep-1))
		}
		return m
	case resolve.SumTypeKind:
		v := t.Sum.Variants[0]
		if deep > 0 {
			v = t.Sum.Variants[e.rand.IntN(len(t.Sum.Variants))]
		}
		var fields []interp.Value
		for _, f := range v.Fields {
			fields = append(fields, e.value(f.Type, deep-1))
		}
		return interp.NewVariant(v, fields...)
	case resolve.UnitType:
		return interp.Unit{}
	}
	return e.pick([]interp.Value{e.pick(e.ints), e.pick(e.texts), interp.Bool(true), interp.Unit{}})
}

// Think calls a tool now and then, and answers one of the texts.
func (e *explorer) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	for range e.rand.IntN(3) {
		if len(r.Tools) == 0 {
			break
		}
		tool := r.Tools[e.rand.IntN(len(r.Tools))]
		var args []interp.Value
		for _, p := range tool.Params {
			args = append(args, e.value(p.Type, 2))
		}
		if _, err := tool.Call(args); err != nil {
			if raised, ok := err.(*interp.Error); ok && raised.Final {
				return interp.Reply{}, err
			}
		}
	}
	if r.JSON {
		return interp.Reply{Text: interp.ToJSON(e.value(&resolve.Type{Kind: resolve.MapType}, 2)), Tokens: 1}, nil
	}
	return interp.Reply{Text: interp.Render(e.pick(e.texts)), Tokens: 1}, nil
}
