package ctl

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// model is a small structure as the tests see it: an edge matrix and truth
// tables. It shares nothing with Structure and Set but the numbering.
type model struct {
	n       int
	edge    [][]bool // without the stutter
	atoms   map[string][]bool
	initial []int
}

// atomNames are the propositions of random formulas and models.
func atomNames() []string { return []string{"p", "q", "m.r"} }

func randomModel(rng *rand.Rand) *model {
	m := &model{n: 1 + rng.IntN(7), atoms: map[string][]bool{}}
	density := 1 + rng.IntN(3)
	m.edge = make([][]bool, m.n)
	for from := range m.n {
		m.edge[from] = make([]bool, m.n)
		for range rng.IntN(density + 1) {
			m.edge[from][rng.IntN(m.n)] = true
		}
	}
	for _, name := range atomNames() {
		truth, bias := make([]bool, m.n), 1+rng.IntN(4)
		for i := range truth {
			truth[i] = rng.IntN(5) < bias
		}
		m.atoms[name] = truth
	}
	m.initial = []int{rng.IntN(m.n)}
	if rng.IntN(4) == 0 {
		m.initial = append(m.initial, rng.IntN(m.n))
	}
	return m
}

func randomFormula(rng *rand.Rand, depth int) *Formula {
	if depth == 0 || rng.IntN(8) == 0 {
		switch rng.IntN(12) {
		case 0:
			return True()
		case 1:
			return False()
		}
		names := atomNames()
		return Atom(names[rng.IntN(len(names))])
	}
	one := []func(p *Formula) *Formula{Not, EX, AX, EF, AF, EG, AG}
	two := []func(p, q *Formula) *Formula{And, Or, Implies, Iff, EU, AU, ER, AR, EW, AW}
	if k := rng.IntN(len(one) + len(two)); k < len(one) {
		return one[k](randomFormula(rng, depth-1))
	} else {
		return two[k-len(one)](randomFormula(rng, depth-1), randomFormula(rng, depth-1))
	}
}

func (m *model) structure() *Structure {
	b := NewBuilder(m.n)
	for from := range m.n {
		for to := range m.n {
			if m.edge[from][to] {
				b.AddEdge(from, to)
			}
		}
	}
	for _, state := range m.initial {
		b.AddInitial(state)
	}
	s, err := b.Build()
	if err != nil {
		panic(err)
	}
	return s
}

func (m *model) sets() map[string]*Set {
	out := map[string]*Set{}
	for name, truth := range m.atoms {
		out[name] = setOf(truth)
	}
	return out
}

func setOf(truth []bool) *Set {
	set := NewSet(len(truth))
	for i, t := range truth {
		if t {
			set.Add(i)
		}
	}
	return set
}

// steps reports whether to follows from, the stutter counted.
func (m *model) steps(from, to int) bool {
	for _, e := range m.edge[from] {
		if e {
			return m.edge[from][to]
		}
	}
	return from == to
}

func (m *model) some(from int, truth []bool) bool {
	for to := range m.n {
		if m.steps(from, to) && truth[to] {
			return true
		}
	}
	return false
}

func (m *model) every(from int, truth []bool) bool {
	for to := range m.n {
		if m.steps(from, to) && !truth[to] {
			return false
		}
	}
	return true
}

func (m *model) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "initial %v", m.initial)
	for from := range m.n {
		fmt.Fprintf(&b, "; %d ->", from)
		for to := range m.n {
			if m.edge[from][to] {
				fmt.Fprintf(&b, " %d", to)
			}
		}
	}
	for _, name := range atomNames() {
		fmt.Fprintf(&b, "; %s %v", name, m.atoms[name])
	}
	return b.String()
}

// pointwise evaluates what needs no successor, or returns false.
func (m *model) pointwise(f *Formula, eval func(*Formula) []bool) ([]bool, bool) {
	out := make([]bool, m.n)
	var p, q []bool
	switch f.Op {
	case OpAtom:
		return m.atoms[f.Name], true
	case OpNot:
		p = eval(f.Left)
	case OpAnd, OpOr, OpImplies, OpIff:
		p, q = eval(f.Left), eval(f.Right)
	case OpTrue, OpFalse:
	default:
		return nil, false
	}
	for i := range out {
		switch f.Op {
		case OpTrue:
			out[i] = true
		case OpNot:
			out[i] = !p[i]
		case OpAnd:
			out[i] = p[i] && q[i]
		case OpOr:
			out[i] = p[i] || q[i]
		case OpImplies:
			out[i] = !p[i] || q[i]
		case OpIff:
			out[i] = p[i] == q[i]
		}
	}
	return out, true
}

// byFixpoint evaluates f by the expansion laws, each iterated to its fixpoint
// from below or from above, on the formula as written.
func (m *model) byFixpoint(f *Formula) []bool {
	if out, ok := m.pointwise(f, m.byFixpoint); ok {
		return out
	}
	p := m.byFixpoint(f.Left)
	var q []bool
	if f.Right != nil {
		q = m.byFixpoint(f.Right)
	}
	iterate := func(from bool, law func(state int, z []bool) bool) []bool {
		z := make([]bool, m.n)
		for i := range z {
			z[i] = from
		}
		for changed := true; changed; {
			next := make([]bool, m.n)
			changed = false
			for i := range z {
				next[i] = law(i, z)
				changed = changed || next[i] != z[i]
			}
			z = next
		}
		return z
	}
	switch f.Op {
	case OpEX:
		return iterate(false, func(i int, _ []bool) bool { return m.some(i, p) })
	case OpAX:
		return iterate(false, func(i int, _ []bool) bool { return m.every(i, p) })
	case OpEF:
		return iterate(false, func(i int, z []bool) bool { return p[i] || m.some(i, z) })
	case OpAF:
		return iterate(false, func(i int, z []bool) bool { return p[i] || m.every(i, z) })
	case OpEG:
		return iterate(true, func(i int, z []bool) bool { return p[i] && m.some(i, z) })
	case OpAG:
		return iterate(true, func(i int, z []bool) bool { return p[i] && m.every(i, z) })
	case OpEU:
		return iterate(false, func(i int, z []bool) bool { return q[i] || p[i] && m.some(i, z) })
	case OpAU:
		return iterate(false, func(i int, z []bool) bool { return q[i] || p[i] && m.every(i, z) })
	case OpER:
		return iterate(true, func(i int, z []bool) bool { return q[i] && (p[i] || m.some(i, z)) })
	case OpAR:
		return iterate(true, func(i int, z []bool) bool { return q[i] && (p[i] || m.every(i, z)) })
	case OpEW:
		return iterate(true, func(i int, z []bool) bool { return q[i] || p[i] && m.some(i, z) })
	case OpAW:
		return iterate(true, func(i int, z []bool) bool { return q[i] || p[i] && m.every(i, z) })
	}
	panic("not a formula")
}

// byPaths evaluates f on paths: all runs that go on without repeating a state
// until they close a loop. For one temporal operator over sets of states these
// are enough: a witness can be cut short at each repeated state.
func (m *model) byPaths(f *Formula) []bool {
	if out, ok := m.pointwise(f, m.byPaths); ok {
		return out
	}
	p := m.byPaths(f.Left)
	var q []bool
	if f.Right != nil {
		q = m.byPaths(f.Right)
	}
	universal := false
	switch f.Op {
	case OpAX, OpAF, OpAG, OpAU, OpAR, OpAW:
		universal = true
	}
	out := make([]bool, m.n)
	for state := range out {
		found := false
		m.runs([]int{state}, func(run []int, _ int) {
			found = found || onRun(f.Op, run, p, q) != universal
		})
		out[state] = found != universal
	}
	return out
}

// runs calls visit for each run that starts with the given path of distinct
// states: it repeats for ever what it holds from index back on.
func (m *model) runs(path []int, visit func(run []int, back int)) {
	last := path[len(path)-1]
next:
	for to := range m.n {
		if !m.steps(last, to) {
			continue
		}
		for back, before := range path {
			if before == to {
				visit(path, back)
				continue next
			}
		}
		m.runs(append(path[:len(path):len(path)], to), visit)
	}
}

// onRun evaluates the path formula of op on the run that repeats a part of the
// given distinct states for ever. After the last of them nothing new turns up.
func onRun(op Op, run []int, p, q []bool) bool {
	if op == OpEX || op == OpAX {
		return p[run[min(1, len(run)-1)]]
	}
	for _, state := range run {
		switch op {
		case OpEF, OpAF:
			if p[state] {
				return true
			}
		case OpEG, OpAG:
			if !p[state] {
				return false
			}
		case OpEU, OpAU, OpEW, OpAW:
			if q[state] {
				return true
			}
			if !p[state] {
				return false
			}
		case OpER, OpAR:
			if !q[state] {
				return false
			}
			if p[state] {
				return true
			}
		}
	}
	switch op {
	case OpEG, OpAG, OpER, OpAR, OpEW, OpAW:
		return true
	}
	return false
}
