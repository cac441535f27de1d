package termtest

import (
	"math/big"
	"slices"

	"pgregory.net/rapid"

	"soma.cell/smt/term"
)

// Value is a literal or, for an array, the literal of each key's Text.
type Value struct {
	Lit   *term.Term
	Array map[string]*term.Term
}

// Model gives values to variables and functions, named by their Text.
type Model struct {
	vars      map[string]Value
	functions map[string]*term.Term // of "name argument result-sort"
}

// RandomModel draws a model of all variables and functions of generated terms.
func RandomModel(t *rapid.T) Model {
	m := Model{vars: map[string]Value{}, functions: map[string]*term.Term{}}
	for _, s := range Scalars {
		for _, v := range Vars(s) {
			m.vars[v.Text()] = Value{Lit: Literal(t, s)}
		}
	}
	for _, s := range Arrays {
		for _, v := range Vars(s) {
			entries := map[string]*term.Term{}
			for _, k := range domain(s.Key) {
				entries[k.Text()] = Literal(t, s.Elem)
			}
			m.vars[v.Text()] = Value{Array: entries}
		}
	}
	for _, f := range functions {
		for _, k := range domain(f.Arg) {
			m.functions[application(f.Name, k, f.Result)] = Literal(t, f.Result)
		}
	}
	return m
}

// Facts are the equations that fix the model.
func (m Model) Facts() []*term.Term {
	var out []*term.Term
	for _, s := range Scalars {
		for _, v := range Vars(s) {
			out = append(out, term.Eq(v, m.vars[v.Text()].Lit))
		}
	}
	for _, s := range Arrays {
		for _, v := range Vars(s) {
			for _, k := range domain(s.Key) {
				out = append(out, term.Eq(term.Select(v, k), m.vars[v.Text()].Array[k.Text()]))
			}
		}
	}
	for _, f := range functions {
		for _, k := range domain(f.Arg) {
			out = append(out, term.Eq(term.App(f.Name, f.Result, k), m.functions[application(f.Name, k, f.Result)]))
		}
	}
	return out
}

func application(name string, arg *term.Term, result *term.Sort) string {
	return name + " " + arg.Text() + " " + result.String()
}

func domain(s *term.Sort) []*term.Term {
	if s.Kind == term.KindBool {
		return []*term.Term{term.False, term.True}
	}
	var out []*term.Term
	for _, v := range s.Values {
		out = append(out, term.EnumLit(s, v))
	}
	return out
}

// Holds tells whether a formula is true in the model.
func (m Model) Holds(t *term.Term) bool { return m.Eval(t).Lit == term.True }

// Eval is the value of a term in the model.
func (m Model) Eval(t *term.Term) Value {
	if t.IsLiteral() {
		return Value{Lit: t}
	}
	if t.Op == term.OpVar {
		return m.vars[t.Text()]
	}
	args := make([]Value, len(t.Args))
	for i, a := range t.Args {
		args[i] = m.Eval(a)
	}
	switch t.Op {
	case term.OpEq:
		return Value{Lit: term.BoolLit(same(args[0], args[1]))}
	case term.OpIte:
		if args[0].Lit == term.True {
			return args[1]
		}
		return args[2]
	case term.OpSelect:
		return Value{Lit: args[0].Array[args[1].Lit.Text()]}
	case term.OpStore:
		entries := map[string]*term.Term{args[1].Lit.Text(): args[2].Lit}
		for k, v := range args[0].Array {
			if k != args[1].Lit.Text() {
				entries[k] = v
			}
		}
		return Value{Array: entries}
	case term.OpApp:
		return Value{Lit: m.functions[application(t.Name, args[0].Lit, t.Sort)]}
	}
	lits := make([]*term.Term, len(args))
	for i, a := range args {
		lits[i] = a.Lit
	}
	return Value{Lit: scalar(t.Op, lits)}
}

func same(a, b Value) bool {
	if a.Array == nil {
		return a.Lit.Equal(b.Lit)
	}
	for k, v := range a.Array {
		if !v.Equal(b.Array[k]) {
			return false
		}
	}
	return true
}

func scalar(op term.Op, a []*term.Term) *term.Term {
	isTrue := func(t *term.Term) bool { return t == term.True }
	switch op {
	case term.OpNot:
		return term.BoolLit(a[0] == term.False)
	case term.OpAnd:
		return term.BoolLit(!slices.Contains(a, term.False))
	case term.OpOr:
		return term.BoolLit(slices.ContainsFunc(a, isTrue))
	case term.OpImplies:
		return term.BoolLit(a[0] == term.False || a[1] == term.True)
	case term.OpAdd:
		sum := new(big.Int)
		for _, t := range a {
			sum.Add(sum, t.Int)
		}
		return term.IntLit(sum)
	case term.OpMul:
		return term.IntLit(new(big.Int).Mul(a[0].Int, a[1].Int))
	case term.OpLe:
		return term.BoolLit(a[0].Int.Cmp(a[1].Int) <= 0)
	case term.OpLt:
		return term.BoolLit(a[0].Int.Cmp(a[1].Int) < 0)
	case term.OpConcat:
		return term.StringLit(a[0].Name + a[1].Name)
	case term.OpFAdd:
		return term.FloatLit(a[0].Num + a[1].Num)
	case term.OpFSub:
		return term.FloatLit(a[0].Num - a[1].Num)
	case term.OpFMul:
		return term.FloatLit(a[0].Num * a[1].Num)
	case term.OpFDiv:
		return term.FloatLit(a[0].Num / a[1].Num)
	case term.OpFLe:
		return term.BoolLit(a[0].Num <= a[1].Num)
	case term.OpFLt:
		return term.BoolLit(a[0].Num < a[1].Num)
	case term.OpFEq:
		return term.BoolLit(a[0].Num == a[1].Num)
	}
	panic("termtest: no value for " + op.String())
}
