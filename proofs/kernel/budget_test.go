package kernel

import (
	"errors"
	"fmt"
	"strings"
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

// TestTooManyFacts: facts that would take long to assume or to show are refused, in time.
func TestTooManyFacts(t *testing.T) {
	system := func(head, exit int) *ir.System {
		p := irtest.NewPlaces("b.cell", 90_000)
		flag := term.Var("flag", term.Bool)
		asked := irtest.Handler(p, "Big", "_asked", flag)
		asked.Edge(ir.Entry, ir.Exit, term.True, &ir.Return{Value: term.App("unit", term.Opaque)})
		ask := irtest.Handler(p, "Big", "ask", flag)
		loop, join := ask.Loc(), ask.Loc()
		ask.Edge(ir.Entry, loop, term.True)
		ask.Back(loop, loop, flag, &ir.Havoc{Var: flag})
		ask.Loop(ir.ForLoop, nil, loop)
		for range head {
			ask.Edge(loop, join, flag)
		}
		end := ask.Loc()
		for range exit {
			ask.Edge(join, end, flag, &ir.Call{Handler: asked.Ref(), Args: []*term.Term{flag}})
		}
		ask.Edge(end, ir.Exit, term.True, &ir.Return{Value: term.App("unit", term.Opaque)})
		return &ir.System{Cells: []*ir.Cell{{Name: "Big", Automata: []*ir.Automaton{asked.Automaton, ask.Automaton}}}}
	}
	wide := func(name string) string { return "(and" + strings.Repeat(" (var "+name+" Bool)", 50_000) + ")" }
	deep := func(name string) string {
		return strings.Repeat("(not ", 9_000) + "(var " + name + " Bool)" + strings.Repeat(")", 9_000)
	}
	many := func(automaton, at, n int, name string) (out []cert.Fact) {
		for i := range n {
			text := fmt.Sprintf("(or (var %s Bool) (= (int %d) (int 0)))", name, i)
			out = append(out, cert.Fact{Cell: "Big", Automaton: automaton, At: at, Text: text})
		}
		return out
	}
	for _, f := range []struct {
		name       string
		head, exit int
		facts      []cert.Fact
		want       ErrorKind
	}{
		{"a wide fact on many ways", 3000, 1, []cert.Fact{{Cell: "Big", Automaton: 1, At: 3, Text: wide("flag@H3")}}, TooLarge},
		{"a wide summary at many calls", 1, 3000, []cert.Fact{{Cell: "Big", Automaton: 0, At: 1, Text: wide("flag")}, {Cell: "Big", Automaton: 1, At: 3, Text: "(var flag@H3 Bool)"}}, TooLarge},
		{"a deep summary at many calls", 1, 9000, []cert.Fact{{Cell: "Big", Automaton: 0, At: 1, Text: deep("flag")}, {Cell: "Big", Automaton: 1, At: 3, Text: deep("flag@H3")}}, TooLarge},
		{"many facts on many ways", 3000, 1, many(1, 3, 20_000, "flag@H3"), TooLarge},
		{"many summaries at many calls", 1, 3000, append(many(0, 1, 20_000, "flag"), many(1, 3, 1, "flag@H3")...), TooLarge},
		{"many facts", 1, 1, many(1, 3, 20_000, "flag@H3"), BadList},
		{"as deep as terms are", 1, 1, []cert.Fact{{Cell: "Big", Automaton: 1, At: 3, Text: strings.Repeat("(not ", 10_000) + "true" + strings.Repeat(")", 10_000)}}, BadFact},
	} {
		text, err := ir.Encode(system(f.head, f.exit))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r := Audit(&cert.Certificate{System: text, Facts: f.facts, Assumptions: cert.Assumptions()})
		if err := firstError(r); err == nil || err.Kind != f.want {
			t.Errorf("%s: %v, want %s", f.name, err, f.want)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: it takes %v", f.name, took)
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
	for name, c := range map[string]*cert.Certificate{"depot": depotCertificate(t), "mill": millCertificate(t)} {
		system, err := readSystem(c.System)
		if err != nil {
			t.Fatal(err)
		}
		for left := 0; left <= 1000; left += 50 {
			a := newAuditor(c, system)
			a.budget.left = left
			r := &Report{}
			if a.audit(r); r.OK() || firstError(r).Kind != TooLarge {
				t.Errorf("%s with %d units: %v", name, left, firstError(r))
			}
		}
	}
}
