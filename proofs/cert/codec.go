package cert

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// MaxSize bounds the documents that Decode reads, in bytes.
const MaxSize = 32 << 20

// Bounds of what is in them: what is no certificate may take much more room read than written.
const (
	maxObjects = 1 << 20 // objects and lists
	maxItems   = 3 << 19 // of all objects and lists
)

// Encode writes a certificate: each obligation on a line of its own, the same bytes for the
// same content. Lists that are nil become empty ones in c itself. It fails only when System is
// not JSON.
func Encode(c *Certificate) ([]byte, error) {
	fill(reflect.ValueOf(c))
	e := &encoder{}
	e.field("{", "schema", c.Schema)
	e.field(",", "tool", c.Tool)
	e.field(",", "sources", c.Sources)
	e.field(",", "assumptions", c.Assumptions)
	e.field(",", "properties", c.Properties)
	e.field(",", "system", c.System)
	if len(c.Facts) > 0 {
		e.field(",", "facts", c.Facts)
	}
	e.raw(`,"obligations":[`)
	for i, o := range c.Obligations {
		if i > 0 {
			e.raw(",")
		}
		e.raw("\n")
		e.value(o)
	}
	e.raw("\n]}\n")
	if e.err != nil {
		return nil, e.err
	}
	return e.out.Bytes(), nil
}

// fill makes the nil lists in v empty, but for those that are left out when they are empty.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			fill(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			optional := strings.Contains(v.Type().Field(i).Tag.Get("json"), ",omitempty")
			if f.Kind() == reflect.Slice && f.IsNil() && !optional {
				f.Set(reflect.MakeSlice(f.Type(), 0, 0))
			}
			fill(f)
		}
	}
}

type encoder struct {
	out bytes.Buffer
	err error
}

func (e *encoder) raw(s string) { e.out.WriteString(s) }

func (e *encoder) field(before, name string, v any) {
	if e.out.Len() > 0 {
		before += "\n"
	}
	e.raw(before + `"` + name + `":`)
	e.value(v)
}

func (e *encoder) value(v any) {
	if e.err != nil {
		return
	}
	enc := json.NewEncoder(&e.out)
	enc.SetEscapeHTML(false)
	if e.err = enc.Encode(v); e.err == nil {
		e.out.Truncate(e.out.Len() - 1) // the newline that Encode adds
	}
}

// Decode reads a certificate. It accepts exactly what Encode writes: an unknown field, another
// spelling of the same content, a document that is too large or too deep is an error. (The JSON
// decoder passes over some of that; writing the content again does not.)
func Decode(data []byte) (*Certificate, error) {
	if len(data) > MaxSize {
		return nil, errTooLarge(len(data))
	}
	if n := bytes.Count(data, []byte("{")) + bytes.Count(data, []byte("[")); n > maxObjects {
		return nil, errTooManyObjects(n)
	}
	if n := bytes.Count(data, []byte(",")); n > maxItems {
		return nil, errTooManyItems(n)
	}
	var c Certificate
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, errDecode(err)
	}
	if c.Schema != Schema {
		return nil, errSchema(c.Schema)
	}
	for i, o := range c.Obligations {
		if o == nil {
			return nil, errNull(i)
		}
	}
	again, err := Encode(&c)
	if err != nil {
		return nil, errDecode(err)
	}
	if !bytes.Equal(again, data) {
		return nil, errNotCanonical(firstDifference(again, data))
	}
	return &c, nil
}

func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// UnmarshalJSON reads the data that the rule asks for.
func (e *Evidence) UnmarshalJSON(text []byte) error {
	var raw struct {
		Class Class           `json:"class"`
		Rule  Rule            `json:"rule"`
		Data  json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*e = Evidence{Class: raw.Class, Rule: raw.Rule, Data: newData(raw.Rule)}
	switch {
	case e.Data == nil && raw.Data != nil:
		return errUnwantedData(raw.Rule)
	case e.Data != nil && raw.Data == nil:
		return errNoData(raw.Rule)
	case e.Data == nil:
		return nil
	}
	return json.Unmarshal(raw.Data, e.Data)
}

// newData is empty data of the type that a rule needs, nil when it needs none.
func newData(r Rule) Data {
	switch r {
	case ByRefutation:
		return &Refutation{}
	case ByScript:
		return &Script{}
	case ByCases:
		return &Cases{}
	case ByCTL:
		return &CTL{}
	case ByRun:
		return &Run{}
	}
	return nil
}
