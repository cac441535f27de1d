package kernel_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/proofs/cert"
	"soma.cell/proofs/kernel"
	"soma.cell/smt/refute"
	"soma.cell/smt/term"
)

// write turns a proof into the form of certificates.
func write(p *refute.Proof) *cert.Refutation {
	bank, r := term.NewBank(), &cert.Refutation{}
	for _, l := range p.Lines {
		line := cert.Line{Rule: string(l.Rule), Claim: bank.Add(l.Claim), From: l.From}
		for _, k := range l.Coef {
			line.Coef = append(line.Coef, k.RatString())
		}
		r.Lines = append(r.Lines, line)
	}
	r.Terms = bank.Nodes()
	return r
}

// The random formulas speak of integers -1 … 2, the texts "a" and "b", an enum of two values,
// arrays from texts to integers, and a function; assumptions confine the variables to these, so
// that trying all values decides satisfiability.
var (
	ints    = []*term.Term{term.Var("x", term.Int), term.Var("y", term.Int)}
	texts   = []*term.Term{term.Var("s", term.String), term.Var("t", term.String)}
	bools   = []*term.Term{term.Var("p", term.Bool), term.Var("q", term.Bool)}
	colour  = term.EnumSort("Colour", "red", "blue")
	enums   = []*term.Term{term.Var("c", colour)}
	array   = term.Var("m", term.ArraySort(term.String, term.Int))
	arrayB  = term.Var("h", term.ArraySort(term.String, term.Bool))
	domain  = []int64{-1, 0, 1, 2}
	domainS = []string{"a", "b"}
)

type gen struct{ t *rapid.T }

func (g gen) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "n") }

func (g gen) integer(d int) *term.Term {
	if d <= 0 {
		if g.pick(3) == 0 {
			return term.Int64(domain[g.pick(4)])
		}
		return ints[g.pick(2)]
	}
	switch g.pick(7) {
	case 0:
		return term.Add(g.integer(d-1), g.integer(d-1))
	case 1:
		return term.Mul(term.Int64(int64(g.pick(7))-3), g.integer(d-1))
	case 2:
		return term.Ite(g.formula(d-1), g.integer(d-1), g.integer(d-1))
	case 3:
		return term.Select(g.array(d-1), g.text(d-1))
	case 4:
		return term.App("f", term.Int, g.integer(d-1))
	}
	return g.integer(0)
}

func (g gen) text(d int) *term.Term {
	if d > 0 && g.pick(4) == 0 {
		return term.Ite(g.formula(d-1), g.text(d-1), g.text(d-1))
	}
	if g.pick(2) == 0 {
		return term.StringLit(domainS[g.pick(2)])
	}
	return texts[g.pick(2)]
}

func (g gen) array(d int) *term.Term {
	if d > 0 && g.pick(2) == 0 {
		return term.Store(g.array(d-1), g.text(d-1), g.integer(d-1))
	}
	return array
}

func (g gen) arrayB(d int) *term.Term {
	if d > 0 && g.pick(2) == 0 {
		return term.Store(g.arrayB(d-1), g.text(d-1), g.formula(d-1))
	}
	return arrayB
}

func (g gen) formula(d int) *term.Term {
	if d <= 0 {
		switch g.pick(4) {
		case 0:
			return bools[g.pick(2)]
		case 1:
			return term.Eq(texts[g.pick(2)], g.text(0))
		}
		return term.Le(g.integer(0), g.integer(0))
	}
	switch g.pick(12) {
	case 0:
		return term.And(g.formula(d-1), g.formula(d-1))
	case 1:
		return term.Or(g.formula(d-1), g.formula(d-1))
	case 2:
		return term.Not(g.formula(d - 1))
	case 3:
		return term.Implies(g.formula(d-1), g.formula(d-1))
	case 4:
		return term.Eq(g.integer(d-1), g.integer(d-1))
	case 5:
		return term.Lt(g.integer(d-1), g.integer(d-1))
	case 6:
		return term.Eq(g.text(d-1), g.text(d-1))
	case 7:
		return term.Eq(g.formula(d-1), g.formula(d-1))
	case 8:
		return term.Eq(enums[0], term.EnumLit(colour, colour.Values[g.pick(2)]))
	case 9:
		return term.Select(g.arrayB(d-1), g.text(d-1))
	case 10:
		return term.Ite(g.formula(d-1), g.formula(d-1), g.formula(d-1))
	}
	return term.Le(g.integer(d-1), g.integer(d-1))
}

// confine bounds the variables; the entries of the array m are 0 or 1 at both texts.
func confine() []*term.Term {
	var out []*term.Term
	for _, x := range ints {
		out = append(out, term.Le(term.Int64(-1), x), term.Le(x, term.Int64(2)))
	}
	for _, s := range texts {
		out = append(out, term.Or(term.Eq(s, term.StringLit("a")), term.Eq(s, term.StringLit("b"))))
	}
	for _, k := range domainS {
		entry := term.Select(array, term.StringLit(k))
		out = append(out, term.Le(term.Int64(0), entry), term.Le(entry, term.Int64(1)))
	}
	return out
}

// world is an assignment; f(n) is n mod shift.
type world struct {
	vars  map[string]any
	shift int64
}

func (w world) eval(t *term.Term) any {
	args := make([]any, len(t.Args))
	for i, a := range t.Args {
		args[i] = w.eval(a)
	}
	switch t.Op {
	case term.OpVar:
		return w.vars[t.Name]
	case term.OpTrue, term.OpFalse:
		return t.Op == term.OpTrue
	case term.OpInt:
		return t.Int.Int64()
	case term.OpString, term.OpEnum:
		return t.Name
	case term.OpNot:
		return !args[0].(bool)
	case term.OpAnd, term.OpOr:
		for _, a := range args {
			if a.(bool) == (t.Op == term.OpOr) {
				return t.Op == term.OpOr
			}
		}
		return t.Op == term.OpAnd
	case term.OpImplies:
		return !args[0].(bool) || args[1].(bool)
	case term.OpEq:
		return fmt.Sprint(args[0]) == fmt.Sprint(args[1])
	case term.OpIte:
		if args[0].(bool) {
			return args[1]
		}
		return args[2]
	case term.OpAdd:
		var sum int64
		for _, a := range args {
			sum += a.(int64)
		}
		return sum
	case term.OpMul:
		return args[0].(int64) * args[1].(int64)
	case term.OpLe:
		return args[0].(int64) <= args[1].(int64)
	case term.OpLt:
		return args[0].(int64) < args[1].(int64)
	case term.OpSelect:
		return args[0].([2]any)[indexOf(args[1])]
	case term.OpStore:
		entries := args[0].([2]any)
		entries[indexOf(args[1])] = args[2]
		return entries
	case term.OpApp:
		return new(big.Int).Mod(big.NewInt(args[0].(int64)), big.NewInt(w.shift)).Int64()
	}
	panic("unexpected " + t.Op.String())
}

func indexOf(key any) int {
	if key == "a" {
		return 0
	}
	return 1
}

// satisfiable tries all assignments, with two functions for f. It finds no model that needs
// another function.
func satisfiable(ts []*term.Term) bool {
	choices := []struct {
		name   string
		values []any
	}{
		{"x", []any{int64(-1), int64(0), int64(1), int64(2)}}, {"y", []any{int64(-1), int64(0), int64(1), int64(2)}},
		{"s", []any{"a", "b"}}, {"t", []any{"a", "b"}}, {"p", []any{false, true}}, {"q", []any{false, true}},
		{"c", []any{"red", "blue"}},
		{"m", []any{[2]any{int64(0), int64(0)}, [2]any{int64(0), int64(1)}, [2]any{int64(1), int64(0)}, [2]any{int64(1), int64(1)}}},
		{"h", []any{[2]any{false, false}, [2]any{false, true}, [2]any{true, false}, [2]any{true, true}}},
	}
	used := map[string]bool{}
	for _, v := range term.Vars(ts...) {
		used[v.Name] = true
	}
	w := world{vars: map[string]any{}}
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(choices) {
			for _, w.shift = range []int64{2, 5} {
				all := true
				for _, t := range ts {
					if all = w.eval(t).(bool); !all {
						break
					}
				}
				if all {
					return true
				}
			}
			return false
		}
		for _, v := range choices[i].values {
			w.vars[choices[i].name] = v
			if try(i + 1) {
				return true
			}
			if !used[choices[i].name] {
				break
			}
		}
		return false
	}
	return try(0)
}

// TestRandomSets compares the engine with trying all values: what it refutes is unsatisfiable,
// each proof convinces the kernel, and nothing it calls open is obviously unsatisfiable.
func TestRandomSets(t *testing.T) {
	refuted, missed, limits := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		g := gen{rt}
		ts := confine()
		for range 1 + g.pick(5) {
			ts = append(ts, g.formula(3))
		}
		p, err := refute.Refute(ts, refute.Limits{Nodes: 500, Pivots: 5000, Lines: 20000})
		if err == nil {
			refuted++
			if satisfiable(ts) {
				rt.Fatalf("refuted a satisfiable set: %v", ts)
			}
			if err := kernel.CheckRefutation(ts, write(p)); err != nil {
				rt.Fatalf("the kernel refuses the proof: %v\n%v", err, ts)
			}
			return
		}
		if limit := (*refute.LimitError)(nil); errors.As(err, &limit) {
			limits++
		} else if !mentionsFunction(ts) && !satisfiable(ts) {
			missed++
			rt.Logf("missed: %v", ts[8+4:])
		}
	})
	t.Logf("%d refuted, %d missed, %d limits", refuted, missed, limits)
	if missed > 0 {
		t.Errorf("%d unsatisfiable sets were called open", missed)
	}
}

func mentionsFunction(ts []*term.Term) bool {
	found := false
	var visit func(t *term.Term)
	visit = func(t *term.Term) {
		found = found || t.Op == term.OpApp
		for _, a := range t.Args {
			visit(a)
		}
	}
	for _, t := range ts {
		visit(t)
	}
	return found
}
