package main

import (
	"errors"

	"soma.cell/frontend/diag"
	"soma.cell/frontend/project"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/frontend/types"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs"
	"soma.cell/proofs/cost"
	"soma.cell/proofs/frame"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/termination"
	"soma.cell/smt/refute"
	"soma.cell/taint"
)

// program is a program as far as the check brings it: every command starts from one.
type program struct {
	name     string // the entry file, as messages show it
	project  *project.Project
	resolved *resolve.Program
	system   *ir.System              // nil when the check found errors before lowering
	findings []diag.Diagnostic       // of the whole check, in source order
	static   []obligation.Obligation // decided by the check: frames, flows, termination
	limits   []cost.Judgement        // the limits of sections cost
	choices  []taint.Choice          // where untrusted values choose among values of the program
}

// load reads a program and checks it. The error is a usageError: what cannot be read. What is
// wrong inside of a program stands in its findings.
func load(path string) (*program, error) {
	return loadExplained(path, project.Disk{})
}

// loadExplained is load on files that may differ from the disk's.
func loadExplained(path string, files project.Folders) (*program, error) {
	p, err := loadFrom(path, files)
	if err != nil {
		return nil, err
	}
	p.findings = p.project.ExplainFlesh(p.findings, files)
	return p, nil
}

// loadFrom is load on some part of a file system.
func loadFrom(path string, files project.Files) (*program, error) {
	read, err := project.Load(path, files)
	if err != nil {
		return nil, loadError(err)
	}
	p := &program{name: read.Entry, project: read}
	p.analyse(read.Files, read.Manifest.Package.Edition, read.Diagnostics)
	return p, nil
}

func loadError(err error) error {
	var e *project.Error
	if errors.As(err, &e) {
		return usageError(e.Error())
	}
	return usageError(cannotRead("the program", err))
}

// analyse resolves, lowers and judges parsed files. Lowering needs a program that is whole: where
// something before it found an error, only what has nothing to do with that is lowered.
func (p *program) analyse(files []*syntax.File, edition string, findings []diag.Diagnostic) {
	resolved, more := resolve.Resolve(files, edition)
	p.resolved = resolved
	p.findings = append(findings, resolve.DropEchoes(files, findings, more)...)
	_, misfits := types.Check(resolved)
	p.findings = append(p.findings, misfits...)
	p.findings = append(p.findings, formulaFindings(resolved)...)
	if p.sound() {
		p.system = lower.Program(resolved)
		p.judge(edition)
	} else {
		p.findings = append(p.findings, findingsOfIntact(files, edition, p.findings)...)
	}
	p.findings = diag.Brief(diag.Sort(p.findings))
}

// findingsOfIntact are the faults of what the bodies do, in the bodies that have nothing to do
// with the errors found before.
func findingsOfIntact(files []*syntax.File, edition string, found []diag.Diagnostic) []diag.Diagnostic {
	part := resolve.Intact(files, edition, found, func(p *resolve.Program) []diag.Diagnostic {
		_, misfits := types.Check(p)
		return misfits
	})
	if part == nil {
		return nil
	}
	system := lower.Program(part.Program)
	more, _ := frame.Check(system, proofs.Targets(system, refute.DefaultLimits()))
	var out []diag.Diagnostic
	for _, d := range append(more, taint.Check(system, edition).Diagnostics...) {
		if (d.Severity == diag.Error || d.Code == diag.UntrustedValueSoon) && part.Speaks(d.Span) {
			out = append(out, d)
		}
	}
	return out
}

// judge runs the analyses of the check that work on the transition system.
func (p *program) judge(edition string) {
	found, obligations := frame.Check(p.system, proofs.Targets(p.system, refute.DefaultLimits()))
	flows := taint.Check(p.system, edition)
	p.findings = append(append(p.findings, found...), flows.Diagnostics...)
	p.limits = cost.Check(p.system)
	p.choices = flows.Choices
	p.static = append(append(append(p.static, obligations...), flows.Obligations...), termination.Check(p.system)...)
}

// sound tells whether the findings hold no error.
func (p *program) sound() bool {
	errors, _ := diag.Count(p.findings)
	return errors == 0
}
