package main

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"soma.cell/frontend/progen"
	"soma.cell/frontend/resolve"
	"soma.cell/frontend/syntax"
	"soma.cell/interp"
	"soma.cell/interp/interptest"
)

const (
	depth       = 4       // of calls from the initial state
	stepsOfCall = 100_000 // evaluated nodes
	callsOfNode = 60      // from one state
	large       = 100     // a literal from which on a loop may be long
)

// explorer searches for a run that breaks a claim: breadth first over the states of a program,
// with small values and the literals of the program as arguments, and answers of a model that
// are drawn from the same.
type explorer struct {
	claims  *claims
	world   *interp.World
	source  progen.Source
	values  *interptest.Values
	entered map[[2]string]bool
	ends    map[[2]string]string // claims that handlers never return
	broken  string
}

// explore makes at most so many calls. It gives the first claim that a run breaks, and the run.
func explore(c *claims, calls int) (broken string, made int) {
	e := &explorer{claims: c, source: progen.Seed(1), ends: c.deadCode().ends}
	ints, texts := e.literals()
	e.values = &interptest.Values{
		Source: e.source,
		Ints:   func() interp.Int { return interp.NewInt(ints[e.pick(len(ints))]) },
		Floats: func() interp.Value { return floats[e.source.Int(len(floats))] },
		Texts:  func() interp.String { return interp.String(texts[e.pick(len(texts))]) },
	}
	e.world = interp.New(c.program.resolved, interp.Options{
		Model: e, Network: interp.NetworkFunc(func(interp.Fetch) interp.Value { return e.values.Of(resolve.Any) }),
		Approve: func(string) bool { return e.source.Int(2) == 0 },
		Print:   func(string) {}, Trace: e.step, Steps: stepsOfCall,
	})
	type node struct {
		state *interp.Snapshot
		path  []string
	}
	queue := []node{{state: e.world.Snapshot()}}
	seen := map[string]bool{}
	public := interptest.Public(c.program.resolved)
	for len(queue) > 0 && len(public) > 0 && made < calls {
		n := queue[0]
		queue = queue[1:]
		each := max(1, callsOfNode/len(public))
		for _, h := range public {
			for range each {
				if len(h.Params) == 0 && each > 3 {
					each = 3
				}
				e.world.Restore(n.state)
				text := e.call(h)
				made++
				path := append(slices.Clip(n.path), text)
				if e.broken != "" {
					return fmt.Sprintf("%s, broken by %s", e.broken, strings.Join(path, "; ")), made
				}
				if _, all := e.world.Digest(); !seen[all] && len(path) < depth {
					seen[all] = true
					queue = append(queue, node{e.world.Snapshot(), path})
				}
			}
		}
	}
	return "", made
}

// call makes a call of a handler and gives it as text.
func (e *explorer) call(h *resolve.Handler) string {
	args := e.values.Args(h.Params)
	var shown []string
	for _, a := range args {
		shown = append(shown, interp.Quote(a))
	}
	e.entered = map[[2]string]bool{}
	_, err := e.world.Call(context.Background(), h.Cell.Name, h.Name, args)
	if raised, ok := err.(*interp.Error); ok {
		e.blame(e.claims.raised(raised, e.entered))
		e.blame(e.claims.committed(raised, h.Cell.Name, h.Name))
	}
	for _, m := range e.world.Moves() {
		e.blame(e.claims.moved(m.Machine.Cell.Name, m.From, m.To, true))
	}
	return fmt.Sprintf("%s.%s(%s)", h.Cell.Name, h.Name, strings.Join(shown, ", "))
}

// step looks at what happens inside a call, under a try too.
func (e *explorer) step(s interp.Step) {
	switch s.Kind {
	case interp.StepEnter:
		e.entered[[2]string{s.Cell, s.Name}] = true
	case interp.StepLeave:
		if s.Raised == nil {
			e.blame(e.ends[[2]string{s.Cell, s.Name}])
		}
	case interp.StepAct:
		if s.Name == "print" {
			e.blame(e.claims.printed(s.Args))
		}
	case interp.StepMove:
		e.blame(e.claims.moved(s.Cell, s.From, s.To, false))
	}
	if s.Raised != nil {
		e.blame(e.claims.raised(s.Raised, e.entered))
	}
}

func (e *explorer) blame(claim string) {
	if e.broken == "" {
		e.broken = claim
	}
}

// literals gathers the values worth trying: small ones, and those of the program with their
// neighbours.
func (e *explorer) literals() (ints []int64, texts []string) {
	ints = []int64{-1, 0, 1, 2, 3}
	texts = []string{"a", "b", ""}
	e.claims.small = true
	see := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Int:
			if n.Value.CmpAbs(big.NewInt(large)) > 0 {
				e.claims.small = false
			}
			for d := int64(-1); n.Value.IsInt64() && d <= 1 && len(ints) < 24; d++ {
				if v := n.Value.Int64() + d; !slices.Contains(ints, v) {
					ints = append(ints, v)
				}
			}
		case *syntax.String:
			s, plain := n.Literal()
			if _, mark := e.claims.marks[s]; plain && !mark && len(texts) < 16 && len(s) < 20 && !slices.Contains(texts, s) {
				texts = append(texts, s)
			}
		}
		return true
	}
	for _, f := range e.claims.program.resolved.Files {
		for _, d := range f.Decls {
			for _, m := range d.Memory {
				for _, r := range m.Invariants {
					syntax.Inspect(r.Cond, see)
				}
			}
			for _, m := range d.Machines {
				for _, edge := range m.Edges {
					syntax.Inspect(edge.Guard, see)
				}
			}
			for _, h := range d.Handlers {
				syntax.Inspect(h.Body, see)
			}
			for _, timer := range d.Timers {
				syntax.Inspect(timer.Body, see)
			}
		}
	}
	return ints, append(texts, oddText)
}

// floats are few, the odd ones among them.
var floats = [...]interp.Float{0, 1, -1, 0.5, 2.5, 100, interp.Float(math.Inf(1)), interp.Float(math.NaN())}

// pick picks one of n, every other time of the first: what memory holds meets itself.
func (e *explorer) pick(n int) int {
	if e.source.Int(2) == 0 {
		return e.source.Int(min(3, n))
	}
	return e.source.Int(n)
}

// Think calls a tool now and then, and answers one of the texts.
func (e *explorer) Think(_ context.Context, r interp.Request) (interp.Reply, error) {
	e.values.UseTools(r) // what they raise is for the model
	if r.JSON {
		return interp.Reply{Text: interp.ToJSON(e.values.Of(&resolve.Type{Kind: resolve.MapType})), Tokens: 1}, nil
	}
	return interp.Reply{Text: string(e.values.Texts()), Tokens: 1}, nil
}
