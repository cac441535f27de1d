package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"soma.cell/frontend/diag"
	"soma.cell/interp"
	"soma.cell/interp/witness"
	"soma.cell/proofs"
	"soma.cell/proofs/cert"
	"soma.cell/smt"
	"soma.cell/smt/refute"
	"soma.cell/smt/term"
	"soma.cell/smt/z3"
)

// verification is what the options of soma verify ask for.
type verification struct {
	strict     bool
	verbose    bool
	machine    string   // only this machine; "" is all
	properties []string // ad hoc formulas
	timeout    time.Duration
	certFile   string
	scripts    string // the folder for scripts; "" is none
	tests      string // the file for tests of what is refused; "" is none
	jobs       int
}

func (a *app) verify(c *cli.Context) error {
	v := verification{
		strict: c.Bool("strict"), verbose: c.Bool("verbose"), machine: c.String("machine"),
		properties: c.StringSlice("property"), timeout: c.Duration("timeout"),
		certFile: c.String("cert"), scripts: c.String("smt2"), tests: c.String("write-test"),
	}
	var err error
	if v.jobs, err = jobsOf(c); err != nil {
		return err
	}
	if v.timeout <= 0 {
		return usageError(badTimeout)
	}
	if (v.certFile != "" || v.scripts != "" || v.tests != "") && c.NArg() > 1 {
		return usageError(oneFileOnly)
	}
	return a.eachProgram(c, reporter{
		text: func(p *program) error { return a.verifyText(c.Context, p, v) },
		forms: map[string]form{
			formJSON: {
				part:    func(p *program) (any, error) { return a.verifyJSON(c.Context, p, v) },
				failure: func(path, message string) any { return failureDoc(schemaVerify, path, message) },
				write:   writeJSON,
			},
			formSARIF: sarifForm(func(p *program) (any, error) { return a.verifyResults(c.Context, p, v) }),
		},
	})
}

func (a *app) verifyText(ctx context.Context, p *program, v verification) error {
	if !p.sound() {
		renderDiagnostics(a.out, p.findings)
		return errFailed
	}
	for _, d := range p.findings {
		renderDiagnostic(a.out, d)
	}
	fmt.Fprintf(a.out, "Verifying %s...\n\n", p.name)
	r, err := a.prove(ctx, p, v)
	var misfit *misfit
	switch {
	case errors.As(err, &misfit):
		renderDiagnostics(a.out, misfit.findings)
		return errFailed
	case err != nil:
		return err
	}
	for _, d := range r.notes {
		renderDiagnostic(a.out, d)
	}
	renderReport(a.out, r.report)
	if v.verbose {
		renderObligations(a.out, r.report.Obligations)
		fmt.Fprintln(a.progress, timing(r))
	}
	_, warnings := diag.Count(p.findings)
	end := judgement(r.report, v.strict, warnings)
	fmt.Fprintln(a.out, end.line())
	return end.err()
}

func (a *app) verifyJSON(ctx context.Context, p *program, v verification) (any, error) {
	if !p.sound() {
		return checkDocOf(schemaVerify, p), errFailed
	}
	r, err := a.prove(ctx, p, v)
	var misfit *misfit
	switch {
	case errors.As(err, &misfit):
		doc := checkDocOf(schemaVerify, p)
		doc.OK, doc.findingsDoc = false, findingsOf(append(p.findings, misfit.findings...))
		return doc, errFailed
	case err != nil:
		return nil, err
	}
	_, warnings := diag.Count(p.findings)
	end := judgement(r.report, v.strict, warnings)
	return verifyDocOf(p, r, end), end.err()
}

// misfit is a failure of properties that do not fit the program.
type misfit struct{ findings []diag.Diagnostic }

func (m *misfit) Error() string { return propertiesDoNotFit }

// proven is what a verification gave.
type proven struct {
	report  *proofs.Report
	notes   []diag.Diagnostic // remarks on the properties
	elapsed time.Duration
	loading time.Duration // of the solver
}

// prove decides the obligations of a sound program and writes the files that were asked for.
// The error is a *misfit, or a usageError.
func (a *app) prove(ctx context.Context, p *program, v verification) (*proven, error) {
	start := a.now()
	q, err := p.questions(v.properties)
	if err != nil {
		return nil, err
	}
	lazy := smt.NewLazy(a.openSolver(v.timeout), a.now)
	defer lazy.Close()
	var queries asked
	var keep func([]smt.Query)
	if v.scripts != "" {
		keep = func(more []smt.Query) { queries = append(queries, more...) }
	}
	replayer := &replayer{program: p.resolved}
	report, err := proofs.Verify(ctx, p.system, proofs.Options{
		Solver: lazy, Jobs: v.jobs, Asked: keep, Refute: refute.DefaultLimits(), Runs: p.runs, Replay: replayer.replay,
		Static: p.static, Limits: p.limits, Choices: p.choices, Properties: q.properties, Sources: p.sources(), Tool: "soma " + version,
	})
	if err != nil {
		return nil, usageError(err.Error())
	}
	report.Temporal = append(report.Temporal, q.undecided()...)
	if err := only(report, v.machine); err != nil {
		return nil, err
	}
	if err := queries.write(v.scripts); err != nil {
		return nil, err
	}
	if v.tests != "" {
		if err := a.writeTests(ctx, p, v.tests, replayer.found); err != nil {
			return nil, err
		}
	}
	if err := writeCertificate(v.certFile, report.Certificate); err != nil {
		return nil, err
	}
	return &proven{report: report, notes: q.findings, elapsed: a.now().Sub(start), loading: lazy.Loading()}, nil
}

// questions gathers the properties of the program, the manifest and the command line.
func (p *program) questions(adHoc []string) (*questions, error) {
	q := &questions{prog: p.resolved}
	q.program()
	if m := p.project.Manifest; p.project.VerifyApplies() {
		q.manifest(&m.Verify)
	} else if !m.Verify.Empty() {
		q.findings = append(q.findings, otherEntry(p.project))
	}
	for _, formula := range adHoc {
		q.adHoc(formula)
	}
	if errors, _ := diag.Count(q.findings); errors > 0 {
		return nil, &misfit{q.findings}
	}
	return q, nil
}

// openSolver opens Z3 with the limits of each query.
func (a *app) openSolver(timeout time.Duration) func() (smt.Solver, error) {
	return func() (smt.Solver, error) {
		path, _ := a.lookup("SOMA_Z3")
		solver, err := z3.Open(path, smt.Limits{Timeout: timeout, MemoryMB: solverMemory})
		if err != nil {
			return nil, err
		}
		return solver, nil
	}
}

// solverMemory bounds what Z3 may allocate, in megabytes.
const solverMemory = 2048

// runs looks for a run of the interpreter to each declared edge.
func (p *program) runs(ctx context.Context, hints []proofs.Suggestion) (map[proofs.Edge]*cert.Run, error) {
	var o witness.Options
	for _, h := range hints {
		s := witness.Suggestion{Cell: h.Cell, Handler: h.Handler, Answers: h.Answers}
		for _, t := range h.Args {
			s.Args = append(s.Args, valueOf(t))
		}
		o.Suggestions = append(o.Suggestions, s)
	}
	out := map[proofs.Edge]*cert.Run{}
	for _, r := range witness.Search(ctx, p.resolved, witness.Goals(p.resolved), o) {
		out[proofs.Edge{Cell: r.Goal.Machine.Cell.Name, From: r.Goal.From, To: r.Goal.To}] = runOf(r)
	}
	return out, nil
}

// valueOf is a literal as the interpreter knows it.
func valueOf(t *term.Term) interp.Value {
	switch t.Op {
	case term.OpInt:
		return interp.BigInt(t.Int)
	case term.OpString:
		return interp.String(t.Name)
	case term.OpFloat:
		return interp.Float(t.Num)
	case term.OpTrue, term.OpFalse:
		return interp.Bool(t.Op == term.OpTrue)
	}
	return interp.Unit{}
}

// runOf is a run as certificates keep it.
func runOf(r witness.Run) *cert.Run {
	out := &cert.Run{From: r.Goal.From, To: r.Goal.To}
	for _, c := range r.Calls {
		call := cert.Call{Cell: c.Cell, Handler: c.Handler, Args: []string{}}
		for _, v := range c.Args {
			call.Args = append(call.Args, interp.Quote(v))
		}
		out.Calls = append(out.Calls, call)
		for _, answer := range c.Answers {
			out.Replies = append(out.Replies, answer.Text)
		}
	}
	return out
}

// sources are the files of the program with their digests.
func (p *program) sources() []cert.Source {
	var out []cert.Source
	for _, f := range p.project.Files {
		sum := sha256.Sum256([]byte(f.Source.Text))
		out = append(out, cert.Source{Name: f.Source.Name, SHA256: hex.EncodeToString(sum[:])})
	}
	return out
}

// only keeps the blocks about one machine and its cell.
func only(r *proofs.Report, machine string) error {
	if machine == "" {
		return nil
	}
	cell := ""
	keep := func(blocks []proofs.Block, fits func(proofs.Block) bool) []proofs.Block {
		var out []proofs.Block
		for _, b := range blocks {
			if fits(b) {
				out = append(out, b)
			}
		}
		return out
	}
	r.Machines = keep(r.Machines, func(b proofs.Block) bool {
		if b.Machine != machine {
			return false
		}
		cell = b.Cell
		return true
	})
	if len(r.Machines) == 0 {
		return usageError(noMachine(machine))
	}
	r.Invariants = keep(r.Invariants, func(b proofs.Block) bool { return b.Cell == cell })
	r.Temporal = keep(r.Temporal, func(b proofs.Block) bool { return b.Machine == machine })
	return nil
}

func writeCertificate(path string, c *cert.Certificate) error {
	if path == "" {
		return nil
	}
	data, err := cert.Encode(c)
	if err != nil {
		return err
	}
	return writeFile(path, data)
}
