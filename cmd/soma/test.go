package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"soma.cell/interp"
)

func (a *app) test(c *cli.Context) error {
	options, err := testOptions(c.String("run"), c.Duration("timeout"))
	if err != nil {
		return err
	}
	options.World.Input = sync.OnceValue(a.standardInput) // one for all programs
	run := func(p *program) (*interp.Report, error) { return a.runTests(c.Context, p, options) }
	return a.eachProgram(c, reporter{
		text: func(p *program) error {
			if !p.sound() {
				renderDiagnostics(a.out, p.findings)
				return errFailed
			}
			report, err := run(p)
			if err != nil {
				return err
			}
			renderTests(a.out, p.name, report)
			return testVerdict(report)
		},
		forms: map[string]form{
			formJSON: {
				part: func(p *program) (any, error) {
					if !p.sound() {
						return checkDocOf(schemaTest, p), errFailed
					}
					report, err := run(p)
					if err != nil {
						return nil, err
					}
					return testDocOf(p.name, report), testVerdict(report)
				},
				failure: func(path, message string) any { return failureDoc(schemaTest, path, message) },
				write:   writeJSON,
			},
			formJUnit: junitForm(func(p *program) (any, error) {
				if !p.sound() {
					return brokenSuite(p.name, p.findings), errFailed
				}
				report, err := run(p)
				if err != nil {
					return nil, err
				}
				return suitesOf(p.name, report), testVerdict(report)
			}),
		},
	})
}

// ruleTimeout is how long a rule may take unless the user says otherwise. Loops end long before
// by their steps: it is for models, servers and properties with many values.
const ruleTimeout = time.Minute

func testOptions(run string, timeout time.Duration) (interp.TestOptions, error) {
	if timeout < 0 {
		return interp.TestOptions{}, usageError(badRuleTimeout)
	}
	if run == "" {
		return interp.TestOptions{Timeout: timeout}, nil
	}
	re, err := regexp.Compile(run)
	if err != nil {
		return interp.TestOptions{}, usageError(badPattern(err))
	}
	return interp.TestOptions{Run: re, Timeout: timeout}, nil
}

func testVerdict(r *interp.Report) error {
	if r.OK() {
		return nil
	}
	return errFailed
}

// renderTests prints a test run: each rule in its place among notes and what the program
// printed.
func renderTests(w io.Writer, file string, r *interp.Report) {
	if len(r.Cells) == 0 {
		fmt.Fprintln(w, sayError(noTests(file)))
		return
	}
	for _, c := range r.Cells {
		fmt.Fprintf(w, "test %s ...\n", c.Name)
		for _, i := range c.Items {
			renderItem(w, i)
		}
		if c.Assertions == 0 && c.Skipped == 0 {
			fmt.Fprintf(w, "  ✗ %s\n", noAssertions(c.Name))
		}
	}
	fmt.Fprintf(w, "\n%d tests: %d passed, %d failed\n", r.Passed+r.Failed, r.Passed, r.Failed)
}

func renderItem(w io.Writer, i interp.Item) {
	switch i.Kind {
	case interp.ItemNote:
		fmt.Fprintf(w, "note: %s\n", printable(i.Text))
		return
	case interp.ItemPrinted:
		for _, line := range strings.Split(strings.TrimSuffix(i.Text, "\n"), "\n") {
			fmt.Fprintln(w, printable(line))
		}
		return
	}
	text := i.Source
	switch {
	case i.Raised != "":
		text += " — raised " + i.Raised
	case i.Text != "":
		text += " — " + i.Text
	}
	mark := "✓"
	if !i.Passed {
		mark = "✗"
	}
	fmt.Fprintf(w, "  %s %s\n", mark, printable(text))
	if i.Passed {
		return
	}
	fmt.Fprintf(w, "      --> %s\n", i.Span)
	if i.Left != "" || i.Right != "" {
		fmt.Fprintf(w, "      left:  %s\n      right: %s\n", printable(i.Left), printable(i.Right))
	}
}

// testDoc is the document of soma test.
type testRunDoc struct {
	Schema string        `json:"schema"`
	File   string        `json:"file"`
	OK     bool          `json:"ok"`
	Tests  []testCellDoc `json:"tests"`
	Passed int           `json:"passed"`
	Failed int           `json:"failed"`
}

type testCellDoc struct {
	Name       string        `json:"name"`
	Assertions int           `json:"assertions"`
	Passed     int           `json:"passed"`
	Failed     int           `json:"failed"`
	Items      []testItemDoc `json:"items"`
}

type testItemDoc struct {
	Kind   string `json:"kind"`
	Source string `json:"source"`
	Passed bool   `json:"passed"`
	Text   string `json:"text"`
	Raised string `json:"raised"`
	Left   string `json:"left"`
	Right  string `json:"right"`
	placeDoc
}

func testDocOf(file string, r *interp.Report) testRunDoc {
	doc := testRunDoc{
		Schema: schemaTest, File: file, OK: r.OK(), Tests: []testCellDoc{}, Passed: r.Passed, Failed: r.Failed,
	}
	for _, c := range r.Cells {
		cell := testCellDoc{Name: c.Name, Assertions: c.Assertions, Passed: c.Passed, Failed: c.Failed, Items: []testItemDoc{}}
		for _, i := range c.Items {
			cell.Items = append(cell.Items, testItemDoc{
				itemWord(i.Kind), i.Source, i.Passed, i.Text, i.Raised, i.Left, i.Right, placeOf(i.Span),
			})
		}
		doc.Tests = append(doc.Tests, cell)
	}
	return doc
}

func itemWord(k interp.ItemKind) string {
	switch k {
	case interp.ItemPrinted:
		return "printed"
	case interp.ItemAssert:
		return "assert"
	case interp.ItemAssertFails:
		return "assert_fails"
	case interp.ItemProperty:
		return "property"
	case interp.ItemBroken:
		return "broken"
	}
	return "note"
}
