package types

import (
	"soma.cell/frontend/builtin"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// wanted is who states a type that a value must have: it words the finding.
type wanted interface {
	misfit(x syntax.Expr, got *Type, want *resolve.Type) diag.Diagnostic
}

type (
	parameter struct {
		handler *resolve.Handler
		param   resolve.Param
	}
	slotEntry    struct{ slot *resolve.Slot }
	variantField struct {
		variant *resolve.Variant
		field   resolve.Param
	}
	result struct{ signal *resolve.Signal }
)

// fits checks a value against a declared type. Of a literal list or map the entry that does
// not fit is named.
func (b *body) fits(x syntax.Expr, t *Type, want *resolve.Type, by wanted) {
	if conforms(t, want) {
		return
	}
	b.report(b.misfit(x, t, want, by))
}

func (b *body) misfit(x syntax.Expr, t *Type, want *resolve.Type, by wanted) diag.Diagnostic {
	part, declared := x, want
	for {
		inner := b.oddItem(part, declared)
		if inner == nil {
			break
		}
		part, declared = inner, declared.Elem
	}
	if part == x {
		return by.misfit(x, t, want)
	}
	d := by.misfit(part, b.types[part], declared)
	d.Message += insideOf(want)
	return d
}

// oddItem finds the item of a literal list or map that does not fit, or nil.
func (b *body) oddItem(x syntax.Expr, want *resolve.Type) syntax.Expr {
	var items []syntax.Expr
	switch y := syntax.Unparen(x).(type) {
	case *syntax.List:
		if want.Kind == resolve.ListType {
			items = y.Items
		}
	case *syntax.Call:
		c := b.info.Calls[y]
		if want.Kind == resolve.MapType && c != nil && c.Kind == resolve.CallBuiltin && c.Builtin.Name == "map" && len(y.Args)%2 == 0 {
			for i := 1; i < len(y.Args); i += 2 {
				items = append(items, y.Args[i])
			}
		}
	}
	for _, item := range items {
		if t := b.types[item]; t != nil && !conforms(t, want.Elem) {
			return item
		}
	}
	return nil
}

// builtinAccepts tells whether some value of a type is taken by a parameter of a form. What a
// list or map holds is not asked for: it may be empty.
func builtinAccepts(p builtin.Type, t *Type) bool {
	for _, term := range p {
		if t.Kinds&kindsOf(term.Word) != 0 {
			return true
		}
	}
	return false
}

// kindsOf reads a word of a signature.
func kindsOf(word string) Kinds {
	switch word {
	case "Unit":
		return Unit
	case "Bool":
		return Bool
	case "Int":
		return Int
	case "Float", "Number":
		return Number
	case "String":
		return String
	case "List":
		return List
	case "Map":
		return Map
	case "Variant":
		return Variant
	case "Function":
		return Function
	case "Never":
		return 0
	}
	return Every
}
