package taint

import (
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// The flow analysis gives a level to each symbol, result and store: the least ones that
// satisfy every flow. It is an information-flow type system in the tradition of Volpano,
// Smith and Irvine (J. Computer Security 4, 1996), made flow-sensitive as by Hunt and Sands
// (POPL 2006): because symbols are born at one place, one level each suffices.
//
// Two things differ from the textbook. A branch on an untrusted value does not make what is
// assigned in it untrusted, only Chosen: which of finitely many values of the program it is.
// And a value tested against values of the program falls to Chosen (endorsement).
//
// A handler is analysed once for each vector of argument levels with which it is called (the
// functional approach of Sharir and Pnueli, 1981), so that a helper used with an untrusted
// value does not taint its other uses.
//
// Cost: each of at most three rises of each cell costs at most one round over all flows; in
// practice a handful of rounds.
type analysis struct {
	sys       *ir.System
	routines  map[*ir.Automaton]*routine
	ordered   []*routine
	stores    map[store]*cell
	instances map[string]*instance
	order     []*instance
	origin    *Origin // the program's first source
	// assembled are the parameters that loops of calls assemble, with why.
	assembled map[*routine]map[int]label
	changed   bool // some level rose in this round
	grown     bool // some parameter was found to be assembled
}

// instance is a routine for one vector of argument levels.
type instance struct {
	key    string
	r      *routine
	of     *analysis
	syms   []*cell
	result *cell
	called *cell // Chosen when an untrusted value decides whether the call happens
	branch map[ir.Loc]label
	// touched is Chosen when an untrusted value may decide whether the call raises.
	touched *cell
	// repeated is Chosen when an untrusted value decides how often the call happens.
	repeated *cell
	// fails is Chosen when a test of an untrusted value, here or in a callee, may undo what the
	// call wrote; undone, when one in a caller may.
	fails, undone *cell
	memo          map[question]label
}

type question struct {
	f      *facts
	v      value
	bounds bool
}

// maxInstances bounds the instances of a routine; past it one instance serves all calls.
const maxInstances = 24

func analyse(sys *ir.System) *analysis {
	a := prepare(sys)
	for a.changed = true; a.changed || a.grown; {
		a.changed, a.grown = false, false
		a.round()
	}
	return a
}

// round applies every flow once.
func (a *analysis) round() {
	for i := 0; i < len(a.order); i++ {
		a.order[i].round()
	}
	a.assemble()
}

// prepare computes everything but levels and makes the instances that the environment and
// the model start.
func prepare(sys *ir.System) *analysis {
	a := &analysis{
		sys:       sys,
		routines:  map[*ir.Automaton]*routine{},
		stores:    map[store]*cell{},
		instances: map[string]*instance{},
		assembled: map[*routine]map[int]label{},
		origin:    firstSource(sys),
	}
	p := &preparation{sys: sys, graphs: map[*ir.Automaton]*flowgraph{}, sums: map[*ir.Automaton]*summary{}}
	for _, c := range sys.Cells {
		for _, auto := range c.Automata {
			r := collect(sys, p.graph(auto), a.origin)
			a.routines[auto] = r
			a.ordered = append(a.ordered, r)
		}
	}
	a.findRecursion()
	for _, r := range a.ordered {
		a.instance(r, make([]label, len(r.g.a.Params)), label{}, nil)
		if r.g.a.Tool {
			a.byModel(r)
		}
	}
	return a
}

// preparation analyses callees before callers, so that their summaries are there; in a
// recursion some summaries are not, and say nothing.
type preparation struct {
	sys    *ir.System
	graphs map[*ir.Automaton]*flowgraph
	sums   map[*ir.Automaton]*summary
}

func (p *preparation) graph(a *ir.Automaton) *flowgraph {
	if g, ok := p.graphs[a]; ok {
		return g
	}
	p.graphs[a] = nil
	g := newFlowgraph(a, p.summary)
	p.graphs[a] = g
	p.sums[a] = summarise(g)
	return g
}

func (p *preparation) summary(c *ir.Call) *summary {
	callee := p.sys.Handler(c.Handler)
	if callee == nil || p.graph(callee) == nil {
		return nil
	}
	return p.sums[callee]
}

// firstSource is the first place where an untrusted value may enter, or nil.
func firstSource(sys *ir.System) *Origin {
	for _, c := range sys.Cells {
		for _, a := range c.Automata {
			if a.Tool {
				return &Origin{Tool: a.Name, Span: a.Span}
			}
			for _, f := range effects(a) {
				if act, ok := f.(*ir.Act); ok && isSource(act) {
					return &Origin{Builtin: act.Builtin, Span: act.Span}
				}
			}
		}
	}
	return nil
}

// instance finds or makes the instance of a routine for arguments of some levels.
func (a *analysis) instance(r *routine, args []label, called label, note *step) *instance {
	for i := range args {
		if l, ok := a.assembled[r][i]; ok {
			args[i] = args[i].join(l)
		}
		args[i].level = min(args[i].level, r.maxOf(i))
	}
	key := instanceKey(r, args, called)
	if x := a.instances[key]; x != nil {
		return x
	}
	n := 0
	for _, x := range a.order {
		if x.r == r {
			n++
		}
	}
	open := n >= maxInstances
	if open {
		key = instanceKey(r, nil, label{}) + " any"
	}
	x := a.instances[key]
	if x == nil {
		x = a.newInstance(key, r)
	}
	for i, l := range args {
		a.raise(x.syms[r.param(i)], l, note)
	}
	a.raise(x.called, called.cap(Chosen), note)
	return x
}

func instanceKey(r *routine, args []label, called label) string {
	var b strings.Builder
	b.WriteString(r.g.a.Ref().String())
	for _, l := range args {
		b.WriteString(" " + l.level.String())
	}
	if called.level >= Chosen {
		b.WriteString(" called by choice")
	}
	return b.String()
}

func (r *routine) param(i int) symbol {
	return r.g.born[birth{loc: ir.Entry, edge: -1, role: initial, v: i}]
}

func (r *routine) maxOf(v int) Level { return finite(r.g.a.Vars[v].Term.Sort) }

// finite is the highest level that values of a sort can have: where there are finitely many,
// each is one of finitely many.
func finite(s *term.Sort) Level {
	switch s.Kind {
	case term.KindBool, term.KindEnum, term.KindUnit:
		return Chosen
	}
	return Untrusted
}

func (a *analysis) newInstance(key string, r *routine) *instance {
	x := &instance{key: key, r: r, of: a, result: newCell(), called: newCell(), repeated: newCell(), touched: newCell(), fails: newCell(), undone: newCell(), branch: map[ir.Loc]label{}}
	for _, b := range r.g.symbols {
		c := newCell()
		c.max = r.maxOf(b.v)
		x.syms = append(x.syms, c)
	}
	x.result.max = finite(r.g.a.Result)
	a.instances[key] = x
	a.order = append(a.order, x)
	a.changed = true
	return x
}

// byModel has a routine called by a model, with any arguments.
func (a *analysis) byModel(r *routine) {
	origin := &Origin{Tool: r.g.a.Name, Span: r.g.a.Span}
	a.anyCall(r, origin)
}

// anyCall has a routine called any number of times, with any arguments.
func (a *analysis) anyCall(r *routine, origin *Origin) {
	chosen := label{level: Chosen, origin: origin}
	x := a.instance(r, anyArguments(r, origin), chosen, nil)
	a.raise(x.repeated, chosen, nil)
}

func anyArguments(r *routine, origin *Origin) []label {
	args := make([]label, len(r.g.a.Params))
	for i := range args {
		args[i] = label{level: Untrusted, origin: origin}
	}
	return args
}

func (a *analysis) raise(c *cell, l label, note *step) {
	if c.raise(l, note) {
		a.changed = true
	}
}

func (a *analysis) store(s store) *cell {
	c := a.stores[s]
	if c == nil {
		c = newCell()
		a.stores[s] = c
	}
	return c
}

// begin computes what decides the branches, as levels stand.
func (x *instance) begin() {
	x.memo = map[question]label{}
	for _, b := range x.r.control.branches {
		x.branch[b] = x.decides(b)
	}
}

// round applies the flows of an instance once.
func (x *instance) round() {
	x.begin()
	for _, f := range x.r.flows {
		x.of.raise(x.cell(f.to), x.flow(f), f.note)
	}
	for _, c := range x.r.calls {
		x.call(c)
	}
	if x.r.asks != nil {
		x.of.raise(x.touched, label{level: Chosen, origin: x.r.asks}, nil)
	}
	x.of.raise(x.touched, x.anything().cap(Chosen), nil)
	x.of.raise(x.fails, x.undoes(), nil)
}

// anything is the highest label in an instance.
func (x *instance) anything() label {
	l := x.called.label().join(x.touched.label())
	for _, c := range x.syms {
		l = l.join(c.label())
	}
	return l
}

func (x *instance) cell(p place) *cell {
	switch p.kind {
	case toResult:
		return x.result
	case toStore:
		return x.of.store(p.st)
	}
	return x.syms[p.sym]
}

func (x *instance) flow(f *flow) label {
	var l label
	for _, in := range f.in {
		l = l.join(x.input(f.facts, in))
	}
	return l.join(x.control(f.chosen)).join(x.outside(f))
}

func (x *instance) outside(f *flow) label {
	if f.outside {
		return x.called.label().join(x.fails.label()).join(x.undone.label())
	}
	return label{}
}

func (x *instance) input(f *facts, in input) label {
	switch in.kind {
	case fromStore:
		return in.how.apply(x.of.store(in.st).label())
	case fromOrigin:
		return in.how.apply(label{level: Untrusted, origin: in.origin})
	}
	return in.how.apply(x.eval(f, in.v))
}

// control is Chosen when an untrusted value decides one of the branches.
func (x *instance) control(branches []ir.Loc) label {
	var l label
	for _, b := range branches {
		l = l.join(x.branch[b])
	}
	return l
}

// decides is the label of a branch: what decides which way it goes, at most Chosen.
func (x *instance) decides(b ir.Loc) label {
	var l label
	ways := x.r.control.ways[b]
	for _, i := range ways {
		l = l.join(x.eval(x.r.g.at[b].facts, x.r.guards[i]))
	}
	if !x.r.exclusive(ways) {
		l = l.join(x.undecided(b))
	}
	return l.cap(Chosen)
}

// undecided is the label of what the guards of a branch leave open. The rounds of a loop over a
// collection depend on the collection. Whether something raises may depend on any value.
func (x *instance) undecided(b ir.Loc) label {
	if flows := x.r.rounds[b]; len(flows) > 0 {
		var l label
		for _, f := range flows {
			for _, in := range f.in {
				l = l.join(x.input(f.facts, in))
			}
		}
		return l
	}
	return x.anything()
}

// call brings arguments to a callee and its result back.
func (x *instance) call(c *callSite) {
	callee := x.of.routines[c.callee]
	switch {
	case c.byModel:
		x.of.byModel(callee)
		return
	case c.unknown != nil:
		x.of.anyCall(callee, c.unknown)
		return
	}
	args := make([]label, len(callee.g.a.Params))
	for i := range args {
		if i < len(c.args) {
			args[i] = x.eval(c.facts, c.args[i])
		}
	}
	called := x.control(x.r.control.deciders(c.edge)).join(x.called.label())
	for _, v := range c.names {
		called = called.join(x.eval(c.facts, v))
	}
	y := x.of.instance(callee, args, called, &step{stepArgument, c.callee.Name, c.span})
	x.of.raise(y.repeated, x.repeats(c.edge), nil)
	if c.again {
		x.of.raise(y.repeated, called.cap(Chosen), nil)
	}
	x.of.raise(x.touched, y.touched.label(), nil)
	x.shareUndoing(y)
	if c.result != noSymbol {
		x.of.raise(x.syms[c.result], y.result.label(), &step{stepResult, c.callee.Name, c.span})
	}
}

// effects are those of all edges, in order.
func effects(a *ir.Automaton) []ir.Effect {
	var out []ir.Effect
	for _, e := range a.Edges {
		out = append(out, e.Effects...)
	}
	return out
}
