package llm

import (
	"encoding/json"
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/interp"
)

// Tools are offered as functions whose parameters a JSON schema describes.

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// schema is a JSON schema; its keys are written in the order of their names.
type schema map[string]any

func describe(t interp.Tool) tool {
	data, _ := json.Marshal(object(t.Params, "", nil)) // of plain maps: cannot fail
	return tool{Type: "function", Function: function{t.Name, t.Description, data}}
}

// object describes named values; a tag is the name of a variant.
func object(params []resolve.Param, tag string, within []*resolve.SumType) schema {
	properties, required := schema{}, []string{}
	if tag != "" {
		properties["_type"], required = schema{"const": tag}, append(required, "_type")
	}
	for _, p := range params {
		properties[p.Name] = typeSchema(p.Type, within)
		required = append(required, p.Name)
	}
	return schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// typeSchema describes a type; within are the sum types around it, which are not described
// again.
func typeSchema(t *resolve.Type, within []*resolve.SumType) schema {
	if t == nil {
		return schema{}
	}
	switch t.Kind {
	case resolve.IntType:
		return schema{"type": "integer"}
	case resolve.FloatType:
		return schema{"type": "number"}
	case resolve.StringType:
		return schema{"type": "string"}
	case resolve.BoolType:
		return schema{"type": "boolean"}
	case resolve.UnitType:
		return schema{"type": "null"}
	case resolve.ListType:
		return schema{"type": "array", "items": typeSchema(t.Elem, within)}
	case resolve.MapType:
		return schema{"type": "object", "additionalProperties": typeSchema(t.Elem, within)}
	case resolve.RecordType:
		return schema{"type": "object", "properties": schema{"_type": schema{"const": t.Name}}, "required": []string{"_type"}}
	case resolve.SumTypeKind:
		return sumSchema(t.Sum, within)
	}
	return schema{}
}

func sumSchema(of *resolve.SumType, within []*resolve.SumType) schema {
	if slices.Contains(within, of) {
		return schema{}
	}
	within = append(slices.Clip(within), of)
	var any []schema
	var plain []string
	for _, v := range of.Variants {
		switch {
		case len(v.Fields) == 0 && !v.Struct:
			plain = append(plain, v.Name)
		case v.Struct:
			any = append(any, object(v.Fields, v.Name, within))
		default:
			var items []schema
			for _, f := range v.Fields {
				items = append(items, typeSchema(f.Type, within))
			}
			any = append(any, schema{"type": "object", "additionalProperties": false, "required": []string{"_type", "values"},
				"properties": schema{"_type": schema{"const": v.Name}, "values": schema{
					"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}}})
		}
	}
	if plain != nil {
		any = append(any, schema{"type": "string", "enum": plain})
	}
	if len(any) == 1 {
		return any[0]
	}
	return schema{"anyOf": any}
}
