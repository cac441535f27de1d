// Package taint proves that no untrusted value decides where a program goes: the state an
// instance moves to, a URL, a file, a budget, the handler a delegate runs.
//
// # What is proven
//
// The answers of a model and of remote servers are untrusted, and so is everything computed
// from them. The analysis gives each value of each handler a level (label.go) and refuses a
// sink whose value is above what the sink allows. A value falls to Chosen where the program
// tests it against values of its own (endorse.go). The levels form a derivation (flow.go,
// derivation.go) that Verify checks step by step.
//
// # The stages
//
//	values.go, state.go, transfer.go  symbolic values: what each variable holds, and which tests
//	facts.go, endorse.go, summary.go  it passed, at each location; no levels yet
//	facttree.go                       facts that locations share
//	control.go                        which branches decide whether an edge is taken
//	undone.go                         which tests decide whether what a call wrote stays
//	routine.go, constraints.go        the flows of one handler, as data
//	flow.go                           the least levels that satisfy all flows
//	loops.go, dependences.go          what is assembled under untrusted control
//	findings.go, messages.go          sinks above their level, as diagnostics and obligations
package taint
