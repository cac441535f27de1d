package interp_test

import (
	"fmt"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
)

// A judge of memory at rest that shares nothing with the interpreter: it knows the forms of
// rules that progen draws, over Ints, texts, absent entries and sizes. What it does not know
// (the value before a write, the state of a machine) it does not judge.

// obeys judges the types and rules of everything stored, and counts the rules it judged; wrong
// says what does not hold.
func obeys(w *interp.World, p *resolve.Program) (judged int, wrong string) {
	for _, c := range p.Cells {
		for _, s := range c.Slots {
			keys, values := w.Entries(s)
			for i, v := range values {
				if !fits(v, s.Value) {
					return judged, fmt.Sprintf("%s[%s] holds %s, which is no %s", s.Name, interp.Quote(keys[i]), interp.Quote(v), s.Value)
				}
			}
		}
		for _, inv := range c.Invariants {
			for _, part := range inv.Conjuncts {
				n, broken := holds(w, p, part)
				judged += n
				if broken != "" {
					return judged, part.Cond.Span().Text() + " does not hold " + broken
				}
			}
		}
	}
	return judged, ""
}

// holds judges a rule at every entry that its writers may have left.
func holds(w *interp.World, p *resolve.Program, rule *resolve.Conjunct) (judged int, broken string) {
	for _, s := range rule.Guards {
		keys, values := w.Entries(s)
		for i, key := range keys {
			at := &entry{w: w, p: p, slot: s, key: key, value: values[i], size: len(keys)}
			switch v := at.eval(rule.Cond).(type) {
			case bool:
				judged++
				if !v {
					return judged, fmt.Sprintf("of %s[%s] = %s", s.Name, interp.Quote(key), interp.Quote(values[i]))
				}
			}
		}
	}
	return judged, ""
}

// entry is an entry of a slot that a rule is judged at.
type entry struct {
	w     *interp.World
	p     *resolve.Program
	slot  *resolve.Slot
	key   interp.Value
	value interp.Value
	size  int
}

// unknown is a value that the judge does not know.
type unknown struct{}

// absent is ().
type absent struct{}

// eval gives an int64, string, bool, absent or unknown.
func (e *entry) eval(x syntax.Expr) any {
	switch x := x.(type) {
	case *syntax.Paren:
		return e.eval(x.X)
	case *syntax.Unit:
		return absent{}
	case *syntax.Int:
		if x.Value.IsInt64() {
			return x.Value.Int64()
		}
	case *syntax.String:
		if text, ok := x.Literal(); ok {
			return text
		}
	case *syntax.Name:
		return e.name(x)
	case *syntax.Field:
		if use := e.p.Info.Slots[x]; use != nil && (use.Op == "size" || use.Op == "len") {
			keys, _ := e.w.Entries(use.Slot)
			return int64(len(keys))
		}
	case *syntax.Call:
		if c := e.p.Info.Calls[x]; c != nil && c.Kind == resolve.CallSlot && c.Op == "total" {
			return e.total(c.Slot)
		}
	case *syntax.Unary:
		switch v := e.eval(x.X).(type) {
		case bool:
			if x.Not {
				return !v
			}
		case int64:
			if !x.Not {
				return -v
			}
		}
	case *syntax.Binary:
		return e.binary(x)
	}
	return unknown{}
}

func (e *entry) name(x *syntax.Name) any {
	ref := e.p.Info.Names[x]
	switch {
	case ref == nil:
	case ref.Kind == resolve.RefSlot && ref.Slot == e.slot:
		return simple(e.value)
	case ref.Kind == resolve.RefSlot:
		keys, values := e.w.Entries(ref.Slot)
		for i, k := range keys {
			if interp.Render(k) == interp.Render(e.key) {
				return simple(values[i])
			}
		}
		return absent{}
	case x.Name == "key":
		return simple(e.key)
	case x.Name == "value":
		return simple(e.value)
	case x.Name == "size":
		return int64(e.size)
	}
	return unknown{}
}

// total is the sum of an Int slot.
func (e *entry) total(s *resolve.Slot) any {
	sum := int64(0)
	_, values := e.w.Entries(s)
	for _, v := range values {
		n, ok := simple(v).(int64)
		if !ok {
			return unknown{}
		}
		sum += n
	}
	return sum
}

func simple(v interp.Value) any {
	switch v := v.(type) {
	case interp.Int:
		if n, ok := v.Int64(); ok && n > -1<<50 && n < 1<<50 {
			return n
		}
	case interp.String:
		return string(v)
	case interp.Bool:
		return bool(v)
	case interp.Unit:
		return absent{}
	}
	return unknown{}
}

func (e *entry) binary(x *syntax.Binary) any {
	a := e.eval(x.X)
	switch x.Op {
	case syntax.OrOp:
		b := e.eval(x.Y)
		if a == true || b == true {
			return true
		}
		if a == false && b == false {
			return false
		}
		return unknown{}
	case syntax.CoalesceOp:
		if a == (absent{}) {
			return e.eval(x.Y)
		}
		return a
	}
	b := e.eval(x.Y)
	if a == (unknown{}) || b == (unknown{}) {
		return unknown{}
	}
	switch x.Op {
	case syntax.EqOp:
		return a == b
	case syntax.NeOp:
		return a != b
	}
	m, ok1 := a.(int64)
	n, ok2 := b.(int64)
	if !ok1 || !ok2 {
		return unknown{}
	}
	switch x.Op {
	case syntax.AddOp:
		return m + n
	case syntax.SubOp:
		return m - n
	case syntax.LtOp:
		return m < n
	case syntax.LeOp:
		return m <= n
	case syntax.GtOp:
		return m > n
	case syntax.GeOp:
		return m >= n
	}
	return unknown{}
}

// fits tells whether a value is of a type, all the way down.
func fits(v interp.Value, t *resolve.Type) bool {
	switch t.Kind {
	case resolve.IntType:
		return v.Kind() == interp.IntKind
	case resolve.FloatType:
		return v.Kind() == interp.FloatKind
	case resolve.StringType:
		return v.Kind() == interp.StringKind
	case resolve.BoolType:
		return v.Kind() == interp.BoolKind
	case resolve.SumTypeKind:
		variant, ok := v.(*interp.Variant)
		return ok && variant.Of.Type == t.Sum
	case resolve.ListType:
		list, ok := v.(*interp.List)
		if !ok || t.Elem == nil {
			return ok
		}
		for i := range list.Len() {
			if !fits(list.At(i), t.Elem) {
				return false
			}
		}
	case resolve.MapType:
		m, ok := v.(*interp.Map)
		if !ok || t.Elem == nil {
			return ok
		}
		for _, k := range m.Keys() {
			if x, _ := m.Get(k); !fits(x, t.Elem) {
				return false
			}
		}
	case resolve.RecordType:
		m, ok := v.(*interp.Map)
		if !ok {
			return false
		}
		name, _ := m.Get("_type")
		return name == interp.String(t.Name)
	}
	return true
}
