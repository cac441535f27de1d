package witness

import (
	"context"
	"slices"

	"soma.cell/frontend/resolve"
	"soma.cell/interp"
)

// node is a state that some run reaches.
type node struct {
	parent *node
	call   Call // that led here
	depth  int
	state  *interp.Snapshot
	rank   int // among the nodes whose machines agree
	round  int // in which it was expanded last
	ids    []string
	states map[*resolve.Machine]map[string]bool // in which some instance is
	stored []interp.Value
	open   []*frontier        // a handler each
	args   [][][]interp.Value // candidates by handler and parameter
}

// target is a handler worth calling.
type target struct {
	cell    string
	handler *resolve.Handler
	reading *reading
	params  []*candidates
	texts   []string // answers of a model, made on demand
	objects []string
	bodies  []interp.Value // replies of the network
}

type search struct {
	ctx        context.Context
	program    *resolve.Program
	options    Options
	world      *interp.World
	script     *script
	targets    []*target
	everywhere *literals

	missing map[Goal]bool
	found   map[Goal]*Run
	nodes   []*node
	known   map[string]bool // digests
	ranks   map[string]int  // nodes by the digest of their machines
	steps   int
}

func newSearch(ctx context.Context, p *resolve.Program, goals []Goal, o Options) *search {
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	if o.CallSteps == 0 {
		o.CallSteps = DefaultCallSteps
	}
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	s := &search{
		ctx: ctx, program: p, options: o, everywhere: &literals{},
		missing: map[Goal]bool{}, found: map[Goal]*Run{}, known: map[string]bool{}, ranks: map[string]int{}, steps: o.Steps,
	}
	for _, g := range goals {
		s.missing[g] = true
	}
	s.world = interp.New(p, interp.Options{
		Model: s, Steps: o.CallSteps, Seed: 1,
		Approve: func(action string) bool { return s.script.approve(action) },
		Network: interp.NetworkFunc(func(f interp.Fetch) interp.Value { return s.script.fetch(f) }),
	})
	if len(goals) > 0 {
		s.readProgram()
	}
	return s
}

// Think lets the script of the present call answer.
func (s *search) Think(ctx context.Context, r interp.Request) (interp.Reply, error) {
	return s.script.Think(ctx, r)
}

// readProgram lists the handlers worth calling: those that move first, then those that
// change something else.
func (s *search) readProgram() {
	var others []*target
	for _, c := range s.program.Cells {
		for _, h := range c.Handlers {
			s.everywhere.read(h.Body)
			if !h.Public {
				continue
			}
			t := &target{cell: c.Name, handler: h, reading: readHandler(s.program, h)}
			switch {
			case len(t.reading.moves) > 0:
				s.targets = append(s.targets, t)
			case t.reading.changes:
				others = append(others, t)
			}
		}
	}
	s.targets = append(s.targets, others...)
	for _, t := range s.targets {
		for _, p := range t.handler.Params {
			t.params = append(t.params, s.forParam(t.reading, p))
		}
	}
	for g := range s.missing {
		if !slices.ContainsFunc(s.targets, func(t *target) bool { return t.reading.mayTake(g) }) {
			delete(s.missing, g)
		}
	}
}

// explore works in rounds: each gives every frontier of the nodes of low rank more calls.
func (s *search) explore() {
	s.arrive(nil, Call{})
	calls := 12
	for round := 1; !s.finished(); round++ {
		more := false
		for i := 0; i < len(s.nodes) && !s.finished(); i++ { // nodes grow meanwhile
			n := s.nodes[i]
			switch {
			case n.depth >= s.options.Depth:
			case n.rank >= 2*round:
				more = true
			case n.round == round: // expanded on arrival
				more = true
			default:
				more = s.expand(n, calls, round) || more
			}
		}
		if !more {
			return
		}
		calls *= 2
	}
}

func (s *search) finished() bool {
	return len(s.missing) == 0 || s.steps <= 0 || s.ctx.Err() != nil
}

// expand makes up to so many calls of each handler that may take a missing edge from here,
// then some of the others. A state reached by taking a missing edge is expanded at once: from
// there the next one may be near.
func (s *search) expand(n *node, calls, round int) (progress bool) {
	n.round = round
	if n.open == nil {
		s.openNode(n)
	}
	for _, promising := range []bool{true, false} {
		for i, t := range s.targets {
			if s.promises(t, n) != promising {
				continue
			}
			budget := calls
			if !promising {
				budget = max(1, calls/4)
			}
			for range budget {
				picks, ok := n.open[i].next()
				if !ok || s.finished() {
					break
				}
				progress = true
				c := &script{picks: picks}
				next := s.try(n, i, c, nil)
				n.open[i].follow(picks, c.sizes)
				if next != nil && next.depth < s.options.Depth {
					s.expand(next, calls, round)
				}
			}
		}
	}
	return progress
}

// promises tells whether a handler may take a missing edge whose source some instance is in.
func (s *search) promises(t *target, n *node) bool {
	for g := range s.missing {
		if (g.From == g.Machine.Initial || n.states[g.Machine][g.From]) && t.reading.mayTake(g) {
			return true
		}
	}
	return false
}

// openNode makes the suggested calls and starts the frontiers.
func (s *search) openNode(n *node) {
	for _, t := range s.targets {
		n.open = append(n.open, &frontier{queue: [][]int{nil}})
		var args [][]interp.Value
		for j, p := range t.handler.Params {
			args = append(args, t.params[j].in(n, p.Type, t.reading.ids[p.Name]))
		}
		n.args = append(n.args, args)
	}
	for _, g := range s.options.Suggestions {
		for i, t := range s.targets {
			if t.cell == g.Cell && t.handler.Name == g.Handler && len(g.Args) == len(t.handler.Params) && !s.finished() {
				s.try(n, i, &script{fixed: g.Answers}, slices.Concat([]interp.Value{}, g.Args))
			}
		}
	}
}

// try makes one call of target i in a state; args nil means that the script chooses them. It
// gives the new state when the call took a missing edge.
func (s *search) try(n *node, i int, c *script, args []interp.Value) *node {
	t := s.targets[i]
	s.world.Restore(n.state)
	s.prepare(n, t, c)
	if args == nil {
		for _, values := range n.args[i] {
			args = append(args, values[c.choose(len(values))])
		}
	}
	s.script = c
	_, err := s.world.Call(s.ctx, t.cell, t.handler.Name, args)
	s.steps -= s.world.StepsUsed() + callCost
	if err != nil {
		return nil
	}
	call := Call{
		Cell: t.cell, Handler: t.handler.Name, Args: args,
		Answers: c.answers, Approvals: c.approvals, Replies: c.replies, Moves: slices.Clone(s.world.Moves()),
	}
	first := s.record(n, call)
	next := s.arrive(n, call)
	if !first {
		return nil
	}
	return next
}

// prepare gives a script its candidates.
func (s *search) prepare(n *node, t *target, c *script) {
	c.argument = func(p resolve.Param) interp.Value {
		values := s.forParam(t.reading, p).in(n, p.Type, t.reading.ids[p.Name])
		return values[c.choose(len(values))]
	}
	c.texts = func() []string {
		if t.texts == nil {
			t.texts = s.answers(t.reading)
		}
		return t.texts
	}
	c.bodies = func() []interp.Value {
		if t.bodies == nil {
			t.bodies = s.networkReplies(t.reading)
		}
		return t.bodies
	}
	c.objects = func() []string {
		if t.objects == nil {
			t.objects = s.objectTexts(t.reading)
		}
		return t.objects
	}
}

// record keeps the run to each goal that the call's moves take for the first time.
func (s *search) record(n *node, call Call) (first bool) {
	for _, m := range call.Moves {
		g := Goal{m.Machine, m.From, m.To}
		if s.missing[g] {
			delete(s.missing, g)
			s.found[g] = &Run{Goal: g, Calls: append(n.path(), call)}
			first = true
		}
	}
	return first
}

// path are the calls that lead to a state.
func (n *node) path() []Call {
	var out []Call
	for ; n.parent != nil; n = n.parent {
		out = append(out, n.call)
	}
	slices.Reverse(out)
	return out
}

// arrive adds the present state of the world; nil when it is known.
func (s *search) arrive(parent *node, call Call) *node {
	machines, all := s.world.Digest()
	if s.known[all] {
		return nil
	}
	s.known[all] = true
	n := &node{
		parent: parent, call: call, state: s.world.Snapshot(), stored: s.world.Stored(6),
		states: map[*resolve.Machine]map[string]bool{}, rank: s.ranks[machines],
	}
	s.ranks[machines]++
	for _, c := range s.program.Cells {
		if c.Machine != nil {
			n.observe(c.Machine, s.world.Instances(c.Machine))
		}
	}
	slices.Sort(n.ids)
	n.ids = slices.Compact(n.ids)
	if parent != nil {
		n.depth = parent.depth + 1
	}
	s.nodes = append(s.nodes, n)
	return n
}

// observe notes the instances of a machine. Each beyond the first lowers the rank: most edges
// need one instance.
func (n *node) observe(m *resolve.Machine, instances map[string]string) {
	n.states[m] = map[string]bool{}
	for id, state := range instances {
		n.ids = append(n.ids, id)
		n.states[m][state] = true
	}
	n.rank += 2 * max(0, len(instances)-1)
}
