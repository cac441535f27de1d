package kernel

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/smt/refute"
	"soma.cell/smt/term"
)

// What the generator assumes must hold in runs. Bodies are run with values of their own for every
// constant of the conditions, and at each location everything that is assumed there is evaluated:
// how paths meet, guards, and the facts of heads and calls, of which only those are listed that are
// proven.

// array is a total map; arrays are not changed in place.
type array struct {
	other   any
	entries map[any]any
}

func (a array) at(key any) any {
	if v, ok := a.entries[key]; ok {
		return v
	}
	return a.other
}

func (a array) with(key, value any) array {
	out := array{a.other, maps.Clone(a.entries)}
	out.entries[key] = value
	return out
}

func (a array) equal(b array) bool {
	for _, keys := range []map[any]any{a.entries, b.entries} {
		for key := range keys {
			if a.at(key) != b.at(key) {
				return false
			}
		}
	}
	return a.other == b.other
}

// evaluate gives the value of a term under values of its variables.
func evaluate(t *term.Term, vars map[string]any) any {
	args := make([]any, len(t.Args))
	for i, a := range t.Args {
		args[i] = evaluate(a, vars)
	}
	switch t.Op {
	case term.OpVar:
		v, ok := vars[t.Name]
		if !ok {
			panic("no value of " + t.Name)
		}
		return v
	case term.OpTrue, term.OpFalse:
		return t.Op == term.OpTrue
	case term.OpInt:
		return t.Int.Int64()
	case term.OpString:
		return t.Name
	case term.OpNot:
		return !args[0].(bool)
	case term.OpAnd:
		return !slices.Contains(args, any(false))
	case term.OpOr:
		return slices.Contains(args, any(true))
	case term.OpImplies:
		return !args[0].(bool) || args[1].(bool)
	case term.OpEq:
		if a, ok := args[0].(array); ok {
			return a.equal(args[1].(array))
		}
		return args[0] == args[1]
	case term.OpAdd:
		var sum int64
		for _, a := range args {
			sum += a.(int64)
		}
		return sum
	case term.OpLe:
		return args[0].(int64) <= args[1].(int64)
	case term.OpSelect:
		return args[0].(array).at(args[1])
	case term.OpStore:
		return args[0].(array).with(args[1], args[2])
	}
	panic("unexpected " + t.Op.String())
}

// runner runs the bodies of a system.
type runner struct {
	t       *rapid.T
	g       *generator
	refused map[*fact]bool // facts that are not proven; true when some run breaks it
	memory  []any
	steps   int // left
	checked int
	depth   int
}

// raised ends a run: that it raised, or took too long.
type raised struct{}

func (r *runner) pick(n int) int { return rapid.IntRange(0, n-1).Draw(r.t, "n") }

func (r *runner) any(sort *term.Sort) any {
	switch sort.Kind {
	case term.KindBool:
		return r.pick(2) == 0
	case term.KindInt:
		return int64(r.pick(4))
	case term.KindString:
		return []string{"a", "b", "c"}[r.pick(3)]
	case term.KindArray:
		out := array{r.any(sort.Elem), map[any]any{}}
		for range r.pick(3) {
			out.entries[r.any(sort.Key)] = r.any(sort.Elem)
		}
		return out
	}
	return nil
}

// frame is a run of a body.
type frame struct {
	*runner
	a      *ir.Automaton
	b      *body
	now    map[string]any // the variables of the body
	known  map[string]any // the constants of the conditions
	saved  [][]any
	result any
}

func (r *runner) call(a *ir.Automaton, args []any) any {
	if r.depth++; r.depth > 3 {
		panic(raised{})
	}
	defer func() { r.depth-- }()
	f := &frame{runner: r, a: a, b: r.g.body(a), now: map[string]any{}, known: map[string]any{}}
	for i, v := range a.Vars {
		if i < len(args) {
			f.now[v.Term.Name], f.known[v.Term.Name] = args[i], args[i]
		} else {
			f.now[v.Term.Name] = r.any(v.Term.Sort)
		}
	}
	f.name("0")
	at := ir.Entry
	for at != ir.Exit {
		f.check(at)
		at = f.step(at)
	}
	f.check(at)
	f.name("X")
	f.known["result@X"] = f.result
	for _, fact := range r.g.facts[spot{a, ir.Exit}] {
		f.holds(fact.term)
	}
	f.tell(spot{a, ir.Exit})
	return f.result
}

// name gives the constants of a tag the values that there are now.
func (f *frame) name(tag string) {
	for name, v := range f.now {
		f.known[name+"@"+tag] = v
	}
	for i, v := range f.memory {
		f.known[f.g.names[i]+"@"+tag] = v
		for depth, saved := range f.saved {
			f.known[f.g.names[i]+"@"+tag+"."+strconv.Itoa(depth)] = saved[i]
		}
	}
}

// holds evaluates what is assumed. Ways that were not taken this time are false.
func (f *frame) holds(t *term.Term) {
	f.checked++
	for _, v := range term.Vars(t) {
		if _, ok := f.known[v.Name]; !ok {
			if len(v.Name) < 3 || v.Name[:3] != "in@" {
				f.known[v.Name] = f.any(v.Sort) // of a place that this run did not come by
			}
		}
	}
	if evaluate(t, f.ways(t)) != true {
		f.t.Fatalf("%s: a run breaks %s\n%v", f.a.Name, t, f.known)
	}
}

func (f *frame) ways(t *term.Term) map[string]any {
	for _, v := range term.Vars(t) {
		if _, ok := f.known[v.Name]; !ok {
			f.known[v.Name] = false
		}
	}
	return f.known
}

// check evaluates all that is assumed at a location.
func (f *frame) check(at ir.Loc) {
	if f.b.states[at] == nil {
		f.t.Fatalf("%s: a run reaches %s", f.a.Name, at)
	}
	for _, t := range append(f.b.joins(at), f.b.paths[at]...) {
		f.holds(t)
	}
	if f.b.heads[at] != nil {
		f.tell(spot{f.a, at})
	}
}

// tell notes which of the facts that are not proven a run breaks.
func (f *frame) tell(at spot) {
	for fact := range f.refused {
		if fact.spot == at && evaluate(fact.term, f.ways(fact.term)) != true {
			f.refused[fact] = true
		}
	}
}

// step takes one of the edges whose guard holds.
func (f *frame) step(at ir.Loc) ir.Loc {
	var open []int
	for n, e := range f.a.Edges {
		if e.From == at && evaluate(e.Guard, f.now) == true {
			open = append(open, n)
		}
	}
	if f.steps--; f.steps < 0 || len(open) == 0 {
		panic(raised{})
	}
	n := open[f.pick(len(open))]
	e := f.a.Edges[n]
	for i, effect := range e.Effects {
		f.do(effect)
		f.name(tagOf(n, i))
		end := f.b.after(n, i+1)
		for _, t := range end.path[len(f.b.paths[at]):] {
			f.holds(t)
		}
	}
	if e.To == ir.Raised {
		panic(raised{})
	}
	f.arrive(n, e)
	return e.To
}

// arrive names what a location and the head of a loop make fresh.
func (f *frame) arrive(n int, e *ir.Edge) {
	if e.Back {
		f.forgetWays(e.To)
	} else {
		for m, other := range f.a.Edges {
			if other.To == e.To && !other.Back {
				f.known["in@"+strconv.Itoa(m)] = m == n
			}
		}
		f.name("L" + strconv.Itoa(int(e.To)))
	}
	f.name(headTag(e.To))
}

// forgetWays: a new round has taken no way yet.
func (f *frame) forgetWays(head ir.Loc) {
	todo := []ir.Loc{head}
	for seen := map[ir.Loc]bool{}; len(todo) > 0; {
		l := todo[0]
		todo = todo[1:]
		for n, e := range f.a.Edges {
			if e.From == l && forward(e) {
				f.known["in@"+strconv.Itoa(n)] = false
				if !seen[e.To] {
					seen[e.To], todo = true, append(todo, e.To)
				}
			}
		}
	}
}

func (f *frame) eval(t *term.Term) any { return evaluate(t, f.now) }

func (f *frame) set(v *term.Term, value any) {
	if v != nil {
		f.now[v.Name] = value
	}
}

// do runs an effect, as freely as its description allows.
func (f *frame) do(effect ir.Effect) {
	renew := func(places ...int) {
		for _, place := range places {
			f.memory[place] = f.any(f.g.sorts[place])
		}
	}
	switch e := effect.(type) {
	case *ir.Bind:
		f.set(e.Var, f.eval(e.Value))
	case *ir.Havoc:
		f.set(e.Var, f.any(e.Var.Sort))
	case *ir.Scan:
		f.set(e.Var, f.any(e.Var.Sort))
	case *ir.Read:
		place, key := f.g.slot[e.Slot], f.eval(e.Key)
		f.set(e.Has, f.memory[place].(array).at(key))
		f.set(e.Val, f.memory[place+1].(array).at(key))
	case *ir.Write:
		place, key, value := f.g.slot[e.Slot], f.eval(e.Key), f.eval(e.Value)
		f.memory[place] = f.memory[place].(array).with(key, true)
		f.memory[place+1] = f.memory[place+1].(array).with(key, value)
	case *ir.Push:
		renew(f.g.slot[e.Slot], f.g.slot[e.Slot]+1)
	case *ir.Delete:
		place, key := f.g.slot[e.Slot], f.eval(e.Key)
		f.set(e.Had, f.memory[place].(array).at(key))
		f.memory[place] = f.memory[place].(array).with(key, false)
		if f.g.isList(e.Slot) {
			renew(place, place+1)
		}
	case *ir.Move:
		f.move(e)
	case *ir.Inspect:
		if e.What == "get_status" {
			f.set(e.Var, f.memory[f.g.machine[e.Cell]].(array).at(f.eval(e.ID)))
		} else {
			f.set(e.Var, f.any(e.Var.Sort))
		}
	case *ir.Call:
		f.callee(e)
	case *ir.Act:
		for range f.pick(2) {
			f.start(f.g.system.Handler(e.Tools[0]), nil)
		}
		f.set(e.Result, f.any(e.Result.Sort))
	case *ir.Unknown:
		for place := range f.memory {
			renew(place)
		}
	case *ir.Begin:
		f.saved = append(f.saved, slices.Clone(f.memory))
	case *ir.Commit:
		f.saved = f.saved[:len(f.saved)-1]
	case *ir.Rollback:
		last := len(f.saved) - 1
		copy(f.memory, f.saved[last])
		f.saved = f.saved[:last]
	case *ir.Return:
		if e.Value.Sort.Kind != term.KindOpaque {
			f.result = f.eval(e.Value)
		}
	}
}

// move takes a declared edge, or raises.
func (f *frame) move(e *ir.Move) {
	place, id, to := f.g.machine[e.Cell], f.eval(e.ID), f.eval(e.To)
	from := f.memory[place].(array).at(id)
	if e.From != nil && f.eval(e.From) != from {
		panic(raised{})
	}
	edge := f.g.system.Find(e.Cell).Machine.Edge(from.(string), to.(string))
	for _, guard := range e.Guards {
		if edge == guard.Edge && !guard.Abstract && f.eval(guard.Cond) != true {
			panic(raised{})
		}
	}
	if edge < 0 {
		panic(raised{})
	}
	f.memory[place] = f.memory[place].(array).with(id, to)
}

func (f *frame) start(a *ir.Automaton, args []any) any {
	for i := len(args); i < len(a.Params); i++ {
		args = append(args, f.any(a.Params[i].Sort))
	}
	return f.runner.call(a, args)
}

// callee runs a handler: once, or as often as it likes where the call is Optional. It is given anything
// where an argument has another sort, as one that was converted.
func (f *frame) callee(e *ir.Call) {
	a := f.g.system.Handler(e.Handler)
	once := func() any {
		var args []any
		for i, t := range e.Args {
			if t.Sort.Same(a.Params[i].Sort) {
				args = append(args, f.eval(t))
			} else {
				args = append(args, f.any(a.Params[i].Sort))
			}
		}
		return f.start(a, args)
	}
	if !e.Optional {
		f.set(e.Result, once())
		return
	}
	for range f.pick(2) {
		once()
	}
	if e.Result != nil {
		f.set(e.Result, f.any(e.Result.Sort))
	}
}

// run runs a body once from any memory and tells whether it returned.
func (r *runner) run(a *ir.Automaton) (returned bool) {
	r.memory, r.steps, r.depth = nil, 60, 0
	for _, sort := range r.g.sorts {
		r.memory = append(r.memory, r.any(sort))
	}
	for _, place := range r.g.machine {
		r.memory[place] = array{"a", map[any]any{"b": "b"}}
	}
	var args []any
	for _, p := range a.Params {
		args = append(args, r.any(p.Sort))
	}
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(raised); !ok {
				panic(p)
			}
		}
	}()
	r.call(a, args)
	return true
}

// provable drops the facts without a proof until those are left that prove one another.
func provable(t *rapid.T, s *ir.System, facts []cert.Fact) (*auditor, map[*fact]bool) {
	refused := map[*fact]bool{}
	for {
		a := newAuditor(&cert.Certificate{Facts: facts}, s)
		a.budget.left = 1 << 40
		if err := a.readFacts(); err != nil {
			t.Fatal(err)
		}
		kept := []cert.Fact{}
		for _, c := range s.Cells {
			for _, f := range a.facts[c] {
				if !slices.ContainsFunc(a.generator.shownAt(c, f), func(p place) bool { return !holdsBy(a.generator.keeps(f, p.site.Edge)) }) {
					kept = append(kept, cert.Fact{Cell: c.Name, Automaton: f.number, At: int(f.at), Text: f.text})
				} else {
					refused[f] = false
				}
			}
		}
		if len(kept) == len(facts) {
			return a, refused
		}
		facts = kept
	}
}

func holdsBy(c *condition) bool {
	if c.trivial() {
		return true
	}
	p, err := refute.Refute(c.negated(), refute.Limits{Nodes: 20, Pivots: 200, Lines: 1000})
	return err == nil && CheckRefutation(c.negated(), toCert(p)) == nil
}

// TestRunsKeepWhatIsAssumed draws systems with facts.
func TestRunsKeepWhatIsAssumed(t *testing.T) {
	checked, ended, proven, broken, left := 0, 0, 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s := randomSystem(rt)
		for _, c := range s.Cells {
			c.Rules = nil
		}
		a, refused := provable(rt, s, drawFacts(rt, s, 8))
		for _, c := range s.Cells {
			proven += len(a.facts[c])
		}
		r := &runner{t: rt, g: a.generator, refused: refused}
		for range 6 {
			for _, automaton := range s.Cells[0].Automata {
				if r.run(automaton) {
					ended++
				}
			}
		}
		checked += r.checked
		for _, is := range refused {
			if is {
				broken++
			} else {
				left++
			}
		}
	})
	t.Logf("%d runs ended, %d assumptions held; %d facts are proven, runs break %d of the others and leave %d", ended, checked, proven, broken, left)
	if ended < 100 || checked < 10_000 || proven < 50 || broken < 50 {
		t.Error("too little was put to the test")
	}
}
