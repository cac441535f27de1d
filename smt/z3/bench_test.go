package z3

import (
	"context"
	"testing"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

// BenchmarkOpen is the cost of loading the library, once it is in the page cache, and of a
// context.
func BenchmarkOpen(b *testing.B) {
	for range b.N {
		s, err := Open("", smt.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkSmallQuery is an obligation of ordinary size: an invariant over a few variables.
func BenchmarkSmallQuery(b *testing.B) { benchmarkQuery(b, smallQuery()) }

// BenchmarkMixedQuery is one with texts, an array and functions.
func BenchmarkMixedQuery(b *testing.B) { benchmarkQuery(b, mixedQuery()) }

func benchmarkQuery(b *testing.B, q smt.Query) {
	s, err := Open("", smt.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if a, err := s.Check(context.Background(), q); err != nil || a.Verdict != smt.Unsat {
			b.Fatal(a, err)
		}
	}
}

func smallQuery() smt.Query {
	old, amount, limit := term.Var("old@1", term.Int), term.Var("amount@2", term.Int), term.Var("limit@3", term.Int)
	sum := term.Add(old, amount)
	return smt.Query{Name: "small", Assert: []*term.Term{
		term.And(term.Le(term.Int64(0), old), term.Le(old, limit)),
		term.Le(term.Int64(0), amount),
		term.Or(term.Lt(sum, limit), term.Eq(sum, limit)),
		term.Not(term.And(term.Le(term.Int64(0), sum), term.Le(sum, limit))),
	}}
}

func mixedQuery() smt.Query {
	has := term.Var("has@1", term.ArraySort(term.String, term.Bool))
	val := term.Var("val@2", term.ArraySort(term.String, term.Int))
	key, other := term.Var("key@3", term.String), term.Var("other@4", term.String)
	state := term.EnumSort("Ship", "docked", "loaded", "sailing")
	at := term.Var("at@5", state)
	stored := term.Store(val, key, term.App("size", term.Int, other))
	var asserts []*term.Term
	for _, k := range []*term.Term{key, other, term.Concat(term.StringLit("pay-"), key)} {
		asserts = append(asserts, term.Implies(term.Select(has, k), term.Le(term.Int64(0), term.Select(val, k))))
	}
	return smt.Query{Name: "mixed", Assert: append(asserts,
		term.Not(term.Eq(key, other)),
		term.Le(term.Int64(0), term.App("size", term.Int, other)),
		term.Implies(term.Eq(at, term.EnumLit(state, "docked")), term.Select(has, other)),
		term.Or(term.Eq(at, term.EnumLit(state, "docked")), term.Eq(key, term.StringLit("x"))),
		term.Or(
			term.Lt(term.Select(stored, key), term.Int64(0)),
			term.And(term.Select(has, other), term.Lt(term.Select(stored, other), term.Int64(0)))),
	)}
}
