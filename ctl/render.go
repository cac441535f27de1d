package ctl

import "strings"

// Binding strength, loosest first. Equal strength associates to the left, except
// for the arrow.
const (
	bindLoosest = iota
	bindIff
	bindImplies
	bindOr
	bindAnd
	bindUnary
)

// String renders f with as few parentheses as the grammar of [Parse] allows.
// Parsing the text gives back f, provided that its atoms are names of that
// grammar. Formulas share subformulas, so the text may be far longer than the
// formula is large: after as many operands as Parse accepts, an ellipsis stands
// for the rest.
func (f *Formula) String() string {
	r := renderer{}
	r.render(f, bindLoosest)
	return r.text.String()
}

type renderer struct {
	text     strings.Builder
	operands int
}

// render writes f as an operand that must bind at least as tight as tightness says.
func (r *renderer) render(f *Formula, tightness int) {
	if r.operands >= MaxOperands {
		r.text.WriteString("…")
		return
	}
	switch f.Op {
	case OpTrue:
		r.operand("true")
	case OpFalse:
		r.operand("false")
	case OpAtom:
		r.operand(f.Name)
	case OpNot:
		r.text.WriteString("!")
		r.render(f.Left, bindUnary)
	case OpAnd:
		r.infix(f, " && ", bindAnd, bindAnd, bindAnd+1, tightness)
	case OpOr:
		r.infix(f, " || ", bindOr, bindOr, bindOr+1, tightness)
	case OpImplies:
		r.infix(f, " -> ", bindImplies, bindImplies+1, bindImplies, tightness)
	case OpIff:
		r.infix(f, " <-> ", bindIff, bindIff, bindIff+1, tightness)
	case OpEX:
		r.prefix("EX ", f)
	case OpAX:
		r.prefix("AX ", f)
	case OpEF:
		r.prefix("EF ", f)
	case OpAF:
		r.prefix("AF ", f)
	case OpEG:
		r.prefix("EG ", f)
	case OpAG:
		r.prefix("AG ", f)
	case OpEU:
		r.bracket("E[", " U ", f)
	case OpAU:
		r.bracket("A[", " U ", f)
	case OpER:
		r.bracket("E[", " R ", f)
	case OpAR:
		r.bracket("A[", " R ", f)
	case OpEW:
		r.bracket("E[", " W ", f)
	case OpAW:
		r.bracket("A[", " W ", f)
	default:
		panic(invalidOperator(f.Op).Error())
	}
}

func (r *renderer) operand(text string) {
	r.operands++
	r.text.WriteString(text)
}

func (r *renderer) prefix(op string, f *Formula) {
	r.text.WriteString(op)
	r.render(f.Left, bindUnary)
}

func (r *renderer) infix(f *Formula, op string, own, left, right, tightness int) {
	if own < tightness {
		r.text.WriteString("(")
		defer r.text.WriteString(")")
	}
	r.render(f.Left, left)
	r.text.WriteString(op)
	r.render(f.Right, right)
}

func (r *renderer) bracket(open, op string, f *Formula) {
	r.text.WriteString(open)
	r.render(f.Left, bindLoosest)
	r.text.WriteString(op)
	r.render(f.Right, bindLoosest)
	r.text.WriteString("]")
}
