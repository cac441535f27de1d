package vc

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/ir"
	"soma.cell/ir/lower"
	"soma.cell/smt"
	"soma.cell/smt/term"
	"soma.cell/smt/z3"
)

// The interpreter and the lowering are independent readings of the language. Whatever a run
// of the interpreter does must be possible in the system: the state after a call, and its
// result, are asked of the solver together with the symbolic state at Exit. An answer
// "impossible" is an unsound lowering, or an unsound generator of conditions.

const coverFrame = `
cell P {
    memory {
        num: Map<String, Int> [persistent]
        txt: Map<String, String> [persistent]
        invariant num >= -100
    }
    state m { initial: a  a -> b  b -> c  c -> a  a -> c }
    on num_of(k: String) { return num.get(k) }
    on txt_of(k: String) { return txt.get(k) }
    on help(n: Int) { if n > 3 { return n - 1 }  num.set("h", n)  return n + 1 }
    on h(n: Int, s: String, f: Bool) {
%s    }
}
`

var coverKeys = []string{"k", "h", "a"}

func TestSystemCoversInterpreter(t *testing.T) {
	solver, err := z3.Open("", smt.Limits{Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	programs, decided := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := &programGen{t: t}
		text := fmt.Sprintf(coverFrame, g.block(2, "        ", 5))
		prog, sys := lowered(t, text)
		if prog == nil {
			return
		}
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

// lowered parses, resolves and lowers a program; nil when it does not check.
func lowered(t *rapid.T, text string) (*resolve.Program, *ir.System) {
	file, found := syntax.Parse(source.NewFile("app.cell", text))
	if errors, _ := diag.Count(found); errors > 0 {
		t.Fatalf("%v\n%s", found, text)
	}
	prog, found := resolve.Resolve([]*syntax.File{file}, "2027")
	if errors, _ := diag.Count(found); errors > 0 {
		return nil, nil
	}
	return prog, lower.Program(prog)
}

// observation is what can be seen of the program's memory.
type observation struct {
	num, txt map[string]interp.Value
	status   string
}

func observe(t *rapid.T, w *interp.World) observation {
	o := observation{num: map[string]interp.Value{}, txt: map[string]interp.Value{}}
	for _, k := range coverKeys {
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
	for _, k := range coverKeys {
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

// programGen draws bodies over Int locals i…, String locals s…, slots and the machine.
type programGen struct {
	t     *rapid.T
	count int
	ints  []string
	texts []string
	loops int
}

func (g *programGen) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "choice") }

func (g *programGen) fresh(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

// block draws statements and leaves the names they bind behind.
func (g *programGen) block(depth int, indent string, most int) string {
	ints, texts := len(g.ints), len(g.texts)
	var b strings.Builder
	for range 1 + g.pick(most) {
		for _, line := range strings.Split(g.stmt(depth, indent), "\n") {
			fmt.Fprintf(&b, "%s%s\n", indent, line)
		}
	}
	g.ints, g.texts = g.ints[:ints], g.texts[:texts]
	return b.String()
}

func (g *programGen) stmt(depth int, indent string) string {
	inner := indent + "    "
	nested := func() string { return "{\n" + g.block(depth-1, inner, 3) + indent + "}" }
	n := 10
	if depth > 0 {
		n = 20
	}
	switch g.pick(n) {
	case 0, 1:
		e, name := g.int(2), g.fresh("i")
		g.ints = append(g.ints, name)
		return fmt.Sprintf("let %s = %s", name, e)
	case 2:
		e, name := g.text(2), g.fresh("s")
		g.texts = append(g.texts, name)
		return fmt.Sprintf("let %s = %s", name, e)
	case 3:
		if len(g.ints) == 0 {
			return `num.set("k", 1)`
		}
		return fmt.Sprintf("%s %s %s", g.ints[g.pick(len(g.ints))], []string{"=", "+=", "-="}[g.pick(3)], g.int(2))
	case 4:
		return fmt.Sprintf("num.set(%s, %s)", g.key(), g.int(2))
	case 5:
		return fmt.Sprintf("txt[%s] = %s", g.key(), g.text(2))
	case 6:
		return fmt.Sprintf("num.delete(%s)", g.key())
	case 7:
		return fmt.Sprintf("require %s else Bad", g.cond(1))
	case 8:
		return []string{`transition("x", "b")`, `transition("x", "a", "c")`, `transition("x", "c")`, `transition("x", "b", "c")`}[g.pick(4)]
	case 9:
		if g.loops > 0 {
			return []string{"break", "continue"}[g.pick(2)]
		}
		return fmt.Sprintf("if %s { return %s }", g.cond(1), g.int(1))
	case 10, 11:
		return fmt.Sprintf("if %s %s else %s", g.cond(2), nested(), nested())
	case 12:
		g.loops++
		defer func() { g.loops-- }()
		name := g.fresh("j")
		g.ints = append(g.ints, name)
		body := nested()
		g.ints = g.ints[:len(g.ints)-1]
		return fmt.Sprintf("for %s in range(0, %d) %s", name, 1+g.pick(3), body)
	case 13:
		g.loops++
		defer func() { g.loops-- }()
		return fmt.Sprintf("while [loop_bound(4)] %s %s", g.cond(1), nested())
	case 14:
		g.loops++
		defer func() { g.loops-- }()
		name := g.fresh("w")
		g.texts = append(g.texts, name)
		body := nested()
		g.texts = g.texts[:len(g.texts)-1]
		return fmt.Sprintf(`for %s in ["a", "zz"] %s`, name, body)
	case 15:
		return fmt.Sprintf("match %s {\n%s    \"a\" -> %s\n%s    _ -> %s\n%s}", g.text(1), indent, nested(), indent, nested(), indent)
	case 16, 17, 18:
		name, value := g.fresh("r"), g.int(1)
		loops := g.loops
		g.loops = 0
		body := g.block(depth-1, inner, 3)
		if g.pick(2) == 0 {
			body += inner + "num.set(\"k\", 40)\n" + inner + "require " + g.cond(1) + " else Bad\n"
		}
		g.loops = loops
		i := g.fresh("i")
		g.ints = append(g.ints, i)
		return fmt.Sprintf("let %s = try {\n%s%s%s\n%s}\n%stxt[\"a\"] = %s.kind ?? \"fine\"\n%slet %s = %s.value ?? %s",
			name, body, inner, value, indent, indent, name, indent, i, name, g.int(1))
	}
	name, i := g.fresh("f"), g.fresh("i")
	lambda := fmt.Sprintf("let %s = x => x + %s\n%slet %s = %s(%s)", name, g.int(1), indent, i, name, g.int(1))
	g.ints = append(g.ints, i)
	return lambda
}

func (g *programGen) key() string { return []string{`"k"`, `"h"`, "s"}[g.pick(3)] }

func (g *programGen) int(depth int) string {
	n := 4
	if depth > 0 {
		n = 15
	}
	switch g.pick(n) {
	case 0:
		return fmt.Sprint(g.pick(8) - 2)
	case 1:
		return "n"
	case 2, 3:
		if len(g.ints) > 0 {
			return g.ints[g.pick(len(g.ints))]
		}
		return "n"
	case 4:
		return fmt.Sprintf("(%s + %s)", g.int(depth-1), g.int(depth-1))
	case 5:
		return fmt.Sprintf("(%s - %s)", g.int(depth-1), g.int(depth-1))
	case 6:
		return fmt.Sprintf("(%s * %s)", g.int(depth-1), g.int(depth-1))
	case 7:
		return fmt.Sprintf("(%s %% %s)", g.int(depth-1), g.int(depth-1))
	case 8:
		return fmt.Sprintf("(num.get(%s) ?? %s)", g.key(), g.int(depth-1))
	case 9:
		return fmt.Sprintf("(if %s { %s } else { %s })", g.cond(depth-1), g.int(depth-1), g.int(depth-1))
	case 10:
		return fmt.Sprintf("%s(%s, %s)", []string{"min", "max"}[g.pick(2)], g.int(depth-1), g.int(depth-1))
	case 11:
		return fmt.Sprintf("abs(%s)", g.int(depth-1))
	case 12:
		return fmt.Sprintf("clamp(%s, -1, %s)", g.int(depth-1), g.int(depth-1))
	case 13:
		return fmt.Sprintf("help(%s)", g.int(depth-1))
	}
	return fmt.Sprintf("len(%s)", g.text(depth-1))
}

func (g *programGen) text(depth int) string {
	n := 4
	if depth > 0 {
		n = 9
	}
	switch g.pick(n) {
	case 0:
		return []string{`"a"`, `"b"`, `""`}[g.pick(3)]
	case 1, 2:
		return "s"
	case 3:
		if len(g.texts) > 0 {
			return g.texts[g.pick(len(g.texts))]
		}
		return "s"
	case 4:
		return fmt.Sprintf("(%s + %s)", g.text(depth-1), g.text(depth-1))
	case 5:
		return `"{n}-{s}"`
	case 6:
		return fmt.Sprintf(`(txt.get(%s) ?? %s)`, g.key(), g.text(depth-1))
	case 7:
		return `get_status("x")`
	}
	return fmt.Sprintf("lowercase(%s)", g.text(depth-1))
}

func (g *programGen) cond(depth int) string {
	n := 5
	if depth > 0 {
		n = 9
	}
	switch g.pick(n) {
	case 0:
		return "f"
	case 1:
		return fmt.Sprintf("%s %s %s", g.int(0), []string{"<", "<=", ">", ">=", "==", "!="}[g.pick(6)], g.int(1))
	case 2:
		return fmt.Sprintf("%s == %s", g.text(0), g.text(1))
	case 3:
		return fmt.Sprintf(`contains(["a", "zz"], %s)`, g.text(0))
	case 4:
		return fmt.Sprintf("num.has(%s)", g.key())
	case 5:
		return fmt.Sprintf("(%s && %s)", g.cond(depth-1), g.cond(depth-1))
	case 6:
		return fmt.Sprintf("(%s || %s)", g.cond(depth-1), g.cond(depth-1))
	case 7:
		return fmt.Sprintf("!(%s)", g.cond(depth-1))
	}
	return fmt.Sprintf("num.get(%s) == %s", g.key(), g.int(0))
}
