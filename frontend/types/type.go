package types

import (
	"slices"
	"strings"

	"soma.cell/frontend/resolve"
)

// Kinds is a set of the kinds of values.
type Kinds uint16

// The kinds, as type_of tells them apart.
const (
	Unit Kinds = 1 << iota
	Bool
	Int
	Float
	String
	List
	Map
	Variant
	Function

	Number = Int | Float
	Every  = Unit | Bool | Number | String | List | Map | Variant | Function
)

// Type is what is known of a value: which kinds it may be of, and what it holds if it is of
// a kind that holds something. The zero value of a part says that nothing is known of it, so
// that a Type always stands for more values than there can be. Types never change once made.
type Type struct {
	Kinds Kinds

	elem  *Type   // of the items of a list; nil when not known
	items []*Type // the items one by one, where their number is known

	value  *Type // of the values of a map; nil when not known
	closed bool  // a map has the entries fields and no others
	fields []field
	record string // the name of a record, where it is known

	sum     *resolve.SumType
	variant *resolve.Variant

	function *function

	size int // of the type as a tree
}

// field is an entry of a map whose keys are known, in order of names.
type field struct {
	name string
	typ  *Type
}

// function is what is known of a lambda.
type function struct {
	params int
	result *Type
}

// Types are trees of at most maxSize nodes: what is larger is forgotten, so that every
// operation on types takes constant time and every chain of joins ends.
const (
	maxSize  = 100
	maxItems = 12 // of lists and maps whose entries are told apart
)

var (
	never    = &Type{}
	anything = &Type{Kinds: Every}
	unit     = &Type{Kinds: Unit}
	boolean  = &Type{Kinds: Bool}
	integer  = &Type{Kinds: Int}
	floating = &Type{Kinds: Float}
	text     = &Type{Kinds: String}
	number   = &Type{Kinds: Number}
	texts    = listOf(text)
)

// made completes a type: its size is counted, and its parts are dropped where they are too
// many.
func made(t Type) *Type {
	t.size = 1
	count := func(part *Type) {
		if part != nil {
			t.size += 1 + part.size
		}
	}
	count(t.elem)
	count(t.value)
	for _, x := range t.items {
		count(x)
	}
	for _, f := range t.fields {
		count(f.typ)
	}
	if t.function != nil {
		count(t.function.result)
	}
	switch {
	case t.size <= maxSize:
	case t.items != nil || t.closed:
		t.items, t.closed, t.fields = nil, false, nil
		return made(t)
	default:
		t.elem, t.value, t.function = nil, nil, nil
		t.size = 1
	}
	return &t
}

// listOf is a list of any length; elem may be nil.
func listOf(elem *Type) *Type {
	if known(elem) {
		return made(Type{Kinds: List, elem: elem})
	}
	return &Type{Kinds: List}
}

// listWith is a list of just these items.
func listWith(items []*Type) *Type {
	t := Type{Kinds: List, elem: joinAll(items)}
	if len(items) > 0 && len(items) <= maxItems {
		t.items = items
	}
	return made(t)
}

// mapOf is a map of any keys.
func mapOf(value *Type) *Type {
	if known(value) {
		return made(Type{Kinds: Map, value: value})
	}
	return &Type{Kinds: Map}
}

// mapWith is a map of just these entries; record is the name of a record, or "".
func mapWith(fields []field, record string) *Type {
	t := Type{Kinds: Map, record: record, value: never}
	for _, f := range fields {
		t.value = join(t.value, f.typ)
	}
	if len(fields) <= maxItems {
		t.closed = true
		t.fields = slices.Clone(fields)
		slices.SortFunc(t.fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	}
	return made(t)
}

func variantOf(v *resolve.Variant) *Type { return &Type{Kinds: Variant, sum: v.Type, variant: v} }

// known tells whether a type says anything; nil says nothing.
func known(t *Type) bool { return t != nil && (t.Kinds != Every || t.size > 1) }

// may tells whether a value may be of one of the kinds.
func (t *Type) may(k Kinds) bool { return t.Kinds&k != 0 }

// is tells whether a value is surely of one of the kinds; there may be none at all.
func (t *Type) is(k Kinds) bool { return t.Kinds&^k == 0 }

// only is the part of a type that is of these kinds.
func (t *Type) only(k Kinds) *Type {
	if t.is(k) {
		return t
	}
	out := *t
	out.Kinds &= k
	if !out.may(List) {
		out.elem, out.items = nil, nil
	}
	if !out.may(Map) {
		out.value, out.closed, out.fields, out.record = nil, false, nil, ""
	}
	if !out.may(Variant) {
		out.sum, out.variant = nil, nil
	}
	if !out.may(Function) {
		out.function = nil
	}
	return made(out)
}

// elemType is the type of the items of a list.
func (t *Type) elemType() *Type { return orAny(t.elem) }

// valueType is the type of the values of a map.
func (t *Type) valueType() *Type { return orAny(t.value) }

func orAny(t *Type) *Type {
	if t == nil {
		return anything
	}
	return t
}

// entry finds the entry of a map whose keys are known.
func (t *Type) entry(name string) (*Type, bool) {
	for _, f := range t.fields {
		if f.name == name {
			return f.typ, true
		}
	}
	return nil, false
}

// lookup is entry without the answer whether there is one: nil where there is none.
func (t *Type) lookup(name string) *Type {
	f, _ := t.entry(name)
	return f
}

// join is a type of all values of either type.
func join(a, b *Type) *Type {
	switch {
	case a == b || b.Kinds == 0:
		return a
	case a.Kinds == 0:
		return b
	case a.size <= 1 && a.Kinds == Every:
		return a
	case b.size <= 1 && b.Kinds == Every:
		return b
	}
	out := Type{Kinds: a.Kinds | b.Kinds}
	switch {
	case !b.may(List):
		out.elem, out.items = a.elem, a.items
	case !a.may(List):
		out.elem, out.items = b.elem, b.items
	default:
		out.elem, out.items = joinParts(a.elem, b.elem), joinItems(a.items, b.items)
	}
	switch {
	case !b.may(Map):
		out.value, out.closed, out.fields, out.record = a.value, a.closed, a.fields, a.record
	case !a.may(Map):
		out.value, out.closed, out.fields, out.record = b.value, b.closed, b.fields, b.record
	default:
		out.value = joinParts(a.value, b.value)
		out.fields, out.closed = joinFields(a, b)
		if a.record == b.record {
			out.record = a.record
		}
	}
	switch {
	case !b.may(Variant):
		out.sum, out.variant = a.sum, a.variant
	case !a.may(Variant):
		out.sum, out.variant = b.sum, b.variant
	default:
		if a.sum == b.sum {
			out.sum = a.sum
		}
		if a.variant == b.variant {
			out.variant = a.variant
		}
	}
	switch {
	case !b.may(Function):
		out.function = a.function
	case !a.may(Function):
		out.function = b.function
	case a.function != nil && b.function != nil && a.function.params == b.function.params:
		out.function = &function{a.function.params, join(a.function.result, b.function.result)}
	}
	return made(out)
}

// joinParts joins what may not be known.
func joinParts(a, b *Type) *Type {
	if a == nil || b == nil {
		return nil
	}
	return join(a, b)
}

func joinItems(a, b []*Type) []*Type {
	if len(a) != len(b) {
		return nil
	}
	var out []*Type
	for i := range a {
		out = append(out, join(a[i], b[i]))
	}
	return out
}

func joinFields(a, b *Type) ([]field, bool) {
	if !a.closed || !b.closed || len(a.fields) != len(b.fields) {
		return nil, false
	}
	var out []field
	for i, f := range a.fields {
		if f.name != b.fields[i].name {
			return nil, false
		}
		out = append(out, field{f.name, join(f.typ, b.fields[i].typ)})
	}
	return out, true
}

func joinAll(list []*Type) *Type {
	out := never
	for _, t := range list {
		out = join(out, t)
	}
	return out
}

// same tells whether two types say the same.
func same(a, b *Type) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Kinds != b.Kinds || a.closed != b.closed || a.record != b.record ||
		a.sum != b.sum || a.variant != b.variant || len(a.items) != len(b.items) || len(a.fields) != len(b.fields) ||
		(a.function == nil) != (b.function == nil) || !same(a.elem, b.elem) || !same(a.value, b.value) {
		return false
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	for i, f := range a.fields {
		if f.name != b.fields[i].name || !same(f.typ, b.fields[i].typ) {
			return false
		}
	}
	return a.function == nil || a.function.params == b.function.params && same(a.function.result, b.function.result)
}

// String is the type in the notation of the language, with "or" between alternatives.
func (t *Type) String() string {
	if t.Kinds == Every {
		return "Any"
	}
	if _, poses := kindNamed(t.record); poses && t.Kinds != Map {
		t = t.only(Every &^ Map) // a map that poses as another kind goes without saying
	}
	var out []string
	for _, k := range []struct {
		kind Kinds
		name string
	}{{Int, "Int"}, {Float, "Float"}, {String, "String"}, {Bool, "Bool"}, {List, t.listName()}, {Map, t.mapName()},
		{Variant, t.variantName()}, {Function, "Function"}, {Unit, "()"}} {
		if t.may(k.kind) {
			out = append(out, k.name)
		}
	}
	return strings.Join(out, " or ")
}

func (t *Type) listName() string {
	if t.elem == nil || t.elem.Kinds == 0 {
		return "List"
	}
	return "List<" + t.elem.argument() + ">"
}

func (t *Type) mapName() string {
	switch {
	case t.record != "":
		return t.record
	case t.value == nil || t.value.Kinds == 0:
		return "Map"
	}
	return "Map<String, " + t.value.argument() + ">"
}

func (t *Type) variantName() string {
	if t.sum == nil {
		return "Variant"
	}
	return t.sum.Name
}

// argument is the type as one of a list's or map's type arguments, where no alternatives stand.
func (t *Type) argument() string {
	if t.Kinds&(t.Kinds-1) != 0 {
		return "Any"
	}
	return t.String()
}
