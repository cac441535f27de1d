// Package refute derives false from sets of formulas and writes down each step, so that
// somebody else can check the derivation without searching.
//
// # Idea
//
// A Proof is a list of numbered lines in the style of VIPR (Cheung, Gleixner, Steffy: Verifying
// integer programming results, IPCO 2017): each line claims a formula and names the earlier
// lines it follows from. A line may open a case (a local hypothesis); what depends on a case
// that ends in false discharges it. The engine is a small tableau with backjumping. At each
// node it takes formulas apart, propagates units, closes under congruence (Nieuwenhuis and
// Oliveras: Proof-producing congruence closure, RTA 2005), instantiates the axioms of arrays
// and conditionals where they can matter, and looks for a contradiction among the linear facts
// by the simplex method, which gives Farkas multipliers (Dutertre and de Moura, CAV 2006).
// What is left is decided by cases: alternatives of a disjunction, an integer split, or the
// equality of two integers that the simplex solution gives one value.
//
// # Limits
//
// It is sound and incomplete: it may give up, and says so. Products of two unknowns, texts,
// and floating-point numbers are uninterpreted. Extensionality of arrays is not used.
//
// # Cost
//
// Exponential in the worst case; bounded by Limits. Each node of the tableau costs about the
// size of the formulas times a logarithm, plus the simplex pivots.
package refute

import (
	"math/big"

	"soma.cell/smt/term"
)

// Rule says how a line follows from earlier ones.
type Rule string

// The rules. In the words below, "the lines" are those that From names.
const (
	// Assume claims an assumption.
	Assume Rule = "assume"
	// Case claims anything, as a hypothesis of every line that depends on it.
	Case Rule = "case"
	// Discharge claims the negation of a case (the first line) that led to false (the second);
	// its claim no longer depends on the case.
	Discharge Rule = "discharge"
	// And claims a conjunct of the line.
	And Rule = "and"
	// NotOr claims the negation of an alternative: the line is the negation of a disjunction.
	NotOr Rule = "not-or"
	// NotImplies claims a, or not b: the line is the negation of a ⇒ b.
	NotImplies Rule = "not-implies"
	// Unit claims the only alternative of the first line that the others leave, or false.
	Unit Rule = "unit"
	// Congruence claims what the lines make true by congruence closure.
	Congruence Rule = "congruence"
	// Conflict claims false: congruence closure makes two different literals equal.
	Conflict Rule = "conflict"
	// Ite claims c ⇒ t = a, or not c ⇒ t = b, for a term t = ite(c, a, b).
	Ite Rule = "ite"
	// Store claims i = j ⇒ s[j] = v, or not i = j ⇒ s[j] = a[j], for s = store(a, i, v).
	Store Rule = "store"
	// Enum claims that a term is one of the values of its sort.
	Enum Rule = "enum"
	// Trichotomy claims a = b or a < b or b < a, of integers.
	Trichotomy Rule = "trichotomy"
	// Linear claims false: the lines times Coef add up to a positive number <= 0.
	Linear Rule = "linear"
	// Round claims an inequality: the lines times Coef, divided by the greatest common divisor
	// of the coefficients and rounded.
	Round Rule = "round"
)

// Line is a numbered step; numbers count from 0. Coef goes with From in linear and round: not
// negative for inequalities, of any sign for equations.
type Line struct {
	Rule  Rule
	Claim *term.Term
	From  []int
	Coef  []*big.Rat
}

// Proof is a derivation; its last line claims false and depends on no case.
type Proof struct{ Lines []Line }

// Limits bound the search.
type Limits struct {
	Nodes  int // of the tableau
	Pivots int // of all simplex runs together
	Lines  int // written, before what is not needed is dropped
}

// DefaultLimits are enough for the conditions of ordinary programs, in well under a second.
func DefaultLimits() Limits { return Limits{Nodes: 4000, Pivots: 20000, Lines: 200000} }

// Refute derives false from the assumptions, which must be well sorted and of sort Bool. It
// fails with an *OpenError when no derivation was found (there may be one, or the assumptions
// may be satisfiable) and with a *LimitError when a limit was reached first.
func Refute(assumptions []*term.Term, limits Limits) (*Proof, error) {
	if err := term.Check(assumptions...); err != nil {
		return nil, err
	}
	for _, t := range assumptions {
		if !t.Sort.Same(term.Bool) {
			return nil, errNotBool(t)
		}
	}
	e := newEngine(limits)
	root := e.newBranch()
	for _, t := range assumptions {
		root.add(e.line(Assume, t))
	}
	last, err := e.refute(root)
	if err != nil {
		return nil, err
	}
	return e.extract(last), nil
}
