package interp

import (
	"context"
	"math/rand/v2"
	"time"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// World is one running program: its memory, its machine instances, its counters. It serves
// one goroutine.
type World struct {
	prog     *resolve.Program
	opts     Options
	ctx      context.Context
	builtins map[string]impl
	rules    map[*resolve.Cell][]*rule
	codes    map[*resolve.Handler]*code
	guards   map[*syntax.EdgeRow]*code

	slotIndex    map[*resolve.Slot]int
	slots        []store
	machineIndex map[*resolve.Machine]int
	machines     []instances
	ids          map[*resolve.Cell]int64
	kept         map[*resolve.Cell]*Map // remember and recall

	journal []func() // undoes, latest last
	open    int      // transactions under way
	pending []Move   // moves of the transactions under way
	moves   []Move   // committed

	handlers int // nested handler calls
	calls    int // nested calls, lambdas included
	nesting  int // nested evaluations
	steps    int // left in this invocation
	watch    int // below so many steps left the clock is looked at
	drawn    int // bytes allocated since the heap was looked at

	agent  agent
	mocks  mocks
	chance rand.PCG // behind rand
	rand   *rand.Rand
	slept  time.Duration
}

// New is a fresh world of the program.
func New(p *resolve.Program, o Options) *World {
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	w := &World{
		prog: p, opts: o, ctx: context.Background(), builtins: builtinTable(),
		rules: map[*resolve.Cell][]*rule{},
		codes: map[*resolve.Handler]*code{}, guards: map[*syntax.EdgeRow]*code{},
		slotIndex: map[*resolve.Slot]int{}, machineIndex: map[*resolve.Machine]int{},
		ids: map[*resolve.Cell]int64{}, kept: map[*resolve.Cell]*Map{},
	}
	w.chance.Seed(o.Seed, 0)
	w.rand = rand.New(&w.chance)
	for _, c := range p.Cells {
		for _, s := range c.Slots {
			w.slotIndex[s] = len(w.slots)
			w.slots = append(w.slots, store{})
		}
		if c.Machine != nil {
			w.machineIndex[c.Machine] = len(w.machines)
			w.machines = append(w.machines, instances{})
		}
		w.rules[c] = rulesOf(c, p.Info)
	}
	w.agent.reset()
	w.startInvocation(w.ctx)
	return w
}

// Call runs one call from outside as a transaction: when it raises, nothing it did remains.
// The handler is a public or private handler of the cell, or a timer under its name; the
// error is an *Error. Each call has a budget of its own.
func (w *World) Call(ctx context.Context, cell, handler string, args []Value) (Value, error) {
	h := w.find(cell, handler, len(args))
	if h == nil {
		return nil, errUndefinedFunction(cell + "." + handler)
	}
	w.startInvocation(ctx)
	return w.callHandler(h, args)
}

// find looks a handler up by cell, name and number of arguments.
func (w *World) find(cell, name string, arity int) *resolve.Handler {
	for _, c := range w.prog.Cells {
		if c.Name != cell {
			continue
		}
		for _, h := range c.Handlers {
			if h.Name == name && len(h.Params) == arity {
				return h
			}
		}
	}
	return nil
}

func (w *World) startInvocation(ctx context.Context) {
	w.ctx, w.steps, w.watch, w.drawn = ctx, w.opts.Steps, w.opts.Steps, 0
	w.agent.unlimited()
}

func (w *World) ref(n *syntax.Name) *resolve.Ref { return w.prog.Info.Names[n] }
