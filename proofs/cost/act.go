package cost

import (
	"slices"

	"soma.cell/ir"
	"soma.cell/smt/term"
)

// values knows what the variables of a body can be: those that are bound once to a literal, and
// how large Ints can be, wherever the body stands.
type values struct {
	defs map[string][]*term.Term // nil for a variable that something else than a binding assigns
	open map[string]bool         // variables being looked at
	// literal takes nothing but what is written out at the place itself.
	literal bool
}

func valuesOf(a *ir.Automaton, literal bool) *values {
	v := &values{defs: map[string][]*term.Term{}, open: map[string]bool{}, literal: literal}
	if literal {
		return v
	}
	other := map[string]bool{}
	for _, p := range a.Params {
		other[p.Name] = true
	}
	for _, e := range a.Edges {
		for _, f := range e.Effects {
			if b, ok := f.(*ir.Bind); ok {
				v.defs[b.Var.Name] = append(v.defs[b.Var.Name], b.Value)
				continue
			}
			for _, x := range ir.Defs(f) {
				other[x.Name] = true
			}
		}
	}
	for name := range other {
		delete(v.defs, name)
	}
	return v
}

// bound is the term that a variable is bound to, if that happens at one place and the term has
// no variables; other terms are themselves.
func (v *values) bound(t *term.Term) *term.Term {
	for range 8 { // a chain of names
		if t.Op != term.OpVar || len(v.defs[t.Name]) != 1 {
			return t
		}
		t = v.defs[t.Name][0]
		if t.Op != term.OpVar && len(term.Vars(t)) > 0 {
			return term.App("computed", t.Sort)
		}
	}
	return t
}

// upper is a bound of an Int.
func (v *values) upper(t *term.Term) (int64, bool) {
	switch {
	case t.Op == term.OpInt && t.Int.IsInt64():
		return t.Int.Int64(), true
	case v.literal:
	case t.Op == term.OpIte:
		return v.either(t)
	case isApp(t, "clamp", 3):
		return v.upper(t.Args[2])
	case isApp(t, "box:Int", 1):
		return v.upper(t.Args[0])
	case t.Op == term.OpVar && len(v.defs[t.Name]) > 0 && !v.open[t.Name]:
		v.open[t.Name] = true
		defer delete(v.open, t.Name)
		high, ok := int64(0), true
		for i, def := range v.defs[t.Name] {
			n, known := v.upper(def)
			if !known {
				return 0, false
			}
			if i == 0 || n > high {
				high = n
			}
		}
		return high, ok
	}
	return 0, false
}

// either bounds a choice; the smaller of two Ints is bounded by each.
func (v *values) either(t *term.Term) (int64, bool) {
	test, yes, no := t.Args[0], t.Args[1], t.Args[2]
	a, okA := v.upper(yes)
	b, okB := v.upper(no)
	if smaller := test.Op == term.OpLe && test.Args[0].Equal(yes) && test.Args[1].Equal(no); smaller {
		switch {
		case okA && okB:
			return min(a, b), true
		case okA:
			return a, true
		}
		return b, okB
	}
	return max(a, b), okA && okB
}

func isApp(t *term.Term, name string, args int) bool {
	return t.Op == term.OpApp && t.Name == name && len(t.Args) == args
}

// options are the entries of a map that is written out, by name.
type options map[string]*term.Term

// optionsOf reads a map that is written out with each name once.
func (v *values) optionsOf(t *term.Term) (options, bool) {
	if t.Op != term.OpApp || t.Name != "map" || len(t.Args)%2 != 0 {
		return nil, false
	}
	out := options{}
	for i := 0; i < len(t.Args); i += 2 {
		key := t.Args[i]
		if key.Op != term.OpString || out[key.Name] != nil {
			return nil, false
		}
		out[key.Name] = v.bound(t.Args[i+1])
	}
	return out, true
}

// count is an Int that stands under a name.
func (o options) count(name string) (int64, bool) {
	t := o[name]
	if t == nil {
		return 0, false
	}
	if isApp(t, "box:Int", 1) {
		t = t.Args[0]
	}
	if t.Op != term.OpInt || !t.Int.IsInt64() || t.Int.Sign() < 0 {
		return 0, false
	}
	return t.Int.Int64(), true
}

// texts is a list of texts that stands under a name.
func (o options) texts(name string) ([]string, bool) {
	t := o[name]
	if t == nil || t.Op != term.OpApp || t.Name != "list" {
		return nil, false
	}
	out := []string{}
	for _, item := range t.Args {
		if isApp(item, "box:String", 1) {
			item = item.Args[0]
		}
		if item.Op != term.OpString {
			return nil, false
		}
		out = append(out, item.Name)
	}
	return out, true
}

// question is what the options of a think say.
type question struct {
	tokens, latency Amount // of one answer; of the whole question, but for its tools
	rounds          Amount // calls of tools
	tools           []ir.HandlerRef
}

// defaultRounds is how many calls of tools a question allows when it does not say.
const defaultRounds = 10

// questionOf reads the options of a think: they are the last map among the arguments behind the
// prompt. What is neither a text nor a map that is written out may be any options.
func (v *values) questionOf(act *ir.Act) question {
	given, literal := options{}, true
	for _, arg := range act.Args[1:] {
		t := v.bound(arg)
		if t.Sort.Kind == term.KindString || t.Op == term.OpUnit {
			continue
		}
		given, literal = v.optionsOf(t)
		if !literal {
			break
		}
	}
	if !literal {
		why := unknown(computedOptions(act.Builtin), act.Span)
		return question{why, why, why, act.Tools}
	}
	q := question{
		tokens:  unknown(noMaxTokens(act.Builtin), act.Span),
		latency: unknown(noTimeout(act.Builtin), act.Span),
		rounds:  number(defaultRounds),
		tools:   act.Tools,
	}
	if n, ok := given.count("max_tokens"); ok && n > 0 {
		q.tokens = number(n)
	}
	if n, ok := given.count("timeout"); ok && n > 0 {
		q.latency = number(n)
	}
	if given["max_rounds"] != nil {
		q.rounds = unknown(computedRounds(act.Builtin), act.Span)
		if n, ok := given.count("max_rounds"); ok {
			q.rounds = number(n)
		}
	}
	if names, ok := given.texts("tools_allowed"); ok {
		q.tools = slices.DeleteFunc(slices.Clone(act.Tools), func(t ir.HandlerRef) bool { return !slices.Contains(names, t.Handler) })
	}
	return q
}

// wait is how long an effect of the outside other than a think may take.
func (v *values) wait(act *ir.Act) Amount {
	switch act.Class {
	case "sleep":
		if n, ok := v.upper(act.Args[0]); ok {
			return number(max(0, n)).bounded()
		}
		return unknown(computedSleep, act.Span)
	case "net":
		if at := optionsAt(act.Builtin); at > 0 && at < len(act.Args) {
			options, _ := v.optionsOf(v.bound(act.Args[at]))
			if n, ok := options.count("timeout"); ok && n > 0 {
				return number(n)
			}
		}
		return unknown(noTimeout(act.Builtin), act.Span)
	case "human":
		return unknown(person(act.Builtin), act.Span)
	case "file":
		if act.Builtin == "read_stdin" {
			return unknown(person(act.Builtin), act.Span)
		}
	}
	return number(0)
}

// optionsAt is the argument of a builtin of the network that holds its options, 0 where there is
// no time-out to give.
func optionsAt(builtin string) int {
	switch builtin {
	case "http_get", "http_delete":
		return 1
	case "http_post", "http_put", "http_patch":
		return 2
	}
	return 0
}

// spends tells whether an act may take anything that is counted, or change a budget.
func spends(act *ir.Act) bool {
	switch act.Class {
	case "model", "net", "human", "sleep":
		return true
	case "budget":
		return act.Builtin == "set_budget"
	case "file":
		return act.Builtin == "read_stdin"
	case "print", "clock", "random", "ids", "memory", "machine":
		return false
	}
	return true
}
