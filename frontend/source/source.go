// Package source holds source texts and places in them.
//
// A place is a byte range of a file; lines and columns are derived on demand, so that
// syntax trees and transition systems stay small. Columns count characters, not bytes.
package source

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// File is one source text. Name is the path as the user gave it and is what messages show.
type File struct {
	Name  string
	Text  string
	lines []int  // byte offset of the first byte of each line
	marks []mark // so that columns of long lines are quick to count
}

// mark says how many characters stand before an offset.
type mark struct{ offset, characters int }

const markEvery = 4096 // bytes

// NewFile indexes the lines of text. The text is kept as it is; a byte-order mark, if any,
// is part of it.
func NewFile(name, text string) *File {
	lines := []int{0}
	marks := []mark{{}}
	for i := 0; i < len(text); i++ {
		last := marks[len(marks)-1]
		if i-last.offset >= markEvery && utf8.RuneStart(text[i]) {
			marks = append(marks, mark{i, last.characters + utf8.RuneCountInString(text[last.offset:i])})
		}
		if text[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return &File{Name: name, Text: text, lines: lines, marks: marks}
}

// characters counts those before an offset.
func (f *File) characters(offset int) int {
	i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].offset > offset })
	if i == 0 {
		return utf8.RuneCountInString(f.Text[:offset])
	}
	m := f.marks[i-1]
	return m.characters + utf8.RuneCountInString(f.Text[m.offset:offset])
}

// Position is a place for people: a line and a column, both from 1. Col counts characters.
type Position struct {
	Line, Col int
}

// Position converts a byte offset; an offset past either end is clamped.
func (f *File) Position(offset int) Position {
	offset = max(0, min(offset, len(f.Text)))
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	start := f.lines[line-1]
	if line == 1 && strings.HasPrefix(f.Text, byteOrderMark) {
		start = min(offset, len(byteOrderMark))
	}
	return Position{Line: line, Col: f.characters(offset) - f.characters(start) + 1}
}

const byteOrderMark = "\uFEFF"

// Line returns the text of a line (from 1) without its line end, or "" when there is none.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	line := strings.TrimSuffix(f.Text[f.lines[n-1]:end], "\r")
	if n == 1 {
		line = strings.TrimPrefix(line, byteOrderMark)
	}
	return line
}

// LineAround returns the line that holds an offset, as Line does, and where in it the offset is.
func (f *File) LineAround(offset int) (line string, at int) {
	offset = max(0, min(offset, len(f.Text)))
	n := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	line, at = f.Line(n), offset-f.lines[n-1]
	if n == 1 && strings.HasPrefix(f.Text, byteOrderMark) {
		at -= len(byteOrderMark)
	}
	return line, max(0, min(at, len(line)))
}

// Span is a half-open byte range of a file. The zero Span is no place at all.
type Span struct {
	File       *File
	Start, End int
}

// IsZero tells whether the span is no place.
func (s Span) IsZero() bool { return s.File == nil }

// Text is the source text of the span, as written.
func (s Span) Text() string {
	if s.File == nil || s.Start < 0 || s.End > len(s.File.Text) || s.Start > s.End {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// Normal is the source text on one line: comments stay, and each run of white space
// outside string literals becomes one space.
func (s Span) Normal() string { return Normalise(s.Text()) }

// From is the position of the first character.
func (s Span) From() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// To is the position just past the last character.
func (s Span) To() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.End)
}

// Join is the smallest span that covers both; spans of different files give s.
func (s Span) Join(t Span) Span {
	switch {
	case s.File == nil:
		return t
	case t.File != s.File:
		return s
	}
	return Span{s.File, min(s.Start, t.Start), max(s.End, t.End)}
}

// String is "file:line:col".
func (s Span) String() string {
	if s.File == nil {
		return "-"
	}
	p := s.From()
	return fmt.Sprintf("%s:%d:%d", s.File.Name, p.Line, p.Col)
}

// Compare orders spans by file name, start and end.
func Compare(a, b Span) int {
	name := func(s Span) string {
		if s.File == nil {
			return ""
		}
		return s.File.Name
	}
	if c := strings.Compare(name(a), name(b)); c != 0 {
		return c
	}
	if a.Start != b.Start {
		return a.Start - b.Start
	}
	return a.End - b.End
}

// Normalise folds runs of white space outside double-quoted strings to single spaces.
func Normalise(text string) string {
	var b strings.Builder
	inString, pending := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !inString && (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			pending = b.Len() > 0
			continue
		}
		if pending {
			b.WriteByte(' ')
			pending = false
		}
		b.WriteByte(c)
		switch {
		case c == '\\' && inString && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case c == '"':
			inString = !inString
		}
	}
	return b.String()
}
