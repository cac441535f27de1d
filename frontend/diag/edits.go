package diag

import (
	"slices"
	"strings"

	"soma.cell/frontend/source"
)

// Unlist takes an entry out of a list that commas divide and a word opens, as the clauses of a
// frame are: with a comma beside it, or with the word when it stands alone. Where the text around
// it is of another shape, with a comment say, there is no edit.
func Unlist(at source.Span, words ...string) []Edit {
	text := at.File.Text
	before := strings.TrimRight(text[:at.Start], " \t\r\n")
	after := strings.TrimLeft(text[at.End:], " \t\r\n")
	switch {
	case strings.HasPrefix(after, ","):
		at.End = len(text) - len(strings.TrimLeft(after[1:], " \t\r\n"))
	case strings.HasSuffix(before, ","):
		at.Start = len(before) - 1
	default:
		word := before[strings.LastIndexAny(before, " \t\r\n)")+1:]
		if !slices.Contains(words, word) {
			return nil
		}
		at.Start = len(strings.TrimRight(strings.TrimSuffix(before, word), " \t\r\n"))
	}
	return []Edit{{Span: at}}
}
