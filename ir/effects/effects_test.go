package effects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"soma.cell/ir"
	"soma.cell/ir/effects"
	"soma.cell/ir/irtest"
	"soma.cell/smt/term"
)

// text lists a summary without its places.
func text(s *effects.Summary) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, strings.TrimSpace(fmt.Sprintf(format, args...))) }
	for _, x := range s.Reads {
		add("reads %s.%s", x.Cell, x.Slot)
	}
	for _, x := range s.Writes {
		add("writes %s.%s", x.Cell, x.Slot)
	}
	for _, x := range s.Moves {
		add("moves %s %q -> %q", x.Cell, x.From, x.To)
	}
	for _, x := range s.Inspects {
		add("inspects %s", x.Cell)
	}
	for _, x := range s.Acts {
		add("acts %s %s", x.Builtin, x.Class)
	}
	for _, x := range s.Calls {
		add("calls %s %s %v", x.Handler, x.Via, x.Optional)
	}
	for _, x := range s.Emits {
		add("emits %s", x.Name)
	}
	for _, x := range s.Unknown {
		add("unknown %s", x.Why)
	}
	return out
}

func slot(name string) ir.SlotRef { return ir.SlotRef{Cell: "Bank", Slot: name} }
func handler(name string, n int) ir.HandlerRef {
	return ir.HandlerRef{Cell: "Bank", Handler: name, Arity: n}
}

// bank has pay (which calls log, whose listener pages someone) and odd, whose effects are not
// known.
func bank() (*ir.System, map[string]*ir.Automaton) {
	p := irtest.NewPlaces("bank.cell", 100)
	id := term.Var("id", term.String)
	pay := irtest.Handler(p, "Bank", "pay", id)
	state := pay.Local("state", term.String)
	pay.Do(&ir.Write{Slot: slot("funds"), Key: id, Value: term.Int64(1)}, &ir.Read{Slot: slot("limits"), Key: id})
	pay.Do(&ir.Write{Slot: slot("funds"), Key: id, Value: term.Int64(2)}, &ir.Inspect{Cell: "Bank", ID: id, What: "get_status", Var: state},
		&ir.Move{Cell: "Bank", ID: id, To: term.StringLit("paid")}, &ir.Move{Cell: "Bank", ID: id, From: term.StringLit("open"), To: state},
		&ir.Call{Handler: handler("log", 0)},
		&ir.Act{Builtin: "think", Class: "model", Tools: []ir.HandlerRef{handler("look", 0)}})
	log := irtest.Handler(p, "Bank", "log")
	log.Do(&ir.Push{Slot: slot("journal"), Value: term.Int64(1)}, &ir.Emit{Event: "logged"},
		&ir.Call{Handler: ir.HandlerRef{Cell: "Desk", Handler: "logged"}, Via: "emit"})
	look := irtest.Handler(p, "Bank", "look")
	v := look.Local("v", term.Opaque)
	look.Do(&ir.Scan{Slot: slot("journal"), What: "values", Var: v})
	logged := irtest.Handler(p, "Desk", "logged")
	logged.Do(&ir.Act{Builtin: "http_post", Class: "net"}, &ir.Delete{Slot: slot("journal"), Key: term.Int64(0)})
	odd := irtest.Handler(p, "Desk", "odd")
	odd.Do(&ir.Unknown{Why: "call of a value"})
	named := map[string]*ir.Automaton{"pay": pay.Return(), "log": log.Return(), "look": look.Return(), "logged": logged.Return(), "odd": odd.Return()}
	list := &ir.Slot{Name: "journal", IsList: true, Value: term.Int}
	return &ir.System{Cells: []*ir.Cell{
		{Name: "Bank", Slots: []*ir.Slot{{Name: "funds", Value: term.Int}, {Name: "limits", Value: term.Int}, list},
			Machine:  &ir.Machine{Name: "payment", States: []string{"open", "paid"}, Initial: "open", Edges: []*ir.MachineEdge{{From: "open", To: "paid"}}},
			Automata: []*ir.Automaton{named["pay"], named["log"], named["look"]}},
		{Name: "Desk", Automata: []*ir.Automaton{named["logged"], named["odd"]}},
	}}, named
}

func TestDirect(t *testing.T) {
	s, named := bank()
	if err := ir.Validate(s); err != nil {
		t.Fatal(err)
	}
	got := effects.Direct(named["pay"])
	want := []string{"reads Bank.limits", "writes Bank.funds", `moves Bank "" -> "paid"`, `moves Bank "open" -> ""`, "inspects Bank",
		"acts think model", "calls Bank.log/0  false", "calls Bank.look/0 tool true"}
	if diff := cmp.Diff(want, text(got)); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if len(got.Writes[0].Places) != 2 || got.Writes[0].Places[0].Start >= got.Writes[0].Places[1].Start {
		t.Errorf("two writes at two places, in order, are %v", got.Writes[0].Places)
	}
}

func TestClosure(t *testing.T) {
	s, named := bank()
	g := effects.NewGraph(s)
	want := []string{"reads Bank.journal", "reads Bank.limits", "writes Bank.funds", "writes Bank.journal",
		`moves Bank "" -> "paid"`, `moves Bank "open" -> ""`, "inspects Bank", "acts http_post net", "acts think model",
		"calls Bank.log/0  false", "calls Bank.look/0 tool true", "calls Desk.logged/0 emit false", "emits logged"}
	if diff := cmp.Diff(want, text(g.Closure(named["pay"]))); diff != "" {
		t.Errorf("closure (-want +got):\n%s", diff)
	}
	if n := len(g.Direct(named["pay"]).Writes); n != 1 {
		t.Errorf("the closure changed the body's own summary: %d slots written", n)
	}
}

func TestUnknownReachesEverything(t *testing.T) {
	s, named := bank()
	g := effects.NewGraph(s)
	got := strings.Join(text(g.Closure(named["odd"])), "\n")
	for _, want := range []string{"unknown call of a value", "writes Bank.funds", "acts http_post net"} {
		if !strings.Contains(got, want) {
			t.Errorf("the closure lacks %q:\n%s", want, got)
		}
	}
	if !g.Recursive([]int{g.Index(named["odd"])}) {
		t.Error("a body with unknown effects may call itself")
	}
}

func TestFind(t *testing.T) {
	s, named := bank()
	g := effects.NewGraph(s)
	if g.Find(handler("pay", 1)) != g.Index(named["pay"]) || g.Find(handler("pay", 2)) != -1 {
		t.Error("a handler is found by name and number of parameters")
	}
}

// TestComponents compares with the definition: two automata are in one component when each may
// start the other.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		calls := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3), n, n).Draw(t, "calls")
		g := effects.NewGraph(system(calls))
		reach := closure(calls)
		seen := map[int]int{}
		for k, component := range g.Components() {
			for _, i := range component {
				seen[i] = k
			}
			if got, want := g.Recursive(component), reach[component[0]][component[0]]; got != want {
				t.Fatalf("component %v is recursive: %v, by definition: %v", component, got, want)
			}
		}
		for i := range n {
			for j := range n {
				same := i == j || reach[i][j] && reach[j][i]
				if (seen[i] == seen[j]) != same {
					t.Fatalf("%d and %d: one component %v, by definition %v", i, j, seen[i] == seen[j], same)
				}
				if reach[i][j] && seen[j] > seen[i] {
					t.Fatalf("%d may start %d but its component comes first", i, j)
				}
			}
		}
	})
}

func system(calls [][]int) *ir.System {
	p := irtest.NewPlaces("ring.cell", 200)
	cell := &ir.Cell{Name: "Bank"}
	for i, callees := range calls {
		b := irtest.Handler(p, "Bank", fmt.Sprint("h", i))
		for _, j := range callees {
			b.Do(&ir.Call{Handler: handler(fmt.Sprint("h", j), 0)})
		}
		cell.Automata = append(cell.Automata, b.Return())
	}
	return &ir.System{Cells: []*ir.Cell{cell}}
}

// closure tells who reaches whom in one step or more.
func closure(calls [][]int) [][]bool {
	n := len(calls)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		for _, j := range calls[i] {
			reach[i][j] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}
