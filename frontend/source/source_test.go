package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Columns are counted from marks; counting from the start of the line gives the same.
func TestColumns(t *testing.T) {
	for _, text := range []string{
		"", "a\nb", "\uFEFFx\ny", strings.Repeat("é漢a", 5000) + "\n" + strings.Repeat("ab", 9000) + "\nend",
		strings.Repeat("\xff\xe6\xbc", 6000), strings.Repeat("\r\n", 3000) + "x",
	} {
		f := NewFile("t", text)
		for offset := 0; offset <= len(text); offset += 1 + offset/50 {
			if offset < len(text) && !utf8.RuneStart(text[offset]) {
				continue
			}
			before := strings.TrimPrefix(text[:offset], byteOrderMark)
			line := before[strings.LastIndexByte(before, '\n')+1:]
			want := Position{1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(line)}
			if got := f.Position(offset); got != want {
				t.Fatalf("%.20q at %d: %v, want %v", text, offset, got, want)
			}
			shown, at := f.LineAround(offset)
			if shown != f.Line(want.Line) || shown[:at] != strings.TrimSuffix(line, "\r") && shown[:at] != line {
				t.Fatalf("%.20q at %d: the line is %.20q, %d", text, offset, shown, at)
			}
		}
	}
}
