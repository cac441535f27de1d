package main

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/interp"
	"soma.cell/interp/witness"
	"soma.cell/proofs"
	"soma.cell/proofs/obligation"
	"soma.cell/smt/term"
)

// reproduced is a counterexample that a run showed.
type reproduced struct {
	id      string // of the obligation
	handler *resolve.Handler
	refusal *witness.Refusal
	claim   proofs.Claim
}

// replayer runs the program from the states of counterexamples and keeps what was refused.
type replayer struct {
	program *resolve.Program
	found   []reproduced
}

func (r *replayer) replay(ctx context.Context, s *proofs.Scene) *obligation.Counterexample {
	scene := r.scene(s)
	refusal := witness.Refuse(ctx, r.program, scene)
	if refusal == nil {
		return nil
	}
	h := r.handler(s)
	r.found = append(r.found, reproduced{s.ID, h, refusal, s.Claim})
	return counterexampleOf(refusal, h)
}

// scene is what the interpreter starts from.
func (r *replayer) scene(s *proofs.Scene) witness.Scene {
	out := witness.Scene{Claim: func(e *interp.Error) bool { return s.Claim.Is(e.Kind, e.Detail, e.Span) }}
	out.Cell, out.Handler = s.Cell, s.Handler
	out.Args = valuesOf(s.Args)
	for _, e := range s.Entries {
		slot := r.slot(e.Slot.Cell, e.Slot.Slot)
		if slot == nil {
			continue
		}
		entry := witness.Entry{Slot: slot, Key: valueOrNil(e.Key), Value: valueOrNil(e.Value)}
		if e.Absent {
			out.Absent = append(out.Absent, entry)
		} else {
			out.Entries = append(out.Entries, entry)
		}
	}
	for _, n := range s.Numbers {
		if slot := r.slot(n.Slot.Cell, n.Slot.Slot); slot != nil {
			out.Entries = append(out.Entries, others(slot, out.Entries, n)...)
		}
	}
	for _, st := range s.Status {
		if c := r.cell(st.Cell); c != nil {
			out.Status = append(out.Status, witness.Status{Machine: c.Machine, ID: st.ID, State: st.State})
		}
	}
	for _, g := range s.Given {
		v := valueOrNil(g.Value)
		if text, ok := v.(interp.String); ok && (g.Builtin == "think" || g.Builtin == "think_json") {
			out.Answers = append(out.Answers, witness.Answer{Text: string(text)})
		} else if g.Builtin != "approve" {
			out.Given = append(out.Given, interp.Given{Builtin: g.Builtin, Value: v})
		}
	}
	for _, v := range slices.Concat(out.Args, valuesOf(s.Locals)) {
		if v != nil {
			out.Likely = append(out.Likely, v)
		}
	}
	return out
}

// mostOthers bounds the entries that are stored to reach a count.
const mostOthers = 40

// others are entries under other keys, with which a slot holds as many as a scene says, or as much.
func others(slot *resolve.Slot, known []witness.Entry, n proofs.SceneNumber) []witness.Entry {
	var out []witness.Entry
	have, rest := 0, new(big.Int).Set(n.Value)
	for _, e := range known {
		if e.Slot != slot {
			continue
		}
		have++
		if v, ok := e.Value.(interp.Int); ok {
			rest.Sub(rest, v.Big())
		}
	}
	key := func() interp.Value {
		i := have + len(out)
		if slot.IsList || slot.Key != nil && slot.Key.Kind == resolve.IntType {
			return interp.NewInt(int64(i))
		}
		return interp.String(fmt.Sprint("other", i))
	}
	if n.Sum {
		return []witness.Entry{{Slot: slot, Key: key(), Value: interp.BigInt(rest)}}
	}
	for n.Value.IsInt64() && n.Value.Int64() <= mostOthers && int64(have+len(out)) < n.Value.Int64() {
		out = append(out, witness.Entry{Slot: slot, Key: key()})
	}
	return out
}

func (r *replayer) cell(name string) *resolve.Cell {
	for _, c := range r.program.Cells {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func (r *replayer) slot(cell, name string) *resolve.Slot {
	if c := r.cell(cell); c != nil {
		for _, s := range c.Slots {
			if s.Name == name {
				return s
			}
		}
	}
	return nil
}

func (r *replayer) handler(s *proofs.Scene) *resolve.Handler {
	for _, h := range r.cell(s.Cell).Handlers {
		if h.Name == s.Handler && len(h.Params) == len(s.Args) {
			return h
		}
	}
	return nil
}

func valuesOf(terms []*term.Term) []interp.Value {
	out := make([]interp.Value, len(terms))
	for i, t := range terms {
		out[i] = valueOrNil(t)
	}
	return out
}

func valueOrNil(t *term.Term) interp.Value {
	if t == nil {
		return nil
	}
	return valueOf(t)
}

// counterexampleOf is a refusal as the report shows it.
func counterexampleOf(r *witness.Refusal, h *resolve.Handler) *obligation.Counterexample {
	out := &obligation.Counterexample{Cell: r.Cell, Handler: r.Handler, Refused: r.Err.Error(), Caught: r.Caught}
	for i, p := range h.Params {
		out.Args = append(out.Args, obligation.Named{Name: p.Name, Value: literalText(r.Args[i])})
	}
	for _, e := range r.Entries {
		key := literalText(e.Key)
		if e.Slot.Key != nil && e.Slot.Key.Kind == resolve.IntType {
			key = interp.Render(e.Key)
		}
		out.Before = append(out.Before, obligation.Entry{Cell: e.Slot.Cell.Name, Slot: e.Slot.Name, Key: key, Value: literalText(e.Value)})
	}
	for _, s := range r.Status {
		out.Status = append(out.Status, obligation.Status{Cell: s.Machine.Cell.Name, ID: s.ID, State: s.State})
	}
	answer := func(name string, v interp.Value) {
		out.Answers = append(out.Answers, obligation.Named{Name: name, Value: literalText(v)})
	}
	for _, a := range r.Answers {
		answer("think", interp.String(a.Text))
	}
	for _, yes := range r.Approvals {
		answer("approve", interp.Bool(yes))
	}
	for i, v := range r.Replies {
		answer(r.Asked[i], v)
	}
	for _, g := range r.Given {
		answer(g.Builtin, g.Value)
	}
	out.Path = branchesOf(r.Path)
	return out
}

// branchesOf shows the tests of a run; a test that gives the same again stands once.
func branchesOf(path []witness.Branch) []obligation.Branch {
	var out []obligation.Branch
	for _, b := range path {
		next := obligation.Branch{At: b.At, Text: b.Word + " " + b.At.Normal(), Gives: literalText(b.Value)}
		if v, ok := b.Value.(interp.Bool); ok && b.Word != "match" {
			next.Gives = yesOrNo(bool(v))
		}
		if len(out) == 0 || out[len(out)-1] != next {
			out = append(out, next)
		}
	}
	return out
}

func yesOrNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// literalText is a value as source, or, where no literal has it, as the language shows it.
func literalText(v interp.Value) string {
	if text, ok := interp.Literal(v); ok {
		return text
	}
	return interp.Quote(v)
}
