package interp

import (
	"fmt"
	"strings"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// The wording of every error and note of this package stands here.

func errType(format string, args ...any) *Error {
	return &Error{Kind: KindType, Detail: fmt.Sprintf(format, args...)}
}

func errOperands(op syntax.BinOp, a, b Value) *Error {
	return errType("`%s` does not take %s and %s", op, a.Kind(), b.Kind())
}

func errCompare(a, b Value) *Error {
	return errType("%s and %s cannot be compared", a.Kind(), b.Kind())
}

func errOrder(a, b Value) *Error {
	return errType("%s and %s have no order: `<` and its kin need two numbers or two strings", a.Kind(), b.Kind())
}

func errCondition(v Value) *Error {
	return errType("a condition must be a Bool, this is %s", aKind(v))
}

func errNeedsBool(op string, v Value) *Error {
	return errType("`%s` needs Bools, this is %s", op, aKind(v))
}

func errArgument(fn string, i int, want string, got Value) *Error {
	return errType("%s: argument %d must be %s, this is %s", fn, i+1, want, aKind(got))
}

func errArgCount(fn string, got int) *Error {
	return errType("%s does not take %d arguments", fn, got)
}

func errParam(handler, param string, want *resolve.Type, got Value) *Error {
	return errType("%s: parameter `%s` must be %s, this is %s", handler, param, want, describe(got))
}

func errSlotType(slot *resolve.Slot, got Value) *Error {
	hint := ""
	if _, unit := got.(Unit); unit {
		hint = " — the value may be (): write a default, `… ?? default`"
	}
	return errType("slot `%s` holds %s, this is %s%s", slot.Name, slot.Value, describe(got), hint)
}

func errKey(what string, got Value) *Error {
	return errType("%s must be a String or an Int, this is %s", what, aKind(got))
}

func errNotIterable(v Value) *Error {
	return errType("`for` goes over lists, maps, strings and (), not over %s", aKind(v))
}

func errNotIndexable(v Value) *Error { return errType("%s has no elements", aKind(v)) }

func errNoField(v Value, name string) *Error {
	return errType("%s has no field `%s`", aKind(v), name)
}

func errNotFunction(name string, v Value) *Error {
	return errType("`%s` is no function, it is %s", name, aKind(v))
}

func errLambdaArity(want, got int) *Error {
	return errType("this function takes %d arguments, not %d", want, got)
}

func errNotTryResult(v Value) *Error {
	return errType("`?` and fail(…) need what `try` gives, this is %s", aKind(v))
}

func errNothingToFail() *Error { return errType("fail(…) of a `try` that succeeded") }

func errSum(v *resolve.Variant, field string, want *resolve.Type, got Value) *Error {
	return errType("%s: `%s` must be %s, this is %s", v.Name, field, want, describe(got))
}

func errVariantFields(v *resolve.Variant) *Error {
	return errType("%s takes %d values", v.Name, len(v.Fields))
}

func errIndex(i Value, n int) *Error {
	return &Error{Kind: KindIndex, Detail: fmt.Sprintf("index %s is out of range: there are %d", brief(i), n)}
}

func errRange(format string, args ...any) *Error {
	return &Error{Kind: KindRange, Detail: fmt.Sprintf(format, args...)}
}

func errDivision() *Error { return &Error{Kind: KindDivision, Detail: "division by zero"} }

func errMatch(v Value) *Error {
	return &Error{Kind: KindMatch, Detail: "no arm fits " + brief(v)}
}

const (
	jsonEnds    = "the document is not complete"
	jsonGoesOn  = "text after the end of the document"
	jsonTooDeep = "nested too deeply"
)

func errJSON(text string) *Error { return &Error{Kind: KindJSON, Detail: text} }

func errDate(text string) *Error {
	return &Error{Kind: KindDate, Detail: fmt.Sprintf("%q is no date", text)}
}

func errUndefinedVariable(name string) *Error {
	return &Error{Kind: KindUndefinedVariable, Detail: "`" + name + "` is bound nowhere"}
}

func errUndefinedFunction(name string) *Error {
	return &Error{Kind: KindUndefinedFunction, Detail: "there is no function `" + name + "`"}
}

// errNoHandler says of how many arguments the handler was to be: it may have another number.
func errNoHandler(cell, name string, args int) *Error {
	few := fmt.Sprintf("%d arguments", args)
	if args == 1 {
		few = "1 argument"
	}
	return &Error{Kind: KindUndefinedFunction, Detail: "there is no handler `" + cell + "." + name + "` of " + few + " that may be called from outside"}
}

func errUnsupported(name string) *Error {
	return &Error{Kind: KindUnsupported, Detail: "the builtin `" + name + "` is not supported here"}
}

func errRequire(tag string, cond syntax.Expr) *Error {
	return &Error{Kind: tag, Detail: "requirement not met: " + cond.Span().Normal()}
}

func errEnsure(cond syntax.Expr) *Error {
	return &Error{Kind: KindEnsure, Detail: "not ensured: " + cond.Span().Normal()}
}

func errLoopBound(n int64) *Error {
	return &Error{Kind: KindLoopBound, Detail: fmt.Sprintf("the loop went past its bound of %d rounds", n)}
}

func errStackOverflow() *Error {
	return &Error{Kind: KindStackOverflow, Detail: fmt.Sprintf("calls are nested deeper than %d", maxCalls), Final: true}
}

func errNesting() *Error {
	return &Error{Kind: KindStackOverflow, Detail: "expressions are nested too deeply", Final: true}
}

func errSteps() *Error {
	return &Error{Kind: KindLimit, Detail: "the invocation took too many steps (an endless loop?)", Final: true}
}

func errMemory() *Error {
	return &Error{Kind: KindLimit, Detail: "the invocation builds values that are too large", Final: true}
}

func errTime() *Error {
	return &Error{Kind: KindLimit, Detail: "the invocation took too long", Final: true}
}

func errStopped() *Error {
	return &Error{Kind: KindLimit, Detail: "the invocation was interrupted", Final: true}
}

func errDeep() *Error { return errRange("the value is nested deeper than %d", maxDepth) }

// --- memory ---

func errInvariant(rule string, what string) *Error {
	return &Error{Kind: KindInvariant, Detail: rule + " does not hold of " + what}
}

func errInvariantAtMove(rule, id, to string) *Error {
	return &Error{Kind: KindInvariant, Detail: fmt.Sprintf("%s does not hold of '%s' in '%s'", rule, id, to)}
}

func errImmutable(slot *resolve.Slot, what string) *Error {
	return &Error{Kind: KindInvariant, Detail: fmt.Sprintf("slot `%s` is immutable: %s", slot.Name, what)}
}

func errNoEntry(slot *resolve.Slot, key Value) *Error {
	return errType("slot `%s` has no entry %s to assign into", slot.Name, brief(key))
}

// --- machines ---

func errAmbiguousMachine(call string) *Error {
	return &Error{Kind: KindAmbiguous, Detail: call + " does not say which state machine it means"}
}

func errDeclaredSource(call, id, current, from, to string) *Error {
	return &Error{Kind: KindInvalidTransition, Detail: fmt.Sprintf(
		"invalid transition: %s → %s — %s declares its source, and '%s' is in '%s', not '%s'", current, to, call, id, current, from)}
}

func errNoEdge(m *resolve.Machine, id, from, to string) *Error {
	allowed := "no other state: it is terminal"
	if to := targets(m, from); len(to) > 0 {
		allowed = strings.Join(to, ", ")
	}
	known := ""
	if !m.HasState(to) {
		known = fmt.Sprintf(", and '%s' has no state '%s'", m.Name, clip(to))
	}
	return &Error{Kind: KindInvalidTransition, Detail: fmt.Sprintf(
		"invalid transition: %s → %s — '%s' is in '%s', which allows %s%s", from, clip(to), id, from, allowed, known)}
}

func errGuard(e *resolve.Edge, id string) *Error {
	return &Error{Kind: KindGuardFailed, Detail: fmt.Sprintf(
		"'%s' may not go %s → %s: the guard %s does not hold", id, e.From, e.To, e.Row.Guard.Span().Normal())}
}

// --- agents ---

func errBudget() *Error { return &Error{Kind: KindBudget, Detail: "the token budget is exhausted"} }

func errNotJSONReply(reply string) *Error {
	return &Error{Kind: KindLLM, Detail: "the model's reply is no JSON object: " + clip(reply)}
}

func errOption(fn, option, want string, got Value) *Error {
	return errType("%s: option %s must be %s, this is %s", fn, option, want, aKind(got))
}

func errToolRounds(most int) *Error {
	return &Error{Kind: KindLLM, Detail: fmt.Sprintf("the model called tools more than %d times (option max_rounds)", most)}
}

func errToolLate(tool string) *Error {
	return &Error{Kind: KindLLM, Detail: "the tool `" + tool + "` was called after the answer"}
}

func errToolMissing(tool, param string) *Error {
	return errType("%s: argument `%s` is missing", tool, param)
}

func errToolUnknown(tool, name string) *Error {
	return errType("%s has no parameter `%s`", tool, name)
}

func errApproval(action string) *Error {
	return &Error{Kind: KindApproval, Detail: "nobody approved: " + clip(action)}
}

func noFiles() string { return "there are no files here" }

func badNetworkOption(name string, v Value) string {
	want := "a whole number above 0"
	if name == "headers" {
		want = "a Map of Strings"
	}
	return fmt.Sprintf("option %s must be %s, not %s", name, want, describe(v))
}

func noNetwork() string { return "there is no network here: mock the call" }

const noteNoModel = "no LLM key configured — think() is mocked (echo: the reply is the prompt). " +
	"Script replies with `mock think \"…\"`, or set [agent] mock in soma.toml."

// --- tests ---

func errNoReplies(m *syntax.Mock) *Error {
	return errType("%s has no reply: the list is empty", m.At.Normal())
}

func errReply(m *syntax.Mock, b *builtin.Builtin, got Value) *Error {
	return errType("%s: %s gives %s, this reply is %s", m.At.Normal(), b.Name, strings.ReplaceAll(b.Result, "|", " or "), describe(got))
}

func noteUnusedMock(m *syntax.Mock, left int) string {
	replies := "its reply was"
	if left > 1 {
		replies = fmt.Sprintf("%d of its replies were", left)
	}
	return fmt.Sprintf("%s (%s): %s never asked for", m.At.Normal(), m.At, replies)
}

func notRaised() string { return "nothing was raised" }

func wrongReason(raised string) string {
	return "raised " + raised + " — which is no refusal by the program"
}

func typeNeedsMatching(raised string) string {
	return "raised " + raised + " — a type error counts only with `matching`"
}

func notMatching(raised, want string) string {
	return fmt.Sprintf("raised %s — which does not contain %q", raised, want)
}

func assertedNoBool(v Value) string { return "an assertion needs a Bool, this is " + aKind(v) }

func propertyHolds(tried int, exhaustive bool) string {
	if exhaustive {
		return fmt.Sprintf("all %d values", tried)
	}
	return fmt.Sprintf("%d sampled values, no proof", tried)
}

func propertyOver(what string) string { return "a property ranges over Ints, not over " + what }

func propertyFails(name, value string) string { return fmt.Sprintf("fails for %s = %s", name, value) }

func propertyStopped(tried int, raised string) string {
	return fmt.Sprintf("stopped at the value number %d: raised %s", tried, raised)
}

func emptyRange(lo, hi string) string { return fmt.Sprintf("the range %s..%s is empty", lo, hi) }

// --- parts of messages ---

// aKind is a value's kind with what makes it recognisable.
func aKind(v Value) string {
	if _, ok := v.(Unit); ok {
		return "()"
	}
	return v.Kind().String()
}

// describe is a short text of a value with its kind.
func describe(v Value) string {
	switch v.(type) {
	case Unit:
		return "()"
	case *Function:
		return "a Function"
	}
	return aKind(v) + " " + brief(v)
}

// longestClip is how much of a long text a message shows, in characters.
const longestClip = 80

// clip shortens long texts in messages.
func clip(s string) string {
	if len(s) <= longestClip {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > longestClip {
			return s[:i] + "…"
		}
	}
	return s
}
