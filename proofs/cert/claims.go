package cert

import (
	"fmt"
	"strconv"
	"strings"

	"soma.cell/ir"
)

// The wording of ids and claims, for those who write certificates and those who check them. A
// claim is made of names of the system alone, so the kernel can compare it to the letter.

// ID is Cell/handler/kind/n; "-" stands where there is no handler.
func ID(cell, handler string, kind Kind, n int) string {
	if handler == "" {
		handler = "-"
	}
	return strings.Join([]string{cell, handler, string(kind), strconv.Itoa(n)}, "/")
}

// ClaimFrame is about a framed signal.
func ClaimFrame(signal string) string {
	return fmt.Sprintf("%s stays inside its frame", signal)
}

// ClaimFlow is about a whole cell.
func ClaimFlow(cell string) string {
	return fmt.Sprintf("no untrusted value decides a sink in %s", cell)
}

// ClaimTermination is about a handler or timer.
func ClaimTermination(handler string) string { return fmt.Sprintf("%s terminates", handler) }

// ClaimCost is about a limit of a cell's section cost.
func ClaimCost(cell string, l *ir.Limit) string {
	n := l.Value.RatString()
	switch l.Key {
	case ir.CostCalls:
		return fmt.Sprintf("a call of %s asks models at most %s times", cell, n)
	case ir.CostTokens:
		return fmt.Sprintf("a call of %s has models write at most %s tokens", cell, n)
	case ir.CostLatency:
		return fmt.Sprintf("a call of %s waits at most %s ms", cell, n)
	}
	return fmt.Sprintf("a call of %s costs at most %s dollars, at its price of tokens", cell, n)
}

// ClaimFact is about a fact at the head of a loop, or, where the location is the exit, about what a
// handler returns and leaves in memory.
func ClaimFact(handler string, at ir.Loc, fact string) string {
	if at == ir.Exit {
		return fmt.Sprintf("whenever %s returns, %s", handler, fact)
	}
	return fmt.Sprintf("in %s, at the head of the loop at %s, in each round, %s", handler, at, fact)
}

// ClaimInvariant is about a write of a slot and a rule that lists it.
func ClaimInvariant(handler, slot, rule string) string {
	return fmt.Sprintf("the write of %s by %s keeps %s", slot, handler, rule)
}

// ClaimStateRule is about a move and a rule about the machine's state.
func ClaimStateRule(handler, machine, rule string) string {
	return fmt.Sprintf("the moves of %s by %s keep %s", machine, handler, rule)
}

// ClaimTotal is about a handler or timer and a rule about sums.
func ClaimTotal(handler, rule string) string {
	return fmt.Sprintf("%s keeps %s where it commits", handler, rule)
}

// ClaimEdgeDeclared is about a move with a computed target.
func ClaimEdgeDeclared(handler, machine string) string {
	return fmt.Sprintf("%s moves %s to states that an edge enters", handler, machine)
}

// ClaimGuard is about a move and a guarded edge that it may ask for; guard is the guard's text.
func ClaimGuard(handler, machine, from, to, guard string) string {
	return fmt.Sprintf("when %s asks for the edge %s → %s of %s, its guard holds: %s", handler, from, to, machine, guard)
}

// ClaimEnsure is about an ensure statement; cond is its condition as written.
func ClaimEnsure(handler, cond string) string {
	return fmt.Sprintf("whenever %s comes to ensure %s, it holds", handler, cond)
}

// ClaimDeadCode is about the n-th statement of a handler, counted from 1 over all bodies of that name;
// it may be the end of a body, or an operation that may raise.
func ClaimDeadCode(handler string, n int, s ir.Stmt) string {
	switch {
	case s.Loc == ir.Exit:
		return fmt.Sprintf("no run of %s returns (statement %d)", handler, n)
	case s.Behind:
		return fmt.Sprintf("no run gets past statement %d of %s", n, handler)
	}
	return fmt.Sprintf("no run reaches statement %d of %s", n, handler)
}

// ClaimEdgeTaken is about a declared edge.
func ClaimEdgeTaken(machine, from, to string) string {
	return fmt.Sprintf("a handler takes the edge %s → %s of %s", from, to, machine)
}

// ClaimThinkIsolated is about a machine.
func ClaimThinkIsolated(machine string) string {
	return fmt.Sprintf("whatever the model answers, %s moves to listed states only", machine)
}

// ClaimTemporal is about a machine; property is CTL text.
func ClaimTemporal(machine, property string) string {
	return fmt.Sprintf("%s: %s", machine, property)
}

// The texts of the checks that every machine gets, before the properties that somebody asked
// for: one PropertyReachable a state, then PropertyDeadlock, then one of the other two.

// The atoms of those checks that are not states. No state bears such a name.
const (
	AtomStuck    = "{stuck}"    // a declared exit, but none in the graph of bodies
	AtomTerminal = "{terminal}" // no declared exit
	AtomInitial  = "{initial}"
)

// PropertyReachable says that a state can be reached.
func PropertyReachable(state string) string { return "EF " + state }

// PropertyDeadlock says that no reachable state has declared exits of which no body takes any.
const PropertyDeadlock = "AG !" + AtomStuck

// PropertyLive says that the end can always be reached: for machines with a terminal state.
const PropertyLive = "AG EF " + AtomTerminal

// PropertyHome says that the initial state can always be reached again: for machines without a
// terminal state.
const PropertyHome = "AG EF " + AtomInitial

// Assumptions are the sentences that every certificate lists: what all claims take for granted.
func Assumptions() []string {
	return []string{
		"The environment calls public handlers and timers one at a time: runs are serialisable.",
		"Each call is a transaction: a handler that raises leaves no write and no move.",
		"The runtime enforces declared types, memory rules, guards and machines as the language says.",
		"The system is what the parser and the lowering made of the sources; soma audit --source compares.",
		"An instance of a machine is in a declared state; one that never moved is in the initial state.",
		"A model writes no more tokens in an answer than max_tokens and what is left of the budget allow, and a time-out ends the question or request that states it; limits of cost speak of these tokens, not of prompts.",
		"Liveness speaks of what handlers can do: that somebody calls them, and that guards let them pass, is assumed.",
	}
}
