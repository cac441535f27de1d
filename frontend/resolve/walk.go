package resolve

import "soma.cell/frontend/syntax"

// inspectDecl inspects every expression and body of a declaration. It serves questions about
// shape (which record names occur), never the meaning of names.
func inspectDecl(d *syntax.Decl, visit func(syntax.Node) bool) {
	for _, m := range d.Memory {
		for _, i := range m.Invariants {
			syntax.Inspect(i.Cond, visit)
		}
	}
	for _, m := range d.Machines {
		for _, e := range m.Edges {
			syntax.Inspect(e.Guard, visit)
		}
	}
	for _, face := range d.Faces {
		for _, g := range face.Givens {
			syntax.Inspect(g.Cond, visit)
		}
	}
	for _, h := range d.Handlers {
		syntax.Inspect(h.Body, visit)
	}
	for _, t := range d.Timers {
		syntax.Inspect(t.Body, visit)
	}
	for _, rules := range d.Rules {
		for _, s := range rules.Items {
			syntax.Inspect(s, visit)
		}
	}
}

// recordNames collects the names used as Name { f: e } that no sum type declares.
func (r *resolver) recordNames() {
	for _, d := range r.flatten() {
		inspectDecl(d, func(n syntax.Node) bool {
			if rec, ok := n.(*syntax.Record); ok && rec.Type == nil && len(r.variants[rec.Name.Name]) == 0 && r.types[rec.Name.Name] == nil {
				r.records[rec.Name.Name] = true
			}
			return true
		})
	}
}

// assignedNames collects the names that a body assigns to, wherever it does.
func assignedNames(n syntax.Node) map[string]bool {
	out := map[string]bool{}
	syntax.Inspect(n, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.Assign); ok {
			if name, ok := a.Target.(*syntax.Name); ok {
				out[name.Name] = true
			}
		}
		return true
	})
	return out
}
