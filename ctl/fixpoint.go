package ctl

// The labelling steps of Clarke, Emerson and Sistla (1986). Each walks the edges
// backwards at most once, so each takes time O(states + edges). The release
// operators are the complements of the dual untils; a rank of -1 marks a state
// outside the least fixpoint.

const noRank = -1

// someSuccessor returns the states with a successor in p: EX p.
func (s *Structure) someSuccessor(p *Set) *Set {
	out := NewSet(s.Len())
	for state := range p.All() {
		for _, before := range s.Pred(state) {
			out.Add(int(before))
		}
	}
	return out
}

// existsUntil returns the ranks of E[p U q], the least fixpoint of
// q ∨ (p ∧ EX Z): breadth-first search backwards from q through p, so that the
// rank is the length of the shortest path to q.
func (s *Structure) existsUntil(p, q *Set) []int32 {
	rank, queue := s.startAt(q)
	for head := 0; head < len(queue); head++ {
		state := queue[head]
		for _, before := range s.Pred(int(state)) {
			if rank[before] == noRank && p.Has(int(before)) {
				rank[before] = rank[state] + 1
				queue = append(queue, before)
			}
		}
	}
	return rank
}

// forallUntil returns the ranks of A[p U q], the least fixpoint of
// q ∨ (p ∧ AX Z): a state enters when its last successor has. Ranks leave the
// queue in ascending order, so the rank is one more than the highest among the
// successors: the length of the longest path to q.
func (s *Structure) forallUntil(p, q *Set) []int32 {
	rank, queue := s.startAt(q)
	outside := make([]int32, s.Len()) // successors without rank yet
	for state := range outside {
		outside[state] = int32(len(s.Succ(state)))
	}
	for head := 0; head < len(queue); head++ {
		state := queue[head]
		for _, before := range s.Pred(int(state)) {
			outside[before]--
			if outside[before] == 0 && rank[before] == noRank && p.Has(int(before)) {
				rank[before] = rank[state] + 1
				queue = append(queue, before)
			}
		}
	}
	return rank
}

// startAt gives the states of q rank 0 and queues them.
func (s *Structure) startAt(q *Set) (rank, queue []int32) {
	rank = make([]int32, s.Len())
	for state := range rank {
		rank[state] = noRank
	}
	for state := range q.All() {
		rank[state] = 0
		queue = append(queue, int32(state))
	}
	return rank, queue
}

// ranked returns the states that have a rank.
func ranked(rank []int32) *Set {
	out := NewSet(len(rank))
	for state, r := range rank {
		if r != noRank {
			out.Add(state)
		}
	}
	return out
}
