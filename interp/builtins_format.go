package interp

import (
	"strconv"
	"strings"
)

func formatBuiltins() map[string]impl {
	return map[string]impl{"format": builtinFormat, "render": builtinRender, "render_each": builtinRenderEach}
}

// directive is one %-directive of format: flags, width, precision, verb.
type directive struct {
	left, zero       bool
	width, precision int
	verb             byte
}

const maxWidth = 10_000

// parseDirective reads what follows a percent sign and tells how long it is.
func parseDirective(s string) (directive, int, bool) {
	d := directive{precision: -1}
	i := 0
	for i < len(s) && (s[i] == '-' || s[i] == '0') {
		d.left = d.left || s[i] == '-'
		d.zero = d.zero || s[i] == '0'
		i++
	}
	number := func() int {
		n := 0
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			n = min(n*10+int(s[i]-'0'), maxWidth)
			i++
		}
		return n
	}
	d.width = number()
	if i < len(s) && s[i] == '.' {
		i++
		d.precision = number()
	}
	if i == len(s) || !strings.ContainsRune("dsf%", rune(s[i])) {
		return d, 0, false
	}
	d.verb = s[i]
	return d, i + 1, true
}

func builtinFormat(c *call) (Value, error) {
	template, err := c.str(0)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	next := 1
	for {
		before, after, found := strings.Cut(template, "%")
		b.WriteString(before)
		if !found {
			break
		}
		d, n, ok := parseDirective(after)
		if !ok {
			return nil, errType("format: `%%%s` is no directive (there are %%d %%s %%f %%%%)", clip(after))
		}
		template = after[n:]
		if d.verb == '%' {
			b.WriteByte('%')
			continue
		}
		if next >= len(c.args) {
			return nil, errType("format: there are more directives than values")
		}
		text, err := c.directive(d, c.args[next])
		if err != nil {
			return nil, err
		}
		b.WriteString(text)
		next++
		if b.Len() > maxText {
			return nil, errMemory()
		}
	}
	if next < len(c.args) {
		return nil, errType("format: there are more values than directives")
	}
	return String(b.String()), nil
}

func (c *call) directive(d directive, v Value) (string, error) {
	text, err := "", error(nil)
	switch d.verb {
	case 's':
		text, err = c.w.text(v)
		if r := []rune(text); d.precision >= 0 && d.precision < len(r) {
			text = string(r[:d.precision])
		}
	case 'd':
		i, ok := v.(Int)
		if !ok {
			return "", errType("format: %%d needs an Int, this is %s", aKind(v))
		}
		text = i.String()
	case 'f':
		if !isNumber(v) {
			return "", errType("format: %%f needs a number, this is %s", aKind(v))
		}
		digits := d.precision
		if digits < 0 {
			digits = 6
		}
		text = fixed(v, digits)
	}
	if err != nil {
		return "", err
	}
	return c.justify(d, text)
}

func (c *call) justify(d directive, text string) (string, error) {
	fill := " "
	if d.zero && !d.left && d.verb != 's' {
		fill = "0"
		if rest, negative := strings.CutPrefix(text, "-"); negative {
			v, err := c.w.pad(rest, d.width-1, fill, true)
			if err != nil {
				return "", err
			}
			return "-" + string(v.(String)), nil
		}
	}
	v, err := c.w.pad(text, d.width, fill, !d.left)
	if err != nil {
		return "", err
	}
	return string(v.(String)), nil
}

func builtinRender(c *call) (Value, error) {
	template, err := c.str(0)
	if err != nil {
		return nil, err
	}
	if len(c.args)%2 == 0 {
		return nil, errArgCount(c.name, len(c.args))
	}
	values := NewMap()
	for i := 1; i < len(c.args); i += 2 {
		name, err := c.str(i)
		if err != nil {
			return nil, err
		}
		values = values.With(name, c.args[i+1])
	}
	return c.fill(template, values)
}

// fill replaces {name} by the value of that name; other braces stay.
func (c *call) fill(template string, values *Map) (Value, error) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			break
		}
		name, rest, closed := strings.Cut(after, "}")
		v, known := values.Get(name)
		if !closed || !known {
			b.WriteByte('{')
			template = after
			continue
		}
		text, err := c.w.text(v)
		if err != nil {
			return nil, err
		}
		b.WriteString(text)
		template = rest
		if b.Len() > maxText {
			return nil, errMemory()
		}
	}
	return String(b.String()), nil
}

func builtinRenderEach(c *call) (Value, error) {
	rows, err := c.rows(0)
	if err != nil {
		return nil, err
	}
	template, err := c.str(1)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, row := range rows {
		s, err := c.fill(template, row)
		if err != nil {
			return nil, err
		}
		b.WriteString(string(s.(String)))
		if b.Len() > maxText {
			return nil, errMemory()
		}
	}
	return String(b.String()), nil
}

// decimal is the exact decimal text that a number is rounded on.
func decimal(v Value) string {
	if f, ok := v.(Float); ok {
		return strconv.FormatFloat(float64(f), 'f', -1, 64)
	}
	return Render(v)
}
