package ctl

import "slices"

// cycles finds the states that lie on a cycle of the subgraph that within
// induces, among those reachable in it from a given member: the members of
// strongly connected components with an edge of their own. It is Tarjan's
// algorithm (1972) with an explicit stack, linear in states and edges.
type cycles struct {
	s      *Structure
	within *Set
	order  []int32 // discovery number from 1 on; 0: not discovered
	low    []int32 // least discovery number known to be in the same component
	count  int32
	open   []int32 // discovered states whose component is not complete, in order
	isOpen *Set
	cyclic *Set
}

// frame is a state under exploration and how many of its successors are done.
type frame struct {
	state int32
	done  int
}

func cyclicStates(s *Structure, within *Set, from int) *Set {
	c := &cycles{
		s: s, within: within,
		order: make([]int32, s.Len()), low: make([]int32, s.Len()),
		isOpen: NewSet(s.Len()), cyclic: NewSet(s.Len()),
	}
	stack := []frame{c.discover(int32(from))}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		state := top.state
		if successors := s.Succ(int(state)); top.done < len(successors) {
			next := successors[top.done]
			top.done++
			switch {
			case !within.Has(int(next)):
			case c.order[next] == 0:
				stack = append(stack, c.discover(next))
			case c.isOpen.Has(int(next)):
				c.low[state] = min(c.low[state], c.order[next])
			}
			continue
		}
		stack = stack[:len(stack)-1]
		if c.low[state] == c.order[state] {
			c.complete(state)
		}
		if len(stack) > 0 {
			parent := stack[len(stack)-1].state
			c.low[parent] = min(c.low[parent], c.low[state])
		}
	}
	return c.cyclic
}

func (c *cycles) discover(state int32) frame {
	c.count++
	c.order[state], c.low[state] = c.count, c.count
	c.open = append(c.open, state)
	c.isOpen.Add(int(state))
	return frame{state: state}
}

// complete pops the component whose first discovered member is root.
func (c *cycles) complete(root int32) {
	at := len(c.open) - 1
	for c.open[at] != root {
		at--
	}
	component := c.open[at:]
	c.open = c.open[:at]
	onCycle := len(component) > 1 || c.s.HasEdge(int(root), int(root))
	for _, state := range component {
		c.isOpen.Remove(int(state))
		if onCycle {
			c.cyclic.Add(int(state))
		}
	}
}

// shortestPath returns a shortest path inside within from a member to a state
// that satisfies goal, both ends included, or nil if there is none. Among
// shortest paths it takes the one breadth-first search meets first, successors
// in ascending order.
func shortestPath(s *Structure, within *Set, from int, goal func(state int) bool) []int {
	const unseen = -1
	parent := make([]int32, s.Len())
	for state := range parent {
		parent[state] = unseen
	}
	parent[from] = int32(from)
	queue := []int32{int32(from)}
	for head := 0; head < len(queue); head++ {
		state := queue[head]
		if goal(int(state)) {
			return backtrack(parent, int(state))
		}
		for _, next := range s.Succ(int(state)) {
			if parent[next] == unseen && within.Has(int(next)) {
				parent[next] = state
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// backtrack follows parents from state to the root, its own parent.
func backtrack(parent []int32, state int) []int {
	path := []int{state}
	for int(parent[state]) != state {
		state = int(parent[state])
		path = append(path, state)
	}
	slices.Reverse(path)
	return path
}
