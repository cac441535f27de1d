package termination

import (
	"fmt"
	"math/big"
	"strings"

	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/smt/term"
)

const (
	measuresOfCallees = "the measures of what it calls"
	deadRecursion     = "no run reaches the recursive call"
)

// String is the measure as its author would write it: variables have their names in the source.
func (m *measure) String(a *ir.Automaton) string {
	source := map[string]string{}
	for _, v := range a.Vars {
		if v.Source != "" {
			source[v.Term.Name] = v.Source
		}
	}
	parts := []*term.Term{}
	for _, positive := range []bool{true, false} { // n - i, not -i + n
		for _, key := range m.keys() {
			if (m.times[key].Sign() > 0) == positive {
				parts = append(parts, scaled(m, key))
			}
		}
	}
	sum := term.Subst(term.Add(parts...), func(v *term.Term) *term.Term {
		if name, ok := source[v.Name]; ok {
			return term.Var(name, v.Sort)
		}
		return nil
	})
	return sum.String() + " falls"
}

func scaled(m *measure, key string) *term.Term {
	times, atom := m.times[key], m.atoms[key]
	size := new(big.Int).Abs(times)
	if size.Cmp(big.NewInt(1)) != 0 {
		atom = term.Mul(term.IntLit(size), atom)
	}
	if times.Sign() < 0 {
		return term.Neg(atom)
	}
	return atom
}

func openLoop(l *ir.Loop) string {
	return fmt.Sprintf("the while loop at %s is not shown to end: no Int that it tests comes nearer to its bound in every round; `loop_bound(n)` would bound it", l.Span)
}

func openRecursion(a *ir.Automaton, calls []selfCall) string {
	return fmt.Sprintf("`%s` calls itself at %s, and no Int parameter comes nearer to a bound tested before in every such call (`n <= 0` bounds `n - 1`, `n == 0` does not)", a.Name, calls[0].call.Span)
}

func openManyCalls(a *ir.Automaton, calls []selfCall) string {
	return fmt.Sprintf("`%s` calls itself at %s and %d more places: its body is too large to look for what comes nearer to a bound", a.Name, calls[0].call.Span, len(calls)-1)
}

func openIndirect(name, via string) string {
	ways := map[string]string{"emit": "listens to an event that it emits", "delegate": "may delegate to itself", "tool": "is a tool of a model that it asks"}
	way, ok := ways[via]
	if !ok {
		way = "may come to call itself"
	}
	return fmt.Sprintf("`%s` %s", name, way)
}

func openCycle(names []string) string {
	return fmt.Sprintf("handlers call each other in a circle: %s", strings.Join(names, " → "))
}

const openLongCycle = "handlers call each other in a circle, through many others"

func openCallee(callee *ir.Automaton, why string) string {
	return fmt.Sprintf("it may run `%s`: %s", callee.Name, why)
}

func openUnknown(u effects.Unknown) string {
	return fmt.Sprintf("what happens at %s is not known: %s", u.Places[0], u.Why)
}
