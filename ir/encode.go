package ir

import (
	"strconv"

	"soma.cell/frontend/source"
	"soma.cell/smt/term"
)

// encoder turns a system into its wire form. The first error stays.
type encoder struct {
	bank  *term.Bank
	names []string
	files map[*source.File]int
	err   error
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

func (e *encoder) system(s *System) wireSystem {
	doc := wireSystem{Files: []string{}, Terms: []string{}, Cells: []wireCell{}}
	for _, c := range s.Cells {
		doc.Cells = append(doc.Cells, e.cell(c))
	}
	doc.Files = append(doc.Files, e.names...)
	doc.Terms = append(doc.Terms, e.bank.Nodes()...)
	return doc
}

func (e *encoder) cell(c *Cell) wireCell {
	w := wireCell{Name: c.Name, Agent: c.Agent, Skeleton: c.Skeleton, At: e.span(c.Span)}
	for _, s := range c.Slots {
		w.Slots = append(w.Slots, wireSlot{s.Name, s.IsList, e.sort(s.Value), s.Type, s.Attrs, s.Immutable, e.span(s.Span)})
	}
	for _, r := range c.Rules {
		w.Rules = append(w.Rules, wireRule{r.Text, r.Guards, e.term(r.Cond), r.Step, r.Status, r.Size, r.Total, r.Abstract, e.span(r.Span)})
	}
	w.Machine = e.machine(c.Machine)
	for _, s := range c.Signals {
		w.Signals = append(w.Signals, wireSignal{s.Name, s.Tool, s.Params, s.Result, e.frame(s.Frame), s.Automaton, e.span(s.Span)})
	}
	for _, l := range c.Limits {
		w.Limits = append(w.Limits, wireLimit{string(l.Key), l.Value.RatString(), l.Text, e.span(l.Span)})
	}
	for _, a := range c.Automata {
		w.Automata = append(w.Automata, e.automaton(a))
	}
	return w
}

func (e *encoder) machine(m *Machine) *wireMachine {
	if m == nil {
		return nil
	}
	w := &wireMachine{Name: m.Name, States: m.States, Initial: m.Initial, At: e.span(m.Span)}
	for _, x := range m.Edges {
		w.Edges = append(w.Edges, wireMachineEdge{x.From, x.To, x.Guard, e.span(x.Span)})
	}
	return w
}

func (e *encoder) frame(f *Frame) *wireFrame {
	if f == nil {
		return nil
	}
	items := func(list []FrameItem) (out []wireFrameItem) {
		for _, i := range list {
			out = append(out, wireFrameItem{i.Name, i.From, i.To, e.span(i.Span)})
		}
		return out
	}
	return &wireFrame{items(f.Reads), items(f.Writes), items(f.Moves), items(f.Calls)}
}

func (e *encoder) automaton(a *Automaton) wireAutomaton {
	w := wireAutomaton{Cell: a.Cell, Name: a.Name, Public: a.Public, Tool: a.Tool, Params: e.terms(a.Params),
		Result: e.sort(a.Result), Locs: a.Locs, At: e.span(a.Span), Body: e.span(a.Body)}
	w.Kind = named(e, kindNames, a.Kind)
	for _, v := range a.Vars {
		w.Vars = append(w.Vars, wireVar{e.term(v.Term), v.Source, e.span(v.Span)})
	}
	for _, x := range a.Edges {
		edge := wireEdge{From: x.From, To: x.To, Guard: e.term(x.Guard), Cond: e.span(x.Cond), Subject: e.span(x.Subject), Negated: x.Negated, Back: x.Back, At: e.span(x.Span)}
		for _, f := range x.Effects {
			edge.Effects = append(edge.Effects, e.effect(f))
		}
		w.Edges = append(w.Edges, edge)
	}
	for _, l := range a.Loops {
		w.Loops = append(w.Loops, e.loop(l))
	}
	for _, s := range a.Stmts {
		w.Stmts = append(w.Stmts, wireStmt{s.Loc, s.Effect, s.Behind, e.span(s.Span)})
	}
	return w
}

func (e *encoder) loop(l *Loop) wireLoop {
	w := wireLoop{Kind: named(e, loopKindNames, l.Kind), Head: l.Head, Body: l.Body, Bound: l.Bound, Cond: e.term(l.Cond), At: e.span(l.Span)}
	if l.Test != l.Head {
		w.Test = &l.Test
	}
	return w
}

func (e *encoder) effect(x Effect) wireEffect {
	if x == nil {
		e.fail(errUnknownEffect())
		return wireEffect{}
	}
	w := e.fields(x)
	w.At, w.InGuard = e.span(x.Place()), x.Where().InGuard
	return w
}

// fields are those of the effect's own kind.
func (e *encoder) fields(x Effect) wireEffect {
	switch x := x.(type) {
	case *Bind:
		return wireEffect{Do: "bind", Var: e.term(x.Var), Value: e.term(x.Value)}
	case *Havoc:
		return wireEffect{Do: "havoc", Var: e.term(x.Var), Origin: named(e, originNames, x.Origin), Why: x.Why, Args: e.terms(x.From)}
	case *Read:
		return wireEffect{Do: "read", Cell: x.Slot.Cell, Slot: x.Slot.Slot, Key: e.term(x.Key), Has: e.term(x.Has), Var: e.term(x.Val)}
	case *Scan:
		return wireEffect{Do: "scan", Cell: x.Slot.Cell, Slot: x.Slot.Slot, What: x.What, Var: e.term(x.Var)}
	case *Write:
		return wireEffect{Do: "write", Cell: x.Slot.Cell, Slot: x.Slot.Slot, Key: e.term(x.Key), Value: e.term(x.Value), ValueAt: e.span(x.ValueSpan), Partial: x.Partial}
	case *Delete:
		return wireEffect{Do: "delete", Cell: x.Slot.Cell, Slot: x.Slot.Slot, Key: e.term(x.Key), Has: e.term(x.Had)}
	case *Push:
		return wireEffect{Do: "push", Cell: x.Slot.Cell, Slot: x.Slot.Slot, Value: e.term(x.Value), ValueAt: e.span(x.ValueSpan)}
	case *Move:
		w := wireEffect{Do: "move", Cell: x.Cell, ID: e.term(x.ID), From: e.term(x.From), To: e.term(x.To), Literal: x.Literal, ToAt: e.span(x.ToSpan), FromAt: e.span(x.FromSpan)}
		for _, g := range x.Guards {
			w.Guards = append(w.Guards, wireGuard{g.Edge, e.term(g.Cond), g.Abstract})
		}
		return w
	case *Inspect:
		return wireEffect{Do: "inspect", Cell: x.Cell, ID: e.term(x.ID), What: x.What, Var: e.term(x.Var)}
	case *Call:
		return wireEffect{Do: "call", Handler: encodeHandler(x.Handler), Args: e.terms(x.Args), Var: e.term(x.Result), Optional: x.Optional, Via: x.Via}
	case *Emit:
		return wireEffect{Do: "emit", Event: x.Event, Args: e.terms(x.Args)}
	case *Begin:
		return wireEffect{Do: "begin"}
	case *Commit:
		return wireEffect{Do: "commit"}
	case *Rollback:
		return wireEffect{Do: "rollback"}
	case *Act:
		w := wireEffect{Do: "act", Builtin: x.Builtin, Class: x.Class, Args: e.terms(x.Args), Sinks: x.Sinks, Var: e.term(x.Result)}
		for _, s := range x.Spans {
			w.ArgsAt = append(w.ArgsAt, e.span(s))
		}
		for _, t := range x.Tools {
			w.Tools = append(w.Tools, encodeHandler(t))
		}
		return w
	case *Unknown:
		return wireEffect{Do: "unknown", Why: x.Why}
	case *Return:
		return wireEffect{Do: "return", Value: e.term(x.Value)}
	case *Raise:
		return wireEffect{Do: "raise", Kind: x.Kind, Ensures: x.Ensures, Refusal: x.Refusal}
	}
	e.fail(errUnknownEffect())
	return wireEffect{}
}

func encodeHandler(h HandlerRef) *wireHandler { return &wireHandler{h.Cell, h.Handler, h.Arity} }

// term enters a term in the table and gives its reference, "" for none.
func (e *encoder) term(t *term.Term) string {
	if t == nil {
		return ""
	}
	if err := term.Check(t); err != nil {
		e.fail(errEncode(err))
		return ""
	}
	return "#" + strconv.Itoa(e.bank.Add(t))
}

// terms gives nothing where a term is missing in the list only by failing.
func (e *encoder) terms(ts []*term.Term) (out []string) {
	for _, t := range ts {
		if t == nil {
			e.fail(errNoTerm("a list of terms"))
		}
		out = append(out, e.term(t))
	}
	return out
}

func (e *encoder) sort(s *term.Sort) string {
	if err := s.Check(); err != nil {
		e.fail(errEncode(err))
		return ""
	}
	return s.String()
}

func (e *encoder) span(s source.Span) *wireSpan {
	if s.IsZero() {
		return nil
	}
	if s.Start < 0 || s.End < s.Start {
		e.fail(errSpan(s.Start, s.End))
	}
	i, ok := e.files[s.File]
	if !ok {
		i = len(e.names)
		e.files[s.File] = i
		e.names = append(e.names, s.File.Name)
	}
	return &wireSpan{i, s.Start, s.End}
}

func named[K ~int](e *encoder, names []string, k K) string {
	s, ok := word(names, k)
	if !ok {
		e.fail(errUnknownKind(int(k)))
	}
	return s
}
