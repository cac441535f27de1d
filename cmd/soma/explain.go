package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
)

// The names under which the examples of the table are shown.
const (
	wrongName = "wrong.cell"
	rightName = "right.cell"
)

func (a *app) explain(c *cli.Context) error {
	if err := needArgs(c, 0, 1); err != nil {
		return err
	}
	if c.NArg() == 0 {
		for _, e := range diag.Table() {
			fmt.Fprintf(a.out, "%s  %-28s %s\n", e.Code, e.Name, e.Rule)
		}
		return nil
	}
	asked := c.Args().First()
	entry, ok := entryOf(asked)
	if !ok {
		return usageError(unknownCode(asked, nearest(asked)))
	}
	return explainEntry(a.out, entry)
}

// entryOf finds an entry by its code, in either case, or by its name.
func entryOf(asked string) (diag.Entry, bool) {
	if e, ok := diag.Lookup(diag.Code(strings.ToUpper(asked))); ok {
		return e, true
	}
	for _, e := range diag.Table() {
		if e.Name == strings.ToLower(asked) {
			return e, true
		}
	}
	return diag.Entry{}, false
}

// explainEntry lays an entry out: the rule, a program that breaks it, what the check prints,
// and the repair.
func explainEntry(w io.Writer, e diag.Entry) error {
	example, err := checkText(wrongName, e.Wrong, e.Edition)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %s\n\n%s\n", e.Code, e.Name, e.Rule)
	if e.Page != "" {
		fmt.Fprintf(w, "\n%s\n", e.Page)
	}
	fmt.Fprintf(w, "\nA program that triggers it\n")
	if e.Edition != "" {
		fmt.Fprintf(w, "\nsoma.toml\n\n%s", excerpt(editionManifest(e.Edition)))
	}
	fmt.Fprintf(w, "\n%s\n\n%s", wrongName, excerpt(e.Wrong))
	fmt.Fprintf(w, "\nWhat soma check prints:\n\n$ soma check %s\n", wrongName)
	renderDiagnostics(w, example.findings)
	fmt.Fprintf(w, "\nThe repair\n\n%s", excerpt(unifiedDiff(wrongName, e.Wrong, rightName, e.Right)))
	return nil
}

// The part of a long example that is shown: some examples are long because length is what
// they are about.
const (
	maxExampleLines = 60
	maxExampleWidth = 200
)

// excerpt indents a text and cuts what is too long to read.
func excerpt(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if i == maxExampleLines {
			b.WriteString("    …\n")
			break
		}
		shown := []rune(printable(line))
		if len(shown) > maxExampleWidth {
			shown = append(shown[:maxExampleWidth], '…')
		}
		b.WriteString(strings.TrimRight("    "+string(shown), " ") + "\n")
	}
	return b.String()
}

// nearest are the entries that what was typed most likely meant: one whose name is like it, and
// those whose codes differ least.
func nearest(asked string) []string {
	const wanted = 3
	table := slices.Clone(diag.Table())
	code := strings.ToUpper(asked)
	slices.SortStableFunc(table, func(a, b diag.Entry) int {
		return cmp.Compare(distance(code, string(a.Code)), distance(code, string(b.Code)))
	})
	var names, out []string
	for _, e := range table {
		names = append(names, e.Name)
	}
	if e, ok := entryOf(near.Find(strings.ToLower(asked), names).Name); ok {
		out = append(out, fmt.Sprintf("%s %s", e.Code, e.Name))
	}
	for _, e := range table[:min(wanted, len(table))] {
		if text := fmt.Sprintf("%s %s", e.Code, e.Name); !slices.Contains(out, text) && len(out) < wanted {
			out = append(out, text)
		}
	}
	return out
}

// distance counts the places where two codes differ, weighted so that leading ones count
// most; codes of one area share their first figures.
func distance(a, b string) int {
	d := 0
	for i := range max(len(a), len(b)) {
		d *= 2
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			d++
		}
	}
	return d
}
