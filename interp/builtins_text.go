package interp

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

func textBuiltins() map[string]impl {
	return map[string]impl{
		"concat": builtinConcat, "len": builtinLen, "split": builtinSplit, "join": builtinJoin,
		"replace": builtinReplace, "contains": builtinContains, "index_of": builtinIndexOf,
		"substring": builtinSubstring, "slice": builtinSlice, "trim": builtinTrim,
		"str_at": builtinStrAt, "chr": builtinChr, "ord": builtinOrd, "escape_html": builtinEscapeHTML,
		"pad_left": padding(true), "pad_right": padding(false),
		"regex_match": builtinRegexMatch, "regex_count": builtinRegexCount, "regex_replace": builtinRegexReplace,
		"lowercase":   ofString(func(s string) Value { return String(strings.ToLower(s)) }),
		"uppercase":   ofString(func(s string) Value { return String(strings.ToUpper(s)) }),
		"fields":      ofString(func(s string) Value { return stringList(strings.Fields(s)) }),
		"str_len":     ofString(func(s string) Value { return NewInt(int64(len(s))) }),
		"str_eq":      ofStrings(func(a, b string) Value { return Bool(a == b) }),
		"starts_with": ofStrings(func(a, b string) Value { return Bool(strings.HasPrefix(a, b)) }),
		"ends_with":   ofStrings(func(a, b string) Value { return Bool(strings.HasSuffix(a, b)) }),
	}
}

func ofString(f func(string) Value) impl {
	return func(c *call) (Value, error) {
		s, err := c.str(0)
		if err != nil {
			return nil, err
		}
		return f(s), nil
	}
}

func ofStrings(f func(a, b string) Value) impl {
	return func(c *call) (Value, error) {
		s, err := c.strs(0)
		if err != nil {
			return nil, err
		}
		return f(s[0], s[1]), nil
	}
}

// characters is the number of characters of a text.
func characters(s string) Value { return NewInt(int64(utf8.RuneCountInString(s))) }

func builtinConcat(c *call) (Value, error) {
	if a, ok := c.args[0].(*List); ok {
		b, ok := c.args[1].(*List)
		if !ok {
			return nil, errArgument(c.name, 1, "a List", c.args[1])
		}
		return c.w.concat(a, b)
	}
	s, err := c.strs(0)
	if err != nil {
		return nil, err
	}
	return String(s[0] + s[1]), nil
}

func builtinLen(c *call) (Value, error) {
	switch v := c.args[0].(type) {
	case String:
		return characters(string(v)), c.w.spend(len(v) >> 6)
	case *List:
		return NewInt(int64(v.Len())), nil
	case *Map:
		return NewInt(int64(v.Len())), nil
	}
	return nil, errArgument(c.name, 0, "a String, List or Map", c.args[0])
}

func builtinSplit(c *call) (Value, error) {
	s, err := c.strs(0)
	if err != nil {
		return nil, err
	}
	if err := c.w.allocate(16 * (strings.Count(s[0], s[1]) + 1)); err != nil {
		return nil, err
	}
	return stringList(strings.Split(s[0], s[1])), nil
}

// builtinJoin joins texts with a separator, or rows on a key.
func builtinJoin(c *call) (Value, error) {
	if len(c.args) == 3 {
		return joinRows(c, false)
	}
	items, err := c.list(0)
	if err != nil {
		return nil, err
	}
	sep, err := c.str(1)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(items))
	size := 0
	for i, v := range items {
		if texts[i], err = c.w.text(v); err != nil {
			return nil, err
		}
		size += len(texts[i]) + len(sep)
	}
	if size > maxText {
		return nil, errMemory()
	}
	return String(strings.Join(texts, sep)), nil
}

func builtinReplace(c *call) (Value, error) {
	s, err := c.strs(0)
	if err != nil {
		return nil, err
	}
	if strings.Count(s[0], s[1])*len(s[2]) > maxText {
		return nil, errMemory()
	}
	return String(strings.ReplaceAll(s[0], s[1], s[2])), nil
}

func builtinContains(c *call) (Value, error) {
	switch v := c.args[0].(type) {
	case String:
		part, err := c.str(1)
		return Bool(strings.Contains(string(v), part)), err
	case *List:
		return Bool(position(v.items, c.args[1]) >= 0), c.w.spend(v.Len())
	case *Map:
		key, ok := keyText(c.args[1])
		if !ok {
			return nil, errKey("a key", c.args[1])
		}
		_, ok = v.Get(key)
		return Bool(ok), nil
	}
	return nil, errArgument(c.name, 0, "a String, List or Map", c.args[0])
}

// position finds an item by structural equality, or -1.
func position(items []Value, x Value) int {
	return slices.IndexFunc(items, func(v Value) bool { return same(v, x) })
}

func builtinIndexOf(c *call) (Value, error) {
	if l, ok := c.args[0].(*List); ok {
		return NewInt(int64(position(l.items, c.args[1]))), c.w.spend(l.Len())
	}
	s, err := c.strs(0)
	if err != nil {
		return nil, err
	}
	at := strings.Index(s[0], s[1])
	if at < 0 {
		return NewInt(-1), nil
	}
	return characters(s[0][:at]), nil
}

// cut clamps from..to into 0..n.
func cut(from, to, n int) (int, int) {
	from, to = min(max(from, 0), n), min(max(to, 0), n)
	return from, max(from, to)
}

func builtinSubstring(c *call) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	from, err := c.small(1)
	if err != nil {
		return nil, err
	}
	to, err := c.small(2)
	if err != nil {
		return nil, err
	}
	r := []rune(s)
	from, to = cut(from, to, len(r))
	return String(r[from:to]), nil
}

// builtinSlice counts negative positions from the end.
func builtinSlice(c *call) (Value, error) {
	list, isList := c.args[0].(*List)
	text, isText := c.args[0].(String)
	if !isList && !isText {
		return nil, errArgument(c.name, 0, "a List or String", c.args[0])
	}
	r := []rune(text)
	n := len(r)
	if isList {
		n = list.Len()
	}
	ends := [2]int{0, n}
	for i := 1; i < len(c.args); i++ {
		if i == 2 && !c.has(2) {
			continue
		}
		at, err := c.small(i)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			at = max(at+n, 0)
		}
		ends[i-1] = at
	}
	from, to := cut(ends[0], ends[1], n)
	if isList {
		return NewList(list.items[from:to:to]...), c.w.spend(to - from)
	}
	return String(r[from:to]), nil
}

func builtinTrim(c *call) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	if !c.has(1) {
		return String(strings.TrimSpace(s)), nil
	}
	chars, err := c.str(1)
	return String(strings.Trim(s, chars)), err
}

func builtinStrAt(c *call) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	i, err := c.small(1)
	if err != nil {
		return nil, err
	}
	if i < 0 || i >= len(s) {
		return nil, errIndex(c.args[1], len(s))
	}
	return NewInt(int64(s[i])), nil
}

func builtinChr(c *call) (Value, error) {
	n, err := c.small(0)
	if err != nil {
		return nil, err
	}
	if n < 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return nil, errRange("%d is no character", n)
	}
	return String(rune(n)), nil
}

func builtinOrd(c *call) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	if s == "" {
		return nil, errRange("ord of an empty text")
	}
	r, _ := utf8.DecodeRuneInString(s)
	return NewInt(int64(r)), nil
}

func builtinEscapeHTML(c *call) (Value, error) {
	s, err := c.w.text(c.args[0])
	return String(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(s)), err
}

// padding fills a text up to a width in characters.
func padding(left bool) impl {
	return func(c *call) (Value, error) {
		s, err := c.w.text(c.args[0])
		if err != nil {
			return nil, err
		}
		width, err := c.small(1)
		if err != nil {
			return nil, err
		}
		fill := " "
		if c.has(2) {
			if fill, err = c.str(2); err != nil {
				return nil, err
			}
		}
		return c.w.pad(s, width, fill, left)
	}
}

func (w *World) pad(s string, width int, fill string, left bool) (Value, error) {
	missing := width - utf8.RuneCountInString(s)
	if missing <= 0 || fill == "" {
		return String(s), nil
	}
	if missing > maxText/utf8.UTFMax {
		return nil, errMemory()
	}
	unit := []rune(fill)
	r := make([]rune, missing)
	for i := range r {
		r[i] = unit[i%len(unit)]
	}
	if left {
		return String(string(r) + s), nil
	}
	return String(s + string(r)), nil
}

// pattern reads the text and the regular expression (RE2 syntax) of a call.
func (c *call) pattern() (string, *regexp.Regexp, error) {
	s, err := c.str(0)
	if err != nil {
		return "", nil, err
	}
	text, err := c.str(1)
	if err != nil {
		return "", nil, err
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return "", nil, errType("%s: %v", c.name, err)
	}
	return s, re, c.w.spend(2 * len(s) * (1 + len(text)))
}

func builtinRegexMatch(c *call) (Value, error) {
	s, re, err := c.pattern()
	if err != nil {
		return nil, err
	}
	if re.MatchString(s) {
		return NewInt(1), nil
	}
	return NewInt(0), nil
}

func builtinRegexCount(c *call) (Value, error) {
	s, re, err := c.pattern()
	if err != nil {
		return nil, err
	}
	return NewInt(int64(len(re.FindAllStringIndex(s, -1)))), nil
}

func builtinRegexReplace(c *call) (Value, error) {
	s, re, err := c.pattern()
	if err != nil {
		return nil, err
	}
	to, err := c.str(2)
	if err != nil {
		return nil, err
	}
	if len(re.FindAllStringIndex(s, -1))*(len(to)+len(s)*strings.Count(to, "$")) > maxText*4 {
		return nil, errMemory()
	}
	return String(re.ReplaceAllString(s, groupNames.ReplaceAllStringFunc(to, quoteDollar))), nil
}

// groupNames finds the dollars of a replacement with the group that they name, if any.
var groupNames = regexp.MustCompile(`\$(\$|[0-9]+|\{\w+\})?`)

// quoteDollar writes a dollar as package regexp wants it: there `$1x` is the group `1x`, and a
// lone dollar nothing. Here a number ends where its digits end, and a lone dollar is itself.
func quoteDollar(s string) string {
	switch rest := s[1:]; {
	case rest == "":
		return "$$"
	case rest == "$" || rest[0] == '{':
		return s
	default:
		return "${" + rest + "}"
	}
}
