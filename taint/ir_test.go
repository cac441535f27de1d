package taint_test

import (
	"strings"
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/smt/term"
	"soma.cell/taint"
)

// These systems are made by hand: they have what the lowering of programs never makes.

var (
	id   = term.Var("id", term.String)
	open = term.StringLit("open")
)

func ask(v *term.Term) ir.Effect {
	return &ir.Act{Builtin: "think", Class: "model", Args: []*term.Term{open}, Result: v}
}

func move(to *term.Term) ir.Effect { return &ir.Move{Cell: "Gate", ID: id, To: to} }

func systemOf(automata ...*ir.Automaton) *ir.System {
	machine := &ir.Machine{Name: "gate", States: []string{"shut", "open"}, Initial: "shut", Edges: []*ir.MachineEdge{{From: "shut", To: "open"}}}
	return &ir.System{Cells: []*ir.Cell{{Name: "Gate", Machine: machine, Automata: automata,
		Slots: []*ir.Slot{{Name: "words", Value: term.String}}}}}
}

// finds checks a system and wants so many findings.
func finds(t *testing.T, want int, sys *ir.System) {
	t.Helper()
	r := taint.Check(sys, "2027")
	if len(r.Findings) != want {
		t.Errorf("%d findings, want %d: %v", len(r.Findings), want, r.Findings)
	}
	verified(t, sys, r)
}

// handler is a body over two texts, with one loop's worth of locations.
func handler() (b *irtest.Body, v, w *term.Term) {
	b = irtest.Handler(irtest.NewPlaces("gate.cell", 200), "Gate", "act", id)
	return b, b.Local("v", term.String), b.Local("w", term.String)
}

func TestGuardsEndorse(t *testing.T) {
	for _, c := range []struct {
		name  string
		guard func(v *term.Term) *term.Term
		want  int
	}{
		{"none", func(*term.Term) *term.Term { return term.True }, 1},
		{"equal", func(v *term.Term) *term.Term { return term.Eq(v, open) }, 0},
		{"different", func(v *term.Term) *term.Term { return term.Not(term.Eq(v, open)) }, 1},
		{"one of two", func(v *term.Term) *term.Term {
			return term.Or(term.Eq(v, open), term.Eq(term.StringLit("shut"), v))
		}, 0},
		{"one or anything", func(v *term.Term) *term.Term {
			return term.Or(term.Eq(v, open), term.App("ready", term.Bool))
		}, 1},
		{"implied by a test that passed", func(v *term.Term) *term.Term {
			ready := term.App("ready", term.Bool)
			return term.And(ready, term.Implies(ready, term.Eq(v, open)))
		}, 1}, // no propositional reasoning: a test says what its parts say
		{"chosen between", func(v *term.Term) *term.Term {
			return term.Ite(term.App("ready", term.Bool), term.Eq(v, open), term.Eq(v, id))
		}, 1},
		{"chosen between literals", func(v *term.Term) *term.Term {
			return term.Ite(term.App("ready", term.Bool), term.Eq(v, open), term.Eq(v, term.StringLit("shut")))
		}, 0},
		{"as a Bool", func(v *term.Term) *term.Term { return term.Eq(term.Eq(v, open), term.True) }, 0},
		{"as a false Bool", func(v *term.Term) *term.Term { return term.Eq(term.Eq(v, open), term.False) }, 1},
		{"unboxed", func(v *term.Term) *term.Term {
			return term.App("eq", term.Bool, term.App("box:String", term.Opaque, v), term.App("box:String", term.Opaque, open))
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, v, _ := handler()
			from := b.Do(ask(v))
			to := b.Loc()
			b.Edge(from, to, c.guard(v))
			finds(t, c.want, systemOf(b.Return(move(v))))
		})
	}
}

// A loop with two entries: the test of the old v must not count for the new one, although no
// join stands between them on the way round.
func TestSymbolsBornAgain(t *testing.T) {
	for _, again := range []bool{false, true} {
		b, v, w := handler()
		first, second, third := b.Loc(), b.Loc(), b.Loc()
		b.Edge(ir.Entry, first, term.App("left", term.Bool), &ir.Bind{Var: v, Value: open}, &ir.Bind{Var: w, Value: open})
		b.Edge(ir.Entry, second, term.Not(term.App("left", term.Bool)), &ir.Bind{Var: v, Value: open}, &ir.Bind{Var: w, Value: open})
		b.Edge(first, second, term.True, ask(v))
		test := term.Eq(v, open)
		if again {
			test = term.Eq(w, open)
		}
		b.Edge(second, third, test)
		b.Edge(third, first, term.True, move(v), &ir.Bind{Var: w, Value: v})
		b.Edge(second, ir.Exit, term.True, &ir.Return{Value: term.App("unit", term.Opaque)})
		want := 0
		if again {
			want = 1
		}
		finds(t, want, systemOf(b.Automaton))
	}
}

func TestUnknownOrigin(t *testing.T) {
	havoc := func(v *term.Term, from ...*term.Term) ir.Effect {
		return &ir.Havoc{Var: v, Origin: ir.Abstraction, Why: "something", From: from}
	}
	asking := func() *ir.Automaton {
		b := irtest.Handler(irtest.NewPlaces("ask.cell", 50), "Gate", "ask")
		b.Do(ask(b.Local("a", term.String)))
		return b.Return()
	}
	b, v, _ := handler()
	b.Do(havoc(v))
	finds(t, 0, systemOf(b.Return(move(v)))) // a program without sources
	b, v, _ = handler()
	b.Do(havoc(v))
	finds(t, 1, systemOf(b.Return(move(v)), asking()))
	b, v, _ = handler()
	b.Do(havoc(v, id))
	finds(t, 0, systemOf(b.Return(move(v)), asking()))
	b, v, w := handler()
	b.Do(ask(w), havoc(v, id, w))
	finds(t, 1, systemOf(b.Return(move(v))))
}

// An unknown effect may store anything anywhere and call any handler with anything.
func TestUnknownEffect(t *testing.T) {
	words := ir.SlotRef{Cell: "Gate", Slot: "words"}
	reader := func() *ir.Automaton {
		b := irtest.Handler(irtest.NewPlaces("read.cell", 50), "Gate", "read", id)
		v := b.Local("v", term.String)
		b.Do(&ir.Read{Slot: words, Key: id, Val: v})
		return b.Return(move(v))
	}
	mover := func() *ir.Automaton {
		to := term.Var("to", term.String)
		b := irtest.Handler(irtest.NewPlaces("go.cell", 50), "Gate", "_go", id, to)
		return b.Return(move(to))
	}
	quiet := func(effects ...ir.Effect) *ir.Automaton {
		b := irtest.Handler(irtest.NewPlaces("odd.cell", 50), "Gate", "odd")
		b.Do(append(effects, ask(b.Local("a", term.String)))...)
		return b.Return()
	}
	finds(t, 0, systemOf(reader(), mover(), quiet()))
	finds(t, 2, systemOf(reader(), mover(), quiet(&ir.Unknown{Why: "something odd"})))
}

// What a call tests counts once it has returned, unless it may not have happened.
func TestOptionalCall(t *testing.T) {
	must := func() *ir.Automaton {
		x := term.Var("x", term.String)
		b := irtest.Handler(irtest.NewPlaces("must.cell", 50), "Gate", "_must", x)
		b.Edge(ir.Entry, ir.Raised, term.Not(term.Eq(x, open)), &ir.Raise{Kind: "Bad"})
		to := b.Loc()
		b.Edge(ir.Entry, to, term.Eq(x, open))
		return b.Return()
	}
	for _, optional := range []bool{false, true} {
		b, v, _ := handler()
		b.Do(ask(v), &ir.Call{Handler: ir.HandlerRef{Cell: "Gate", Handler: "_must", Arity: 1}, Args: []*term.Term{v}, Optional: optional})
		want := 0
		if optional {
			want = 1
		}
		finds(t, want, systemOf(b.Return(move(v)), must()))
	}
}

// A derivation in which any one level is lowered is refused, and for that reason.
func TestVerifyRefuses(t *testing.T) {
	b, v, w := handler()
	from := b.Do(ask(v), &ir.Bind{Var: w, Value: term.Concat(v, open)},
		&ir.Write{Slot: ir.SlotRef{Cell: "Gate", Slot: "words"}, Key: id, Value: w})
	to := b.Loc()
	b.Edge(from, to, term.Eq(v, open))
	sys := systemOf(b.Return(move(v)))
	result := taint.Check(sys, "2027")
	if err := taint.Verify(sys, result.Derivation); err != nil {
		t.Fatal(err)
	}
	lowered := 0
	for i := range result.Derivation.Handlers {
		for k, level := range result.Derivation.Handlers[i].Symbols {
			if level > taint.Trusted {
				result.Derivation.Handlers[i].Symbols[k] = taint.Trusted
				refused(t, sys, result.Derivation, "not closed")
				result.Derivation.Handlers[i].Symbols[k] = level
				lowered++
			}
		}
	}
	for i, s := range result.Derivation.Stores {
		if s.Level > taint.Trusted {
			result.Derivation.Stores[i].Level = taint.Trusted
			refused(t, sys, result.Derivation, "not closed")
			result.Derivation.Stores[i].Level = s.Level
			lowered++
		}
	}
	if lowered < 2 {
		t.Errorf("only %d levels to lower", lowered)
	}
	short := *result.Derivation
	short.Handlers = short.Handlers[:len(short.Handlers)-1]
	refused(t, sys, &short, "at least")
	other := *result.Derivation
	other.Handlers = append([]taint.Typing{{Handler: ir.HandlerRef{Cell: "Gate", Handler: "gone"}}}, other.Handlers...)
	refused(t, sys, &other, "does not have")
	b, v, _ = handler()
	b.Do(ask(v))
	bad := systemOf(b.Return(move(v)))
	refused(t, bad, taint.Check(bad, "2027").Derivation, "comes from")
}

func refused(t *testing.T, sys *ir.System, d *taint.Derivation, why string) {
	t.Helper()
	if err := taint.Verify(sys, d); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("the derivation is refused for %v, want %q", err, why)
	}
}
