package conform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// walk is one search.
type walk struct {
	e      *Evaluator
	steps  []Step
	ends   []int // of each step that begins something, the step that ends it
	fuel   int
	fresh  int // free constants made so far
	frames int
	seen   map[string]bool // configurations that were tried
	strict bool            // no step is refused that the rules allow
	report Report
}

// outcome is how a body ends.
type outcome struct {
	value  *term.Term
	raised bool
}

// then goes on after something; it tells whether the rest of the run was found.
type then func(p path, o outcome) bool

// frame is a body under way.
type frame struct {
	*body
	id int
}

// locals are what a body holds: the values of its variables, its open transactions.
type locals struct {
	vars   []*term.Term // nil: never bound
	saved  []*Memory
	result *term.Term
	rounds *rounds
}

// rounds counts how often a loop's head was passed since the run made a step.
type rounds struct {
	head ir.Loc
	pos  int
	n    int
	next *rounds
}

// round counts another round. Where guards decide it, the loops inside begin anew.
func (l locals) round(loop *ir.Loop, pos int) (locals, int) {
	n := 1
	for r := l.rounds; r != nil; r = r.next {
		if r.head == loop.Head {
			if r.pos == pos {
				n = r.n + 1
			}
			break
		}
	}
	if decided(loop) {
		l.rounds = l.rounds.outside(loop)
	}
	l.rounds = &rounds{loop.Head, pos, n, l.rounds}
	return l, n
}

// outside are the rounds of loops whose heads do not lie in a loop.
func (r *rounds) outside(loop *ir.Loop) *rounds {
	if r == nil {
		return nil
	}
	rest := r.next.outside(loop)
	if _, inside := slices.BinarySearch(loop.Body, r.head); inside {
		return rest
	}
	return &rounds{r.head, r.pos, r.n, rest}
}

// decided tells whether guards decide how many rounds a loop has: it is no loop over a collection.
func decided(l *ir.Loop) bool { return l.Kind == ir.WhileLoop || l.Cond != nil }

// mostRounds bounds the rounds of a loop in which nobody sees anything. Where no guard decides how
// many there are, a search must try.
func mostRounds(l *ir.Loop) int {
	if decided(l) {
		return 5_000
	}
	return 20
}

func (l locals) bind(i int, t *term.Term) locals {
	l.vars = slices.Clone(l.vars)
	l.vars[i] = t
	return l
}

// stuck notes what was wanted where a path ends, if none came further.
func (w *walk) stuck(p path, format string, args ...any) bool {
	if p.pos >= w.report.Furthest {
		w.report.Furthest, w.report.Wanted = p.pos, fmt.Sprintf(format, args...)
	}
	return false
}

// next is the step that the run makes next, if it is of that kind.
func (w *walk) next(p path, k Kind) *Step {
	if p.pos < len(w.steps) && w.steps[p.pos].Kind == k {
		return &w.steps[p.pos]
	}
	return nil
}

// ends finds where what a run begins ends: a step that begins something stands for its end.
func ends(steps []Step) []int {
	out := make([]int, len(steps))
	var open []int
	for i, s := range steps {
		switch s.Kind {
		case Enter, Begin, Act:
			open = append(open, i)
		case Leave, End, Acted:
			out[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return out
}

// run walks a handler from Enter to Leave.
func (w *walk) run(a *ir.Automaton, p path, k then) bool {
	s := w.next(p, Enter)
	if s == nil || s.Cell != a.Cell || s.Name != a.Name || len(s.Args) != len(a.Params) {
		return w.stuck(p, "the start of %s", a.Ref())
	}
	f := &frame{body: w.e.bodies[a], id: w.frames}
	w.frames++
	l := locals{vars: make([]*term.Term, len(a.Vars))}
	for i, param := range a.Params {
		v := w.e.values.Term(s.Args[i], param.Sort)
		if v == nil {
			return w.stuck(p, "an argument of %s of sort %s", a.Ref(), param.Sort)
		}
		l.vars[f.index[param.Name]] = v
	}
	p.pos++
	return w.at(f, ir.Entry, p, l, func(p path, o outcome) bool {
		end := w.next(p, Leave)
		switch {
		case end == nil || end.Raised != o.raised:
			return w.stuck(p, "the end of %s", a.Ref())
		case o.raised:
			p.pos++
			return k(p, o)
		}
		value := w.e.values.Term(end.Value, o.value.Sort)
		if value == nil {
			return w.stuck(p, "a result of sort %s", o.value.Sort)
		}
		if !known(o.value) {
			p = p.note("a result that is not known")
		}
		p, ok := w.equate(p, o.value, value)
		if !ok {
			return w.stuck(p, "the result %s, not %s", o.value, value)
		}
		p.pos++
		return k(p, outcome{value: value})
	})
}

// at goes on from a location.
func (w *walk) at(f *frame, loc ir.Loc, p path, l locals, k then) bool {
	switch loc {
	case ir.Exit:
		return k(p, outcome{value: l.result})
	case ir.Raised:
		return k(p, outcome{raised: true})
	}
	if w.fuel--; w.fuel < 0 {
		return false
	}
	if loop := f.heads[loc]; loop != nil {
		n := 1
		if l, n = l.round(loop, p.pos); n > mostRounds(loop) {
			return false
		}
	}
	if f.meets[loc] {
		key := w.configuration(f, loc, p, l)
		if w.seen[key] {
			return false
		}
		w.seen[key] = true
	}
	edges := f.out[loc]
	guards := make([]*term.Term, len(edges))
	for i, e := range edges {
		guards[i] = w.eval(f, p, l, e.Guard)
	}
	p.choices++
	for i, e := range edges {
		on, ok := w.assume(p, guards[i])
		if !ok {
			continue
		}
		if why := alternatives(edges, guards, i); why != "" {
			on = on.note(why)
		}
		if w.edge(f, edges, e, on, l, k) {
			return true
		}
	}
	return false
}

// configuration names how a place is reached at which paths meet. From there the search goes on
// once. Values that are not known are alike unless a guard spoke of them; at the head of a loop
// they are alike in any case, so that rounds of which nobody sees anything end.
func (w *walk) configuration(f *frame, loc ir.Loc, p path, l locals) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %d", f.id, loc, p.pos)
	for _, v := range l.vars {
		if v != nil && v.Op == term.OpVar {
			v = w.e.eval(v, p.free)
		}
		if v == nil || !known(v) {
			b.WriteString(" ?")
		} else {
			b.WriteString(" " + v.Text())
		}
	}
	if f.heads[loc] == nil {
		for _, fact := range p.open {
			b.WriteString(" " + fact.Text())
		}
	}
	return b.String()
}

// alternatives says why, beside edge i, another could be taken: "" when none could. That a
// step is refused is judged where it is made.
func alternatives(edges []*ir.Edge, guards []*term.Term, i int) string {
	for j, e := range edges {
		if j == i || guards[j] == term.False {
			continue
		}
		r, raises := first(e).(*ir.Raise)
		switch {
		case guards[j] != term.True:
			return "a condition that is not known"
		case raises && refusal(r, first(edges[i])):
		case raises:
			return "may raise " + r.Kind
		case isRaise(edges[i]):
			// The step beside is refused, or made elsewhere.
		default:
			return "a choice that nothing decides"
		}
	}
	return ""
}

func first(e *ir.Edge) ir.Effect {
	if len(e.Effects) == 0 {
		return nil
	}
	return e.Effects[0]
}

func isRaise(e *ir.Edge) bool {
	_, ok := first(e).(*ir.Raise)
	return ok
}

// refusal tells whether an error is how the step beside it is refused, which the step judges.
func refusal(r *ir.Raise, beside ir.Effect) bool {
	switch beside.(type) {
	case *ir.Write, *ir.Push, *ir.Delete, *ir.Move, *ir.Call, *ir.Act:
		return r.Refusal
	}
	return false
}

// edge takes an edge.
func (w *walk) edge(f *frame, siblings []*ir.Edge, e *ir.Edge, p path, l locals, k then) bool {
	if r, ok := first(e).(*ir.Raise); ok && r.Refusal {
		for _, s := range siblings {
			if w.raising(f, e, first(s), p, l, k) {
				return true
			}
		}
		for _, s := range siblings {
			ok := true
			if p, ok = w.refused(f, p, l, first(s), r); !ok {
				return w.stuck(p, "a step that the rules allow")
			}
		}
	}
	return w.effects(f, e, 0, p, l, k)
}

// raising takes an edge on which the call or act that stands beside it began and raised.
func (w *walk) raising(f *frame, e *ir.Edge, beside ir.Effect, p path, l locals, k then) bool {
	switch beside := beside.(type) {
	case *ir.Call:
		if w.next(p, Enter) == nil || !w.steps[w.ends[p.pos]].Raised {
			return false
		}
		return w.call(f, beside, p, l, func(p path, o outcome) bool {
			return o.raised && w.effects(f, e, 0, p, l, k)
		})
	case *ir.Act:
		if w.next(p, Act) == nil || !w.steps[w.ends[p.pos]].Raised {
			return false
		}
		return w.act(f, beside, p, l, func(p path, o outcome) bool {
			return o.raised && w.effects(f, e, 0, p, l, k)
		})
	}
	return false
}

// refused notes that a step is refused although the system allows it; a strict search does not go
// on there.
func (w *walk) refused(f *frame, p path, l locals, beside ir.Effect, r *ir.Raise) (path, bool) {
	if !refusal(r, beside) {
		return p, true
	}
	allowed := unknown
	switch beside := beside.(type) {
	case *ir.Write:
		allowed = w.judge(f, p, l, beside.Slot, beside.Key, beside.Value)
	case *ir.Delete:
		allowed = w.judge(f, p, l, beside.Slot, beside.Key, nil)
	case *ir.Push:
		allowed = w.judge(f, p, l, beside.Slot, nil, beside.Value)
	case *ir.Move:
		allowed = w.mayMove(f, p, l, beside)
	default:
		return p, true
	}
	switch allowed {
	case yes:
		return p.note("refused what the rules allow"), !w.strict
	case unknown:
		return p.note("refused by what is not known"), true
	}
	return p, true
}

// eval is the value of a term of a body.
func (w *walk) eval(f *frame, p path, l locals, t *term.Term) *term.Term {
	return w.e.eval(t, func(v *term.Term) *term.Term {
		i, ok := f.index[v.Name]
		if !ok {
			return p.free(v)
		}
		x := l.vars[i]
		if x != nil && !known(x) {
			x = w.e.eval(x, p.free)
		}
		return x
	})
}

// any is a new free constant.
func (w *walk) any(s *term.Sort) *term.Term {
	if s.Kind == term.KindUnit {
		return term.UnitLit
	}
	w.fresh++
	return term.Var("?"+strconv.Itoa(w.fresh), s)
}
