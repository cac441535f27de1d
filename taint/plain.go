package taint

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// plain tells whether no derivation is needed for a cell: its sinks are decided by literals, or
// the program has no untrusted value at all. Anybody can look that up in the system, so it is no
// matter of trust.
func plain(s *ir.System, c *ir.Cell) bool { return literalSinks(c) || !hasSources(s) }

func literalSinks(c *ir.Cell) bool {
	literal := func(t *term.Term) bool { return t == nil || t.IsLiteral() }
	return everyEffect(c, func(f ir.Effect) bool {
		switch f := f.(type) {
		case *ir.Unknown:
			return false
		case *ir.Move:
			return literal(f.From) && literal(f.To)
		case *ir.Act:
			for _, i := range f.Sinks {
				if !literal(f.Args[i]) {
					return false
				}
			}
		}
		return true
	})
}

func hasSources(s *ir.System) bool {
	for _, c := range s.Cells {
		if !everyEffect(c, func(f ir.Effect) bool {
			switch f := f.(type) {
			case *ir.Unknown:
				return false
			case *ir.Act:
				return !isSource(f) && len(f.Tools) == 0
			}
			return true
		}) {
			return true
		}
	}
	return false
}

func everyEffect(c *ir.Cell, holds func(ir.Effect) bool) bool {
	for _, a := range c.Automata {
		for _, e := range a.Edges {
			for _, f := range e.Effects {
				if !holds(f) {
					return false
				}
			}
		}
	}
	return true
}
