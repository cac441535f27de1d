package progen_test

import (
	"fmt"
	"os"
	"testing"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/ir/lower"
	"soma.cell/proofs"
	"soma.cell/proofs/frame"
	"soma.cell/smt/refute"
	"soma.cell/taint"
)

// check gives the errors of the whole check, in the edition that forbids most.
func check(p *progen.Program) (*resolve.Program, []diag.Diagnostic) {
	var files []*syntax.File
	var found []diag.Diagnostic
	for _, f := range p.Files() {
		file, wrong := syntax.Parse(f)
		files, found = append(files, file), append(found, wrong...)
	}
	if errs := errors(found); len(errs) > 0 {
		return nil, errs
	}
	program, found := resolve.Resolve(files, "2027")
	if errs := errors(found); len(errs) > 0 {
		return program, errs
	}
	system := lower.Program(program)
	found, _ = frame.Check(system, proofs.Targets(system, refute.DefaultLimits()))
	return program, errors(append(found, taint.Check(system, "2027").Diagnostics...))
}

func errors(found []diag.Diagnostic) (out []diag.Diagnostic) {
	for _, d := range found {
		if d.Severity == diag.Error {
			out = append(out, d)
		}
	}
	return out
}

func TestProgramsPassTheCheck(t *testing.T) {
	bad := 0
	for seed := range uint64(500) {
		p := progen.New(progen.Seed(seed), progen.Options{Library: true})
		if _, errs := check(p); len(errs) > 0 {
			bad++
			fmt.Println("SEED", seed)
			for _, d := range errs {
				fmt.Printf("  %s %s: %s  [%s]\n", d.Code, d.Span, d.Message, d.Span.Text())
			}
			if true {
				os.WriteFile(fmt.Sprintf("/work/brief/gen/bad%d.cell", seed), []byte(p.Text+"\n//LIB\n"+p.Library), 0o644)
			}
		}
	}
	fmt.Println("BAD", bad)
}
