package ir

import (
	"cmp"
	"slices"
)

// Count is how often the lowering gave up on a construct.
type Count struct {
	Construct string
	Times     int
}

// Abstractions tells how much of a system is over-approximated. Counts lists the constructs, the
// most frequent first: values the lowering does not know (Havoc of origin Abstraction), unknown
// effects, rules and guards that no term captures. Of the effects, abstract are abstractions.
func Abstractions(s *System) (counts []Count, abstract, effects int) {
	times := map[string]int{}
	for _, c := range s.Cells {
		for _, r := range c.Rules {
			if r.Abstract != "" {
				times["rule: "+r.Abstract]++
			}
		}
		for _, a := range c.Automata {
			for _, e := range a.Edges {
				for _, f := range e.Effects {
					effects++
					if what := abstraction(f); what != "" {
						times[what]++
						abstract++
					}
					times["guard of a declared edge"] += abstractGuards(f)
				}
			}
		}
	}
	for what, n := range times {
		if n > 0 {
			counts = append(counts, Count{what, n})
		}
	}
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Construct, b.Construct))
	})
	return counts, abstract, effects
}

// abstraction is the construct that an effect over-approximates, "" for an exact effect.
func abstraction(f Effect) string {
	switch f := f.(type) {
	case *Havoc:
		if f.Origin == Abstraction {
			return "value: " + f.Why
		}
	case *Unknown:
		return "effect: " + f.Why
	}
	return ""
}

func abstractGuards(f Effect) (n int) {
	if m, ok := f.(*Move); ok {
		for _, g := range m.Guards {
			if g.Abstract {
				n++
			}
		}
	}
	return n
}

func (p *printer) abstractions() {
	counts, abstract, effects := Abstractions(p.system)
	p.line("abstractions: %d of %d effects (%.1f %%)", abstract, effects, 100*float64(abstract)/float64(max(effects, 1)))
	for _, c := range counts {
		p.line("  %4d  %s", c.Times, c.Construct)
	}
}
