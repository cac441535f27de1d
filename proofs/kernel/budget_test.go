package kernel

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/proofs/cert"
	"soma.cell/smt/term"
)

// TestTooMuchWork: evidence that would take long to check is refused, in time.
func TestTooMuchWork(t *testing.T) {
	square := func(d *cert.Refutation) {
		d.Terms = []string{"(int 4611686018427387904)"}
		for i := range 40 {
			d.Terms = append(d.Terms, fmt.Sprintf("(* #%d #%d)", i, i))
		}
		d.Terms = append(d.Terms, "(<= #40 #0)", "false")
		d.Lines = []cert.Line{{Rule: "case", Claim: 41}, {Rule: "linear", Claim: 42, From: []int{0}, Coef: []string{"1"}}}
	}
	fractions := func(d *cert.Refutation) {
		d.Terms = []string{"(var x Int)"}
		last := cert.Line{Rule: "linear"}
		for i := range 4000 {
			d.Terms = append(d.Terms, fmt.Sprintf("(int %d)", i), fmt.Sprintf("(<= #0 #%d)", 2*i+1))
			d.Lines = append(d.Lines, cert.Line{Rule: "case", Claim: 2*i + 2})
			last.From, last.Coef = append(last.From, i), append(last.Coef, fmt.Sprintf("1/1%0800d", 2*i+1))
		}
		last.Claim = len(d.Terms)
		d.Terms, d.Lines = append(d.Terms, "false"), append(d.Lines, last)
	}
	wide := func(d *cert.Refutation) {
		and := "(and"
		for i := range 8000 {
			d.Terms = append(d.Terms, fmt.Sprintf("(var p%d Bool)", i))
			and += fmt.Sprintf(" #%d", i)
		}
		d.Terms = append(d.Terms, and+")")
		d.Lines = []cert.Line{{Rule: "case", Claim: 8000}}
		for range 4000 {
			d.Lines = append(d.Lines, cert.Line{Rule: "and", Claim: 7999, From: []int{0}})
		}
	}
	for name, fill := range map[string]func(d *cert.Refutation){"squares": square, "fractions": fractions, "wide terms": wide} {
		d := &cert.Refutation{}
		fill(d)
		start := time.Now()
		err := CheckRefutation([]*term.Term{term.True}, d)
		var e *Error
		if !errors.As(err, &e) || e.Kind != TooLarge {
			t.Errorf("%s: %v, want %s", name, err, TooLarge)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: it takes %v", name, took)
		}
	}
}

// TestTooManyStates: a system whose symbolic states would fill the memory is refused unread.
func TestTooManyStates(t *testing.T) {
	p := irtest.NewPlaces("b.cell", 9000)
	long := irtest.Handler(p, "Depot", "long")
	for i := range 4200 {
		long.Do(&ir.Havoc{Var: long.Local(fmt.Sprintf("v%d", i), term.Int)})
	}
	long.Return()
	s := depot()
	s.Cells[0].Automata = append(s.Cells[0].Automata, long.Automaton)
	text, err := ir.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readSystem(text); err == nil || err.Kind != TooLarge {
		t.Errorf("%v, want %s", err, TooLarge)
	}
}

// TestWorkEndsAnAudit: when the budget is spent nothing counts, whatever the answers were.
func TestWorkEndsAnAudit(t *testing.T) {
	c := depotCertificate(t)
	system, err := readSystem(c.System)
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []int{0, 10, 100, 1000} {
		a := newAuditor(c, system)
		a.budget.left = left
		r := &Report{}
		if a.audit(r); r.OK() || firstError(r).Kind != TooLarge {
			t.Errorf("with %d units: %v", left, firstError(r))
		}
	}
}
