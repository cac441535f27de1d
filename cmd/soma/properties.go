package main

import (
	"errors"
	"fmt"
	"strings"

	"soma.cell/ctl"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/near"
	"soma.cell/frontend/project"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/proofs"
)

// Where a property was stated, as certificates name it.
const (
	originProgram  = "program"
	originManifest = "manifest"
	originCommand  = "command line"
)

// questions gathers the properties asked of a program, in CTL and bound to their machines.
type questions struct {
	prog       *resolve.Program
	properties []proofs.Property
	findings   []diag.Diagnostic // properties that do not fit the program, and remarks
	rules      []project.Rule    // properties over several machines
}

// formulaFindings are the properties of a program that are no CTL.
func formulaFindings(p *resolve.Program) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, c := range p.Cells {
		for _, prop := range c.Verify {
			if prop.Kind == syntax.PropFair || prop.Kind != syntax.PropCTL && len(prop.States) == 0 {
				continue
			}
			if _, _, bad := formulaOf(prop); bad != nil {
				out = append(out, *bad)
			}
		}
	}
	return out
}

// program adds the properties that the cells state.
func (q *questions) program() {
	for _, c := range q.prog.Cells {
		for _, prop := range c.Verify {
			q.add(c, prop, originProgram)
		}
	}
}

// manifest adds the properties of a soma.toml, which may be limited to some cells.
func (q *questions) manifest(v *project.Verify) {
	home, ok := q.onlyCell(v)
	if !ok {
		return
	}
	for _, prop := range v.Props {
		q.add(home, prop, originManifest)
	}
	for _, r := range v.Rules {
		q.rule(r)
	}
}

// rule adds a property over several machines, which must be one of states that exist.
func (q *questions) rule(r project.Rule) {
	if _, err := ctl.Parse(r.Formula); err != nil {
		q.findings = append(q.findings, badFormula(r.Formula, r.At, err))
		return
	}
	problems := q.prog.CheckRule(r.Formula, r.At)
	q.findings = append(q.findings, problems...)
	if len(problems) == 0 {
		q.rules = append(q.rules, r)
	}
}

// onlyCell is the cell that the manifest's properties speak of when it names a single one.
// The list is judged whole: a cell that is not there is an error.
func (q *questions) onlyCell(v *project.Verify) (cell *resolve.Cell, ok bool) {
	ok = true
	for _, n := range v.Cells {
		found := false
		for _, c := range q.prog.Cells {
			if c.Name == n.Name {
				cell, found = c, true
			}
		}
		if !found {
			q.findings = append(q.findings, unknownCell(n, q.cellNames()))
			ok = false
		}
	}
	if len(v.Cells) != 1 {
		cell = nil
	}
	return cell, ok
}

// adHoc adds a formula of the command line.
func (q *questions) adHoc(formula string) {
	at := source.Span{File: source.NewFile("--property", formula), End: len(formula)}
	q.add(nil, &syntax.Prop{Place: syntax.Place{At: at}, Kind: syntax.PropCTL, CTL: formula, CTLAt: at}, originCommand)
}

// add binds a property to its machine and translates it.
func (q *questions) add(c *resolve.Cell, prop *syntax.Prop, origin string) {
	if prop.Kind == syntax.PropFair {
		q.findings = append(q.findings, q.prog.CheckProp(c, prop)...)
		q.findings = append(q.findings, unusedFairness(prop))
		return
	}
	m, problems := q.prog.PropMachine(c, prop)
	if len(problems) > 0 {
		q.findings = append(q.findings, problems...)
		return
	}
	f, subject, bad := formulaOf(prop)
	if bad != nil {
		q.findings = append(q.findings, *bad)
		return
	}
	p := proofs.Property{Cell: m.Cell.Name, Title: titleOf(prop), CTL: f.String(), Origin: origin}
	if subject != nil {
		p.Subject = subject.String()
	}
	q.properties = append(q.properties, p)
}

// formulaOf is a property in CTL, its atoms plain states. The subject, where there is one,
// must be reachable, or the property holds for nothing.
func formulaOf(p *syntax.Prop) (f, subject *ctl.Formula, bad *diag.Diagnostic) {
	if p.Kind != syntax.PropCTL {
		f, subject = listedStates(p)
	} else if parsed, err := ctl.Parse(p.CTL); err != nil {
		d := badFormula(p.CTL, p.CTLAt, err)
		return nil, nil, &d
	} else if f = plainAtoms(parsed); f.Op == ctl.OpAG && f.Left.Op == ctl.OpImplies {
		subject = f.Left.Left
	}
	for _, name := range f.Atoms() {
		if _, err := ctl.Parse(name); err != nil { // it could not be read again
			return nil, nil, &diag.Diagnostic{Code: diag.BadFormula, Message: stateIsOperator(name), Span: p.At}
		}
	}
	return f, subject, nil
}

// listedStates is a property that lists states.
func listedStates(p *syntax.Prop) (f, subject *ctl.Formula) {
	listed := anyOf(p.States)
	if p.Subject != nil {
		subject = state(*p.Subject)
	}
	switch p.Kind {
	case syntax.PropEventually:
		return ctl.AF(listed), nil
	case syntax.PropNever:
		return ctl.AG(ctl.Not(listed)), nil
	case syntax.PropAlways:
		return ctl.AG(listed), nil
	case syntax.PropAfterEventually:
		return ctl.AG(ctl.Implies(subject, ctl.AF(listed))), subject
	case syntax.PropAfterNever:
		return ctl.AG(ctl.Implies(subject, ctl.AG(ctl.Not(listed)))), subject
	case syntax.PropBeforeRequires:
		return neverBefore(subject, listed), subject
	}
	f = neverBefore(subject, state(p.States[0]))
	for _, s := range p.States[1:] {
		f = ctl.And(f, neverBefore(subject, state(s)))
	}
	return f, subject
}

// neverBefore says that no path reaches the subject without a wanted state before it.
func neverBefore(subject, wanted *ctl.Formula) *ctl.Formula {
	return ctl.Not(ctl.EU(ctl.Not(wanted), subject))
}

func anyOf(states []syntax.Ident) *ctl.Formula {
	var f *ctl.Formula
	for _, s := range states {
		if f == nil {
			f = state(s)
			continue
		}
		f = ctl.Or(f, state(s))
	}
	return f
}

func state(i syntax.Ident) *ctl.Formula { return ctl.Atom(lastPart(i.Name)) }

// plainAtoms drops the machine from atoms such as machine.state: the property is bound to it.
func plainAtoms(f *ctl.Formula) *ctl.Formula {
	if f == nil {
		return nil
	}
	g := *f
	if f.Op == ctl.OpAtom {
		g.Name = lastPart(f.Name)
	}
	g.Left, g.Right = plainAtoms(f.Left), plainAtoms(f.Right)
	return &g
}

func lastPart(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// titleOf is the property as its line shows it.
func titleOf(p *syntax.Prop) string {
	var names []string
	for _, s := range p.States {
		names = append(names, s.Name)
	}
	list := "[" + strings.Join(names, ", ") + "]"
	switch p.Kind {
	case syntax.PropEventually:
		return "eventually " + list
	case syntax.PropNever:
		return "never " + list
	case syntax.PropAlways:
		return "always " + list
	case syntax.PropAfterEventually:
		return fmt.Sprintf("after %s eventually %s", p.Subject.Name, list)
	case syntax.PropAfterNever:
		return fmt.Sprintf("after %s never %s", p.Subject.Name, list)
	case syntax.PropBeforeRequires:
		return fmt.Sprintf("before %s requires %s", p.Subject.Name, list)
	case syntax.PropBeforeRequiresAll:
		return fmt.Sprintf("before %s requires_all %s", p.Subject.Name, list)
	}
	if p.Name != "" {
		return p.Name + ": " + p.CTL
	}
	return p.CTL
}

func badFormula(text string, at source.Span, err error) diag.Diagnostic {
	reason := err.Error()
	var e *ctl.SyntaxError
	if errors.As(err, &e) {
		reason = e.Msg
		if i := strings.Index(at.Text(), text); i >= 0 {
			at.Start += i + e.Offset
			at.End = max(at.Start, at.Start+len(text)-e.Offset)
		}
	}
	return diag.Diagnostic{Code: diag.BadFormula, Message: notCTL(text, reason), Span: at}
}

func unknownCell(n project.Name, known []string) diag.Diagnostic {
	return diag.Diagnostic{Code: diag.UnboundProperty, Message: noSuchCell(n.Name, near.Find(n.Name, known).Name), Span: n.At}
}

func (q *questions) cellNames() []string {
	var out []string
	for _, c := range q.prog.Cells {
		out = append(out, c.Name)
	}
	return out
}

func unusedFairness(p *syntax.Prop) diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Remark, Message: fairnessUnused, Span: p.At}
}

// undecided reports the rules over several machines: nothing decides them yet.
func (q *questions) undecided() []proofs.Block {
	if len(q.rules) == 0 {
		return nil
	}
	b := proofs.Block{}
	for _, r := range q.rules {
		b.Lines = append(b.Lines, proofs.Line{Mark: proofs.Open, Text: ruleUndecided(r.Name, r.Formula), Span: r.At, Limited: true})
	}
	return []proofs.Block{b}
}

// otherEntry remarks that a manifest's properties are about another file.
func otherEntry(p *project.Project) diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Remark, Message: manifestOfOther(p.ManifestPath, p.Manifest.Package.Entry)}
}
