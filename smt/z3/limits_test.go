package z3

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
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
	quotient := term.FloatOp(term.OpFDiv, term.Var("f", term.Float), term.FloatLit(3))
	wantUnknown(t, ask(t, s, smt.Query{Assert: []*term.Term{term.FloatOp(term.OpFLt, quotient, term.Var("g", term.Float))}}), smt.ReasonTimeout)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("two time limits of 50 ms took %v", took)
	}
	wantEasy(t, openSolver(t, patient))
}

func TestWorkLimit(t *testing.T) {
	s := openSolver(t, smt.Limits{Work: 20_000})
	for range 2 {
		wantUnknown(t, ask(t, s, smt.Query{Assert: pigeons(9)}), smt.ReasonWork)
		wantEasy(t, s)
	}
}

func TestMemoryLimit(t *testing.T) {
	s := openSolver(t, smt.Limits{MemoryMB: 40})
	for range 2 {
		wantUnknown(t, ask(t, s, smt.Query{Assert: circuits(400)}), smt.ReasonMemory)
		wantEasy(t, s)
	}
}

// TestMemoryLimitOfMany has several solvers meet the limit at once.
func TestMemoryLimitOfMany(t *testing.T) {
	var wg sync.WaitGroup
	for range 3 {
		s := openSolver(t, smt.Limits{MemoryMB: 60})
		wg.Go(func() {
			a, err := s.Check(context.Background(), smt.Query{Assert: circuits(400)})
			if err != nil || a.Reason != smt.ReasonMemory {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	wg.Wait()
}

// circuits are sums of doubles, which Z3 spells out at great length.
func circuits(n int) []*term.Term {
	var out []*term.Term
	for i := range n {
		f, g := term.Var("f", term.Float), term.Var(fmt.Sprint("g", i), term.Float)
		out = append(out, term.FloatOp(term.OpFLt, f, term.FloatOp(term.OpFAdd, g, f)))
	}
	return out
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
	for _, c := range []struct {
		name string
		out  outcome
		want smt.Answer
	}{
		{"within the limits", outcome{built: true, verdict: smt.Unsat, work: 99}, smt.Answer{Verdict: smt.Unsat}},
		{"at the work limit", outcome{built: true, verdict: smt.Unsat, work: 100}, smt.Answer{Reason: smt.ReasonWork}},
		{"out of time, unsat", outcome{built: true, verdict: smt.Unsat, interrupted: smt.ReasonTimeout}, smt.Answer{Reason: smt.ReasonTimeout}},
		{"out of time, sat", outcome{built: true, verdict: smt.Sat, interrupted: smt.ReasonTimeout}, smt.Answer{Reason: smt.ReasonTimeout}},
		{"cancelled", outcome{built: true, verdict: smt.Unsat, interrupted: smt.ReasonCancelled}, smt.Answer{Reason: smt.ReasonCancelled}},
		{"interrupted while building", outcome{interrupted: smt.ReasonMemory, err: &callError{"Z3_mk_add", 12, "canceled"}}, smt.Answer{Reason: smt.ReasonMemory}},
		{"exception", outcome{built: true, err: &callError{"Z3_solver_check", 12, "no such theory"}},
			smt.Answer{Reason: "Z3_solver_check: no such theory (error code 12)"}},
		{"out of memory while building", outcome{err: &callError{"Z3_mk_add", codeMemoryOut, ""}}, smt.Answer{Reason: smt.ReasonMemory}},
		{"incomplete", outcome{built: true, words: "(incomplete quantifiers)"}, smt.Answer{Reason: "(incomplete quantifiers)"}},
	} {
		got, err := s.judge(c.out)
		if err != nil || got.Verdict != c.want.Verdict || got.Reason != c.want.Reason {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	if _, err := s.judge(outcome{err: &callError{"Z3_mk_add", 12, "sorts"}}); err == nil {
		t.Error("a query that cannot be built is no error")
	}
}

// TestGivesUpWaiting is the last resort against a query that heeds neither its time limit nor an
// interrupt.
func TestGivesUpWaiting(t *testing.T) {
	s := openSolver(t, smt.Limits{})
	x, err := newContext(s.lib, smt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	never := make(chan outcome)
	if out, ended := s.wait(ctx, x, never); ended || out.interrupted != smt.ReasonCancelled {
		t.Errorf("a query that never ends: %v, %+v", ended, out)
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
	eq, ite, sum, concat, store, app := a, x, x, s, m, x
	for i := range depth - 3 {
		v := term.Int64(int64(i))
		eq = term.Eq(eq, term.Var("b", term.Bool))
		ite = term.Ite(a, v, ite)
		sum = term.Add(sum, x)
		concat = term.Concat(term.StringLit("k"), concat)
		store = term.Store(store, v, x)
		app = term.App("f", term.Int, app)
	}
	return map[string]*term.Term{
		"eq":  eq,
		"ite": term.Le(ite, x), "sum": term.Le(sum, x), "app": term.Le(app, x),
		"concat": term.Eq(concat, s), "store": term.Le(term.Select(store, x), x),
	}
}

func TestDeepTerms(t *testing.T) {
	s := openSolver(t, patient)
	for name, f := range chains(term.MaxDepth) {
		if a := ask(t, s, smt.Query{Name: name, Assert: []*term.Term{f}}); a.Verdict == smt.Unknown {
			t.Errorf("%s: %s", name, a.Reason)
		}
	}
	for name, f := range chains(term.MaxDepth + 10) {
		a := ask(t, s, smt.Query{Name: name, Assert: []*term.Term{f}})
		wantUnknown(t, a, smt.ReasonTooDeep)
	}
}
