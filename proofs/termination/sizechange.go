package termination

import "slices"

// The size-change principle (Lee, Jones and Ben-Amram, POPL 2001): every endless chain of calls
// has a thread of measures that never rise, fall again and again, and are bounded below again and
// again; there is none, since Ints fall only finitely often below a bound. By Ramsey's theorem it
// is enough to look at the graphs of all chains of calls: each that leads from a handler to
// itself, and is what it is twice in a row, has a measure that comes back to itself fallen and
// bounded. The bounds are finitely many numbers, one a test. Cost: the number of graphs, which
// can be exponential, and is limited.

// arc says how a measure of the caller becomes one of the callee: it does not rise; it may fall,
// and be bounded below at the call.
type arc uint8

const (
	falls arc = 1 << iota
	bounded
)

// arcs is a set of arcs between the same two measures: a bit for each.
type arcs uint8

func (s arcs) then(t arcs) (out arcs) {
	for a := range falls | bounded + 1 {
		for b := range falls | bounded + 1 {
			if s&(1<<a) != 0 && t&(1<<b) != 0 {
				out |= 1 << (a | b)
			}
		}
	}
	return out
}

// graph holds the arcs of a chain of calls from one automaton to another.
type graph struct {
	from, to      int
	width, height int // measures of the callee, of the caller
	cells         []arcs
}

func newGraph(from, to, height, width int) graph {
	return graph{from, to, width, height, make([]arcs, width*height)}
}

func (g graph) add(i, j int, a arc) { g.cells[i*g.width+j] |= 1 << a }

func (g graph) has(i, j int) bool { return g.cells[i*g.width+j] != 0 }

// descends tells whether a measure comes back to itself fallen and bounded.
func (g graph) descends(i int) bool { return g.cells[i*g.width+i]&(1<<(falls|bounded)) != 0 }

// then is the graph of one chain after another.
func (g graph) then(h graph) graph {
	out := newGraph(g.from, h.to, g.height, h.width)
	for i := range g.height {
		for k := range g.width {
			if !g.has(i, k) {
				continue
			}
			for j := range h.width {
				out.cells[i*out.width+j] |= g.cells[i*g.width+k].then(h.cells[k*h.width+j])
			}
		}
	}
	return out
}

func (g graph) key() string {
	key := []byte{byte(g.from), byte(g.to)}
	for _, c := range g.cells {
		key = append(key, byte(c))
	}
	return string(key)
}

func (g graph) equal(h graph) bool {
	return g.from == h.from && g.to == h.to && slices.Equal(g.cells, h.cells)
}

// descents composes the graphs of calls in all ways. For each automaton it gives the measures
// that descend, one list for each way round; ok is false when none does on some way, or the ways
// take more steps than work, which is used up.
func descents(calls []graph, work *int) (found map[int][][]int, ok bool) {
	seen := map[string]bool{}
	var all []graph
	add := func(g graph) {
		if key := g.key(); !seen[key] {
			seen[key] = true
			all = append(all, g)
		}
	}
	for _, g := range calls {
		add(g)
	}
	calls = all
	for next := 0; next < len(all); next++ {
		for _, c := range calls {
			if all[next].to != c.from {
				continue
			}
			if *work -= 1 + all[next].height*c.height*c.width; *work < 0 {
				return nil, false
			}
			add(all[next].then(c))
		}
	}
	found = map[int][][]int{}
	for _, g := range all {
		if g.from != g.to || !g.then(g).equal(g) {
			continue
		}
		var descending []int
		for i := range g.height {
			if g.descends(i) {
				descending = append(descending, i)
			}
		}
		if len(descending) == 0 {
			return nil, false
		}
		found[g.from] = append(found[g.from], descending)
	}
	return found, true
}
