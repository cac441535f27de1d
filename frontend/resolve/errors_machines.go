package resolve

import (
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Findings about machines: their edges, moves along them, and properties of them.

// --- machines ---

func secondMachine(m, first *syntax.Machine) diag.Diagnostic {
	return noted(fault(diag.SecondMachine, m.Name.At, "a cell has one state machine, and `%s` is the second", m.Name.Name), first.Name.At, "the first is here")
}

func noInitial(m *syntax.Machine) diag.Diagnostic {
	return fault(diag.InitialState, m.Name.At, "the machine `%s` does not say where it starts: write `initial: STATE`", m.Name.Name)
}

func secondInitial(name syntax.Ident, first source.Span) diag.Diagnostic {
	return noted(fault(diag.InitialState, name.At, "a machine starts in one state: `%s` is a second one", name.Name), first, "the first is here")
}

func noEdges(m *syntax.Machine) diag.Diagnostic {
	return fault(diag.NoEdges, m.Name.At, "the machine `%s` has no edges: nothing can ever move", m.Name.Name)
}

func duplicateEdge(row, first *syntax.EdgeRow) diag.Diagnostic {
	from := "*"
	if row.From != nil {
		from = row.From.Name
	}
	return noted(fault(diag.Duplicate, row.At, "the edge `%s -> %s` is declared twice", from, row.To.Name), first.At, "first declared here")
}

func emptyWildcard(row *syntax.EdgeRow) diag.Diagnostic {
	return warning(diag.EmptyWildcard, row.At, "`%s` stands for no edge: every state is left out or has the edge already", row.At.Normal())
}

func unknownExcept(name syntax.Ident, m *Machine, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownState, name.At, "`%s` has no state `%s` to except%s", m.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func stateOutsideType(name syntax.Ident, t *SumType, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownState, name.At, "the states of this machine are the variants of `%s`, and `%s` is none%s", t.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func machineOfNoSum(t *syntax.Type) diag.Diagnostic {
	return fault(diag.UnknownType, t.At, "a machine is typed by a sum type, and `%s` is none", t.Name.Name)
}

func lostEnds(m *Machine, row *syntax.EdgeRow, lost []string) diag.Diagnostic {
	var except []string
	for _, e := range row.Except {
		if m.HasState(e.Name) {
			except = append(except, e.Name)
		}
	}
	except = append(except, lost...)
	return warning(diag.LostEnd, row.At, "`* -> %s` leaves %s too, which would else be final: if that is not meant, write `* -> %s except [%s]`",
		row.To.Name, quoteAll(lost), row.To.Name, strings.Join(except, ", "))
}

func undefinedState(x *syntax.Name, m *Machine, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UndefinedName, x.At, "`%s` is neither a name in scope nor a state of `%s`%s", x.Name, m.Name, meant(guess)), x.At, x.Name, guess)
}

func undeclaredState(x syntax.Expr, m *Machine, state string, guess near.Guess) diag.Diagnostic {
	d := noted(fault(diag.UnknownState, x.Span(), "`%s` has no state `%s`%s", m.Name, state, meant(guess)), m.Decl.Name.At, "the machine is declared here")
	return spelt(d, x.Span(), state, guess)
}

func neverEntered(x syntax.Expr, m *Machine, state string) diag.Diagnostic {
	return noted(fault(diag.NeverEntered, x.Span(), "no edge of `%s` enters `%s`: this move is always refused", m.Name, state), m.Decl.Name.At, "the machine is declared here")
}

func undeclaredEdge(at source.Span, m *Machine, from, to string) diag.Diagnostic {
	return noted(fault(diag.UndeclaredEdge, at, "`%s` declares no edge `%s -> %s`: this move is always refused", m.Name, from, to), m.Decl.Name.At, "the machine is declared here")
}

func noExit(x syntax.Expr, m *Machine, state string) diag.Diagnostic {
	return noted(fault(diag.UndeclaredEdge, x.Span(), "no edge of `%s` leaves `%s`: this move is always refused", m.Name, state), m.Decl.Name.At, "the machine is declared here")
}

func noMachine(name syntax.Ident, machines []*Machine) diag.Diagnostic {
	if len(machines) == 0 {
		return fault(diag.NoMachine, name.At, "`%s` needs a state machine, and the program has none", name.Name)
	}
	return fault(diag.NoMachine, name.At, "`%s` cannot tell which machine is meant, %s: call a handler of the cell that has it", name.Name, machineNames(machines))
}

func impureGuard(name syntax.Ident) diag.Diagnostic {
	return fault(diag.ImpureGuard, name.At, "a guard only reads: it cannot call `%s`", name.Name)
}

func unboundGuardName(site *moveSite, e *Edge, x *syntax.Name, guess near.Guess) diag.Diagnostic {
	return noted(fault(diag.UnboundGuardName, site.at, "the guard of `%s -> %s` reads `%s`, which is not bound here on every path: bind it before the call%s", e.From, e.To, x.Name, meant(guess)), x.At, "the guard is here")
}

// --- properties ---

func unknownPropState(a Atom, machines []*Machine, guess near.Guess) diag.Diagnostic {
	if len(machines) == 1 {
		return spelt(fault(diag.UnknownPropState, a.At, "`%s` has no state `%s`%s", machines[0].Name, a, meant(guess)), a.At, a.State, guess)
	}
	return spelt(fault(diag.UnknownPropState, a.At, "no machine has a state `%s`%s", a, meant(guess)), a.At, a.State, guess)
}

func unknownFairEdge(p *syntax.Prop, m *Machine) diag.Diagnostic {
	return noted(fault(diag.UnknownPropState, p.At, "`%s` declares no edge `%s -> %s` to be fair to", m.Name, p.Edge[0].Name, p.Edge[1].Name), m.Decl.Name.At, "the machine is declared here")
}

func ambiguousAtom(a Atom, fitting []*Machine) diag.Diagnostic {
	return fault(diag.UnboundProperty, a.At, "`%s` is a state of several machines, %s: write `machine.state`", a, machineNames(fitting))
}

func unknownFairHandler(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownPropState, name.At, "there is no handler `%s` to be fair to%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

func propWithoutMachine(p *syntax.Prop) diag.Diagnostic {
	return fault(diag.UnboundProperty, p.At, "a property speaks of a state machine, and the program has none")
}

func propOfNoOneMachine(p *syntax.Prop, fitting []*Machine) diag.Diagnostic {
	if len(fitting) == 0 {
		return fault(diag.UnboundProperty, p.At, "no machine has all the states of this property: name them as `machine.state`")
	}
	return fault(diag.UnboundProperty, p.At, "this property fits several machines, %s: name its states as `machine.state`", machineNames(fitting))
}

func machineNames(machines []*Machine) string {
	var names []string
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return quoteAll(names)
}
