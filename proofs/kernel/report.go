package kernel

import "soma.cell/proofs/cert"

// Outcome is what became of an obligation.
type Outcome int

// The outcomes. Open says that the certificate claims nothing that could be relied on.
const (
	Failed  Outcome = iota // its evidence does not hold
	Open                   // not proven, and not claimed to be
	Trusted                // proven on the word of a solver or of the engine
	Checked                // the kernel has checked it
)

// String is the outcome in one word.
func (o Outcome) String() string { return [...]string{"failed", "open", "trusted", "checked"}[o] }

// Result is the outcome for one obligation.
type Result struct {
	ID      string
	Claim   string
	Verdict cert.Verdict
	Outcome Outcome
	Class   cert.Class // of the evidence, as established
	Rule    cert.Rule
	Err     *Error // of Failed
}

// Report is the outcome of an audit.
type Report struct {
	Tool    string
	Sources []cert.Source
	// Assumptions are those of the certificate: what all claims take for granted.
	Assumptions []string
	// Errors are about the document as a whole; without a system there are no results.
	Errors  []*Error
	Results []Result // in the order of the certificate
}

// OK tells whether nothing failed.
func (r *Report) OK() bool { return len(r.Errors) == 0 && r.Count(Failed) == 0 }

// Count counts the obligations with an outcome.
func (r *Report) Count(o Outcome) int {
	n := 0
	for _, x := range r.Results {
		if x.Outcome == o {
			n++
		}
	}
	return n
}

// CountClass counts the proven or refuted obligations whose evidence is of a class.
func (r *Report) CountClass(c cert.Class) int {
	n := 0
	for _, x := range r.Results {
		if x.Class == c && x.Outcome >= Trusted {
			n++
		}
	}
	return n
}
