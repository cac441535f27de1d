package kernel

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
)

func newMachineGraphs(c *ir.Cell) *machineGraphs {
	n := len(c.Machine.Edges)
	return &machineGraphs{cell: c, removed: make([]bool, n), seen: make([]bool, n), class: cert.KernelChecked, graphs: map[cert.Graph]*graph{}}
}

// remove takes an edge out of the may-graph, by evidence of a class.
func (m *machineGraphs) remove(edge int, class cert.Class) {
	m.removed[edge] = true
	m.class = weaker(m.class, class)
}

// checkProperties tells whether each property binds to a machine.
func (a *auditor) checkProperties() *Error {
	for _, p := range a.certificate.Properties {
		if !a.budget.spend(1 + len(a.system.Cells)/16) {
			return errWork()
		}
		if c := a.system.Find(p.Cell); c == nil || c.Machine == nil {
			return errPropertyCell(p.Cell)
		}
	}
	return nil
}

// checkAtoms tells whether the atoms of a formula are propositions of the cell's machine.
func (a *auditor) checkAtoms(f *formula, c *ir.Cell) *Error {
	seen := map[*formula]bool{}
	var visit func(f *formula) *Error
	visit = func(f *formula) *Error {
		if f == nil || seen[f] {
			return nil
		}
		seen[f] = true
		if !a.budget.spend(1 + len(c.Machine.States)/16) {
			return errWork()
		}
		if f.op == "atom" && !isAtom(f.atom, c) {
			return errAtom(f.atom)
		}
		if err := visit(f.left); err != nil {
			return err
		}
		return visit(f.right)
	}
	return visit(f)
}

// safety tells whether a normal formula says of all paths that something never happens. Only
// then does it survive that the program takes fewer edges than the may-graph has.
func safety(f *formula) bool {
	switch f.op {
	case "not":
		return f.left.atom != cert.AtomStuck // fewer edges leave more states stuck
	case "true", "false", "atom":
		return true
	case "and", "or", "AR":
		return safety(f.left) && safety(f.right)
	}
	return false
}

// labellings checks each labelling and returns on which graphs the formula holds.
func (a *auditor) labellings(e *cert.Evidence, cell *ir.Cell, f *formula) (*cert.CTL, map[cert.Graph]bool, *Error) {
	data, ok := e.Data.(*cert.CTL)
	if !ok {
		return nil, nil, errRule(e.Rule)
	}
	holds := map[cert.Graph]bool{}
	last := -1
	for i := range data.Labellings {
		l := &data.Labellings[i]
		number := slices.Index([]cert.Graph{cert.Declared, cert.May, cert.Implementation}, l.Graph)
		if number <= last {
			return nil, nil, errGraph(l.Graph)
		}
		last = number
		answer, err := checkLabelling(l, a.machines[cell].graph(l.Graph), f, cell.Machine.Initial, a.budget)
		if err != nil {
			return nil, nil, err
		}
		holds[l.Graph] = answer
	}
	if _, ok := holds[cert.Declared]; !ok {
		return nil, nil, errGraph(cert.Declared)
	}
	return data, holds, nil
}

// holds checks that a property holds of the picture and of the implementation. A safety
// property holds of the implementation when it holds on the may-graph. Any other rests on the
// runs that were seen, with a labelling on the word of these runs alone, without one on the
// engine's.
func (a *auditor) holds(e *cert.Evidence, cell *ir.Cell, f *formula) (cert.Class, *Error) {
	if e.Rule == cert.ByReach {
		return a.machines[cell].reachedByRuns(f)
	}
	data, holds, err := a.labellings(e, cell, f)
	if err != nil {
		return "", err
	}
	if data.Trace != nil {
		return "", errTraceShape()
	}
	for _, answer := range holds {
		if !answer {
			return "", errAnswer(false)
		}
	}
	if _, may := holds[cert.May]; may && safety(f) {
		return a.machines[cell].class, nil
	}
	return cert.EngineTrusted, nil
}

// reachedByRuns checks that f says of a state that it can be reached, and that the edges that
// runs took lead there.
func (m *machineGraphs) reachedByRuns(f *formula) (cert.Class, *Error) {
	if f.op != "EU" || f.left.op != "true" || f.right.op != "atom" || !slices.Contains(m.cell.Machine.States, f.right.atom) {
		return "", errRule(cert.ByReach)
	}
	if m.reached == nil {
		m.reached = map[string]bool{m.cell.Machine.Initial: true}
		next := m.successors(func(i int) bool { return m.seen[i] })
		for todo := []string{m.cell.Machine.Initial}; len(todo) > 0; {
			from := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, to := range next[from] {
				if !m.reached[to] {
					m.reached[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	if !m.reached[f.right.atom] {
		return "", errNoWay(f.right.atom)
	}
	return cert.EngineTrusted, nil
}

// fails checks that a property does not hold of the picture, and walks the trace that shows it.
func (a *auditor) fails(e *cert.Evidence, cell *ir.Cell, f *formula) (cert.Class, *Error) {
	data, holds, err := a.labellings(e, cell, f)
	if err != nil {
		return "", err
	}
	if holds[cert.Declared] || len(holds) > 1 {
		return "", errAnswer(true)
	}
	if data.Trace != nil {
		if err := checkTrace(data.Trace, a.machines[cell].graph(cert.Declared), cell.Machine.Initial); err != nil {
			return "", err
		}
	}
	return cert.KernelChecked, nil
}
