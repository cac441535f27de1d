package resolve

import (
	"fmt"
	"strconv"
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// All wording of the package stands here. A message says what is wrong in the words of the
// source and, where there is one, the repair.

func fault(code diag.Code, at source.Span, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Span: at, Message: fmt.Sprintf(format, args...)}
}

func warning(code diag.Code, at source.Span, format string, args ...any) diag.Diagnostic {
	d := fault(code, at, format, args...)
	d.Severity = diag.Warning
	return d
}

func noted(d diag.Diagnostic, at source.Span, note string) diag.Diagnostic {
	if !at.IsZero() {
		d.Notes = append(d.Notes, diag.Note{Message: note, Span: at})
	}
	return d
}

// meant closes a message with the nearest name, if there is one.
func meant(guess near.Guess) string {
	if guess.Name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean `%s`?", guess.Name)
}

// spelt gives a finding about a misspelled name the edit that corrects it, where there is no
// doubt which name was meant and the place holds that name alone, maybe in quotes.
func spelt(d diag.Diagnostic, at source.Span, name string, guess near.Guess) diag.Diagnostic {
	switch text := at.Text(); {
	case !guess.Sure:
	case text == name:
		d.Edits = append(d.Edits, diag.Edit{Span: at, New: guess.Name})
	case text == strconv.Quote(name):
		d.Edits = append(d.Edits, diag.Edit{Span: at, New: strconv.Quote(guess.Name)})
	}
	return d
}

// before and behind are the empty places at both ends of a span.
func before(at source.Span) source.Span {
	return source.Span{File: at.File, Start: at.Start, End: at.Start}
}

func behind(at source.Span) source.Span {
	return source.Span{File: at.File, Start: at.End, End: at.End}
}

func quoteAll(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// --- declarations ---

func duplicate(name syntax.Ident, what string, first source.Span) diag.Diagnostic {
	return noted(fault(diag.Duplicate, name.At, "the %s `%s` is declared twice", what, name.Name), first, "first declared here")
}

func missingFlesh(name syntax.Ident) diag.Diagnostic {
	return fault(diag.MissingFlesh, name.At, "the skeleton `%s` has no flesh: write `flesh %s { … }` with a body for every signal, here or in a file it uses", name.Name, name.Name)
}

func missingSkeleton(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return fault(diag.MissingSkeleton, name.At, "the flesh `%s` has no skeleton in this program: check the file that holds `skeleton %s` and uses this one%s", name.Name, name.Name, meant(guess))
}

func fleshOfPlainCell(name syntax.Ident, cell source.Span) diag.Diagnostic {
	return noted(fault(diag.MissingSkeleton, name.At, "`%s` is a plain cell, which holds its own bodies; only a skeleton has a flesh", name.Name), cell, "the cell is declared here")
}

func typedFleshParameter(p *syntax.Param) diag.Diagnostic {
	d := fault(diag.FleshMismatch, p.Type.At, "parameters of a flesh carry no types: the face gives `%s` its type; write `%s`", p.Name.Name, p.Name.Name)
	d.Edits = []diag.Edit{{Span: source.Span{File: p.At.File, Start: p.Name.At.End, End: p.Type.At.End}}}
	return d
}

func parameterNameMismatch(p, want Param) diag.Diagnostic {
	return noted(fault(diag.FleshMismatch, p.Decl.Name.At, "the face calls this parameter `%s`, not `%s`", want.Name, p.Name), want.Decl.At, "declared here")
}

func undeclaredInFace(name syntax.Ident, c *Cell, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UndeclaredInFace, name.At, "the face of `%s` declares no signal `%s`: declare it there, or make it private as `_%s`%s", c.Name, name.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func privateSignal(name syntax.Ident) diag.Diagnostic {
	return fault(diag.UndeclaredInFace, name.At, "a signal is public, and `%s` is a private name: drop the underscore or the signal", name.Name)
}

func signalWithoutHandler(s *Signal, named []*Handler) diag.Diagnostic {
	if len(named) > 0 {
		return noted(fault(diag.SignalWithoutHandler, s.Decl.Name.At, "the face declares `%s` with %s, and its handler takes %d", s.Name, plural(len(s.Params), "parameter"), len(named[0].Params)),
			named[0].Span(), "the handler is here")
	}
	return fault(diag.SignalWithoutHandler, s.Decl.Name.At, "the face declares `%s`, and no handler `on %s(%s)` answers it", s.Name, s.Name, strings.Join(paramNames(s.Params), ", "))
}

func paramNames(params []Param) []string {
	var out []string
	for _, p := range params {
		out = append(out, p.Name)
	}
	return out
}

func parameterTypeMismatch(p, want Param) diag.Diagnostic {
	return noted(fault(diag.SignalTypeMismatch, p.Decl.Type.At, "`%s` is %s here and %s in the face", p.Name, p.Type, want.Type), want.Decl.At, "the face declares it here")
}

func untypedParameter(name syntax.Ident) diag.Diagnostic {
	return fault(diag.UntypedParameter, name.At, "the parameter `%s` needs a type: write `%s: String`, or `%s: Any`", name.Name, name.Name, name.Name)
}

func reservedName(name syntax.Ident) diag.Diagnostic {
	return fault(diag.ReservedName, name.At, "`%s` is the name of a builtin that no handler may take", name.Name)
}

func unknownHandlerAttribute(a *syntax.Attr, guess near.Guess) diag.Diagnostic {
	return spelt(warning(diag.UnknownHandlerAttribute, a.Name.At, "the attribute `%s` of a handler means nothing here%s", a.Name.Name, meant(guess)), a.Name.At, a.Name.Name, guess)
}

func builtinTypeName(name syntax.Ident) diag.Diagnostic {
	return fault(diag.TypeName, name.At, "`%s` is a type of the language: give this one another name", name.Name)
}

func noVariants(name syntax.Ident) diag.Diagnostic {
	return fault(diag.NoVariants, name.At, "the type `%s` has no variants: write `variants { … }`", name.Name)
}

func unknownType(t *syntax.Type, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownType, t.Name.At, "there is no type `%s`%s", t.Name.Name, meant(guess)), t.Name.At, t.Name.Name, guess)
}

func wrongTypeArguments(t *syntax.Type) diag.Diagnostic {
	return fault(diag.UnknownType, t.At, "`%s` takes no such type arguments: write `List<T>` or `Map<K, V>`", t.Name.Name)
}

func unknownPromise(p *syntax.Promise, guess near.Guess) diag.Diagnostic {
	at := p.At
	at.Start = at.End - len(p.Text)
	return spelt(fault(diag.UnknownPromise, at, "`%s` is no promise that can be checked: write `promise all_persistent`, or a text in quotes%s", p.Text, meant(guess)), at, p.Text, guess)
}

func brokenPromise(s *Slot, p *syntax.Promise) diag.Diagnostic {
	d := fault(diag.BrokenPromise, s.Decl.Name.At, "the face promises that all slots are persistent, and `%s` is not: write `[persistent]` behind its type", s.Name)
	if s.Attrs["ephemeral"] == nil {
		d.Edits = []diag.Edit{addAttribute(s.Decl, "persistent")}
	}
	return noted(d, p.At, "promised here")
}

// addAttribute puts an attribute before those of a slot.
func addAttribute(s *syntax.Slot, name string) diag.Edit {
	if len(s.Attrs) > 0 {
		return diag.Edit{Span: before(s.Attrs[0].At), New: name + ", "}
	}
	return diag.Edit{Span: behind(s.Type.At), New: " [" + name + "]"}
}

func impureGiven(name syntax.Ident) diag.Diagnostic {
	return fault(diag.ImpureGiven, name.At, "the constraint of a `given` only reads: it cannot call `%s`", name.Name)
}

func badSetting(p syntax.Setting) diag.Diagnostic {
	return fault(diag.BadSetting, p.Value.Span(), "the setting `%s` is a literal or a name, not `%s`", p.Name.Name, p.Value.Span().Normal())
}

func unknownLimit(p syntax.Setting, guess near.Guess, keys []string) diag.Diagnostic {
	return spelt(fault(diag.UnknownLimit, p.Name.At, "`cost` limits no `%s`: it has %s%s", p.Name.Name, strings.Join(keys, ", "), meant(guess)), p.Name.At, p.Name.Name, guess)
}

func badLimit(p syntax.Setting, fraction bool) diag.Diagnostic {
	kind := "a whole number, written out"
	if fraction {
		kind = "a number, written out"
	}
	if p.Name.Name == "latency" {
		kind = "a duration such as `5s`, or a whole number of milliseconds"
	}
	return fault(diag.BadLimit, p.Value.Span(), "the limit `%s` is %s and not negative, not `%s`", p.Name.Name, kind, p.Value.Span().Normal())
}

// --- frames ---

func unknownFrameSlot(item *syntax.ClauseItem, s *Signal, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownFrameSlot, item.At, "the frame of `%s` names `%s`, and `%s` has no such slot%s", s.Name, item.Name.Name, s.Cell.Name, meant(guess)), item.Name.At, item.Name.Name, guess)
}

func repeatedItem(item *syntax.ClauseItem, first source.Span) diag.Diagnostic {
	d := noted(fault(diag.Duplicate, item.At, "the frame names `%s` twice", item.At.Normal()), first, "first named here")
	d.Edits = unlist(item)
	return d
}

func unknownFrameEdge(item *syntax.ClauseItem, s *Signal, m *Machine, guess near.Guess) diag.Diagnostic {
	text := item.At.Normal()
	if m == nil {
		return fault(diag.UnknownFrameEdge, item.At, "the frame of `%s` moves `%s`, and `%s` has no state machine", s.Name, text, s.Cell.Name)
	}
	d := noted(fault(diag.UnknownFrameEdge, item.At, "the frame of `%s` moves `%s`, an edge that `%s` does not declare%s", s.Name, text, m.Name, meant(guess)), m.Decl.Name.At, "the machine is declared here")
	return spelt(d, item.At, item.At.Text(), guess)
}

func unknownFrameCallee(item *syntax.ClauseItem, s *Signal, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownFrameCallee, item.At, "the frame of `%s` calls `%s`, and there is no such handler or builtin%s", s.Name, item.At.Normal(), meant(guess)), item.Name.At, item.Name.Name, guess)
}

func unknownFrameCell(item *syntax.ClauseItem, s *Signal, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownFrameCallee, item.At, "the frame of `%s` calls a handler of `%s`, and there is no such cell%s", s.Name, item.Cell.Name, meant(guess)), item.Cell.At, item.Cell.Name, guess)
}

func ambiguousFrameCallee(item *syntax.ClauseItem, list []*Handler) diag.Diagnostic {
	return fault(diag.AmbiguousCall, item.At, "several cells have a handler `%s`: write %s", item.Name.Name, qualified(list))
}

func privateInFrame(item *syntax.ClauseItem, s *Signal) diag.Diagnostic {
	d := fault(diag.PrivateInFrame, item.At, "`%s` is private and needs no clause: its effects count as those of `%s`; remove it", item.Name.Name, s.Name)
	d.Edits = unlist(item)
	return d
}

// unlist takes an entry out of its clause.
func unlist(item *syntax.ClauseItem) []diag.Edit {
	return diag.Unlist(item.At, "reads", "writes", "moves", "calls")
}

func qualified(list []*Handler) string {
	var out []string
	for _, h := range list {
		name := fmt.Sprintf("`%s.%s`", h.Cell.Name, h.Name)
		if len(out) == 0 || out[len(out)-1] != name {
			out = append(out, name)
		}
	}
	return strings.Join(out, " or ")
}

// --- names ---

func undefinedName(x *syntax.Name, state *Machine, guess near.Guess) diag.Diagnostic {
	if state != nil {
		return fault(diag.UndefinedName, x.At, "`%s` is bound nowhere: for the state of `%s` write \"%s\"", x.Name, state.Name, x.Name)
	}
	return spelt(fault(diag.UndefinedName, x.At, "`%s` is bound nowhere%s", x.Name, meant(guess)), x.At, x.Name, guess)
}

// functionAsValue is about the name of a function where a value stands; one of a single
// argument has a function value that does the same.
func functionAsValue(x *syntax.Name, single bool) diag.Diagnostic {
	d := fault(diag.FunctionAsValue, x.At, "`%s` is a function and no value: call it, or write `x => %s(x)`", x.Name, x.Name)
	if single {
		d.Edits = []diag.Edit{{Span: x.At, New: "x => " + x.Name + "(x)"}}
	}
	return d
}

func foreignSlot(x syntax.Expr, s *Slot) diag.Diagnostic {
	return noted(fault(diag.ForeignSlot, x.Span(), "`%s` is a slot of `%s`, which only that cell may read and write: call a handler of `%s`", s.Name, s.Cell.Name, s.Cell.Name), s.Decl.Name.At, "declared here")
}

func unknownCellSlot(x *syntax.Field, c *Cell, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UndefinedName, x.Name.At, "`%s` has no slot `%s`%s", c.Name, x.Name.Name, meant(guess)), x.Name.At, x.Name.Name, guess)
}

func ambiguousSlot(x *syntax.Name, list []*Slot) diag.Diagnostic {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("`%s.%s`", s.Cell.Name, s.Name))
	}
	return fault(diag.AmbiguousSlot, x.At, "several cells have a slot `%s`: write %s", x.Name, strings.Join(out, " or "))
}

func parameterHidesSlot(name syntax.Ident, slot source.Span) diag.Diagnostic {
	return noted(fault(diag.ParameterHidesSlot, name.At, "the parameter `%s` has the name of a slot: rename it", name.Name), slot, "the slot is declared here")
}

func letHidesSlot(name syntax.Ident, slot source.Span) diag.Diagnostic {
	return noted(warning(diag.LetHidesSlot, name.At, "the local `%s` hides the slot of that name from here on", name.Name), slot, "the slot is declared here")
}

func unboundAssignment(s *syntax.Assign, x *syntax.Name, guess near.Guess) diag.Diagnostic {
	if guess.Name != "" {
		return spelt(fault(diag.UnboundAssignment, x.At, "`%s` is bound nowhere; did you mean `%s`, or `let %s = …`?", x.Name, guess.Name, x.Name), x.At, x.Name, guess)
	}
	d := fault(diag.UnboundAssignment, x.At, "`%s` is bound nowhere; did you mean `let %s`?", x.Name, s.At.Normal())
	if s.Op == syntax.NoOp {
		d.Edits = []diag.Edit{{Span: before(s.At), New: "let "}}
	}
	return d
}

// --- calls ---

func undefinedFunction(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UndefinedFunction, name.At, "there is no handler or builtin `%s`%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

func calledValue(name syntax.Ident) diag.Diagnostic {
	return fault(diag.UndefinedFunction, name.At, "`%s` holds no function", name.Name)
}

func unknownCell(cell syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UndefinedFunction, cell.At, "there is no cell `%s`%s", cell.Name, meant(guess)), cell.At, cell.Name, guess)
}

func unknownCellHandler(name syntax.Ident, c *Cell, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UndefinedFunction, name.At, "`%s` has no handler `%s`%s", c.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func wrongCount(at source.Span, name string, fewest, most, got int, declared source.Span) diag.Diagnostic {
	want := plural(fewest, "argument")
	switch {
	case most < 0:
		want = "at least " + want
	case most != fewest:
		want = fmt.Sprintf("%d to %d arguments", fewest, most)
	}
	return noted(fault(diag.WrongCount, at, "`%s` takes %s, not %d", name, want, got), declared, "declared here")
}

func handlerCount(name syntax.Ident, named []*Handler, got int) diag.Diagnostic {
	h := named[0]
	return wrongCount(name.At, h.Name, len(h.Params), len(h.Params), got, h.Span())
}

func emitCount(s *syntax.Emit, h *Handler) diag.Diagnostic {
	return noted(fault(diag.WrongCount, s.Event.At, "`%s` is emitted with %s, and the listener in `%s` takes %d", s.Event.Name, plural(len(s.Args), "argument"), h.Cell.Name, len(h.Params)), h.Span(), "the listener is here")
}

func oddMap(name syntax.Ident) diag.Diagnostic {
	return fault(diag.WrongCount, name.At, "`map` takes pairs of a key and a value: a value is missing")
}

func ambiguousCall(name syntax.Ident, list []*Handler) diag.Diagnostic {
	return fault(diag.AmbiguousCall, name.At, "several cells have a handler `%s`: write %s", name.Name, qualified(list))
}

func builtinWins(name syntax.Ident, h *Handler) diag.Diagnostic {
	return noted(warning(diag.BuiltinWins, name.At, "this calls the builtin `%s`; for the handler of `%s` write `%s.%s`", name.Name, h.Cell.Name, h.Cell.Name, h.Name), h.Span(), "the handler is here")
}

func noListener(s *syntax.Emit, guess near.Guess) diag.Diagnostic {
	return warning(diag.NoListener, s.Event.At, "no cell has a handler `on %s`: this emit reaches nobody%s", s.Event.Name, meant(guess))
}

// unusedResult is about a discarded result; local names the list or map that was to be
// changed, if the call gives a changed copy of it.
func unusedResult(x syntax.Expr, local string) diag.Diagnostic {
	d := warning(diag.UnusedResult, x.Span(), "the result of `%s` is not used, and the call does nothing else", x.Span().Normal())
	if local != "" {
		d.Message += fmt.Sprintf(": write `%s = …`", local)
		d.Edits = []diag.Edit{{Span: before(x.Span()), New: local + " = "}}
	}
	return d
}

func pushWithoutUse(m *syntax.Method, name string) diag.Diagnostic {
	d := fault(diag.LocalUpdate, m.Name.At, "`push` gives a new list and leaves `%s` as it is: write `%s = push(%s, …)`", name, name, name)
	d.Edits = assignCall(m, name, "push")
	return d
}

// assignCall turns the statement x.f(a, …) into x = g(x, a, …).
func assignCall(m *syntax.Method, x, g string) []diag.Edit {
	if len(m.Args) == 0 {
		return nil
	}
	head := source.Span{File: m.At.File, Start: m.At.Start, End: m.Args[0].Span().Start}
	return []diag.Edit{{Span: head, New: x + " = " + g + "(" + x + ", "}}
}

// localUpdate is about a statement x.set(k, v), x.delete(k) or x.append(v) on a local.
func localUpdate(m *syntax.Method, x string) diag.Diagnostic {
	d := valueUpdate(m)
	switch m.Name.Name {
	case "append":
		d.Edits = assignCall(m, x, "push")
	case "delete":
		if len(m.Args) != 1 {
			return d
		}
		if _, key := literalText(m.Args[0]); key { // of a map, then
			d.Edits = assignCall(m, x, "without")
		}
	case "set":
		if len(m.Args) == 2 {
			key, value := m.Args[0].Span(), m.Args[1].Span()
			between := func(from, to int) source.Span { return source.Span{File: m.At.File, Start: from, End: to} }
			d.Edits = []diag.Edit{
				{Span: between(m.X.Span().End, key.Start), New: "["},
				{Span: between(key.End, value.Start), New: "] = "},
				{Span: between(value.End, m.At.End)},
			}
		}
	}
	return d
}

func valueUpdate(m *syntax.Method) diag.Diagnostic {
	x := m.X.Span().Normal()
	switch m.Name.Name {
	case "delete":
		return fault(diag.LocalUpdate, m.Name.At, "only slots have `.delete`: write `%s = without(%s, …)` for a map, `%s = filter(%s, x => …)` for a list", x, x, x, x)
	case "append":
		return fault(diag.LocalUpdate, m.Name.At, "only slots have `.append`: write `%s = push(%s, …)`", x, x)
	}
	return fault(diag.LocalUpdate, m.Name.At, "only slots have `.set`: write `%s[…] = …`", x)
}

func unknownSlotOperation(m *syntax.Method, s *Slot, guess near.Guess) diag.Diagnostic {
	kind := "map"
	if s.IsList {
		kind = "list"
	}
	d := fault(diag.UnknownSlotOperation, m.Name.At, "the slot `%s` is a %s, which has no `%s`; it has %s%s", s.Name, kind, m.Name.Name, quoteAll(slotOpNames(s.IsList)), meant(guess))
	return spelt(d, m.Name.At, m.Name.Name, guess)
}

// --- what nothing uses ---

func unusedLet(name syntax.Ident) diag.Diagnostic {
	return warning(diag.UnusedLet, name.At, "nothing reads `%s`: use it, leave the `let` out, or call it `_%s`", name.Name, name.Name)
}

func letHidesLocal(name syntax.Ident, outer source.Span) diag.Diagnostic {
	return noted(warning(diag.LetHidesLocal, name.At, "this `let` makes a new `%s` that nothing reads; to change the one outside write `%s = …`", name.Name, name.Name), outer, "the other one is bound here")
}

func unusedPrivate(h *Handler) diag.Diagnostic {
	return warning(diag.UnusedPrivate, h.Decl.Name.At, "nothing calls the private handler `%s`, and nobody outside can", h.Name)
}

func uselessArm(p, first syntax.Pattern, state *Machine) diag.Diagnostic {
	d := warning(diag.UselessArm, p.Span(), "`%s` never takes anything: `%s` before it takes every such value", p.Span().Normal(), first.Span().Normal())
	if state != nil {
		d.Message += fmt.Sprintf("; for the state of `%s` write \"%s\"", state.Name, first.Span().Text())
	}
	return noted(d, first.Span(), "taken here")
}

func emptyRangePattern(p syntax.Pattern) diag.Diagnostic {
	return warning(diag.UselessArm, p.Span(), "the range `%s` is empty: it never takes anything", p.Span().Normal())
}

func neverState(x syntax.Expr, m *Machine, state string, guess near.Guess) diag.Diagnostic {
	d := noted(warning(diag.NeverState, x.Span(), "`%s` has no state `%s`, so that this never holds%s", m.Name, state, meant(guess)), m.Decl.Name.At, "the machine is declared here")
	return spelt(d, x.Span(), state, guess)
}

// --- statements ---

func unreachable(s syntax.Stmt) diag.Diagnostic {
	return warning(diag.Unreachable, s.Span(), "control never comes here: what stands before always leaves")
}

func outsideLoop(s syntax.Stmt, word string) diag.Diagnostic {
	return fault(diag.OutsideLoop, s.Span(), "`%s` stands in no loop", word)
}

func returnInLambda(s *syntax.Return) diag.Diagnostic {
	return fault(diag.MisplacedReturn, s.At, "a function value has no `return`: its last expression is its value")
}

func returnInRules(s *syntax.Return) diag.Diagnostic {
	return fault(diag.MisplacedReturn, s.At, "rules of a test return nothing")
}

// --- types ---

// --- variants and patterns ---

func undefinedVariant(name syntax.Ident, cell bool, guess near.Guess) diag.Diagnostic {
	if cell {
		return fault(diag.UnknownVariant, name.At, "`%s` is a cell and no value", name.Name)
	}
	return spelt(fault(diag.UnknownVariant, name.At, "no sum type has a variant `%s`%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

func unknownVariant(name syntax.Ident, t *SumType, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownVariant, name.At, "`%s` has no variant `%s`%s", t.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func unknownSumType(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownType, name.At, "there is no sum type `%s`%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

func ambiguousVariant(name syntax.Ident, list []*Variant) diag.Diagnostic {
	var out []string
	for _, v := range list {
		out = append(out, fmt.Sprintf("`%s::%s`", v.Type.Name, v.Name))
	}
	return fault(diag.UnknownVariant, name.At, "several types have a variant `%s`: write %s", name.Name, strings.Join(out, " or "))
}

func form(v *Variant) string {
	switch {
	case v.Struct:
		return v.Name + " { " + strings.Join(v.fieldNames(), ": …, ") + ": … }"
	case len(v.Fields) > 0:
		return v.Name + "(" + strings.TrimSuffix(strings.Repeat("…, ", len(v.Fields)), ", ") + ")"
	}
	return v.Name
}

func variantForm(at source.Span, v *Variant) diag.Diagnostic {
	return noted(fault(diag.VariantForm, at, "`%s` is written `%s`", v.Name, form(v)), v.Decl.Name.At, "declared here")
}

func recordOfSumType(name syntax.Ident, t *SumType) diag.Diagnostic {
	return noted(fault(diag.VariantForm, name.At, "`%s` is a sum type: write one of its variants, %s", name.Name, quoteAll(t.variantNames())), t.Decl.Name.At, "declared here")
}

func unknownField(name syntax.Ident, v *Variant, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.VariantForm, name.At, "`%s` has no field `%s`%s", v.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func missingFields(at source.Span, v *Variant, missing []string) diag.Diagnostic {
	return fault(diag.VariantForm, at, "`%s` lacks %s", v.Name, quoteAll(missing))
}

func missingPatternFields(p *syntax.VariantPattern, v *Variant, missing []string) diag.Diagnostic {
	d := fault(diag.VariantForm, p.Name.At, "this pattern of `%s` lacks %s: name them, or end it in `..`", v.Name, quoteAll(missing))
	fields := strings.TrimSuffix(p.At.Text(), "}")
	if fields == p.At.Text() {
		return d
	}
	rest := diag.Edit{Span: before(p.At), New: ", .."}
	if len(p.Fields) == 0 {
		rest.New = " .."
	}
	rest.Span.Start += len(strings.TrimRight(fields, " \t\r\n,"))
	rest.Span.End = rest.Span.Start
	d.Edits = []diag.Edit{rest}
	return d
}

func missingArms(at source.Span, t *SumType, missing []string) diag.Diagnostic {
	return fault(diag.MissingArms, at, "this match over `%s` lacks %s: add arms, or `_ -> …`", t.Name, quoteAll(missing))
}

// --- memory ---

func scalarSlot(d *syntax.Slot, t *Type) diag.Diagnostic {
	return fault(diag.ScalarSlot, d.Type.At, "a slot is a map or a list: for one value write `%s: Map<String, %s>` and keep it under one key, as in `%s.set(\"value\", …)`", d.Name.Name, t, d.Name.Name)
}

func contradictoryAttributes(a, b syntax.Ident) diag.Diagnostic {
	return noted(fault(diag.BadAttribute, a.At, "a slot cannot be both `%s` and `%s`", b.Name, a.Name), b.At, "stated here")
}

func badAttribute(a *syntax.Attr) diag.Diagnostic {
	switch a.Name.Name {
	case "capacity", "slot_bits", "max_value_bytes", "ttl":
		return fault(diag.BadAttribute, a.At, "`%s` takes one positive literal, as in `%s(%s)`", a.Name.Name, a.Name.Name, map[bool]string{true: "5s", false: "100"}[a.Name.Name == "ttl"])
	}
	return fault(diag.BadAttribute, a.At, "`%s` takes no arguments", a.Name.Name)
}

func unknownAttribute(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.BadAttribute, name.At, "there is no slot attribute `%s`%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

func wholeSlot(s *syntax.Assign, slot *Slot) diag.Diagnostic {
	op := "set(key, value)"
	if slot.IsList {
		op = "push(value)"
	}
	return fault(diag.WholeSlot, s.Target.Span(), "a slot is never assigned as a whole: write entries with `%s.%s`", slot.Name, op)
}

func slotFieldAssignment(s *syntax.Assign, slot *Slot, field string) diag.Diagnostic {
	return fault(diag.WholeSlot, s.Target.Span(), "a slot has no fields to assign: write `%s[\"%s\"] = …`", slot.Name, field)
}

func impureInvariant(name syntax.Ident) diag.Diagnostic {
	return fault(diag.ImpureInvariant, name.At, "an invariant only reads: it cannot call `%s`", name.Name)
}

func statusWithoutMachine(x *syntax.Name, c *Cell) diag.Diagnostic {
	return fault(diag.BadStatusRule, x.At, "`status` is the state of the machine of `%s`, which has none", c.Name)
}

func statusWithoutSlot(x *syntax.Name) diag.Diagnostic {
	return fault(diag.BadStatusRule, x.At, "a rule about `status` is judged at moves too: it must name a slot, defaulted as in `(amount ?? 0)`")
}

func undefaulted(x *syntax.Name, s *Slot) diag.Diagnostic {
	d := fault(diag.Undefaulted, x.At, "`%s` may have no entry at this key: write `(%s ?? …)` with the value that stands for none", s.Name, s.Name)
	if zero := zeroOf(s.Value); zero != "" {
		d.Edits = []diag.Edit{{Span: x.At, New: fmt.Sprintf("(%s ?? %s)", x.Name, zero)}}
	}
	return d
}

// zeroOf is what an absent entry of a type most naturally counts as, or "".
func zeroOf(t *Type) string {
	switch t.Kind {
	case IntType:
		return "0"
	case FloatType:
		return "0.0"
	case StringType:
		return `""`
	case BoolType:
		return "false"
	case ListType:
		return "[]"
	case MapType:
		return "map()"
	}
	return ""
}

func lengthOfValue(at source.Span, slot string) diag.Diagnostic {
	return warning(diag.LengthOfValue, at, "`%s` is the length of the written value; the number of entries is `%s.size`", at.Normal(), slot)
}

func totalOfNoInts(name syntax.Ident, s *Slot) diag.Diagnostic {
	return noted(fault(diag.TypeMismatch, name.At, "`total` sums a map slot of Ints, and `%s` is none", s.Name), s.Decl.At, "declared here")
}

func misplacedTotal(name syntax.Ident) diag.Diagnostic {
	return fault(diag.UndefinedFunction, name.At, "`total` sums a slot in invariants only: here write `sum(slot.values)`")
}

func totalOfNoSlot(name, arg syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.TypeMismatch, name.At, "`total` sums a map slot of the cell, named alone%s", meant(guess)), arg.At, arg.Name, guess)
}

func mixedTotal(name syntax.Ident) diag.Diagnostic {
	return fault(diag.MixedTotal, name.At, "a rule about totals is judged when a call commits, where nothing is being written: it cannot speak of a written value")
}

// --- machines ---

func secondMachine(m, first *syntax.Machine) diag.Diagnostic {
	return noted(fault(diag.SecondMachine, m.Name.At, "a cell has one state machine, and `%s` is the second", m.Name.Name), first.Name.At, "the first is here")
}

func noInitial(m *syntax.Machine) diag.Diagnostic {
	return fault(diag.InitialState, m.Name.At, "the machine `%s` does not say where it starts: write `initial: STATE`", m.Name.Name)
}

func secondInitial(name syntax.Ident, first source.Span) diag.Diagnostic {
	return noted(fault(diag.InitialState, name.At, "a machine starts in one state: `%s` is a second one", name.Name), first, "the first is here")
}

func noEdges(m *syntax.Machine) diag.Diagnostic {
	return fault(diag.NoEdges, m.Name.At, "the machine `%s` has no edges: nothing can ever move", m.Name.Name)
}

func duplicateEdge(row, first *syntax.EdgeRow) diag.Diagnostic {
	from := "*"
	if row.From != nil {
		from = row.From.Name
	}
	return noted(fault(diag.Duplicate, row.At, "the edge `%s -> %s` is declared twice", from, row.To.Name), first.At, "first declared here")
}

func emptyWildcard(row *syntax.EdgeRow) diag.Diagnostic {
	return warning(diag.EmptyWildcard, row.At, "`%s` stands for no edge: every state is left out or has the edge already", row.At.Normal())
}

func unknownExcept(name syntax.Ident, m *Machine, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownState, name.At, "`%s` has no state `%s` to except%s", m.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func stateOutsideType(name syntax.Ident, t *SumType, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownState, name.At, "the states of this machine are the variants of `%s`, and `%s` is none%s", t.Name, name.Name, meant(guess)), name.At, name.Name, guess)
}

func machineOfNoSum(t *syntax.Type) diag.Diagnostic {
	return fault(diag.UnknownType, t.At, "a machine is typed by a sum type, and `%s` is none", t.Name.Name)
}

func lostEnds(m *Machine, row *syntax.EdgeRow, lost []string) diag.Diagnostic {
	var except []string
	for _, e := range row.Except {
		if m.HasState(e.Name) {
			except = append(except, e.Name)
		}
	}
	except = append(except, lost...)
	return warning(diag.LostEnd, row.At, "`* -> %s` leaves %s too, which would else be final: if that is not meant, write `* -> %s except [%s]`",
		row.To.Name, quoteAll(lost), row.To.Name, strings.Join(except, ", "))
}

func undefinedState(x *syntax.Name, m *Machine, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UndefinedName, x.At, "`%s` is neither a name in scope nor a state of `%s`%s", x.Name, m.Name, meant(guess)), x.At, x.Name, guess)
}

func undeclaredState(x syntax.Expr, m *Machine, state string, guess near.Guess) diag.Diagnostic {
	d := noted(fault(diag.UnknownState, x.Span(), "`%s` has no state `%s`%s", m.Name, state, meant(guess)), m.Decl.Name.At, "the machine is declared here")
	return spelt(d, x.Span(), state, guess)
}

func neverEntered(x syntax.Expr, m *Machine, state string) diag.Diagnostic {
	return noted(fault(diag.NeverEntered, x.Span(), "no edge of `%s` enters `%s`: this move is always refused", m.Name, state), m.Decl.Name.At, "the machine is declared here")
}

func undeclaredEdge(at source.Span, m *Machine, from, to string) diag.Diagnostic {
	return noted(fault(diag.UndeclaredEdge, at, "`%s` declares no edge `%s -> %s`: this move is always refused", m.Name, from, to), m.Decl.Name.At, "the machine is declared here")
}

func noExit(x syntax.Expr, m *Machine, state string) diag.Diagnostic {
	return noted(fault(diag.UndeclaredEdge, x.Span(), "no edge of `%s` leaves `%s`: this move is always refused", m.Name, state), m.Decl.Name.At, "the machine is declared here")
}

func noMachine(name syntax.Ident, machines []*Machine) diag.Diagnostic {
	if len(machines) == 0 {
		return fault(diag.NoMachine, name.At, "`%s` needs a state machine, and the program has none", name.Name)
	}
	return fault(diag.NoMachine, name.At, "`%s` cannot tell which machine is meant, %s: call a handler of the cell that has it", name.Name, machineNames(machines))
}

func impureGuard(name syntax.Ident) diag.Diagnostic {
	return fault(diag.ImpureGuard, name.At, "a guard only reads: it cannot call `%s`", name.Name)
}

func unboundGuardName(site *moveSite, e *Edge, x *syntax.Name, guess near.Guess) diag.Diagnostic {
	return noted(fault(diag.UnboundGuardName, site.at, "the guard of `%s -> %s` reads `%s`, which is not bound here on every path: bind it before the call%s", e.From, e.To, x.Name, meant(guess)), x.At, "the guard is here")
}

// --- names in texts ---

func repeatedKey(x syntax.Expr, key string, first syntax.Expr) diag.Diagnostic {
	return noted(warning(diag.RepeatedKey, x.Span(), "this map has the key \"%s\" twice: the last value wins", key), first.Span(), "the first is here")
}

func unknownOption(x syntax.Expr, name, key string, known []string, guess near.Guess) diag.Diagnostic {
	return spelt(warning(diag.UnknownOption, x.Span(), "`%s` has no option `%s`; it has %s%s", name, key, quoteAll(known), meant(guess)), x.Span(), key, guess)
}

func unknownTool(x syntax.Expr, c *Cell, name string, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownTool, x.Span(), "the face of `%s` has no tool `%s`%s", c.Name, name, meant(guess)), x.Span(), name, guess)
}

func unknownTypeText(x syntax.Expr, text string, guess near.Guess) diag.Diagnostic {
	return spelt(warning(diag.UnknownTypeText, x.Span(), "the program has no type, variant or record `%s`%s", text, meant(guess)), x.Span(), text, guess)
}

func nearVariant(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(warning(diag.NearVariant, name.At, "`%s` is no variant, so that this is a record of that name%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

// --- tests ---

func unknownMock(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownMock, name.At, "`mock %s` replaces nothing: there is no such builtin or handler%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

func helperHidesHandler(name syntax.Ident, h *Handler) diag.Diagnostic {
	return noted(fault(diag.Duplicate, name.At, "the helper `%s` has the name of a handler of `%s`: rename it", name.Name, h.Cell.Name), h.Span(), "the handler is here")
}

// --- properties ---

func unknownPropState(a Atom, machines []*Machine, guess near.Guess) diag.Diagnostic {
	if len(machines) == 1 {
		return spelt(fault(diag.UnknownPropState, a.At, "`%s` has no state `%s`%s", machines[0].Name, a, meant(guess)), a.At, a.State, guess)
	}
	return spelt(fault(diag.UnknownPropState, a.At, "no machine has a state `%s`%s", a, meant(guess)), a.At, a.State, guess)
}

func unknownFairEdge(p *syntax.Prop, m *Machine) diag.Diagnostic {
	return noted(fault(diag.UnknownPropState, p.At, "`%s` declares no edge `%s -> %s` to be fair to", m.Name, p.Edge[0].Name, p.Edge[1].Name), m.Decl.Name.At, "the machine is declared here")
}

func ambiguousAtom(a Atom, fitting []*Machine) diag.Diagnostic {
	return fault(diag.UnboundProperty, a.At, "`%s` is a state of several machines, %s: write `machine.state`", a, machineNames(fitting))
}

func unknownFairHandler(name syntax.Ident, guess near.Guess) diag.Diagnostic {
	return spelt(fault(diag.UnknownPropState, name.At, "there is no handler `%s` to be fair to%s", name.Name, meant(guess)), name.At, name.Name, guess)
}

func propWithoutMachine(p *syntax.Prop) diag.Diagnostic {
	return fault(diag.UnboundProperty, p.At, "a property speaks of a state machine, and the program has none")
}

func propOfNoOneMachine(p *syntax.Prop, fitting []*Machine) diag.Diagnostic {
	if len(fitting) == 0 {
		return fault(diag.UnboundProperty, p.At, "no machine has all the states of this property: name them as `machine.state`")
	}
	return fault(diag.UnboundProperty, p.At, "this property fits several machines, %s: name its states as `machine.state`", machineNames(fitting))
}

func machineNames(machines []*Machine) string {
	var names []string
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return quoteAll(names)
}
