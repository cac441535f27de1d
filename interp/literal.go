package interp

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Literal is an expression of the language that gives a value; ok is false where there is none:
// for functions and for numbers that no literal has.
func Literal(v Value) (text string, ok bool) {
	var b strings.Builder
	ok = writeLiteral(&b, v)
	return b.String(), ok
}

func writeLiteral(b *strings.Builder, v Value) bool {
	switch v := v.(type) {
	case Unit:
		b.WriteString("()")
	case Bool, Int:
		b.WriteString(Quote(v))
	case Float:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) || v == 0 && math.Signbit(float64(v)) {
			return false
		}
		text := strconv.FormatFloat(float64(v), 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		b.WriteString(text)
	case String:
		writeString(b, string(v))
	case *List:
		return writeAll(b, "[", v.items, "]")
	case *Map:
		var parts []Value
		for i, k := range v.Keys() {
			parts = append(parts, String(k), v.vals[i])
		}
		return writeAll(b, "map(", parts, ")")
	case *Variant:
		return writeVariant(b, v)
	default:
		return false
	}
	return true
}

func writeAll(b *strings.Builder, open string, items []Value, shut string) bool {
	b.WriteString(open)
	for i, x := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		if !writeLiteral(b, x) {
			return false
		}
	}
	b.WriteString(shut)
	return true
}

func writeVariant(b *strings.Builder, v *Variant) bool {
	b.WriteString(v.Of.Type.Name + "::" + v.Of.Name)
	switch {
	case v.Of.Struct:
		b.WriteString(" { ")
		for i, x := range v.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(v.Of.Fields[i].Name + ": ")
			if !writeLiteral(b, x) {
				return false
			}
		}
		b.WriteString(" }")
	case len(v.Fields) > 0:
		return writeAll(b, "(", v.Fields, ")")
	}
	return true
}

// writeString escapes what would end a string, start an interpolation or not be seen.
func writeString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '"', r == '\\', r == '{':
			b.WriteString(`\` + string(r))
		case r == '}':
			b.WriteString(`\u{7D}`)
		case !unicode.IsPrint(r):
			b.WriteString(`\u{` + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + "}")
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
