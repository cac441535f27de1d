package refute_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"soma.cell/proofs/cert"
	"soma.cell/proofs/kernel"
	"soma.cell/smt/refute"
	"soma.cell/smt/term"
)

// convince lets the kernel check a proof.
func convince(t *testing.T, assumptions []*term.Term, p *refute.Proof) {
	t.Helper()
	bank, r := term.NewBank(), &cert.Refutation{}
	for _, l := range p.Lines {
		line := cert.Line{Rule: string(l.Rule), Claim: bank.Add(l.Claim), From: l.From}
		for _, k := range l.Coef {
			line.Coef = append(line.Coef, k.RatString())
		}
		r.Lines = append(r.Lines, line)
	}
	r.Terms = bank.Nodes()
	if err := kernel.CheckRefutation(assumptions, r); err != nil {
		t.Errorf("the kernel refuses the proof: %v", err)
	}
}

var (
	texts   = term.ArraySort(term.String, term.Bool)
	numbers = term.ArraySort(term.String, term.Int)
	has     = term.Var("has", texts)
	val     = term.Var("val", numbers)
	status  = term.Var("status", term.ArraySort(term.String, term.String))
	id, key = term.Var("id", term.String), term.Var("key", term.String)
	n, m    = term.Var("n", term.Int), term.Var("m", term.Int)
	f, g    = term.Var("f", term.Float), term.Var("g", term.Float)
	p, q    = term.Var("p", term.Bool), term.Var("q", term.Bool)
	colour  = term.EnumSort("Colour", "red", "green", "blue")
	c       = term.Var("c", colour)
)

func num(k int64) *term.Term        { return term.Int64(k) }
func text(s string) *term.Term      { return term.StringLit(s) }
func at(a, k *term.Term) *term.Term { return term.Select(a, k) }
func stored(slot, k *term.Term) *term.Term {
	return term.Ite(at(has, k), at(slot, k), num(0))
}

// TestConditions gives typical conditions, the right ones as unsatisfiable sets, their wrong
// twins as satisfiable ones.
func TestConditions(t *testing.T) {
	rule := term.Implies(at(has, key), term.Le(num(0), at(val, key)))
	state := func(s string) *term.Term { return term.Eq(at(status, id), text(s)) }
	moved := term.Store(status, id, text("sent"))
	for _, x := range []struct {
		name         string
		right, wrong []*term.Term
	}{
		{"a counter that grows",
			[]*term.Term{rule, term.Not(term.Le(num(0), term.Add(stored(val, key), num(1))))},
			[]*term.Term{rule, term.Not(term.Le(num(0), term.Add(stored(val, key), num(-1))))}},
		{"a bounded sum",
			[]*term.Term{term.Le(term.Add(n, m), num(9)), term.Le(num(0), m), term.Lt(num(9), n)},
			[]*term.Term{term.Le(term.Add(n, m), num(9)), term.Lt(num(9), n)}},
		{"the state after a move",
			[]*term.Term{term.Eq(at(moved, key), text("lost")), term.Eq(key, id)},
			[]*term.Term{term.Eq(at(moved, key), text("lost"))}},
		{"another instance keeps its state",
			[]*term.Term{state("packed"), term.Not(term.Eq(key, id)), term.Eq(at(term.Store(status, key, text("sent")), id), text("sent"))},
			[]*term.Term{state("packed"), term.Eq(at(term.Store(status, key, text("sent")), id), text("sent"))}},
		{"a disjunction of states",
			[]*term.Term{term.Or(state("packed"), state("sent")), term.Not(state("sent")), state("lost")},
			[]*term.Term{term.Or(state("packed"), state("lost")), term.Not(state("sent")), state("lost")}},
		{"a disjunction that repeats itself",
			[]*term.Term{term.Or(state("packed"), state("sent"), state("packed"), state("sent")), state("lost")},
			[]*term.Term{term.Or(state("packed"), state("sent"), state("packed"), state("sent"))}},
		{"a disjunction that repeats what is left",
			[]*term.Term{term.Or(p, q, p), term.Not(q), term.Not(p)},
			[]*term.Term{term.Or(p, q, p), term.Not(q)}},
		{"a chain of equalities",
			[]*term.Term{term.Eq(id, key), term.Eq(key, term.Var("u", term.String)), term.Eq(term.Var("u", term.String), text("a")), term.Eq(id, text("b"))},
			[]*term.Term{term.Eq(id, key), term.Eq(term.Var("u", term.String), text("a")), term.Eq(id, text("b"))}},
		{"no integer between",
			[]*term.Term{term.Lt(n, m), term.Lt(m, term.Add(n, num(1)))},
			[]*term.Term{term.Lt(n, m), term.Lt(m, term.Add(n, num(2)))}},
		{"even is not odd",
			[]*term.Term{term.Eq(term.Mul(num(2), n), term.Add(term.Mul(num(4), m), num(1)))},
			[]*term.Term{term.Eq(term.Mul(num(2), n), term.Add(term.Mul(num(4), m), num(2)))}},
		{"a fraction on the way",
			[]*term.Term{term.Le(num(1), term.Add(n, m)), term.Le(term.Add(n, m), num(1)), term.Eq(n, m)},
			[]*term.Term{term.Le(num(1), term.Add(n, m)), term.Le(term.Add(n, m), num(2)), term.Eq(n, m)}},
		{"integers squeezed into one",
			[]*term.Term{term.Le(n, m), term.Le(m, n), term.Not(term.Eq(term.App("f", term.Int, n), term.App("f", term.Int, m)))},
			[]*term.Term{term.Le(n, m), term.Not(term.Eq(term.App("f", term.Int, n), term.App("f", term.Int, m)))}},
		{"an enum has no other value",
			[]*term.Term{term.Not(term.Eq(c, term.EnumLit(colour, "red"))), term.Not(term.Eq(c, term.EnumLit(colour, "green"))), term.Not(term.Eq(c, term.EnumLit(colour, "blue")))},
			[]*term.Term{term.Not(term.Eq(c, term.EnumLit(colour, "red"))), term.Not(term.Eq(c, term.EnumLit(colour, "green")))}},
		{"truth values as entries",
			[]*term.Term{term.Eq(at(has, id), p), p, term.Eq(at(has, key), q), term.Not(q), term.Eq(id, key)},
			[]*term.Term{term.Eq(at(has, id), p), p, term.Eq(at(has, key), q), term.Not(q)}},
		{"doubles: what is equal is equal",
			[]*term.Term{term.Eq(f, g), term.FloatOp(term.OpFLt, f, f), term.Not(term.FloatOp(term.OpFLt, g, f))},
			[]*term.Term{term.FloatOp(term.OpFEq, f, g), term.FloatOp(term.OpFLt, f, f), term.Not(term.FloatOp(term.OpFLt, g, f))}},
		{"texts put together",
			[]*term.Term{term.Eq(id, key), term.Not(term.Eq(term.Concat(text("a"), id), term.Concat(text("a"), key)))},
			[]*term.Term{term.Not(term.Eq(term.Concat(text("a"), id), term.Concat(text("a"), key)))}},
		{"false itself", []*term.Term{term.False}, []*term.Term{term.True}},
	} {
		t.Run(x.name, func(t *testing.T) {
			proof, err := refute.Refute(x.right, refute.DefaultLimits())
			if err != nil {
				t.Fatalf("right: %v", err)
			}
			convince(t, x.right, proof)
			var open *refute.OpenError
			if _, err := refute.Refute(x.wrong, refute.DefaultLimits()); !errors.As(err, &open) {
				t.Errorf("wrong twin: %v", err)
			}
		})
	}
}

// branches is a body that branches k times and adds at most 1 each time, in passive form: the
// sum stays between 0 and k.
func branches(k int) []*term.Term {
	var out []*term.Term
	before := num(0)
	for i := range k {
		x := term.Var(fmt.Sprintf("x%d", i), term.Int)
		cond := term.Var(fmt.Sprintf("b%d", i), term.Bool)
		left, right := term.Var(fmt.Sprintf("in@%d", 2*i), term.Bool), term.Var(fmt.Sprintf("in@%d", 2*i+1), term.Bool)
		out = append(out,
			term.Implies(left, term.And(cond, term.Eq(x, term.Add(before, num(1))))),
			term.Implies(right, term.And(term.Not(cond), term.Eq(x, before))),
			term.Or(left, right))
		before = x
	}
	return append(out, term.Lt(before, num(0)))
}

// TestBranchesInARow: backjumping and learned negations keep joins that matter cheap enough, and
// those that do not for nothing.
func TestBranchesInARow(t *testing.T) {
	start := time.Now()
	set := branches(8)
	proof, err := refute.Refute(set, refute.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	convince(t, set, proof)
	idle := append(branches(30)[:90], term.Lt(n, m), term.Lt(m, n))
	proof, err = refute.Refute(idle, refute.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if len(proof.Lines) != 3 {
		t.Errorf("%d lines where 3 would do", len(proof.Lines))
	}
	t.Log(time.Since(start))
}

func TestLimits(t *testing.T) {
	for _, l := range []refute.Limits{{Nodes: 3, Pivots: 1000, Lines: 1000}, {Nodes: 1000, Pivots: 3, Lines: 10000}, {Nodes: 1000, Pivots: 1000, Lines: 30}} {
		var limit *refute.LimitError
		if _, err := refute.Refute(branches(6), l); !errors.As(err, &limit) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

func TestBadAssumptions(t *testing.T) {
	if _, err := refute.Refute([]*term.Term{n}, refute.DefaultLimits()); err == nil {
		t.Error("a number is no assumption")
	}
	if _, err := refute.Refute([]*term.Term{nil}, refute.DefaultLimits()); err == nil {
		t.Error("nothing is no assumption")
	}
}

func TestDeterministic(t *testing.T) {
	set := branches(5)
	first, err := refute.Refute(set, refute.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := refute.Refute(set, refute.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(lines(first), lines(again)) {
			t.Fatal("two runs, two proofs")
		}
	}
}

func lines(p *refute.Proof) []string {
	var out []string
	for _, l := range p.Lines {
		out = append(out, fmt.Sprint(l.Rule, l.Claim, l.From, l.Coef))
	}
	return out
}
