package ctl

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// samples is how many random pairs of structure and formula a property sees.
const samples = 6000

// forRandom runs a property on random models and formulas, each from a seed of
// its own that the failure names.
func forRandom(t *testing.T, property func(rng *rand.Rand, m *model, f *Formula) error) {
	t.Helper()
	for seed := range uint64(samples) {
		rng := rand.New(rand.NewPCG(seed, 7))
		m := randomModel(rng)
		f := randomFormula(rng, 1+rng.IntN(4))
		if err := property(rng, m, f); err != nil {
			t.Fatalf("seed %d: %v\nformula %s\nmodel %s", seed, err, f, m)
		}
	}
}

// TestCheckAgainstOracles compares the labelling of the formula and of each
// subformula in normal form with two independent evaluators.
func TestCheckAgainstOracles(t *testing.T) {
	verdicts := map[bool]int{}
	forRandom(t, func(_ *rand.Rand, m *model, f *Formula) error {
		r, err := Check(m.structure(), m.sets(), f)
		if err != nil {
			return err
		}
		want := m.byFixpoint(f)
		if paths := m.byPaths(f); !slices.Equal(want, paths) {
			return fmt.Errorf("the oracles disagree: %v by fixpoint, %v by paths", want, paths)
		}
		if !r.Root().Set.Equal(setOf(want)) {
			return fmt.Errorf("holds at %v, want %v", slices.Collect(r.Root().Set.All()), want)
		}
		for _, n := range r.Nodes {
			if !n.Set.Equal(setOf(m.byFixpoint(n.Formula))) {
				return fmt.Errorf("subformula %s holds at %v", n.Formula, slices.Collect(n.Set.All()))
			}
		}
		holds := true
		for _, state := range m.initial {
			holds = holds && want[state]
			if r.Failing().Has(state) == want[state] {
				return fmt.Errorf("Failing is wrong at %d", state)
			}
		}
		if r.Holds() != holds {
			return fmt.Errorf("verdict %v", r.Holds())
		}
		verdicts[holds]++
		return nil
	})
	if verdicts[true] < samples/5 || verdicts[false] < samples/5 {
		t.Errorf("the samples are lopsided: %v", verdicts)
	}
}

// localCheck is what an auditor does with a labelling: it looks at each state and
// its successors once, and at nothing else. It accepts exact labellings only.
func localCheck(m *model, nodes []Node) error {
	for i := range nodes {
		for state := range m.n {
			if err := localNode(m, nodes, &nodes[i], state); err != nil {
				return fmt.Errorf("%s at %d: %w", nodes[i].Formula, state, err)
			}
		}
	}
	return nil
}

func localNode(m *model, nodes []Node, n *Node, state int) error {
	in := n.Set.Has(state)
	left := func(s int) bool { return nodes[n.Left].Set.Has(s) }
	right := func(s int) bool { return nodes[n.Right].Set.Has(s) }
	some := func(good func(int) bool) bool {
		for to := range m.n {
			if m.steps(state, to) && good(to) {
				return true
			}
		}
		return false
	}
	every := func(good func(int) bool) bool {
		return !some(func(to int) bool { return !good(to) })
	}
	member := func(s int) bool { return n.Set.Has(s) }
	outside := func(s int) bool { return !n.Set.Has(s) }
	falls := func(s int) bool { return n.Rank[s] >= 0 && n.Rank[s] < n.Rank[state] }
	// least is a state inside a least fixpoint, with its rank.
	least := func(stop, carry bool, along func(func(int) bool) bool) error {
		switch rank := n.Rank[state]; {
		case rank < 0:
			return errors.New("no rank")
		case rank == 0 && !stop:
			return errors.New("rank 0 before the goal")
		case rank > 0 && !(carry && along(falls)):
			return fmt.Errorf("rank %d does not fall", rank)
		}
		return nil
	}
	// greatest is a state outside a least fixpoint: it may not enter.
	greatest := func(ok bool) error {
		switch {
		case !ok:
			return errors.New("does not stay")
		case n.Rank[state] >= 0:
			return errors.New("a rank too many")
		}
		return nil
	}
	want := in
	switch op := n.Formula.Op; op {
	case OpTrue:
		want = true
	case OpFalse:
		want = false
	case OpAtom:
		want = m.atoms[n.Formula.Name][state]
	case OpNot:
		want = !left(state)
	case OpAnd:
		want = left(state) && right(state)
	case OpOr:
		want = left(state) || right(state)
	case OpEX:
		want = some(left)
	case OpAX:
		want = every(left)
	case OpEU:
		if in {
			return least(right(state), left(state), some)
		}
		return greatest(!right(state) && (!left(state) || every(outside)))
	case OpAU:
		if in {
			return least(right(state), left(state), every)
		}
		return greatest(!right(state) && (!left(state) || some(outside)))
	case OpER:
		if !in {
			return least(!right(state), !left(state), every)
		}
		return greatest(right(state) && (left(state) || some(member)))
	case OpAR:
		if !in {
			return least(!right(state), !left(state), some)
		}
		return greatest(right(state) && (left(state) || every(member)))
	}
	if in != want {
		return fmt.Errorf("membership is %v", in)
	}
	return nil
}

func TestRanksPassLocalCheck(t *testing.T) {
	forRandom(t, func(_ *rand.Rand, m *model, f *Formula) error {
		r, err := Check(m.structure(), m.sets(), f)
		if err != nil {
			return err
		}
		return localCheck(m, r.Nodes)
	})
}

// TestLocalCheckRefusesForgery is the wrong twin: change one node's membership at
// one state, with whatever rank there, and the local check must refuse it. So it
// is the labels that pass above, not the check that is blind.
func TestLocalCheckRefusesForgery(t *testing.T) {
	forRandom(t, func(rng *rand.Rand, m *model, f *Formula) error {
		r, err := Check(m.structure(), m.sets(), f)
		if err != nil {
			return err
		}
		nodes := slices.Clone(r.Nodes)
		forged := &nodes[rng.IntN(len(nodes))]
		state := rng.IntN(m.n)
		forged.Set = forged.Set.And(FullSet(m.n))
		if forged.Set.Has(state) {
			forged.Set.Remove(state)
		} else {
			forged.Set.Add(state)
		}
		if forged.Rank == nil {
			if localCheck(m, nodes) == nil {
				return fmt.Errorf("accepts %s forged at %d", forged.Formula, state)
			}
			return nil
		}
		forged.Rank = slices.Clone(forged.Rank)
		for rank := -1; rank <= m.n+1; rank++ {
			forged.Rank[state] = int32(rank)
			if localCheck(m, nodes) == nil {
				return fmt.Errorf("accepts %s forged at %d with rank %d", forged.Formula, state, rank)
			}
		}
		return nil
	})
}

// TestNodesAreOrdered: operands stand before their operators, nothing twice.
func TestNodesAreOrdered(t *testing.T) {
	s := graph(t, 2, [][2]int{{0, 1}})
	p := map[string]*Set{"p": SetOf(2, 1), "q": SetOf(2, 0)}
	r, err := Check(s, p, mustParse(t, "AG(q -> AF p) && !EX(q && !AF p)"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, n := range r.Nodes {
		if n.Left >= i || n.Right >= i || (n.Left >= 0) != (n.Formula.Left != nil) || (n.Right >= 0) != (n.Formula.Right != nil) {
			t.Errorf("node %d has operands %d and %d", i, n.Left, n.Right)
		}
		got = append(got, n.Formula.String())
	}
	want := []string{"false", "q", "!q", "true", "p", "A[true U p]", "!q || A[true U p]",
		"A[false R !q || A[true U p]]", "AX (!q || A[true U p])",
		"A[false R !q || A[true U p]] && AX (!q || A[true U p])"}
	if !slices.Equal(got, want) {
		t.Errorf("nodes %q\nwant %q", got, want)
	}
}

func TestRanksAreDistances(t *testing.T) {
	// 0 -> 1 -> 2 -> 3 with a short cut 0 -> 2; 3 stutters.
	s := graph(t, 4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 2}})
	atoms := map[string]*Set{"end": SetOf(4, 3)}
	for text, want := range map[string][]int32{
		"EF end":  {2, 2, 1, 0},
		"AF end":  {3, 2, 1, 0},
		"AG !end": {2, 2, 1, 0},
		"EG !end": {3, 2, 1, 0},
		"AG end":  {0, 0, 0, noRank},
		"EG end":  {0, 0, 0, noRank},
	} {
		r, err := Check(s, atoms, mustParse(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Root().Rank; !slices.Equal(got, want) {
			t.Errorf("%s: ranks %v, want %v", text, got, want)
		}
	}
}

// TestStutter: a state without exit stays where it is for ever, while one with an
// exit must take it.
func TestStutter(t *testing.T) {
	s := graph(t, 3, [][2]int{{0, 1}, {0, 2}, {2, 2}})
	atoms := map[string]*Set{"start": SetOf(3, 0), "stuck": SetOf(3, 1)}
	for text, want := range map[string]bool{
		"AX !start":             true,
		"EG start":              false,
		"EF AG stuck":           true,
		"EX EX stuck":           true,
		"AF stuck":              false,
		"AG(stuck -> AX stuck)": true,
		"AG(stuck -> !EX true)": false,
	} {
		r, err := Check(s, atoms, mustParse(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if r.Holds() != want {
			t.Errorf("%s: %v", text, r.Holds())
		}
	}
}

// TestEveryInitialState: a formula holds only if it does at all of them.
func TestEveryInitialState(t *testing.T) {
	s := graph(t, 3, nil, 0, 2)
	r, err := Check(s, map[string]*Set{"p": SetOf(3, 0)}, mustParse(t, "p"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Holds() || !r.Failing().Equal(SetOf(3, 2)) {
		t.Errorf("holds %v, failing %v", r.Holds(), slices.Collect(r.Failing().All()))
	}
}

func TestCheckErrors(t *testing.T) {
	s := graph(t, 3, nil)
	atoms := map[string]*Set{"p": NewSet(3), "short": NewSet(2), "nil": nil}
	var unknown *UnknownAtomError
	// An unknown atom counts even where the formula's value does not depend on it.
	if _, err := Check(s, atoms, mustParse(t, "true || AF(p && lost)")); !errors.As(err, &unknown) || unknown.Name != "lost" {
		t.Errorf("error %v", err)
	}
	if _, err := Check(s, atoms, Atom("nil")); !errors.As(err, &unknown) || unknown.Name != "nil" {
		t.Errorf("error %v", err)
	}
	const want = `atomic proposition "short" is a set over 2 states: the structure has 3`
	if _, err := Check(s, atoms, Atom("short")); err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if got := (&UnknownAtomError{"lost"}).Error(); got != `unknown atomic proposition "lost"` {
		t.Error(got)
	}
}
