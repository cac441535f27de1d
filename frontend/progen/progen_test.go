package progen_test

import (
	"testing"

	"pgregory.net/rapid"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/frontend/types"
	"soma.cell/ir/lower"
	"soma.cell/proofs"
	"soma.cell/proofs/frame"
	"soma.cell/smt/refute"
	"soma.cell/taint"
)

// resolved parses and resolves a program, in the edition that forbids most, and gives what is
// wrong with it.
func resolved(p *progen.Program) (*resolve.Program, []diag.Diagnostic) {
	var files []*syntax.File
	var found []diag.Diagnostic
	for _, f := range p.Files() {
		file, wrong := syntax.Parse(f)
		files, found = append(files, file), append(found, wrong...)
	}
	if errs := diag.Errors(found); len(errs) > 0 {
		return nil, errs
	}
	program, found := resolve.Resolve(files, "2027")
	return program, diag.Errors(found)
}

// check is the whole check.
func check(p *progen.Program) []diag.Diagnostic {
	program, errs := resolved(p)
	if len(errs) > 0 {
		return errs
	}
	_, misfits := types.Check(program)
	if errs := diag.Errors(misfits); len(errs) > 0 {
		return errs
	}
	system := lower.Program(program)
	found, _ := frame.Check(system, proofs.Targets(system, refute.DefaultLimits()))
	return diag.Errors(append(found, taint.Check(system, "2027").Diagnostics...))
}

// Every program passes the check, whatever features it is drawn from.
func TestProgramsPassTheCheck(t *testing.T) {
	for seed := range uint64(200) {
		o := progen.Options{Library: seed%2 == 0, Size: 1 + int(seed%3)}
		if seed%4 == 3 {
			o.Without = progen.Feature(seed)
		}
		p := progen.New(progen.Seed(seed), o)
		for _, d := range check(p) {
			t.Errorf("seed %d: %s: %s: %s\n%s\n%s", seed, d.Span, d.Code, d.Message, p.Text, p.Library)
		}
	}
}

// What rapid decides shrinks, and what bytes decide repeats; an end of the bytes is no end of
// the program.
func TestSourcesDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := progen.New(progen.Rapid(t), progen.Options{Size: 1})
		if _, errs := resolved(p); len(errs) > 0 {
			t.Fatalf("%s: %s\n%s", errs[0].Span, errs[0].Message, p.Text)
		}
	})
	for _, text := range []string{"", "x", "some bytes", "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8"} {
		one, two := progen.New(progen.Bytes([]byte(text)), progen.Options{}), progen.New(progen.Bytes([]byte(text)), progen.Options{})
		if one.Text != two.Text {
			t.Errorf("the bytes %q give two programs", text)
		}
		if _, errs := resolved(one); len(errs) > 0 {
			t.Errorf("%q: %s: %s\n%s", text, errs[0].Span, errs[0].Message, one.Text)
		}
	}
}
