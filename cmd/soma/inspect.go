package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"soma.cell/frontend/builtin"
	"soma.cell/ir"
	"soma.cell/ir/effects"
)

// The commands that show a program without judging it beyond the check.

// inspected loads the program of the first of low to high arguments; one that fails the check is
// reported as the check does, and the error is errFailed then.
func (a *app) inspected(c *cli.Context, low, high int) (*program, error) {
	if err := needArgs(c, low, high); err != nil {
		return nil, err
	}
	p, err := load(c.Args().First())
	if err != nil {
		return nil, err
	}
	if !p.sound() {
		renderDiagnostics(a.out, p.findings)
		return nil, errFailed
	}
	return p, nil
}

func (a *app) skeleton(c *cli.Context) error {
	p, err := a.inspected(c, 1, 2)
	if err != nil {
		return err
	}
	cell, signal, _ := strings.Cut(c.Args().Get(1), ".")
	if c.Bool("infer") {
		return a.infer(p, cell)
	}
	k := newContracts(p.system, p.name)
	found := false
	for _, rc := range p.resolved.Cells {
		if cell != "" && rc.Name != cell {
			continue
		}
		if found {
			k.blank()
		}
		found = k.cell(rc, signal) || found
	}
	if !found {
		return usageError(noSignal(c.Args().Get(1)))
	}
	fmt.Fprint(a.out, k.String())
	return nil
}

// infer prints the plain cells, or the one of that name, as skeleton and flesh.
func (a *app) infer(p *program, cell string) error {
	f := &inference{sys: p.system, graph: effects.NewGraph(p.system)}
	for _, c := range p.resolved.Cells {
		if c.Flesh != nil || cell != "" && c.Name != cell {
			continue
		}
		if f.Len() > 0 {
			f.blank()
		}
		f.cell(c)
	}
	if f.Len() == 0 {
		return usageError(nothingToInfer(cell))
	}
	fmt.Fprint(a.out, f.String())
	return nil
}

func (a *app) describe(c *cli.Context) error {
	builtins, faces, system, asJSON := c.Bool("builtins"), c.Bool("faces"), c.Bool("ir"), c.Bool("json")
	if builtins && faces || faces && system || system && builtins {
		return usageError(oneView)
	}
	switch {
	case builtins:
		return a.describeBuiltins(c)
	case system && asJSON:
		return usageError(noJSONOfSystem)
	case asJSON:
		return a.eachProgram(c, reporter{forms: map[string]form{formJSON: {
			part: func(p *program) (any, error) {
				if !p.sound() {
					return checkDocOf(schemaDescribe, p), errFailed
				}
				doc := describeProgram(p.name, p.resolved)
				if faces {
					doc = doc.contracts()
				}
				return doc, nil
			},
			failure: func(path, message string) any { return failureDoc(schemaDescribe, path, message) },
			write:   writeJSON,
		}}})
	}
	p, err := a.inspected(c, 1, 1)
	if err != nil {
		return err
	}
	doc := describeProgram(p.name, p.resolved)
	switch {
	case system:
		return ir.Print(a.out, p.system)
	case faces:
		fmt.Fprint(a.out, doc.faces())
	default:
		fmt.Fprint(a.out, doc.text())
	}
	return nil
}

// builtinsDoc is the document of the builtins.
type builtinsDoc struct {
	Schema   string       `json:"schema"`
	Builtins []builtinDoc `json:"builtins"`
}

type builtinDoc struct {
	Name       string   `json:"name"`
	Signatures []string `json:"signatures"` // the ways to call it
	Class      string   `json:"class"`
	Doc        string   `json:"doc"`
}

// describeBuiltins shows the builtins that the toolkit knows, in order of name.
func (a *app) describeBuiltins(c *cli.Context) error {
	if err := needArgs(c, 0, 0); err != nil {
		return err
	}
	doc := builtinsDoc{Schema: schemaBuiltins, Builtins: []builtinDoc{}}
	for _, b := range builtin.All() {
		doc.Builtins = append(doc.Builtins, builtinDoc{b.Name, b.Signatures(), string(b.Class), b.Doc})
	}
	if c.Bool("json") {
		return writeJSON(a.out, []any{doc})
	}
	for _, b := range doc.Builtins {
		fmt.Fprintf(a.out, "%s\n    %s (%s)\n", strings.Join(b.Signatures, "\n"), b.Doc, b.Class)
	}
	return nil
}

func (a *app) graph(c *cli.Context) error {
	p, err := a.inspected(c, 1, 2)
	if err != nil {
		return err
	}
	cells, err := machinesNamed(p.system, c.Args().Get(1))
	if err != nil {
		return err
	}
	dot, err := drawMachines(p.system, cells)
	if err != nil {
		return err
	}
	if path := c.String("output"); path != "" {
		return writeFile(path, []byte(dot))
	}
	fmt.Fprint(a.out, dot)
	return nil
}
