package proofs

import (
	"bytes"
	"errors"
	"slices"

	"soma.cell/proofs/cert"
	"soma.cell/proofs/facts"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/proofs/workers"
	"soma.cell/smt"
	"soma.cell/smt/refute"
	"soma.cell/smt/smtlib"
	"soma.cell/smt/term"
)

// answer is what became of a condition.
type answer struct {
	verdict obligation.Verdict // Proven, Refuted (there is a model), or Unknown
	reason  string             // of Unknown
	class   obligation.Class
	rule    cert.Rule
	refuted *cert.Refutation
	script  *cert.Script
	values  []*term.Term // of Refuted: a literal per wanted term, or nil
}

// task decides conditions that no other task speaks of, so that tasks may run at the same time.
type task struct {
	*verifier
	decide  func(*task) error
	decided []*decision
	explain []func(*task) error // what is left to say of conditions that fail, once all are decided
	posed   []facts.Open        // to whom facts may help, of a scout
	err     error
}

// question is a condition: assume ⇒ goal, at a site.
type question struct {
	name   string // handlers of one name may share it
	site   vc.Site
	assume []*term.Term // what the site says, and more
	goal   *term.Term
	wanted []*term.Term // terms whose value is told where the goal fails
	// sought says that facts of loops and calls are looked for where the goal is not proven.
	sought bool
}

// decision is what became of a question.
type decision struct {
	question
	answer
	asked []smt.Query
}

// asks tells whether the decision is one about a question.
func (d *decision) asks(q question) bool {
	return d.goal.Equal(q.goal) && slices.EqualFunc(d.assume, q.assume, (*term.Term).Equal)
}

// later plans a task. What it decides is known when discharged returns.
func (v *verifier) later(decide func(*task) error) {
	v.tasks = append(v.tasks, &task{verifier: v, decide: decide})
}

// discharged runs the planned tasks. Each has questions of its own, and the answer to one depends
// on no other, so the results are the same for any number of workers.
func (v *verifier) discharged() error {
	tasks := v.tasks
	v.tasks = nil
	workers.Each(v.opts.Jobs, len(tasks), func(i int) { tasks[i].err = tasks[i].decide(tasks[i]) })
	for _, t := range tasks {
		if t.err != nil {
			return t.err
		}
		v.decided = append(v.decided, t.decided...)
		v.posed = append(v.posed, t.posed...)
		if len(t.explain) > 0 {
			v.open = append(v.open, t)
		}
	}
	return nil
}

// explained says what is left to say of conditions that fail, and tells what was asked.
func (v *verifier) explained() error {
	workers.Each(v.opts.Jobs, len(v.open), func(i int) {
		for _, explain := range v.open[i].explain {
			if err := explain(v.open[i]); err != nil {
				v.open[i].err = err
				return
			}
		}
	})
	for _, t := range v.open {
		if t.err != nil {
			return t.err
		}
	}
	if v.opts.Asked != nil {
		for _, d := range v.decided {
			v.opts.Asked(d.asked)
		}
	}
	return nil
}

// discharge decides a question. What was decided without facts stays so where none is known.
func (v *task) discharge(q question) (answer, error) {
	d := v.before[q.name]
	switch {
	case d == nil || !q.site.Knows && !d.asks(q) || q.site.Knows && !v.scouting:
		d = &decision{question: q}
		var err error
		if d.answer, err = v.settled(d); err != nil {
			return answer{}, err
		}
	case q.site.Knows && d.open():
		v.posed = append(v.posed, facts.Open{Assume: q.assume, Labels: q.site.Labels, Goal: q.goal})
	}
	v.decided = append(v.decided, d)
	return d.answer, nil
}

// settled decides a question. The solver decides; what it proves is rebuilt as a refutation that
// the kernel can check, or else ships as a script.
func (v *task) settled(d *decision) (answer, error) {
	if trivial(d.assume, d.goal) {
		return answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial}, nil
	}
	q := smt.Query{Name: d.name, Assert: append(slices.Clone(d.assume), term.Not(d.goal)), Wanted: d.wanted}
	a, q, err := v.ask(q)
	if err != nil {
		return answer{}, err
	}
	if v.opts.Asked != nil {
		d.asked = append(d.asked, q)
	}
	switch a.Verdict {
	case smt.Unsat:
		return v.evidence(q)
	case smt.Sat:
		return answer{verdict: obligation.Refuted, values: a.Values}, nil
	}
	return answer{reason: a.Reason}, nil
}

// ask decides a query and gives the one that was decided: of many assertions, those that stand
// near the site often suffice, and they are asked first. What few assertions rule out, more do.
func (v *task) ask(q smt.Query) (smt.Answer, smt.Query, error) {
	if len(q.Assert) >= manyAssertions {
		near := smt.Query{Name: q.Name}
		for _, t := range q.Assert {
			if !vc.IsJoin(t) {
				near.Assert = append(near.Assert, t)
			}
		}
		a, err := v.opts.Solver.Check(v.ctx, near)
		if err != nil || a.Verdict == smt.Unsat {
			return a, near, err
		}
	}
	a, err := v.opts.Solver.Check(v.ctx, q)
	return a, q, err
}

func trivial(assume []*term.Term, goal *term.Term) bool {
	if goal == term.True {
		return true
	}
	for _, a := range assume {
		if a == term.False {
			return true
		}
	}
	return false
}

// evidence finds the best evidence for a query the solver found unsatisfiable.
func (v *verifier) evidence(q smt.Query) (answer, error) {
	out := answer{verdict: obligation.Proven}
	needed, err := v.needed(q)
	if err != nil {
		return answer{}, err
	}
	proof, err := refute.Refute(needed, v.opts.Refute)
	var open *refute.OpenError
	var limit *refute.LimitError
	switch {
	case err == nil:
		out.class, out.rule, out.refuted = obligation.KernelChecked, cert.ByRefutation, refutation(proof)
		return out, nil
	case !errors.As(err, &open) && !errors.As(err, &limit):
		return answer{}, err
	}
	var text bytes.Buffer
	if err := smtlib.Write(&text, smt.Query{Name: q.Name, Assert: q.Assert}); err != nil {
		return answer{}, err
	}
	out.class, out.rule = obligation.SolverTrusted, cert.ByScript
	out.script = &cert.Script{Solver: "z3", Text: text.String()}
	return out, nil
}

// needed are the assertions from which a refutation is sought: of many, those that the solver
// says it needed.
func (v *verifier) needed(q smt.Query) ([]*term.Term, error) {
	if len(q.Assert) < manyAssertions {
		return q.Assert, nil
	}
	a, err := v.opts.Solver.Check(v.ctx, smt.Query{Name: q.Name, Assert: q.Assert, Core: true})
	if err != nil || a.Verdict != smt.Unsat {
		return q.Assert, err
	}
	var out []*term.Term
	for _, i := range a.Core {
		out = append(out, q.Assert[i])
	}
	return out, nil
}

// manyAssertions are worth a second question to the solver.
const manyAssertions = 24

// refutation is a proof over a table of terms.
func refutation(p *refute.Proof) *cert.Refutation {
	bank := term.NewBank()
	out := &cert.Refutation{}
	for _, l := range p.Lines {
		line := cert.Line{Rule: string(l.Rule), Claim: bank.Add(l.Claim), From: l.From}
		for _, c := range l.Coef {
			line.Coef = append(line.Coef, c.RatString())
		}
		out.Lines = append(out.Lines, line)
	}
	out.Terms = bank.Nodes()
	return out
}

// settle writes an answer into an obligation. A condition that fails leaves the obligation
// to the runtime.
func settle(ob *obligation.Obligation, a answer) {
	ob.Verdict = a.verdict
	switch a.verdict {
	case obligation.Proven:
		ob.Evidence = obligation.Evidence{Class: a.class, Rule: string(a.rule), Data: a.data()}
	case obligation.Refuted:
		ob.Verdict = obligation.RuntimeChecked
	default:
		ob.Reason, ob.Limited = a.reason, true
	}
}

// hidden says of a claim that fails that a limit hides whether it fails in every case, where the
// answer to that is not known: it would be refuted then, so it may not pass.
func hidden(ob *obligation.Obligation, always answer) {
	if always.verdict == obligation.Unknown {
		ob.Reason, ob.Limited = alwaysUnknown(ob.Reason, always.reason), true
	}
}

// data is the evidence as the certificate keeps it.
func (a answer) data() any {
	switch a.rule {
	case cert.ByRefutation:
		return a.refuted
	case cert.ByScript:
		return a.script
	}
	return nil
}
