package interptest

import (
	"slices"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/interp"
)

// Values draws values of types. The pools say what the values of scalar types are; small ones
// let keys and ids meet.
type Values struct {
	Source progen.Source
	Ints   func() interp.Int
	Floats func() interp.Value // an Int serves as a Float too
	Texts  func() interp.String
}

// Few draws from small pools: numbers around zero, and texts that are keys, states, numbers and JSON.
func Few(src progen.Source) *Values {
	texts := [...]interp.String{"k", "a", "zz", "", "idle", "open", "Green", "2", "https://a.example/x", `{"k": 1}`, "é b,a"}
	return &Values{
		Source: src,
		Ints:   func() interp.Int { return interp.NewInt(int64(src.Int(12) - 3)) },
		Floats: func() interp.Value { return interp.Float(float64(src.Int(9)) / 2) },
		Texts:  func() interp.String { return texts[src.Int(len(texts))] },
	}
}

// width bounds the items of a list or a map, and how deep values nest.
const width = 3

// Of draws a value of a type.
func (v *Values) Of(t *resolve.Type) interp.Value { return v.of(t, width) }

// Args draws a value for each parameter.
func (v *Values) Args(params []resolve.Param) []interp.Value {
	var args []interp.Value
	for _, p := range params {
		args = append(args, v.Of(p.Type))
	}
	return args
}

// UseTools calls some of the tools that a model is offered. It gives the error of the last call
// that raised, which a model may read or pass on.
func (v *Values) UseTools(r interp.Request) (raised error) {
	for range v.Source.Int(3) {
		if len(r.Tools) == 0 {
			break
		}
		tool := r.Tools[v.Source.Int(len(r.Tools))]
		if _, err := tool.Call(v.Args(tool.Params)); err != nil {
			raised = err
		}
	}
	return raised
}

func (v *Values) of(t *resolve.Type, depth int) interp.Value {
	switch t.Kind {
	case resolve.IntType:
		return v.Ints()
	case resolve.FloatType:
		return v.Floats()
	case resolve.StringType:
		return v.Texts()
	case resolve.BoolType:
		return interp.Bool(v.Source.Int(2) == 1)
	case resolve.UnitType:
		return interp.Unit{}
	case resolve.ListType:
		var items []interp.Value
		for range v.count(depth) {
			items = append(items, v.of(part(t), depth-1))
		}
		return interp.NewList(items...)
	case resolve.MapType:
		m := interp.NewMap()
		for range v.count(depth) {
			key := string(v.Texts())
			if t.Key != nil && t.Key.Kind == resolve.IntType {
				key = []string{"0", "1", "2"}[v.Source.Int(3)]
			}
			m = m.With(key, v.of(part(t), depth-1))
		}
		return m
	case resolve.SumTypeKind:
		variant := slices.MinFunc(t.Sum.Variants, func(a, b *resolve.Variant) int { return nested(a) - nested(b) })
		if depth > 0 {
			variant = t.Sum.Variants[v.Source.Int(len(t.Sum.Variants))]
		}
		var fields []interp.Value
		for _, f := range variant.Fields {
			fields = append(fields, v.of(f.Type, depth-1))
		}
		return interp.NewVariant(variant, fields...)
	case resolve.RecordType:
		x := interp.NewInt(int64(v.Source.Int(4)))
		return interp.MapOf("_type", interp.String(t.Name), "x", x, "label", v.Texts())
	}
	return v.of(some[v.Source.Int(len(some))], depth)
}

// count draws how many items there are.
func (v *Values) count(depth int) int { return v.Source.Int(max(depth, 0) + 1) }

// nested counts the fields of a variant that are of sum types: a value ends in a variant with none.
func nested(v *resolve.Variant) int {
	n := 0
	for _, f := range v.Fields {
		if f.Type.Kind == resolve.SumTypeKind {
			n++
		}
	}
	return n
}

// some are the types of values of which nothing is known.
var some = [...]*resolve.Type{{Kind: resolve.IntType}, {Kind: resolve.StringType}, {Kind: resolve.UnitType},
	{Kind: resolve.BoolType}, {Kind: resolve.FloatType}, {Kind: resolve.ListType}, {Kind: resolve.MapType}}

func part(t *resolve.Type) *resolve.Type {
	if t.Elem == nil {
		return resolve.Any
	}
	return t.Elem
}
