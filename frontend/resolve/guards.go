package resolve

import (
	"soma.cell/frontend/diag"
	"soma.cell/frontend/syntax"
)

// guards resolves the guards of a cell's edges, each row once.
func (r *resolver) guards(c *Cell) {
	if c.Machine == nil {
		return
	}
	for _, row := range c.Machine.Decl.Edges {
		if row.Guard == nil {
			continue
		}
		w := &walker{r: r, cell: c, mode: inGuard}
		w.push()
		w.expr(row.Guard)
	}
}

// maxNamesOfMove names of guards are reported as missing at one call.
const maxNamesOfMove = 20

// guardNames wants the names that a guard reads, and that are no slots, bound wherever a
// handler may take the edge. It stands at the call: there the name is missing. Where a body
// limits what it computes, only a name that every edge in question reads is surely missing.
func (r *resolver) guardNames() {
	free := map[*syntax.EdgeRow][]*syntax.Name{}
	for _, c := range r.prog.Cells {
		if c.Machine == nil {
			continue
		}
		for _, row := range c.Machine.Decl.Edges {
			if row.Guard != nil {
				free[row] = r.freeNames(row.Guard)
			}
		}
	}
	for _, site := range r.moves {
		edges := 0
		var order []string
		readers := map[string]int{}
		first := map[string]func() diag.Diagnostic{}
		for _, e := range site.machine.Edges {
			if !site.takes(e) {
				continue
			}
			edges++
			for _, x := range free[e.Row] {
				if site.binds(x.Name) {
					continue
				}
				if readers[x.Name]++; readers[x.Name] == 1 {
					order = append(order, x.Name)
					first[x.Name] = func() diag.Diagnostic {
						return unboundGuardName(site, e, x, r.nearest(x.Name, site.bindable))
					}
				}
			}
		}
		told := 0
		for _, name := range order {
			if told < maxNamesOfMove && (site.open || readers[name] == edges) {
				r.report(first[name]())
				told++
			}
		}
	}
}

// freeNames lists the names of a guard that its callers must bind, each once.
func (r *resolver) freeNames(guard syntax.Expr) []*syntax.Name {
	var out []*syntax.Name
	seen := map[string]bool{}
	syntax.Inspect(guard, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.Name); ok && r.callerNames[x] && !seen[x.Name] {
			seen[x.Name] = true
			out = append(out, x)
		}
		return true
	})
	return out
}
