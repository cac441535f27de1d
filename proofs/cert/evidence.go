package cert

// Evidence tells why the verdict is right. The rule decides the type of Data (nil where the
// kernel derives the claim from the system alone).
type Evidence struct {
	Class Class `json:"class"`
	Rule  Rule  `json:"rule"`
	Data  Data  `json:"data,omitempty"`
}

// Class is the strength of evidence.
type Class string

// The classes, strongest first.
const (
	KernelChecked Class = "kernel-checked"
	SolverTrusted Class = "solver-trusted"
	EngineTrusted Class = "engine-trusted"
	NoEvidence    Class = "none"
)

// Rule names a form of evidence.
type Rule string

// The rules, with the type of their data.
const (
	ByNothing     Rule = ""            // class none: no data
	ByTrivial     Rule = "trivial"     // the condition is trivially true: no data
	ByRefutation  Rule = "refutation"  // *Refutation of the condition's negation
	ByScript      Rule = "script"      // *Script that a solver found unsatisfiable
	ByCases       Rule = "cases"       // *Cases: a condition for each of several sites
	ByCTL         Rule = "ctl"         // *CTL
	ByFrame       Rule = "frame"       // no data
	ByTermination Rule = "termination" // no data: structural
	ByCost        Rule = "cost"        // no data: the most expensive path
	ByFlow        Rule = "flow"        // no data: all sinks are literals, or nothing is untrusted
	ByReach       Rule = "reach"       // of EF s, proven: the edges that runs took lead to s; no data
	ByRun         Rule = "run"         // *Run
	ByEngine      Rule = "engine"      // the engine's word: no data
)

// Data is the evidence proper: one of the types of this package that carry it.
type Data interface{ data() }

// Refutation derives false from the assumptions of a condition and its negated goal. Terms are
// a table of distinct terms in the notation of term.Bank; lines name them by index.
type Refutation struct {
	Terms []string `json:"terms"`
	Lines []Line   `json:"lines"`
}

// Line is a numbered step. It claims Terms[Claim], by Rule, from the earlier lines From. Coef
// are the rational multipliers ("-1", "1/2") of the lines of a linear combination.
type Line struct {
	Rule  string   `json:"rule"`
	Claim int      `json:"claim"`
	From  []int    `json:"from,omitempty"`
	Coef  []string `json:"coef,omitempty"`
}

// Script is an SMT-LIB 2 script that a solver answered with unsat.
type Script struct {
	Solver string `json:"solver"`
	Text   string `json:"text"`
}

// Cases answers one condition for each of several sites, in the order of the system.
type Cases struct {
	Cases []Case `json:"cases"`
}

// Case is the answer for one site: Rule is trivial, refutation or script.
type Case struct {
	Site       Site        `json:"site"`
	Values     []string    `json:"values,omitempty"` // think-isolated: what the target lies in
	Rule       Rule        `json:"rule"`
	Refutation *Refutation `json:"refutation,omitempty"`
	Script     *Script     `json:"script,omitempty"`
}

// CTL labels the graphs of a machine with the subformulas of a property.
type CTL struct {
	Labellings []Labelling `json:"labellings"`
	Trace      *Trace      `json:"trace,omitempty"` // of a failure, on the first labelling's graph that fails
}

// Graph names a graph of a machine.
type Graph string

// The graphs: the picture; the picture without the edges that no body takes; and the reading
// for the implementation, where A ranges over the may-graph and E over the edges that a run
// was seen to take.
const (
	Declared       Graph = "declared"
	May            Graph = "may"
	Implementation Graph = "implementation"
)

// Labelling is the set of states where each subformula holds. States are the reachable states,
// sorted; sets and ranks speak of their indices.
type Labelling struct {
	Graph  Graph    `json:"graph"`
	States []string `json:"states"`
	Nodes  []Node   `json:"nodes"` // operands before operators, the whole formula last
}

// Node is a subformula in negation normal form. Op is one of
//
//	true false atom not and or EX AX EU AU ER AR
//
// where not stands above an atom only. Set lists the states where it holds, ascending. Rank,
// of EU, AU, ER and AR, has an entry for each state.
//
// For U: -1 where the formula does not hold; 0 where the right operand holds; else one more than
// the least (E) or the greatest (A) rank of a successor. For R dually: -1 where it holds; 0 where
// the right operand does not hold; else one more than the greatest (E) or the least (A) rank of
// a successor.
type Node struct {
	Op    string `json:"op"`
	Atom  string `json:"atom,omitempty"`
	Left  int    `json:"left"`  // index of the first operand, -1 without one
	Right int    `json:"right"` // index of the second operand, -1 without one
	Set   []int  `json:"set"`
	Rank  []int  `json:"rank,omitempty"`
}

// Trace is a path from the initial state, or a lasso when Loop is not empty, or a path to a
// set of states that is never left when Closed is not empty.
type Trace struct {
	Path   []string `json:"path"`
	Loop   []string `json:"loop,omitempty"`
	Closed []string `json:"closed,omitempty"`
}

// Run is a run of the interpreter from the initial program state: its calls, the model's
// replies, and the move it was seen to make.
type Run struct {
	Calls   []Call   `json:"calls"`
	Replies []string `json:"replies,omitempty"`
	From    string   `json:"from"`
	To      string   `json:"to"`
}

// Call is a call of a public handler with its arguments as they are rendered.
type Call struct {
	Cell    string   `json:"cell"`
	Handler string   `json:"handler"`
	Args    []string `json:"args"`
}

func (*Refutation) data() {}
func (*Script) data()     {}
func (*Cases) data()      {}
func (*CTL) data()        {}
func (*Run) data()        {}
