package vc

import (
	"fmt"
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// The places of facts as those see them who look for facts.

// Item is a part of a state of which a fact may speak: a variable, an array of a slot, its size or
// sum, the states of a machine.
type Item struct {
	Is   *term.Term // the name of the item in facts
	Was  *term.Term // before the loop, or when the body began
	Slot ir.SlotRef // of a part of a slot
	Cell string     // of the states of a machine
}

// Loop is a loop that a run reaches, as its facts see it.
type Loop struct {
	*ir.Loop
	Items  []Item                      // what a round may change
	Names  map[string]bool             // of which facts may speak
	Rounds []Round                     // one for each back edge that a run may take
	Eval   func(*term.Term) *term.Term // a term of the body in the state at the head
}

// Unchanged tells whether rounds leave the value of a term.
func (l Loop) Unchanged(t *term.Term) bool {
	return !slices.ContainsFunc(term.Vars(t), func(v *term.Term) bool {
		return slices.ContainsFunc(l.Items, func(it Item) bool { return it.Is.Name == v.Name })
	})
}

// Round is the end of a back edge: what is known there, and the items.
type Round struct{ Assume, Items []*term.Term }

// Loops are the loops that a run reaches, in the order of the automaton.
func (b *Body) Loops() []Loop {
	var out []Loop
	for _, l := range b.a.Loops {
		h := b.heads[l.Head]
		if h == nil {
			continue
		}
		loop := Loop{Loop: l, Names: map[string]bool{}, Eval: b.states[l.Head].eval}
		tag := fmt.Sprintf("H%d", l.Head)
		was := h.before.items(b.a)
		for _, i := range h.fresh {
			loop.Items = append(loop.Items, b.item(was[i], was[i].get(), tag))
			loop.Names[was[i].name(tag)] = true
		}
		for _, it := range was {
			if it.depth != "" {
				continue
			}
			for _, v := range term.Vars(it.get()) {
				loop.Names[v.Name] = true
			}
		}
		for n, e := range b.a.Edges {
			if e.To != l.Head || !e.Back {
				continue
			}
			if site, ok := b.At(n, len(e.Effects)); ok {
				now := site.state.items(b.a)
				round := Round{Assume: site.Assume}
				for _, i := range h.fresh {
					round.Items = append(round.Items, now[i].get())
				}
				loop.Rounds = append(loop.Rounds, round)
			}
		}
		out = append(out, loop)
	}
	return out
}

func (b *Body) item(it item, was *term.Term, tag string) Item {
	return Item{Is: term.Var(it.name(tag), it.get().Sort), Was: was, Slot: it.slot, Cell: it.cell}
}

// End is the end of a body as its facts see it.
type End struct {
	Items  []Item                      // what the body may write
	Result *term.Term                  // nil where it is not known on some way
	Names  map[string]bool             // of which facts may speak: these, the parameters and the memory at the start
	Eval   func(*term.Term) *term.Term // a term of the body in the state at the start
	// Returns are the ways to the end: each path of a body with few and without loops, or else
	// each edge into the exit that a run may take.
	Returns []Returned
}

// Returned is a way to the end of a body: what is known there, what is returned (if there is
// End.Result), and the items.
type Returned struct {
	Assume, Items []*term.Term
	Value         *term.Term
}

// End is what facts may say of the end of the body.
func (b *Body) End() End {
	start := b.g.entry(b.a)
	end := End{Names: map[string]bool{}, Eval: start.eval}
	if r := b.a.Result; r != nil && r.Kind != term.KindUnit && r.Kind != term.KindOpaque {
		end.Result = term.Var(resultName, r)
		end.Names[resultName] = true
	}
	for _, p := range b.a.Params {
		end.Names[p.Name] = p.Sort.Kind != term.KindOpaque
	}
	touched := b.g.writes[b.a.Ref()]
	written := map[int]bool{}
	for i, it := range start.memItems(start.mem, "") {
		end.Names[it.name("0")] = true
		if touched.all || touched.slots[it.slot] || touched.machines[it.cell] {
			written[i] = true
			end.Items = append(end.Items, b.item(it, it.get(), exitTag))
			end.Names[it.name(exitTag)] = true
		}
	}
	add := func(edge int, site Site) {
		r := Returned{Assume: site.Assume}
		if end.Result != nil {
			r.Value = b.result(edge, site)
		}
		for i, it := range site.state.memItems(site.state.mem, "") {
			if written[i] {
				r.Items = append(r.Items, it.get())
			}
		}
		end.Returns = append(end.Returns, r)
	}
	if !b.eachPath(add) {
		end.Returns = nil
		for n, e := range b.a.Edges {
			if e.To != ir.Exit {
				continue
			}
			if site, ok := b.At(n, len(e.Effects)); ok {
				add(n, site)
			}
		}
	}
	if slices.ContainsFunc(end.Returns, func(r Returned) bool { return r.Value == nil }) {
		end.Result = nil
	}
	return end
}

// Bounds of the bodies whose paths are followed one by one.
const (
	mostPaths = 8
	mostEdges = 100
)

// eachPath follows each path of a body without loops to its end, and tells whether they are few.
func (b *Body) eachPath(end func(edge int, s Site)) bool {
	if len(b.a.Loops) > 0 || len(b.a.Edges) > mostEdges {
		return false
	}
	out := make([][]int, b.a.Locs)
	for n, e := range b.a.Edges {
		if b.edges[n] && e.To != ir.Raised {
			out[e.From] = append(out[e.From], n)
		}
	}
	type way struct {
		loc   ir.Loc
		state *state
		path  []*term.Term
	}
	steps, ends := 0, 0
	for work := []way{{loc: ir.Entry, state: b.g.entry(b.a)}}; len(work) > 0; {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range slices.Backward(out[w.loc]) {
			e := b.a.Edges[n]
			s := &step{g: b.g, state: w.state.copy(), path: slices.Clone(w.path)}
			guard := s.state.eval(e.Guard)
			if guard == term.False {
				continue
			}
			s.know(guard)
			for i, f := range e.Effects {
				s.tag = fmt.Sprintf("%d.%d", n, i)
				s.effect(f)
			}
			if steps++; steps > mostPaths*b.a.Locs {
				return false
			}
			if e.To != ir.Exit {
				work = append(work, way{e.To, s.state, s.path})
				continue
			}
			if ends++; ends > mostPaths {
				return false
			}
			end(n, Site{Assume: s.path, Of: b.a, state: s.state, g: b.g})
		}
	}
	return true
}
