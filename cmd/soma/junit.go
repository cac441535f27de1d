package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/source"
	"soma.cell/interp"
)

// A test run in the XML that JUnit made known and services for continuous integration read: a
// suite for each test cell, a case for each rule. Times are left out: two runs are the same.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
	Output   string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitProblem `xml:"failure"` // what was asserted does not hold
	Error   *junitProblem `xml:"error"`   // it could not be asked
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junitForm is the format of a command whose parts are suites.
func junitForm(part func(*program) (any, error)) form {
	return form{
		part:    part,
		failure: func(path, message string) any { return []junitSuite{errorSuite(path, "load", message, "")} },
		write:   writeJUnit,
	}
}

func writeJUnit(w io.Writer, parts []any) error {
	var all junitSuites
	for _, part := range parts {
		for _, s := range part.([]junitSuite) {
			all.Suites = append(all.Suites, s)
			all.Tests += s.Tests
			all.Failures += s.Failures
			all.Errors += s.Errors
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// errorSuite is the suite of a program that was not tested.
func errorSuite(file, what, message, text string) junitSuite {
	c := junitCase{Name: what, Class: file, File: file, Error: &junitProblem{printable(message), text}}
	return junitSuite{Name: file, File: file, Tests: 1, Errors: 1, Cases: []junitCase{c}}
}

// brokenSuite is the suite of a program that fails the check.
func brokenSuite(file string, findings []diag.Diagnostic) []junitSuite {
	var text strings.Builder
	renderDiagnostics(&text, findings)
	return []junitSuite{errorSuite(file, "check", failsCheck(file), text.String())}
}

// suitesOf are the suites of a test run.
func suitesOf(file string, r *interp.Report) []junitSuite {
	if len(r.Cells) == 0 {
		return []junitSuite{errorSuite(file, "test", noTests(file), "")}
	}
	var out []junitSuite
	for _, c := range r.Cells {
		out = append(out, suiteOf(file, c))
	}
	return out
}

func suiteOf(file string, c interp.CellReport) junitSuite {
	s := junitSuite{Name: c.Name, File: file}
	var output strings.Builder
	for _, i := range c.Items {
		if i.Kind == interp.ItemNote || i.Kind == interp.ItemPrinted {
			renderItem(&output, i)
			continue
		}
		s.add(caseOf(c.Name, i))
	}
	if c.Assertions == 0 && c.Skipped == 0 {
		s.add(junitCase{Name: c.Name, Class: c.Name, File: file, Error: &junitProblem{Message: noAssertions(c.Name)}})
	}
	s.Output = output.String()
	return s
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
}

func caseOf(cell string, i interp.Item) junitCase {
	c := junitCase{Name: printable(i.Source), Class: cell}
	if !i.Span.IsZero() {
		c.File, c.Line = i.Span.File.Name, i.Span.From().Line
	}
	if i.Passed {
		return c
	}
	problem := &junitProblem{Message: problemOf(i), Text: placeText(i.Span)}
	if i.Left != "" || i.Right != "" {
		problem.Text += fmt.Sprintf("left:  %s\nright: %s\n", printable(i.Left), printable(i.Right))
	}
	if i.Kind == interp.ItemBroken {
		c.Error = problem
	} else {
		c.Failure = problem
	}
	return c
}

// problemOf says in one line what is wrong with a rule.
func problemOf(i interp.Item) string {
	switch {
	case i.Raised != "":
		return "raised " + printable(i.Raised)
	case i.Text != "":
		return printable(i.Text)
	}
	return printable(i.Source)
}

func placeText(s source.Span) string {
	if s.IsZero() {
		return ""
	}
	return s.String() + "\n"
}
