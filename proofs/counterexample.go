package proofs

import (
	"soma.cell/ir"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// scene is what a counterexample shows: the locals that have a value, and at the written key
// the entries of every slot the rule speaks of, before and after.
type scene struct {
	wanted []*term.Term // what the solver is asked to give values for
	locals []sceneValue
	key    int // index in wanted, -1 when no entry is shown
	before []sceneValue
	// entries are what is stored under other keys.
	entries []sceneEntry
	after   *sceneValue // of the written slot; nil value when the entry goes away
	status  int         // of the machine instance whose id is the key, -1 when the rule does not ask
}

// sceneValue is a labelled value that may be absent; has and value index wanted, has is -1
// for what is surely there, value is -1 for what goes away.
type sceneValue struct {
	label      string
	has, value int
}

// sceneEntry is an entry under a key of its own, an index in wanted.
type sceneEntry struct {
	key int
	sceneValue
}

func (s *scene) want(t *term.Term) int {
	s.wanted = append(s.wanted, t)
	return len(s.wanted) - 1
}

func sceneOf(c *ir.Cell, r *ir.Rule, a *ir.Automaton, site vc.Site, e ir.Effect) *scene {
	s := &scene{key: -1, status: -1}
	s.showLocals(a, site)
	slot, value, _, _ := writeOf(e)
	key := keyOf(e)
	if key == nil {
		return s
	}
	s.key = s.want(site.Eval(key))
	for _, g := range r.Guards {
		if shown(c.Slot(g).Value) {
			has, val := site.Before(ir.SlotRef{Cell: c.Name, Slot: g}, key)
			s.before = append(s.before, sceneValue{label: g, has: s.want(has), value: s.want(val)})
		}
	}
	if r.Status {
		s.status = s.want(site.Status(c.Name, key))
	}
	switch {
	case value == nil:
		s.after = &sceneValue{label: slot.Slot, has: -1, value: -1}
	case shown(value.Sort):
		s.after = &sceneValue{label: slot.Slot, has: -1, value: s.want(site.Eval(value))}
	}
	return s
}

// showLocals adds the locals of the source that have a value at the site; what may be unit
// comes with its presence.
func (s *scene) showLocals(a *ir.Automaton, site vc.Site) {
	has := map[string]*term.Term{}
	for _, x := range a.Vars {
		has[x.Term.Name] = x.Term
	}
	listed := map[string]bool{}
	for _, x := range a.Vars {
		t := site.Eval(x.Term)
		if x.Source == "" || listed[x.Source] || !shown(x.Term.Sort) || unassigned(x.Term, t) {
			continue
		}
		listed[x.Source] = true
		v := sceneValue{label: x.Source, has: -1, value: s.want(t)}
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

// counterexample renders the values that a solver gave for what was wanted.
func (s *scene) counterexample(values []*term.Term) *obligation.Counterexample {
	out := &obligation.Counterexample{}
	show := func(v sceneValue) string {
		switch {
		case v.has >= 0 && values[v.has] == term.False:
			return absentValue
		case values[v.value] == nil:
			return anyValue
		}
		return values[v.value].String()
	}
	for _, v := range s.locals {
		out.Values = append(out.Values, counterLocal(v.label, show(v)))
	}
	for _, e := range s.entries {
		if values[e.key] != nil {
			out.Values = append(out.Values, counterBefore(e.label, values[e.key].String(), show(e.sceneValue)))
		}
	}
	if s.key < 0 || values[s.key] == nil {
		return out
	}
	key := values[s.key].String()
	for _, v := range s.before {
		out.Values = append(out.Values, counterBefore(v.label, key, show(v)))
	}
	if s.status >= 0 && values[s.status] != nil {
		out.Values = append(out.Values, counterStatus(key, values[s.status].String()))
	}
	switch {
	case s.after == nil:
	case s.after.value < 0:
		out.Values = append(out.Values, counterAfter(s.after.label, key, absentValue))
	default:
		out.Values = append(out.Values, counterAfter(s.after.label, key, show(*s.after)))
	}
	return out
}
