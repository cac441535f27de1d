package smt_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

// yes answers every query with sat.
type yes struct{ closed int }

func (y *yes) Check(context.Context, smt.Query) (smt.Answer, error) {
	return smt.Answer{Verdict: smt.Sat}, nil
}

func (y *yes) Close() error {
	y.closed++
	return nil
}

// ticking is a clock that advances by a second at each look.
func ticking() func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

func TestLazyOpensOnce(t *testing.T) {
	opened, solver := 0, &yes{}
	lazy := smt.NewLazy(func() (smt.Solver, error) { opened++; return solver, nil }, ticking())
	if opened != 0 || lazy.Loading() != 0 {
		t.Error("opened without a query")
	}
	for range 3 {
		if a, err := lazy.Check(context.Background(), smt.Query{}); err != nil || a.Verdict != smt.Sat {
			t.Errorf("answer %v, %v", a, err)
		}
	}
	if opened != 1 || lazy.Loading() != time.Second {
		t.Errorf("opened %d times, in %v", opened, lazy.Loading())
	}
	if err := lazy.Close(); err != nil || solver.closed != 1 {
		t.Errorf("closed %d times, %v", solver.closed, err)
	}
	if _, err := lazy.Check(context.Background(), smt.Query{}); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("answers when closed: %v", err)
	}
}

func TestLazyKeepsTheError(t *testing.T) {
	opened, missing := 0, errors.New("no solver here")
	lazy := smt.NewLazy(func() (smt.Solver, error) { opened++; return nil, missing }, ticking())
	for range 2 {
		if _, err := lazy.Check(context.Background(), smt.Query{}); !errors.Is(err, missing) {
			t.Errorf("error %v", err)
		}
	}
	if err := lazy.Close(); err != nil || opened != 1 {
		t.Errorf("opened %d times, %v", opened, err)
	}
}

func TestLazyClosedUnopened(t *testing.T) {
	lazy := smt.NewLazy(func() (smt.Solver, error) { t.Error("opened"); return &yes{}, nil }, ticking())
	if err := lazy.Close(); err != nil {
		t.Error(err)
	}
	if _, err := lazy.Check(context.Background(), smt.Query{}); err == nil {
		t.Error("answers when closed")
	}
}

func TestZeroVerdictIsUnknown(t *testing.T) {
	if v := (smt.Answer{}).Verdict; v != smt.Unknown || v.String() != "unknown" {
		t.Errorf("the zero verdict is %v", v)
	}
}

func TestQueryCheck(t *testing.T) {
	x := term.Var("x", term.Int)
	for why, q := range map[string]smt.Query{
		"":                                    {Assert: []*term.Term{term.Le(x, x)}, Wanted: []*term.Term{x}},
		`query "n": assertion 1 has sort Int`: {Name: "n", Assert: []*term.Term{x}},
		"not: argument 1 has sort Int":        {Assert: []*term.Term{term.Not(x)}},
		"argument 2 has sort Int":             {Wanted: []*term.Term{term.And(term.True, term.Eq(x, x), term.Or(term.Le(x, x), x))}},
	} {
		err := q.Check()
		if (err == nil) != (why == "") || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
}
