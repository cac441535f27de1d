package ir_test

import (
	"math/big"
	"reflect"
	"testing"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/smt/term"
)

// depot is a system that holds every kind of thing a system can hold.
func depot() *ir.System {
	p := irtest.NewPlaces("depot.cell", 200)
	stock := ir.SlotRef{Cell: "Depot", Slot: "stock"}
	journal := ir.SlotRef{Cell: "Depot", Slot: "journal"}
	cell := &ir.Cell{Name: "Depot", Agent: true, Skeleton: true, Span: p.Next()}
	cell.Slots = []*ir.Slot{
		{Name: "stock", Value: term.Int, Type: "Map<String, Int>", Attrs: []string{"persistent"}, Span: p.Next()},
		{Name: "journal", IsList: true, Value: term.Opaque, Type: "List<Map>", Immutable: true, Span: p.Next()},
	}
	cell.Rules = []*ir.Rule{
		{Text: "stock >= 0", Guards: []string{"stock"}, Cond: term.Le(term.Int64(0), ir.EntryVal("stock", term.Int)), Span: p.Next()},
		{Text: "stock <= cap.get(\"max\")", Guards: []string{"stock"}, Step: true, Size: true, Status: true, Total: true,
			Abstract: "it reads another key", Span: p.Next()},
	}
	cell.Machine = &ir.Machine{Name: "order", States: []string{"open", "sent"}, Initial: "open", Span: p.Next(),
		Edges: []*ir.MachineEdge{{From: "open", To: "sent", Guard: "n > 0", Span: p.Next()}, {From: "sent", To: "open", Span: p.Next()}}}
	cell.Signals = []*ir.Signal{
		{Name: "ship", Params: []string{"id: String", "n: Int"}, Result: "Int", Automaton: "ship", Span: p.Next(), Frame: &ir.Frame{
			Reads:  []ir.FrameItem{{Name: "journal", Span: p.Next()}, {Name: "order", Span: p.Next()}},
			Writes: []ir.FrameItem{{Name: "stock", Span: p.Next()}},
			Moves:  []ir.FrameItem{{From: "open", To: "sent", Span: p.Next()}},
			Calls:  []ir.FrameItem{{Name: "think", Span: p.Next()}, {Name: "Depot.count", Span: p.Next()}}}},
		{Name: "count", Tool: true, Result: "Int", Automaton: "count", Frame: &ir.Frame{}, Span: p.Next()},
	}
	cell.Limits = []*ir.Limit{{Key: ir.CostTokens, Value: big.NewRat(400, 1), Text: "400", Span: p.Next()},
		{Key: ir.CostPrice, Value: big.NewRat(1, 200), Text: "0.005", Span: p.Next()}}

	id, n := term.Var("id", term.String), term.Var("n", term.Int)
	b := irtest.Handler(p, "Depot", "ship", id, n)
	b.Result = term.Int
	has, val := b.Local("t1", term.Bool), b.Local("t2", term.Int)
	all, answer, state := b.Local("all", term.Opaque), b.Local("answer", term.String), b.Local("now", term.String)
	got := b.Local("got", term.Int)
	b.Do(&ir.Read{Slot: stock, Key: id, Has: has, Val: val}, &ir.Scan{Slot: journal, What: "values", Var: all},
		&ir.Bind{Var: val, Value: term.Ite(has, val, term.Int64(0))})
	b.Do(&ir.Act{Builtin: "think", Class: "model", Args: []*term.Term{id}, Spans: []source.Span{p.Next()}, Sinks: []int{0}, Result: answer,
		Tools: []ir.HandlerRef{{Cell: "Depot", Handler: "count", Arity: 0}}})
	head := b.Do(&ir.Inspect{Cell: "Depot", ID: id, What: "get_status", Var: state})
	b.Edge(head, ir.Raised, term.Lt(val, n), &ir.Raise{Kind: "short", Refusal: true}).Negated = true
	body := b.Loc()
	open := b.Edge(head, body, term.Le(n, val), &ir.Begin{}, &ir.Write{Slot: stock, Key: id, Value: term.Sub(val, n), ValueSpan: p.Next()})
	open.Cond, open.Subject = p.Next(), p.Next()
	b.Back(body, head, term.Eq(answer, term.StringLit("again")), &ir.Rollback{},
		&ir.Havoc{Var: val, Origin: ir.Abstraction, Why: "remainder of a negative number", From: []*term.Term{n, val}})
	bound := int64(3)
	b.Stmts = []ir.Stmt{{Loc: head, Span: p.Next()}, {Loc: body, Effect: 1, Behind: true, Span: p.Next()}}
	b.Loop(ir.WhileLoop, term.Le(n, val), head, body).Bound = &bound
	after := b.Loc()
	b.Edge(body, after, term.Not(term.Eq(answer, term.StringLit("again"))), &ir.Commit{},
		&ir.Move{Cell: "Depot", ID: id, From: term.StringLit("open"), To: answer, ToSpan: p.Next(), FromSpan: p.Next(),
			Guards: []ir.EdgeGuard{{Edge: 0, Cond: term.Lt(term.Int64(0), n)}, {Edge: 1, Abstract: true}}},
		&ir.Move{Cell: "Depot", ID: id, To: term.StringLit("open"), Literal: true})
	b.Do(&ir.Call{Handler: ir.HandlerRef{Cell: "Depot", Handler: "count", Arity: 0}, Result: got},
		&ir.Emit{Event: "shipped", Args: []*term.Term{id, n}},
		&ir.Call{Handler: ir.HandlerRef{Cell: "Office", Handler: "shipped", Arity: 2}, Args: []*term.Term{id, n}, Via: "emit", Optional: true},
		&ir.Push{Slot: journal, Value: all, ValueSpan: p.Next()}, &ir.Delete{Slot: stock, Key: id, Had: has},
		&ir.Write{Slot: journal, Key: n, Value: all, Partial: true},
		&ir.Unknown{Why: "call of a value"})
	b.Edge(ir.Loc(b.Locs-1), ir.Exit, term.True, &ir.Return{Value: val})

	count := irtest.Handler(p, "Depot", "count")
	count.Result, count.Tool = term.Int, true
	size := count.Local("size", term.Int)
	count.Do(&ir.Scan{At: ir.At{InGuard: true}, Slot: stock, What: "len", Var: size})
	count.Edge(ir.FirstLoc, ir.Exit, term.True, &ir.Return{Value: size})
	count.Edge(ir.FirstLoc, ir.Raised, term.Lt(size, term.Int64(0)), &ir.Raise{Kind: "ensure", Ensures: "stock.len >= 0"})
	tick := irtest.Handler(p, "Depot", "every 30s")
	tick.Kind = ir.Timer
	cell.Automata = []*ir.Automaton{b.Automaton, count.Automaton, tick.Return()}

	office := &ir.Cell{Name: "Office"}
	shipped := irtest.Handler(p, "Office", "shipped", id, n)
	office.Automata = []*ir.Automaton{shipped.Return()}
	return &ir.System{Cells: []*ir.Cell{cell, office}}
}

func TestFixtureIsValid(t *testing.T) {
	if err := ir.Validate(depot()); err != nil {
		t.Fatal(err)
	}
}

// TestFixtureHoldsEveryField finds the fields that the fixture leaves empty, for it stands for
// all systems in the tests of the codec.
func TestFixtureHoldsEveryField(t *testing.T) {
	filled := map[reflect.Type]map[string]bool{}
	seen := map[any]bool{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.Interface()] {
				seen[v.Interface()] = true
				visit(v.Elem())
			}
		case reflect.Interface:
			visit(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Struct:
			if v.Type().PkgPath() != reflect.TypeFor[ir.System]().PkgPath() {
				return
			}
			fields := filled[v.Type()]
			if fields == nil {
				fields = map[string]bool{}
				filled[v.Type()] = fields
			}
			for i := range v.NumField() {
				if f := v.Type().Field(i); !v.Field(i).IsZero() {
					fields[f.Name] = true
				}
				visit(v.Field(i))
			}
		}
	}
	visit(reflect.ValueOf(depot()))
	if len(filled) < 30 {
		t.Errorf("only %d types were met", len(filled))
	}
	for typ, fields := range filled {
		for i := range typ.NumField() {
			if name := typ.Field(i).Name; !fields[name] {
				t.Errorf("%s.%s is empty everywhere", typ, name)
			}
		}
	}
}
