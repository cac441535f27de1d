package termination

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/smt/term"
)

const (
	measuresOfCallees = "the measures of what it calls"
	deadRecursion     = "no run reaches the recursive call"
)

// falling says that a measure falls, or several as a tuple: the first part that changes does.
func falling(a *ir.Automaton, parts ...measure) string {
	texts := make([]string, len(parts))
	for i, m := range parts {
		texts[i] = m.text(a)
	}
	if len(texts) == 1 {
		return texts[0] + " falls"
	}
	return "(" + strings.Join(texts, ", ") + ") falls"
}

// wayRound says which measures fall on ways from a handler back to it: descents has the numbers
// of those that do, for each way. Of a handler whose calls are all of itself, and where one falls
// at each, that is said: calls are the graphs of those from it and to it.
func wayRound(a *ir.Automaton, measures []measure, descents [][]int, calls []graph) string {
	if len(descents) == 0 {
		return deadRecursion
	}
	for i, m := range measures {
		if !slices.ContainsFunc(calls, func(g graph) bool { return g.from != g.to || !g.descends(i) }) {
			return falling(a, m)
		}
	}
	var texts []string
	for _, way := range descents {
		if text := measures[way[0]].text(a); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for i, m := range measures {
		if !slices.ContainsFunc(descents, func(way []int) bool { return !slices.Contains(way, i) }) {
			texts = []string{m.text(a)}
			break
		}
	}
	return strings.Join(texts, " or ") + " falls on every way round"
}

// text is the measure as its author would write it: variables have their names in the source.
func (m *measure) text(a *ir.Automaton) string {
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
	if v := flagOf(m.atoms[m.keys()[0]]); v != nil && len(parts) == 1 {
		parts[0] = v
		if m.times[m.keys()[0]].Sign() < 0 {
			parts[0] = term.Not(v)
		}
	}
	sum := term.Subst(term.Add(parts...), func(v *term.Term) *term.Term {
		if name, ok := source[v.Name]; ok {
			return term.Var(name, v.Sort)
		}
		if isSize(v) {
			return term.Var(shownSize(a, v), v.Sort)
		}
		return nil
	})
	return sum.String()
}

func shownSize(a *ir.Automaton, v *term.Term) string {
	name := strings.TrimPrefix(v.Name, sizeMark)
	return strings.TrimPrefix(name, a.Cell+".") + ".size"
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

// openSelfCalls says it of an automaton that starts itself.
func openSelfCalls(a *ir.Automaton, r *recursion) string {
	for _, c := range r.calls {
		if c.call == nil {
			return openIndirect(a.Name, "tool")
		}
		if c.call.Via == "emit" {
			return openIndirect(a.Name, "emit")
		}
	}
	at := r.calls[0].call.Span
	if r.large {
		return fmt.Sprintf("`%s` calls itself at %s and %d more places: its body is too large to look for what comes nearer to a bound", a.Name, at, len(r.calls)-1)
	}
	return fmt.Sprintf("`%s` calls itself at %s, and no Int parameter comes nearer to a bound tested before in every such call (`n <= 0` bounds `n - 1`, `n == 0` does not)", a.Name, at)
}

func openIndirect(name, via string) string {
	if via == "emit" {
		return fmt.Sprintf("`%s` listens to an event that it emits", name)
	}
	return fmt.Sprintf("`%s` is a tool of a model that it asks", name)
}

func openCycle(names []string) string {
	return fmt.Sprintf("handlers call each other in a circle: %s, and no Int parameter comes nearer to a bound tested before on every way round", strings.Join(names, " → "))
}

const openLongCycle = "handlers call each other in a circle, through many others"

func openCallee(callee *ir.Automaton, why string) string {
	return fmt.Sprintf("it may run `%s`: %s", callee.Name, why)
}

func openUnknown(u effects.Unknown) string {
	return fmt.Sprintf("what happens at %s is not known: %s", u.Places[0], u.Why)
}
