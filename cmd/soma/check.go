package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
)

func (a *app) check(c *cli.Context) error {
	repaired := func(p *program, w io.Writer) (*program, error) {
		if !c.Bool("fix") {
			return p, nil
		}
		changed, err := repairFiles(w, p.findings)
		if err != nil || !changed {
			return p, err
		}
		return load(p.name)
	}
	return a.eachProgram(c, reporter{
		text: func(p *program) error {
			p, err := repaired(p, a.out)
			if err != nil {
				return err
			}
			renderDiagnostics(a.out, p.findings)
			return verdictOf(p)
		},
		json: func(p *program) (any, error) {
			p, err := repaired(p, io.Discard)
			if err != nil {
				return nil, err
			}
			return checkDocOf(schemaCheck, p), verdictOf(p)
		},
		failure: func(path, message string) any { return failureDoc(schemaCheck, path, message) },
	})
}

// verdictOf is how a check of the program ends.
func verdictOf(p *program) error {
	if p.sound() {
		return nil
	}
	return errFailed
}

// checkDocOf is the findings as a document of a schema: other commands answer with it for a
// program that fails the check.
func checkDocOf(schema string, p *program) checkDoc {
	return checkDoc{Schema: schema, File: p.name, OK: p.sound(), findingsDoc: findingsOf(p.findings)}
}

// failureDoc is the document for a program that cannot be read.
func failureDoc(schema, path, message string) checkDoc {
	return checkDoc{Schema: schema, File: path, Failure: message, findingsDoc: findingsOf(nil)}
}

// reporter is how a command treats one program: as lines, or as a document. Either tells by
// its error how the program fared; a nil document stands for one that tells the error.
type reporter struct {
	text    func(*program) error
	json    func(*program) (any, error)
	failure func(path, message string) any // the document for a program that cannot be read
}

// eachProgram runs a command over the files named by its arguments, each its own program. The
// worst outcome decides.
func (a *app) eachProgram(c *cli.Context, r reporter) error {
	if err := needArgs(c, 1, -1); err != nil {
		return err
	}
	paths, asJSON := c.Args().Slice(), c.Bool("json")
	var docs []any
	var worst error
	for i, path := range paths {
		var err error
		if asJSON {
			var doc any
			doc, err = r.document(path)
			docs = append(docs, doc)
		} else {
			if len(paths) > 1 {
				a.heading(i, path)
			}
			if err = r.print(path); err != nil && err.Error() != "" {
				fmt.Fprintln(a.out, sayError(err.Error()))
			}
		}
		worst = worse(worst, said(err))
	}
	if asJSON {
		if err := writeJSON(a.out, docs); err != nil {
			return err
		}
	}
	return worst
}

// print treats a program as lines.
func (r *reporter) print(path string) error {
	p, err := load(path)
	if err != nil {
		return err
	}
	return r.text(p)
}

// document treats a program as a document, whatever happens.
func (r *reporter) document(path string) (any, error) {
	p, err := load(path)
	if err != nil {
		return r.failure(path, err.Error()), err
	}
	doc, err := r.json(p)
	if doc == nil && err != nil {
		doc = r.failure(path, err.Error())
	}
	return doc, err
}

// heading names the program that the next lines are about.
func (a *app) heading(i int, path string) {
	if i > 0 {
		fmt.Fprintln(a.out)
	}
	fmt.Fprintln(a.out, programHeading(path))
}
