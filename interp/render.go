package interp

import (
	"math"
	"strconv"
	"strings"
)

// Render is the text of a value as to_string, print and interpolation give it: strings are
// raw at the top and quoted inside lists and maps.
func Render(v Value) string {
	if s, ok := v.(String); ok {
		return string(s)
	}
	return Quote(v)
}

// Quote is the text of a value as it stands inside a list: strings are quoted.
func Quote(v Value) string {
	var b strings.Builder
	render(&b, v)
	return b.String()
}

func render(b *strings.Builder, v Value) {
	switch v := v.(type) {
	case Unit:
		b.WriteString("null")
	case Bool:
		b.WriteString(strconv.FormatBool(bool(v)))
	case Int:
		b.WriteString(v.String())
	case Float:
		b.WriteString(renderFloat(float64(v)))
	case String:
		writeQuoted(b, string(v))
	case *List:
		b.WriteByte('[')
		for i, x := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			render(b, x)
		}
		b.WriteByte(']')
	case *Map:
		b.WriteByte('{')
		for i, k := range v.Keys() {
			if i > 0 {
				b.WriteString(", ")
			}
			writeQuoted(b, k)
			b.WriteString(": ")
			render(b, v.vals[i])
		}
		b.WriteByte('}')
	case *Variant:
		renderVariant(b, v)
	case *Function:
		b.WriteString("<function>")
	}
}

func renderVariant(b *strings.Builder, v *Variant) {
	b.WriteString(v.Of.Name)
	open, shut := "(", ")"
	if v.Of.Struct {
		open, shut = " { ", " }"
	} else if len(v.Fields) == 0 {
		return
	}
	b.WriteString(open)
	for i, x := range v.Fields {
		if i > 0 {
			b.WriteString(", ")
		}
		if v.Of.Struct {
			b.WriteString(v.Of.Fields[i].Name + ": ")
		}
		if s, ok := x.(String); ok {
			b.WriteString(string(s))
		} else {
			render(b, x)
		}
	}
	b.WriteString(shut)
}

// renderFloat is the shortest decimal that reads back as f, always with a point.
func renderFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if mantissa, exp, ok := strings.Cut(s, "e"); ok {
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		return mantissa + "e" + exp
	}
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// writeQuoted writes a string literal in the escapes that JSON and the language share.
func writeQuoted(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\u00`)
			b.WriteByte("0123456789abcdef"[r>>4])
			b.WriteByte("0123456789abcdef"[r&15])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
