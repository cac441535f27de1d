package main

import (
	"fmt"
	"io"
	"iter"
	"maps"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"soma.cell/proofs/workers"
)

// reporter is how a command treats one program: as lines, or in a form for machines. Either tells
// by its error how the program fared.
type reporter struct {
	text     func(*program) error
	forms    map[string]form
	oneByOne bool // each program is read when the one before was treated
}

// form is a format for machines: a part for each program, and one document of all parts. A nil
// part stands for a program that could not be treated, as the error says.
type form struct {
	part    func(*program) (any, error)
	failure func(path, message string) any // the part of a program that cannot be read
	write   func(w io.Writer, parts []any) error
}

// Names of formats.
const (
	formText  = "text"
	formJSON  = "json"
	formSARIF = "sarif"
	formJUnit = "junit"
)

// formOf is the format that the options ask for.
func formOf(c *cli.Context, r reporter) (string, error) {
	name := c.String("format")
	switch {
	case c.Bool("json") && name != "" && name != formJSON:
		return "", usageError(twoFormats(name))
	case c.Bool("json"):
		return formJSON, nil
	case name == "":
		return formText, nil
	}
	if _, ok := r.forms[name]; !ok && name != formText {
		return "", usageError(noFormat(name, append([]string{formText}, slices.Sorted(maps.Keys(r.forms))...)))
	}
	return name, nil
}

// eachProgram runs a command over the files named by its arguments, each its own program. The
// worst outcome decides.
func (a *app) eachProgram(c *cli.Context, r reporter) error {
	if err := needArgs(c, 1, -1); err != nil {
		return err
	}
	name, err := formOf(c, r)
	if err != nil {
		return err
	}
	jobs, err := jobsOf(c)
	if err != nil {
		return err
	}
	if r.oneByOne {
		jobs = 1
	}
	all := loaded(c.Args().Slice(), jobs)
	if name == formText {
		return a.inText(all, c.NArg() > 1, r.text)
	}
	return a.inForm(all, r.forms[name])
}

// jobsOf is how many things may be done at the same time: one for each processor, unless the user
// says otherwise.
func jobsOf(c *cli.Context) (int, error) {
	switch n := c.Int("jobs"); {
	case n > 0:
		return n, nil
	case c.IsSet("jobs"):
		return 0, usageError(badJobs)
	}
	return runtime.GOMAXPROCS(0), nil
}

// attempt is a program that was read, or why it could not be.
type attempt struct {
	path string
	p    *program
	err  error
}

// loaded reads programs, some at the same time, and gives them in their order.
func loaded(paths []string, jobs int) iter.Seq2[int, attempt] {
	return func(yield func(int, attempt) bool) {
		for first := 0; first < len(paths); first += jobs {
			some := make([]attempt, min(jobs, len(paths)-first))
			workers.Each(jobs, len(some), func(i int) {
				path := paths[first+i]
				p, err := load(path)
				some[i] = attempt{path, p, err}
			})
			for i, r := range some {
				if !yield(first+i, r) {
					return
				}
			}
		}
	}
}

// inText treats programs as lines, which headings tell apart.
func (a *app) inText(all iter.Seq2[int, attempt], headings bool, text func(*program) error) error {
	var worst error
	for i, r := range all {
		if headings {
			a.heading(i, r.path)
		}
		err := r.err
		if err == nil {
			err = text(r.p)
		}
		if err != nil && err.Error() != "" {
			fmt.Fprintln(a.out, sayError(err.Error()))
		}
		worst = worse(worst, said(err))
	}
	return worst
}

// inForm treats programs as one document, whatever happens.
func (a *app) inForm(all iter.Seq2[int, attempt], f form) error {
	var parts []any
	var worst error
	for _, r := range all {
		var part any
		err := r.err
		if err == nil {
			part, err = f.part(r.p)
		}
		if part == nil && err != nil {
			part = f.failure(r.path, err.Error())
		}
		parts = append(parts, part)
		worst = worse(worst, said(err))
	}
	if err := f.write(a.out, parts); err != nil {
		return err
	}
	return worst
}

// heading names the program that the next lines are about.
func (a *app) heading(i int, path string) {
	if i > 0 {
		fmt.Fprintln(a.out)
	}
	fmt.Fprintln(a.out, programHeading(path))
}
