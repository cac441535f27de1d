package resolve

import "soma.cell/frontend/syntax"

// promises checks what the face of a cell promises: free text is for readers.
func (r *resolver) promises(c *Cell) {
	for _, d := range c.decls() {
		for _, f := range d.Faces {
			for _, p := range f.Promises {
				switch {
				case p.Free:
				case p.Text == "all_persistent":
					r.allPersistent(c, p)
				default:
					r.report(unknownPromise(p, r.nearest(p.Text, these([]string{"all_persistent"}))))
				}
			}
		}
	}
}

func (r *resolver) allPersistent(c *Cell, p *syntax.Promise) {
	for _, s := range c.Slots {
		if s.Attrs["persistent"] == nil {
			r.report(brokenPromise(s, p))
		}
	}
}

// givens resolves the assumptions of a face; each sees its own name and those before it.
func (r *resolver) givens(c *Cell) {
	w := &walker{r: r, cell: c, mode: inGiven}
	w.push()
	for _, d := range c.decls() {
		for _, f := range d.Faces {
			for _, g := range f.Givens {
				if l := w.scope.locals[g.Name.Name]; l != nil {
					r.report(duplicate(g.Name, "given", l.at))
				}
				given := &Given{Decl: g, Type: r.typ(g.Type)}
				c.Givens = append(c.Givens, given)
				w.bind(g.Name, mayHold(given.Type))
				if g.Cond != nil {
					w.expr(g.Cond)
				}
			}
		}
	}
}

// settings checks the sections scale, which this toolkit reads and does not use, and cost.
func (r *resolver) settings(c *Cell) {
	first := map[[2]string]syntax.Ident{} // by section and name
	for _, s := range c.Decl.Costs {
		for _, p := range s.Pairs {
			key := [2]string{s.Name, p.Name.Name}
			if before, ok := first[key]; ok {
				r.report(duplicate(p.Name, "setting", before.At))
				continue
			}
			first[key] = p.Name
			if s.Name == "cost" {
				r.limit(c, p)
			} else if !setting(p.Value) {
				r.report(badSetting(p))
			}
		}
	}
}

// setting tells whether a value is a literal, a name or a list of such.
func setting(x syntax.Expr) bool {
	switch x := syntax.Unparen(x).(type) {
	case *syntax.Int, *syntax.Float, *syntax.Bool, *syntax.Name, *syntax.VariantRef:
		return true
	case *syntax.Unary:
		return !x.Not && setting(x.X)
	case *syntax.String:
		_, ok := x.Literal()
		return ok
	case *syntax.List:
		for _, item := range x.Items {
			if !setting(item) {
				return false
			}
		}
		return true
	}
	return false
}
