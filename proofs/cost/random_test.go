package cost_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/cost"
)

// meter is a model that uses what it is allowed, as the source decides, and counts.
type meter struct {
	src                    progen.Source
	calls, tokens, latency int64
}

func (m *meter) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	m.latency += r.Timeout.Milliseconds()
	answer := func() error {
		n := r.MaxTokens
		if left := r.Account.Left(); left >= 0 {
			n = min(n, left)
		}
		n = max(0, n-m.src.Int(2)*m.src.Int(3))
		m.calls++
		m.tokens += int64(n)
		return r.Account.Pay(n)
	}
	if err := answer(); err != nil {
		return interp.Reply{}, err
	}
	for i := 0; i < r.MaxRounds && len(r.Tools) > 0 && m.src.Int(8) > 0; i++ {
		tool := r.Tools[m.src.Int(len(r.Tools))]
		if _, err := tool.Call([]interp.Value{interp.NewInt(int64(m.src.Int(4)))}); err != nil && m.src.Int(2) == 0 {
			return interp.Reply{}, err
		}
		if err := answer(); err != nil {
			return interp.Reply{}, err
		}
	}
	if m.src.Int(6) == 0 {
		return interp.Reply{}, &interp.Error{Kind: interp.KindLLM, Detail: "late"}
	}
	return interp.Reply{Text: []string{"a", "b"}[m.src.Int(2)]}, nil
}

// block draws statements that spend.
func block(src progen.Source, depth, handlers int) string {
	var out []string
	for range 1 + src.Int(3) {
		out = append(out, statement(src, depth, handlers))
	}
	return strings.Join(out, "  ")
}

func question(src progen.Source) string {
	return fmt.Sprintf(`think("q", map("max_tokens", %d, "timeout", %d, "max_rounds", %d))`, 1+src.Int(9), 1+src.Int(50), src.Int(3))
}

func statement(src progen.Source, depth, handlers int) string {
	inner := func() string { return block(src, depth-1, handlers) }
	v := fmt.Sprintf("v%d", src.Int(1_000_000_000))
	if depth > 0 {
		switch src.Int(10) {
		case 0:
			return fmt.Sprintf("if %s == \"a\" { %s } else { %s }", question(src), inner(), inner())
		case 1:
			return fmt.Sprintf("for %s in range(0, %d) { %s }", v, 1+src.Int(3), inner())
		case 2:
			return fmt.Sprintf("while [loop_bound(%d)] %s == \"a\" { %s }", 1+src.Int(3), question(src), inner())
		case 3:
			return fmt.Sprintf("let %s = try { %s  1 }", v, inner())
		case 4:
			return fmt.Sprintf("let %s = 0  while %s < %d { %s  %s += 1 }", v, v, 1+src.Int(4), inner(), v)
		case 5:
			return fmt.Sprintf("let %s = [1, 2].map(x => { %s  1 })", v, inner())
		case 6:
			return fmt.Sprintf("for %s in [\"a\", \"b\", \"c\"] { %s  if %s == \"a\" { break } }", v, inner(), question(src))
		case 7:
			before := fmt.Sprintf("for i%s in range(0, %d) { if %s == \"a\" { %s %s= 1 } }", v, 1+src.Int(3), question(src), v, []string{"+", "-"}[src.Int(2)])
			return fmt.Sprintf("let %s = 0  %s  while %s < %d { %s  %s += 1 }", v, before, v, 1+src.Int(3), inner(), v)
		}
	}
	switch src.Int(6) {
	case 0:
		return fmt.Sprintf("set_budget(%d)", src.Int(40))
	case 1:
		return fmt.Sprintf("sleep(%d)", src.Int(30))
	case 2:
		if handlers > 0 {
			return fmt.Sprintf("let %s = h%d(n)", v, src.Int(handlers))
		}
	case 3:
		return fmt.Sprintf("require n > %d else No", src.Int(3)-1)
	}
	return fmt.Sprintf("let %s = %s", v, question(src))
}

// TestNoCallTakesMore runs random programs: no call takes more than its bound.
func TestNoCallTakesMore(t *testing.T) {
	known, tight := 0, 0
	for seed := range uint64(400) {
		src := progen.Seed(seed)
		text := "cell agent Desk {\n face { tool h0(n: Int) -> Int \"a tool\" }\n"
		for i := range 4 {
			depth := 2
			if i == 0 {
				// A tool: what asks a model in it would come to run it again.
				text += fmt.Sprintf(" on h0(n: Int) { sleep(%d)  set_budget(%d)  return 1 }\n", src.Int(9), src.Int(90))
				continue
			}
			text += fmt.Sprintf(" on h%d(n: Int) { %s  return 1 }\n", i, block(src, depth, i))
		}
		text += "}"
		program := resolvetest.Program(t, text)
		system := lower.Program(program)
		bills := cost.Of(system)
		for i := range 12 {
			a := system.Handler(ir.HandlerRef{Cell: "Desk", Handler: fmt.Sprint("h", i%4), Arity: 1})
			m := &meter{src: src}
			w := interp.New(program, interp.Options{Model: m, Trace: func(s interp.Step) {
				if s.Kind == interp.StepAct && s.Name == "sleep" {
					n, _ := s.Args[0].(interp.Int).Int64()
					m.latency += n
				}
			}})
			_, _ = w.Call(context.Background(), "Desk", a.Name, []interp.Value{interp.NewInt(int64(src.Int(4)))})
			for _, c := range []struct {
				what  string
				bound cost.Amount
				spent int64
			}{{"calls", bills[a].Calls, m.calls}, {"tokens", bills[a].Tokens, m.tokens}, {"latency", bills[a].Latency, m.latency}} {
				n, ok := c.bound.Known()
				if !ok {
					continue
				}
				known++
				if c.spent == n {
					tight++
				}
				if c.spent > n {
					t.Fatalf("seed %d: %s took %d %s, more than %d\n%s", seed, a.Name, c.spent, c.what, n, text)
				}
			}
		}
	}
	if known < 5000 || tight < 500 {
		t.Errorf("only %d bounds were compared, %d of them reached", known, tight)
	}
}
