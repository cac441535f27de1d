package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

const (
	unsureProgram = `cell Lamp {
    memory { level: Map<String, Int> [persistent]
        invariant level >= 0 }
    state lamp { initial: off
        off -> lit  dim -> lit }
    face { signal turn(id: String, n: Int) -> Int }
    on turn(id: String, n: Int) {
        level.set(id, n)
        return n
    }
}
`
	brokenProgram = "cell Lamp {\n    on turn(n: Int) {\n        n++\n        return missing \n    }\n}\n"
	testedProgram = `cell Lamp {
    on turn(n: Int) {
        print("<{n}> & \u{1}")
        return n
    }
}
cell test Holds { rules { assert turn(1) == 1 } }
cell test Fails { rules {
    assert turn(1) == 2
    assert_fails turn(1)
    let x = turn(idiv(1, 0))
    assert turn(3) == 3
} }
cell test Asks { rules { let x = turn(1) } }
`
)

// readSARIF reads an output and holds it to the schema of the format.
func readSARIF(t *testing.T, output string) *sarif.Report {
	t.Helper()
	report, err := sarif.FromString(output, sarif.WithStrictValidation())
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if err := report.Validate(); err != nil {
		t.Fatal(err)
	}
	return report
}

func TestSARIF(t *testing.T) {
	folder := t.TempDir()
	writeTemp(t, folder, "soma.toml", "")
	broken := writeTemp(t, folder, "a b.cell", brokenProgram)
	unsure := writeTemp(t, folder, "unsure.cell", unsureProgram)

	status, output := runSoma("check", "--format", "sarif", broken, unsure, filepath.Join(folder, "nowhere.cell"))
	if status != statusUsage {
		t.Errorf("check exits %d", status)
	}
	run := readSARIF(t, output).Runs[0]
	var found []string
	for _, r := range run.Results {
		at := r.Locations[0].PhysicalLocation
		if id := run.Tool.Driver.Rules[r.RuleIndex].ID; *id != *r.RuleID {
			t.Errorf("a result of %s points to the rule %s", *r.RuleID, *id)
		}
		found = append(found, fmt.Sprintf("%s %s %s:%d:%d", r.Level, *r.RuleID, filepath.Base(*at.ArtifactLocation.URI), *at.Region.StartLine, *at.Region.StartColumn))
	}
	for _, want := range []string{"error E0052 a%20b.cell:3:10"} {
		if !slices.Contains(found, want) {
			t.Errorf("%s is not among %q", want, found)
		}
	}
	if fixes := run.Results[0].Fixes; len(fixes) != 1 || *fixes[0].ArtifactChanges[0].Replacements[0].InsertedContent.Text != " += 1" {
		t.Errorf("the repair is not there: %s", output)
	}
	notes := run.Invocations[0].ToolExecutionNotifications
	if *run.Invocations[0].ExecutionSuccessful || len(notes) != 1 || !strings.Contains(*notes[0].Message.Text, "nowhere.cell") {
		t.Errorf("it does not say that a file is missing")
	}

	status, output = runSoma("verify", "--format", "sarif", unsure)
	if status != statusFailed {
		t.Errorf("verify exits %d", status)
	}
	found = nil
	for _, r := range readSARIF(t, output).Runs[0].Results {
		found = append(found, r.Level+" "+*r.RuleID+" "+*r.Message.Text)
	}
	for _, want := range []string{"warning invariant invariant level >= 0", "error machine"} {
		if !slices.ContainsFunc(found, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("no result begins with %q: %q", want, found)
		}
	}
}

// junitShape is what the schema of the format allows: children, required and optional attributes.
var junitShape = map[string]struct{ children, required, optional []string }{
	"testsuites": {[]string{"testsuite"}, []string{"tests", "failures", "errors"}, nil},
	"testsuite":  {[]string{"testcase", "system-out"}, []string{"name", "tests", "failures", "errors"}, []string{"file"}},
	"testcase":   {[]string{"failure", "error"}, []string{"name", "classname"}, []string{"file", "line"}},
	"failure":    {nil, []string{"message"}, nil},
	"error":      {nil, []string{"message"}, nil},
	"system-out": {},
}

// checkJUnit holds a document to the shape, and its numbers to what it lists.
func checkJUnit(text string) error {
	type counts map[string]int
	d := xml.NewDecoder(strings.NewReader(text))
	var open []xml.StartElement
	var seen []counts
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			shape, known := junitShape[name]
			switch {
			case !known:
				return fmt.Errorf("<%s> is unknown", name)
			case len(open) == 0 && name != "testsuites":
				return fmt.Errorf("<%s> is the root", name)
			case len(open) > 0 && !slices.Contains(junitShape[open[len(open)-1].Name.Local].children, name):
				return fmt.Errorf("<%s> stands in <%s>", name, open[len(open)-1].Name.Local)
			}
			var attrs []string
			for _, a := range token.Attr {
				attrs = append(attrs, a.Name.Local)
				if !slices.Contains(append(slices.Clone(shape.required), shape.optional...), a.Name.Local) {
					return fmt.Errorf("<%s> has %s", name, a.Name.Local)
				}
			}
			for _, r := range shape.required {
				if !slices.Contains(attrs, r) {
					return fmt.Errorf("<%s> lacks %s", name, r)
				}
			}
			for _, c := range seen {
				c[name]++
			}
			open, seen = append(open, token.Copy()), append(seen, counts{})
		case xml.EndElement:
			e, c := open[len(open)-1], seen[len(seen)-1]
			open, seen = open[:len(open)-1], seen[:len(seen)-1]
			for attr, child := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error"} {
				for _, a := range e.Attr {
					if a.Name.Local == attr && a.Value != strconv.Itoa(c[child]) {
						return fmt.Errorf("<%s> says %s %s and lists %d", e.Name.Local, a.Value, attr, c[child])
					}
				}
			}
		}
	}
	return nil
}

func TestJUnit(t *testing.T) {
	folder := t.TempDir()
	writeTemp(t, folder, "soma.toml", "")
	tested := writeTemp(t, folder, "tested.cell", testedProgram)
	broken := writeTemp(t, folder, "broken.cell", brokenProgram)
	status, output := runSoma("test", "--format", "junit", tested, broken, filepath.Join(folder, "nowhere.cell"))
	if status != statusUsage {
		t.Errorf("test exits %d", status)
	}
	if err := checkJUnit(output); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	var all junitSuites
	if err := xml.Unmarshal([]byte(output), &all); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, s := range all.Suites {
		got += fmt.Sprintf("%s %d/%d/%d ", filepath.Base(s.Name), s.Tests, s.Failures, s.Errors)
	}
	if want := "Holds 1/0/0 Fails 4/2/1 Asks 1/0/1 broken.cell 1/0/1 nowhere.cell 1/0/1 "; got != want {
		t.Errorf("the suites are %q, not %q", got, want)
	}
	if out := all.Suites[0].Output; out != "<1> & \\u{1}\n" {
		t.Errorf("what was printed is %q", out)
	}
	for _, file := range exampleFiles(t) {
		status, output := runSoma("test", "--format", "junit", file)
		if err := checkJUnit(output); err != nil || status != statusOK {
			t.Errorf("%s: %v, exits %d", file, err, status)
		}
	}
}

// The check of the shape can say no.
func TestJUnitShapeRefuses(t *testing.T) {
	suite := `<testsuites tests="1" failures="0" errors="0"><testsuite name="a" tests="1" failures="0" errors="0">%s</testsuite></testsuites>`
	for text, reason := range map[string]string{
		`<testsuite name="a" tests="0" failures="0" errors="0"/>`:     "is the root",
		`<testsuites tests="1" failures="0" errors="0"/>`:             "says 1 tests and lists 0",
		fmt.Sprintf(suite, `<testcase name="a"/>`):                    "lacks classname",
		fmt.Sprintf(suite, `<case/>`):                                 "unknown",
		fmt.Sprintf(suite, `<failure message="m"/>`):                  "stands in <testsuite>",
		fmt.Sprintf(suite, `<testcase name="a" classname="b" x=""/>`): "has x",
	} {
		if err := checkJUnit(text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, wanted …%s…", text, err, reason)
		}
	}
}

// Whatever happens, a format for machines is one document and nothing else.
func TestOneDocumentWhateverHappens(t *testing.T) {
	folder := t.TempDir()
	writeTemp(t, folder, "soma.toml", "")
	broken := writeTemp(t, folder, "broken.cell", brokenProgram)
	empty := writeTemp(t, folder, "empty.cell", "")
	manifest := writeTemp(t, folder, "inner/app.cell", brokenProgram)
	writeTemp(t, folder, "inner/soma.toml", "[package\n")
	for _, command := range []string{"check", "test", "verify"} {
		for _, files := range [][]string{{broken}, {empty}, {manifest}, {"nowhere.cell"}, {folder}, {broken, manifest, "nowhere.cell"}} {
			_, output := runSoma(append([]string{command, "--json"}, files...)...)
			d := json.NewDecoder(strings.NewReader(output))
			var doc struct{ Schema string }
			if err := d.Decode(&doc); err != nil || !strings.HasPrefix(doc.Schema, "soma-") {
				t.Errorf("%s %q: %v\n%s", command, files, err, output)
			}
			if _, err := d.Token(); err != io.EOF {
				t.Errorf("%s %q: there is more than a document\n%s", command, files, output)
			}
		}
	}
}
