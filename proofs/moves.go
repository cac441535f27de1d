package proofs

import (
	"fmt"
	"maps"
	"slices"

	"soma.cell/ir"
	"soma.cell/proofs/cert"
	"soma.cell/proofs/obligation"
	"soma.cell/proofs/vc"
	"soma.cell/smt/term"
)

// moveSite is a call of transition in a body.
type moveSite struct {
	position
	mv   *ir.Move
	body *vc.Body
	site vc.Site
	dead bool // no run reaches it
	// takes holds, for each declared edge of the machine, what is known of the claim that
	// this move does not take it.
	takes []answer
	// targets are the declared states that the move may ask for, in order of declaration.
	targets []string
	// guards are the guarded edges that it may ask for.
	guards []*guardResult
	// declared is the obligation of a computed target, nil for a literal one.
	declared *obligation.Obligation
	// listed is the answer to: the target is one of the values the body lists.
	listed answer
	values []string
	conds  []condition
}

// computed tells whether the target is known only when the body runs.
func (s *moveSite) computed() bool { return s.mv.To.Op != term.OpString }

// moves decides, for each move and each declared edge, whether the move can take it, and for
// each computed target whether it stays inside what is declared and listed.
func (v *verifier) moves() {
	var lead *branches // of the body at hand
	for _, c := range v.sys.Cells {
		for at, e := range effectsOf(c) {
			mv, ok := e.(*ir.Move)
			if !ok {
				continue
			}
			if lead == nil || lead.a != at.a {
				lead = branchesOf(at.a)
			}
			s := &moveSite{position: at, mv: mv, body: v.body(at.a), conds: lead.to(at.edge)}
			site, reached := s.body.At(at.edge, at.i)
			s.site, s.dead = site, !reached
			v.moveSites = append(v.moveSites, s)
			if s.computed() {
				v.computedTarget(s)
			}
			v.guardsOf(s)
			v.later(func(t *task) error { return t.move(s) })
		}
	}
}

// move decides which edges a move can take.
func (v *task) move(s *moveSite) error {
	m := v.sys.Find(s.mv.Cell).Machine
	name := fmt.Sprintf("%s/%s/move/%d.%d", s.a.Cell, s.a.Name, s.edge, s.i)
	hints := s.hints()
	possible := map[string]bool{}
	for n, e := range m.Edges {
		ans := answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial}
		if !s.dead {
			var err error
			goal := term.Not(s.site.MoveTakes(s.mv, n))
			q := question{name: fmt.Sprintf("%s/%s-%s", name, e.From, e.To), site: s.site, assume: s.site.Assume, goal: goal, wanted: hints}
			if ans, err = v.discharge(q); err != nil {
				return err
			}
		}
		if ans.verdict != obligation.Proven {
			possible[e.To] = true
		}
		s.takes = append(s.takes, ans)
	}
	for _, state := range m.States {
		if possible[state] {
			s.targets = append(s.targets, state)
		}
	}
	if err := v.guards(s); err != nil || !s.computed() {
		return err
	}
	return v.target(s, m, name)
}

// computedTarget files the obligation of a computed target.
func (v *verifier) computedTarget(s *moveSite) {
	m := v.sys.Find(s.mv.Cell).Machine
	s.declared = v.add(&obligation.Obligation{
		Kind: obligation.EdgeDeclared, Cell: s.a.Cell, Handler: s.a.Name, Span: s.mv.ToSpan,
		Claim: cert.ClaimEdgeDeclared(s.a.Name, m.Name),
	})
	v.sites[s.declared] = v.site(s.position)
}

// target decides whether a computed target stays among the states that an edge enters, and among
// the values that the body lists.
func (v *task) target(s *moveSite, m *ir.Machine, name string) error {
	proven := answer{verdict: obligation.Proven, class: obligation.KernelChecked, rule: cert.ByTrivial}
	if s.dead {
		s.listed = proven
		settle(s.declared, proven)
		return nil
	}
	goal := s.site.TargetIn(s.mv, entered(m))
	ans, err := v.discharge(question{name: s.declared.ID, site: s.site, assume: s.site.Assume, goal: goal, sought: true})
	if err != nil {
		return err
	}
	settle(s.declared, ans)
	if ans.verdict == obligation.Refuted {
		s.declared.Reason = targetMayBeAnything
		claim := Claim{Kind: "invalid_transition", Place: s.mv.Place(), Outside: entered(m)}
		v.scene(s.declared, s.body, s.position, s.site.Assume, goal, claim)
	}
	s.values = v.listedValues(s.a, m)
	s.listed, err = v.discharge(question{name: name + "/listed", site: s.site, assume: s.site.Assume, goal: s.site.TargetIn(s.mv, s.values), sought: true})
	return err
}

// entered are the states that some edge enters, in order of states.
func entered(m *ir.Machine) []string {
	var out []string
	for _, s := range m.States {
		for _, e := range m.Edges {
			if e.To == s {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// listedValues are the texts that a body and the machine list: the states, and the literals
// of the body and of what its direct callees return.
func (v *verifier) listedValues(a *ir.Automaton, m *ir.Machine) []string {
	set := map[string]bool{}
	for _, s := range m.States {
		set[s] = true
	}
	literals := func(t *term.Term) {
		if t != nil {
			term.Each(func(u *term.Term) {
				if u.Op == term.OpString {
					set[u.Name] = true
				}
			}, t)
		}
	}
	for _, e := range a.Edges {
		literals(e.Guard)
		for _, eff := range e.Effects {
			switch eff := eff.(type) {
			case *ir.Bind:
				literals(eff.Value)
			case *ir.Call:
				if callee := v.sys.Handler(eff.Handler); callee != nil {
					for _, ce := range callee.Edges {
						for _, r := range ce.Effects {
							if r, ok := r.(*ir.Return); ok {
								literals(r.Value)
							}
						}
					}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}
