package ctl

// Op is the outermost operator of a formula.
type Op uint8

// The operators. NNF keeps those marked core.
const (
	OpInvalid Op = iota
	OpTrue       // core
	OpFalse      // core
	OpAtom       // core
	OpNot        // core, over atoms only
	OpAnd        // core
	OpOr         // core
	OpImplies
	OpIff
	OpEX // core
	OpAX // core
	OpEF
	OpAF
	OpEG
	OpAG
	OpEU // core
	OpAU // core
	OpER // core
	OpAR // core
	OpEW
	OpAW
)

// Formula is a CTL formula. Formulas are immutable and may share subformulas.
type Formula struct {
	Op    Op
	Name  string   // of an atom
	Left  *Formula // the first operand, or nil
	Right *Formula // the second operand, or nil
}

// True holds in every state.
func True() *Formula { return &Formula{Op: OpTrue} }

// False holds in no state.
func False() *Formula { return &Formula{Op: OpFalse} }

// Atom holds in the states that the caller of [Check] lists under name.
func Atom(name string) *Formula { return &Formula{Op: OpAtom, Name: name} }

// Not is !p.
func Not(p *Formula) *Formula { return unary(OpNot, p) }

// And is p && q.
func And(p, q *Formula) *Formula { return binary(OpAnd, p, q) }

// Or is p || q.
func Or(p, q *Formula) *Formula { return binary(OpOr, p, q) }

// Implies is p -> q.
func Implies(p, q *Formula) *Formula { return binary(OpImplies, p, q) }

// Iff is p <-> q.
func Iff(p, q *Formula) *Formula { return binary(OpIff, p, q) }

// EX holds where some successor satisfies p.
func EX(p *Formula) *Formula { return unary(OpEX, p) }

// AX holds where every successor satisfies p.
func AX(p *Formula) *Formula { return unary(OpAX, p) }

// EF holds where some path reaches p, now counted.
func EF(p *Formula) *Formula { return unary(OpEF, p) }

// AF holds where every path reaches p, now counted.
func AF(p *Formula) *Formula { return unary(OpAF, p) }

// EG holds where p holds all along some path.
func EG(p *Formula) *Formula { return unary(OpEG, p) }

// AG holds where p holds all along every path.
func AG(p *Formula) *Formula { return unary(OpAG, p) }

// EU is E[p U q]: some path reaches q, and p holds until then.
func EU(p, q *Formula) *Formula { return binary(OpEU, p, q) }

// AU is A[p U q]: every path reaches q, and p holds until then.
func AU(p, q *Formula) *Formula { return binary(OpAU, p, q) }

// ER is E[p R q] (release): on some path q holds up to and including the first
// state where p does, or for ever.
func ER(p, q *Formula) *Formula { return binary(OpER, p, q) }

// AR is A[p R q] (release): on every path q holds up to and including the first
// state where p does, or for ever.
func AR(p, q *Formula) *Formula { return binary(OpAR, p, q) }

// EW is E[p W q] (weak until): on some path p holds until q does, or for ever.
func EW(p, q *Formula) *Formula { return binary(OpEW, p, q) }

// AW is A[p W q] (weak until): on every path p holds until q does, or for ever.
func AW(p, q *Formula) *Formula { return binary(OpAW, p, q) }

func unary(op Op, p *Formula) *Formula { return &Formula{Op: op, Left: p} }

func binary(op Op, p, q *Formula) *Formula { return &Formula{Op: op, Left: p, Right: q} }

// Atoms returns the distinct names of atoms in f, in order of first occurrence.
func (f *Formula) Atoms() []string {
	var names []string
	seen := map[string]bool{}
	for _, g := range postorder(f) {
		if g.Op == OpAtom && !seen[g.Name] {
			seen[g.Name] = true
			names = append(names, g.Name)
		}
	}
	return names
}

// postorder lists the nodes of f, operands before operators and left before
// right, each shared node once.
func postorder(f *Formula) []*Formula {
	var order []*Formula
	seen := map[*Formula]bool{}
	var visit func(*Formula)
	visit = func(g *Formula) {
		if g == nil || seen[g] {
			return
		}
		seen[g] = true
		visit(g.Left)
		visit(g.Right)
		order = append(order, g)
	}
	visit(f)
	return order
}
