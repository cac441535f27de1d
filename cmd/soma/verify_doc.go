package main

import (
	"soma.cell/proofs"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// verifyDoc is the document of soma verify for a program that passed the check.
type verifyDoc struct {
	Schema      string          `json:"schema"`
	File        string          `json:"file"`
	OK          bool            `json:"ok"`
	Outcome     string          `json:"outcome"`
	Machines    []blockDoc      `json:"machines"`
	Invariants  []blockDoc      `json:"invariants"`
	Temporal    []blockDoc      `json:"temporal"`
	Passed      int             `json:"passed"`
	Open        int             `json:"open"`
	Failed      int             `json:"failed"`
	Evidence    evidenceDoc     `json:"evidence"`
	Obligations []obligationDoc `json:"obligations"`
	findingsDoc
}

type blockDoc struct {
	Cell    string           `json:"cell"`
	Machine string           `json:"machine"`
	Lines   []verdictLineDoc `json:"lines"`
}

type verdictLineDoc struct {
	Verdict string   `json:"verdict"`
	Text    string   `json:"text"`
	Details []string `json:"details"`
	placeDoc
}

type evidenceDoc struct {
	Obligations   int `json:"obligations"`
	KernelChecked int `json:"kernel_checked"`
	SolverTrusted int `json:"solver_trusted"`
	EngineTrusted int `json:"engine_trusted"`
}

type obligationDoc struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Cell     string `json:"cell"`
	Handler  string `json:"handler"`
	Claim    string `json:"claim"`
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason"`
	Evidence string `json:"evidence"`
	Rule     string `json:"rule"`
	placeDoc
	Counterexample *counterexampleDoc `json:"counterexample,omitempty"`
	Measure        string             `json:"measure,omitempty"` // that falls, so that a body ends
	Run            *cert.Run          `json:"run,omitempty"`     // that took an edge
	Told           string             `json:"told,omitempty"`    // a fact, in the names of the source
}

func verifyDocOf(p *program, r *proven, end outcome) verifyDoc {
	all := append(append(append([]proofs.Block(nil), r.report.Machines...), r.report.Invariants...), r.report.Temporal...)
	c := proofs.Count(all)
	doc := verifyDoc{
		Schema: schemaVerify, File: p.name, OK: end == verifyOK, Outcome: end.word(),
		Machines: blockDocs(r.report.Machines), Invariants: blockDocs(r.report.Invariants), Temporal: blockDocs(r.report.Temporal),
		Passed: c.Passed, Open: c.Open, Failed: c.Failed,
		Evidence: countEvidence(r.report.Obligations), Obligations: []obligationDoc{},
		findingsDoc: findingsOf(append(p.findings, r.notes...)),
	}
	for _, o := range r.report.Obligations {
		doc.Obligations = append(doc.Obligations, obligationDoc{
			o.ID, string(o.Kind), o.Cell, o.Handler, o.Claim, o.Verdict.String(), o.Reason,
			o.Evidence.Class.String(), o.Evidence.Rule, placeOf(o.Span), counterexampleDocOf(o.Counter), measureOf(o), runOfEdge(o), o.Told,
		})
	}
	return doc
}

func blockDocs(blocks []proofs.Block) []blockDoc {
	out := []blockDoc{}
	for _, b := range blocks {
		doc := blockDoc{Cell: b.Cell, Machine: b.Machine, Lines: []verdictLineDoc{}}
		for _, l := range b.Lines {
			details := l.Details
			if details == nil {
				details = []string{}
			}
			doc.Lines = append(doc.Lines, verdictLineDoc{markWord(l.Mark), l.Text, details, placeOf(l.Span)})
		}
		out = append(out, doc)
	}
	return out
}

func markWord(m proofs.Mark) string {
	switch m {
	case proofs.Passed:
		return "proven"
	case proofs.Failed:
		return "refuted"
	case proofs.Remarked:
		return "remark"
	}
	return "open"
}

// countEvidence counts all obligations, and the proven ones by the class of their evidence.
func countEvidence(list []obligation.Obligation) evidenceDoc {
	doc := evidenceDoc{Obligations: len(list)}
	for _, o := range list {
		if o.Verdict != obligation.Proven {
			continue
		}
		switch o.Evidence.Class {
		case obligation.KernelChecked:
			doc.KernelChecked++
		case obligation.SolverTrusted:
			doc.SolverTrusted++
		case obligation.EngineTrusted:
			doc.EngineTrusted++
		}
	}
	return doc
}

// measureOf is what falls in the loops and calls of a body that is shown to end, "" of anything else.
func measureOf(o obligation.Obligation) string {
	measure, _ := o.Evidence.Data.(string)
	if o.Verdict != obligation.Proven || o.Kind != obligation.Termination {
		return ""
	}
	return measure
}
