package ctl

// Result is a labelled structure: what [Check] found out about a formula.
type Result struct {
	Structure *Structure
	Formula   *Formula // as given to Check
	// Nodes are the distinct subformulas of NNF(Formula), operands before
	// operators and left before right; the last one is the whole formula.
	Nodes []Node
}

// Node is a subformula in negation normal form with the states where it holds.
type Node struct {
	Formula *Formula
	Left    int // index of the first operand's node, -1 if there is none
	Right   int // index of the second operand's node, -1 if there is none
	// Set is exactly where the subformula holds. It may be the caller's own set of
	// an atom: do not change it.
	Set *Set
	// Rank has an entry for each state if the operator is U or R, else it is nil.
	//
	// For U: a state where the formula does not hold has rank -1. Otherwise rank 0
	// says that q holds, and rank k > 0 that p holds and that some (E) or every (A)
	// successor has a rank from 0 to k-1.
	//
	// For R, dually: a state where the formula holds has rank -1. Otherwise rank 0
	// says that q does not hold, and rank k > 0 that p does not hold and that every
	// (E) or some (A) successor has a rank from 0 to k-1.
	Rank []int32
}

// Check labels the states of s with the subformulas of f. The map gives, for each
// atomic proposition of f, the states where it holds.
//
// It fails with [*UnknownAtomError] when f names an atom that is not in the map,
// and with another error when one of the sets is not over the states of s.
func Check(s *Structure, atoms map[string]*Set, f *Formula) (*Result, error) {
	for _, name := range f.Atoms() {
		set := atoms[name]
		if set == nil {
			return nil, &UnknownAtomError{Name: name}
		}
		if set.Len() != s.Len() {
			return nil, atomSizeDiffers(name, set.Len(), s.Len())
		}
	}
	r := &Result{Structure: s, Formula: f}
	index := map[*Formula]int{nil: -1}
	for _, g := range postorder(NNF(f)) {
		index[g] = len(r.Nodes)
		node := Node{Formula: g, Left: index[g.Left], Right: index[g.Right]}
		r.label(&node, atoms)
		r.Nodes = append(r.Nodes, node)
	}
	return r, nil
}

// label computes Set and Rank of a node whose operands are labelled.
func (r *Result) label(n *Node, atoms map[string]*Set) {
	s := r.Structure
	left := func() *Set { return r.Nodes[n.Left].Set }
	right := func() *Set { return r.Nodes[n.Right].Set }
	switch n.Formula.Op {
	case OpTrue:
		n.Set = FullSet(s.Len())
	case OpFalse:
		n.Set = NewSet(s.Len())
	case OpAtom:
		n.Set = atoms[n.Formula.Name]
	case OpNot:
		n.Set = left().Not()
	case OpAnd:
		n.Set = left().And(right())
	case OpOr:
		n.Set = left().Or(right())
	case OpEX:
		n.Set = s.someSuccessor(left())
	case OpAX:
		n.Set = s.someSuccessor(left().Not()).Not()
	case OpEU:
		n.Rank = s.existsUntil(left(), right())
		n.Set = ranked(n.Rank)
	case OpAU:
		n.Rank = s.forallUntil(left(), right())
		n.Set = ranked(n.Rank)
	case OpER:
		n.Rank = s.forallUntil(left().Not(), right().Not())
		n.Set = ranked(n.Rank).Not()
	case OpAR:
		n.Rank = s.existsUntil(left().Not(), right().Not())
		n.Set = ranked(n.Rank).Not()
	default:
		panic(invalidOperator(n.Formula.Op).Error())
	}
}

// Root is the node of the whole formula.
func (r *Result) Root() *Node { return &r.Nodes[len(r.Nodes)-1] }

// Holds reports whether the formula holds at every initial state.
func (r *Result) Holds() bool { return r.Structure.Initial().SubsetOf(r.Root().Set) }

// Failing returns the initial states where the formula does not hold.
func (r *Result) Failing() *Set { return r.Structure.Initial().And(r.Root().Set.Not()) }
