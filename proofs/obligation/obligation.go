// Package obligation holds what is to be proven of a program, with its verdict, as data.
// Analyses return obligations; only the command turns them into text.
package obligation

import "soma.cell/frontend/source"

// Kind names the question.
type Kind string

const (
	EdgeDeclared  Kind = "edge-declared"
	Guard         Kind = "guard"
	Ensure        Kind = "ensure"
	DeadCode      Kind = "dead-code"
	EdgeTaken     Kind = "edge-taken"
	Invariant     Kind = "invariant"
	ThinkIsolated Kind = "think-isolated"
	Frame         Kind = "frame"
	Termination   Kind = "termination"
	Cost          Kind = "cost"
	Fact          Kind = "fact"
	Flow          Kind = "flow"
	Temporal      Kind = "temporal"
)

// Verdict is the answer. The zero value is Unknown, which is never a pass.
type Verdict int

const (
	Unknown Verdict = iota
	Proven
	Refuted
	RuntimeChecked // not proven, but the runtime refuses what would break it
)

// String is the verdict in one word.
func (v Verdict) String() string {
	return [...]string{"unknown", "proven", "refuted", "runtime-checked"}[v]
}

// Class is the strength of evidence, weakest first. The zero value is none at all.
type Class int

const (
	NoEvidence    Class = iota
	EngineTrusted       // our engine's word
	SolverTrusted       // an SMT-LIB script ships
	KernelChecked       // the kernel can check it again
)

// String is the class as certificates and the Evidence line name it.
func (c Class) String() string {
	return [...]string{"none", "engine-trusted", "solver-trusted", "kernel-checked"}[c]
}

// Weaker is the weaker of two classes: the class of a verdict that rests on both.
func Weaker(a, b Class) Class { return min(a, b) }

// Obligation is one question about a program.
type Obligation struct {
	ID       string // stable: Cell/handler/kind/n
	Kind     Kind
	Cell     string
	Handler  string // "" for those of the whole cell
	Claim    string // what holds when it is proven, in the user's terms
	Told     string // of a fact: the formula in the names of the source
	Span     source.Span
	Verdict  Verdict
	Reason   string // why, when it is not proven
	Limited  bool   // a limit of time, work or memory was reached before it was known, or known to fail always
	Evidence Evidence
	Counter  *Counterexample
}

// Evidence tells why a proven obligation holds. Data depends on Rule and is what the
// certificate keeps of it; nil where the kernel derives the claim anew from the IR.
type Evidence struct {
	Class Class
	Rule  string
	Data  any
}
