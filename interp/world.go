package interp

import (
	"context"
	"math/rand/v2"
	"time"

	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
)

// DefaultSteps is the budget of one invocation: a few seconds of work.
const DefaultSteps = 20_000_000

// World is one running program: its memory, its machine instances, its counters. It serves
// one goroutine.
type World struct {
	prog     *resolve.Program
	opts     Options
	ctx      context.Context
	builtins map[string]impl
	rules    map[*resolve.Cell][]*rule

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
	memory   int // bytes left in this invocation

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
		rules:     map[*resolve.Cell][]*rule{},
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
	w.ctx, w.steps, w.memory = ctx, w.opts.Steps, maxMemory
	w.agent.unlimited()
}

// maxMemory bounds what one invocation may allocate, in bytes.
const maxMemory = 1 << 29

// maxText bounds one string, in bytes.
const maxText = 1 << 26

// maxItems bounds one list.
const maxItems = 1 << 22

// maxCalls bounds nested calls of handlers and lambdas.
const maxCalls = 512

// maxNesting bounds the interpreter's own recursion.
const maxNesting = 40_000

// spend takes steps off the budget.
func (w *World) spend(n int) error {
	before := w.steps
	w.steps -= n
	if w.steps < 0 {
		return errSteps()
	}
	if before>>12 != w.steps>>12 {
		if err := w.ctx.Err(); err != nil {
			return errStopped(err)
		}
	}
	return nil
}

// allocate takes bytes off the budget.
func (w *World) allocate(bytes int) error {
	w.memory -= bytes
	if w.memory < 0 || bytes > maxText {
		return errMemory()
	}
	return w.spend(bytes >> 6)
}

// frame is where an expression is evaluated.
type frame struct {
	cell  *resolve.Cell // nil in a test cell without helpers
	rule  *ruleScope    // inside an invariant
	scope *scope
}

// scope is the names of a block.
type scope struct {
	names  []string
	vals   []Value
	parent *scope
}

func (s *scope) bind(name string, v Value) {
	s.names = append(s.names, name)
	s.vals = append(s.vals, v)
}

// place finds the innermost binding of a name, the latest in its block.
func (s *scope) place(name string) *Value {
	for ; s != nil; s = s.parent {
		for i := len(s.names) - 1; i >= 0; i-- {
			if s.names[i] == name {
				return &s.vals[i]
			}
		}
	}
	return nil
}

// inside runs body in a block scope of its own.
func (f *frame) inside(body func() (Value, error)) (Value, error) {
	outer := f.scope
	f.scope = &scope{parent: outer}
	v, err := body()
	f.scope = outer
	return v, err
}

func (w *World) ref(n *syntax.Name) *resolve.Ref { return w.prog.Info.Names[n] }
