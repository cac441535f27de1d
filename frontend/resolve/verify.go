package resolve

import (
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// verify checks the properties that a cell states about its machine.
func (r *resolver) verify(c *Cell) {
	for _, p := range c.Verify {
		for _, d := range r.prog.CheckProp(c, p) {
			r.report(d)
		}
	}
}

// CheckProp judges whether a property fits the program: its states exist, and one machine
// has them all. The cell is the one that states the property, or nil for a property of a
// manifest.
func (p *Program) CheckProp(c *Cell, prop *syntax.Prop) []diag.Diagnostic {
	if prop.Kind == syntax.PropFair && prop.Handler != nil {
		return p.checkFairHandler(c, prop)
	}
	m, problems := p.PropMachine(c, prop)
	if prop.Kind == syntax.PropFair && len(problems) == 0 {
		from, to := prop.Edge[0], prop.Edge[1]
		if m.Edge(lastPart(from.Name), lastPart(to.Name)) == nil {
			return []diag.Diagnostic{unknownFairEdge(prop, m)}
		}
	}
	return problems
}

// lastPart is the state of an atom such as machine.state.
func lastPart(atom string) string { return atom[strings.LastIndex(atom, ".")+1:] }

// CheckRule judges whether a formula over several machines fits the program: each of its atoms
// is a state of exactly one machine.
func (p *Program) CheckRule(formula string, at source.Span) []diag.Diagnostic {
	machines := p.Machines()
	atoms := ctlAtoms(formula, at)
	out := unknownAtoms(machines, atoms)
	for _, a := range atoms {
		var fitting []*Machine
		for _, m := range machines {
			if m.hasAtom(a) {
				fitting = append(fitting, m)
			}
		}
		if len(fitting) > 1 {
			out = append(out, ambiguousAtom(a, fitting))
		}
	}
	return out
}

func (p *Program) checkFairHandler(c *Cell, prop *syntax.Prop) []diag.Diagnostic {
	var names []string
	for _, cell := range p.Cells {
		if c != nil && cell != c {
			continue
		}
		if len(cell.named(prop.Handler.Name)) > 0 {
			return nil
		}
		names = append(names, cell.handlerNames()...)
	}
	return []diag.Diagnostic{unknownFairHandler(*prop.Handler, near.Find(prop.Handler.Name, names))}
}

// PropMachine finds the machine a property speaks of: the one of the stating cell, else the
// only one that has all states the property names. The problems are errors of the property.
func (p *Program) PropMachine(c *Cell, prop *syntax.Prop) (*Machine, []diag.Diagnostic) {
	if c != nil && c.Machine != nil {
		return c.Machine, unknownAtoms([]*Machine{c.Machine}, propAtoms(prop))
	}
	return bindProp(p.Machines(), prop)
}

// bindProp finds the one machine of a list that has all states a property names. The
// problems are errors of the property.
func bindProp(machines []*Machine, prop *syntax.Prop) (*Machine, []diag.Diagnostic) {
	atoms := propAtoms(prop)
	if len(machines) == 0 {
		return nil, []diag.Diagnostic{propWithoutMachine(prop)}
	}
	if problems := unknownAtoms(machines, atoms); len(problems) > 0 {
		return nil, problems
	}
	var fitting []*Machine
	for _, m := range machines {
		if m.hasAtoms(atoms) {
			fitting = append(fitting, m)
		}
	}
	if len(fitting) != 1 {
		return nil, []diag.Diagnostic{propOfNoOneMachine(prop, fitting)}
	}
	return fitting[0], nil
}

// Machines lists the machines of the program in order of declaration.
func (p *Program) Machines() []*Machine {
	var out []*Machine
	for _, c := range p.Cells {
		if c.Machine != nil {
			out = append(out, c.Machine)
		}
	}
	return out
}

// unknownAtoms reports the atoms that no machine of the list has.
func unknownAtoms(machines []*Machine, atoms []Atom) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, a := range atoms {
		found := false
		var states []string
		for _, m := range machines {
			found = found || m.hasAtom(a)
			states = append(states, m.States...)
		}
		if !found {
			out = append(out, unknownPropState(a, machines, near.Find(a.State, states)))
		}
	}
	return out
}

func (m *Machine) hasAtoms(atoms []Atom) bool {
	for _, a := range atoms {
		if !m.hasAtom(a) {
			return false
		}
	}
	return true
}

func (m *Machine) hasAtom(a Atom) bool {
	return (a.Cell == "" || a.Cell == m.Cell.Name) && (a.Machine == "" || a.Machine == m.Name) && m.HasState(a.State)
}

// Atom is an atomic proposition of a property: state, machine.state or Cell.machine.state.
type Atom struct {
	Cell, Machine, State string
	At                   source.Span
}

// String is the atom as written.
func (a Atom) String() string {
	text := a.State
	for _, part := range []string{a.Machine, a.Cell} {
		if part != "" {
			text = part + "." + text
		}
	}
	return text
}

// propAtoms lists the states a property names, each with its place.
func propAtoms(p *syntax.Prop) []Atom {
	var out []Atom
	add := func(i syntax.Ident) { out = append(out, atomOf(i.Name, i.At)) }
	if p.Subject != nil {
		add(*p.Subject)
	}
	for _, s := range p.States {
		add(s)
	}
	if p.Kind == syntax.PropCTL {
		out = append(out, ctlAtoms(p.CTL, p.CTLAt)...)
	}
	if p.Kind == syntax.PropFair && p.Handler == nil {
		add(p.Edge[0])
		add(p.Edge[1])
	}
	return out
}

func atomOf(text string, at source.Span) Atom {
	parts := strings.Split(text, ".")
	a := Atom{State: parts[len(parts)-1], At: at}
	if len(parts) > 1 {
		a.Machine = parts[len(parts)-2]
	}
	if len(parts) > 2 {
		a.Cell = strings.Join(parts[:len(parts)-2], ".")
	}
	return a
}

// ctlAtoms lists the atomic propositions of a CTL text, each once, at the place of the text:
// words that are no operator, with dots.
func ctlAtoms(text string, at source.Span) []Atom {
	var out []Atom
	seen := map[string]bool{}
	word := func(c byte) bool {
		return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for i := 0; i < len(text); {
		if !word(text[i]) {
			i++
			continue
		}
		j := i
		for j < len(text) && word(text[j]) {
			j++
		}
		if w := text[i:j]; !ctlWord(w) && !seen[w] {
			seen[w] = true
			out = append(out, atomOf(w, at))
		}
		i = j
	}
	return out
}

// ctlWord tells whether a word is an operator or constant of CTL.
func ctlWord(w string) bool {
	switch w {
	case "AX", "EX", "AF", "EF", "AG", "EG", "A", "E", "U", "R", "W", "true", "false", "not", "and", "or":
		return true
	}
	return false
}
