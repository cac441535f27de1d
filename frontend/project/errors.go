package project

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/BurntSushi/toml"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// Error is a program that cannot be loaded at all. Line and Col are 0 where no place is
// known.
type Error struct {
	Path      string
	Line, Col int
	Message   string
	Err       error // the cause, or nil
}

// Error is "path:line:col: message".
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Col, e.Message)
	}
	return e.Path + ": " + e.Message
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

func unreadable(path string, err error) *Error {
	message := "cannot be read"
	var cause *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		message = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		message = "may not be read"
	case errors.As(err, &cause):
		message += ": " + cause.Err.Error()
	}
	return &Error{Path: path, Message: message, Err: err}
}

func noEntry(folder, name string) *Error {
	return &Error{Path: folder, Message: fmt.Sprintf("the folder holds no %s", name)}
}

func irregular(path string) *Error {
	return &Error{Path: path, Message: "is a pipe or a device; programs are read from files"}
}

func tooLarge(path string, size int64) *Error {
	return &Error{Path: path, Message: fmt.Sprintf("%d bytes are too many: the limit is %d", size, MaxFileSize)}
}

// --- the manifest ---

func at(path string, pos source.Position, format string, args ...any) *Error {
	return &Error{Path: path, Line: pos.Line, Col: pos.Col, Message: fmt.Sprintf(format, args...)}
}

func brokenManifest(path string, line, col int, message string, err error) *Error {
	return &Error{Path: path, Line: line, Col: col, Message: message, Err: err}
}

// unknownTable is about the n-th part of a table's name.
func unknownTable(path string, pos source.Position, table toml.Key, n int, known []string) *Error {
	inside := ""
	if n > 0 {
		inside = table[:n].String() + "."
	}
	return at(path, pos, "unknown table [%s]%s", table, meant(table[n], known, "["+inside+"%s]"))
}

func unknownKey(path string, pos source.Position, table, key string, known []string) *Error {
	return at(path, pos, "unknown key `%s` in [%s]; it has %s%s", key, table, strings.Join(known, ", "), meant(key, known, "`%s`"))
}

// meant asks for the known name that is nearest to one that is not.
func meant(name string, known []string, form string) string {
	guess := near.Find(name, known)
	if guess.Name == "" {
		return ""
	}
	return "; did you mean " + fmt.Sprintf(form, guess.Name) + "?"
}

func wrongForm(path string, pos source.Position, key string, want form) *Error {
	return at(path, pos, "`%s` must be %s", key, want)
}

func topLevelKey(path string, pos source.Position, key string) *Error {
	return at(path, pos, "the key `%s` stands in no table", key)
}

func emptyList(path string, pos source.Position, key string) *Error {
	return at(path, pos, "the list `%s` is empty: such a property says nothing", key)
}

func unknownEdition(path string, pos source.Position, edition string) *Error {
	return at(path, pos, "unknown edition \"%s\": the editions are \"2026\" and \"2027\"", edition)
}

func badFairness(path string, pos source.Position, text string) *Error {
	return at(path, pos, "`%s` is neither a handler nor an edge `a -> b`", text)
}

// --- uses ---

func fleshPairedBy(entry string, skeleton *syntax.Decl) diag.Note {
	return diag.Note{Message: fmt.Sprintf("`%s` brings the flesh and this skeleton together: check that file", entry), Span: skeleton.Name.At}
}

func missingUse(use *syntax.Use, tried []string) diag.Diagnostic {
	var parts []string
	for _, p := range use.Path {
		parts = append(parts, p.Name)
	}
	return diag.Diagnostic{Code: diag.MissingUse, Span: use.At,
		Message: fmt.Sprintf("there is no file for `%s`: tried %s", strings.Join(parts, "::"), strings.Join(tried, ", "))}
}
