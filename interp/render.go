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
	var p printer
	p.value(v)
	return p.String()
}

// brief is the beginning of a value's text, for messages: values that share their parts can
// be far larger as text than in memory.
func brief(v Value) string {
	p := printer{limit: 4 * longestClip}
	p.value(v)
	return clip(p.String())
}

// printer writes values; past its limit, if it has one, it stops going deeper.
type printer struct {
	strings.Builder
	limit int
}

func (p *printer) value(v Value) {
	if p.limit > 0 && p.Len() > p.limit {
		return
	}
	switch v := v.(type) {
	case Unit:
		p.WriteString("null")
	case Bool:
		p.WriteString(strconv.FormatBool(bool(v)))
	case Int:
		p.integer(v)
	case Float:
		p.WriteString(renderFloat(float64(v)))
	case String:
		if p.limit > 0 && len(v) > p.limit {
			v = String(strings.ToValidUTF8(string(v[:p.limit]), ""))
		}
		writeQuoted(&p.Builder, string(v))
	case *List:
		p.WriteByte('[')
		p.items(v.items)
		p.WriteByte(']')
	case *Map:
		p.entries(v)
	case *Variant:
		p.variant(v)
	case *Function:
		p.WriteString("<function>")
	}
}

func (p *printer) integer(v Int) {
	if p.limit > 0 && v.Big().BitLen() > 8*p.limit {
		p.WriteString("a very large number")
		return
	}
	p.WriteString(v.String())
}

func (p *printer) items(items []Value) {
	for i, x := range items {
		if i > 0 {
			p.WriteString(", ")
		}
		p.value(x)
	}
}

func (p *printer) entries(m *Map) {
	p.WriteByte('{')
	for i, k := range m.Keys() {
		if i > 0 {
			p.WriteString(", ")
		}
		writeQuoted(&p.Builder, k)
		p.WriteString(": ")
		p.value(m.vals[i])
	}
	p.WriteByte('}')
}

func (p *printer) variant(v *Variant) {
	p.WriteString(v.Of.Name)
	open, shut := "(", ")"
	if v.Of.Struct {
		open, shut = " { ", " }"
	} else if len(v.Fields) == 0 {
		return
	}
	p.WriteString(open)
	for i, x := range v.Fields {
		if i > 0 {
			p.WriteString(", ")
		}
		if v.Of.Struct {
			p.WriteString(v.Of.Fields[i].Name + ": ")
		}
		if s, ok := x.(String); ok {
			p.WriteString(string(s))
		} else {
			p.value(x)
		}
	}
	p.WriteString(shut)
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
