package main

import (
	"encoding/json"
	"io"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
)

// Names of the documents; docs/schemas holds a schema for each.
const (
	schemaCheck    = "soma-check/1"
	schemaTest     = "soma-test/1"
	schemaVerify   = "soma-verify/1"
	schemaDescribe = "soma-describe/1"
	schemaAudit    = "soma-audit/1"
	schemaPrograms = "soma-programs/1"
	schemaBuiltins = "soma-builtins/1"
)

// programsDoc is the document of a run over several programs: one document each.
type programsDoc struct {
	Schema   string `json:"schema"`
	Programs []any  `json:"programs"`
}

// writeJSON prints documents: one as it is, several in one.
func writeJSON(w io.Writer, docs []any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if len(docs) == 1 {
		return e.Encode(docs[0])
	}
	return e.Encode(programsDoc{schemaPrograms, docs})
}

// placeDoc is a place in a source file, zero when there is none. Lines and columns count
// from 1; the end is just past the last character.
type placeDoc struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line"`
	EndCol  int    `json:"end_col"`
}

func placeOf(s source.Span) placeDoc {
	if s.IsZero() {
		return placeDoc{}
	}
	from, to := s.From(), s.To()
	return placeDoc{s.File.Name, from.Line, from.Col, to.Line, to.Col}
}

// findingDoc is one diagnostic.
type findingDoc struct {
	Code    string `json:"code"`
	Name    string `json:"name"`
	Message string `json:"message"`
	placeDoc
	Fix   string    `json:"fix"`
	Notes []noteDoc `json:"notes"`
}

type noteDoc struct {
	Message string `json:"message"`
	placeDoc
}

// checkDoc is the document of soma check. The other commands embed it for a program that
// fails the check.
type checkDoc struct {
	Schema  string `json:"schema"`
	File    string `json:"file"`
	OK      bool   `json:"ok"`
	Failure string `json:"failure,omitempty"` // why the program could not be read
	findingsDoc
}

// findingsDoc is the findings of a check.
type findingsDoc struct {
	Errors       []findingDoc `json:"errors"`
	Warnings     []findingDoc `json:"warnings"`
	Notes        []findingDoc `json:"notes"`
	ErrorCount   int          `json:"error_count"`
	WarningCount int          `json:"warning_count"`
}

func findingsOf(list []diag.Diagnostic) findingsDoc {
	doc := findingsDoc{Errors: []findingDoc{}, Warnings: []findingDoc{}, Notes: []findingDoc{}}
	for _, d := range list {
		f := findingOf(d)
		switch d.Severity {
		case diag.Error:
			doc.Errors = append(doc.Errors, f)
		case diag.Warning:
			doc.Warnings = append(doc.Warnings, f)
		case diag.Remark:
			doc.Notes = append(doc.Notes, f)
		}
	}
	doc.ErrorCount, doc.WarningCount = len(doc.Errors), len(doc.Warnings)
	return doc
}

func findingOf(d diag.Diagnostic) findingDoc {
	doc := findingDoc{Code: string(d.Code), Message: d.Message, placeDoc: placeOf(d.Span), Fix: d.Fix, Notes: []noteDoc{}}
	if entry, ok := diag.Lookup(d.Code); ok {
		doc.Name = entry.Name
	}
	for _, n := range d.Notes {
		doc.Notes = append(doc.Notes, noteDoc{n.Message, placeOf(n.Span)})
	}
	return doc
}
