package obligation

import "soma.cell/frontend/source"

// Counterexample is a concrete case against an obligation: a state, a call from it, and what
// happens. Values are texts as the source would have them.
type Counterexample struct {
	Cell, Handler string
	Args          []Named // by the names of the parameters
	Before        []Entry
	Status        []Status
	Answers       []Named // what builtins give, in order, by their names
	Locals        []Named // of an abstract case, where the place is reached
	Path          []Branch
	// Writes is the effect at the place as the source has it, and At its place; Written is the
	// entry of an abstract case afterwards.
	Writes  string
	At      source.Span
	Written *Entry
	Numbers []Number // of an abstract case: counts and sums
	Outcome Outcome
	Refused string // the error of the run, when it is reproduced
	Caught  bool   // a try caught it: the call goes on
}

// Outcome tells what a run from the state before showed.
type Outcome int

const (
	NotRun     Outcome = iota // nothing was run: the values are a solver's
	Reproduced                // the interpreter refused as claimed; the values are those of the run
	Abstract                  // no run near the values was refused: the case may not exist
)

// String is the outcome in a word.
func (o Outcome) String() string { return [...]string{"not-run", "reproduced", "abstract"}[o] }

// Named is a value under a name.
type Named struct{ Name, Value string }

// Entry is an entry of a slot; Value is "" where there is none.
type Entry struct{ Cell, Slot, Key, Value string }

// Number is a count, or a sum before and after; After is "" where it is not asked for.
type Number struct{ Name, Before, After string }

// Status is the state of a machine's instance.
type Status struct{ Cell, ID, State string }

// Branch is a test on the way: what it is, as the source has it, and what it gives.
type Branch struct {
	At    source.Span
	Text  string // "if n > 3", "match t"
	Gives string // "yes", "no", or what is matched
}
