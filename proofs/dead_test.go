package proofs

import (
	"context"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/internal/randprog"
	"soma.cell/proofs/obligation"
	"soma.cell/smt"
)

// TestDeadCodeIsNotReached marks each statement of random programs that is said to be dead with a
// print before it, and runs the program: nothing is printed, what can only fail fails, and operations
// that always fail give no value. Handlers that can only fail and such operations are rare at random,
// so some are judged in any case.
func TestDeadCodeIsNotReached(t *testing.T) {
	solver := opened(t, smt.Limits{Timeout: 2 * time.Second})
	marked, failing, operations := 0, 0, 0
	judge := func(t *rapid.T, text string) {
		prog := resolvetest.Drawn(t, text)
		if prog == nil {
			return
		}
		sys := lower.Program(prog)
		report := audited(t, text, sys, Options{Solver: solver})
		// A statement that was lowered more than once is dead where all its places are.
		places, behind := map[int]int{}, map[[2]int]int{}
		for _, s := range sys.Handler(ir.HandlerRef{Cell: "P", Handler: "h", Arity: 3}).Stmts {
			if s.Behind {
				behind[[2]int{s.Span.Start, s.Span.End}]++
			} else {
				places[s.Span.Start]++
			}
		}
		var at []int
		onlyFails := false
		fails := map[[2]int]bool{}
		for _, o := range report.Obligations {
			switch {
			case o.Kind != obligation.DeadCode:
			case o.Handler == "h" && strings.HasPrefix(o.Claim, "no run of"):
				onlyFails = true
			case o.Handler == "h" && strings.HasPrefix(o.Claim, "no run gets past"):
				span := [2]int{o.Span.Start, o.Span.End}
				behind[span]--
				fails[span] = behind[span] == 0
			case strings.HasPrefix(o.Claim, "no run gets past"):
			case o.Handler != "h":
				at = append(at, o.Span.Start)
			default:
				if places[o.Span.Start]--; places[o.Span.Start] == 0 {
					at = append(at, o.Span.Start)
				}
			}
		}
		if len(at) == 0 && !onlyFails && len(fails) == 0 {
			return
		}
		passed := false
		observed := interp.New(prog, interp.Options{Steps: 100_000, Observe: func(x syntax.Expr, _ interp.Value) {
			passed = passed || fails[[2]int{x.Span().Start, x.Span().End}]
		}})
		for _, all := range fails {
			if all {
				operations++
			}
		}
		at = slices.DeleteFunc(at, func(start int) bool { return !beginsLine(text[:start]) })
		sort.Sort(sort.Reverse(sort.IntSlice(at)))
		for _, i := range at {
			text = text[:i] + `print("dead")` + "\n" + text[i:]
			marked++
		}
		if onlyFails {
			failing++
		}
		printed := false
		w := interp.New(resolvetest.Drawn(t, text), interp.Options{Steps: 100_000, Trace: func(s interp.Step) {
			printed = printed || s.Kind == interp.StepAct && s.Name == "print"
		}})
		for range 12 {
			n := rapid.Int64Range(-3, 8).Draw(t, "n")
			s := rapid.SampledFrom([]string{"", "a", "b", "c", "zz", "k", "x"}).Draw(t, "s")
			f := rapid.Bool().Draw(t, "f")
			_, err := w.Call(context.Background(), "P", "h", []interp.Value{interp.NewInt(n), interp.String(s), interp.Bool(f)})
			if printed {
				t.Fatalf("h(%d, %q, %v) reaches what is said to be dead\n%s", n, s, f, text)
			}
			if _, _ = observed.Call(context.Background(), "P", "h", []interp.Value{interp.NewInt(n), interp.String(s), interp.Bool(f)}); passed {
				t.Fatalf("h(%d, %q, %v) gets past what is said to fail always\n%s", n, s, f, text)
			}
			if onlyFails && err == nil {
				t.Fatalf("h(%d, %q, %v) returns, though it is said that it can only fail\n%s", n, s, f, text)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) { judge(t, onlyFailing) })
	rapid.Check(t, func(t *rapid.T) { judge(t, failingOperation) })
	if failing == 0 || operations == 0 {
		t.Error("a handler that can only fail is not found, or an operation that always fails")
	}
	rapid.Check(t, func(t *rapid.T) { judge(t, randprog.Program(t, true)) })
	t.Logf("%d dead statements, %d handlers that only fail, %d operations that always fail", marked, failing, operations)
	if marked == 0 || failing == 0 {
		t.Error("nothing was compared")
	}
}

// onlyFailing is a program whose handler can only fail.
const onlyFailing = `
cell P {
    memory { num: Map<String, Int> [persistent] }
    on h(n: Int, s: String, f: Bool) {
        require n > 5 else Small
        require n < 3 else Large
    }
}
`

// failingOperation is a program in which an operation always fails.
const failingOperation = `
cell P {
    memory { num: Map<String, Int> [persistent] }
    on h(n: Int, s: String, f: Bool) {
        if f { return 4 % (n - n) }
        return 4 % (n - n + 1)
    }
}
`

// beginsLine tells whether a statement may be put behind a text.
func beginsLine(text string) bool {
	line := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	return line == "" || strings.HasSuffix(line, "{") && !strings.HasSuffix(line, "-> {")
}
