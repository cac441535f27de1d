package main

import (
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// counterexampleDoc is a counterexample in documents. Values are texts as the source has them.
type counterexampleDoc struct {
	Outcome string      `json:"outcome"`
	Cell    string      `json:"cell"`
	Handler string      `json:"handler"`
	Args    []namedDoc  `json:"args"`
	Before  []storedDoc `json:"before"`
	States  []stateDoc  `json:"states"`
	Answers []namedDoc  `json:"answers"`
	Path    []branchDoc `json:"path"`
	Locals  []namedDoc  `json:"locals"`
	Effect  string      `json:"effect"`
	Written []storedDoc `json:"written"`
	Refused string      `json:"refused"`
	Caught  bool        `json:"caught"`
}

type namedDoc struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// storedDoc is an entry; without a value there is none.
type storedDoc struct {
	Cell    string `json:"cell"`
	Slot    string `json:"slot"`
	Key     string `json:"key"`
	Present bool   `json:"present"`
	Value   string `json:"value"`
}

type stateDoc struct {
	Cell  string `json:"cell"`
	ID    string `json:"id"`
	State string `json:"state"`
}

type branchDoc struct {
	Text  string `json:"text"`
	Gives string `json:"gives"`
	placeDoc
}

func counterexampleDocOf(c *obligation.Counterexample) *counterexampleDoc {
	if c == nil {
		return nil
	}
	doc := &counterexampleDoc{
		Outcome: c.Outcome.String(), Cell: c.Cell, Handler: c.Handler, Effect: c.Writes, Refused: c.Refused, Caught: c.Caught,
		Args: namedDocs(c.Args), Answers: namedDocs(c.Answers), Locals: namedDocs(c.Locals),
		Before: []storedDoc{}, States: []stateDoc{}, Path: []branchDoc{}, Written: []storedDoc{},
	}
	for _, e := range c.Before {
		doc.Before = append(doc.Before, storedDocOf(e))
	}
	if c.Written != nil {
		doc.Written = append(doc.Written, storedDocOf(*c.Written))
	}
	for _, s := range c.Status {
		doc.States = append(doc.States, stateDoc(s))
	}
	for _, b := range c.Path {
		doc.Path = append(doc.Path, branchDoc{b.Text, b.Gives, placeOf(b.At)})
	}
	return doc
}

func namedDocs(list []obligation.Named) []namedDoc {
	out := []namedDoc{}
	for _, n := range list {
		out = append(out, namedDoc(n))
	}
	return out
}

func storedDocOf(e obligation.Entry) storedDoc {
	return storedDoc{e.Cell, e.Slot, e.Key, e.Value != "", e.Value}
}

// runOfEdge is the run that was seen to take an edge, nil of anything else.
func runOfEdge(o obligation.Obligation) *cert.Run {
	run, _ := o.Evidence.Data.(*cert.Run)
	if o.Verdict != obligation.Proven {
		return nil
	}
	return run
}
