package lower

import "soma.cell/smt/term"

// Why a value is not known, or what it is when the outside gives it: what `soma describe --ir`
// prints beside a havoc, and counts.
const (
	aPattern         = "a pattern"
	capturedLocal    = "a captured name that is assigned"
	caughtText       = "the text of a caught error"
	computedDelegate = "delegate with a computed name"
	indexOfList      = "an index of a list"
	neverGiven       = "a value that only what nothing reaches gives"
	movesResult      = "what transition gives"
	otherExpression  = "an expression the prover does not know"
	sharedLocal      = "a local that a function value assigns"
	unitKey          = "a unit key"
	unknownCallee    = "a call of something unknown"
	wrongTransition  = "transition with a wrong number of arguments"
)

func unknownName(name string) string { return "name " + name }

func machineless(builtin string) string { return builtin + " on an unknown machine" }

func unitInstead(s *term.Sort) string { return "a unit value where " + s.String() + " is expected" }

// Why a rule is not captured by its condition.
const (
	noCommonKey    = "its slots have no key in common"
	valueOfSeveral = "`value` is what is written, and it judges several slots"
	readsElsewhere = "it reads memory elsewhere than at the written key"
	sizeOfSeveral  = "`size` counts the slot that is written, and it judges several"
)
