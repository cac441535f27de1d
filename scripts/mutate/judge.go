package main

import (
	"bytes"
	"context"

	"soma.cell/ctl"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/frontend/types"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs"
	"soma.cell/proofs/cost"
	"soma.cell/proofs/facts"
	"soma.cell/proofs/frame"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/termination"
	"soma.cell/smt"
	"soma.cell/smt/refute"
	"soma.cell/smt/smtlib"
	"soma.cell/smt/term"
	"soma.cell/taint"
)

const edition = "2026"

// program is a program that passes the check.
type program struct {
	file     *source.File
	resolved *resolve.Program
	system   *ir.System
	static   []obligation.Obligation
}

// read reads a program of one file; nil where something is wrong with its names or types.
func read(f *source.File) *program {
	tree, found := syntax.Parse(f)
	if len(tree.Uses) > 0 || wrong(found) {
		return nil
	}
	p := &program{file: f}
	if p.resolved, found = resolve.Resolve([]*syntax.File{tree}, edition); wrong(found) {
		return nil
	}
	if _, found = types.Check(p.resolved); wrong(found) {
		return nil
	}
	p.system = lower.Program(p.resolved)
	return p
}

// checked reads a program as soma check does; nil where that finds an error.
func checked(f *source.File) *program {
	p := read(f)
	if p == nil {
		return nil
	}
	var found []diag.Diagnostic
	found, p.static = frame.Check(p.system, proofs.Targets(p.system, refute.DefaultLimits()))
	flows := taint.Check(p.system, edition)
	if wrong(append(found, flows.Diagnostics...)) {
		return nil
	}
	p.static = append(append(p.static, flows.Obligations...), termination.Check(p.system)...)
	return p
}

func wrong(found []diag.Diagnostic) bool { return len(diag.Errors(found)) > 0 }

// verify proves what it can of a program. Of each state it is asked whether it is never reached.
// Facts are used only with evidence that the kernel checks, so evidence is sought.
func (p *program) verify(solver smt.Solver) (*proofs.Report, error) {
	o := proofs.Options{Solver: solver, Refute: refute.DefaultLimits(), Static: p.static, Limits: cost.Check(p.system)}
	for _, c := range p.system.Cells {
		if c.Machine != nil {
			for _, s := range c.Machine.States {
				never := ctl.AG(ctl.Not(ctl.Atom(s))).String()
				o.Properties = append(o.Properties, proofs.Property{Cell: c.Name, Title: never, CTL: never, Origin: "program"})
			}
		}
	}
	return proofs.Verify(context.Background(), p.system, o)
}

// passes tells whether the program's own test cells pass, if it has any.
func (p *program) passes() bool {
	o := interp.TestOptions{World: interp.Options{Steps: stepsOfCall}}
	return len(p.resolved.Tests) == 0 || interp.RunTests(context.Background(), p.resolved, o).OK()
}

// memory is a solver that answers a question that it was asked before without asking again:
// most of what is asked of a mutant was asked of its like. Only a search for facts gets more than a
// verdict: it learns from models and cores.
type memory struct {
	smt.Solver
	known map[string]smt.Verdict
}

func (m *memory) Check(ctx context.Context, q smt.Query) (smt.Answer, error) {
	if q.Name == facts.Guess {
		return m.Solver.Check(ctx, q)
	}
	values := make([]*term.Term, len(q.Wanted)) // a model gives none
	q = smt.Query{Assert: q.Assert}
	var text bytes.Buffer
	if err := smtlib.Write(&text, q); err != nil {
		return smt.Answer{}, err
	}
	if v, ok := m.known[text.String()]; ok {
		return smt.Answer{Verdict: v, Values: values}, nil
	}
	a, err := m.Solver.Check(ctx, q)
	if err == nil {
		m.known[text.String()] = a.Verdict
	}
	return smt.Answer{Verdict: a.Verdict, Reason: a.Reason, Values: values}, err
}
