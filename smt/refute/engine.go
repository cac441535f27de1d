package refute

import (
	"math/big"
	"slices"

	"soma.cell/smt/term"
)

// engine writes the lines of the proof. Lines of branches that led nowhere stay until extract.
type engine struct {
	bank   *term.Bank
	limits Limits
	lines  []Line
	deps   [][]int // of each line: the cases it depends on, ascending
	sums   map[int]*sum
	full   bool // the limit of lines was reached
}

func newEngine(limits Limits) *engine {
	return &engine{bank: term.NewBank(), limits: limits, sums: map[int]*sum{}}
}

// line writes a step and returns its number.
func (e *engine) line(rule Rule, claim *term.Term, from ...int) int {
	return e.combine(rule, claim, from, nil)
}

func (e *engine) combine(rule Rule, claim *term.Term, from []int, coef []*big.Rat) int {
	n := len(e.lines)
	e.full = n >= e.limits.Lines
	var deps []int
	switch rule {
	case Case:
		deps = []int{n}
	case Discharge:
		deps = slices.DeleteFunc(slices.Clone(e.deps[from[1]]), func(c int) bool { return c == from[0] })
	default:
		for _, l := range from {
			deps = union(deps, e.deps[l])
		}
	}
	e.lines = append(e.lines, Line{Rule: rule, Claim: claim, From: from, Coef: coef})
	e.deps = append(e.deps, deps)
	return n
}

// sorted puts lines in order, each once, with their multipliers if there are any.
func sorted(from []int, coef []*big.Rat) ([]int, []*big.Rat) {
	total := map[int]*big.Rat{}
	for i, l := range from {
		if total[l] == nil {
			total[l] = new(big.Rat)
		}
		if coef != nil {
			total[l].Add(total[l], coef[i])
		}
	}
	lines := sortedKeys(total)
	if coef == nil {
		return lines, nil
	}
	lines = slices.DeleteFunc(lines, func(l int) bool { return total[l].Sign() == 0 })
	coef = nil
	for _, l := range lines {
		coef = append(coef, total[l])
	}
	return lines, coef
}

// union merges two ascending lists. It may return one of them.
func union(a, b []int) []int {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// refute closes a branch and returns the line that claims false. After a case led to false its
// negation is a fact of the branch; when the contradiction did not need the case, it closes the
// branch as it stands (backjumping).
func (e *engine) refute(b *branch) (int, error) {
	if e.limits.Nodes--; e.limits.Nodes < 0 {
		return 0, &LimitError{What: "cases"}
	}
	for {
		if closed, err := b.saturate(); err != nil || closed >= 0 {
			return closed, err
		}
		p := b.choose()
		if p == nil {
			return 0, &OpenError{}
		}
		hypothesis := e.line(Case, p)
		child := b.clone()
		child.add(hypothesis)
		closed, err := e.refute(child)
		if err != nil {
			return 0, err
		}
		if !slices.Contains(e.deps[closed], hypothesis) {
			return closed, nil
		}
		b.add(e.line(Discharge, term.Not(p), hypothesis, closed))
	}
}

// extract keeps the lines that the last one needs and numbers them anew.
func (e *engine) extract(last int) *Proof {
	needed := make([]bool, last+1)
	needed[last] = true
	for n := last; n >= 0; n-- {
		if needed[n] {
			for _, l := range e.lines[n].From {
				needed[l] = true
			}
		}
	}
	number := make([]int, last+1)
	p := &Proof{}
	for n, l := range e.lines[:last+1] {
		if !needed[n] {
			continue
		}
		number[n] = len(p.Lines)
		from := make([]int, len(l.From))
		for i, f := range l.From {
			from[i] = number[f]
		}
		p.Lines = append(p.Lines, Line{Rule: l.Rule, Claim: l.Claim, From: from, Coef: l.Coef})
	}
	return p
}
