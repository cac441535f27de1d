package proofs

import (
	"slices"
	"sort"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// certificate is the whole run as data that somebody else can check. Obligations stand by
// cell, then by kind, then in the order in which they were planned: that of the system.
func (v *verifier) certificate() (*cert.Certificate, error) {
	encoded, err := ir.Encode(v.sys)
	if err != nil {
		return nil, err
	}
	c := &cert.Certificate{
		Schema: cert.Schema, Tool: v.opts.Tool, Sources: v.opts.Sources,
		Assumptions: cert.Assumptions(), Properties: []cert.Property{}, System: encoded,
	}
	for _, p := range v.opts.Properties {
		c.Properties = append(c.Properties, cert.Property{Cell: p.Cell, Text: p.CTL, Origin: p.Origin})
	}
	for _, f := range v.facts {
		c.Facts = append(c.Facts, cert.Fact{Cell: f.Body.Cell, Automaton: v.automaton(f.Body), At: int(f.At), Text: f.Claim.Text()})
	}
	cells, kinds := map[string]int{}, map[cert.Kind]int{}
	for i, cell := range v.sys.Cells {
		cells[cell.Name] = i
	}
	for i, k := range cert.Kinds() {
		kinds[k] = i
	}
	list := append([]*obligation.Obligation(nil), v.list...)
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.Cell != b.Cell {
			return cells[a.Cell] < cells[b.Cell]
		}
		return kinds[cert.Kind(a.Kind)] < kinds[cert.Kind(b.Kind)]
	})
	for _, ob := range list {
		c.Obligations = append(c.Obligations, v.certified(ob))
	}
	return c, nil
}

func (v *verifier) certified(ob *obligation.Obligation) *cert.Obligation {
	return &cert.Obligation{
		ID: ob.ID, Kind: cert.Kind(ob.Kind), Cell: ob.Cell, Handler: ob.Handler, Site: v.sites[ob],
		Claim: ob.Claim, Verdict: cert.Verdict(ob.Verdict.String()), Reason: ob.Reason, Evidence: certifiedEvidence(ob.Evidence),
	}
}

// certifiedEvidence is the evidence in the form of certificates. What they have no form for
// is the engine's word.
func certifiedEvidence(e obligation.Evidence) cert.Evidence {
	out := cert.Evidence{Class: cert.Class(e.Class.String()), Rule: cert.Rule(e.Rule)}
	if data, ok := e.Data.(cert.Data); ok {
		out.Data = data
		return out
	}
	if e.Class == obligation.EngineTrusted && out.Rule != cert.ByReach {
		out.Rule = cert.ByEngine
	}
	return out
}

// site names an effect of the system.
func (v *verifier) site(at position) *cert.Site {
	return &cert.Site{Cell: at.a.Cell, Automaton: v.automaton(at.a), Edge: at.edge, Effect: at.i}
}

// automaton is the number of a body in its cell.
func (v *verifier) automaton(a *ir.Automaton) int {
	i := slices.Index(v.sys.Find(a.Cell).Automata, a)
	if i < 0 {
		panic("proofs: an automaton that its cell does not hold")
	}
	return i
}
