package z3

import (
	"context"
	"fmt"
	"testing"
	"time"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

var _ smt.Solver = (*Solver)(nil)

// fatal is what *testing.T and *rapid.T share.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func openSolver(t testing.TB, limits smt.Limits) *Solver {
	t.Helper()
	s, err := Open("", limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func ask(t fatal, s *Solver, q smt.Query) smt.Answer {
	t.Helper()
	a, err := s.Check(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

var patient = smt.Limits{Timeout: 20 * time.Second}

func num(n int64) *term.Term                     { return term.Int64(n) }
func text(s string) *term.Term                   { return term.StringLit(s) }
func double(f float64) *term.Term                { return term.FloatLit(f) }
func variable(n string, s *term.Sort) *term.Term { return term.Var(n, s) }

// pigeons says that n+1 pigeons have n holes for themselves: unsatisfiable, and hard to see.
func pigeons(n int) []*term.Term {
	var out []*term.Term
	in := func(pigeon, hole int) *term.Term { return term.Var(fmt.Sprintf("p%d.%d", pigeon, hole), term.Bool) }
	for p := range n + 1 {
		var somewhere []*term.Term
		for h := range n {
			somewhere = append(somewhere, in(p, h))
			for other := range p {
				out = append(out, term.Or(term.Not(in(p, h)), term.Not(in(other, h))))
			}
		}
		out = append(out, term.Or(somewhere...))
	}
	return out
}

// cubes asks for a sum of three cubes: hard nonlinear integers.
func cubes(sum int64) []*term.Term {
	cube := func(name string) *term.Term {
		v := term.Var(name, term.Int)
		return term.Mul(v, term.Mul(v, v))
	}
	return []*term.Term{
		term.Eq(term.Add(cube("x"), cube("y"), cube("z")), num(sum)),
		term.Lt(num(1000), term.Var("x", term.Int)),
	}
}
