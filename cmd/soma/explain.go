package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/urfave/cli/v2"

	"soma.cell/frontend/diag"
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
	code := strings.ToUpper(c.Args().First())
	entry, ok := diag.Lookup(diag.Code(code))
	if !ok {
		return usageError(unknownCode(code, nearestCodes(code)))
	}
	return explainEntry(a.out, entry)
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

// nearestCodes are the codes that differ least from what was typed.
func nearestCodes(code string) []string {
	const wanted = 3
	var all []string
	for _, e := range diag.Table() {
		all = append(all, string(e.Code))
	}
	sort.SliceStable(all, func(i, j int) bool { return distance(code, all[i]) < distance(code, all[j]) })
	return all[:min(wanted, len(all))]
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
