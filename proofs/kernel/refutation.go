package kernel

import (
	"slices"

	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// A refutation is checked line by line, after VIPR (Cheung, Gleixner, Steffy, IPCO 2017): each
// claim must follow from the claims of earlier lines by its rule, and carries the cases that it
// rests on. The last line must claim false and rest on no case. Then false follows from the
// assumptions, whoever found the lines. Cost: linear in the lines, but for congruence lines,
// which close their own premises; all work is counted against a budget.

// Bounds of a refutation.
const (
	maxTerms = 1 << 20
	maxNode  = 1 << 16 // bytes of a term of the table
	maxWork  = 1 << 24 // of a whole audit
)

// CheckRefutation tells whether the lines derive false from the assumptions.
func CheckRefutation(assumptions []*term.Term, r *cert.Refutation) error {
	if err := checkRefutation(assumptions, r, &budget{maxWork}); err != nil {
		return err
	}
	return nil
}

func checkRefutation(assumptions []*term.Term, r *cert.Refutation, b *budget) *Error {
	d, err := newDerivation(assumptions, r, b)
	if err != nil {
		return err
	}
	for n, l := range r.Lines {
		if err := d.check(l); err != nil {
			return errAtLine(n, err)
		}
	}
	last := len(r.Lines) - 1
	if d.term(last).Op != term.OpFalse || len(d.cases[last]) > 0 {
		return errEnd()
	}
	for n := range last {
		if !d.used[n] {
			return errUnused(n)
		}
	}
	return nil
}

// derivation is what is known of the lines so far. Terms are compared by their index in a bank.
type derivation struct {
	bank    *term.Bank
	assumed map[int]bool
	rules   map[string]rule
	table   []*term.Term
	claims  []int // of each line
	rule    []string
	cases   [][]int // of each line: the case lines that it rests on, ascending
	used    []bool
	heads   *heads
	work    *budget
}

// newDerivation reads the table. It must be the bank of the claims in the order of the lines:
// no duplicates and nothing that no line speaks of.
func newDerivation(assumptions []*term.Term, r *cert.Refutation, b *budget) (*derivation, *Error) {
	if len(r.Terms) > maxTerms {
		return nil, errManyTerms(len(r.Terms))
	}
	if len(r.Lines) == 0 {
		return nil, errNoLines()
	}
	if slices.ContainsFunc(r.Terms, func(node string) bool { return len(node) > maxNode }) {
		return nil, errLongTerm()
	}
	parsed, err := term.ParseBank(r.Terms)
	if err != nil {
		return nil, errTerms(err)
	}
	d := &derivation{work: b, bank: term.NewBank(), assumed: map[int]bool{}, heads: newHeads(), rules: rules(), used: make([]bool, len(r.Lines))}
	for i := range r.Terms {
		d.table = append(d.table, parsed.Term(i))
	}
	for _, l := range r.Lines {
		if l.Claim < 0 || l.Claim >= len(d.table) || !d.table[l.Claim].Sort.Same(term.Bool) {
			return nil, errClaimIndex(l)
		}
		d.bank.Add(d.table[l.Claim])
	}
	if !slices.Equal(d.bank.Nodes(), r.Terms) {
		return nil, errTable()
	}
	for _, t := range assumptions {
		before := d.bank.Len()
		d.assumed[d.bank.Add(t)] = true
		if !b.spend(1 + d.bank.Len() - before) {
			return nil, errWork()
		}
	}
	return d, nil
}

// check checks the next line.
func (d *derivation) check(l cert.Line) *Error {
	n := len(d.claims)
	for _, f := range l.From {
		if f < 0 || f >= n {
			return errFrom(f)
		}
		d.used[f] = true
	}
	rule, ok := d.rules[l.Rule]
	if !ok {
		return errLineRule(l.Rule)
	}
	if !inOrder(l) {
		return errPremiseOrder(l)
	}
	if want := rule.coef; want && len(l.Coef) != len(l.From) || !want && len(l.Coef) > 0 {
		return errCoefCount(l)
	}
	if rule.premises >= 0 && len(l.From) != rule.premises {
		return errPremises(l, rule.words())
	}
	claim := d.table[l.Claim]
	if !d.work.spend(d.breadth(l, claim)) {
		return errWork()
	}
	if err := rule.check(d, l, claim); err != nil {
		return err
	}
	cases := d.restsOn(n, l)
	if !d.work.spend(1 + len(cases)) {
		return errWork()
	}
	d.claims, d.rule, d.cases = append(d.claims, d.bank.Add(claim)), append(d.rule, l.Rule), append(d.cases, cases)
	return nil
}

// breadth bounds the terms that a rule looks at besides those that it counts itself: the parts of
// the claim and of the lines.
func (d *derivation) breadth(l cert.Line, claim *term.Term) int {
	n := 1 + len(claim.Args)
	for _, f := range l.From {
		t := d.term(f)
		n += 1 + len(t.Args)
		if t.Op == term.OpNot {
			n += len(t.Args[0].Args)
		}
	}
	return n
}

// inOrder: lines are named once and in ascending order, but for the disjunction of unit, which
// comes first.
func inOrder(l cert.Line) bool {
	from := l.From
	if l.Rule == "unit" && len(from) > 0 {
		from = from[1:]
	}
	for i := 1; i < len(from); i++ {
		if from[i-1] >= from[i] {
			return false
		}
	}
	return true
}

// restsOn computes the cases that a line rests on.
func (d *derivation) restsOn(n int, l cert.Line) []int {
	if l.Rule == "case" {
		return []int{n}
	}
	var out []int
	for _, f := range l.From {
		out = append(out, d.cases[f]...)
	}
	d.work.spend(len(out))
	slices.Sort(out)
	out = slices.Compact(out)
	if l.Rule == "discharge" {
		out = slices.DeleteFunc(out, func(c int) bool { return c == l.From[0] })
	}
	return out
}

// term is the claim of a line.
func (d *derivation) term(line int) *term.Term { return d.bank.Term(d.claims[line]) }

// same tells whether two terms are the same tree.
func (d *derivation) same(t, u *term.Term) bool { return d.bank.Add(t) == d.bank.Add(u) }
