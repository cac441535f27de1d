package main

import (
	"io"

	"github.com/urfave/cli/v2"
)

func (a *app) check(c *cli.Context) error {
	fix := c.Bool("fix")
	return a.eachProgram(c, reporter{
		// Programs may share files: a later one must see what was repaired before.
		oneByOne: fix,
		text: func(p *program) error {
			var err error
			if fix {
				if p, err = repaired(a.out, p); err != nil {
					return err
				}
			}
			renderDiagnostics(a.out, p.findings)
			return verdictOf(p)
		},
		forms: map[string]form{
			formJSON: {
				part: repairing(fix, func(p *program) (any, error) {
					return checkDocOf(schemaCheck, p), verdictOf(p)
				}),
				failure: func(path, message string) any { return failureDoc(schemaCheck, path, message) },
				write:   writeJSON,
			},
			formSARIF: sarifForm(repairing(fix, func(p *program) (any, error) {
				return findingResults(p.findings), verdictOf(p)
			})),
		},
	})
}

// repairing is a part of a document that is about the program after its repair.
func repairing(fix bool, part func(*program) (any, error)) func(*program) (any, error) {
	if !fix {
		return part
	}
	return func(p *program) (any, error) {
		p, err := repaired(io.Discard, p)
		if err != nil {
			return nil, err
		}
		return part(p)
	}
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
