package term

import (
	"math"
	"strconv"
	"strings"
)

// maxShown bounds String, as a shared term may be huge when written out as a tree.
const maxShown = 1 << 16

// Binding powers of the infix notation; a weaker operand stands in parentheses.
const (
	weakest = iota
	impliesLevel
	orLevel
	andLevel
	compareLevel
	concatLevel
	sumLevel
	productLevel
	prefixLevel
	atomLevel
)

var infix = map[Op]struct {
	symbol string
	level  int
}{
	OpImplies: {" => ", impliesLevel},
	OpOr:      {" or ", orLevel},
	OpAnd:     {" and ", andLevel},
	OpEq:      {" = ", compareLevel},
	OpLe:      {" <= ", compareLevel},
	OpLt:      {" < ", compareLevel},
	OpFLe:     {" <=. ", compareLevel},
	OpFLt:     {" <. ", compareLevel},
	OpFEq:     {" ==. ", compareLevel},
	OpConcat:  {" ++ ", concatLevel},
	OpAdd:     {" + ", sumLevel},
	OpFAdd:    {" +. ", sumLevel},
	OpFSub:    {" -. ", sumLevel},
	OpMul:     {" * ", productLevel},
	OpFMul:    {" *. ", productLevel},
	OpFDiv:    {" /. ", productLevel},
}

// String is the term in infix notation for people: "x + 1 <= y", "not (a = b)",
// "if c then a else b". IEEE operations carry a dot. It is cut with "…" after 64 KiB; Text is
// the exact form.
func (t *Term) String() string {
	var b strings.Builder
	t.show(&b, weakest)
	if b.Len() >= maxShown {
		return b.String() + "…"
	}
	return b.String()
}

// show writes the term, in parentheses when it binds weaker than level.
func (t *Term) show(b *strings.Builder, level int) {
	if b.Len() >= maxShown {
		return
	}
	own := t.level()
	if own < level {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch t.Op {
	case OpNot:
		b.WriteString("not ")
		t.Args[0].show(b, prefixLevel)
	case OpIte:
		b.WriteString("if ")
		t.Args[0].show(b, impliesLevel)
		b.WriteString(" then ")
		t.Args[1].show(b, impliesLevel)
		b.WriteString(" else ")
		t.Args[2].show(b, weakest)
	case OpAdd:
		t.showSum(b)
	case OpMul:
		t.showProduct(b)
	case OpSelect, OpStore:
		showCall(b, t.Op.String(), t.Args)
	case OpApp:
		showCall(b, t.Name, t.Args)
	default:
		if op, ok := infix[t.Op]; ok {
			t.showInfix(b, op.symbol, own)
			return
		}
		b.WriteString(t.atom())
	}
}

func (t *Term) level() int {
	switch {
	case t.Op == OpIte:
		return weakest
	case t.Op == OpNot, t.negated() != nil, t.Op == OpInt && t.Int.Sign() < 0:
		return prefixLevel
	}
	if op, ok := infix[t.Op]; ok {
		return op.level
	}
	return atomLevel
}

// showInfix writes associative chains without parentheses on either side, other operators with
// the left operand free ("=>" the right one) and comparisons with neither.
func (t *Term) showInfix(b *strings.Builder, symbol string, own int) {
	for i, a := range t.Args {
		need := own
		switch {
		case own == compareLevel, t.Op == OpImplies && i == 0, t.Op != OpImplies && i > 0:
			need = own + 1
		}
		if i > 0 {
			b.WriteString(symbol)
		}
		a.show(b, need)
	}
}

// showSum writes "a + b - c": a negated or negative summand is subtracted.
func (t *Term) showSum(b *strings.Builder) {
	for i, a := range t.Args {
		positive := a.negated()
		if a.Op == OpInt && a.Int.Sign() < 0 {
			positive = Neg(a)
		}
		switch {
		case i == 0:
			a.show(b, sumLevel)
		case positive != nil:
			b.WriteString(" - ")
			positive.show(b, productLevel)
		default:
			b.WriteString(" + ")
			a.show(b, productLevel)
		}
	}
}

func (t *Term) showProduct(b *strings.Builder) {
	if positive := t.negated(); positive != nil {
		b.WriteByte('-')
		positive.show(b, atomLevel)
		return
	}
	t.showInfix(b, infix[OpMul].symbol, productLevel)
}

// negated is x for the term -1 * x, else nil.
func (t *Term) negated() *Term {
	if t.Op == OpMul && t.Args[0].Op == OpInt && t.Args[0].Int.IsInt64() && t.Args[0].Int.Int64() == -1 {
		return t.Args[1]
	}
	return nil
}

func showCall(b *strings.Builder, name string, args []*Term) {
	b.WriteString(name + "(")
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.show(b, weakest)
	}
	b.WriteByte(')')
}

func (t *Term) atom() string {
	switch t.Op {
	case OpInt:
		return t.Int.String()
	case OpString:
		return strconv.Quote(t.Name)
	case OpFloat:
		return floatText(t.Num)
	case OpEnum:
		return t.Sort.Name + "." + t.Name
	case OpVar:
		return t.Name
	case OpUnit:
		return "()"
	}
	return t.Op.String()
}

func floatText(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if math.IsInf(f, 0) || f != f || strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}
