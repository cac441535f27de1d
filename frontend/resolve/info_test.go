package resolve_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"soma.cell/frontend/builtin"
	"soma.cell/frontend/diag"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
)

// In a program without errors every call, name, emit and mock has its meaning in the tables:
// whoever runs or lowers it never has to decide.
func TestInfoIsComplete(t *testing.T) {
	p, problems := program(t, "testdata/ordinary.cell")
	if errors, _ := diag.Count(problems); errors > 0 {
		t.Fatalf("errors: %v", problems)
	}
	var calls, names int
	for _, f := range p.Files {
		for _, d := range f.Decls {
			called := map[syntax.Node]bool{}
			every(d, func(n syntax.Node) {
				switch n := n.(type) {
				case *syntax.Call:
					called[n.Fun] = true
				case *syntax.Pipe:
					called[n.Call] = true
				}
			})
			every(d, func(n syntax.Node) {
				switch n := n.(type) {
				case *syntax.Call:
					if called[n] {
						return
					}
					calls++
					if p.Info.Calls[n] == nil {
						t.Errorf("%s: no callee of %s", n.At, n.At.Text())
					}
				case *syntax.Method, *syntax.Pipe:
					calls++
					if p.Info.Calls[n.(syntax.Expr)] == nil {
						t.Errorf("%s: no callee of %s", n.Span(), n.Span().Text())
					}
				case *syntax.Name:
					names++
					if p.Info.Names[n] == nil && !called[n] {
						t.Errorf("%s: no meaning of %s", n.At, n.Name)
					}
				case *syntax.Emit:
					if len(p.Info.Listeners[n]) == 0 {
						t.Errorf("%s: no listener", n.At)
					}
				case *syntax.Mock:
					if p.Info.Mocks[n] == nil {
						t.Errorf("%s: nothing mocked", n.At)
					}
				}
			})
		}
	}
	if calls < 40 || names < 80 {
		t.Errorf("only %d calls and %d names seen", calls, names)
	}
}

// every visits all expressions and statements of a declaration.
func every(d *syntax.Decl, visit func(syntax.Node)) {
	see := func(n syntax.Node) {
		syntax.Inspect(n, func(n syntax.Node) bool { visit(n); return true })
	}
	for _, m := range d.Memory {
		for _, i := range m.Invariants {
			see(i.Cond)
		}
	}
	for _, m := range d.Machines {
		for _, e := range m.Edges {
			see(e.Guard)
		}
	}
	for _, h := range d.Handlers {
		see(h.Body)
	}
	for _, tm := range d.Timers {
		see(tm.Body)
	}
	for _, r := range d.Rules {
		for _, s := range r.Items {
			see(s)
		}
	}
}

func program(t testing.TB, path string) (*resolve.Program, []diag.Diagnostic) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return check(source.NewFile(path, string(data)))
}

func clean(t testing.TB, text string) *resolve.Program {
	t.Helper()
	p, problems := check(source.NewFile("app.cell", text))
	if errors, _ := diag.Count(problems); errors > 0 {
		t.Fatalf("errors: %v", problems)
	}
	return p
}

// callees renders the callee of every call, in source order.
func callees(p *resolve.Program) []string {
	var out []string
	for _, c := range p.Cells {
		for _, h := range c.Handlers {
			syntax.Inspect(h.Body, func(n syntax.Node) bool {
				x, ok := n.(syntax.Expr)
				if !ok || p.Info.Calls[x] == nil {
					return true
				}
				callee := p.Info.Calls[x]
				text := map[resolve.CalleeKind]string{resolve.CallBuiltin: "builtin", resolve.CallHandler: "handler",
					resolve.CallLambda: "lambda", resolve.CallSlot: "slot", resolve.CallCellAs: "delegate", resolve.CallValue: "value"}[callee.Kind]
				if callee.Handler != nil {
					text += " " + callee.Handler.Cell.Name
				}
				out = append(out, n.Span().Text()+": "+text)
				return true
			})
		}
	}
	return out
}

// The order in which a call looks for its callee: a local function, the own handler of that
// arity, the builtin, another cell's handler.
func TestWhichFunctionIsCalled(t *testing.T) {
	p := clean(t, `
cell A {
    memory { m: Map<String, Int> [persistent] }
    on max(a: Int) { return a }
    on go(n: Int, f: Any) {
        print(max(1), max(1, 2), 1.max(), 1 |> max(2))
        print(f(1), 1.f(), 1 |> f)
        let min = 3
        print(min(1, 2))
        let g = x => x
        print(g(1), 1 |> g)
        print(only(1), B.only(1), 1.only(), 1 |> B.only)
        print(m.get("a"), m.len(), map("a", 1).get("a"), [1].last())
        delegate("B", "only", 1)
        return "x".uppercase()
    }
}
cell B {
    on only(n: Int) { return max(n, 1) }
}
`)
	var got []string
	for _, c := range callees(p) {
		if !strings.HasPrefix(c, "print(") && !strings.HasPrefix(c, "map(") || strings.Contains(c, ".get(") && !strings.HasPrefix(c, "print(") {
			got = append(got, c)
		}
	}
	want := []string{
		"max(1): handler A", "max(1, 2): builtin", "1.max(): handler A", "1 |> max(2): builtin",
		"f(1): lambda", "1.f(): lambda", "1 |> f: lambda",
		"min(1, 2): builtin",
		"g(1): lambda", "1 |> g: lambda",
		"only(1): handler B", "B.only(1): handler B", "1.only(): handler B", "1 |> B.only: handler B",
		`m.get("a"): slot`, "m.len(): slot", `map("a", 1).get("a"): value`, "[1].last(): value",
		`delegate("B", "only", 1): delegate B`,
		`"x".uppercase(): builtin`,
		"max(n, 1): builtin",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("callees\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWildcardExpansion(t *testing.T) {
	p := clean(t, `
cell Lift {
    state lift {
        initial: down
        * -> broken except [scrapped]
        down -> up
        up -> broken { guard { true } }
        broken -> scrapped
    }
    on move(id: String) { transition(id, "up") }
}
`)
	var got []string
	for _, e := range p.Cells[0].Machine.Edges {
		text := e.From + "->" + e.To
		if e.Wildcard {
			text += "*"
		}
		got = append(got, text)
	}
	if want := "[down->broken* down->up up->broken broken->scrapped]"; fmt.Sprint(got) != want {
		t.Errorf("edges %v, want %s", got, want)
	}
	if m := p.Cells[0].Machine; !m.Terminal("scrapped") || m.Terminal("up") || m.Initial != "down" ||
		fmt.Sprint(m.States) != "[down broken up scrapped]" {
		t.Errorf("machine %+v", m)
	}
}

// A frame is nil when the author drew none, and empty when nothing is allowed.
func TestFrames(t *testing.T) {
	p := clean(t, `
skeleton Safe {
    memory { gold: Map<String, Int> [persistent] }
    state safe {
        initial: shut
        shut -> open
    }
    face {
        signal idle() -> Int
        signal open_it(id: String) -> Int reads gold, safe writes gold moves shut -> open calls think, emit, idle
    }
}
flesh Safe {
    on idle() { return 1 }
    on open_it(id) { return 1 }
}
cell Plain {
    face {
        signal free() -> Int
        signal bound() -> Int calls print
    }
    on free() { return 1 }
    on bound() { return 1 }
}
`)
	safe, plain := p.Cells[0], p.Cells[1]
	idle, open := safe.Signals[0].Frame, safe.Signals[1].Frame
	if idle == nil || len(idle.Reads)+len(idle.Writes)+len(idle.Moves)+len(idle.Calls) > 0 {
		t.Errorf("a bare signal of a skeleton: frame %v, want an empty one", idle)
	}
	if plain.Signals[0].Frame != nil || plain.Signals[1].Frame == nil {
		t.Error("a plain signal is framed exactly when it has clauses")
	}
	if len(open.Reads) != 2 || open.Reads[0].Slot == nil || open.Reads[1].Machine == nil || len(open.Writes) != 1 ||
		len(open.Moves) != 1 || open.Moves[0].Edge != safe.Machine.Edges[0] || len(open.Calls) != 3 ||
		open.Calls[0].Builtin != builtin.Lookup("think") || !open.Calls[1].Emit || open.Calls[2].Handler != safe.Handlers[0] {
		t.Errorf("frame %+v", open)
	}
	if h := safe.Handlers[1]; h.Signal != safe.Signals[1] || h.Params[0].Type.String() != "String" {
		t.Errorf("the flesh does not take the types of the face: %+v", h)
	}
}

// The slots that a rule guards: those it names, else all of its section.
func TestInvariantGuards(t *testing.T) {
	p := clean(t, `
cell Store {
    memory {
        a: Map<String, Int> [persistent]
        b: Map<String, Int> [persistent]
        invariant value >= 0
        invariant (b ?? 0) <= (a ?? 0)
        invariant a <= (b.get("max") ?? 9)
        invariant b.size <= 3
        invariant total(a) == total(b)
        invariant a >= 0 && (b >= 0 && size < 9) && a.has(key)
    }
    memory {
        c: Map<String, Int> [persistent]
        invariant size <= 3
    }
    on x() { return 1 }
}
`)
	want := []string{"a b", "a b", "a", "b", "a b", "a b", "c"}
	for i, inv := range p.Cells[0].Invariants {
		var names []string
		for _, s := range inv.Guards {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != want[i] {
			t.Errorf("%s guards %s, want %s", inv.Decl.Cond.Span().Text(), got, want[i])
		}
	}
	var parts []string
	for _, part := range p.Cells[0].Invariants[5].Conjuncts {
		text := part.Cond.Span().Text() + ":"
		for _, s := range part.Guards {
			text += " " + s.Name
		}
		parts = append(parts, text)
	}
	if got := strings.Join(parts, "; "); got != "a >= 0: a; b >= 0: b; size < 9: a b; a.has(key): a" {
		t.Errorf("conjuncts %s", got)
	}
}

// Large machines and long chains are ordinary; nothing here may be worse than linear.
func TestLargeProgramsAreQuick(t *testing.T) {
	var chain, sum strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&chain, "s%d -> s%d\n", i, i+1)
	}
	for i := range 9_000 {
		fmt.Fprintf(&sum, "%d + ", i)
	}
	text := "cell Long { state long { initial: s0\n" + chain.String() + "}\non go(id: String) { transition(id, \"s7\")\nreturn " +
		sum.String() + "1 } }\n"
	start := time.Now()
	p := clean(t, text)
	if n := len(p.Cells[0].Machine.Edges); n != 100_000 {
		t.Errorf("%d edges", n)
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("took %v", took)
	}
}
