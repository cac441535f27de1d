// Package smtlib writes queries as SMT-LIB 2.6 scripts, for any solver of that standard.
//
// A script means what the query means to the solver in process: texts and names are in the code
// of package ascii, unbounded integers are Int, doubles are Float64 rounded to nearest even, enums
// and Unit are data types of constants, and Opaque is an uninterpreted sort.
//
// Each distinct subterm is written once: one that is used again, or that would nest too deep,
// gets a name by define-fun. So a script is as small as the query's graph, and no reader needs a
// deep stack. Cost: linear in the distinct nodes.
package smtlib

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"soma.cell/smt"
	"soma.cell/smt/internal/ascii"
	"soma.cell/smt/term"
)

// maxNesting is the nesting at which a subterm gets a name though it is used once.
const maxNesting = 64

// Write writes the script of a query: declarations in order of first occurrence, the assertions
// and (check-sat). The wanted terms of the query play no part. An ill-sorted query is an error.
func Write(w io.Writer, q smt.Query) error {
	if err := q.Check(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	s := &script{out: out, names: map[string]string{}, taken: map[string]bool{}, sorts: map[string]string{}}
	if q.Name != "" {
		s.line("; " + ascii.Encode(q.Name))
	}
	s.line("(set-info :smt-lib-version 2.6)")
	s.line("(set-logic ALL)")
	s.asserts(q.Assert)
	s.line("(check-sat)")
	return out.Flush()
}

// script is the state of writing one. An error of the writer sticks in out until Flush.
type script struct {
	out   *bufio.Writer
	names map[string]string // of declared constants and functions, by kind, name and signature
	taken map[string]bool
	sorts map[string]string // of declared sorts, by their String
}

func (s *script) line(text string) {
	s.out.WriteString(text)
	s.out.WriteByte('\n')
}

func (s *script) asserts(formulas []*term.Term) {
	bank := term.NewBank()
	roots := make([]int, len(formulas))
	for i, t := range formulas {
		roots[i] = bank.Add(t)
	}
	texts := s.define(bank)
	for _, root := range roots {
		s.line("(assert " + texts[root] + ")")
	}
}

// define declares and names what the table needs and returns the text of each node. Nodes come
// after their arguments.
func (s *script) define(bank *term.Bank) []string {
	n := bank.Len()
	uses, nesting, texts := make([]int, n), make([]int, n), make([]string, n)
	for i := range n {
		for _, a := range bank.Term(i).Args {
			uses[bank.Add(a)]++
		}
	}
	defined := 0
	for i := range n {
		t := bank.Term(i)
		args := make([]string, len(t.Args))
		for k, a := range t.Args {
			at := bank.Add(a)
			args[k] = texts[at]
			nesting[i] = max(nesting[i], nesting[at]+1)
		}
		texts[i] = s.text(t, args)
		if len(args) > 0 && (uses[i] > 1 || nesting[i] >= maxNesting) {
			defined++
			name := s.fresh("d." + strconv.Itoa(defined))
			s.line("(define-fun " + name + " () " + s.sort(t.Sort) + " " + texts[i] + ")")
			texts[i], nesting[i] = name, 0
		}
	}
	return texts
}

var operators = map[term.Op]string{
	term.OpNot: "not", term.OpAnd: "and", term.OpOr: "or", term.OpImplies: "=>", term.OpEq: "=",
	term.OpIte: "ite", term.OpAdd: "+", term.OpMul: "*", term.OpLe: "<=", term.OpLt: "<",
	term.OpConcat: "str.++", term.OpSelect: "select", term.OpStore: "store",
	term.OpFAdd: "fp.add RNE", term.OpFSub: "fp.sub RNE", term.OpFMul: "fp.mul RNE",
	term.OpFDiv: "fp.div RNE", term.OpFLe: "fp.leq", term.OpFLt: "fp.lt", term.OpFEq: "fp.eq",
}

// text is a node whose arguments are given as texts; it declares what the node needs.
func (s *script) text(t *term.Term, args []string) string {
	switch t.Op {
	case term.OpVar:
		return s.declare("v."+t.Name, t)
	case term.OpApp:
		name := s.declare("f."+t.Name, t)
		if len(args) == 0 {
			return name
		}
		return "(" + name + " " + strings.Join(args, " ") + ")"
	case term.OpEnum:
		s.sort(t.Sort)
		return s.names[valueKey(t.Sort, t.Name)]
	case term.OpUnit:
		s.sort(t.Sort)
		return unitValue
	}
	if t.IsLiteral() {
		return literal(t)
	}
	return "(" + operators[t.Op] + " " + strings.Join(args, " ") + ")"
}

// declare declares the symbol of a variable or function at its first use and returns it.
func (s *script) declare(name string, t *term.Term) string {
	domain := make([]string, len(t.Args))
	for i, a := range t.Args {
		domain[i] = s.sort(a.Sort)
	}
	signature := "(" + strings.Join(domain, " ") + ") " + s.sort(t.Sort)
	key := ascii.Encode(name) + " " + signature
	symbol, ok := s.names[key]
	if !ok {
		symbol = s.fresh(name)
		s.names[key] = symbol
		s.line("(declare-fun " + symbol + " " + signature + ")")
	}
	return symbol
}

// fresh is a symbol like the name that stands for nothing yet. The prefixes of names ("v.", "f.",
// "s.", "c.", "d.") keep them away from the symbols of the standard.
func (s *script) fresh(name string) string {
	symbol := quote(ascii.Encode(name))
	for i := 2; s.taken[symbol]; i++ {
		symbol = quote(ascii.Encode(name) + "!" + strconv.Itoa(i))
	}
	s.taken[symbol] = true
	return symbol
}

// quote puts a symbol that is not a simple one between bars.
func quote(symbol string) string {
	for _, r := range symbol {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("~!@$%^&*_-+=<>.?/", r):
		default:
			return "|" + symbol + "|"
		}
	}
	return symbol
}
