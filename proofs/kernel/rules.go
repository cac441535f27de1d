package kernel

import (
	"strconv"

	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// rule checks that a line's claim follows from the lines it names.
type rule struct {
	premises int // how many lines it names; -1 for any number
	coef     bool
	check    func(d *derivation, l cert.Line, claim *term.Term) *Error
}

func (r rule) words() string {
	if r.premises == 1 {
		return "1 line"
	}
	return strconv.Itoa(r.premises) + " lines"
}

// rules is the table of all rules. What is not in it is refused.
func rules() map[string]rule {
	return map[string]rule{
		"assume":      {premises: 0, check: assume},
		"case":        {premises: 0, check: openCase},
		"discharge":   {premises: 2, check: discharge},
		"and":         {premises: 1, check: and},
		"not-or":      {premises: 1, check: notOr},
		"not-implies": {premises: 1, check: notImplies},
		"unit":        {premises: -1, check: unit},
		"congruence":  {premises: -1, check: congruent},
		"conflict":    {premises: -1, check: conflict},
		"ite":         {premises: 0, check: ite},
		"store":       {premises: 0, check: store},
		"enum":        {premises: 0, check: enum},
		"trichotomy":  {premises: 0, check: trichotomy},
		"linear":      {premises: -1, coef: true, check: linear},
		"round":       {premises: -1, coef: true, check: round},
	}
}

// assume: an assumption of the condition, or its negated goal.
func assume(d *derivation, l cert.Line, claim *term.Term) *Error {
	if !d.assumed[d.bank.Add(claim)] {
		return errNotAssumed(claim)
	}
	return nil
}

// case: any formula; whatever rests on it must discharge it.
func openCase(*derivation, cert.Line, *term.Term) *Error { return nil }

// discharge: the case p led to false; so not p.
func discharge(d *derivation, l cert.Line, claim *term.Term) *Error {
	p, end := l.From[0], l.From[1]
	if d.rule[p] != "case" || d.term(end).Op != term.OpFalse || !d.same(claim, term.Not(d.term(p))) {
		return errNotDerived(l.Rule, claim)
	}
	return nil
}

// and: a conjunct.
func and(d *derivation, l cert.Line, claim *term.Term) *Error {
	if t := d.term(l.From[0]); t.Op == term.OpAnd {
		for _, a := range t.Args {
			if d.same(a, claim) {
				return nil
			}
		}
	}
	return errNotDerived(l.Rule, claim)
}

// not-or: not (… or p or …); so not p.
func notOr(d *derivation, l cert.Line, claim *term.Term) *Error {
	if t := d.term(l.From[0]); t.Op == term.OpNot && t.Args[0].Op == term.OpOr {
		for _, a := range t.Args[0].Args {
			if d.same(term.Not(a), claim) {
				return nil
			}
		}
	}
	return errNotDerived(l.Rule, claim)
}

// not-implies: not (a => b); so a, and not b.
func notImplies(d *derivation, l cert.Line, claim *term.Term) *Error {
	if t := d.term(l.From[0]); t.Op == term.OpNot && t.Args[0].Op == term.OpImplies {
		if a, b := t.Args[0].Args[0], t.Args[0].Args[1]; d.same(claim, a) || d.same(claim, term.Not(b)) {
			return nil
		}
	}
	return errNotDerived(l.Rule, claim)
}

// unit: one of several alternatives holds, and the other lines refute all but the claim.
func unit(d *derivation, l cert.Line, claim *term.Term) *Error {
	if len(l.From) == 0 {
		return errPremises(l, "at least 1 line")
	}
	alternatives := alternativesOf(d.term(l.From[0]))
	if alternatives == nil {
		return errNotDerived(l.Rule, claim)
	}
	open := map[int]bool{}
	for _, a := range alternatives {
		open[d.bank.Add(a)] = a.Op != term.OpFalse
	}
	for _, f := range l.From[1:] {
		a := d.bank.Add(term.Not(d.term(f)))
		if !open[a] {
			return errNotDerived(l.Rule, claim) // it refutes nothing, or what another line refutes
		}
		open[a] = false
	}
	for a, left := range open {
		if left && a != d.bank.Add(claim) {
			return errNotDerived(l.Rule, claim)
		}
	}
	if claim.Op != term.OpFalse && !open[d.bank.Add(claim)] {
		return errNotDerived(l.Rule, claim)
	}
	return nil
}

// alternativesOf are formulas of which one holds when t does; nil when t is not of that form.
func alternativesOf(t *term.Term) []*term.Term {
	switch t.Op {
	case term.OpOr:
		return t.Args
	case term.OpImplies:
		return []*term.Term{term.Not(t.Args[0]), t.Args[1]}
	case term.OpNot:
		if t.Args[0].Op != term.OpAnd {
			return nil
		}
		var out []*term.Term
		for _, a := range t.Args[0].Args {
			out = append(out, term.Not(a))
		}
		return out
	}
	return nil
}

// congruence: the claim is equal to true in the congruence closure of the lines.
func congruent(d *derivation, l cert.Line, claim *term.Term) *Error {
	c, err := d.closureOf(l, claim)
	if err != nil {
		return err
	}
	if !c.clash && !c.isTrue(claim) {
		return errNotDerived(l.Rule, claim)
	}
	return nil
}

// conflict: the congruence closure of the lines makes different literals equal.
func conflict(d *derivation, l cert.Line, claim *term.Term) *Error {
	c, err := d.closureOf(l, claim)
	if err != nil {
		return err
	}
	if !c.clash || claim.Op != term.OpFalse {
		return errNotDerived(l.Rule, claim)
	}
	return nil
}

// ite: for t = ite(c, a, b): c => t = a; not c => t = b.
func ite(d *derivation, l cert.Line, claim *term.Term) *Error {
	if t := subject(claim); t != nil && t.Op == term.OpIte {
		c := t.Args[0]
		if d.same(claim, term.Implies(c, term.Eq(t, t.Args[1]))) ||
			d.same(claim, term.Implies(term.Not(c), term.Eq(t, t.Args[2]))) {
			return nil
		}
	}
	return errNotDerived(l.Rule, claim)
}

// store: for s = store(a, i, v): i = j => s[j] = v; not i = j => s[j] = a[j].
func store(d *derivation, l cert.Line, claim *term.Term) *Error {
	if t := subject(claim); t != nil && t.Op == term.OpSelect && t.Args[0].Op == term.OpStore {
		s, j := t.Args[0], t.Args[1]
		hit := term.Eq(s.Args[1], j)
		if d.same(claim, term.Implies(hit, term.Eq(t, s.Args[2]))) ||
			d.same(claim, term.Implies(term.Not(hit), term.Eq(t, term.Select(s.Args[0], j)))) {
			return nil
		}
	}
	return errNotDerived(l.Rule, claim)
}

// subject is t in t = u, or in … => t = u; else nil.
func subject(claim *term.Term) *term.Term {
	if claim.Op == term.OpImplies {
		claim = claim.Args[1]
	}
	if claim.Op != term.OpEq {
		return nil
	}
	return claim.Args[0]
}

// enum: a term is one of the values of its sort.
func enum(d *derivation, l cert.Line, claim *term.Term) *Error {
	first := claim
	if claim.Op == term.OpOr {
		first = claim.Args[0]
	}
	if first.Op == term.OpEq && first.Args[0].Sort.Kind == term.KindEnum {
		t := first.Args[0]
		var parts []*term.Term
		for _, v := range t.Sort.Values {
			parts = append(parts, term.Eq(t, term.EnumLit(t.Sort, v)))
		}
		if d.same(claim, term.Or(parts...)) {
			return nil
		}
	}
	return errNotDerived(l.Rule, claim)
}

// trichotomy: a = b or a < b or b < a, of integers.
func trichotomy(d *derivation, l cert.Line, claim *term.Term) *Error {
	if claim.Op == term.OpOr && claim.Args[0].Op == term.OpEq && claim.Args[0].Args[0].Sort.Same(term.Int) {
		a, b := claim.Args[0].Args[0], claim.Args[0].Args[1]
		if d.same(claim, term.Or(term.Eq(a, b), term.Lt(a, b), term.Lt(b, a))) {
			return nil
		}
	}
	return errNotDerived(l.Rule, claim)
}
