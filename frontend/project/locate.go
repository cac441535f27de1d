package project

import (
	"strings"

	"soma.cell/frontend/source"
)

// locate finds the places of tables and keys in a TOML text that has already been parsed:
// the decoder does not tell them. It reads line by line and knows table headers and
// key = value lines; keys of inline tables and lines inside multi-line strings may go
// unfound or be taken for keys, which only moves a message to the table around. The map's
// keys are the parts of a dotted key joined by NUL.
func locate(file *source.File) map[string]source.Span {
	places := map[string]source.Span{}
	var table []string
	offset := 0
	for _, line := range strings.SplitAfter(file.Text, "\n") {
		text := strings.TrimLeft(line, " \t\uFEFF")
		start := offset + len(line) - len(text)
		offset += len(line)
		note := func(key []string, length int) {
			name := strings.Join(key, "\x00")
			if _, found := places[name]; !found && len(key) > 0 {
				places[name] = source.Span{File: file, Start: start, End: start + length}
			}
		}
		if strings.HasPrefix(text, "[") {
			header, _, closed := strings.Cut(strings.TrimLeft(text, "["), "]")
			if !closed {
				continue
			}
			table = splitKey(header)
			for n := 1; n <= len(table); n++ {
				note(table[:n], len(strings.TrimRight(text, " \t\r\n")))
			}
			continue
		}
		if key, _, ok := strings.Cut(text, "="); ok && !strings.HasPrefix(text, "#") {
			note(append(append([]string(nil), table...), splitKey(key)...), len(strings.TrimSpace(key)))
		}
	}
	return places
}

// splitKey cuts a dotted key; quotes around a part are dropped.
func splitKey(key string) []string {
	var out []string
	var part strings.Builder
	quote := rune(0)
	for _, c := range strings.TrimSpace(key) {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				part.WriteRune(c)
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '.':
			out = append(out, strings.TrimSpace(part.String()))
			part.Reset()
		default:
			part.WriteRune(c)
		}
	}
	return append(out, strings.TrimSpace(part.String()))
}
