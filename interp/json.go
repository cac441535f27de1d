package interp

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"strings"
)

// ToJSON is the compact JSON text of a value. NaN and the infinities become null; a variant
// becomes its name, or an object with its name under "_type".
func ToJSON(v Value) string {
	var b strings.Builder
	writeJSON(&b, v)
	return b.String()
}

func writeJSON(b *strings.Builder, v Value) {
	switch v := v.(type) {
	case Float:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			b.WriteString("null")
			return
		}
		b.WriteString(Quote(v))
	case *List:
		writeJSONList(b, v.items)
	case *Map:
		writeJSONObject(b, v.Keys(), v.vals)
	case *Variant:
		writeJSONVariant(b, v)
	case *Function:
		b.WriteString("null")
	default:
		b.WriteString(Quote(v))
	}
}

func writeJSONList(b *strings.Builder, items []Value) {
	b.WriteByte('[')
	for i, x := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		writeJSON(b, x)
	}
	b.WriteByte(']')
}

func writeJSONObject(b *strings.Builder, keys []string, vals []Value) {
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		writeQuoted(b, k)
		b.WriteByte(':')
		writeJSON(b, vals[i])
	}
	b.WriteByte('}')
}

func writeJSONVariant(b *strings.Builder, v *Variant) {
	switch {
	case v.Of.Struct:
		keys := []string{"_type"}
		for _, f := range v.Of.Fields {
			keys = append(keys, f.Name)
		}
		writeJSONObject(b, keys, append([]Value{String(v.Of.Name)}, v.Fields...))
	case len(v.Fields) == 0:
		writeQuoted(b, v.Of.Name)
	default:
		writeJSONObject(b, []string{"_type", "values"}, []Value{String(v.Of.Name), NewList(v.Fields...)})
	}
}

// FromJSON reads one JSON document. Numbers without point and exponent are Ints; objects
// keep the order of their keys, a repeated key keeps its last value.
func FromJSON(text string) (Value, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := readJSON(d, 0)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errJSON(jsonEnds)
	}
	if err != nil {
		return nil, errJSON(err.Error())
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errJSON(jsonGoesOn)
	}
	return v, nil
}

func readJSON(d *json.Decoder, depth int) (Value, error) {
	if depth > maxDepth {
		return nil, errors.New(jsonTooDeep)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return Unit{}, nil
	case bool:
		return Bool(t), nil
	case string:
		return String(t), nil
	case json.Number:
		return jsonNumber(t)
	case json.Delim:
		if t == '[' {
			return readJSONList(d, depth+1)
		}
		return readJSONObject(d, depth+1)
	}
	return nil, io.ErrUnexpectedEOF
}

func jsonNumber(n json.Number) (Value, error) {
	if !strings.ContainsAny(string(n), ".eE") {
		if i, ok := new(big.Int).SetString(string(n), 10); ok {
			return BigInt(i), nil
		}
	}
	f, err := n.Float64()
	return Float(f), err
}

func readJSONList(d *json.Decoder, depth int) (Value, error) {
	var items []Value
	for d.More() {
		v, err := readJSON(d, depth)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	_, err := d.Token()
	return NewList(items...), err
}

func readJSONObject(d *json.Decoder, depth int) (Value, error) {
	m := NewMap()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := readJSON(d, depth)
		if err != nil {
			return nil, err
		}
		m = m.With(key.(string), v)
	}
	_, err := d.Token()
	return m, err
}
