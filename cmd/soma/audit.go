package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"soma.cell/frontend/project"
	"soma.cell/ir"
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
}

func (r *audited) ok() bool { return r.report.OK() && len(r.mismatches) == 0 }

// auditFile checks a certificate, and against the sources in a folder when one is named. The
// error is a file that cannot be read, or, with the status of a failed audit, one that is no
// certificate.
func auditFile(path, folder string) (*audited, error) {
	data, err := os.ReadFile(path)
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
		r.mismatches, err = compareSources(c, folder)
	}
	return r, err
}

// compareSources reads the program of a certificate again, from a folder that stands for the
// one in which it was verified, and lowers it again.
func compareSources(c *cert.Certificate, folder string) (mismatches []string, err error) {
	files := rooted{folder}
	for _, s := range c.Sources {
		text, err := files.ReadFile(s.Name)
		if err != nil {
			return nil, usageError(cannotRead(filepath.Join(folder, s.Name), err))
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != s.SHA256 {
			mismatches = append(mismatches, otherSource(s.Name))
		}
	}
	if len(c.Sources) == 0 {
		return []string{noSources}, nil
	}
	if len(mismatches) > 0 {
		return mismatches, nil
	}
	p, err := loadFrom(c.Sources[0].Name, files)
	if err != nil {
		return nil, err
	}
	if p.system == nil {
		return []string{failsCheck(p.name)}, nil
	}
	again, err := ir.Encode(p.system)
	if err != nil {
		return nil, err
	}
	var claimed bytes.Buffer
	if err := json.Compact(&claimed, c.System); err != nil || !bytes.Equal(claimed.Bytes(), again) {
		mismatches = append(mismatches, otherSystem)
	}
	return mismatches, nil
}

// rooted is a part of the disk: the names of a program's files inside of a folder.
type rooted struct{ folder string }

func (r rooted) Stat(name string) (os.FileInfo, error) { return os.Stat(filepath.Join(r.folder, name)) }
func (r rooted) ReadFile(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(r.folder, name))
}
func (r rooted) Abs(name string) (string, error) { return filepath.Abs(filepath.Join(r.folder, name)) }

var _ project.Files = rooted{}

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
		Assumptions: []string{}, Mismatches: []string{}, Results: []auditResultDoc{},
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
