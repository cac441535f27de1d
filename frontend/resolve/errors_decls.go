package resolve

import (
	"fmt"
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Findings about what is declared: cells and their faces, frames, memory and its rules.

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
