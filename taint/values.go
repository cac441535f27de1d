package taint

import (
	"fmt"
	"slices"
	"strings"

	"soma.cell/smt/term"
)

// Values are what variables hold, as terms over symbols. A symbol stands for one value that
// comes into being at one place of the automaton: a parameter, what an effect gives, what a
// join selects. Equal values have equal numbers (value numbering; Alpern, Wegman, Zadeck,
// POPL 1988), so that a test of a copy is a test of the original. Boxing does not count: a
// boxed value and its contents are the same value.
type value int32

// symbol is the number of a symbol in its routine.
type symbol int32

const noSymbol symbol = -1

type node struct {
	op    term.Op
	sort  *term.Sort
	name  string
	args  []value
	sym   symbol     // of a symbol, and of a call's result
	call  *summary   // of the result of a handler that tests its arguments, which are args
	lit   *term.Term // of a literal
	syms  []symbol   // the symbols it mentions, sorted
	fixed bool       // built of literals alone
}

type bank struct {
	nodes []node
	index map[string]value
}

func newBank() *bank { return &bank{index: map[string]value{}} }

func (b *bank) at(v value) *node { return &b.nodes[v] }

func (b *bank) intern(key string, n node) value {
	if v, ok := b.index[key]; ok {
		return v
	}
	n.fixed = n.lit != nil || n.op == term.OpApp
	for _, a := range n.args {
		n.syms = union(n.syms, b.at(a).syms)
		n.fixed = n.fixed && b.at(a).fixed
	}
	if n.sym != noSymbol {
		n.syms = union(n.syms, []symbol{n.sym})
	}
	v := value(len(b.nodes))
	b.nodes = append(b.nodes, n)
	b.index[key] = v
	return v
}

// union merges sorted lists; it returns one of them where it holds the other.
func union[T value | symbol](a, b []T) []T {
	if len(a) < len(b) {
		a, b = b, a
	}
	var out []T
	for _, x := range b {
		if _, ok := slices.BinarySearch(a, x); !ok {
			out = append(out, x)
		}
	}
	if out == nil {
		return a
	}
	out = append(out, a...)
	slices.Sort(out)
	return out
}

func (b *bank) symbol(s symbol, sort *term.Sort) value {
	return b.intern(fmt.Sprintf("$%d", s), node{op: term.OpVar, sort: sort, sym: s})
}

// result is what a call of a testing handler gave.
func (b *bank) result(s symbol, sort *term.Sort, of *summary, args []value) value {
	return b.intern(fmt.Sprintf("$%d%v", s, args), node{op: term.OpVar, sort: sort, sym: s, call: of, args: args})
}

// term numbers a term whose variables have the given values.
func (b *bank) term(t *term.Term, env func(*term.Term) value) value {
	return b.number(t, env, map[*term.Term]value{})
}

func (b *bank) number(t *term.Term, env func(*term.Term) value, done map[*term.Term]value) value {
	if v, ok := done[t]; ok {
		return v
	}
	var v value
	switch {
	case t.Op == term.OpVar:
		v = env(t)
	case t.IsLiteral():
		v = b.intern("#"+t.Sort.String()+" "+t.String(), node{op: t.Op, sort: t.Sort, sym: noSymbol, lit: t})
	default:
		args := make([]value, len(t.Args))
		for i, a := range t.Args {
			args[i] = b.number(a, env, done)
		}
		v = b.apply(t.Op, t.Sort, t.Name, args)
	}
	done[t] = v
	return v
}

func (b *bank) apply(op term.Op, sort *term.Sort, name string, args []value) value {
	if op == term.OpApp && len(args) == 1 && isBox(name) {
		return args[0]
	}
	key := fmt.Sprintf("%d %s %q %v", op, sort, name, args)
	return b.intern(key, node{op: op, sort: sort, name: name, args: args, sym: noSymbol})
}

// isBox tells whether a function only changes the wrapping of a value. An unboxed Bool stays
// apart, because its sort says that it has two values.
func isBox(name string) bool {
	return strings.HasPrefix(name, "box:") || strings.HasPrefix(name, "unbox:") && name != "unbox:Bool"
}

// mentions tells whether a value mentions one of the symbols.
func (b *bank) mentions(v value, syms map[symbol]bool) bool {
	for _, s := range b.at(v).syms {
		if syms[s] {
			return true
		}
	}
	return false
}
