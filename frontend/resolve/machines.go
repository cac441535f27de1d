package resolve

import (
	"sort"

	"soma.cell/frontend/syntax"
)

// machine reads the state section of a cell: its states in order of first mention, its
// edges with wildcards expanded. An explicit edge that a wildcard also covers stands for
// both; the edge row it was written in decides its guard.
func (r *resolver) machine(c *Cell) {
	var decl *syntax.Machine
	var more []*syntax.Machine
	for _, d := range c.decls() {
		for _, m := range d.Machines {
			if decl != nil {
				r.report(secondMachine(m, decl))
				more = append(more, m)
				continue
			}
			decl = m
		}
	}
	if decl == nil {
		return
	}
	m := newMachine(c, decl)
	c.Machine = m
	for _, second := range more {
		for _, name := range mentioned(second) {
			m.refused[name.Name] = true
		}
	}
	r.states(m)
	r.initial(m)
	if len(decl.Edges) == 0 {
		r.report(noEdges(decl))
		return
	}
	r.edges(m)
}

// mentioned lists the states that a machine mentions.
func mentioned(m *syntax.Machine) []syntax.Ident {
	var names []syntax.Ident
	for _, i := range m.Initial {
		names = append(names, *i)
	}
	for _, e := range m.Edges {
		if e.From != nil {
			names = append(names, *e.From)
		}
		names = append(names, e.To)
	}
	return names
}

// states lists the states by place of first mention, or the variants of the machine's type.
func (r *resolver) states(m *Machine) {
	names := mentioned(m.Decl)
	sort.SliceStable(names, func(i, j int) bool { return names[i].At.Start < names[j].At.Start })
	if m.Decl.Type != nil {
		if t := r.typ(m.Decl.Type); t.Kind == SumTypeKind {
			m.Sum = t.Sum
			for _, v := range t.Sum.Variants {
				m.addState(v.Name)
			}
			seen := map[string]bool{}
			for _, n := range names {
				if !m.HasState(n.Name) && !seen[n.Name] {
					r.report(stateOutsideType(n, m.Sum, r.nearest(n.Name, these(m.States))))
				}
				seen[n.Name] = true
			}
			return
		} else if t.Kind != AnyType {
			r.report(machineOfNoSum(m.Decl.Type))
		}
	}
	for _, n := range names {
		m.addState(n.Name)
	}
}

func (r *resolver) initial(m *Machine) {
	if len(m.Decl.Initial) == 0 {
		r.report(noInitial(m.Decl))
		if len(m.States) > 0 {
			m.Initial = m.States[0]
		}
		return
	}
	m.Initial = m.Decl.Initial[0].Name
	for _, second := range m.Decl.Initial[1:] {
		r.report(secondInitial(*second, m.Decl.Initial[0].At))
	}
}

// edges expands the rows. Explicit edges are gathered first, so that a wildcard never
// repeats one, whichever stands first; the result keeps the order of declaration.
func (r *resolver) edges(m *Machine) {
	explicit := map[edgeKey]*syntax.EdgeRow{}
	for _, row := range m.Decl.Edges {
		if row.From == nil {
			continue
		}
		p := edgeKey{row.From.Name, row.To.Name}
		if first := explicit[p]; first != nil {
			r.report(duplicateEdge(row, first))
			continue
		}
		explicit[p] = row
	}
	wild := map[edgeKey]*syntax.EdgeRow{}
	for _, row := range m.Decl.Edges {
		if row.From != nil {
			p := edgeKey{row.From.Name, row.To.Name}
			if explicit[p] == row {
				m.addEdge(&Edge{From: p.from, To: p.to, Row: row})
			}
			continue
		}
		excepted, sound := r.excepted(m, row)
		added, covered := false, (*syntax.EdgeRow)(nil)
		for _, from := range m.States {
			p := edgeKey{from, row.To.Name}
			switch {
			case excepted[from], explicit[p] != nil:
			case wild[p] != nil:
				covered = wild[p]
			default:
				wild[p] = row
				added = true
				m.addEdge(&Edge{From: from, To: p.to, Row: row, Wildcard: true})
			}
		}
		switch {
		case added:
		case covered != nil:
			r.report(duplicateEdge(row, covered))
		case sound:
			r.report(emptyWildcard(row))
		}
	}
	r.lostEnds(m)
}

// excepted lists the states that a wildcard row leaves out: its target and its exceptions,
// which are sound when all of them are states.
func (r *resolver) excepted(m *Machine, row *syntax.EdgeRow) (out map[string]bool, sound bool) {
	out, sound = map[string]bool{row.To.Name: true}, true
	for i, e := range row.Except {
		for _, first := range row.Except[:i] {
			if first.Name == e.Name {
				r.report(duplicate(e, "exception", first.At))
			}
		}
		if !m.HasState(e.Name) {
			r.report(unknownExcept(e, m, r.nearest(e.Name, these(m.States))))
			sound = false
		}
		out[e.Name] = true
	}
	return out, sound
}

// lostEnds warns of states that have no way out but a wildcard: the author may have meant
// them to be ends. The initial state is none.
func (r *resolver) lostEnds(m *Machine) {
	explicitExit := map[string]bool{m.Initial: true}
	for _, e := range m.Edges {
		if !e.Wildcard {
			explicitExit[e.From] = true
		}
	}
	warned := map[string]bool{}
	lost := map[*syntax.EdgeRow][]string{}
	for _, e := range m.Edges {
		if e.Wildcard && !explicitExit[e.From] && !warned[e.From] {
			warned[e.From] = true
			lost[e.Row] = append(lost[e.Row], e.From)
		}
	}
	for _, row := range m.Decl.Edges {
		if len(lost[row]) > 0 {
			r.report(lostEnds(m, row, lost[row]))
		}
	}
}
