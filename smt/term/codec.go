package term

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The exact notation of terms, used in certificates:
//
//	term   = "true" | "false" | "unit" | "(int" N ")" | "(str" quoted ")" | "(float 0x" bits ")"
//	       | "(enum" sort name ")" | "(var" name sort ")" | "(app" name sort {term} ")"
//	       | "(" op {term} ")" | "#" index .
//	sort   = "Bool" | "Int" | "String" | "Float" | "Unit" | "Opaque"
//	       | "(Enum" name {name} ")" | "(Array" sort sort ")" .
//	name   = symbol | quoted .
//
// Quoted texts have Go's escapes; a float is its 64 bits in hexadecimal; "#" refers to an earlier
// node of a Bank.

var opNames = [...]string{
	OpVar: "var", OpTrue: "true", OpFalse: "false", OpInt: "int", OpString: "str",
	OpFloat: "float", OpUnit: "unit", OpEnum: "enum", OpNot: "not", OpAnd: "and", OpOr: "or",
	OpImplies: "=>", OpEq: "=", OpIte: "ite", OpAdd: "+", OpMul: "*", OpLe: "<=", OpLt: "<",
	OpConcat: "++", OpFAdd: "f+", OpFSub: "f-", OpFMul: "f*", OpFDiv: "f/", OpFLe: "f<=",
	OpFLt: "f<", OpFEq: "f=", OpSelect: "select", OpStore: "store", OpApp: "app",
}

// String is the operator's name in the notation of certificates.
func (op Op) String() string {
	if op < 0 || int(op) >= len(opNames) {
		return "op" + strconv.Itoa(int(op))
	}
	return opNames[op]
}

// Text is the term in the exact notation that Parse reads back. Shared subterms are written at
// each use: a Bank keeps them shared.
func (t *Term) Text() string {
	var b strings.Builder
	type frame struct {
		term *Term
		next int
	}
	stack := []frame{{term: t}}
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == 0 {
			f.term.writeHead(&b)
		}
		if f.next == len(f.term.Args) {
			f.term.writeTail(&b)
			stack = stack[:len(stack)-1]
			continue
		}
		b.WriteByte(' ')
		f.next++
		stack = append(stack, frame{term: f.term.Args[f.next-1]})
	}
	return b.String()
}

// node is the term with its arguments given as texts.
func (t *Term) node(args []string) string {
	var b strings.Builder
	t.writeHead(&b)
	for _, a := range args {
		b.WriteString(" " + a)
	}
	t.writeTail(&b)
	return b.String()
}

func (t *Term) writeHead(b *strings.Builder) {
	switch t.Op {
	case OpTrue, OpFalse, OpUnit:
		b.WriteString(t.Op.String())
	case OpInt:
		b.WriteString("(int " + t.Int.String())
	case OpString:
		b.WriteString("(str " + strconv.Quote(t.Name))
	case OpFloat:
		fmt.Fprintf(b, "(float 0x%016x", math.Float64bits(t.Num))
	case OpEnum:
		b.WriteString("(enum " + t.Sort.String() + " " + symbol(t.Name))
	case OpVar, OpApp:
		b.WriteString("(" + t.Op.String() + " " + symbol(t.Name) + " " + t.Sort.String())
	default:
		b.WriteString("(" + t.Op.String())
	}
}

func (t *Term) writeTail(b *strings.Builder) {
	switch t.Op {
	case OpTrue, OpFalse, OpUnit:
	default:
		b.WriteByte(')')
	}
}

// symbol is a name as it is written: bare where it cannot be taken for anything else, else
// quoted.
func symbol(name string) string {
	if name == "" || name[0] == '#' || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) || strings.ContainsRune(` ()"`, r) {
			return strconv.Quote(name)
		}
	}
	return name
}
