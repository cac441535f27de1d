package proofs

import (
	"slices"
	"strconv"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/facts"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
)

// Loops and calls forget what they change. Where that leaves a condition open, facts are looked
// for: first all that are inductive, then, with each behind a label, those that some open condition
// needs. The verification is done again with these alone.

// mostTries bounds how often facts without evidence are left out and others sought.
const mostTries = 5

// open tells whether facts are looked for.
func (d *decision) open() bool { return d.sought && d.verdict != obligation.Proven }

// withFacts is the verification with facts that decide more, or v where there are none.
func (v *verifier) withFacts() (*verifier, error) {
	bodies := v.wanting()
	if len(bodies) == 0 || v.opts.Solver == nil {
		return v, nil
	}
	search := &facts.Search{Sys: v.sys, Gen: v.gen, Solver: v.opts.Solver, Jobs: v.opts.Jobs}
	refused := map[string]bool{}
	for range mostTries {
		known, err := v.knowable(search, bodies, refused)
		if err != nil || len(known) == 0 {
			return v, err
		}
		w, err := v.again(v.gen.Knowing(known, false), known)
		if err != nil {
			return nil, err
		}
		bare, err := w.showFacts()
		if err != nil {
			return nil, err
		}
		if len(bare) == 0 {
			return w, w.decide()
		}
		for _, f := range bare {
			refused[facts.Key(f)] = true
		}
	}
	return v, nil
}

// wanting are the bodies with open conditions that facts may help: those that loop or call.
func (v *verifier) wanting() []*ir.Automaton {
	var out []*ir.Automaton
	for _, d := range v.decided {
		if a := d.site.Of; d.open() && !slices.Contains(out, a) && (len(a.Loops) > 0 || len(facts.Callees(v.sys, a)) > 0) {
			out = append(out, a)
		}
	}
	return out
}

// again plans the verification with another generator.
func (v *verifier) again(gen *vc.Generator, known []vc.Fact) (*verifier, error) {
	w, err := plan(v.ctx, v.sys, v.opts, gen, known)
	if err != nil {
		return nil, err
	}
	w.before = make(map[string]*decision, len(v.decided))
	for _, d := range v.decided {
		w.before[d.name] = d
	}
	return w, nil
}

// knowable are inductive facts that some open condition needs, in the order of certificates.
func (v *verifier) knowable(search *facts.Search, bodies []*ir.Automaton, refused map[string]bool) ([]vc.Fact, error) {
	all, err := search.Inductive(v.ctx, bodies, refused)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	scout, err := v.again(v.gen.Knowing(all, true), nil)
	if err != nil {
		return nil, err
	}
	scout.scouting = true
	if err := scout.decide(); err != nil {
		return nil, err
	}
	known, err := search.Needed(v.ctx, all, scout.posed)
	if err != nil {
		return nil, err
	}
	cells := map[string]int{}
	for i, c := range v.sys.Cells {
		cells[c.Name] = i
	}
	slices.SortStableFunc(known, func(f, g vc.Fact) int {
		if c := cells[f.Body.Cell] - cells[g.Body.Cell]; c != 0 {
			return c
		}
		if c := v.automaton(f.Body) - v.automaton(g.Body); c != 0 {
			return c
		}
		return int(f.At - g.At)
	})
	return known, nil
}

// showFacts files the facts as obligations and decides them. It gives those for which there is no
// evidence that the kernel checks.
func (v *verifier) showFacts() ([]vc.Fact, error) {
	bare := make([]bool, len(v.facts))
	for i, f := range v.facts {
		ob := v.add(&obligation.Obligation{
			Kind: obligation.Fact, Cell: f.Body.Cell, Handler: f.Body.Name, Span: factPlace(f),
			Claim: cert.ClaimFact(f.Body.Name, f.At, f.Claim.Text()), Told: facts.Told(f),
		})
		body := v.body(f.Body)
		v.later(func(t *task) error {
			shown, err := t.showFact(ob, f, body)
			bare[i] = !shown
			return err
		})
	}
	if err := v.discharged(); err != nil {
		return nil, err
	}
	var out []vc.Fact
	for i, f := range v.facts {
		if bare[i] {
			out = append(out, f)
		}
	}
	return out, nil
}

// factPlace is where a fact stands in the source: the loop, or the name of the handler.
func factPlace(f vc.Fact) source.Span {
	for _, l := range f.Body.Loops {
		if l.Head == f.At {
			return l.Span
		}
	}
	return f.Body.Span
}

// showFact decides the conditions of a fact, and tells whether the kernel can check them.
func (v *task) showFact(ob *obligation.Obligation, f vc.Fact, body *vc.Body) (bool, error) {
	cases := &cert.Cases{}
	for _, c := range body.Shows(f.At, f.Claim) {
		q := question{name: ob.ID + "/" + strconv.Itoa(c.Edge), site: vc.Site{Of: f.Body, Knows: true}, assume: c.Assume, goal: c.Goals[0]}
		ans, err := v.discharge(q)
		if err != nil || ans.verdict != obligation.Proven || ans.class != obligation.KernelChecked {
			return false, err
		}
		at := v.site(position{f.Body, c.Edge, c.Effect})
		cases.Cases = append(cases.Cases, cert.Case{Site: *at, Rule: ans.rule, Refutation: ans.refuted})
	}
	ob.Verdict = obligation.Proven
	ob.Evidence = obligation.Evidence{Class: obligation.KernelChecked, Rule: string(cert.ByCases), Data: cases}
	return true, nil
}
