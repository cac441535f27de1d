package effects

// Components are the strongly connected components of the call graph, callees before callers;
// each lists its automata in order. An automaton is recursive when its component has several, or
// when it may start itself. The algorithm is Tarjan's (SIAM J. Comput. 1(2), 1972), linear in
// the graph, with a stack of its own.
func (g *Graph) Components() [][]int {
	t := &tarjan{callees: g.Callees, number: make([]int, len(g.Automata)), low: make([]int, len(g.Automata)),
		component: make([]int, len(g.Automata))}
	for i := range g.Automata {
		if t.number[i] == 0 {
			t.visit(i)
		}
	}
	out := make([][]int, t.count)
	for i, c := range t.component {
		out[c-1] = append(out[c-1], i)
	}
	return out
}

// Recursive tells whether a call of an automaton may lead to another call of it.
func (g *Graph) Recursive(component []int) bool {
	if len(component) > 1 {
		return true
	}
	for _, c := range g.Callees[component[0]] {
		if c == component[0] {
			return true
		}
	}
	return false
}

type tarjan struct {
	callees   [][]int
	number    []int // order of first visit from 1; 0 is not visited
	low       []int // the smallest number reached through the open ones
	component []int // from 1; 0 while open
	open      []int
	visited   int
	count     int
}

func (t *tarjan) visit(root int) {
	type frame struct{ node, next int }
	t.enter(root)
	stack := []frame{{node: root}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next < len(t.callees[f.node]) {
			child := t.callees[f.node][f.next]
			f.next++
			switch {
			case t.number[child] == 0:
				t.enter(child)
				stack = append(stack, frame{node: child})
			case t.component[child] == 0:
				t.low[f.node] = min(t.low[f.node], t.number[child])
			}
			continue
		}
		t.leave(f.node)
		stack = stack[:len(stack)-1]
		if len(stack) > 0 {
			parent := stack[len(stack)-1].node
			t.low[parent] = min(t.low[parent], t.low[f.node])
		}
	}
}

func (t *tarjan) enter(i int) {
	t.visited++
	t.number[i], t.low[i] = t.visited, t.visited
	t.open = append(t.open, i)
}

// leave closes the component of i when i is its first.
func (t *tarjan) leave(i int) {
	if t.low[i] != t.number[i] {
		return
	}
	t.count++
	for {
		last := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.component[last] = t.count
		if last == i {
			return
		}
	}
}
