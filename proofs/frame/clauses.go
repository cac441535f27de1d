package frame

import (
	"slices"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/smt/term"
)

// One method a clause. Each marks the entries of the frame that allow the effect as used, or
// reports the entries that are missing.

func (j *judgement) has(list []ir.FrameItem, name string) bool {
	return slices.ContainsFunc(list, func(i ir.FrameItem) bool { return i.Name == name })
}

// use marks an entry and tells whether it is there.
func (j *judgement) use(clause string, list []ir.FrameItem, name string) bool {
	if !j.has(list, name) {
		return false
	}
	j.used[item{clause, name}] = true
	return true
}

// read is allowed by reads and by writes. Where the body also writes the slot, a missing clause
// is reported there: adding it allows the read.
func (j *judgement) read(a act, s ir.SlotRef, written map[ir.SlotRef]bool) {
	if s.Cell != j.cell.Name {
		j.foreign(a, diag.FrameRead, verbReads(s.Cell+"."+s.Slot), s.Cell)
		return
	}
	if j.use("reads", j.signal.Frame.Reads, s.Slot) || j.has(j.signal.Frame.Writes, s.Slot) || written[s] {
		return
	}
	j.missing(a, diag.FrameRead, verbReads(s.Slot), "reads", s.Slot)
}

func (j *judgement) write(a act, s ir.SlotRef) {
	if s.Cell != j.cell.Name {
		j.foreign(a, diag.FrameWrite, verbWrites(s.Cell+"."+s.Slot), s.Cell)
		return
	}
	if !j.use("writes", j.signal.Frame.Writes, s.Slot) {
		j.missing(a, diag.FrameWrite, verbWrites(s.Slot), "writes", s.Slot)
	}
}

// inspect is allowed to a signal that moves the machine, and by reads.
func (j *judgement) inspect(a act, f *ir.Inspect) {
	m := j.system.MachineOf(j.cell)
	if m == nil || m.Name != f.Cell {
		j.foreign(a, diag.FrameRead, verbInspects(j.system.Find(f.Cell).Machine.Name), f.Cell)
		return
	}
	name := m.Machine.Name
	if j.use("reads", j.signal.Frame.Reads, name) || len(j.signal.Frame.Moves) > 0 {
		return
	}
	j.missing(a, diag.FrameRead, verbInspects(name), "reads", name)
}

// move needs every declared edge that it may take.
func (j *judgement) move(a act, f *ir.Move) {
	m := j.system.MachineOf(j.cell)
	if m == nil || m.Name != f.Cell {
		j.foreign(a, diag.FrameMove, verbMoves(j.system.Find(f.Cell).Machine.Name, nil), f.Cell)
		return
	}
	var missing []*ir.MachineEdge
	for _, e := range j.taken(a.owner, f, m.Machine) {
		allowed := slices.ContainsFunc(j.signal.Frame.Moves, func(i ir.FrameItem) bool { return i.From == e.From && i.To == e.To })
		if !allowed {
			missing = append(missing, e)
		}
		j.used[item{"moves", edgeText(e)}] = true
	}
	if len(missing) == 0 {
		return
	}
	var texts []string
	for _, e := range missing {
		texts = append(texts, edgeText(e))
	}
	j.missing(a, diag.FrameMove, verbMoves(m.Machine.Name, missing), "moves", texts...)
}

// taken are the declared edges that a move may take.
func (j *judgement) taken(owner *ir.Automaton, f *ir.Move, m *ir.Machine) []*ir.MachineEdge {
	var states []string
	if f.To.Op != term.OpString && j.targets != nil {
		states = j.targets(owner, f)
	}
	from, to := effects.Literal(f.From), effects.Literal(f.To)
	var out []*ir.MachineEdge
	for _, e := range m.Edges {
		switch {
		case from != effects.Any && e.From != from:
		case to != effects.Any && e.To != to:
		case states != nil && !slices.Contains(states, e.To):
		default:
			out = append(out, e)
		}
	}
	return out
}

// call is allowed by the name of the handler. A body may call itself, private handlers, and as
// tools or listeners what think and emit run: these have frames of their own.
func (j *judgement) call(a act, f *ir.Call) {
	callee := j.system.Handler(f.Handler)
	if private(callee) || f.Handler == j.self || f.Via == "emit" || f.Via == "tool" {
		return
	}
	if f.Via == "delegate" && f.Optional { // its name is computed
		j.calls(a, "delegate", verbCalls("delegate"))
		return
	}
	name, qualified := f.Handler.Handler, f.Handler.Cell+"."+f.Handler.Handler
	if f.Handler.Cell != j.cell.Name {
		name = qualified
	} else if j.use("calls", j.signal.Frame.Calls, qualified) {
		return
	}
	j.calls(a, name, verbCalls(name))
}

func (j *judgement) calls(a act, name, verb string) {
	if !j.use("calls", j.signal.Frame.Calls, name) {
		j.missing(a, diag.FrameCall, verb, "calls", name)
	}
}

// guard tells whether an effect is one that guards may have, and counts it as use of the clause
// that happens to name it.
func (j *judgement) guard(a act) bool {
	switch f := a.Effect.(type) {
	case *ir.Read:
		j.use("reads", j.signal.Frame.Reads, f.Slot.Slot)
	case *ir.Scan:
		j.use("reads", j.signal.Frame.Reads, f.Slot.Slot)
	case *ir.Inspect:
		j.use("reads", j.signal.Frame.Reads, j.system.Find(f.Cell).Machine.Name)
	case *ir.Act:
		j.use("calls", j.signal.Frame.Calls, f.Builtin)
	default:
		return false
	}
	return true
}

// missing reports an effect that some entries of a clause would allow.
func (j *judgement) missing(a act, code diag.Code, verb, clause string, texts ...string) {
	message := errOutside(j.signal.Name, verb, clause, texts)
	j.fail(message)
	j.found = append(j.found, diag.Diagnostic{
		Code: code, Message: message, Span: a.Place(), Fix: fixAdd(clause, texts), Notes: a.calls,
		Edits: j.addition(clause, texts),
	})
}

// foreign reports what a private handler of another cell does there: no clause can name it.
func (j *judgement) foreign(a act, code diag.Code, verb, cell string) {
	message := errForeign(j.signal.Name, verb, cell)
	j.fail(message)
	j.found = append(j.found, diag.Diagnostic{Code: code, Message: message, Span: a.Place(), Notes: a.calls})
}

func (j *judgement) fail(message string) {
	if j.failed == "" {
		j.failed = message
	}
}

func (j *judgement) giveUp(a act, f *ir.Unknown) {
	message := warnUnknown(j.signal.Name, f.Why)
	if j.unknown == "" {
		j.unknown = message
	}
	if f.Why == ir.KeptFunction {
		return // reported where it runs
	}
	j.found = append(j.found, diag.Diagnostic{Code: diag.FrameUnknown, Severity: diag.Warning, Message: message, Span: a.Place(), Notes: a.calls})
}

// addition is the repair as an edit, once for each entry: after the last entry of the clause,
// or a new clause after the last of the others, or where the declaration of the signal ends.
func (j *judgement) addition(clause string, texts []string) []diag.Edit {
	var fresh []string
	for _, t := range texts {
		if k := (item{clause, t}); !j.edited[k] {
			j.edited[k] = true
			fresh = append(fresh, t)
		}
	}
	lists := map[string][]ir.FrameItem{"reads": j.signal.Frame.Reads, "writes": j.signal.Frame.Writes,
		"moves": j.signal.Frame.Moves, "calls": j.signal.Frame.Calls}
	if len(fresh) == 0 {
		return nil
	}
	if at, ok := lastOf(lists[clause]); ok {
		return []diag.Edit{{Span: at, New: ", " + list(fresh)}}
	}
	if at, ok := lastOf(slices.Concat(j.signal.Frame.Reads, j.signal.Frame.Writes, j.signal.Frame.Moves, j.signal.Frame.Calls)); ok {
		return []diag.Edit{{Span: at, New: " " + clause + " " + list(fresh)}}
	}
	at := j.signal.Span
	at.Start = at.End
	return []diag.Edit{{Span: at, New: " " + clause + " " + list(fresh)}}
}

// lastOf is the empty place after the last entry.
func lastOf(items []ir.FrameItem) (source.Span, bool) {
	var last source.Span
	for _, i := range items {
		if !i.Span.IsZero() && i.Span.End > last.End {
			last = i.Span
		}
	}
	last.Start = last.End
	return last, !last.IsZero()
}

// wider warns of the entries that the body does not need.
func (j *judgement) wider() {
	warn := func(i ir.FrameItem, message, fix string) *diag.Diagnostic {
		j.found = append(j.found, diag.Diagnostic{Code: diag.FrameWider, Severity: diag.Warning, Message: message, Span: i.Span, Fix: fix})
		return &j.found[len(j.found)-1]
	}
	frame := j.signal.Frame
	for _, c := range []struct {
		clause string
		items  []ir.FrameItem
	}{{"reads", frame.Reads}, {"writes", frame.Writes}, {"moves", frame.Moves}, {"calls", frame.Calls}} {
		for _, i := range c.items {
			text := i.String()
			switch {
			case j.used[item{c.clause, text}]:
			case c.clause == "writes" && j.reads(i.Name) && !j.has(frame.Reads, i.Name):
				warn(i, warnReadsOnly(j.signal.Name, i.Name), fixReadsOnly(i.Name))
			default:
				d := warn(i, warnWider(j.signal.Name, c.clause, text), fixRemove(c.clause, text))
				if !i.Span.IsZero() {
					d.Edits = diag.Unlist(i.Span, "reads", "writes", "moves", "calls")
				}
			}
		}
	}
}

// reads tells whether the body reads a slot of its cell.
func (j *judgement) reads(slot string) bool {
	ref := ir.SlotRef{Cell: j.cell.Name, Slot: slot}
	return slices.ContainsFunc(j.body, func(a act) bool {
		switch f := a.Effect.(type) {
		case *ir.Read:
			return f.Slot == ref
		case *ir.Scan:
			return f.Slot == ref
		}
		return false
	})
}
