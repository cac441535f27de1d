package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The documents of the command against their schemas in docs/schemas, by a small validator of
// the part of JSON Schema that these use. A keyword it does not know is an error.

const schemasFolder = "../../docs/schemas"

func TestDocumentsFitTheirSchemas(t *testing.T) {
	folder := t.TempDir()
	example := exampleFiles(t)[0]
	broken := writeTemp(t, folder, "broken.cell", "cell Lamp {\n    on turn() {\n        return missing\n    }\n}\n")
	noise := writeTemp(t, folder, "noise.json", "{}")
	certificate := filepath.Join(folder, "cert.json")
	if status, output := runSoma("verify", "--cert", certificate, example); status != statusOK {
		t.Fatal(output)
	}
	for _, c := range []struct {
		schema string
		files  []string
	}{
		{"check", []string{example, broken, "nowhere.cell"}},
		{"test", []string{example, broken, "nowhere.cell"}},
		{"verify", []string{example, broken, "nowhere.cell"}},
		{"describe", []string{example, broken, "nowhere.cell"}},
		{"audit", []string{certificate, noise, "nowhere.json"}},
	} {
		s := readSchema(t, c.schema)
		for _, file := range c.files {
			_, output := runSoma(c.schema, "--json", file)
			var doc any
			if err := json.Unmarshal([]byte(output), &doc); err != nil {
				t.Fatalf("soma %s --json %s: %v\n%s", c.schema, file, err, output)
			}
			if err := s.check(s.root, doc, "$"); err != nil {
				t.Errorf("soma %s --json %s: %v", c.schema, file, err)
			}
		}
	}
}

func TestBuiltinsFitTheirSchema(t *testing.T) {
	_, output := runSoma("describe", "--builtins", "--json")
	var doc any
	if err := json.Unmarshal([]byte(output), &doc); err != nil {
		t.Fatal(err)
	}
	s := readSchema(t, "builtins")
	if err := s.check(s.root, doc, "$"); err != nil {
		t.Error(err)
	}
}

// TestSchemasRefuse shows that the validator can say no.
func TestSchemasRefuse(t *testing.T) {
	s := readSchema(t, "check")
	for text, reason := range map[string]string{
		`[]`: "is no object", `{"schema": "soma-check/2"}`: "is not soma-check/1", `{}`: "lacks",
		`{"schema": "soma-check/1", "file": "", "ok": true, "errors": [{}], "warnings": [], "notes": [], "error_count": 0, "warning_count": 0}`:          "$.errors[0] lacks",
		`{"schema": "soma-check/1", "file": "", "ok": true, "errors": [], "warnings": [], "notes": [], "error_count": -1, "warning_count": 0}`:           "below",
		`{"schema": "soma-check/1", "file": "", "ok": true, "errors": [], "warnings": [], "notes": [], "error_count": 0, "warning_count": 0, "more": 1}`: "more",
	} {
		var doc any
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		if err := s.check(s.root, doc, "$"); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, wanted …%s…", text, err, reason)
		}
	}
}

type schema struct{ root map[string]any }

func readSchema(t *testing.T, name string) *schema {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(schemasFolder, name+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	s := &schema{}
	if err := json.Unmarshal(data, &s.root); err != nil {
		t.Fatal(err)
	}
	return s
}

// check tells what about a value does not fit a schema.
func (s *schema) check(rules map[string]any, v any, at string) error {
	for _, keyword := range slices.Sorted(maps.Keys(rules)) {
		if err := s.keyword(keyword, rules, v, at); err != nil {
			return err
		}
	}
	return nil
}

func (s *schema) keyword(keyword string, rules map[string]any, v any, at string) error {
	rule := rules[keyword]
	switch keyword {
	case "$schema", "$defs", "title", "description", "additionalProperties":
		return nil // additionalProperties is judged with properties
	case "$ref":
		name := strings.TrimPrefix(rule.(string), "#/$defs/")
		return s.check(s.root["$defs"].(map[string]any)[name].(map[string]any), v, at)
	case "oneOf":
		return s.oneOf(rule.([]any), v, at)
	case "const":
		if !reflect.DeepEqual(rule, v) {
			return fmt.Errorf("%s is not %v", at, rule)
		}
	case "enum":
		if !slices.Contains(rule.([]any), v) {
			return fmt.Errorf("%s is %v, none of %v", at, v, rule)
		}
	case "type":
		return hasType(rule.(string), v, at)
	case "minimum":
		if n, ok := v.(float64); ok && n < rule.(float64) {
			return fmt.Errorf("%s is below %v", at, rule)
		}
	case "required":
		for _, name := range rule.([]any) {
			if o, ok := v.(map[string]any); ok && !hasKey(o, name.(string)) {
				return fmt.Errorf("%s lacks %s", at, name)
			}
		}
	case "properties":
		return s.properties(rules, v, at)
	case "items":
		list, _ := v.([]any)
		for i, x := range list {
			if err := s.check(rule.(map[string]any), x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("the schema uses %s", keyword)
	}
	return nil
}

func (s *schema) oneOf(alternatives []any, v any, at string) error {
	var reasons []string
	for _, a := range alternatives {
		if err := s.check(a.(map[string]any), v, at); err != nil {
			reasons = append(reasons, err.Error())
		}
	}
	if len(reasons) != len(alternatives)-1 {
		return fmt.Errorf("%s fits %d alternatives: %s", at, len(alternatives)-len(reasons), strings.Join(reasons, "; "))
	}
	return nil
}

func (s *schema) properties(rules map[string]any, v any, at string) error {
	object, ok := v.(map[string]any)
	if !ok {
		return nil // type says so
	}
	known := rules["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !hasKey(known, name) {
			if rules["additionalProperties"] == false {
				return fmt.Errorf("%s has %s, which the schema does not know", at, name)
			}
			continue
		}
		if err := s.check(known[name].(map[string]any), object[name], at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func hasKey(o map[string]any, name string) bool {
	_, ok := o[name]
	return ok
}

func hasType(name string, v any, at string) error {
	ok := false
	switch name {
	case "object":
		_, ok = v.(map[string]any)
	case "array":
		_, ok = v.([]any)
	case "string":
		_, ok = v.(string)
	case "boolean":
		_, ok = v.(bool)
	case "null":
		ok = v == nil
	case "integer":
		n, isNumber := v.(float64)
		ok = isNumber && n == float64(int64(n))
	}
	if !ok {
		return fmt.Errorf("%s is no %s", at, name)
	}
	return nil
}
