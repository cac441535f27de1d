package resolve

import "soma.cell/frontend/syntax"

// TypeKind tells types apart.
type TypeKind int

const (
	AnyType TypeKind = iota // nothing is known
	IntType
	FloatType
	StringType
	BoolType
	UnitType
	ListType
	MapType
	FunctionType
	SumTypeKind
	RecordType // a record name used as Name { f: e }
)

// Type is a declared type.
type Type struct {
	Kind TypeKind
	Name string   // of a record
	Key  *Type    // of a map
	Elem *Type    // of a list or map; nil in bare List and Map
	Sum  *SumType // of a sum type
}

// Any is the type of which nothing is known.
var Any = &Type{Kind: AnyType}

// String is the type as written in source.
func (t *Type) String() string {
	switch t.Kind {
	case IntType:
		return "Int"
	case FloatType:
		return "Float"
	case StringType:
		return "String"
	case BoolType:
		return "Bool"
	case UnitType:
		return "Unit"
	case ListType:
		if t.Elem == nil {
			return "List"
		}
		return "List<" + t.Elem.String() + ">"
	case MapType:
		if t.Elem == nil {
			return "Map"
		}
		return "Map<" + t.Key.String() + ", " + t.Elem.String() + ">"
	case FunctionType:
		return "Function"
	case SumTypeKind:
		return t.Sum.Name
	case RecordType:
		return t.Name
	}
	return "Any"
}

// the types that have no parts
var plainTypes = [...]*Type{
	{Kind: IntType}, {Kind: FloatType}, {Kind: StringType}, {Kind: BoolType}, {Kind: UnitType}, {Kind: FunctionType},
}

// builtinType finds a type by the word for it; ok is false for other names.
func builtinType(word string) (t *Type, ok bool) {
	switch word {
	case "Any":
		return Any, true
	case "List":
		return &Type{Kind: ListType}, true
	case "Map":
		return &Type{Kind: MapType}, true
	}
	for _, t := range plainTypes {
		if t.String() == word {
			return t, true
		}
	}
	return nil, false
}

// typ gives a type as written its meaning; Any when it is unknown or absent.
func (r *resolver) typ(t *syntax.Type) *Type {
	if t == nil {
		return Any
	}
	name := t.Name.Name
	switch {
	case name == "List" && len(t.Args) == 1:
		return &Type{Kind: ListType, Elem: r.typ(t.Args[0])}
	case name == "Map" && len(t.Args) == 2:
		return &Type{Kind: MapType, Key: r.typ(t.Args[0]), Elem: r.typ(t.Args[1])}
	case len(t.Args) > 0:
		r.report(wrongTypeArguments(t))
		return Any
	}
	if p, ok := builtinType(name); ok {
		return p
	}
	if sum := r.types[name]; sum != nil {
		return &Type{Kind: SumTypeKind, Sum: sum}
	}
	if r.records[name] {
		return &Type{Kind: RecordType, Name: name}
	}
	r.report(unknownType(t, r.nearest(name, r.typeNames)))
	return Any
}

func (r *resolver) typeNames() []string {
	names := []string{"Int", "Float", "String", "Bool", "Unit", "Any", "Function", "List", "Map"}
	names = append(names, keysOf(r.types)...)
	return append(names, keysOf(r.records)...)
}

// declareType makes a sum type and its variants, without their fields.
func (r *resolver) declareType(d *syntax.Decl) {
	t := &SumType{Name: d.Name.Name, Decl: d}
	if _, taken := builtinType(t.Name); taken {
		r.report(builtinTypeName(d.Name))
	}
	if len(d.Variants) == 0 {
		r.report(noVariants(d.Name))
	}
	for _, v := range d.Variants {
		if first := t.Variant(v.Name.Name); first != nil {
			r.report(duplicate(v.Name, "variant", first.Decl.Name.At))
			continue
		}
		variant := &Variant{Type: t, Name: v.Name.Name, Struct: v.Struct, Decl: v}
		t.Variants = append(t.Variants, variant)
		r.variants[variant.Name] = append(r.variants[variant.Name], variant)
	}
	r.prog.Types = append(r.prog.Types, t)
	r.types[t.Name] = t
}

// Variant finds a variant by name, or nil.
func (t *SumType) Variant(name string) *Variant {
	for _, v := range t.Variants {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// variantFields types the fields of a sum type; types may be recursive.
func (r *resolver) variantFields(t *SumType) {
	for _, v := range t.Variants {
		for _, f := range v.Decl.Fields {
			if first := v.field(f.Name.Name); first != nil {
				r.report(duplicate(f.Name, "field", first.Decl.Name.At))
				continue
			}
			v.Fields = append(v.Fields, Param{Name: f.Name.Name, Type: r.typ(f.Type), Decl: f})
		}
	}
}

// compatible tells whether a handler's parameter of type a serves a signal that states b; what
// is not stated does.
func compatible(a, b *Type) bool {
	number := func(t *Type) bool { return t.Kind == IntType || t.Kind == FloatType }
	isMap := func(t *Type) bool { return t.Kind == MapType || t.Kind == RecordType }
	switch {
	case a == nil || b == nil || a.Kind == AnyType || b.Kind == AnyType:
		return true
	case number(a) && number(b):
		return a.Kind == b.Kind || a.Kind == IntType
	case isMap(a) && isMap(b):
		return true
	case a.Kind == SumTypeKind && b.Kind == SumTypeKind:
		return a.Sum == b.Sum
	}
	return a.Kind == b.Kind
}
