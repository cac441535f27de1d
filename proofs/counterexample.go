package proofs

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"soma.cell/frontend/source"
	"soma.cell/ir"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt"
	"soma.cell/smt/term"
)

// A condition that fails has models. One is made small by asking again with growing bounds on
// its numbers and few texts, and read as a scene: a state, a call from it, and the way to the
// place. Whether that can happen is for a run to show, which Options.Replay makes.

// Scene is what a model says of a case: literals, nil where any value will do.
type Scene struct {
	ID            string // of the obligation
	Cell, Handler string
	Args          []*term.Term
	Entries       []SceneEntry // before the call
	Status        []SceneStatus
	Given         []SceneGiven // what builtins give on the way, in order
	Locals        []*term.Term // values that locals have at the place
	Numbers       []SceneNumber
	Claim         Claim
	abstract      *obligation.Counterexample
}

// SceneEntry is an entry that is stored, or, when Absent, is not.
type SceneEntry struct {
	Slot       ir.SlotRef
	Key, Value *term.Term
	Absent     bool
}

// SceneNumber is how many entries a slot holds, or their sum.
type SceneNumber struct {
	Slot  ir.SlotRef
	Sum   bool
	Value *big.Int
}

// SceneStatus is the state of an instance of a cell's machine.
type SceneStatus struct{ Cell, ID, State string }

// SceneGiven is what a builtin gives.
type SceneGiven struct {
	Builtin string
	Value   *term.Term
}

// Claim is the error that a run should raise.
type Claim struct {
	Kind    string
	Rule    string      // the rule that is broken, as written
	Place   source.Span // of the effect that is refused
	Total   bool        // the rule is judged when the call ends
	Edge    [2]string   // whose guard fails: from, to
	Outside []string    // the target is none of these
}

// Is tells whether an error is the claimed one.
func (c Claim) Is(kind, detail string, at source.Span) bool {
	switch {
	case kind != c.Kind, !c.Total && (at.File != c.Place.File || at.End <= c.Place.Start || c.Place.End <= at.Start):
		return false
	case c.Rule != "":
		return strings.HasPrefix(detail, c.Rule+" does not hold of ")
	case c.Edge[0] != "":
		return strings.Contains(detail, " may not go "+c.Edge[0]+" → "+c.Edge[1]+": ")
	}
	return !slices.ContainsFunc(c.Outside, func(state string) bool { return strings.Contains(detail, " → "+state+" — ") })
}

// Replayer runs the program from a scene, and from what is near it. It gives the case that was
// refused as the scene claims, nil when there was none.
type Replayer func(ctx context.Context, s *Scene) *obligation.Counterexample

// replays runs the scenes in the order of the obligations.
func (v *verifier) replays() {
	for _, ob := range v.list {
		s := v.scenes[ob]
		if s == nil {
			continue
		}
		ob.Counter = s.abstract
		if v.opts.Replay == nil {
			continue
		}
		ob.Counter.Outcome = obligation.Abstract
		if found := v.opts.Replay(v.ctx, s); found != nil {
			found.Writes, found.At, found.Outcome = s.abstract.Writes, s.abstract.At, obligation.Reproduced
			ob.Counter = found
		}
	}
}

// scene plans to ask for a small model in which the goal fails, and to read it.
func (v *task) scene(ob *obligation.Obligation, body *vc.Body, at position, assume []*term.Term, goal *term.Term, claim Claim) {
	v.explain = append(v.explain, func(v *task) error {
		st := newStage(v.sys, body, at)
		q := smt.Query{Name: ob.ID + "/case", Assert: append(slices.Clone(assume), term.Not(goal)), Wanted: st.wanted}
		values, err := v.smallModel(q, st)
		if err != nil {
			return err
		}
		s := st.read(values)
		s.ID, s.Claim, s.abstract.At, s.abstract.Writes = ob.ID, claim, claim.Place, claim.Place.Normal()
		v.setScene(ob, s)
		return nil
	})
}

func (v *verifier) setScene(ob *obligation.Obligation, s *Scene) {
	v.scenesMu.Lock()
	defer v.scenesMu.Unlock()
	v.scenes[ob] = s
}

// bounds are tried in this order: on the size of Ints, 0 for none, and whether texts are few.
var bounds = [...]struct {
	ints int64
	few  bool
}{{1, true}, {10, true}, {10, false}, {1000, true}, {1000, false}, {0, true}, {0, false}}

// smallModel gives the values of a small model; where a solver gives up, no values.
func (v *task) smallModel(q smt.Query, st *stage) ([]*term.Term, error) {
	for i, b := range bounds {
		bounded := q
		bounded.Assert = append(slices.Clone(q.Assert), st.bounded(b.ints, b.few)...)
		a, err := v.opts.Solver.Check(v.ctx, bounded)
		if err != nil {
			return nil, err
		}
		if a.Verdict == smt.Sat {
			return a.Values, nil
		}
		if a.Verdict == smt.Unknown && i < len(bounds)-1 {
			q.Name += "/any"
			a, err = v.opts.Solver.Check(v.ctx, q)
			if err != nil || a.Verdict != smt.Sat {
				return make([]*term.Term, len(q.Wanted)), err
			}
			return a.Values, nil
		}
	}
	return make([]*term.Term, len(q.Wanted)), nil
}

// stage is what a model is asked about a place.
type stage struct {
	sys    *ir.System
	body   *vc.Body
	at     position
	ways   []int
	wanted []*term.Term
	args   []int
	locals []stageLocal
	taken  map[int]int // by edge
	looks  []stageLook
	after  *stageAfter
	counts []stageNumber
}

// Numbers index wanted, -1 is nothing.
type (
	stageLocal struct {
		label      string
		has, value int
	}
	// stageLook is an effect that looks at the memory before the call, or is answered.
	stageLook struct {
		edge       int
		slot       ir.SlotRef // of an entry
		cell       string     // of a machine
		builtin    string
		key        int
		has, value int
		push       bool // the key is the index of the new entry
	}
	stageAfter struct {
		slot       ir.SlotRef
		key, value int
	}
	stageNumber struct {
		slot          ir.SlotRef
		name          string
		before, after int
	}
)

func (s *stage) want(t *term.Term) int {
	if !shown(t.Sort) {
		return -1
	}
	s.wanted = append(s.wanted, t)
	return len(s.wanted) - 1
}

func newStage(sys *ir.System, body *vc.Body, at position) *stage {
	s := &stage{sys: sys, body: body, at: at, ways: body.Ways(at.edge), taken: map[int]int{}}
	for _, p := range at.a.Params {
		s.args = append(s.args, s.want(p))
	}
	for _, n := range s.ways {
		s.taken[n] = s.want(vc.Taken(n))
		for i, e := range at.a.Edges[n].Effects {
			if n == at.edge && i >= at.i {
				break
			}
			s.look(n, i, e)
		}
	}
	site, _ := body.At(at.edge, at.i)
	s.showLocals(site)
	if at.i == len(at.a.Edges[at.edge].Effects) { // where the call commits
		s.showSums(site)
		return s
	}
	e := at.a.Edges[at.edge].Effects[at.i]
	s.look(at.edge, at.i, e)
	if slot, _, _, ok := writeOf(e); ok {
		if size := site.Size(slot); size != nil {
			s.counts = append(s.counts, stageNumber{slot, countName(slot.Slot), s.want(size), -1})
		}
	}
	if slot, value, _, ok := writeOf(e); ok && keyOf(e) != nil {
		s.after = &stageAfter{slot: slot, key: s.want(site.Eval(keyOf(e))), value: -1}
		if value != nil {
			s.after.value = s.want(site.Eval(value))
		}
	}
	return s
}

// showSums wants the sums before the call and when it commits.
func (s *stage) showSums(site vc.Site) {
	for _, c := range s.sys.Cells {
		for _, slot := range c.Slots {
			ref := ir.SlotRef{Cell: c.Name, Slot: slot.Name}
			if before, after := site.Sum(ref); before != nil {
				s.counts = append(s.counts, stageNumber{ref, sumName(slot.Name), s.want(before), s.want(after)})
			}
		}
	}
}

// look wants what an effect finds in the memory before the call.
func (s *stage) look(edge, i int, e ir.Effect) {
	var key *term.Term
	var slots []ir.SlotRef
	cell := ""
	switch e := e.(type) {
	case *ir.Read:
		key, slots = e.Key, []ir.SlotRef{e.Slot}
	case *ir.Write:
		key, slots = e.Key, s.neighbours(e.Slot)
	case *ir.Delete:
		key, slots = e.Key, s.neighbours(e.Slot)
	case *ir.Push:
		// The list is as long as the index that the new entry gets.
		s.looks = append(s.looks, stageLook{edge: edge, slot: e.Slot, key: s.want(vc.PushedAt(edge, i)), has: -1, value: -1, push: true})
		return
	case *ir.Move:
		key, cell, slots = e.ID, e.Cell, s.ofState(e.Cell)
	case *ir.Inspect:
		key, cell = e.ID, e.Cell
	case *ir.Act:
		if e.Result != nil && shown(e.Result.Sort) {
			s.looks = append(s.looks, stageLook{edge: edge, builtin: e.Builtin, value: s.want(vc.Given(e.Result, edge, i))})
		}
		return
	default:
		return
	}
	site, _ := s.body.At(edge, i)
	for _, slot := range slots {
		has, val := site.First(slot, key)
		s.looks = append(s.looks, stageLook{edge: edge, slot: slot, key: s.want(site.Eval(key)), has: s.want(has), value: s.want(val)})
		if s.sys.Find(slot.Cell).Machine != nil && s.asksStatus(slot) {
			cell = slot.Cell
		}
	}
	if cell != "" && key.Sort.Kind == term.KindString {
		s.looks = append(s.looks, stageLook{edge: edge, cell: cell, key: s.want(site.Eval(key)), value: s.want(site.FirstStatus(cell, key))})
	}
}

// ofState are the slots of the rules that a move of a cell's machine must keep.
func (s *stage) ofState(cell string) []ir.SlotRef {
	var out []ir.SlotRef
	for _, r := range s.sys.Find(cell).Rules {
		for _, g := range r.Guards {
			if ref := (ir.SlotRef{Cell: cell, Slot: g}); r.Status && !slices.Contains(out, ref) && !s.sys.Find(cell).Slot(g).IsList {
				out = append(out, ref)
			}
		}
	}
	return out
}

// neighbours are the slots whose entries matter to the rules of a slot, itself first.
func (s *stage) neighbours(slot ir.SlotRef) []ir.SlotRef {
	out := []ir.SlotRef{slot}
	c := s.sys.Find(slot.Cell)
	for _, r := range c.Rules {
		if !slices.Contains(r.Guards, slot.Slot) {
			continue
		}
		for _, g := range r.Guards {
			// A rule on counts may list slots that have no key in common.
			if ref := (ir.SlotRef{Cell: slot.Cell, Slot: g}); c.Slot(g).IsList == c.Slot(slot.Slot).IsList && !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	return out
}

func (s *stage) asksStatus(slot ir.SlotRef) bool {
	return slices.ContainsFunc(s.sys.Find(slot.Cell).Rules, func(r *ir.Rule) bool {
		return r.Status && slices.Contains(r.Guards, slot.Slot)
	})
}

// showLocals wants the locals of the source that have a value at the place; what may be unit
// comes with its presence.
func (s *stage) showLocals(site vc.Site) {
	has := map[string]*term.Term{}
	for _, x := range s.at.a.Vars {
		has[x.Term.Name] = x.Term
	}
	listed := map[string]bool{}
	for _, x := range s.at.a.Vars[len(s.at.a.Params):] {
		t := site.Eval(x.Term)
		if x.Source == "" || listed[x.Source] || !shown(x.Term.Sort) || unassigned(x.Term, t) {
			continue
		}
		listed[x.Source] = true
		v := stageLocal{label: x.Source, has: -1, value: s.want(t)}
		if h := has[x.Term.Name+"?"]; h != nil {
			v.has = s.want(site.Eval(h))
		}
		s.locals = append(s.locals, v)
	}
}

// shown tells whether values of a sort can be shown.
func shown(s *term.Sort) bool { return s.Kind != term.KindOpaque && s.Kind != term.KindArray }

// unassigned tells whether a variable has no value yet at the place.
func unassigned(x, t *term.Term) bool { return t.Op == term.OpVar && t.Name == x.Name+"@0" }

// bounded are bounds on what is wanted.
func (s *stage) bounded(ints int64, few bool) []*term.Term {
	var out []*term.Term
	for _, t := range s.wanted {
		switch {
		case t.Sort.Kind == term.KindInt && ints > 0:
			out = append(out, term.Le(term.IntLit(big.NewInt(-ints)), t), term.Le(t, term.IntLit(big.NewInt(ints))))
		case t.Sort.Kind == term.KindString && few && !s.isState(t):
			out = append(out, term.Or(term.Eq(t, term.StringLit("a")), term.Eq(t, term.StringLit("b")), term.Eq(t, term.StringLit(""))))
		}
	}
	return out
}

func (s *stage) isState(t *term.Term) bool {
	return slices.ContainsFunc(s.looks, func(l stageLook) bool { return l.cell != "" && s.wanted[l.value] == t })
}

// read reads a model.
func (s *stage) read(values []*term.Term) *Scene {
	value := func(i int) *term.Term {
		if i < 0 {
			return nil
		}
		return values[i]
	}
	out := &Scene{Cell: s.at.a.Cell, Handler: s.at.a.Name}
	c := &obligation.Counterexample{Cell: out.Cell, Handler: out.Handler}
	out.abstract = c
	for i, p := range s.at.a.Params {
		v := value(s.args[i])
		out.Args = append(out.Args, v)
		c.Args = append(c.Args, obligation.Named{Name: p.Name, Value: valueText(v)})
	}
	trail := s.body.Trail(s.at.edge, func(edge int) bool { return value(s.taken[edge]) == term.True })
	for _, edge := range trail {
		if e := s.at.a.Edges[edge]; !e.Cond.IsZero() {
			c.Path = append(c.Path, branchOf(e))
		}
	}
	s.readLooks(out, trail, value)
	for _, n := range s.counts {
		number := obligation.Number{Name: n.name, Before: valueText(value(n.before))}
		if n.after >= 0 {
			number.After = valueText(value(n.after))
		}
		if v := value(n.before); v != nil && v.Op == term.OpInt {
			out.Numbers = append(out.Numbers, SceneNumber{Slot: n.slot, Sum: n.after >= 0, Value: v.Int})
		}
		c.Numbers = append(c.Numbers, number)
	}
	for _, l := range s.locals {
		v := valueText(value(l.value))
		if value(l.has) == term.False {
			v = absentValue
		} else if value(l.value) != nil {
			out.Locals = append(out.Locals, value(l.value))
		}
		c.Locals = append(c.Locals, obligation.Named{Name: l.label, Value: v})
	}
	if a := s.after; a != nil {
		c.Written = &obligation.Entry{Cell: a.slot.Cell, Slot: a.slot.Slot, Key: valueText(value(a.key)), Value: valueText(value(a.value))}
		out.Locals = append(out.Locals, slices.DeleteFunc([]*term.Term{value(a.value)}, func(t *term.Term) bool { return t == nil })...)
		if _, gone := s.at.a.Edges[s.at.edge].Effects[s.at.i].(*ir.Delete); gone {
			c.Written.Value = ""
		}
	}
	return out
}

// readLooks reads what the way finds in memory and what it is given, each entry and instance once.
func (s *stage) readLooks(out *Scene, trail []int, value func(int) *term.Term) {
	seen := map[string]bool{}
	for _, l := range s.looks {
		if !slices.Contains(trail, l.edge) {
			continue
		}
		v := value(l.value)
		if l.builtin != "" {
			if v != nil {
				out.Given = append(out.Given, SceneGiven{l.builtin, v})
				out.abstract.Answers = append(out.abstract.Answers, obligation.Named{Name: l.builtin, Value: valueText(v)})
			}
			continue
		}
		key := value(l.key)
		if key == nil {
			continue
		}
		name := l.cell + "." + l.slot.Cell + "." + l.slot.Slot + "[" + key.String()
		if seen[name] {
			continue
		}
		seen[name] = true
		if l.cell != "" {
			s.readStatus(out, l.cell, key, v)
			continue
		}
		if l.push {
			out.fill(l.slot, term.Add(key, term.Int64(-1)), nil)
			continue
		}
		entry := obligation.Entry{Cell: l.slot.Cell, Slot: l.slot.Slot, Key: key.String()}
		if value(l.has) == term.True {
			entry.Value = valueText(v)
		}
		switch {
		case s.sys.Find(l.slot.Cell).Slot(l.slot.Slot).IsList:
			out.fill(l.slot, key, v)
		case entry.Value != "":
			out.Entries = append(out.Entries, SceneEntry{Slot: l.slot, Key: key, Value: v})
		default:
			out.Entries = append(out.Entries, SceneEntry{Slot: l.slot, Key: key, Absent: true})
		}
		out.abstract.Before = append(out.abstract.Before, entry)
	}
}

// longestList bounds the lists that are filled up to an index.
const longestList = 16

// fill makes a list long enough for an index, and the entry there what the model says.
func (s *Scene) fill(slot ir.SlotRef, index, v *term.Term) {
	if index.Op != term.OpInt || index.Int.Sign() < 0 || index.Int.Cmp(big.NewInt(longestList)) >= 0 {
		return
	}
	for i := range index.Int.Int64() + 1 {
		at := slices.IndexFunc(s.Entries, func(e SceneEntry) bool { return e.Slot == slot && e.Key.Int.Int64() == i })
		if at < 0 {
			at = len(s.Entries)
			s.Entries = append(s.Entries, SceneEntry{Slot: slot, Key: term.Int64(i)})
		}
		if i == index.Int.Int64() {
			s.Entries[at].Value = v
		}
	}
}

// readStatus reads the state of an instance. What is no state of the machine was never asked for:
// the instance never moved.
func (s *stage) readStatus(out *Scene, cell string, id, state *term.Term) {
	m := s.sys.Find(cell).Machine
	if state == nil || id.Op != term.OpString || !slices.Contains(m.States, state.Name) {
		return
	}
	out.abstract.Status = append(out.abstract.Status, obligation.Status{Cell: cell, ID: id.Name, State: state.Name})
	if state.Name != m.Initial {
		out.Status = append(out.Status, SceneStatus{cell, id.Name, state.Name})
	}
}

func valueText(v *term.Term) string {
	if v == nil {
		return anyValue
	}
	return v.String()
}

func branchOf(e *ir.Edge) obligation.Branch {
	b := obligation.Branch{At: e.Cond, Text: branchText(e.Cond.Normal(), e.Subject.Normal()), Gives: yes}
	if e.Negated {
		b.Gives = no
	}
	return b
}
