// Package proofs plans the obligations of a program, generates their conditions, has them
// discharged, and gathers verdicts with their evidence.
package proofs

import (
	"soma.cell/frontend/source"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
)

// Report is the outcome of a verification, as data.
type Report struct {
	Machines   []Block // one a machine, in order of declaration
	Invariants []Block // one a cell with memory rules
	Temporal   []Block // one a machine with temporal properties, and one for rules
	// Obligations is the complete list, in a stable order.
	Obligations []obligation.Obligation
	Certificate *cert.Certificate
}

// Mark is the sign before a line.
type Mark int

const (
	Open     Mark = iota // ⚠ not proven: checked at run time, or unknown
	Passed               // ✓ proven
	Failed               // ✗ refuted
	Remarked             // · a remark, which counts neither way
)

// Block is a titled list of verdict lines.
type Block struct {
	Cell    string
	Machine string   // "" where the block is not of a machine
	States  []string // of a machine block: sorted
	Initial string
	Lines   []Line
}

// Line is one verdict for people. Details stand below it, indented.
type Line struct {
	Mark    Mark
	Text    string
	Span    source.Span // where a refuted or open line is about; zero when nowhere
	Details []string
	Limited bool // open because a limit of time, work or memory was reached
	// Obligations are the ids of the obligations the line speaks for.
	Obligations []string
}

// Counts are the numbers of lines by mark.
type Counts struct{ Passed, Open, Failed int }

// Count counts the lines of blocks.
func Count(blocks []Block) Counts {
	var c Counts
	for _, b := range blocks {
		for _, l := range b.Lines {
			switch l.Mark {
			case Passed:
				c.Passed++
			case Open:
				c.Open++
			case Failed:
				c.Failed++
			}
		}
	}
	return c
}

// Limited tells whether a limit left something open.
func (r *Report) Limited() bool {
	for _, blocks := range [][]Block{r.Machines, r.Invariants, r.Temporal} {
		for _, b := range blocks {
			for _, l := range b.Lines {
				if l.Limited {
					return true
				}
			}
		}
	}
	return false
}
