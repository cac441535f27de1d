package ir

import (
	"math/big"
	"strconv"
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/smt/term"
)

// decoder turns the wire form back into a system. The first error stays; what it could not read
// is left out, for Validate is not reached then.
type decoder struct {
	bank  *term.Bank
	files []*source.File
	sorts map[string]*term.Sort
	err   error
}

func decodeSystem(doc wireSystem) (*System, error) {
	bank, err := term.ParseBank(doc.Terms)
	if err != nil {
		return nil, errDecode(err)
	}
	d := &decoder{bank: bank, sorts: map[string]*term.Sort{}}
	for _, name := range doc.Files {
		d.files = append(d.files, source.NewFile(name, ""))
	}
	s := &System{}
	for _, c := range doc.Cells {
		s.Cells = append(s.Cells, d.cell(c))
	}
	return s, d.err
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *decoder) cell(w wireCell) *Cell {
	c := &Cell{Name: w.Name, Agent: w.Agent, Skeleton: w.Skeleton, Span: d.span(w.At)}
	for _, s := range w.Slots {
		c.Slots = append(c.Slots, &Slot{s.Name, s.List, d.sort(s.Value), s.Type, s.Attrs, s.Immutable, d.span(s.At)})
	}
	for _, r := range w.Rules {
		c.Rules = append(c.Rules, &Rule{r.Text, r.Guards, d.term(r.Cond), r.Step, r.Status, r.Size, r.Total, r.Abstract, d.span(r.At)})
	}
	c.Machine = d.machine(w.Machine)
	for _, s := range w.Signals {
		c.Signals = append(c.Signals, &Signal{s.Name, s.Tool, s.Params, s.Result, d.frame(s.Frame), s.Automaton, d.span(s.At)})
	}
	for _, l := range w.Limits {
		c.Limits = append(c.Limits, &Limit{CostKey(l.Key), d.number(l.Value), l.Text, d.span(l.At)})
	}
	for _, a := range w.Automata {
		c.Automata = append(c.Automata, d.automaton(a))
	}
	return c
}

// number reads what RatString writes; longer ones are of no use.
func (d *decoder) number(text string) *big.Rat {
	if len(text) <= 1024 && strings.Trim(text, "0123456789/") == "" {
		if r, ok := new(big.Rat).SetString(text); ok {
			return r
		}
	}
	d.fail(errBadLimit(text))
	return new(big.Rat)
}

func (d *decoder) machine(w *wireMachine) *Machine {
	if w == nil {
		return nil
	}
	m := &Machine{Name: w.Name, States: w.States, Initial: w.Initial, Span: d.span(w.At)}
	for _, x := range w.Edges {
		m.Edges = append(m.Edges, &MachineEdge{x.From, x.To, x.Guard, d.span(x.At)})
	}
	return m
}

func (d *decoder) frame(w *wireFrame) *Frame {
	if w == nil {
		return nil
	}
	items := func(list []wireFrameItem) (out []FrameItem) {
		for _, i := range list {
			out = append(out, FrameItem{i.Name, i.From, i.To, d.span(i.At)})
		}
		return out
	}
	return &Frame{items(w.Reads), items(w.Writes), items(w.Moves), items(w.Calls)}
}

func (d *decoder) automaton(w wireAutomaton) *Automaton {
	a := &Automaton{Cell: w.Cell, Name: w.Name, Kind: meaning[Kind](d, kindNames, w.Kind), Public: w.Public, Tool: w.Tool,
		Params: d.terms(w.Params), Result: d.sort(w.Result), Locs: w.Locs, Span: d.span(w.At), Body: d.span(w.Body)}
	for _, v := range w.Vars {
		a.Vars = append(a.Vars, Var{d.term(v.Term), v.Source, d.span(v.At)})
	}
	for _, x := range w.Edges {
		edge := &Edge{From: x.From, To: x.To, Guard: d.term(x.Guard), Cond: d.span(x.Cond), Subject: d.span(x.Subject), Negated: x.Negated, Back: x.Back, Span: d.span(x.At)}
		for _, f := range x.Effects {
			if effect := d.effect(f); effect != nil {
				edge.Effects = append(edge.Effects, effect)
			}
		}
		a.Edges = append(a.Edges, edge)
	}
	for _, l := range w.Loops {
		loop := &Loop{meaning[LoopKind](d, loopKindNames, l.Kind), l.Head, l.Head, l.Body, l.Bound, d.term(l.Cond), d.span(l.At)}
		if l.Test != nil {
			loop.Test = *l.Test
		}
		a.Loops = append(a.Loops, loop)
	}
	for _, s := range w.Stmts {
		a.Stmts = append(a.Stmts, Stmt{s.Loc, s.Effect, s.Behind, d.span(s.At)})
	}
	return a
}

// effect reads the fields of the effect that Do names. Fields of other effects are noticed when
// the result is written out again.
func (d *decoder) effect(w wireEffect) Effect {
	at := At{d.span(w.At), w.InGuard}
	slot := SlotRef{w.Cell, w.Slot}
	switch w.Do {
	case "bind":
		return &Bind{at, d.term(w.Var), d.term(w.Value)}
	case "havoc":
		return &Havoc{at, d.term(w.Var), meaning[Origin](d, originNames, w.Origin), w.Why, d.terms(w.Args)}
	case "read":
		return &Read{at, slot, d.term(w.Key), d.term(w.Has), d.term(w.Var)}
	case "scan":
		return &Scan{at, slot, w.What, d.term(w.Var)}
	case "write":
		return &Write{at, slot, d.term(w.Key), d.term(w.Value), d.span(w.ValueAt), w.Partial}
	case "delete":
		return &Delete{at, slot, d.term(w.Key), d.term(w.Has)}
	case "push":
		return &Push{at, slot, d.term(w.Value), d.span(w.ValueAt)}
	case "move":
		m := &Move{At: at, Cell: w.Cell, ID: d.term(w.ID), From: d.term(w.From), To: d.term(w.To), Literal: w.Literal, ToSpan: d.span(w.ToAt), FromSpan: d.span(w.FromAt)}
		for _, g := range w.Guards {
			m.Guards = append(m.Guards, EdgeGuard{g.Edge, d.term(g.Cond), g.Abstract})
		}
		return m
	case "inspect":
		return &Inspect{at, w.Cell, d.term(w.ID), w.What, d.term(w.Var)}
	case "call":
		return &Call{at, d.handler(w.Handler), d.terms(w.Args), d.term(w.Var), w.Optional, w.Via}
	case "emit":
		return &Emit{at, w.Event, d.terms(w.Args)}
	case "begin":
		return &Begin{at}
	case "commit":
		return &Commit{at}
	case "rollback":
		return &Rollback{at}
	case "act":
		a := &Act{At: at, Builtin: w.Builtin, Class: w.Class, Args: d.terms(w.Args), Sinks: w.Sinks, Result: d.term(w.Var)}
		for _, s := range w.ArgsAt {
			a.Spans = append(a.Spans, d.span(s))
		}
		for _, t := range w.Tools {
			a.Tools = append(a.Tools, d.handler(t))
		}
		return a
	case "unknown":
		return &Unknown{at, w.Why}
	case "return":
		return &Return{at, d.term(w.Value)}
	case "raise":
		return &Raise{at, w.Kind, w.Ensures, w.Refusal}
	}
	d.fail(errUnknownTag(w.Do))
	return nil
}

func (d *decoder) handler(w *wireHandler) HandlerRef {
	if w == nil {
		d.fail(errNoHandler())
		return HandlerRef{}
	}
	return HandlerRef{w.Cell, w.Name, w.Arity}
}

func (d *decoder) term(ref string) *term.Term {
	if ref == "" {
		return nil
	}
	if ref[0] == '#' {
		if i, err := strconv.Atoi(ref[1:]); err == nil {
			if t := d.bank.Term(i); t != nil {
				return t
			}
		}
	}
	d.fail(errReference(ref))
	return nil
}

func (d *decoder) terms(refs []string) (out []*term.Term) {
	for _, ref := range refs {
		out = append(out, d.term(ref))
	}
	return out
}

// sort reads a sort as that of a variable, since the notation of terms has no sorts alone.
func (d *decoder) sort(text string) *term.Sort {
	if s, ok := d.sorts[text]; ok {
		return s
	}
	t, err := term.Parse("(var x " + text + ")")
	if err != nil {
		d.fail(errSort(text, err))
		return nil
	}
	d.sorts[text] = t.Sort
	return t.Sort
}

func (d *decoder) span(w *wireSpan) source.Span {
	if w == nil {
		return source.Span{}
	}
	if w[0] < 0 || w[0] >= len(d.files) || w[1] < 0 || w[2] < w[1] {
		d.fail(errSpan(w[1], w[2]))
		return source.Span{}
	}
	return source.Span{File: d.files[w[0]], Start: w[1], End: w[2]}
}

func meaning[K ~int](d *decoder, names []string, s string) K {
	k, ok := kindOf[K](names, s)
	if !ok {
		d.fail(errUnknownName(s, names))
	}
	return k
}
