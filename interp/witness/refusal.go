package witness

import (
	"context"
	"slices"
	"strings"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/source"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
)

// Refusals: calls that the runtime refuses, from a state in the midst of things. A solver's model
// says what the state and the call are like, as far as its sorts go; what it leaves open is
// searched for, as for runs. What is found is then made small: whatever still is refused for the
// same reason with less is taken instead. All of it is judged by runs of the interpreter alone,
// so that a refusal that is found is one.
//
// Cost: at most RefusalRuns runs for the search and as many for making it small.

// Entry is a stored entry; a nil Value is not known.
type Entry struct {
	Slot       *resolve.Slot
	Key, Value interp.Value
}

// Status is the state of a machine's instance.
type Status struct {
	Machine   *resolve.Machine
	ID, State string
}

// Case is a state and a call from it.
type Case struct {
	Entries []Entry
	Status  []Status
	Given   []interp.Given // of builtins other than think and approve and http_…
	Call
}

// Scene is a case as far as it is known.
type Scene struct {
	Case                  // nil Args are not known; Answers come first
	Absent []Entry        // keys under which nothing is stored, as far as is known
	Likely []interp.Value // values that may matter somewhere
	// Claim tells whether an error is the refusal that is sought.
	Claim func(*interp.Error) bool
}

// Branch is a test that a run passed, with what it gave.
type Branch struct {
	At    source.Span
	Word  string // "if", "while", "require", "ensure", "match", "guard"
	Value interp.Value
}

// Refusal is a case that was run and refused.
type Refusal struct {
	Case
	Err    *interp.Error
	Caught bool     // by a try: the call itself went on
	Asked  []string // the builtins that got the Replies
	Path   []Branch
}

// RefusalRuns bounds the runs of a search for a refusal, refusalSteps what they do in all.
const (
	RefusalRuns  = 600
	refusalSteps = 1_000_000
)

// Refuse looks for a refused call near a scene; nil when it finds none.
func Refuse(ctx context.Context, p *resolve.Program, scene Scene) *Refusal {
	h := handlerOf(p, scene.Cell, scene.Handler, len(scene.Args))
	if h == nil {
		return nil
	}
	r := &refuser{scene: scene, handler: h}
	r.search = newSearch(ctx, p, nil, Options{})
	for _, c := range p.Cells {
		for _, other := range c.Handlers {
			r.search.everywhere.read(other.Body)
		}
	}
	r.world = r.newWorld(nil)
	r.empty = r.world.Snapshot()
	found := r.seek()
	if found == nil {
		return nil
	}
	r.small(found)
	return r.followed(found)
}

func handlerOf(p *resolve.Program, cell, name string, arity int) *resolve.Handler {
	for _, c := range p.Cells {
		for _, h := range c.Handlers {
			if c.Name == cell && h.Name == name && len(h.Params) == arity {
				return h
			}
		}
	}
	return nil
}

type refuser struct {
	*search
	scene   Scene
	handler *resolve.Handler
	world   *interp.World
	empty   *interp.Snapshot
	runs    int
	spent   int             // steps of these runs
	raised  []*interp.Error // of the present run, caught ones too
}

func (r *refuser) newWorld(observe func(syntax.Expr, interp.Value)) *interp.World {
	return interp.New(r.program, interp.Options{
		Model: r.search, Steps: 20_000, Seed: 1, Observe: observe,
		Approve: func(action string) bool { return r.script.approve(action) },
		Network: interp.NetworkFunc(func(f interp.Fetch) interp.Value { return r.script.fetch(f) }),
		Trace: func(s interp.Step) {
			if s.Raised != nil {
				r.raised = append(r.raised, s.Raised)
			}
		},
	})
}

// seek runs what is likeliest first, until a run is refused as claimed.
func (r *refuser) seek() *Case {
	t := &target{cell: r.scene.Cell, handler: r.handler, reading: readHandler(r.program, r.handler)}
	for _, v := range r.scene.Likely {
		switch v := v.(type) {
		case interp.Int:
			t.reading.tested.ints = append([]interp.Int{v}, t.reading.tested.ints...)
		case interp.String:
			t.reading.tested.texts = append([]string{string(v)}, t.reading.tested.texts...)
		}
	}
	for _, c := range r.program.Cells {
		for _, rule := range c.Invariants {
			for _, part := range rule.Conjuncts {
				t.reading.all.read(part.Cond)
			}
		}
	}
	t.texts = r.answers(t.reading)
	for _, v := range slices.Concat(r.scene.Likely, []interp.Value{interp.NewInt(-1), interp.NewInt(1)}) {
		t.texts = append([]string{interp.Render(v)}, t.texts...)
	}
	// A text that is too long for most rules; it is made shorter afterwards.
	t.reading.tested.texts = append(t.reading.tested.texts, strings.Repeat("a", 40))
	front := &frontier{queue: [][]int{nil}}
	for n := 0; !r.exhausted(); n++ {
		picks, ok := front.next()
		if !ok {
			return nil
		}
		c, sizes := r.attempt(t, picks)
		if c != nil {
			return c
		}
		front.follow(picks, sizes)
		if n > 0 {
			continue
		}
		// One place at a time comes before all places together.
		for pick := 1; pick < slices.Max(append(sizes, 0)); pick++ {
			for at := range sizes {
				if pick >= sizes[at] || r.exhausted() {
					continue
				}
				picks := make([]int, at+1)
				picks[at] = pick
				if c, _ := r.attempt(t, picks); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

func (r *refuser) exhausted() bool {
	return r.runs >= RefusalRuns || r.spent >= refusalSteps || r.ctx.Err() != nil
}

// attempt makes one run and gives the case when it was refused as claimed, and how many
// candidates there were at each place.
func (r *refuser) attempt(t *target, picks []int) (*Case, []int) {
	s := &script{picks: picks, first: r.scene.Answers, tools: true}
	r.prepare(&node{}, t, s)
	c := r.draw(t, s)
	if r.refused(c, s) == nil {
		return nil, s.sizes
	}
	c.Answers, c.Approvals, c.Replies = s.answers, s.approvals, s.replies
	return c, s.sizes
}

// draw fills in what the scene leaves open, as the script says; what the scene knows is the
// first candidate.
func (r *refuser) draw(t *target, s *script) *Case {
	c := &Case{Call: Call{Cell: r.scene.Cell, Handler: r.scene.Handler}, Given: r.scene.Given, Status: r.scene.Status}
	for i, p := range r.handler.Params {
		pool := r.pool(p.Type, t.reading, r.forParam(t.reading, p).values)
		if v := r.scene.Args[i]; v != nil {
			pool = addNew([]interp.Value{v}, pool)
		}
		c.Args = append(c.Args, pool[s.choose(len(pool))])
	}
	for _, e := range r.scene.Entries {
		pool := r.pool(e.Slot.Value, t.reading, r.inner(e.Slot.Value, t.reading, 0))
		if e.Value != nil {
			pool = addNew([]interp.Value{e.Value}, pool)
		}
		// The choice after the last is that there is no entry.
		if i := s.choose(len(pool) + 1); i < len(pool) {
			c.Entries = append(c.Entries, Entry{e.Slot, e.Key, pool[i]})
		}
	}
	for _, e := range r.scene.Absent {
		pool := r.pool(e.Slot.Value, t.reading, r.inner(e.Slot.Value, t.reading, 0))
		if i := s.choose(len(pool) + 1); i > 0 {
			c.Entries = append(c.Entries, Entry{e.Slot, e.Key, pool[i-1]})
		}
	}
	return c
}

// pool are candidates of a type, where maps of numbers come first: what rules judge are numbers.
func (r *refuser) pool(t *resolve.Type, read *reading, otherwise []interp.Value) []interp.Value {
	if t.Kind != resolve.MapType && t.Kind != resolve.RecordType || t.Elem != nil {
		return otherwise
	}
	c := &candidates{front: -1}
	numbers := *t
	numbers.Elem = &resolve.Type{Kind: resolve.IntType}
	r.records(c, &numbers, read, 0)
	return append(c.values, otherwise...)
}

// refused runs a case and gives the error that is claimed, or nil.
func (r *refuser) refused(c *Case, s *script) *interp.Error {
	r.runs++
	err, _ := r.run(r.world, c, s)
	return err
}

func (r *refuser) run(w *interp.World, c *Case, s *script) (claimed *interp.Error, caught bool) {
	w.Restore(r.empty)
	for _, e := range c.Entries {
		if w.Put(e.Slot, e.Key, e.Value) != nil {
			return nil, false
		}
	}
	for _, m := range c.Status {
		if w.PutStatus(m.Machine, m.ID, m.State) != nil {
			return nil, false
		}
	}
	// What no write could have stored is no state of the program.
	if w.Judge() != nil {
		return nil, false
	}
	w.Script(c.Given)
	r.script, r.raised = s, nil
	_, err := w.Call(r.ctx, c.Cell, c.Handler, c.Args)
	r.spent += w.StepsUsed()
	if e, ok := err.(*interp.Error); ok && r.scene.Claim(e) {
		return e, false
	}
	for _, e := range r.raised {
		if r.scene.Claim(e) {
			return e, true
		}
	}
	return nil, false
}

// strict is a script that answers what a case was answered.
func strict(c *Case) *script { return &script{replay: &c.Call} }

// followed runs a case once more and notes the tests that it passes.
func (r *refuser) followed(c *Case) *Refusal {
	out := &Refusal{Case: *c}
	words := r.tests()
	w := r.newWorld(func(x syntax.Expr, v interp.Value) {
		if word := words[x]; word != "" {
			out.Path = append(out.Path, Branch{x.Span(), word, v})
		}
	})
	// A world restores its own snapshots only.
	r.empty = w.Snapshot()
	s := strict(c)
	if out.Err, out.Caught = r.run(w, c, s); out.Err == nil {
		return nil
	}
	// What the run did not ask for is no part of the case.
	out.Answers, out.Approvals, out.Replies, out.Asked = s.answers, s.approvals, s.replies, s.asked
	return out
}

// tests are the expressions that decide where a body goes on.
func (r *refuser) tests() map[syntax.Expr]string {
	words := map[syntax.Expr]string{}
	read := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.If:
			words[n.Cond] = "if"
		case *syntax.While:
			words[n.Cond] = "while"
		case *syntax.Require:
			words[n.Cond] = "require"
		case *syntax.Ensure:
			words[n.Cond] = "ensure"
		case *syntax.Match:
			words[n.X] = "match"
		}
		return true
	}
	for _, c := range r.program.Cells {
		for _, h := range c.Handlers {
			syntax.Inspect(h.Body, read)
		}
		if c.Machine == nil {
			continue
		}
		for _, e := range c.Machine.Edges {
			if e.Row.Guard != nil {
				words[e.Row.Guard] = "guard"
			}
		}
	}
	return words
}
