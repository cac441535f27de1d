package ir

import (
	"fmt"

	"soma.cell/smt/term"
)

// bodyValidator checks one automaton.
type bodyValidator struct {
	system    *System
	automaton *Automaton
	index     map[string]int // of variables by name
	order     []Loc          // each after its predecessors, back edges apart
	from      [][]int        // the edges that leave a location, by number
}

func (b *bodyValidator) variables() error {
	a := b.automaton
	b.index = map[string]int{}
	for i, v := range a.Vars {
		if err := checkVariable("a variable", v.Term, nil); err != nil {
			return err
		}
		if _, twice := b.index[v.Term.Name]; twice {
			return errTwice("variable", v.Term.Name)
		}
		b.index[v.Term.Name] = i
	}
	for i, p := range a.Params {
		if p == nil || i >= len(a.Vars) || !p.Equal(a.Vars[i].Term) {
			return errParams()
		}
	}
	return a.Result.Check()
}

func checkVariable(what string, t *term.Term, want *term.Sort) error {
	if err := checkTerm(what, t, want); err != nil {
		return err
	}
	if t.Op != term.OpVar {
		return errNotVariable(what)
	}
	return nil
}

func (b *bodyValidator) declared(t *term.Term) error {
	for _, v := range term.Vars(t) {
		if i, ok := b.index[v.Name]; !ok || !b.automaton.Vars[i].Term.Equal(v) {
			return errUndeclared(v)
		}
	}
	return nil
}

func (b *bodyValidator) locations() error {
	a := b.automaton
	if a.Locs < int(FirstLoc) || a.Locs > maxLocs {
		return errLocs(a.Locs)
	}
	if a.Locs > int(FirstLoc)+2*len(a.Edges) {
		return errIdleLocs(a.Locs)
	}
	if a.Locs*len(a.Vars) > maxAssigned {
		return errMany("locations and variables")
	}
	for _, e := range a.Edges {
		switch {
		case e == nil:
			return errMissing("an edge")
		case e.From < 0 || int(e.From) >= a.Locs:
			return errLoc(e.From, a.Locs)
		case e.To < 0 || int(e.To) >= a.Locs:
			return errLoc(e.To, a.Locs)
		case e.To == Entry:
			return errIntoEntry()
		case e.From == Exit || e.From == Raised:
			return errOutOfEnd(e.From)
		}
	}
	return nil
}

func (b *bodyValidator) edges() error {
	for i, e := range b.automaton.Edges {
		if err := b.edge(e); err != nil {
			return errIn(edgeName(i, e), err)
		}
	}
	return nil
}

func edgeName(i int, e *Edge) string { return fmt.Sprintf("edge %d from %s to %s", i, e.From, e.To) }

func (b *bodyValidator) edge(e *Edge) error {
	if err := checkTerm("guard", e.Guard, term.Bool); err != nil {
		return err
	}
	if err := b.declared(e.Guard); err != nil {
		return err
	}
	for i, f := range e.Effects {
		if err := b.effect(e, f); err != nil {
			return errIn(fmt.Sprintf("effect %d", i), err)
		}
	}
	return nil
}

func (b *bodyValidator) effect(e *Edge, f Effect) error {
	if err := b.shape(e, f); err != nil {
		return err
	}
	for _, t := range Uses(f) {
		if err := b.declared(t); err != nil {
			return err
		}
	}
	for _, t := range Defs(f) {
		if err := b.declared(t); err != nil {
			return err
		}
	}
	return nil
}

// shape checks what an effect of its kind must have: terms of the right sorts, and what it
// refers to.
func (b *bodyValidator) shape(e *Edge, f Effect) error {
	switch f := f.(type) {
	case *Bind:
		if err := checkVariable("variable", f.Var, nil); err != nil {
			return err
		}
		return checkTerm("value", f.Value, f.Var.Sort)
	case *Havoc:
		if err := checkVariable("variable", f.Var, nil); err != nil {
			return err
		}
		return checkTerms(f.From)
	case *Read:
		s, err := b.slot(f.Slot)
		if err != nil {
			return err
		}
		return firstError(
			func() error { return checkTerm("key", f.Key, s.Key()) },
			func() error { return checkOptionalVariable("presence", f.Has, term.Bool) },
			func() error { return checkOptionalVariable("value", f.Val, s.Value) })
	case *Scan:
		if _, err := b.slot(f.Slot); err != nil {
			return err
		}
		switch f.What {
		case "len", "size", "sum":
			return checkVariable("variable", f.Var, term.Int)
		}
		return checkVariable("variable", f.Var, nil)
	case *Write:
		s, err := b.slot(f.Slot)
		if err != nil {
			return err
		}
		return firstError(
			func() error { return checkTerm("key", f.Key, s.Key()) },
			func() error { return checkTerm("value", f.Value, s.Value) })
	case *Delete:
		s, err := b.slot(f.Slot)
		if err != nil {
			return err
		}
		return firstError(
			func() error { return checkTerm("key", f.Key, s.Key()) },
			func() error { return checkOptionalVariable("presence", f.Had, term.Bool) })
	case *Push:
		s, err := b.slot(f.Slot)
		if err != nil {
			return err
		}
		if !s.IsList {
			return errNotList(s.Name)
		}
		return checkTerm("value", f.Value, s.Value)
	case *Move:
		return b.move(f)
	case *Inspect:
		return b.inspect(f)
	case *Call:
		return b.call(f)
	case *Emit:
		return checkTerms(f.Args)
	case *Act:
		return b.act(f)
	case *Return:
		if e.To != Exit {
			return errReturnElsewhere()
		}
		if b.automaton.Result.Kind == term.KindOpaque {
			return checkTerm("value", f.Value, nil) // the returns have no common sort
		}
		return checkTerm("value", f.Value, b.automaton.Result)
	case *Raise:
		if f.Ensures != "" && (f.Kind != "ensure" || f.Refusal) {
			return errEnsures(f.Kind)
		}
		return nil
	case *Begin, *Commit, *Rollback, *Unknown:
		return nil
	}
	return errUnknownEffect()
}

func (b *bodyValidator) slot(ref SlotRef) (*Slot, error) {
	if c := b.system.Find(ref.Cell); c != nil {
		if s := c.Slot(ref.Slot); s != nil {
			return s, nil
		}
	}
	return nil, errNo("slot", ref.Cell+"."+ref.Slot)
}

func (b *bodyValidator) machine(cell string) (*Machine, error) {
	if c := b.system.Find(cell); c != nil && c.Machine != nil {
		return c.Machine, nil
	}
	return nil, errNo("machine of cell", cell)
}

func (b *bodyValidator) move(f *Move) error {
	m, err := b.machine(f.Cell)
	if err != nil {
		return err
	}
	if err := firstError(
		func() error { return checkTerm("id", f.ID, term.String) },
		func() error { return checkTerm("target", f.To, term.String) },
		func() error { return checkOptional("source", f.From, term.String) }); err != nil {
		return err
	}
	for _, g := range f.Guards {
		if g.Edge < 0 || g.Edge >= len(m.Edges) {
			return errIndex("edge", g.Edge, len(m.Edges))
		}
		if g.Abstract && g.Cond == nil {
			continue
		}
		if err := checkTerm("guard", g.Cond, term.Bool); err != nil {
			return err
		}
	}
	return nil
}

// inspections are the ways to read a machine, with the sorts of what they give.
var inspections = map[string]*term.Sort{
	"get_status": term.String, "has_state": term.Bool, "valid_transitions": term.Opaque,
}

func (b *bodyValidator) inspect(f *Inspect) error {
	if _, err := b.machine(f.Cell); err != nil {
		return err
	}
	sort, ok := inspections[f.What]
	if !ok {
		return errInspect(f.What)
	}
	return firstError(
		func() error { return checkTerm("id", f.ID, term.String) },
		func() error { return checkOptionalVariable("result", f.Var, sort) })
}

func (b *bodyValidator) call(f *Call) error {
	callee := b.system.Handler(f.Handler)
	if callee == nil || f.Handler.Arity < 0 {
		return errNo("handler", f.Handler.String())
	}
	if err := checkOptionalVariable("result", f.Result, callee.Result); err != nil {
		return err
	}
	if err := checkTerms(f.Args); err != nil {
		return err
	}
	if f.Optional && len(f.Args) == 0 {
		return nil // called with arguments that are not known
	}
	if len(f.Args) != len(callee.Params) {
		return errCount("arguments", len(f.Args), len(callee.Params))
	}
	return nil
}

func (b *bodyValidator) act(f *Act) error {
	if err := checkTerms(f.Args); err != nil {
		return err
	}
	if len(f.Spans) != 0 && len(f.Spans) != len(f.Args) {
		return errCount("places of arguments", len(f.Spans), len(f.Args))
	}
	for _, i := range f.Sinks {
		if i < 0 || i >= len(f.Args) {
			return errIndex("argument", i, len(f.Args))
		}
	}
	for _, t := range f.Tools {
		if t.Arity < 0 || b.system.Handler(t) == nil {
			return errNo("handler", t.String())
		}
	}
	return checkOptionalVariable("result", f.Result, nil)
}

func checkTerms(ts []*term.Term) error {
	for i, t := range ts {
		if err := checkTerm(fmt.Sprintf("term %d", i+1), t, nil); err != nil {
			return err
		}
	}
	return nil
}

func checkOptional(what string, t *term.Term, want *term.Sort) error {
	if t == nil {
		return nil
	}
	return checkTerm(what, t, want)
}

func checkOptionalVariable(what string, t *term.Term, want *term.Sort) error {
	if t == nil {
		return nil
	}
	return checkVariable(what, t, want)
}
