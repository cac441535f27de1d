package ir_test

import (
	"slices"
	"strings"
	"testing"

	"soma.cell/ir"
	"soma.cell/ir/irtest"
	"soma.cell/smt/term"
)

// TestValidateRefuses spoils the fixture in one place at a time.
func TestValidateRefuses(t *testing.T) {
	x := term.Var("x", term.Int)
	for _, c := range []struct {
		name, why string
		spoil     func(s *ir.System, c *ir.Cell, a *ir.Automaton)
	}{
		{"two cells of one name", `cell "Depot" stands twice`, func(s *ir.System, c *ir.Cell, _ *ir.Automaton) { s.Cells = append(s.Cells, c) }},
		{"missing cell", "a cell is missing", func(s *ir.System, _ *ir.Cell, _ *ir.Automaton) { s.Cells[1] = nil }},
		{"two slots of one name", `slot "stock" stands twice`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Slots = append(c.Slots, c.Slots[0]) }},
		{"slot without sort", "sort is missing", func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Slots[0].Value = nil }},
		{"unknown initial state", `no state "lost"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Machine.Initial = "lost" }},
		{"state twice", `state "open" stands twice`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) {
			c.Machine.States = append(c.Machine.States, "open")
		}},
		{"edge to an unknown state", `no state "lost"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Machine.Edges[0].To = "lost" }},
		{"edge from an unknown state", `no state "lost"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Machine.Edges[0].From = "lost" }},
		{"edge twice", `edge "open -> sent" stands twice`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) {
			c.Machine.Edges = append(c.Machine.Edges, c.Machine.Edges[0])
		}},
		{"rule without condition", "condition is missing", func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Rules[0].Cond = nil }},
		{"rule about an unknown slot", `no slot "lost"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Rules[0].Guards[0] = "lost" }},
		{"rule over a variable of its own", "no entry variable", func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Rules[0].Cond = term.Lt(x, x) }},
		{"rule over an entry of another sort", "no entry variable", func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) {
			c.Rules[0].Cond = term.Eq(ir.EntryVal("stock", term.String), term.StringLit(""))
		}},
		{"signal without handler", `no handler "lost/2"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Signals[0].Automaton = "lost" }},
		{"signal of another arity", `no handler "ship/1"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Signals[0].Params = []string{"id: String"} }},
		{"frame over an unknown slot", `no slot "lost"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Signals[0].Frame.Reads[0].Name = "lost" }},
		{"frame that writes the machine", `no slot "order"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Signals[0].Frame.Writes[0].Name = "order" }},
		{"frame over an unknown edge", `no edge "sent -> sent"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Signals[0].Frame.Moves[0].From = "sent" }},
		{"frame over an unknown handler", `no handler "Depot.lost"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) { c.Signals[0].Frame.Calls[1].Name = "Depot.lost" }},
		{"two handlers of one name and arity", `handler "ship/2" stands twice`, func(_ *ir.System, c *ir.Cell, a *ir.Automaton) {
			c.Automata = append(c.Automata, a)
		}},
		{"handler of another cell", `no cell "Office"`, func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Cell = "Office" }},
		{"parameter among the locals", "do not begin with the parameters", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Vars[0], a.Vars[2] = a.Vars[2], a.Vars[0] }},
		{"variable twice", `variable "t2" stands twice`, func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Vars[2] = a.Vars[3] }},
		{"variable that is none", "is not a variable", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Vars[2].Term = term.Int64(1) }},
		{"too few locations", "2 locations are not", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Locs = 2 }},
		{"edge from nowhere", "location -1", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[0].From = -1 }},
		{"edge to nowhere", "location 40", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[0].To = 40 }},
		{"edge into the entry", "leads to the entry", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[1].To = ir.Entry }},
		{"edge out of the exit", "leaves the end exit", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[1].From = ir.Exit }},
		{"edge out of raised", "leaves the end raised", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[1].From = ir.Raised }},
		{"no guard", "guard is missing", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[1].Guard = nil }},
		{"guard that is no Bool", "guard has sort Int, not Bool", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[1].Guard = term.Int64(1) }},
		{"guard over an unknown variable", "variable x of sort Int is not declared", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[1].Guard = term.Lt(x, x) }},
		{"variable of another sort", "variable n of sort String is not declared", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			a.Edges[1].Guard = term.Eq(term.Var("n", term.String), term.StringLit(""))
		}},
		{"nil effect", "effect is missing", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[0].Effects[0] = nil }},
		{"bind of another sort", "value has sort String, not Int", effect(0, 2, func(f *ir.Bind) { f.Value = term.StringLit("a") })},
		{"assigned to a term", "is not a variable", effect(0, 2, func(f *ir.Bind) { f.Var = term.Int64(1) })},
		{"assigned before it is declared", "variable x of sort Int is not declared", effect(0, 2, func(f *ir.Bind) { f.Var = x })},
		{"read of an unknown slot", `no slot "Depot.lost"`, effect(0, 0, func(f *ir.Read) { f.Slot.Slot = "lost" })},
		{"read with a key of another sort", "key has sort Int, not String", effect(0, 0, func(f *ir.Read) { f.Key = term.Int64(1) })},
		{"read into another sort", "value has sort Bool, not Int", effect(0, 0, func(f *ir.Read) { f.Val = f.Has })},
		{"scan into nothing", "variable is missing", effect(0, 1, func(f *ir.Scan) { f.Var = nil })},
		{"sink that is no argument", "argument 1 is none of the 1", effect(1, 0, func(f *ir.Act) { f.Sinks = []int{1} })},
		{"tool that does not exist", "no handler \"Depot.lost/0\"", effect(1, 0, func(f *ir.Act) { f.Tools[0].Handler = "lost" })},
		{"places that do not match", "3 places of arguments instead of 1", effect(1, 0, func(f *ir.Act) { f.Spans = append(f.Spans, f.Span, f.Span) })},
		{"inspection of an unknown kind", `not read by "peek"`, effect(2, 0, func(f *ir.Inspect) { f.What = "peek" })},
		{"inspection of no machine", `no machine of cell "Office"`, effect(2, 0, func(f *ir.Inspect) { f.Cell = "Office" })},
		{"inspection into another sort", "result has sort String, not Bool", effect(2, 0, func(f *ir.Inspect) { f.What = "has_state" })},
		{"write of another sort", "value has sort Bool, not Int", effect(4, 1, func(f *ir.Write) { f.Value = term.True })},
		{"write without a key", "key is missing", effect(4, 1, func(f *ir.Write) { f.Key = nil })},
		{"havoc without a variable", "variable is missing", effect(5, 1, func(f *ir.Havoc) { f.Var = nil })},
		{"move without a target", "target is missing", effect(6, 1, func(f *ir.Move) { f.To = nil })},
		{"move of an instance that is no text", "id has sort Int, not String", effect(6, 1, func(f *ir.Move) { f.ID = term.Int64(1) })},
		{"guard of an unknown edge", "edge 2 is none of the 2", effect(6, 1, func(f *ir.Move) { f.Guards[0].Edge = 2 })},
		{"known guard without condition", "guard is missing", effect(6, 1, func(f *ir.Move) { f.Guards[0].Cond = nil })},
		{"call of an unknown handler", `no handler "Depot.lost/0"`, effect(7, 0, func(f *ir.Call) { f.Handler.Handler = "lost" })},
		{"call with another number of arguments", "1 arguments instead of 0", effect(7, 0, func(f *ir.Call) { f.Args = []*term.Term{term.True} })},
		{"call with a missing argument", "term 2 is missing", effect(7, 2, func(f *ir.Call) { f.Args[1] = nil })},
		{"call into another sort", "result has sort Bool, not Int", effect(7, 0, func(f *ir.Call) { f.Result = term.Var("t1", term.Bool) })},
		{"push to a map slot", `slot "stock" is no list`, effect(7, 3, func(f *ir.Push) { f.Slot.Slot = "stock" })},
		{"delete into another sort", "presence has sort Int, not Bool", effect(7, 4, func(f *ir.Delete) { f.Had = term.Var("t2", term.Int) })},
		{"ensure that raises something else", `an ensure statement raises "odd"`, func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) {
			c.Automata[1].Edges[2].Effects[0].(*ir.Raise).Kind = "odd"
		}},
		{"ensure that something else decides", "an ensure statement raises", func(_ *ir.System, c *ir.Cell, _ *ir.Automaton) {
			c.Automata[1].Edges[2].Effects[0].(*ir.Raise).Refusal = true
		}},
		{"return of another sort", "value has sort Bool, not Int", effect(8, 0, func(f *ir.Return) { f.Value = term.True })},
		{"return that goes on", "does not lead to the exit", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[8].To = ir.Raised }},
		{"used before it is assigned", "variable answer is assigned on no path", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			a.Edges[0].Guard = term.Eq(term.Var("answer", term.String), term.StringLit(""))
		}},
		{"cycle without a back edge", "has no back edge", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Edges[5].Back = false }},
		{"back edge to no loop", "the head of no loop", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Loops = nil }},
		{"back edge from outside the body", "starts outside the body", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Loops[0].Body = a.Loops[0].Body[:1] }},
		{"loop without its head", "its head is not in its body", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Loops[0].Body = a.Loops[0].Body[1:] }},
		{"loop not sorted", "not sorted", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			b := a.Loops[0].Body
			b[0], b[1] = b[1], b[0]
		}},
		{"loop over the exit", "location that no body has", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			a.Loops[0].Body = append([]ir.Loc{ir.Exit}, a.Loops[0].Body...)
		}},
		{"loop entered beside its head", "enters it beside its head", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			a.Edges = append(a.Edges, &ir.Edge{From: 4, To: 6, Guard: term.True})
		}},
		{"two loops with one head", "stands twice", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Loops = append(a.Loops, a.Loops[0]) }},
		{"condition of a loop that is no Bool", "condition of a loop has sort Int", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { a.Loops[0].Cond = term.Int64(1) }},
		{"negative bound", "bound is negative", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { *a.Loops[0].Bound = -1 }},
		{"commit without begin", "closed that is not open", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			a.Edges[1].Effects = append(a.Edges[1].Effects, &ir.Commit{})
		}},
		{"transaction open at the exit", "1 nested transactions are open at the exit", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			a.Edges[7].Effects = append(a.Edges[7].Effects, &ir.Begin{})
		}},
		{"loop that closes another transaction than its own", "closed that is not open", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			loop := a.Loops[0]
			for _, e := range a.Edges {
				from, to := slices.Contains(loop.Body, e.From), slices.Contains(loop.Body, e.To)
				switch {
				case to && !from:
					e.Effects = append(e.Effects, &ir.Begin{})
				case e.Back:
					e.Effects = append(e.Effects, &ir.Rollback{}, &ir.Begin{})
				case from && !to && e.To != ir.Raised:
					e.Effects = append([]ir.Effect{&ir.Commit{}}, e.Effects...)
				}
			}
		}},
		{"transaction open on one path alone", "is reached with 0 and with 1 open", func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) {
			a.Edges[5].Effects = a.Edges[5].Effects[1:]
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := depot()
			c.spoil(s, s.Cells[0], s.Cells[0].Automata[0])
			err := ir.Validate(s)
			if err == nil {
				t.Fatal("it is accepted")
			}
			if !strings.Contains(err.Error(), c.why) {
				t.Errorf("refused for another reason: %v", err)
			}
		})
	}
}

// effect spoils effect i of edge e.
func effect[F ir.Effect](e, i int, spoil func(F)) func(*ir.System, *ir.Cell, *ir.Automaton) {
	return func(_ *ir.System, _ *ir.Cell, a *ir.Automaton) { spoil(a.Edges[e].Effects[i].(F)) }
}

func TestValidateAcceptsOpenTransactionsWhereTheBodyRaises(t *testing.T) {
	b := irtest.Handler(irtest.NewPlaces("a.cell", 20), "A", "f")
	l := b.Do(&ir.Begin{})
	b.Edge(l, ir.Raised, term.True)
	b.Return(&ir.Commit{})
	s := &ir.System{Cells: []*ir.Cell{{Name: "A", Automata: []*ir.Automaton{b.Automaton}}}}
	if err := ir.Validate(s); err != nil {
		t.Error(err)
	}
}

func TestValidateAcceptsAssignmentOnOnePath(t *testing.T) {
	s := depot()
	a := s.Cells[0].Automata[0]
	a.Edges = append(a.Edges, &ir.Edge{From: 4, To: 5, Guard: term.True})
	a.Edges[3].Guard = term.Eq(term.Var("now", term.String), term.StringLit(""))
	if err := ir.Validate(s); err != nil {
		t.Error(err)
	}
}
