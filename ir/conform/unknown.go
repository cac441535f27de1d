package conform

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// unknown takes any number of the steps that follow as what a construct does that the lowering
// does not model.
func (w *walk) unknown(p path, next func(path) bool) bool {
	p = p.note("an effect the lowering does not know")
	var open []nested
	for {
		if len(open) == 0 && next(p) {
			return true
		}
		if p.pos == len(w.steps) {
			return false
		}
		s := w.steps[p.pos]
		switch s.Kind {
		case Enter, Begin, Act:
			open = append(open, nested{s.Kind, p.mem})
		case Leave, End, Acted:
			last := len(open) - 1
			if last < 0 {
				if s.Kind != Acted {
					return false
				}
				break // the end of a delegate stands behind what it ran
			}
			// A try undoes what it did, a model's tool likewise.
			if s.Raised && (s.Kind == End || last > 0 && open[last-1].kind == Act) {
				p.mem = open[last].before
			}
			open = open[:last]
		}
		p = w.apply(p, s)
	}
}

// nested is something under way, with the memory before it.
type nested struct {
	kind   Kind
	before *Memory
}

// apply makes a step as the run made it.
func (w *walk) apply(p path, s Step) path {
	p.pos++
	ref := ir.SlotRef{Cell: s.Cell, Slot: s.Name}
	switch s.Kind {
	case Write:
		slot := w.slot(ref)
		p.mem = p.mem.write(slot, ref, w.e.values.Term(s.Key, slot.Key()), w.e.values.Term(s.Value, slot.Value))
	case Push:
		p.mem = p.mem.push(ref, w.e.values.Term(s.Value, w.slot(ref).Value))
	case Delete:
		slot := w.slot(ref)
		p.mem = p.mem.delete(slot, ref, w.e.values.Term(s.Key, slot.Key()))
	case Move:
		p.mem = p.mem.move(s.Cell, s.ID, s.To)
	}
	return p
}

// skipped goes past what runs during a delegate whose callee is computed: when it raised, to its
// end; else nowhere, since the Unknown that follows takes what ran.
func (w *walk) skipped(p path, k then) bool {
	depth := 0
	for i := p.pos; i < len(w.steps); i++ {
		switch s := w.steps[i]; s.Kind {
		case Enter, Begin, Act:
			depth++
		case Leave, End, Acted:
			if depth > 0 {
				depth--
				continue
			}
			if s.Kind == Acted && s.Raised {
				p.pos = i + 1
				return k(p, outcome{raised: true})
			}
			return k(p, outcome{value: w.any(term.Opaque)})
		}
	}
	return false
}
