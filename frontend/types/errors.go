package types

import (
	"fmt"
	"strings"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// The wording of every finding of this package stands here.

func fault(code diag.Code, at source.Span, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Message: fmt.Sprintf(format, args...), Span: at}
}

// noted adds where that was declared which a finding speaks of.
func noted(d diag.Diagnostic, at source.Span) diag.Diagnostic {
	if !at.IsZero() {
		d.Notes = append(d.Notes, diag.Note{Message: "declared here", Span: at})
	}
	return d
}

// code is an expression as messages show it.
func code(x syntax.Node) string { return "`" + x.Span().Normal() + "`" }

func notBool(x syntax.Expr, t *Type) diag.Diagnostic {
	d := fault(diag.NotBool, x.Span(), "%s is %s where a Bool is needed", code(x), t)
	if test := testOf(x, t); test != "" {
		d.Message += ": write `" + test + "`"
	}
	return d
}

// testOf is a Bool that asks of a value what was probably meant, or "".
func testOf(x syntax.Expr, t *Type) string {
	what := x.Span().Normal()
	if !simple(x) {
		return ""
	}
	switch t.Kinds {
	case Int:
		return what + " != 0"
	case String:
		return what + ` != ""`
	case List, Map:
		return "len(" + what + ") > 0"
	}
	return ""
}

// simple tells whether an expression can be an operand without parentheses.
func simple(x syntax.Expr) bool {
	switch x.(type) {
	case *syntax.Name, *syntax.Call, *syntax.Method, *syntax.Field, *syntax.Index, *syntax.Paren:
		return true
	}
	return false
}

func notIterable(x syntax.Expr, t *Type) diag.Diagnostic {
	d := fault(diag.TypeMismatch, x.Span(), "`for` runs over a list, a map or the lines of a text, not over %s", t)
	if t.Kinds == Int {
		d.Message += fmt.Sprintf(": write `range(0, %s)`", x.Span().Normal())
	}
	return d
}

func badOperand(x *syntax.Unary, op string, t *Type) diag.Diagnostic {
	return fault(diag.TypeMismatch, x.At, "`%s` does not apply to %s%s", op, t, conversion(x.X, t, number))
}

func badOperands(n syntax.Node, op string, x, y syntax.Expr, a, b *Type) diag.Diagnostic {
	return fault(diag.TypeMismatch, n.Span(), "`%s` does not apply to %s and %s%s", op, a, b, operandRepair(op, x, y, a, b))
}

// operandRepair says what to write where an operator does not apply.
func operandRepair(op string, x, y syntax.Expr, a, b *Type) string {
	switch {
	case op == "+" && a.is(String) != b.is(String):
		return ": put the value into the text as \"{…}\", or use to_string"
	case a.is(Unit):
		return defaulted(x, b)
	case b.is(Unit):
		return defaulted(y, a)
	case a.is(String) && b.is(Number):
		return conversion(x, a, b)
	case b.is(String) && a.is(Number):
		return conversion(y, b, a)
	}
	return ""
}

// conversion says how a value becomes one of another type.
func conversion(x syntax.Expr, got, want *Type) string {
	what := "…"
	if simple(x) {
		what = x.Span().Normal()
	} else if _, ok := syntax.Unparen(x).(*syntax.String); ok {
		return ""
	}
	switch {
	case got.is(Unit):
		return defaulted(x, want)
	case want.is(String) && !got.may(Function):
		return fmt.Sprintf(": write `to_string(%s)`, or put it into a text as \"{…}\"", what)
	case got.is(String) && want.is(Int):
		return fmt.Sprintf(": write `to_int(%s) ?? 0`", what)
	case got.is(String) && want.is(Number):
		return fmt.Sprintf(": write `to_float(%s) ?? 0`", what)
	case got.is(Float) && want.is(Int):
		return fmt.Sprintf(": write `round(%s)`", what)
	}
	return ""
}

// defaulted says how to give what is absent a value.
func defaulted(x syntax.Expr, want *Type) string {
	of := ""
	switch {
	case want.is(Number):
		of = "0"
	case want.is(String):
		of = `""`
	case want.is(Bool):
		of = "false"
	case want.is(List):
		of = "[]"
	default:
		return ""
	}
	if simple(x) {
		return fmt.Sprintf(": write `%s ?? %s`", x.Span().Normal(), of)
	}
	return fmt.Sprintf(": write `… ?? %s`", of)
}

func builtinArgument(x syntax.Expr, f *builtin.Builtin, want builtin.Type, got *Type) diag.Diagnostic {
	var words []string
	kinds := Kinds(0)
	for _, t := range want {
		kinds |= kindsOf(t.Word)
		if !strings.Contains(" "+strings.Join(words, " ")+" ", " "+t.Word+" ") {
			words = append(words, t.Word)
		}
	}
	return fault(diag.TypeMismatch, x.Span(), "`%s` takes %s here, not %s%s", f.Name, strings.Join(words, " or "), got,
		conversion(x, got, &Type{Kinds: kinds}))
}

func functionArity(x syntax.Expr, f *builtin.Builtin, want *builtin.Term, got int) diag.Diagnostic {
	return fault(diag.WrongFunction, x.Span(), "`%s` calls its function with %s, and this one takes %d", f.Name, plural(len(want.Takes), "argument"), got)
}

func localArity(a application, want, got int) diag.Diagnostic {
	return fault(diag.WrongFunction, a.name.At, "`%s` takes %s, not %d", a.name.Name, plural(want, "argument"), got)
}

func notFunction(name syntax.Ident, t *Type) diag.Diagnostic {
	return fault(diag.UndefinedFunction, name.At, "`%s` holds no function but %s", name.Name, t)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// --- values of declared types ---

func (p parameter) misfit(x syntax.Expr, got *Type, want *resolve.Type) diag.Diagnostic {
	return noted(fault(diag.TypeMismatch, x.Span(), "`%s` takes %s for `%s`, not %s%s", p.handler.Name, want, p.param.Name, got, conversion(x, got, declared(want))),
		p.param.Decl.At)
}

func (s slotEntry) misfit(x syntax.Expr, got *Type, want *resolve.Type) diag.Diagnostic {
	return noted(fault(diag.TypeMismatch, x.Span(), "the slot `%s` holds %s, not %s%s", s.slot.Name, want, got, conversion(x, got, declared(want))),
		s.slot.Decl.At)
}

func (f variantField) misfit(x syntax.Expr, got *Type, want *resolve.Type) diag.Diagnostic {
	repair := conversion(x, got, declared(want))
	at := f.variant.Decl.Name.At
	if f.field.Name == "" {
		return noted(fault(diag.TypeMismatch, x.Span(), "`%s` holds %s here, not %s%s", f.variant.Name, want, got, repair), at)
	}
	return noted(fault(diag.TypeMismatch, x.Span(), "the field `%s` of `%s` holds %s, not %s%s", f.field.Name, f.variant.Name, want, got, repair), at)
}

func (r result) misfit(x syntax.Expr, got *Type, want *resolve.Type) diag.Diagnostic {
	return noted(fault(diag.TypeMismatch, x.Span(), "the face says that `%s` gives %s, and this is %s%s", r.signal.Name, want, got, conversion(x, got, declared(want))),
		r.signal.Decl.Result.At)
}

// insideOf says in what a part of a literal does not fit.
func insideOf(whole *resolve.Type) string { return fmt.Sprintf(" (in what must be %s)", whole) }

// --- parts of values ---

func noField(name syntax.Ident, t *Type, has []string) diag.Diagnostic {
	d := fault(diag.NoField, name.At, "%s has no field `%s`", t, name.Name)
	if len(has) > 0 {
		d.Message += ": it has " + quoted(has)
	}
	return d
}

func noTryField(name syntax.Ident) diag.Diagnostic {
	return fault(diag.NoField, name.At, "`try` gives no field `%s`: it gives `value`, `error`, `kind` and `detail`", name.Name)
}

func quoted(names []string) string {
	var out []string
	for _, n := range names {
		if s := "`" + n + "`"; !strings.Contains(strings.Join(out, " "), s) {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}

func noTryResult(x *syntax.Propagate, t *Type) diag.Diagnostic {
	return fault(diag.TypeMismatch, x.At, "`?` takes what `try` gives, and this is %s: write `try { … }?`", t)
}

func notIndexable(x syntax.Expr, t *Type) diag.Diagnostic {
	return fault(diag.BadIndex, x.Span(), "%s has no elements: it is %s", code(x), t)
}

func badIndex(x syntax.Expr, got *Type, of string, s *resolve.Slot) diag.Diagnostic {
	return slotNoted(fault(diag.BadIndex, x.Span(), "an index of %s is an Int, and this is %s%s", of, got, conversion(x, got, integer)), s)
}

func badKey(x syntax.Expr, got *Type, of string, s *resolve.Slot) diag.Diagnostic {
	return slotNoted(fault(diag.BadIndex, x.Span(), "a key of %s is a String or an Int, and this is %s%s", of, got, conversion(x, got, text)), s)
}

func keyText(x syntax.Expr, s *resolve.Slot) diag.Diagnostic {
	return slotNoted(fault(diag.BadIndex, x.Span(), "a key of the slot `%s` is %s, and this text reads as none", s.Name, s.Key), s)
}

func slotNoted(d diag.Diagnostic, s *resolve.Slot) diag.Diagnostic {
	if s == nil {
		return d
	}
	return noted(d, s.Decl.At)
}

// --- patterns and tests ---

func noVariant(p syntax.Pattern, t *Type) diag.Diagnostic {
	return fault(diag.TypeMismatch, p.Span(), "%s is a pattern for a variant, and the value is %s", code(p), t)
}

func neverFits(p syntax.Pattern, t *Type) diag.Diagnostic {
	d := fault(diag.NeverFits, p.Span(), "%s never fits: the value is %s", code(p), t)
	d.Severity = diag.Warning
	return d
}

func noRange(x syntax.Expr, t *Type) diag.Diagnostic {
	return fault(diag.TypeMismatch, x.Span(), "a property ranges over Ints, and this is %s", t)
}
