// Package frame holds bodies to the frames of their signals.
//
// A frame is judged on the body itself: what a callee does is the business of the callee's own
// frame. Private handlers have none, so what they do counts as done by each caller. The effects
// are those of the transition system, every one on every edge, reachable or not.
package frame

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// Targets gives the states that a computed target can take, or nil when any. It may leave out a
// state only where that is proven.
type Targets func(*ir.Automaton, *ir.Move) []string

// Check judges every framed signal, and the timers of skeletons, which may only call signals of
// the face. The system must be valid. A body outside its frame is an error at the offending
// place; a frame wider than its body, or one that cannot be judged, is a warning. There is one
// obligation for each framed signal, in the order of the system. With nil targets a computed
// target takes every edge; what is proven only by finer targets is trusted to them.
func Check(s *ir.System, targets Targets) ([]diag.Diagnostic, []obligation.Obligation) {
	graph := effects.NewGraph(s)
	var found []diag.Diagnostic
	var obligations []obligation.Obligation
	for _, c := range s.Cells {
		number := map[string]int{}
		for _, signal := range c.Signals {
			if signal.Frame == nil {
				continue
			}
			number[signal.Automaton]++
			j := judge(s, graph, c, signal, targets)
			found = append(found, j.found...)
			o := j.obligation(number[signal.Automaton])
			if o.Verdict == obligation.Proven && targets != nil && judge(s, graph, c, signal, nil).failed != "" {
				o.Evidence.Class = obligation.EngineTrusted
			}
			obligations = append(obligations, o)
		}
		if c.Skeleton {
			found = append(found, timers(c)...)
		}
	}
	return diag.Sort(found), obligations
}

// judgement is what was found about one signal.
type judgement struct {
	system  *ir.System
	cell    *ir.Cell
	signal  *ir.Signal
	body    []act
	self    ir.HandlerRef
	targets Targets
	used    map[item]bool // entries of the frame that the body needs
	edited  map[item]bool // entries whose addition some diagnostic already holds
	found   []diag.Diagnostic
	failed  string // the first error
	unknown string // why the body is not known
}

// item is an entry of a clause, as written: {"moves", "open -> sent"}.
type item struct{ clause, text string }

func judge(s *ir.System, g *effects.Graph, c *ir.Cell, signal *ir.Signal, targets Targets) *judgement {
	self := ir.HandlerRef{Cell: c.Name, Handler: signal.Automaton, Arity: len(signal.Params)}
	j := &judgement{system: s, cell: c, signal: signal, self: self, targets: targets, body: body(g, s.Handler(self)),
		used: map[item]bool{}, edited: map[item]bool{}}
	written := j.written()
	delegated := map[source.Span]bool{}
	for _, a := range j.body {
		j.act(a, written, delegated)
	}
	if j.unknown == "" {
		j.wider()
	}
	return j
}

// act is an effect of a body, or of a private handler that the body runs.
type act struct {
	ir.Effect
	owner *ir.Automaton
	calls []diag.Note // how the body comes to run the owner
}

// body lists the effects of an automaton and of the private handlers it runs, each once, by the
// first chain of calls that leads there.
func body(g *effects.Graph, a *ir.Automaton) []act {
	type visit struct {
		*ir.Automaton
		calls []diag.Note
	}
	var out []act
	seen := map[*ir.Automaton]bool{a: true}
	queue := []visit{{a, nil}}
	for next := 0; next < len(queue); next++ {
		v := queue[next]
		for _, e := range v.Edges {
			for _, f := range e.Effects {
				out = append(out, act{f, v.Automaton, v.calls})
				call, ok := f.(*ir.Call)
				if !ok {
					continue
				}
				callee := g.Automata[g.Find(call.Handler)]
				if private(callee) && !seen[callee] {
					seen[callee] = true
					calls := append(v.calls[:len(v.calls):len(v.calls)], diag.Note{Message: noteCalled(callee), Span: call.Span})
					queue = append(queue, visit{callee, calls})
				}
			}
		}
	}
	return out
}

func private(a *ir.Automaton) bool { return a.Kind == ir.Handler && !a.Public }

// written are the slots that the body writes.
func (j *judgement) written() map[ir.SlotRef]bool {
	out := map[ir.SlotRef]bool{}
	for _, a := range j.body {
		if s, ok := writtenSlot(a.Effect); ok {
			out[s] = true
		}
	}
	return out
}

func writtenSlot(f ir.Effect) (ir.SlotRef, bool) {
	switch f := f.(type) {
	case *ir.Write:
		return f.Slot, true
	case *ir.Push:
		return f.Slot, true
	case *ir.Delete:
		return f.Slot, true
	}
	return ir.SlotRef{}, false
}

// act judges one effect. What the guard of a declared edge reads and asks needs no clause.
func (j *judgement) act(a act, written map[ir.SlotRef]bool, delegated map[source.Span]bool) {
	if a.Where().InGuard && j.guard(a) {
		return
	}
	if s, ok := writtenSlot(a.Effect); ok {
		j.write(a, s)
		return
	}
	switch f := a.Effect.(type) {
	case *ir.Read:
		j.read(a, f.Slot, written)
	case *ir.Scan:
		j.read(a, f.Slot, written)
	case *ir.Move:
		j.move(a, f)
	case *ir.Inspect:
		j.inspect(a, f)
	case *ir.Call:
		j.call(a, f)
	case *ir.Emit:
		j.calls(a, "emit", verbEmits(f.Event))
	case *ir.Act:
		delegated[f.Span] = f.Builtin == "delegate"
		j.calls(a, f.Builtin, verbCalls(f.Builtin))
	case *ir.Unknown:
		if !delegated[f.Span] { // what a delegate runs has frames of its own
			j.giveUp(a, f)
		}
	}
}

// obligation is the claim with its verdict; n counts the signals of one handler name.
func (j *judgement) obligation(n int) obligation.Obligation {
	o := obligation.Obligation{
		ID:      cert.ID(j.cell.Name, j.signal.Automaton, cert.Frame, n),
		Kind:    obligation.Frame,
		Cell:    j.cell.Name,
		Handler: j.signal.Automaton,
		Claim:   cert.ClaimFrame(j.signal.Name),
		Span:    j.signal.Span,
	}
	switch {
	case j.failed != "":
		o.Verdict, o.Reason = obligation.Refuted, j.failed
	case j.unknown != "":
		o.Reason = j.unknown
	default:
		o.Verdict = obligation.Proven
		o.Evidence = obligation.Evidence{Class: obligation.KernelChecked, Rule: string(cert.ByFrame)}
	}
	return o
}
