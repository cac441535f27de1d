package diag

import (
	"strings"
	"unicode/utf8"
)

// maxQuote is how many characters of source a message quotes at most.
const maxQuote = 300

// Brief cuts what messages quote between backticks where it is very long: a name or a line may
// have any length.
func Brief(list []Diagnostic) []Diagnostic {
	for i := range list {
		d := &list[i]
		d.Message, d.Fix = brief(d.Message), brief(d.Fix)
		for k := range d.Notes {
			d.Notes[k].Message = brief(d.Notes[k].Message)
		}
	}
	return list
}

func brief(message string) string {
	if len(message) <= maxQuote {
		return message
	}
	parts := strings.Split(message, "`")
	for i := 1; i < len(parts); i += 2 {
		if utf8.RuneCountInString(parts[i]) > maxQuote {
			parts[i] = string([]rune(parts[i])[:maxQuote-1]) + "…"
		}
	}
	return strings.Join(parts, "`")
}
