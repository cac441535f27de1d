package z3

import (
	"context"
	"errors"
	"math"
	"math/big"
	"runtime"
	"strings"
	"sync"
	"testing"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

func TestMissingLibrary(t *testing.T) {
	stranger := map[string]string{"darwin": "/usr/lib/libSystem.B.dylib"}[runtime.GOOS]
	if stranger == "" {
		stranger = "libc.so.6"
	}
	for path, why := range map[string]string{
		"/nowhere/libz3.so": `cannot load "/nowhere/libz3.so"`,
		stranger:            "no function Z3_",
	} {
		s, err := Open(path, smt.Limits{})
		if err == nil {
			t.Fatalf("%s serves as solver %v", path, s)
		}
		for _, part := range []string{why, "libz3-4", "SOMA_Z3"} {
			if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error %q does not name %q", path, err, part)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	if v := openSolver(t, smt.Limits{}).Version(); !strings.HasPrefix(v, "4.") {
		t.Errorf("the version is %q", v)
	}
}

func TestClosedSolver(t *testing.T) {
	s := openSolver(t, smt.Limits{})
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Check(context.Background(), smallQuery()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed solver answers: %v", err)
	}
}

func TestIllSortedQueries(t *testing.T) {
	s := openSolver(t, smt.Limits{})
	x := term.Var("x", term.Int)
	for why, q := range map[string]smt.Query{
		"not: argument 1 has sort Int":             {Name: "q", Assert: []*term.Term{term.Not(x)}},
		"assertion 2 has sort Int, not Bool":       {Name: "q", Assert: []*term.Term{term.True, x}},
		"a term is missing":                        {Name: "q", Assert: []*term.Term{nil}},
		"++: argument 1 has sort Int":              {Name: "q", Wanted: []*term.Term{term.Concat(x, x)}},
		"select: argument 1 has sort Int, not an ": {Name: "q", Wanted: []*term.Term{term.Select(x, x)}},
	} {
		_, err := s.Check(context.Background(), q)
		if err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), `query "q"`) {
			t.Errorf("the error is %v, want %q", err, why)
		}
	}
	wantEasy(t, s)
}

// TestSortErrorsOfZ3 passes by the check of sorts: what Z3 itself finds is an error too, and the
// process lives on.
func TestSortErrorsOfZ3(t *testing.T) {
	s := openSolver(t, smt.Limits{})
	n := term.Var("x", term.Int)
	array := term.Var("m", term.ArraySort(term.Int, term.Int))
	for _, bad := range []*term.Term{
		term.Not(n), term.And(n, term.True), term.Eq(n, term.StringLit("x")), term.Ite(n, n, n), term.Add(n, term.True),
		term.Le(n, term.FloatLit(1)), term.Concat(n, n), term.Select(array, term.True), term.Store(array, n, term.UnitLit),
		term.FloatOp(term.OpFAdd, n, n), term.FloatOp(term.OpFEq, n, term.FloatLit(1)),
		term.App("f", term.Int, term.Not(n)),
	} {
		x, err := newContext(s.lib, smt.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		out := x.ask(smt.Query{Assert: []*term.Term{bad}})
		x.close()
		var call *callError
		if out.built || !errors.As(out.err, &call) {
			t.Errorf("%s: the outcome is %+v, want an error of a C function", bad.Text(), out)
		}
	}
	x, err := newContext(s.lib, smt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	stranger := term.EnumLit(term.EnumSort("E", "a"), "b")
	if out := x.ask(smt.Query{Assert: []*term.Term{term.Eq(stranger, term.Var("e", stranger.Sort))}}); out.err == nil || !strings.Contains(out.err.Error(), `"b" is no constant of (Enum E a)`) {
		t.Errorf("a stranger among the values: %v", out.err)
	}
	x.close()
	wantEasy(t, s)
}

func TestModelValues(t *testing.T) {
	s := openSolver(t, patient)
	door := term.EnumSort("Door", "open", "shut")
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890123456789012345678901234567890", 10)
	literals := []*term.Term{
		term.True, term.False, term.IntLit(huge), num(0), text("a\"b"), term.EnumLit(door, "shut"), term.UnitLit,
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -0.1, 5e-324, -5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1),
		math.NaN(), 2.2250738585072014e-308, 1.7976931348623157e308, math.Pi} {
		literals = append(literals, double(f))
	}
	var q smt.Query
	for i, lit := range literals {
		v := term.Var("v"+string(rune('a'+i)), lit.Sort)
		q.Assert = append(q.Assert, term.Eq(v, lit))
		q.Wanted = append(q.Wanted, v)
	}
	o, m := term.Var("o", term.Opaque), term.Var("m", term.ArraySort(term.Int, term.Opaque))
	free := term.Var("free", door)
	q.Wanted = append(q.Wanted, o, m, term.Select(m, num(1)), free)
	got := ask(t, s, q)
	if got.Verdict != smt.Sat {
		t.Fatal(got)
	}
	for i, lit := range literals {
		if v := got.Values[i]; v == nil || !v.Equal(lit) {
			t.Errorf("%s comes back as %v", lit, v)
		}
	}
	rest := got.Values[len(literals):]
	if rest[0] != nil || rest[1] != nil || rest[2] != nil {
		t.Errorf("opaque values and arrays are literals: %v", rest)
	}
	if rest[3] == nil || rest[3].Sort != door {
		t.Errorf("an open enum is not completed: %v", rest[3])
	}
}

func TestRawTexts(t *testing.T) {
	if got := decodeText(`\u{1f}`).Name; got != `<raw:\u{1f}>` {
		t.Errorf("a text that codes none is shown as %q", got)
	}
}

func TestAnswersWithoutModel(t *testing.T) {
	s := openSolver(t, patient)
	if got := ask(t, s, smt.Query{}); got.Verdict != smt.Sat || len(got.Values) != 0 {
		t.Errorf("the empty query is %v", got)
	}
	x := term.Var("x", term.Int)
	if got := ask(t, s, smt.Query{Assert: []*term.Term{term.Lt(x, x)}, Wanted: []*term.Term{x}}); got.Verdict != smt.Unsat || got.Values != nil {
		t.Errorf("an unsatisfiable query has values: %v", got)
	}
}

// TestManyGoroutines uses solvers side by side.
func TestManyGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		s := openSolver(t, patient)
		wg.Go(func() {
			for i := range 15 {
				ctx, cancel := context.WithCancel(context.Background())
				x, n := term.Var("x", term.Int), num(int64(100*g+i))
				q := smt.Query{Assert: []*term.Term{term.Eq(x, n)}, Wanted: []*term.Term{x}}
				if a, err := s.Check(ctx, q); err != nil || a.Verdict != smt.Sat || !a.Values[0].Equal(n) {
					t.Errorf("x = %s gives %v, %v", n, a, err)
				}
				if a, err := s.Check(ctx, mixedQuery()); err != nil || a.Verdict != smt.Unsat {
					t.Errorf("the mixed query gives %v, %v", a, err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
}
