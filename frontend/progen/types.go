package progen

import "strings"

// kind tells the types apart that programs are drawn over.
type kind int

const (
	intKind kind = iota
	stringKind
	boolKind
	floatKind
	listKind
	mapKind
	sumKind
	recordKind
	anyKind
	unitKind
	functionKind
)

// typ is a type of the language; a function has parameters and a result.
type typ struct {
	kind   kind
	elem   *typ // of a list or map; the result of a function
	params []*typ
	sum    *sum
	record *record
	intKey bool // Map<Int, …>
}

// sum is a sum type that the program declares.
type sum struct {
	name     string
	variants []*variant
	qualify  bool // its variants are named with their type
}

// variant is an alternative of a sum type; the first of each type has no recursive field.
type variant struct {
	name   string
	fields []field
	named  bool
}

type field struct {
	name string
	typ  *typ
}

// record is a record that no declaration names.
type record struct {
	name   string
	fields []field
}

func plain(k kind) *typ       { return &typ{kind: k} }
func listOf(t *typ) *typ      { return &typ{kind: listKind, elem: t} }
func mapOf(t *typ) *typ       { return &typ{kind: mapKind, elem: t} }
func sumOf(s *sum) *typ       { return &typ{kind: sumKind, sum: s} }
func (t *typ) is(u *typ) bool { return t.String() == u.String() }

// String is the type as programs write it; that of a function tells its result as well.
func (t *typ) String() string {
	switch t.kind {
	case intKind:
		return "Int"
	case stringKind:
		return "String"
	case boolKind:
		return "Bool"
	case floatKind:
		return "Float"
	case listKind:
		return "List<" + t.elem.String() + ">"
	case mapKind:
		if t.intKey {
			return "Map<Int, " + t.elem.String() + ">"
		}
		return "Map<String, " + t.elem.String() + ">"
	case sumKind:
		return t.sum.name
	case recordKind:
		return t.record.name
	case unitKind:
		return "Unit"
	case functionKind:
		var params []string
		for _, p := range t.params {
			params = append(params, p.String())
		}
		return "Function(" + strings.Join(params, ",") + ")" + t.elem.String()
	}
	return "Any"
}

// valueType draws the type of a value. Most are Ints and texts, so that values meet.
func (g *gen) valueType() *typ {
	switch g.pick(16) {
	case 0, 1, 2, 3, 4:
		return plain(intKind)
	case 5, 6, 7:
		return plain(stringKind)
	case 8:
		return plain(boolKind)
	case 9:
		return plain(floatKind)
	case 10:
		return listOf(plain(intKind))
	case 11:
		return listOf(plain(stringKind))
	case 12:
		return mapOf(plain(intKind))
	case 13:
		if len(g.sums) > 0 {
			return sumOf(g.sums[g.pick(len(g.sums))])
		}
	case 14:
		return g.recordType()
	case 15:
		return plain(anyKind)
	}
	return listOf(mapOf(plain(intKind)))
}

func (g *gen) recordType() *typ { return &typ{kind: recordKind, record: g.record} }

// drawSums declares the sum types of the program.
func (g *gen) drawSums() {
	if g.without(Sums) {
		return
	}
	light := &sum{name: "Light"}
	for _, name := range []string{"Red", "Amber", "Green", "Dark"}[:2+g.pick(3)] {
		light.variants = append(light.variants, &variant{name: name})
	}
	g.sums = append(g.sums, light)
	if g.pick(3) == 0 {
		return
	}
	pay := &sum{name: "Pay", qualify: g.pick(3) == 0}
	pay.variants = []*variant{{name: "Pending"}, {name: "Declined", fields: []field{{typ: plain(stringKind)}}}}
	if g.pick(2) == 0 {
		pay.variants = append(pay.variants, &variant{name: "Charged", named: true,
			fields: []field{{"id", plain(stringKind)}, {"amount", plain(intKind)}}})
	}
	if g.pick(2) == 0 {
		pay.variants = append(pay.variants, &variant{name: "Split", fields: []field{{typ: sumOf(pay)}, {typ: plain(intKind)}}})
	}
	if pay.qualify { // the other type has a variant of that name
		light.variants[0].name, light.qualify = "Pending", true
	}
	g.sums = append(g.sums, pay)
}

// declaration is the type cell of a sum type.
func (s *sum) declaration() string {
	var b strings.Builder
	b.WriteString("cell type " + s.name + " {\n    variants {\n")
	for _, v := range s.variants {
		b.WriteString("        " + v.name)
		var fields []string
		for _, f := range v.fields {
			if v.named {
				fields = append(fields, f.name+": "+f.typ.String())
			} else {
				fields = append(fields, f.typ.String())
			}
		}
		switch {
		case v.named:
			b.WriteString(" { " + strings.Join(fields, ", ") + " }")
		case len(fields) > 0:
			b.WriteString("(" + strings.Join(fields, ", ") + ")")
		}
		b.WriteString("\n")
	}
	return b.String() + "    }\n}\n"
}

// ref is the name of a variant where it is used.
func (s *sum) ref(v *variant) string {
	if s.qualify {
		return s.name + "::" + v.name
	}
	return v.name
}
