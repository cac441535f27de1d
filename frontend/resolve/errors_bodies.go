package resolve

import (
	"fmt"
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Findings in bodies: of programs and of their tests.

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
