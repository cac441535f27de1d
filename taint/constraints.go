package taint

import (
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// flow says that a place is at least as untrusted as what flows into it, when its edge is
// taken.
type flow struct {
	to    place
	in    []input
	facts *facts // what holds where the inputs are evaluated
	edge  int
	// chosen lists the branches that decide whether this flow or another into the same place
	// happens.
	chosen []ir.Loc
	// outside counts what decided the call of the handler, and whether it stays, too.
	outside bool
	// drawn marks a value that is another one each time, like a random number.
	drawn bool
	note  *step
}

// place is the target of a flow: a symbol, the handler's result, or a store.
type place struct {
	kind placeKind
	sym  symbol
	st   store
}

type placeKind int8

const (
	toSymbol placeKind = iota
	toResult
	toStore
)

// store is memory that outlives an invocation and is shared by all handlers.
type store struct {
	kind storeKind
	name string // of a slot or a machine's cell
}

type storeKind int8

const (
	slotValues storeKind = iota // what is stored
	slotKeys                    // under which keys
	slotShape                   // who decides which entries there are
	machines                    // who decides which states there are
	memory                      // remember() and recall()
	files
	numbers // of next_id(), of a cell: who decides how many were drawn
)

// input is one thing that flows: a value, a store or an origin.
type input struct {
	kind   inputKind
	v      value
	st     store
	origin *Origin
	how    how
}

type inputKind int8

const (
	fromValue inputKind = iota
	fromStore
	fromOrigin
)

// how is what becomes of an input.
type how int8

const (
	copied   how = iota // the result is the input
	computed            // the result depends on the input in any way
	choosing            // the input only decides which of the other inputs is the result
	gathered            // the result lists many inputs, as many as came over time
	counted             // the result tells how many there are
	picked              // the result is one of the elements of the input
)

func (h how) apply(l label) label {
	switch h {
	case computed:
		return l.derived()
	case choosing:
		return l.cap(Chosen)
	case gathered:
		if l = l.derived(); l.level == Chosen {
			l.level = Collected
		}
	case counted:
		if l.level >= Chosen {
			l.level = Untrusted
		}
	case picked:
		return l.element()
	}
	return l
}

// callSite is a call of a handler.
type callSite struct {
	edge   int
	facts  *facts
	callee *ir.Automaton
	args   []value
	names  []value // of a delegate: what decides which handler it is
	result symbol  // noSymbol when not wanted
	// again marks a call that may lead back to its own body.
	again bool
	// byModel marks a call with any arguments, at any time during a model's answer.
	byModel bool
	// unknown is set for a call that a construct may make which may do anything.
	unknown *Origin
	span    source.Span
}

// sinkSite is an argument that an untrusted value may not decide.
type sinkSite struct {
	kind    SinkKind
	builtin string
	facts   *facts
	v       value
	span    source.Span
}

// collector writes down the flows of a routine while its states are walked once more.
type collector struct {
	*routine
	sys    *ir.System
	origin *Origin // of the program's first source; nil when it has none
	// delegates are those whose names are computed, with what they gave. Their places hold an
	// unknown effect and an unknown value, too; these are no more than what the handlers do that
	// may run, and give.
	delegates map[source.Span][]symbol
	returns   []ir.Loc // the branches that decide which return is taken
}

func (c *collector) guard(edge int, _ *state, v value) { c.guards[edge] = v }

func (c *collector) renamed(edge, _ int, s *state, v int, to symbol) {
	c.flow(edge, s, place{sym: to}, input{v: s.env.at(v)})
}

func (c *collector) flow(edge int, s *state, to place, in ...input) *flow {
	f := &flow{to: to, in: in, facts: s.facts, edge: edge}
	c.flows = append(c.flows, f)
	return f
}

// into adds a flow into a store, which whoever decides about the call decides, too.
func (c *collector) into(edge int, s *state, st store, in ...input) *flow {
	f := c.flow(edge, s, place{kind: toStore, st: st}, in...)
	f.chosen, f.outside = c.control.deciders(edge), true
	return f
}

func fromSlot(kind storeKind, ref ir.SlotRef, h how) input {
	return input{kind: fromStore, st: slotStore(kind, ref), how: h}
}

func slotStore(kind storeKind, ref ir.SlotRef) store { return store{kind, ref.Cell + "." + ref.Slot} }

func (c *collector) effect(edge, index int, s *state, f ir.Effect, born births) {
	to := place{sym: born.of(given)}
	val := func(t *term.Term, h how) input { return input{v: c.g.value(s, t), how: h} }
	switch f := f.(type) {
	case *ir.Havoc:
		c.havocs[[2]int{edge, index}] = c.havoc(edge, s, f, to)
	case *ir.Read:
		key := val(f.Key, computed)
		if to.sym != noSymbol {
			c.flow(edge, s, to, fromSlot(slotValues, f.Slot, copied), key,
				fromSlot(slotShape, f.Slot, choosing), fromSlot(slotKeys, f.Slot, choosing))
		}
		if has := born.of(present); has != noSymbol {
			key.how = choosing
			c.flow(edge, s, place{sym: has}, key, fromSlot(slotShape, f.Slot, choosing), fromSlot(slotKeys, f.Slot, choosing))
		}
	case *ir.Scan:
		c.scan(edge, s, f, to)
	case *ir.Write:
		w := c.into(edge, s, slotStore(slotValues, f.Slot), val(f.Value, copied))
		w.note = &step{stepSlot, f.Slot.Slot, f.Span}
		c.into(edge, s, slotStore(slotKeys, f.Slot), val(f.Key, copied)).note = w.note
		c.into(edge, s, slotStore(slotShape, f.Slot), val(f.Key, choosing)).note = w.note
	case *ir.Push:
		w := c.into(edge, s, slotStore(slotValues, f.Slot), val(f.Value, copied))
		w.note = &step{stepSlot, f.Slot.Slot, f.Span}
		c.into(edge, s, slotStore(slotShape, f.Slot)).note = w.note
	case *ir.Delete:
		c.into(edge, s, slotStore(slotShape, f.Slot), val(f.Key, choosing))
		if to.sym != noSymbol {
			c.flow(edge, s, to, val(f.Key, choosing), fromSlot(slotShape, f.Slot, choosing), fromSlot(slotKeys, f.Slot, choosing))
		}
	case *ir.Move:
		c.move(edge, s, f)
	case *ir.Inspect:
		c.flow(edge, s, to, input{kind: fromStore, st: store{machines, f.Cell}, how: choosing}, val(f.ID, choosing))
	case *ir.Call:
		c.call(edge, s, f, to.sym)
	case *ir.Act:
		c.act(edge, s, f, to)
	case *ir.Unknown:
		if !c.follows(f) {
			c.anything(edge, s, f)
		}
	case *ir.Return:
		r := c.flow(edge, s, place{kind: toResult}, val(f.Value, copied))
		if c.returns == nil {
			c.returns = c.control.selectors(c.reached(ir.Exit))
		}
		r.chosen = c.returns
	}
}

// follows tells whether what an unknown effect may do stands elsewhere: what a delegate does at
// its act, what function values do where they are made.
func (c *collector) follows(f *ir.Unknown) bool {
	return c.delegates[f.Span] != nil || f.Why == ir.KeptFunction || strings.HasPrefix(f.Why, ir.RunsFunction)
}

// reached lists the edges into a location that some run takes.
func (c *collector) reached(l ir.Loc) []int {
	var out []int
	for _, i := range c.g.into[l] {
		if c.g.out[i] != nil {
			out = append(out, i)
		}
	}
	return out
}

func (c *collector) havoc(edge int, s *state, f *ir.Havoc, to place) *flow {
	out := c.flow(edge, s, to)
	how := computed
	if f.Why == "for" && len(f.From) == 1 {
		how = picked
	}
	for _, t := range f.From {
		out.in = append(out.in, input{v: c.g.value(s, t), how: how})
	}
	if results := c.delegates[f.Span]; results != nil && len(f.From) == 0 {
		for _, sym := range results {
			out.in = append(out.in, input{v: c.g.bank.symbol(sym, term.Opaque)})
		}
		return out
	}
	if len(f.From) == 0 && c.origin != nil {
		// Nothing is known of where the value comes from.
		out.in = append(out.in, input{kind: fromOrigin, origin: c.origin})
	}
	return out
}

func (c *collector) scan(edge int, s *state, f *ir.Scan, to place) {
	from := func(kind storeKind, h how) input { return fromSlot(kind, f.Slot, h) }
	switch f.What {
	case "last":
		c.flow(edge, s, to, from(slotValues, copied), from(slotShape, choosing))
	case "len", "size":
		c.flow(edge, s, to, from(slotShape, counted), from(slotKeys, counted))
	case "keys":
		c.flow(edge, s, to, from(slotShape, gathered), from(slotKeys, gathered))
	case "values", "sum":
		c.flow(edge, s, to, from(slotShape, gathered), from(slotKeys, choosing), from(slotValues, gathered))
	default:
		c.flow(edge, s, to, from(slotShape, gathered), from(slotKeys, gathered), from(slotValues, gathered))
	}
}

func (c *collector) move(edge int, s *state, f *ir.Move) {
	in := []input{{v: c.g.value(s, f.ID), how: choosing}, {v: c.g.value(s, f.To), how: choosing}}
	c.into(edge, s, store{machines, f.Cell}, in...)
	c.sink(s, MoveTarget, "transition", f.To, placeOr(f.ToSpan, f))
	if f.From != nil {
		c.sink(s, MoveSource, "transition", f.From, placeOr(f.FromSpan, f))
	}
}

func (c *collector) sink(s *state, kind SinkKind, builtin string, t *term.Term, at source.Span) {
	c.sinks = append(c.sinks, &sinkSite{kind: kind, builtin: builtin, facts: s.facts, v: c.g.value(s, t), span: at})
}

func (c *collector) call(edge int, s *state, f *ir.Call, result symbol) {
	callee := c.sys.Handler(f.Handler)
	if callee == nil {
		if result != noSymbol && c.origin != nil {
			c.flow(edge, s, place{sym: result}, input{kind: fromOrigin, origin: c.origin})
		}
		return
	}
	site := &callSite{edge: edge, facts: s.facts, callee: callee, result: result, span: f.Span}
	for _, t := range f.Args {
		site.args = append(site.args, c.g.value(s, t))
	}
	c.calls = append(c.calls, site)
}

// act notes the sinks of an effect on the outside, and what its result carries.
func (c *collector) act(edge int, s *state, f *ir.Act, to place) {
	for _, i := range f.Sinks {
		if i < len(f.Args) {
			c.sink(s, sinkOf(f.Class), f.Builtin, f.Args[i], spanAt(f, i))
		}
	}
	for _, ref := range f.Tools {
		if callee := c.sys.Handler(ref); callee != nil {
			c.calls = append(c.calls, &callSite{edge: edge, facts: s.facts, callee: callee, result: noSymbol, byModel: true, span: f.Span})
		}
	}
	if isSource(f) {
		c.asks = &Origin{Builtin: f.Builtin, Span: f.Span}
	}
	var args []input
	for _, t := range f.Args {
		args = append(args, input{v: c.g.value(s, t), how: computed})
	}
	if f.Class == "call" {
		c.delegate(edge, s, f, to)
		return
	}
	if st, ok := storeOf(f); ok {
		if strings.HasPrefix(f.Builtin, "write_") || f.Builtin == "remember" {
			c.into(edge, s, st, args...).note = &step{stepStore, f.Builtin, f.Span}
			args = nil
		} else {
			args = append(args, input{kind: fromStore, st: st})
		}
	}
	if to.sym == noSymbol {
		return
	}
	switch {
	case isSource(f):
		c.flow(edge, s, to, input{kind: fromOrigin, origin: c.asks})
	case meters(f) && c.origin != nil:
		c.flow(edge, s, to, input{kind: fromOrigin, origin: c.origin})
	case f.Class == "human" || f.Class == "budget":
		c.flow(edge, s, to)
	case f.Class == "ids":
		c.flow(edge, s, to, input{kind: fromStore, st: c.numbers()}).drawn = true
	default:
		c.flow(edge, s, to, args...).drawn = f.Class == "clock" || f.Class == "random"
	}
}

// isSource tells whether the result of an effect is untrusted: it comes from a model or from
// the network.
func isSource(f *ir.Act) bool { return f.Class == "model" || f.Class == "net" }

// meters tells whether an effect shows what a model answered, or how long its answers were.
func meters(f *ir.Act) bool {
	return f.Builtin == "trace" || f.Builtin == "tokens_used" || f.Builtin == "tokens_remaining"
}

// numbers is the counter from which next_id() draws in this body.
func (r *routine) numbers() store { return store{numbers, r.g.a.Cell} }

func storeOf(f *ir.Act) (store, bool) {
	switch f.Class {
	case "memory":
		return store{kind: memory}, true
	case "file":
		return store{kind: files}, f.Builtin != "read_stdin"
	}
	return store{}, false
}

func sinkOf(class string) SinkKind {
	switch class {
	case "net":
		return URL
	case "budget":
		return Budget
	case "call":
		return Delegate
	}
	return Path
}

func spanAt(f *ir.Act, i int) source.Span {
	if i < len(f.Spans) {
		return placeOr(f.Spans[i], f)
	}
	return f.Span
}

// placeOr is a place, or that of the effect where there is none.
func placeOr(s source.Span, f ir.Effect) source.Span {
	if s.IsZero() {
		return f.Place()
	}
	return s
}

// anything notes the flows of a construct that may do anything: where the program has an
// untrusted value, every store may get it and every handler may be called with it.
func (c *collector) anything(edge int, s *state, f *ir.Unknown) {
	if c.origin == nil {
		return
	}
	origin := &Origin{Builtin: c.origin.Builtin, Tool: c.origin.Tool, Unknown: f.Why, Span: f.Span}
	in := input{kind: fromOrigin, origin: origin}
	for _, cell := range c.sys.Cells {
		for _, slot := range cell.Slots {
			for _, kind := range []storeKind{slotValues, slotKeys, slotShape} {
				c.into(edge, s, slotStore(kind, ir.SlotRef{Cell: cell.Name, Slot: slot.Name}), in)
			}
		}
		c.into(edge, s, store{machines, cell.Name}, in)
		for _, a := range cell.Automata {
			c.calls = append(c.calls, &callSite{edge: edge, facts: s.facts, callee: a, result: noSymbol, unknown: origin, span: f.Span})
		}
	}
	c.into(edge, s, store{kind: memory}, in)
	c.into(edge, s, store{kind: files}, in)
}

// selections adds the flows of joins: a symbol of a join is what one of the edges brings.
func (c *collector) selections() {
	for l := range c.g.a.Locs {
		edges := c.reached(ir.Loc(l))
		var chosen []ir.Loc
		for _, v := range c.g.joined(ir.Loc(l)) {
			to := place{sym: c.g.name(c.g.selection(ir.Loc(l), v))}
			if chosen == nil {
				chosen = c.control.selectors(edges)
			}
			for _, i := range edges {
				held := c.g.out[i].env.at(v)
				if c.g.bank.at(held).sym == to.sym {
					continue
				}
				c.flow(i, c.g.out[i], to, input{v: held}).chosen = chosen
			}
		}
	}
}
