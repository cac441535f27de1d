package vc

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"
	"soma.cell/frontend/resolve/resolvetest"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/proofs/internal/randprog"
	"soma.cell/smt"
	"soma.cell/smt/term"
	"soma.cell/smt/z3"
)

// The interpreter and the lowering are independent readings of the language. Whatever a run
// of the interpreter does must be possible in the system: the state after a call, and its
// result, are asked of the solver together with the symbolic state at Exit. An answer
// "impossible" is an unsound lowering, or an unsound generator of conditions.

func TestSystemCoversInterpreter(t *testing.T) {
	solver, err := z3.Open("", smt.Limits{Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	programs, decided := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := randprog.Program(t, false)
		prog := resolvetest.Drawn(t, text)
		if prog == nil {
			return
		}
		sys := lower.Program(prog)
		if err := ir.Validate(sys); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		programs++
		w := interp.New(prog, interp.Options{Steps: 200_000})
		body := New(sys).Body(sys.Handler(ir.HandlerRef{Cell: "P", Handler: "h", Arity: 3}))
		for range 2 {
			n := rapid.Int64Range(-3, 6).Draw(t, "n")
			s := rapid.SampledFrom([]string{"", "a", "b", "zz"}).Draw(t, "s")
			f := rapid.Bool().Draw(t, "f")
			before := observe(t, w)
			result, err := w.Call(context.Background(), "P", "h", []interp.Value{interp.NewInt(n), interp.String(s), interp.Bool(f)})
			if err != nil {
				if e, ok := err.(*interp.Error); !ok || e.Kind == "undefined_function" {
					t.Fatalf("%v\n%s", err, text)
				}
				continue
			}
			q := smt.Query{Name: "cover", Assert: covered(body, n, s, f, before, observe(t, w), result)}
			a, err := solver.Check(context.Background(), q)
			switch {
			case err != nil:
				t.Fatalf("%v\n%s", err, text)
			case a.Verdict == smt.Unsat:
				t.Fatalf("h(%d, %q, %v) gave %s, which the system rules out\n%s", n, s, f, interp.Render(result), text)
			case a.Verdict == smt.Sat:
				decided++
			}
		}
	})
	t.Logf("%d programs, %d runs compared", programs, decided)
	if decided == 0 {
		t.Error("no run was compared")
	}
}

// observation is what can be seen of the program's memory.
type observation struct {
	num, txt map[string]interp.Value
	status   string
}

func observe(t *rapid.T, w *interp.World) observation {
	o := observation{num: map[string]interp.Value{}, txt: map[string]interp.Value{}}
	for _, k := range randprog.Keys {
		var err error
		if o.num[k], err = w.Call(context.Background(), "P", "num_of", []interp.Value{interp.String(k)}); err != nil {
			t.Fatal(err)
		}
		if o.txt[k], err = w.Call(context.Background(), "P", "txt_of", []interp.Value{interp.String(k)}); err != nil {
			t.Fatal(err)
		}
	}
	o.status, _ = w.Status("P", "x")
	return o
}

// covered is the claim that the body can go from one observation to the other and return the
// result.
func covered(b *Body, n int64, s string, f bool, before, after observation, result interp.Value) []*term.Term {
	out := []*term.Term{
		term.Eq(b.a.Params[0], term.Int64(n)), term.Eq(b.a.Params[1], term.StringLit(s)), term.Eq(b.a.Params[2], term.BoolLit(f)),
	}
	out = append(out, seen(b.states[ir.Entry], before)...)
	var ways []*term.Term
	for i, e := range b.a.Edges {
		if e.To != ir.Exit || !b.edges[i] {
			continue
		}
		ret := e.Effects[len(e.Effects)-1].(*ir.Return)
		end := b.run(i, len(e.Effects))
		way := append(append([]*term.Term{}, b.axioms(e.From)...), end.Assume...)
		way = append(way, seen(end.state, after)...)
		if v := literalOf(result); v != nil && v.Sort.Same(ret.Value.Sort) {
			way = append(way, term.Eq(end.state.eval(ret.Value), v))
		} else if v != nil && ret.Value.Sort.Kind != term.KindOpaque {
			way = append(way, term.False)
		}
		ways = append(ways, term.And(way...))
	}
	return append(out, term.Or(ways...))
}

func seen(s *state, o observation) []*term.Term {
	var out []*term.Term
	for _, k := range randprog.Keys {
		for slot, vals := range map[string]map[string]interp.Value{"num": o.num, "txt": o.txt} {
			m := s.mem.slots[ir.SlotRef{Cell: "P", Slot: slot}]
			key := term.StringLit(k)
			v := literalOf(vals[k])
			out = append(out, term.Eq(term.Select(m.has, key), term.BoolLit(v.Op != term.OpUnit)))
			if v.Op != term.OpUnit {
				out = append(out, term.Eq(term.Select(m.val, key), v))
			}
		}
	}
	return append(out, term.Eq(term.Select(s.mem.states["P"], term.StringLit("x")), term.StringLit(o.status)))
}

func literalOf(v interp.Value) *term.Term {
	switch v := v.(type) {
	case interp.Int:
		return term.IntLit(v.Big())
	case interp.String:
		return term.StringLit(string(v))
	case interp.Bool:
		return term.BoolLit(bool(v))
	case interp.Unit:
		return term.UnitLit
	}
	return nil
}
