package term

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxText bounds the texts that Parse reads, in bytes.
const maxText = 64 << 20

// operators names the operators whose text holds only arguments.
var operators = func() map[string]Op {
	m := map[string]Op{OpEq.String(): OpEq, OpIte.String(): OpIte,
		OpSelect.String(): OpSelect, OpStore.String(): OpStore}
	for op := range signatures {
		m[op.String()] = op
	}
	return m
}()

var plainSorts = map[string]*Sort{
	"Bool": Bool, "Int": Int, "String": String, "Float": Float, "Unit": Unit, "Opaque": Opaque,
}

// Parse reads the notation of Text. The result is the very tree that was written: nothing is
// simplified. An ill-sorted term, one deeper than MaxDepth or one of more than 64 MiB is an
// error.
func Parse(text string) (*Term, error) { return parse(text, nil) }

// parse reads a term in which "#i" stands for bank[i].
func parse(text string, bank []*Term) (*Term, error) {
	if len(text) > maxText {
		return nil, errTooLong(len(text))
	}
	p := &parser{text: text, bank: bank}
	t, err := p.term()
	if err == nil && p.space() != "" {
		err = errExpected("the end")
	}
	if err != nil {
		return nil, errAt(p.pos, err)
	}
	return t, nil
}

type parser struct {
	text string
	pos  int
	bank []*Term
}

// term reads one term. The nesting is kept on a stack of its own, so that depth costs memory
// in proportion and is bounded.
func (p *parser) term() (*Term, error) {
	var stack []Term // operators that wait for arguments
	for {
		done, err := p.step(&stack)
		if err != nil {
			return nil, err
		}
		if done == nil {
			continue
		}
		if done.depth > MaxDepth {
			return nil, errTooDeep()
		}
		if len(stack) == 0 {
			return done, nil
		}
		top := &stack[len(stack)-1]
		top.Args = append(top.Args, done)
	}
}

// step reads up to the next complete term, or opens an operator and returns nil.
func (p *parser) step(stack *[]Term) (*Term, error) {
	rest := p.space()
	switch {
	case len(*stack) > 0 && strings.HasPrefix(rest, ")"):
		p.pos++
		open := (*stack)[len(*stack)-1]
		*stack = (*stack)[:len(*stack)-1]
		return p.build(open)
	case strings.HasPrefix(rest, "#"):
		return p.reference()
	case !strings.HasPrefix(rest, "("):
		return p.constant()
	}
	p.pos++
	p.space()
	head := p.word()
	if head == OpApp.String() {
		t, err := p.nameAndSort(OpApp)
		if err != nil {
			return nil, err
		}
		return nil, push(stack, t)
	}
	if op, ok := operators[head]; ok {
		return nil, push(stack, Term{Op: op})
	}
	t, err := p.leaf(head)
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	return p.build(t)
}

func push(stack *[]Term, t Term) error {
	if len(*stack) >= MaxDepth {
		return errTooDeep()
	}
	*stack = append(*stack, t)
	return nil
}

// build makes the node and checks its sorts.
func (p *parser) build(t Term) (*Term, error) {
	if t.Sort == nil {
		if err := t.inferSort(); err != nil {
			return nil, err
		}
	}
	u := mk(t)
	return u, checkNode(u)
}

// inferSort gives an operator the sort that its arguments ask for; checkNode judges it.
func (t *Term) inferSort() error {
	if sig, ok := signatures[t.Op]; ok {
		t.Sort = sig.result
		return nil
	}
	if t.Op == OpEq {
		t.Sort = Bool
		return nil
	}
	if len(t.Args) < 2 {
		return errArity(t.Op, len(t.Args))
	}
	switch t.Op {
	case OpIte:
		t.Sort = t.Args[1].Sort
	case OpSelect:
		if t.Args[0].Sort.Kind != KindArray {
			return errArg(t.Op, 0, t.Args[0].Sort, "an array")
		}
		t.Sort = t.Args[0].Sort.Elem
	case OpStore:
		t.Sort = t.Args[0].Sort
	}
	return nil
}

func (p *parser) constant() (*Term, error) {
	start := p.pos
	switch p.word() {
	case OpTrue.String():
		return True, nil
	case OpFalse.String():
		return False, nil
	case OpUnit.String():
		return UnitLit, nil
	}
	p.pos = start
	return nil, errExpected("a term")
}

func (p *parser) reference() (*Term, error) {
	text := p.word()
	i, err := strconv.Atoi(text[1:])
	if err != nil || i < 0 || i >= len(p.bank) || strconv.Itoa(i) != text[1:] {
		return nil, errReference(text, len(p.bank))
	}
	return p.bank[i], nil
}

// leaf reads what follows the head of a literal or a variable, up to the parenthesis.
func (p *parser) leaf(head string) (Term, error) {
	switch head {
	case OpInt.String():
		n, err := p.integer()
		return Term{Op: OpInt, Sort: Int, Int: n}, err
	case OpString.String():
		p.space()
		s, err := p.quoted()
		return Term{Op: OpString, Sort: String, Name: s}, err
	case OpFloat.String():
		f, err := p.float()
		return Term{Op: OpFloat, Sort: Float, Num: f}, err
	case OpEnum.String():
		s, err := p.sort(0)
		if err != nil {
			return Term{}, err
		}
		value, err := p.name()
		return Term{Op: OpEnum, Sort: s, Name: value}, err
	case OpVar.String():
		return p.nameAndSort(OpVar)
	}
	return Term{}, errUnknownHead(head)
}

func (p *parser) nameAndSort(op Op) (Term, error) {
	name, err := p.name()
	if err != nil {
		return Term{}, err
	}
	s, err := p.sort(0)
	return Term{Op: op, Sort: s, Name: name}, err
}

// integer reads a decimal number, in the one way it is written: no sign but "-", no leading
// zero.
func (p *parser) integer() (*big.Int, error) {
	p.space()
	text := p.word()
	digits := strings.TrimPrefix(text, "-")
	canonical := digits != "" && strings.Trim(digits, "0123456789") == "" &&
		(digits[0] != '0' || text == "0")
	if !canonical {
		return nil, errBadLiteral("integer", text)
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, errBadLiteral("integer", text)
	}
	return n, nil
}

func (p *parser) float() (float64, error) {
	p.space()
	text := p.word()
	hex, ok := strings.CutPrefix(text, "0x")
	bits, err := strconv.ParseUint(hex, 16, 64)
	if !ok || err != nil || len(hex) != 16 {
		return 0, errBadLiteral("float", text)
	}
	f := math.Float64frombits(bits)
	if f != f && bits != math.Float64bits(math.NaN()) {
		return 0, errBadLiteral("float", text) // the sort has one not-a-number
	}
	return f, nil
}

func (p *parser) sort(depth int) (*Sort, error) {
	if depth > maxSortDepth {
		return nil, errTooDeep()
	}
	if !strings.HasPrefix(p.space(), "(") {
		start := p.pos
		if s, ok := plainSorts[p.word()]; ok {
			return s, nil
		}
		p.pos = start
		return nil, errExpected("a sort")
	}
	p.pos++
	p.space()
	switch head := p.word(); head {
	case "Enum":
		return p.enumSort()
	case "Array":
		key, err := p.sort(depth + 1)
		if err != nil {
			return nil, err
		}
		elem, err := p.sort(depth + 1)
		if err != nil {
			return nil, err
		}
		return ArraySort(key, elem), p.expect(")")
	default:
		return nil, errExpected("a sort")
	}
}

func (p *parser) enumSort() (*Sort, error) {
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	var values []string
	for !strings.HasPrefix(p.space(), ")") {
		v, err := p.name()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	p.pos++
	return EnumSort(name, values...), nil
}

// space skips blanks and returns the rest of the text.
func (p *parser) space() string {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
	return p.text[p.pos:]
}

// word reads up to a blank, parenthesis or quote; it may be empty.
func (p *parser) word() string {
	rest := p.text[p.pos:]
	end := strings.IndexAny(rest, " \t\r\n()\"")
	if end < 0 {
		end = len(rest)
	}
	p.pos += end
	return rest[:end]
}

func (p *parser) name() (string, error) {
	if strings.HasPrefix(p.space(), `"`) {
		return p.quoted()
	}
	if w := p.word(); w != "" {
		return w, nil
	}
	return "", errExpected("a name")
}

func (p *parser) quoted() (string, error) {
	rest := p.text[p.pos:]
	if !strings.HasPrefix(rest, `"`) {
		return "", errExpected("a quoted text")
	}
	prefix, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", errExpected("a quoted text")
	}
	p.pos += len(prefix)
	return strconv.Unquote(prefix)
}

func (p *parser) expect(token string) error {
	if !strings.HasPrefix(p.space(), token) {
		return errExpected(strconv.Quote(token))
	}
	p.pos += len(token)
	return nil
}
