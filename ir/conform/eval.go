package conform

import (
	"strings"

	"soma.cell/smt/term"
)

// known tells whether a term is a value: a literal, a boxed literal, or a value that only
// Values can look into.
func known(t *term.Term) bool {
	return t.IsLiteral() || t.Op == term.OpApp && (t.Name == unitName || isToken(t) || isBox(t) && known(t.Args[0]))
}

// unitName is the boxed unit.
const unitName = "unit"

// Token is a known Opaque term for a value that no term shows in detail; the name tells tokens
// apart.
func Token(name string) *term.Term { return term.App("@"+name, term.Opaque) }

func isToken(t *term.Term) bool {
	return t.Op == term.OpApp && len(t.Args) == 0 && strings.HasPrefix(t.Name, "@")
}

func isBox(t *term.Term) bool {
	return t.Op == term.OpApp && len(t.Args) == 1 && strings.HasPrefix(t.Name, "box:")
}

// eval is the value of a term: variables are looked up (nil: they stay), operators on known
// values are computed.
func (e *Evaluator) eval(t *term.Term, lookup func(v *term.Term) *term.Term) *term.Term {
	return (&evaluation{e: e, lookup: lookup, done: map[*term.Term]*term.Term{}}).term(t)
}

type evaluation struct {
	e      *Evaluator
	lookup func(v *term.Term) *term.Term
	done   map[*term.Term]*term.Term
}

func (v *evaluation) term(t *term.Term) *term.Term {
	if t.IsLiteral() {
		return t
	}
	if t.Op == term.OpVar {
		if got := v.lookup(t); got != nil {
			return got
		}
		return t
	}
	if got, ok := v.done[t]; ok {
		return got
	}
	got := v.node(t)
	v.done[t] = got
	return got
}

func (v *evaluation) node(t *term.Term) *term.Term {
	if t.Op == term.OpIte {
		switch c := v.term(t.Args[0]); c {
		case term.True:
			return v.term(t.Args[1])
		case term.False:
			return v.term(t.Args[2])
		default:
			return term.Ite(c, v.term(t.Args[1]), v.term(t.Args[2]))
		}
	}
	args := make([]*term.Term, len(t.Args))
	all := true
	for i, a := range t.Args {
		args[i] = v.term(a)
		all = all && known(args[i])
	}
	switch t.Op {
	case term.OpApp:
		return v.e.apply(t, args, all)
	case term.OpFAdd, term.OpFSub, term.OpFMul, term.OpFDiv, term.OpFLe, term.OpFLt, term.OpFEq:
		if all {
			return float(t.Op, args[0].Num, args[1].Num)
		}
	case term.OpConcat, term.OpMul:
		if all && bits(args[0])+bits(args[1]) > most {
			return term.App("large", t.Sort, args...)
		}
	case term.OpEq:
		if all && !args[0].Equal(args[1]) {
			return term.False
		}
	}
	return term.Rebuild(t, args)
}

// apply computes a function of its arguments where it is known.
func (e *Evaluator) apply(t *term.Term, args []*term.Term, all bool) *term.Term {
	out := term.App(t.Name, t.Sort, args...)
	if len(args) == 1 {
		if of, ok := strings.CutPrefix(t.Name, "unbox:"); ok && args[0].Op == term.OpApp && args[0].Name == "box:"+of {
			return args[0].Args[0]
		}
		if t.Name == "is:Unit" && (known(args[0]) || isBox(args[0])) {
			return term.BoolLit(args[0].Op == term.OpApp && args[0].Name == unitName)
		}
	}
	if !all || known(out) {
		return out
	}
	if got := e.values.Apply(t.Name, t.Sort, args); got != nil && bits(got) <= most {
		return got
	}
	return out
}

// most bounds the texts and numbers that are computed, in bits: a search may go round a loop more
// often than any run.
const most = 1 << 18

func bits(t *term.Term) int {
	switch t.Op {
	case term.OpInt:
		return t.Int.BitLen()
	case term.OpString:
		return 8 * len(t.Name)
	case term.OpApp:
		n := 8 * len(t.Name)
		for _, a := range t.Args {
			n += bits(a)
		}
		return n
	}
	return 0
}

func float(op term.Op, a, b float64) *term.Term {
	switch op {
	case term.OpFAdd:
		return term.FloatLit(a + b)
	case term.OpFSub:
		return term.FloatLit(a - b)
	case term.OpFMul:
		return term.FloatLit(a * b)
	case term.OpFDiv:
		return term.FloatLit(a / b)
	case term.OpFLe:
		return term.BoolLit(a <= b)
	case term.OpFLt:
		return term.BoolLit(a < b)
	}
	return term.BoolLit(a == b)
}
