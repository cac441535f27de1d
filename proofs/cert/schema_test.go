package cert

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSchemaNamesTheFields: the published schema has exactly the fields of the types, and asks
// for those that are always written.
func TestSchemaNamesTheFields(t *testing.T) {
	text, err := os.ReadFile("../../docs/schemas/certificate.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	type object struct {
		Properties map[string]any `json:"properties"`
		Required   []string       `json:"required"`
	}
	var schema struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	schema.Defs["certificate"] = schema.object
	types := []any{Certificate{}, Source{}, Property{}, Fact{}, Obligation{}, Site{}, Evidence{}, Refutation{}, Line{}, Script{},
		Cases{}, Case{}, CTL{}, Labelling{}, Node{}, Trace{}, Run{}, Call{}}
	if len(types) != len(schema.Defs) {
		t.Errorf("%d types, %d definitions", len(types), len(schema.Defs))
	}
	for _, v := range types {
		typ := reflect.TypeOf(v)
		def, ok := schema.Defs[strings.ToLower(typ.Name())]
		if !ok {
			t.Errorf("no definition of %s", typ.Name())
			continue
		}
		for i := range typ.NumField() {
			name, options, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if _, ok := def.Properties[name]; !ok {
				t.Errorf("%s lacks %s", typ.Name(), name)
			}
			if slices.Contains(def.Required, name) != (options == "") {
				t.Errorf("%s: whether %s is required", typ.Name(), name)
			}
		}
		if len(def.Properties) != typ.NumField() {
			t.Errorf("%s has %d fields in the schema", typ.Name(), len(def.Properties))
		}
	}
}
