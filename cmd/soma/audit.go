package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"soma.cell/proofs/cert"
	"soma.cell/proofs/kernel"
)

func (a *app) audit(c *cli.Context) error {
	if err := needArgs(c, 1, 1); err != nil {
		return err
	}
	path, asJSON := c.Args().First(), c.Bool("json")
	r, err := auditFile(path, c.String("source"))
	switch {
	case err != nil && asJSON:
		return worse(said(err), writeJSON(a.out, []any{failedAudit(path, err.Error())}))
	case err != nil:
		return err
	case asJSON:
		err = writeJSON(a.out, []any{auditDocOf(path, r)})
	default:
		renderAudit(a.out, path, r)
	}
	if err == nil && !r.ok() {
		return errFailed
	}
	return err
}

// audited is what an audit found.
type audited struct {
	report *kernel.Report
	// compared tells whether the sources were read again; mismatches are where they differ
	// from what the certificate says of them.
	compared   bool
	mismatches []string
	// undecided are rules that the sources ask for and that no certificate speaks of.
	undecided []string
}

func (r *audited) ok() bool { return r.report.OK() && len(r.mismatches) == 0 }

// auditFile checks a certificate, and against the sources in a folder when one is named. The
// error is a file that cannot be read, or, with the status of a failed audit, one that is no
// certificate.
func auditFile(path, folder string) (*audited, error) {
	data, err := readUpTo(path, cert.MaxSize)
	if err != nil {
		return nil, usageError(cannotRead(path, err))
	}
	c, err := cert.Decode(data)
	if err != nil {
		return nil, &failure{status: statusFailed, message: noCertificate(path, err)}
	}
	r := &audited{report: kernel.Audit(c)}
	if folder != "" {
		r.compared = true
		err = r.compareSources(c, folder)
	}
	return r, err
}

// renderAudit prints what was checked, what is trusted, and what does not hold.
func renderAudit(w io.Writer, path string, r *audited) {
	k := r.report
	fmt.Fprintf(w, "Auditing %s, written by %s...\n\n", printable(path), printable(k.Tool))
	fmt.Fprintln(w, "Sources:")
	for _, s := range k.Sources {
		fmt.Fprintf(w, "  %s  %s\n", s.SHA256, printable(s.Name))
	}
	fmt.Fprintf(w, "  %s\n\nAssumptions:\n", sourcesWord(r.compared))
	for _, s := range k.Assumptions {
		fmt.Fprintf(w, "  %s\n", printable(s))
	}
	renderResults(w, "Trusted, not checked:", k.Results, kernel.Trusted)
	renderResults(w, "Open, not claimed:", k.Results, kernel.Open)
	if len(r.undecided) > 0 {
		fmt.Fprintln(w, "\nAsked for, and decided by nothing:")
		for _, s := range r.undecided {
			fmt.Fprintf(w, "  · %s\n", printable(s))
		}
	}
	renderResults(w, "Does not hold:", k.Results, kernel.Failed)
	for _, e := range k.Errors {
		fmt.Fprintf(w, "  ✗ %s\n", printable(e.Error()))
	}
	for _, m := range r.mismatches {
		fmt.Fprintf(w, "  ✗ %s\n", printable(m))
	}
	fmt.Fprintln(w, "\n"+auditSummary(k))
	fmt.Fprintln(w, auditVerdict(r.ok()))
}

func renderResults(w io.Writer, title string, results []kernel.Result, outcome kernel.Outcome) {
	titled := false
	for _, x := range results {
		if x.Outcome != outcome {
			continue
		}
		if !titled {
			fmt.Fprintf(w, "\n%s\n", title)
			titled = true
		}
		switch {
		case outcome == kernel.Failed:
			fmt.Fprintf(w, "  ✗ %s: %s — %s\n", printable(x.ID), printable(x.Claim), printable(x.Err.Error()))
		case outcome == kernel.Open:
			fmt.Fprintf(w, "  · %s: %s (%s)\n", printable(x.ID), printable(x.Claim), x.Verdict)
		default:
			fmt.Fprintf(w, "  · %s: %s (%s by %s)\n", printable(x.ID), printable(x.Claim), x.Class, x.Rule)
		}
	}
}

// auditDoc is the document of soma audit.
type auditDoc struct {
	Schema      string           `json:"schema"`
	File        string           `json:"file"`
	OK          bool             `json:"ok"`
	Failure     string           `json:"failure,omitempty"`
	Tool        string           `json:"tool"`
	Assumptions []string         `json:"assumptions"`
	Compared    bool             `json:"sources_compared"`
	Mismatches  []string         `json:"mismatches"`
	Undecided   []string         `json:"undecided"`
	Evidence    evidenceDoc      `json:"evidence"`
	Results     []auditResultDoc `json:"results"`
}

type auditResultDoc struct {
	ID       string `json:"id"`
	Claim    string `json:"claim"`
	Verdict  string `json:"verdict"`
	Outcome  string `json:"outcome"`
	Evidence string `json:"evidence"`
	Error    string `json:"error"`
}

// failedAudit is the document for a file that holds no certificate.
func failedAudit(path, message string) auditDoc {
	return auditDoc{
		Schema: schemaAudit, File: path, Failure: message,
		Assumptions: []string{}, Mismatches: []string{}, Undecided: []string{}, Results: []auditResultDoc{},
	}
}

func auditDocOf(path string, r *audited) auditDoc {
	k := r.report
	doc := failedAudit(path, "")
	doc.OK, doc.Tool, doc.Compared = r.ok(), k.Tool, r.compared
	doc.Assumptions = append(doc.Assumptions, k.Assumptions...)
	for _, e := range k.Errors {
		doc.Mismatches = append(doc.Mismatches, e.Error())
	}
	doc.Mismatches = append(doc.Mismatches, r.mismatches...)
	doc.Undecided = append(doc.Undecided, r.undecided...)
	doc.Evidence = evidenceDoc{
		Obligations: len(k.Results), KernelChecked: k.CountClass(cert.KernelChecked),
		SolverTrusted: k.CountClass(cert.SolverTrusted), EngineTrusted: k.CountClass(cert.EngineTrusted),
	}
	for _, x := range k.Results {
		result := auditResultDoc{x.ID, x.Claim, string(x.Verdict), x.Outcome.String(), string(x.Class), ""}
		if x.Err != nil {
			result.Error = x.Err.Error()
		}
		doc.Results = append(doc.Results, result)
	}
	return doc
}
