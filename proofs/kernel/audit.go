// Package kernel re-checks certificates. It shares no evaluator, no generator of conditions and
// no parser with the prover: what it has in common with it are the transition system and the
// terms as data, and docs/conditions.md and docs/certificates.md as contracts.
//
// An audit derives from the system which obligations there must be and what each claims, and
// refuses any other list. Then it checks the evidence of each: conditions by refutations
// (refutation.go, rules.go), properties by labellings (labelling.go), frames and termination
// by deriving them again. A rule that it does not know fails.
//
// The kernel never panics on a certificate, however hostile, and all its work is bounded by the
// size of the document or by an explicit budget.
package kernel

import (
	"math"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
)

// auditor holds what an audit has established so far.
type auditor struct {
	certificate *cert.Certificate
	system      *ir.System
	generator   *generator
	machines    map[*ir.Cell]*machineGraphs
	budget      *budget
	listing     int // questions so far
	most        int // questions: more are not listed
	facts       map[*ir.Cell][]*fact
	effects     map[*ir.Cell][]place
	moving      map[*ir.Cell][]place // the moves of a cell's machine
	callees     map[*ir.Automaton][]*ir.Automaton
	dead        map[string]bool // the ids of dead-code obligations; nil until they are asked for
	literals    map[string]bool // the texts of all bodies; nil until they are asked for
	unknown     bool            // some body does what is not known
	untrusted   bool            // some body asks a model or a remote server, or lets a model call tools
}

func newAuditor(c *cert.Certificate, s *ir.System) *auditor {
	a := &auditor{certificate: c, system: s, machines: map[*ir.Cell]*machineGraphs{}, budget: &budget{maxWork},
		most: math.MaxInt, facts: map[*ir.Cell][]*fact{}, effects: map[*ir.Cell][]place{}, moving: map[*ir.Cell][]place{}, callees: map[*ir.Automaton][]*ir.Automaton{}}
	a.generator = newGenerator(s, a.budget)
	for _, c := range s.Cells {
		a.effects[c] = places(c)
		for _, p := range a.effects[c] {
			switch f := p.effect.(type) {
			case *ir.Unknown:
				a.unknown = true
			case *ir.Act:
				a.untrusted = a.untrusted || f.Class == "model" || f.Class == "net" || len(f.Tools) > 0
			}
		}
	}
	return a
}

// Audit checks a certificate.
func Audit(c *cert.Certificate) *Report {
	r := &Report{Tool: c.Tool, Sources: c.Sources, Assumptions: c.Assumptions}
	for _, s := range c.Sources {
		if err := checkSource(s); err != nil {
			r.Errors = append(r.Errors, err)
		}
	}
	if !slices.Equal(c.Assumptions, cert.Assumptions()) {
		r.Errors = append(r.Errors, errAssumptions())
	}
	system, err := readSystem(c.System)
	if err != nil {
		r.Errors = append(r.Errors, err)
		return r
	}
	newAuditor(c, system).audit(r)
	return r
}

// audit adds to a report what becomes of the obligations.
func (a *auditor) audit(r *Report) {
	obligations := a.certificate.Obligations
	a.most = len(obligations) + 1
	questions, err := a.questions()
	if err == nil && !a.budget.spend(0) {
		err = errWork()
	}
	if err == nil {
		err = sameList(obligations, questions)
	}
	if err != nil {
		r.Errors = append(r.Errors, err)
		return
	}
	// Facts come first: where one is not proven, nothing counts that may assume it.
	results := make([]Result, len(questions))
	for i, q := range questions {
		if q.Kind != cert.FactKind {
			continue
		}
		results[i] = q.judge(obligations[i])
		switch err := results[i].Err; {
		case !a.budget.spend(1):
			r.Errors = append(r.Errors, errWork())
			return
		case results[i].Outcome != Checked:
			r.Errors = append(r.Errors, errFact(obligations[i].ID, err))
			return
		}
	}
	for i, q := range questions {
		if !a.budget.spend(1) {
			results = results[:i]
			break
		}
		if q.Kind != cert.FactKind {
			results[i] = q.judge(obligations[i])
		}
	}
	r.Results = results
	if !a.budget.spend(0) {
		r.Errors = append(r.Errors, errWork())
	}
}

// sameList tells whether the obligations are those that there must be, in order.
func sameList(obligations []*cert.Obligation, questions []*question) *Error {
	given := map[string]bool{}
	for _, o := range obligations {
		if given[o.ID] {
			return errTwice(o.ID)
		}
		given[o.ID] = true
	}
	wanted := map[string]bool{}
	for _, q := range questions {
		wanted[q.ID] = true
		if !given[q.ID] {
			return errMissing(q.ID)
		}
	}
	for i, o := range obligations {
		if !wanted[o.ID] {
			return errExtra(o.ID)
		}
		if o.ID != questions[i].ID {
			return errOrder(o.ID)
		}
	}
	return nil
}

// question is an obligation that there must be. Its answer is checked by evidence, which gives
// the class that the evidence establishes.
type question struct {
	cert.Obligation // without verdict, reason and evidence
	// proven and refuted check the evidence of such a verdict; nil when none is needed for it
	// (refuted: nothing rests on it) or none can give it (proven).
	proven, refuted func(e *cert.Evidence) (cert.Class, *Error)
	// runtime tells whether the runtime refuses what would break the claim.
	runtime bool
	// must tells that no verdict but proven will do.
	must bool
}

// judge checks an obligation against its question.
func (q *question) judge(o *cert.Obligation) Result {
	r := Result{ID: o.ID, Claim: o.Claim, Verdict: o.Verdict, Class: cert.NoEvidence, Rule: o.Evidence.Rule}
	var err *Error
	if err = q.sameClaim(o); err == nil {
		r.Class, err = q.verdict(o)
	}
	switch {
	case err != nil:
		r.Outcome, r.Err, r.Class = Failed, err, cert.NoEvidence
	case r.Class == cert.KernelChecked:
		r.Outcome = Checked
	case r.Class == cert.NoEvidence:
		r.Outcome = Open
	default:
		r.Outcome = Trusted
	}
	return r
}

func (q *question) sameClaim(o *cert.Obligation) *Error {
	sameSite := q.Site == nil && o.Site == nil || q.Site != nil && o.Site != nil && *q.Site == *o.Site
	if o.Kind != q.Kind || o.Cell != q.Cell || o.Handler != q.Handler || o.Claim != q.Claim || !sameSite {
		return errClaim(q.Claim)
	}
	return nil
}

func (q *question) verdict(o *cert.Obligation) (cert.Class, *Error) {
	if q.must && o.Verdict != cert.Proven {
		return "", errVerdict(o.Verdict)
	}
	check := q.proven
	switch o.Verdict {
	case cert.Proven:
		if o.Reason != "" {
			return "", errReason()
		}
		if check == nil {
			return "", errNoCondition()
		}
	case cert.Refuted:
		check = q.refuted
	case cert.Unknown:
		check = nil
	case cert.RuntimeChecked:
		if !q.runtime {
			return "", errVerdict(o.Verdict)
		}
		check = nil
	default:
		return "", errVerdict(o.Verdict)
	}
	if check == nil {
		return cert.NoEvidence, noEvidence(&o.Evidence)
	}
	class, err := check(&o.Evidence)
	if err == nil && class != o.Evidence.Class {
		err = errClass(o.Evidence.Class, class)
	}
	return class, err
}

// noEvidence: what is not proven has none.
func noEvidence(e *cert.Evidence) *Error {
	if e.Rule != cert.ByNothing || e.Class != cert.NoEvidence {
		return errRule(e.Rule)
	}
	return nil
}
