package proofs

import (
	"sort"

	"soma.cell/ir"
	"soma.cell/proofs/obligation"
)

// report gathers the verdicts into lines, and everything into a certificate.
func (v *verifier) report() (*Report, error) {
	r := &Report{}
	for _, c := range v.sys.Cells {
		if b := v.machineBlock(c); len(b.Lines) > 0 {
			r.Machines = append(r.Machines, b)
		}
		if b := v.invariantBlock(c); len(b.Lines) > 0 {
			r.Invariants = append(r.Invariants, b)
		}
	}
	for _, mr := range v.machines {
		r.Temporal = append(r.Temporal, mr.temporalBlock())
	}
	for _, ob := range v.list {
		r.Obligations = append(r.Obligations, *ob)
	}
	var err error
	r.Certificate, err = v.certificate()
	return r, err
}

func (v *verifier) machineOf(c *ir.Cell) *machineResult {
	for _, mr := range v.machines {
		if mr.cell == c {
			return mr
		}
	}
	return nil
}

// machineBlock is what is said of a cell's machine and bodies.
func (v *verifier) machineBlock(c *ir.Cell) Block {
	b := Block{Cell: c.Name}
	mr := v.machineOf(c)
	if mr != nil {
		b.Machine, b.Initial = mr.m.Name, mr.m.Initial
		b.States = append([]string(nil), mr.m.States...)
		sort.Strings(b.States)
		b.Lines = append(b.Lines, mr.pictureLines()...)
		b.Lines = append(b.Lines, mr.edgeLines()...)
		b.Lines = append(b.Lines, v.isolationLines(mr)...)
	}
	b.Lines = append(b.Lines, v.terminationLines(c)...)
	b.Lines = append(b.Lines, v.refinementLines(c)...)
	b.Lines = append(b.Lines, v.guardLines(c)...)
	b.Lines = append(b.Lines, v.ensureLines(c)...)
	b.Lines = append(b.Lines, v.deadLines(c)...)
	b.Lines = append(b.Lines, effectLines(c)...)
	b.Lines = append(b.Lines, v.costLines(c)...)
	b.Lines = append(b.Lines, v.unframedLines(c)...)
	for _, choice := range v.opts.Choices {
		if choice.Cell == c.Name {
			b.Lines = append(b.Lines, Line{Mark: Remarked, Text: lineChoice(choice.Text), Span: choice.Span})
		}
	}
	return b
}

func line(mark Mark, text string, obs ...*obligation.Obligation) Line {
	l := Line{Mark: mark, Text: text}
	for _, ob := range obs {
		l.Obligations = append(l.Obligations, ob.ID)
		l.Limited = l.Limited || mark == Open && ob.Limited
	}
	return l
}
