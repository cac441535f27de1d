package lower

import (
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// Rules may speak of parts of an entry: order.price >= 0. Fields and comparisons of values of no
// known sort are functions of which nothing is known, so what a literal holds under a name, and
// what comparisons of it mean, is said where it is written: for the fields that rules of the slot
// read, and the comparisons that they make, alone. All that is said is true of every run.

// knowShown says what holds of the parts of a literal before it gets a name: slots may be given it
// under that. Of a variant nothing is said: its fields may turn Ints into Floats.
func (b *builder) knowShown(v value, span source.Span) {
	if b.handler == nil || v.has != nil || !isMapLiteral(v.t) {
		return
	}
	for _, s := range b.handler.Cell.Slots {
		b.knowParts(s, v.t, span)
	}
}

func isMapLiteral(t *term.Term) bool {
	return t.Op == term.OpApp && (t.Name == "map" || t.Name == "record" && !strings.Contains(t.Args[0].Name, "::"))
}

// knowParts says what holds of the parts of a value before it is written to a slot.
func (b *builder) knowParts(s *resolve.Slot, v *term.Term, span source.Span) {
	if s.Value.Kind != resolve.MapType && s.Value.Kind != resolve.RecordType {
		return
	}
	entry := ir.EntryVal(s.Name, v.Sort)
	var facts []*term.Term
	seen := map[string]bool{}
	for _, r := range b.cells[s.Cell].Rules {
		at := term.Subst(r.Cond, func(x *term.Term) *term.Term {
			if x.Equal(entry) {
				return v
			}
			return nil
		})
		term.Each(func(t *term.Term) {
			for _, f := range append(fieldFact(t, v), comparison(t, v)...) {
				if text := f.String(); f != term.True && !seen[text] {
					seen[text] = true
					facts = append(facts, f)
				}
			}
		}, at)
	}
	if len(facts) > 0 {
		b.when(b.flush(span), term.And(facts...), span)
	}
}

// fieldFact says what a field of v is, when t is that field and v shows it.
func fieldFact(t, v *term.Term) []*term.Term {
	if p := partOf(t, v); !p.Equal(t) {
		return []*term.Term{term.Eq(t, p)}
	}
	return nil
}

// comparison says what a comparison of unknown values means where both are known to be numbers of one
// sort, or texts that are tested for equality.
func comparison(t, v *term.Term) []*term.Term {
	if t.Op != term.OpApp || len(t.Args) != 2 {
		return nil
	}
	p, q := partOf(t.Args[0], v), partOf(t.Args[1], v)
	x, y := unboxed(p), unboxed(q)
	if x == nil || y == nil || !x.Sort.Same(y.Sort) {
		return nil
	}
	means := meaning(t.Name, x, y)
	if means == nil {
		return nil
	}
	return []*term.Term{iff(term.App(t.Name, term.Bool, p, q), means)}
}

// meaning is what a comparison of unknown values says of two of one sort, nil where that has none.
func meaning(op string, x, y *term.Term) *term.Term {
	switch x.Sort.Kind {
	case term.KindInt:
		switch op {
		case "eq":
			return term.Eq(x, y)
		case "op:<":
			return term.Lt(x, y)
		case "op:<=":
			return term.Le(x, y)
		}
	case term.KindFloat:
		switch op {
		case "eq":
			return term.FloatOp(term.OpFEq, x, y)
		case "op:<":
			return term.FloatOp(term.OpFLt, x, y)
		case "op:<=":
			return term.FloatOp(term.OpFLe, x, y)
		}
	case term.KindString:
		if op == "eq" {
			return term.Eq(x, y)
		}
	}
	return nil
}

// unboxed is what a boxed value holds, nil for other values.
func unboxed(t *term.Term) *term.Term {
	if t.Op == term.OpApp && len(t.Args) == 1 && t.Name == boxName(t.Args[0].Sort) {
		return t.Args[0]
	}
	return nil
}

// partOf is what a term is when it is a field of v that v shows, else the term itself.
func partOf(t, v *term.Term) *term.Term {
	if t.Op != term.OpApp || t.Name != "field" || len(t.Args) != 2 || !t.Args[0].Equal(v) || t.Args[1].Op != term.OpString {
		return t
	}
	if p := part(v, t.Args[1].Name); p != nil {
		return p
	}
	return t
}

// pseudoFields are answered by the map itself where it has no such key.
var pseudoFields = map[string]bool{"len": true, "size": true, "keys": true, "values": true, "last": true}

// part is what a literal, or a map with a part replaced, holds under a name; nil where that is not
// seen: a key is computed or stands twice, or the name is one of the map's own.
func part(v *term.Term, name string) *term.Term {
	if v.Op != term.OpApp || pseudoFields[name] {
		return nil
	}
	switch {
	case v.Name == "record" && len(v.Args) > 0 && name != "_type":
		return entryOf(v.Args[1:], name)
	case v.Name == "map":
		return entryOf(v.Args, name)
	case v.Name == "replaced" && len(v.Args) == 3:
		switch key := unboxed(v.Args[1]); {
		case key == nil || key.Op != term.OpString:
			return nil
		case key.Name == name:
			return v.Args[2]
		}
		old := term.App("field", term.Opaque, v.Args[0], term.StringLit(name))
		return partOf(old, v.Args[0])
	}
	return nil
}

// entryOf finds a name among keys and values that take turns.
func entryOf(pairs []*term.Term, name string) *term.Term {
	var out *term.Term
	keys := map[string]bool{}
	for i := 0; i+1 < len(pairs); i += 2 {
		key := pairs[i]
		if key.Op != term.OpString || keys[key.Name] {
			return nil
		}
		keys[key.Name] = true
		if key.Name == name {
			out = box(pairs[i+1])
		}
	}
	return out
}
