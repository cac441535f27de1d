package termination

import (
	"soma.cell/ir"
	"soma.cell/smt/term"
)

// A flag may hold a comparison: `while !done { i += 1  done = i >= n }`. Where every round binds
// it, and changes nothing of the comparison afterwards, it tells at the head what the comparison
// tells, from the second round on. That is all that a measure needs: an endless loop has such
// rounds without end.

// comparisons are the flags that hold one at the head, with what they hold.
func (s *search) comparisons() map[string]*term.Term {
	found := map[string]*term.Term{}
	for _, e := range s.live {
		if s.inner[e.From] || s.states[e.From] == nil || s.work > maxTupleWork {
			continue
		}
		for i, f := range e.Effects {
			bind, ok := f.(*ir.Bind)
			if ok && bind.Var.Sort.Kind == term.KindBool && !bind.Value.IsLiteral() && s.lasts(e, i, bind) {
				found[bind.Var.Name] = bind.Value
			}
		}
	}
	return found
}

// lasts tells whether every round takes the edge, and nothing changes what the effect binds, or
// what it is bound to, from there to the head.
func (s *search) lasts(e *ir.Edge, effect int, bind *ir.Bind) bool {
	if s.missed(e)(nil) {
		return false
	}
	s.work += len(s.live) * s.cost
	behind := s.along(state{}, e.Effects[effect+1:])
	end, again := behind, true
	if !closes(s.loop, e) {
		end, again = s.closing(s.loop, s.live, s.flow(s.live, e.To, behind, forward, s.within))
	}
	for _, v := range append(term.Vars(bind.Value), bind.Var) {
		now := end.of(v.Name)
		again = again && now != nil && now.is(v.Name)
	}
	return again
}

// told are the measures, over values at the head, that the flags in a test bound. A comparison of
// what the flag itself was before tells nothing of what it is.
func (s *search) told(test *ir.Edge) (out []measure) {
	for _, g := range conjuncts(test.Guard) {
		v, negated := g, g.Op == term.OpNot
		if negated {
			v = g.Args[0]
		}
		if v.Op != term.OpVar || s.compared[v.Name] == nil || !s.asAtHead(test, v.Name) {
			continue
		}
		says := s.compared[v.Name]
		if negated {
			says = term.Not(says)
		}
		for _, m := range measures(says) {
			if !m.speaksOf(v.Name) {
				out = append(out, m)
			}
		}
	}
	return out
}

func (s *search) asAtHead(test *ir.Edge, name string) bool {
	now := s.states[test.From].of(name)
	return now != nil && now.is(name)
}

func conjuncts(guard *term.Term) []*term.Term {
	if guard.Op == term.OpAnd {
		return guard.Args
	}
	return []*term.Term{guard}
}
