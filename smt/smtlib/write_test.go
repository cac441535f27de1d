package smtlib_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"soma.cell/smt"
	"soma.cell/smt/internal/termtest"
	"soma.cell/smt/smtlib"
	"soma.cell/smt/term"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func script(t *testing.T, q smt.Query) string {
	t.Helper()
	var b bytes.Buffer
	if err := smtlib.Write(&b, q); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type example struct {
	query   smt.Query
	verdict string
}

func examples() map[string]example {
	var (
		x, y  = term.Var("x@1", term.Int), term.Var("y@2", term.Int)
		s, o  = term.Var("s", term.String), term.Var("o", term.Opaque)
		f     = term.Var("f", term.Float)
		ship  = term.EnumSort("Ship", "docked", "at sea", "and")
		at    = term.Var("at", ship)
		stock = term.Var("stock", term.ArraySort(term.String, term.Int))
		docks = term.Var("docks", term.ArraySort(term.String, term.ArraySort(term.Int, ship)))
	)
	sum := term.Add(x, y)
	deep := x
	for i := range 150 {
		deep = term.Add(term.Mul(term.Int64(int64(i)), y), deep)
	}
	return map[string]example{
		"arithmetic": {smt.Query{Name: "Dock/load/invariant/1", Assert: []*term.Term{
			term.And(term.Le(term.Int64(0), x), term.Lt(y, x)),
			term.Or(term.Le(sum, term.Int64(-5)), term.Eq(sum, term.IntLit(new(big.Int).Lsh(big.NewInt(1), 90)))),
			term.Implies(term.Eq(term.Mul(x, y), term.Int64(6)), term.Not(term.Le(x, y))),
			term.Lt(term.Ite(term.Le(x, y), x, y), term.Int64(-3)),
		}}, "sat"},
		"texts": {smt.Query{Assert: []*term.Term{
			term.Eq(term.Concat(s, term.StringLit("\"é\\u{41}%|\n")), term.Concat(term.StringLit("key-"), term.Var("t", term.String))),
			term.Not(term.Eq(term.App("len", term.Int, s), term.App("len", term.Int, s, s))),
			term.Not(term.Eq(s, term.StringLit(""))),
		}}, "sat"},
		"doubles": {smt.Query{Assert: []*term.Term{
			term.FloatOp(term.OpFLe, term.FloatOp(term.OpFAdd, f, term.FloatLit(1)), term.FloatOp(term.OpFSub, f, term.FloatLit(math.Copysign(0, -1)))),
			term.FloatOp(term.OpFLt, term.FloatLit(math.Inf(-1)), f),
			term.FloatOp(term.OpFEq, f, term.FloatOp(term.OpFDiv, term.FloatLit(1e300), term.FloatOp(term.OpFMul, term.FloatLit(1), term.FloatLit(2)))),
			term.Not(term.Eq(f, term.FloatLit(math.NaN()))),
		}}, "sat"},
		"sorts": {smt.Query{Name: "names that\nneed bars", Assert: []*term.Term{
			term.Not(term.Eq(at, term.EnumLit(ship, "at sea"))),
			term.Not(term.Eq(at, term.EnumLit(ship, "docked"))),
			term.Not(term.Eq(at, term.EnumLit(ship, "and"))),
			term.Eq(term.Var("at", term.EnumSort("Ship", "other", "and")), term.EnumLit(term.EnumSort("Ship", "other", "and"), "and")),
			term.Eq(term.Var("at", term.Unit), term.UnitLit),
			term.App("eq", term.Bool, o, term.Var("and", term.Opaque)),
			term.Eq(term.App("at", term.Unit), term.Var("at", term.Unit)),
			term.Eq(term.Select(term.Store(stock, s, x), s), y),
			term.Eq(term.Select(term.Select(docks, s), x), at),
			term.Var("a|b\\c", term.Bool),
		}}, "unsat"},
		"sharing": {smt.Query{Assert: []*term.Term{
			term.Lt(term.Mul(term.Int64(2), sum), term.Add(sum, term.Int64(1))),
			term.Lt(term.Int64(1), sum),
		}}, "unsat"},
		"nesting": {smt.Query{Assert: []*term.Term{term.Lt(deep, x), term.Eq(y, term.Int64(0))}}, "unsat"},
		"empty":   {smt.Query{}, "sat"},
	}
}

func TestGolden(t *testing.T) {
	for name, e := range examples() {
		path := filepath.Join("testdata", name+".smt2")
		got := script(t, e.query)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestSolversOnPath runs the examples by whatever solver programs the machine has.
func TestSolversOnPath(t *testing.T) {
	for program, args := range map[string][]string{
		"z3":   {"-in", "-T:10"},
		"cvc5": {"--tlimit=10000", "--lang=smt2"},
	} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Logf("no %s on this machine", program)
			continue
		}
		for name, e := range examples() {
			cmd := exec.Command(path, args...)
			cmd.Stdin = strings.NewReader(script(t, e.query))
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != e.verdict {
				t.Errorf("%s says %q of %s (%v), want %s", program, got, name, err, e.verdict)
			}
		}
	}
}

func TestScriptsAreDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := smt.Query{Assert: termtest.RandomModel(t).Facts()}
		q.Assert = append(q.Assert, termtest.Term(t, term.Bool, 5))
		var first, second bytes.Buffer
		if err := errors.Join(smtlib.Write(&first, q), smtlib.Write(&second, q)); err != nil {
			t.Fatal(err)
		}
		if first.String() != second.String() {
			t.Fatalf("two scripts of one query:\n%s\n%s", &first, &second)
		}
		for _, r := range first.String() {
			if r != '\n' && (r < ' ' || r > '~') {
				t.Fatalf("the script holds %q", r)
			}
		}
	})
}

// TestSharedTermsStaySmall writes a term of 2^60 leaves.
func TestSharedTermsStaySmall(t *testing.T) {
	u := term.Var("x", term.Int)
	for range 60 {
		u = term.Add(u, u)
	}
	if got := script(t, smt.Query{Assert: []*term.Term{term.Le(u, u), term.Lt(u, term.Int64(0))}}); len(got) > 4000 {
		t.Errorf("the script has %d bytes", len(got))
	}
}

// TestNestingIsBounded writes a term of a depth at which recursive readers fail.
func TestNestingIsBounded(t *testing.T) {
	u := term.Var("p", term.Bool)
	for i := range term.MaxDepth/2 - 5 {
		u = term.Or(term.Var(fmt.Sprint("q", i), term.Bool), term.And(term.Var(fmt.Sprint("r", i), term.Bool), u))
	}
	u = term.Implies(u.Args[1], term.Var("z", term.Bool))
	deepest, depth := 0, 0
	for _, r := range script(t, smt.Query{Assert: []*term.Term{u}}) {
		switch r {
		case '(':
			depth++
			deepest = max(deepest, depth)
		case ')':
			depth--
		}
	}
	if depth != 0 || deepest > 100 {
		t.Errorf("parentheses are %d deep, and %d stay open", deepest, depth)
	}
}

func TestWriteRefusesIllSortedQueries(t *testing.T) {
	x := term.Var("x", term.Int)
	var b bytes.Buffer
	err := smtlib.Write(&b, smt.Query{Name: "bad", Assert: []*term.Term{term.Not(x)}})
	if err == nil || !strings.Contains(err.Error(), "not: argument 1 has sort Int") || b.Len() != 0 {
		t.Errorf("wrote %q, error %v", &b, err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteReportsTheWriter(t *testing.T) {
	if err := smtlib.Write(full{}, smt.Query{}); err == nil || err.Error() != "disk full" {
		t.Errorf("error %v", err)
	}
}
