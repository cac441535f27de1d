package term

// Subst replaces variables by terms of the same sort, rebuilding with the constructors.
// Shared subterms are visited once.
func Subst(t *Term, by func(v *Term) *Term) *Term {
	return (&substitution{by: by, done: map[*Term]*Term{}}).apply(t)
}

type substitution struct {
	by   func(v *Term) *Term
	done map[*Term]*Term
}

func (s *substitution) apply(t *Term) *Term {
	if t.Op == OpVar {
		if u := s.by(t); u != nil {
			return u
		}
		return t
	}
	if len(t.Args) == 0 {
		return t
	}
	if u, ok := s.done[t]; ok {
		return u
	}
	args := make([]*Term, len(t.Args))
	same := true
	for i, a := range t.Args {
		args[i] = s.apply(a)
		same = same && args[i] == a
	}
	u := t
	if !same {
		u = Rebuild(t, args)
	}
	s.done[t] = u
	return u
}

// Rebuild is t with other arguments, through the constructors.
func Rebuild(t *Term, args []*Term) *Term {
	switch t.Op {
	case OpNot:
		return Not(args[0])
	case OpAnd:
		return And(args...)
	case OpOr:
		return Or(args...)
	case OpImplies:
		return Implies(args[0], args[1])
	case OpEq:
		return Eq(args[0], args[1])
	case OpIte:
		return Ite(args[0], args[1], args[2])
	case OpAdd:
		return Add(args...)
	case OpMul:
		return Mul(args[0], args[1])
	case OpLe:
		return Le(args[0], args[1])
	case OpLt:
		return Lt(args[0], args[1])
	case OpConcat:
		return Concat(args[0], args[1])
	case OpFAdd, OpFSub, OpFMul, OpFDiv, OpFLe, OpFLt, OpFEq:
		return FloatOp(t.Op, args[0], args[1])
	case OpSelect:
		return Select(args[0], args[1])
	case OpStore:
		return Store(args[0], args[1], args[2])
	case OpApp:
		return App(t.Name, t.Sort, args...)
	}
	return t
}

// Vars returns the distinct variables of the terms in order of first occurrence. The same name
// at two sorts is two variables.
func Vars(ts ...*Term) []*Term {
	var out []*Term
	named := map[string]bool{}
	isNew := func(v *Term) bool {
		key := symbol(v.Name) + " " + v.Sort.String()
		old := named[key]
		named[key] = true
		return !old
	}
	Each(func(t *Term) {
		if t.Op == OpVar && isNew(t) {
			out = append(out, t)
		}
	}, ts...)
	return out
}

// Each visits the distinct subterms of the terms, parents before their arguments.
func Each(visit func(t *Term), ts ...*Term) {
	seen := map[*Term]bool{}
	var walk func(t *Term)
	walk = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		visit(t)
		for _, a := range t.Args {
			walk(a)
		}
	}
	for _, t := range ts {
		walk(t)
	}
}
