package z3

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

func wantUnknown(t *testing.T, a smt.Answer, reason string) {
	t.Helper()
	if a.Verdict != smt.Unknown || a.Reason != reason {
		t.Errorf("the answer is %v (%s), want unknown (%s)", a.Verdict, a.Reason, reason)
	}
}

func wantEasy(t *testing.T, s *Solver) {
	t.Helper()
	if a := ask(t, s, smallQuery()); a.Verdict != smt.Unsat {
		t.Errorf("afterwards a small query is %v (%s)", a.Verdict, a.Reason)
	}
}

func TestTimeout(t *testing.T) {
	s := openSolver(t, smt.Limits{Timeout: 50 * time.Millisecond})
	start := time.Now()
	wantUnknown(t, ask(t, s, smt.Query{Assert: cubes(114)}), smt.ReasonTimeout)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("a time limit of 50 ms took %v", took)
	}
}

func TestWorkLimit(t *testing.T) {
	s := openSolver(t, smt.Limits{Work: 20_000})
	for range 2 {
		wantUnknown(t, ask(t, s, smt.Query{Assert: pigeons(9)}), smt.ReasonWork)
		wantEasy(t, s)
	}
}

func TestMemoryLimit(t *testing.T) {
	s := openSolver(t, smt.Limits{MemoryMB: 64, Timeout: 20 * time.Second})
	t.Cleanup(func() { s.lib.setMemoryLimit(0) })
	var large []*term.Term
	for i := range 300 {
		f, g := term.Var("f", term.Float), term.Var("g"+string(rune('0'+i)), term.Float)
		large = append(large, term.FloatOp(term.OpFLt, f, term.FloatOp(term.OpFAdd, g, f)))
	}
	for range 2 {
		wantUnknown(t, ask(t, s, smt.Query{Assert: large}), smt.ReasonMemory)
		wantEasy(t, s)
	}
	s.lib.setMemoryLimit(1)
	wantUnknown(t, ask(t, s, smallQuery()), smt.ReasonMemory)
	s.lib.setMemoryLimit(64)
	wantEasy(t, s)
}

func TestCancellation(t *testing.T) {
	s := openSolver(t, smt.Limits{})
	hard := smt.Query{Assert: cubes(114)}
	for _, c := range []struct {
		reason string
		make   func() (context.Context, context.CancelFunc)
	}{
		{smt.ReasonTimeout, func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), 30*time.Millisecond)
		}},
		{smt.ReasonCancelled, func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(30*time.Millisecond, cancel)
			return ctx, cancel
		}},
		{smt.ReasonCancelled, func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, cancel
		}},
	} {
		ctx, cancel := c.make()
		start := time.Now()
		a, err := s.Check(ctx, hard)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		wantUnknown(t, a, c.reason)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("stopping took %v", took)
		}
		wantEasy(t, s)
	}
}

// TestLimitsOutweighVerdicts holds that a verdict which Z3 gives after meeting a limit counts for
// nothing: it may be wrong.
func TestLimitsOutweighVerdicts(t *testing.T) {
	s := &Solver{limits: smt.Limits{Work: 100}}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		out  outcome
		want smt.Answer
	}{
		{"within the limits", context.Background(), outcome{built: true, verdict: smt.Unsat, work: 99}, smt.Answer{Verdict: smt.Unsat}},
		{"at the work limit", context.Background(), outcome{built: true, verdict: smt.Unsat, work: 100}, smt.Answer{Reason: smt.ReasonWork}},
		{"out of time, unsat", context.Background(), outcome{built: true, verdict: smt.Unsat, interrupted: true}, smt.Answer{Reason: smt.ReasonTimeout}},
		{"out of time, sat", context.Background(), outcome{built: true, verdict: smt.Sat, interrupted: true}, smt.Answer{Reason: smt.ReasonTimeout}},
		{"cancelled", cancelled, outcome{built: true, verdict: smt.Unsat, interrupted: true}, smt.Answer{Reason: smt.ReasonCancelled}},
		{"ended as the Go context did", cancelled, outcome{built: true, verdict: smt.Unsat}, smt.Answer{Verdict: smt.Unsat}},
		{"exception", context.Background(), outcome{built: true, err: &callError{"Z3_solver_check", 12, "no such theory"}},
			smt.Answer{Reason: "Z3_solver_check: no such theory (error code 12)"}},
		{"out of memory while building", context.Background(), outcome{err: &callError{"Z3_mk_add", codeMemoryOut, ""}},
			smt.Answer{Reason: smt.ReasonMemory}},
		{"incomplete", context.Background(), outcome{built: true, words: "(incomplete quantifiers)"}, smt.Answer{Reason: "(incomplete quantifiers)"}},
	} {
		got, err := s.judge(c.ctx, c.out)
		if err != nil || got.Verdict != c.want.Verdict || got.Reason != c.want.Reason {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := s.judge(context.Background(), outcome{err: &callError{"Z3_mk_add", 12, "sorts"}}); err == nil {
		t.Error("a query that cannot be built is no error")
	}
}

// TestGivesUpWaiting is the last resort against a query that heeds neither its time limit nor an
// interrupt.
func TestGivesUpWaiting(t *testing.T) {
	s := openSolver(t, smt.Limits{})
	x, err := newContext(s.lib, s.limits)
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	never := make(chan outcome)
	if _, ended := s.wait(ctx, x, never); ended {
		t.Error("a query that never ends has ended")
	}
	if got := interruptReason(ctx); got != smt.ReasonCancelled {
		t.Errorf("the reason is %q", got)
	}
}

// TestInterruptSignalsAreOurs holds that Z3 neither takes the process's interrupt signal nor
// stops because of it.
func TestInterruptSignalsAreOurs(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	s := openSolver(t, smt.Limits{Timeout: 400 * time.Millisecond})
	time.AfterFunc(100*time.Millisecond, func() { syscall.Kill(os.Getpid(), syscall.SIGINT) })
	start := time.Now()
	wantUnknown(t, ask(t, s, smt.Query{Assert: cubes(114)}), smt.ReasonTimeout)
	if took := time.Since(start); took < 350*time.Millisecond {
		t.Errorf("the signal stopped the query after %v", took)
	}
	select {
	case <-signals:
	case <-time.After(time.Second):
		t.Error("the signal did not arrive")
	}
}

// chains are terms of the given depth, one for each way of nesting.
func chains(depth int) map[string]*term.Term {
	a, x, s := term.Var("a", term.Bool), term.Var("x", term.Int), term.Var("s", term.String)
	m := term.Var("m", term.ArraySort(term.Int, term.Int))
	not, ite, sum, concat, store, app, mixed := a, x, x, s, m, x, a
	for i := range depth - 3 {
		v := term.Int64(int64(i))
		not = term.Eq(not, term.Var("b", term.Bool))
		ite = term.Ite(a, v, ite)
		sum = term.Add(sum, x)
		concat = term.Concat(term.StringLit("k"), concat)
		store = term.Store(store, v, x)
		app = term.App("f", term.Int, app)
		if i%2 == 0 {
			mixed = term.Or(term.Var("b", term.Bool), mixed)
		} else {
			mixed = term.And(term.Var("c", term.Bool), mixed)
		}
	}
	return map[string]*term.Term{
		"eq": not, "mixed": mixed,
		"ite": term.Le(ite, x), "sum": term.Le(sum, x), "app": term.Le(app, x),
		"concat": term.Eq(concat, s), "store": term.Le(term.Select(store, x), x),
	}
}

func TestDeepTerms(t *testing.T) {
	s := openSolver(t, smt.Limits{Timeout: 5 * time.Second})
	for name, f := range chains(term.MaxDepth) {
		if a := ask(t, s, smt.Query{Name: name, Assert: []*term.Term{f}}); a.Verdict == smt.Unknown && a.Reason != smt.ReasonTimeout {
			t.Errorf("%s: %s", name, a.Reason)
		}
	}
	for name, f := range chains(term.MaxDepth + 10) {
		a := ask(t, s, smt.Query{Name: name, Assert: []*term.Term{f}})
		wantUnknown(t, a, smt.ReasonTooDeep)
	}
}
