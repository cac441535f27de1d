// Package cert holds certificates: what a verify run claims of a program and the evidence for
// each claim, as one JSON document that somebody else can re-check.
//
// A Certificate is data. It is deterministic: Encode gives the same bytes for the same content,
// and Decode accepts those bytes only, so that there is one way to write a certificate and no
// place to hide anything in it. docs/certificates.md describes the format and each rule.
package cert

import "encoding/json"

// Schema names the format.
const Schema = "soma-certificate/1"

// Certificate is the whole document.
type Certificate struct {
	Schema      string          `json:"schema"`
	Tool        string          `json:"tool"` // name and version of the program that wrote it
	Sources     []Source        `json:"sources"`
	Assumptions []string        `json:"assumptions"`     // sentences: what the claims take for granted
	Properties  []Property      `json:"properties"`      // in the order of their obligations
	System      json.RawMessage `json:"system"`          // what ir.Encode wrote
	Facts       []Fact          `json:"facts,omitempty"` // of loops and calls, in the order of the system
	Obligations []*Obligation   `json:"obligations"`     // complete, in the order of docs/certificates.md
}

// Source is a source file.
type Source struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // lower-case hexadecimal
}

// Property is a CTL property that somebody asked for.
type Property struct {
	Cell   string `json:"cell"`   // the cell whose machine it binds to
	Text   string `json:"text"`   // in CTL
	Origin string `json:"origin"` // where it stands: "program", "manifest", "command line"
}

// Fact is a formula that holds whenever a run is at a place of a body: docs/conditions.md, "Facts".
type Fact struct {
	Cell      string `json:"cell"`
	Automaton int    `json:"automaton"` // its number in the cell
	At        int    `json:"at"`        // the head of a loop, or the exit
	Text      string `json:"text"`      // as term.Term.Text writes it
}

// Obligation is a claim with its verdict.
type Obligation struct {
	ID       string   `json:"id"` // Cell/handler/kind/n
	Kind     Kind     `json:"kind"`
	Cell     string   `json:"cell"`
	Handler  string   `json:"handler"` // "" for those of the whole cell
	Site     *Site    `json:"site,omitempty"`
	Claim    string   `json:"claim"` // see the functions of claims.go
	Verdict  Verdict  `json:"verdict"`
	Reason   string   `json:"reason"` // for people: why it is not proven; "" when it is
	Evidence Evidence `json:"evidence"`
}

// Kind names the question.
type Kind string

// The kinds of obligation, in the order in which a cell's obligations stand.
const (
	Frame         Kind = "frame"
	Flow          Kind = "flow"
	Termination   Kind = "termination"
	Cost          Kind = "cost"
	FactKind      Kind = "fact"
	Invariant     Kind = "invariant"
	EdgeDeclared  Kind = "edge-declared"
	Guard         Kind = "guard"
	Ensure        Kind = "ensure"
	DeadCode      Kind = "dead-code"
	EdgeTaken     Kind = "edge-taken"
	ThinkIsolated Kind = "think-isolated"
	Temporal      Kind = "temporal"
)

// Kinds lists them in that order.
func Kinds() []Kind {
	return []Kind{Frame, Flow, Termination, Cost, FactKind, Invariant, EdgeDeclared, Guard, Ensure, DeadCode, EdgeTaken, ThinkIsolated, Temporal}
}

// Verdict is the answer.
type Verdict string

// The verdicts. An edge-taken obligation is refuted when no body takes the edge: only then is
// the edge missing from the may-graph.
const (
	Unknown        Verdict = "unknown"
	Proven         Verdict = "proven"
	Refuted        Verdict = "refuted"
	RuntimeChecked Verdict = "runtime-checked"
)

// Site is an effect in the system: Effect of Edge of the cell's Automaton, all from 0.
type Site struct {
	Cell      string `json:"cell"`
	Automaton int    `json:"automaton"`
	Edge      int    `json:"edge"`
	Effect    int    `json:"effect"`
}
