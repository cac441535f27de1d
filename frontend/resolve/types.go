package resolve

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
