package refute

import (
	"math/big"

	"soma.cell/smt/term"
)

// choose picks the next case of a saturated branch, or nil when everything is decided: first
// what the simplex solution contradicts, then an alternative of the disjunction with the
// fewest, then what keeps the theories apart.
func (b *branch) choose() *term.Term {
	for _, pick := range []func() *term.Term{
		b.violatedDisequality, b.alternative, b.truthValue, b.fractional, b.arrangement, b.enumValue,
	} {
		if p := pick(); p != nil {
			return p
		}
	}
	return nil
}

// violatedDisequality finds a disequality of integers with both sides of one value, and states
// that one side is smaller. The first alternative becomes the case.
func (b *branch) violatedDisequality() *term.Term {
	for _, id := range b.order {
		t := b.e.bank.Term(id)
		if t.Op != term.OpNot || t.Args[0].Op != term.OpEq || !t.Args[0].Args[0].Sort.Same(term.Int) {
			continue
		}
		x, y := t.Args[0].Args[0], t.Args[0].Args[1]
		if _, known := b.facts[b.e.bank.Add(trichotomy(x, y))]; known || !b.sameValue(x, y) {
			continue
		}
		b.axiom(Trichotomy, trichotomy(x, y))
		return term.Lt(x, y)
	}
	return nil
}

// trichotomy is built without the folding of literals: its three parts stand as they are.
func trichotomy(x, y *term.Term) *term.Term {
	return term.Or(term.Eq(x, y), term.Lt(x, y), term.Lt(y, x))
}

func (b *branch) sameValue(x, y *term.Term) bool {
	return b.model.of(b.e.linearize(x)).Cmp(b.model.of(b.e.linearize(y))) == 0
}

// alternative picks from the disjunction with the fewest open alternatives; one that is false
// at a glance comes first, as it closes at once.
func (b *branch) alternative() *term.Term {
	var best []*term.Term
	for _, id := range b.disjunctions {
		left, satisfied := b.open(id)
		if satisfied || len(left) == 0 {
			continue
		}
		var open []*term.Term
		for _, a := range left {
			if b.atGlance(a) == -1 {
				return a
			}
			open = append(open, a)
		}
		if best == nil || len(open) < len(best) {
			best = open
		}
	}
	if best == nil {
		return nil
	}
	return best[0]
}

// atGlance is 1 for true, -1 for false, 0 for not known, from the values of the parts.
func (b *branch) atGlance(t *term.Term) int {
	if truth, known := b.closure.value(b.e.bank.Add(t)); known {
		return 2*index(truth) - 1
	}
	switch t.Op {
	case term.OpNot:
		return -b.atGlance(t.Args[0])
	case term.OpAnd:
		least := 1
		for _, a := range t.Args {
			least = min(least, b.atGlance(a))
		}
		return least
	case term.OpOr:
		most := -1
		for _, a := range t.Args {
			most = max(most, b.atGlance(a))
		}
		return most
	case term.OpImplies:
		return max(-b.atGlance(t.Args[0]), b.atGlance(t.Args[1]))
	}
	return 0
}

// truthValue finds a formula without value where a term needs one: below an equation, a
// conditional, an array or a function.
func (b *branch) truthValue() *term.Term {
	for _, id := range b.closure.nodes {
		t := b.e.bank.Term(id)
		switch t.Op {
		case term.OpNot, term.OpAnd, term.OpOr, term.OpImplies:
			continue
		}
		for _, a := range t.Args {
			if !a.Sort.Same(term.Bool) {
				continue
			}
			if _, known := b.closure.value(b.e.bank.Add(a)); !known {
				return a
			}
		}
	}
	return nil
}

// fractional finds an integer whose value in the solution is none.
func (b *branch) fractional() *term.Term {
	for _, atom := range sortedKeys(b.model.values) {
		v := b.model.values[atom]
		if v.IsInt() {
			continue
		}
		floor := new(big.Int).Div(v.Num(), v.Denom())
		return term.Le(b.e.bank.Term(atom), term.IntLit(floor))
	}
	return nil
}

// arrangement finds two integers in the same place of two terms that the solution gives one
// value, so that congruence must learn whether they are equal. Their being different is the
// case: as a rule the linear facts refute it, or another solution is found.
func (b *branch) arrangement() *term.Term {
	type place struct {
		head string
		arg  int
	}
	seen := map[place][]*term.Term{}
	for _, id := range b.closure.nodes {
		t := b.e.bank.Term(id)
		switch t.Op {
		case term.OpAdd, term.OpMul, term.OpLe, term.OpLt:
			continue
		case term.OpEq:
			if p := b.undecided(t.Args[0], t.Args[1]); p != nil {
				return p
			}
			continue
		}
		for i, a := range t.Args {
			if !a.Sort.Same(term.Int) {
				continue
			}
			at := place{t.Op.String() + " " + t.Name, i}
			for _, other := range seen[at] {
				if p := b.undecided(other, a); p != nil {
					return p
				}
			}
			seen[at] = append(seen[at], a)
		}
	}
	return nil
}

// undecided is "x and y differ" for integers of one value of which nothing is known.
func (b *branch) undecided(x, y *term.Term) *term.Term {
	eq := term.Eq(x, y)
	if !x.Sort.Same(term.Int) || eq.IsLiteral() || b.closure.same(b.e.bank.Add(x), b.e.bank.Add(y)) {
		return nil
	}
	if _, known := b.closure.value(b.e.bank.Add(eq)); known || !b.sameValue(x, y) {
		return nil
	}
	if _, known := b.facts[b.e.bank.Add(term.Not(eq))]; known {
		return nil
	}
	return term.Not(eq)
}

// enumValue states that a term of an enum has one of its values, for the first term without a
// known one.
func (b *branch) enumValue() *term.Term {
	for _, id := range b.closure.nodes {
		t := b.e.bank.Term(id)
		if t.Sort.Kind != term.KindEnum || t.IsLiteral() {
			continue
		}
		if _, known := b.closure.literal[b.closure.root[id]]; known {
			continue
		}
		claim := valuesOf(t)
		if _, known := b.facts[b.e.bank.Add(claim)]; known {
			continue
		}
		b.axiom(Enum, claim)
		return term.Eq(t, term.EnumLit(t.Sort, t.Sort.Values[0]))
	}
	return nil
}

func valuesOf(t *term.Term) *term.Term {
	var parts []*term.Term
	for _, v := range t.Sort.Values {
		parts = append(parts, term.Eq(t, term.EnumLit(t.Sort, v)))
	}
	return term.Or(parts...)
}
