package resolve

import "soma.cell/frontend/syntax"

// slot types one slot and reads its attributes.
func (r *resolver) slot(c *Cell, d *syntax.Slot) *Slot {
	s := &Slot{Cell: c, Name: d.Name.Name, Decl: d, Value: Any, Key: Any, Attrs: map[string]*syntax.Attr{}}
	t := r.typ(d.Type)
	switch t.Kind {
	case ListType:
		s.IsList, s.Key = true, nil
		if t.Elem != nil {
			s.Value = t.Elem
		}
	case MapType:
		if t.Elem != nil {
			s.Key, s.Value = t.Key, t.Elem
		}
	case AnyType:
		if d.Type != nil && d.Type.Name.Name == "Any" {
			s.Scalar = true
		}
	default:
		s.Scalar = true
		s.Value = t
	}
	if s.Scalar {
		r.report(scalarSlot(d, t))
	}
	for _, a := range d.Attrs {
		r.attribute(s, a)
	}
	return s
}

// attribute checks one slot attribute against those before it.
func (r *resolver) attribute(s *Slot, a *syntax.Attr) {
	name := a.Name.Name
	if first := s.Attrs[name]; first != nil {
		r.report(duplicate(a.Name, "attribute", first.At))
		return
	}
	s.Attrs[name] = a
	other := ""
	switch name {
	case "persistent":
		other = "ephemeral"
	case "ephemeral":
		other = "persistent"
	case "consistent":
		other = "local"
	case "local":
		other = "consistent"
	case "immutable":
	case "capacity", "slot_bits", "max_value_bytes", "ttl":
		if len(a.Args) != 1 || !positiveInt(a.Args[0]) {
			r.report(badAttribute(a))
		}
		return
	default:
		r.report(unknownAttribute(a.Name, r.nearest(name, attributeNames)))
		return
	}
	if len(a.Args) > 0 {
		r.report(badAttribute(a))
	}
	if first := s.Attrs[other]; first != nil {
		r.report(contradictoryAttributes(a.Name, first.Name))
	}
}

func attributeNames() []string {
	return []string{"persistent", "ephemeral", "consistent", "local", "immutable", "capacity", "slot_bits", "max_value_bytes", "ttl"}
}

// positiveInt tells whether an expression is a positive Int literal.
func positiveInt(x syntax.Expr) bool {
	n, ok := syntax.Unparen(x).(*syntax.Int)
	return ok && n.Value != nil && n.Value.Sign() > 0
}
