package termination

import (
	"math/big"
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/smt/term"
)

// The number of entries of a slot is followed like a variable, under a name that no variable
// has, where a body asks for it. Entries may fade by themselves, so what is known of a size is an
// upper bound: it never counts against a measure that it falls, and measures that would have to
// know how far are refused.

// writes tells whether a handler, with all that it may run, may change what is in a slot.
type writes func(h ir.HandlerRef, slot ir.SlotRef) bool

// anyWrite is for who knows nothing of the handlers.
func anyWrite(ir.HandlerRef, ir.SlotRef) bool { return true }

// writesOf reads them from the call graph.
func writesOf(g *effects.Graph) writes {
	known := map[ir.HandlerRef]*effects.Summary{}
	return func(h ir.HandlerRef, slot ir.SlotRef) bool {
		i := g.Find(h)
		if i < 0 {
			return true
		}
		s := known[h]
		if s == nil {
			s = g.Closure(g.Automata[i])
			known[h] = s
		}
		return len(s.Unknown) > 0 || slices.ContainsFunc(s.Writes, func(w effects.Slot) bool { return w.SlotRef == slot })
	}
}

type sizes struct {
	slots  []ir.SlotRef // whose size the body asks for
	writes writes
}

func sizesOf(a *ir.Automaton, writes writes) sizes {
	s := sizes{writes: writes}
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			if scan, ok := f.(*ir.Scan); ok && asksSize(scan) && !slices.Contains(s.slots, scan.Slot) {
				s.slots = append(s.slots, scan.Slot)
			}
		}
	}
	return s
}

func asksSize(f *ir.Scan) bool { return f.What == "len" || f.What == "size" }

const sizeMark = "#"

func sizeName(s ir.SlotRef) string { return sizeMark + s.Cell + "." + s.Slot }

func isSize(atom *term.Term) bool {
	return atom.Op == term.OpVar && strings.HasPrefix(atom.Name, sizeMark)
}

// after is what an effect does to sizes, and to the variable that takes one.
func (z sizes) after(s state, f ir.Effect) {
	if scan, ok := f.(*ir.Scan); ok && asksSize(scan) {
		s[scan.Var.Name] = s.of(sizeName(scan.Slot))
		return
	}
	for _, slot := range z.slots {
		name := sizeName(slot)
		if _, touched := s[name]; touched {
			if _, ok := f.(*ir.Rollback); ok {
				s[name] = nil
			}
		}
		if z.changes(f, slot) {
			s[name] = resized(s.of(name), f)
		}
	}
}

// changed are the sizes that an effect may change, but for what it undoes.
func (z sizes) changed(f ir.Effect) (out []string) {
	for _, slot := range z.slots {
		if z.changes(f, slot) {
			out = append(out, sizeName(slot))
		}
	}
	return out
}

func (z sizes) changes(f ir.Effect, slot ir.SlotRef) bool {
	switch f := f.(type) {
	case *ir.Write:
		return f.Slot == slot
	case *ir.Push:
		return f.Slot == slot
	case *ir.Delete:
		return f.Slot == slot
	case *ir.Call:
		return z.writes(f.Handler, slot)
	case *ir.Act:
		return slices.ContainsFunc(f.Tools, func(h ir.HandlerRef) bool { return z.writes(h, slot) })
	case *ir.Unknown:
		return true
	}
	return false
}

// resized is a size after an effect that changes it, nil when nothing is known. Where a list has
// an entry, it has a first one, and what deletes that shortens it.
func resized(old *shift, f ir.Effect) *shift {
	if old == nil {
		return nil
	}
	switch f := f.(type) {
	case *ir.Write, *ir.Push:
		return old.plus(new(big.Int), big.NewInt(1))
	case *ir.Delete:
		if old.exact() && f.Key.Op == term.OpInt && f.Key.Int.Sign() == 0 {
			return &shift{base: old.base, high: big.NewInt(-1), positive: true}
		}
		return old.plus(nil, new(big.Int))
	}
	return nil
}
