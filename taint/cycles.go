package taint

import "soma.cell/ir"

// cycles tells which locations lie on a cycle together: those in one strongly connected
// component, by its number; a location on no cycle has 0. What a run passes once at most, brings
// no symbol a second time. Tarjan's algorithm (SIAM J. Comput. 1(2), 1972), with a stack of its
// own; linear in the edges.
func cycles(a *ir.Automaton, outOf [][]int) []int {
	number, low := make([]int, a.Locs), make([]int, a.Locs)
	component := make([]int, a.Locs)
	var open []ir.Loc
	isOpen := make([]bool, a.Locs)
	visited, count := 0, 0
	type visit struct {
		loc  ir.Loc
		next int
	}
	enter := func(l ir.Loc) visit {
		visited++
		number[l], low[l], isOpen[l] = visited, visited, true
		open = append(open, l)
		return visit{loc: l}
	}
	stack := []visit{enter(ir.Entry)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next < len(outOf[top.loc]) {
			to := a.Edges[outOf[top.loc][top.next]].To
			top.next++
			switch {
			case number[to] == 0:
				stack = append(stack, enter(to))
			case isOpen[to]:
				low[top.loc] = min(low[top.loc], number[to])
			}
			continue
		}
		l := top.loc
		stack = stack[:len(stack)-1]
		if len(stack) > 0 {
			parent := stack[len(stack)-1].loc
			low[parent] = min(low[parent], low[l])
		}
		if low[l] < number[l] {
			continue
		}
		count++
		first := len(open) - 1
		for open[first] != l {
			first--
		}
		for _, m := range open[first:] {
			isOpen[m] = false
			if len(open)-first > 1 || hasSelfEdge(a, outOf, m) {
				component[m] = count
			}
		}
		open = open[:first]
	}
	return component
}

func hasSelfEdge(a *ir.Automaton, outOf [][]int, l ir.Loc) bool {
	for _, i := range outOf[l] {
		if a.Edges[i].To == l {
			return true
		}
	}
	return false
}
