package proofs

import (
	"fmt"
	"strings"

	"soma.cell/ir"
	"soma.cell/proofs/obligation"
)

// All wording of this package.

// Reasons of obligations that are not proven.
const (
	counterFound        = "it does not follow from what is known there"
	targetMayBeAnything = "the target may be something else than a declared state"
	noRunFound          = "some handler might take it, but no run that does was found"
	noHandlerTakes      = "no handler takes it"
	unknownConstruct    = "a construct whose effects are not known might take it"
	guardNotKnown       = "the guard does more than read memory, and its value is not known"
	targetNotListed     = "a target is neither tested nor listed by the body"
)

// alwaysUnknown adds to the reason of a claim that fails why it is not known to fail in every case.
func alwaysUnknown(reason, limit string) string {
	return fmt.Sprintf("%s; whether it ever holds is not known: %s", reason, limit)
}

// notModelled is why a rule has no condition where something is written or a call commits.
func notModelled(r *ir.Rule) string {
	if r.Abstract != "" {
		return r.Abstract
	}
	return "it speaks of what no commit changes"
}

// notModelledWithout is why a rule has no condition where an entry goes away.
func notModelledWithout(r *ir.Rule, slot *ir.Slot) string {
	switch {
	case r.Status:
		return "the state of a machine decides whether the entry may go"
	case slot.IsList:
		return "the entries behind the one that goes move to other places"
	}
	return "it speaks of the entry that goes"
}

const (
	sumAfterLoop    = "a loop writes entries: what it does to the sum is not known"
	sumAfterUnknown = "a construct whose effects are not known may write entries"
)

func sumAfterCall(handler string) string {
	return fmt.Sprintf("it calls `%s`, which writes entries: what that does to the sum is not known", handler)
}

func sumAfterTool(handler string) string {
	return fmt.Sprintf("the model may call `%s`, which writes entries: what that does to the sum is not followed", handler)
}

func notShown(refuted bool) string {
	if refuted {
		return "it holds in the picture, but not for what the handlers do"
	}
	return "it holds in the picture, but is not shown for what the handlers do"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func lineSize(m *ir.Machine) string {
	return fmt.Sprintf("%d %s, %d %s", len(m.States), plural(len(m.States), "state", "states"),
		len(m.Edges), plural(len(m.Edges), "transition", "transitions"))
}

func lineReachable(m *ir.Machine) string {
	return fmt.Sprintf("all states reachable from '%s'", m.Initial)
}

func lineUnreachable(m *ir.Machine, state string) string {
	return fmt.Sprintf("state '%s' is unreachable from '%s'", state, m.Initial)
}

func lineNotReached(m *ir.Machine, state string, ruledOut bool) string {
	if ruledOut {
		return fmt.Sprintf("state '%s' is reachable from '%s' in the picture, but no handler moves there", state, m.Initial)
	}
	return fmt.Sprintf("state '%s' is reachable from '%s' in the picture, but no run that reaches it was found", state, m.Initial)
}

func lineTerminal(states []string) string {
	if len(states) == 0 {
		return "no terminal state: the machine is reactive"
	}
	return fmt.Sprintf("terminal states: [%s]", strings.Join(states, ", "))
}

const lineNoDeadlock = "no deadlocks"

func lineDeadlock(state string, exits []string, ruledOut bool) string {
	if !ruledOut {
		return fmt.Sprintf("deadlock: state '%s' declares %s, but no run that takes %s was found", state,
			strings.Join(exits, ", "), plural(len(exits), "it", "any of them"))
	}
	return fmt.Sprintf("deadlock: state '%s' declares %s, but no handler takes %s", state,
		strings.Join(exits, ", "), plural(len(exits), "it", "any of them"))
}

func lineLive(terminal bool, m *ir.Machine) string {
	if terminal {
		return "liveness: every state can eventually reach a terminal state"
	}
	return fmt.Sprintf("liveness: every reachable state can return to '%s'", m.Initial)
}

func lineNotLive(terminal bool, m *ir.Machine, reason string) string {
	goal := "a terminal state"
	if !terminal {
		goal = fmt.Sprintf("'%s'", m.Initial)
	}
	if reason != "" {
		return fmt.Sprintf("liveness: every state can reach %s — %s", goal, reason)
	}
	return fmt.Sprintf("liveness: some state can never reach %s", goal)
}

func lineEdgeDead(e *ir.MachineEdge) string {
	return fmt.Sprintf("edge %s → %s: no handler takes it", e.From, e.To)
}

func lineEdgeUnseen(e *ir.MachineEdge, reason string) string {
	return fmt.Sprintf("edge %s → %s: %s", e.From, e.To, reason)
}

func lineIsolated(handlers, literal, dynamic int) string {
	return fmt.Sprintf("think-isolated: CTL safety properties hold regardless of LLM output (%d %s, %d literal %s, %d dynamic)",
		handlers, plural(handlers, "handler", "handlers"), literal, plural(literal, "transition", "transitions"), dynamic)
}

func lineNotIsolated(reason string) string { return "think-isolated: not proven — " + reason }

func lineTerminates(n int, structural bool) string {
	how := "structurally "
	if !structural {
		how = ""
	}
	if n == 1 {
		return fmt.Sprintf("termination: the only handler %sterminates", how)
	}
	return fmt.Sprintf("termination: all %d handlers %sterminate", n, how)
}

func lineMayNotEnd(handler, reason string) string {
	return fmt.Sprintf("termination: handler `%s` is not shown to end — %s", handler, reason)
}

func lineRefinement(handler string, targets []string) string {
	return fmt.Sprintf("refinement: handler `%s` ⟶ {%s}", handler, strings.Join(targets, ", "))
}

func lineRefinementOpen(handler string, targets []string, reason string) string {
	return lineRefinement(handler, targets) + " — " + reason + "; the runtime refuses a move the graph forbids"
}

func lineRefused(handler, from, to string) string {
	return fmt.Sprintf("refinement: handler `%s` moves %s → %s, which can only be refused: no state and no input lets it pass there", handler, from, to)
}

func lineGuard(e *ir.MachineEdge, handler, place, said string) string {
	return fmt.Sprintf("guard %s of %s → %s — handler '%s'%s %s", e.Guard, e.From, e.To, handler, place, said)
}

const (
	guardProven = "proven: it holds whenever the move asks for the edge"
	guardDead   = "proven by dead code: nothing reaches the move"
	guardBroken = "breaks it whenever it moves: the move can only be refused"
	guardUnseen = guardBroken + "; no run that comes there was found"
)

func saidOpen(reason string) string { return "not proven, checked at run time: " + reason }

func saidUnknown(reason string) string { return "unknown: " + reason + "; checked at run time" }

func lineEnsure(cond, handler, place, said string) string {
	return fmt.Sprintf("ensure %s — handler '%s'%s %s", cond, handler, place, said)
}

const (
	ensureProven = "proven: it holds whenever it is reached"
	ensureBroken = "breaks it whenever it comes there: it can only fail"
	ensureUnseen = ensureBroken + "; no run that comes there was found"
)

func lineSources(handler string) string {
	return fmt.Sprintf("transition sources: `%s` calls transition(id, target) without declaring the source — the runtime refuses a move the graph forbids, but the proof does not see where the handler starts; `transition(id, from, to)` names the edge (checked by `soma check`, refused at run time from any other state)", handler)
}

// mostShown is how much of a statement a line shows.
const mostShown = 60

func shortened(stmt string) string {
	if r := []rune(stmt); len(r) > mostShown {
		return string(r[:mostShown]) + "…"
	}
	return stmt
}

func lineDead(handler, stmt string) string {
	return fmt.Sprintf("dead code: no state and no input lets handler '%s' reach %s", handler, shortened(stmt))
}

// lineAlwaysFails is about an operation; kind is the kind of error, "" when it is not known.
func lineAlwaysFails(handler, operation, kind string) string {
	if kind != "" {
		kind = " (" + kind + ")"
	}
	return fmt.Sprintf("dead code: no state and no input lets handler '%s' get past %s, which always fails%s", handler, shortened(operation), kind)
}

// lineDeadCut says that a search for dead code ended early: what else is dead is not known.
func lineDeadCut(handler, why string) string {
	return fmt.Sprintf("dead code: handler '%s' was not looked at to the end (%s)", handler, why)
}

func lineOnlyFails(handler string) string {
	return fmt.Sprintf("dead code: handler '%s' can only fail: no state and no input lets it return", handler)
}

func lineThinks(handler, builtin string, sites int, tools []string) string {
	text := fmt.Sprintf("effects: handler `%s` calls %s() at %d %s (the cost line counts loop rounds)", handler, builtin, sites, plural(sites, "site", "sites"))
	if len(tools) == 0 {
		return text + " — no tools available"
	}
	return text + " — the model may call " + strings.Join(tools, ", ")
}

// limitText is a limit of cost as a comparison.
func limitText(l *ir.Limit) string { return fmt.Sprintf("cost: %s <= %s", l.Key, l.Text) }

func lineCost(l *ir.Limit, amount, handler string) string {
	if handler == "" {
		return limitText(l) + " — no call takes any"
	}
	return fmt.Sprintf("%s — at most %s a call (handler `%s`)", limitText(l), amount, handler)
}

func lineCostOpen(l *ir.Limit, reason string) string {
	return limitText(l) + " — not proven: " + reason
}

func lineCostBroken(l *ir.Limit, reason string) string { return limitText(l) + " — " + reason }

func lineUnframed(signal string, chain []string) string {
	return fmt.Sprintf("frame: signal `%s` has a frame, but what it calls in the end has none: %s", signal, strings.Join(chain, " → "))
}

func lineChoice(message string) string { return "choice: " + message }

// effectText is what a write or a move does, as the source has it.
func effectText(moves bool, text string) string {
	switch {
	case text == "":
		return ""
	case moves:
		return "moves to " + text
	}
	return "writes " + text
}

func lineInvariant(rule, handler, place, does string) string {
	text := fmt.Sprintf("invariant %s — writer '%s'%s proven by induction", rule, handler, place)
	if does != "" {
		text += " (" + does + ")"
	}
	return text
}

func lineInvariantDead(rule, handler, place string, moves bool) string {
	what := "write"
	if moves {
		what = "move"
	}
	return fmt.Sprintf("invariant %s — writer '%s'%s proven by dead code: nothing reaches the %s", rule, handler, place, what)
}

func lineInvariantOpen(rule, handler, place, reason, does string) string {
	text := fmt.Sprintf("invariant %s — writer '%s'%s not proven, checked at run time", rule, handler, place)
	if does != "" {
		text += " (" + does + ")"
	}
	return text + ": " + reason
}

func lineTotalOpen(rule, handler, reason string) string {
	return fmt.Sprintf("invariant %s — writer '%s' not proven, checked at run time when the call commits: %s", rule, handler, reason)
}

func lineTotalBroken(rule, handler string) string {
	return fmt.Sprintf("invariant %s — writer '%s' breaks it whenever it commits there", rule, handler)
}

func lineTotalUnseen(rule, handler string) string {
	return lineTotalBroken(rule, handler) + "; no run that comes there was found"
}

func lineInvariantUnknown(rule, handler, place, reason string) string {
	return fmt.Sprintf("invariant %s — writer '%s'%s unknown: %s; checked at run time", rule, handler, place, reason)
}

func lineInvariantBroken(rule, handler, place, does string, moves, inTry bool) string {
	what := "write"
	if moves {
		what = "move"
	}
	if does == "" {
		does = what + "s"
	}
	text := fmt.Sprintf("invariant %s — writer '%s'%s breaks it whenever it %s", rule, handler, place, does)
	if inTry {
		text += "; the " + what + " can never commit"
	}
	return text
}

func lineInvariantUnseen(rule, handler, place, does string, moves bool) string {
	return lineInvariantBroken(rule, handler, place, does, moves, false) + "; no run that comes there was found, and the runtime would refuse it"
}

func lineBase(rule string) string {
	return fmt.Sprintf("invariant %s — does not hold of empty memory", rule)
}

const lineDeadlockFree = "deadlock_free — no deadlocks in any reachable state"

func lineDeadlockOpen(state string, ruledOut bool) string {
	if !ruledOut {
		return fmt.Sprintf("deadlock_free — no run that leaves state '%s' was found", state)
	}
	return fmt.Sprintf("deadlock_free — no handler leaves state '%s'", state)
}

func lineProperty(title, reason string) string { return title + " — " + reason }

const (
	reasonHolds   = "holds in the picture and for what the handlers do"
	reasonByEdges = "holds in the picture and for what the handlers do, edge by edge"
	reasonFails   = "does not hold"
	reasonVacuous = "holds for nothing: what it speaks of is unreachable"
)

// Details under a line.

func detailPath(path, loop []string) string {
	text := "path: " + strings.Join(path, " → ")
	if len(loop) > 0 {
		if len(path) > 0 {
			text += " → then "
		}
		text += "for ever: " + strings.Join(append(loop, loop[0]), " → ")
	}
	return text
}

func detailClosed(states []string) string {
	return "from there only these can be reached: " + strings.Join(states, ", ")
}

// longestPath bounds the tests of a counterexample that are shown.
const longestPath = 12

// detailCounter shows a counterexample: the call, the state before, what the way to the place
// is, what is written there and how it is refused.
func detailCounter(c *obligation.Counterexample) []string {
	title := "counterexample to induction:"
	switch c.Outcome {
	case obligation.Reproduced:
		title = "counterexample, reproduced by a run:"
	case obligation.Abstract:
		title = "unproven (abstract counterexample): no run near these values was refused here"
	}
	var args []string
	for _, a := range c.Args {
		args = append(args, a.Name+" = "+a.Value)
	}
	out := []string{title, fmt.Sprintf("  call: %s(%s)", c.Handler, strings.Join(args, ", "))}
	add := func(format string, args ...any) { out = append(out, "  "+fmt.Sprintf(format, args...)) }
	for _, e := range c.Before {
		add("before: %s[%s] = %s", e.Slot, e.Key, presentText(e.Value))
	}
	for _, n := range c.Numbers {
		add("before: %s = %s", n.Name, n.Before)
	}
	for _, s := range c.Status {
		add("before: %q is in %s", s.ID, s.State)
	}
	for _, a := range c.Answers {
		add("answer: %s gives %s", a.Name, a.Value)
	}
	for i, b := range c.Path {
		if i == longestPath {
			add("…")
			break
		}
		if i == len(c.Path)-1 && b.Text == c.Writes {
			break // the test itself fails
		}
		add("line %d: %s — %s", b.At.From().Line, b.Text, b.Gives)
	}
	for _, l := range c.Locals {
		add("there: %s = %s", l.Name, l.Value)
	}
	add("line %d: %s", c.At.From().Line, c.Writes)
	if w := c.Written; w != nil {
		add("after: %s[%s] = %s", w.Slot, w.Key, presentText(w.Value))
	}
	for _, n := range c.Numbers {
		if n.After != "" {
			add("after: %s = %s", n.Name, n.After)
		}
	}
	switch {
	case c.Caught:
		add("refused, and caught by a try: %s", c.Refused)
	case c.Refused != "":
		add("refused: %s", c.Refused)
	}
	return out
}

// Names of counts and sums, as a rule has them.
func countName(slot string) string { return slot + ".size" }
func sumName(slot string) string   { return "total(" + slot + ")" }

// detailRequire is the test that would prove an open line.
func detailRequire(cond string) string {
	return fmt.Sprintf("proven with, before the move: require %s else Refused", cond)
}

// Words of a counterexample.
const (
	absentValue = "absent"
	anyValue    = "any value"
	yes         = "yes"
	no          = "no"
)

func presentText(value string) string {
	if value == "" {
		return absentValue
	}
	return value
}

func branchText(cond, subject string) string {
	if subject != "" {
		return subject + " is " + cond
	}
	return cond
}

func errStatic(id string) error {
	return fmt.Errorf("obligation %s is about a cell that the system does not hold", id)
}
