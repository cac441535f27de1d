// Package termtest draws random well-sorted terms and evaluates them, for the property tests of
// the solver packages. Nothing but tests may use it: the provers and the checker of evidence
// have no evaluator in common.
package termtest

import (
	"math"
	"math/big"

	"pgregory.net/rapid"

	"soma.cell/smt/term"
)

// The sorts and variables that generated terms range over. Arrays and functions have finite
// domains, so that finitely many facts fix them.
var (
	Enum      = term.EnumSort("Door", "open", "shut", "locked")
	BoolToInt = term.ArraySort(term.Bool, term.Int)
	EnumToStr = term.ArraySort(Enum, term.String)

	Scalars = []*term.Sort{term.Bool, term.Int, term.String, term.Float, term.Unit, Enum}
	Arrays  = []*term.Sort{BoolToInt, EnumToStr}
)

// Vars are the variables of a sort.
func Vars(s *term.Sort) []*term.Term {
	prefix := map[term.Kind]string{term.KindBool: "b", term.KindInt: "i", term.KindString: "s",
		term.KindFloat: "f", term.KindUnit: "u", term.KindEnum: "e", term.KindArray: "m",
		term.KindOpaque: "o"}[s.Kind]
	return []*term.Term{term.Var(prefix+"@0", s), term.Var(prefix+"@1", s)}
}

// Functions of one finite argument, applied by generated terms.
var functions = []struct {
	Name        string
	Arg, Result *term.Sort
}{
	{"flip", term.Bool, term.Int},
	{"colour", Enum, term.String},
	{"colour", Enum, term.Int}, // the same name at another signature
	{"weight", Enum, term.Float},
}

// Literal draws a literal of a scalar sort.
func Literal(t *rapid.T, s *term.Sort) *term.Term {
	switch s.Kind {
	case term.KindBool:
		return term.BoolLit(rapid.Bool().Draw(t, "bool"))
	case term.KindInt:
		if rapid.IntRange(0, 9).Draw(t, "huge") == 0 {
			n := new(big.Int).Lsh(big.NewInt(rapid.Int64().Draw(t, "int")), rapid.UintRange(0, 200).Draw(t, "shift"))
			return term.IntLit(n)
		}
		return term.Int64(rapid.Int64Range(-4, 4).Draw(t, "int"))
	case term.KindString:
		return term.StringLit(rapid.SampledFrom(texts).Draw(t, "text"))
	case term.KindFloat:
		return term.FloatLit(rapid.SampledFrom(doubles).Draw(t, "double"))
	case term.KindEnum:
		return term.EnumLit(s, rapid.SampledFrom(s.Values).Draw(t, "value"))
	}
	return term.UnitLit
}

var texts = []string{"", "a", "b", "ab", "%", "%41", "A", `\`, `\u{41}`, `\x41`, "\x00", "\x7f",
	"é", "\xc3", "\xa9", "\U0010FFFF", "\uFFFF", `"`, `""`, "a\nb", "|", ";", "(", "{", "}"}

var doubles = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e300, -1e300, 5e-324, math.MaxFloat64,
	math.Inf(1), math.Inf(-1), math.NaN(), 3, 1.5}

// Term draws a term of the sort with at most the given nesting.
func Term(t *rapid.T, s *term.Sort, depth int) *term.Term {
	if depth <= 0 || rapid.IntRange(0, 7).Draw(t, "leaf") == 0 {
		return leaf(t, s)
	}
	sub := func(s *term.Sort) *term.Term { return Term(t, s, depth-1) }
	if pick := rapid.IntRange(0, 9).Draw(t, "shape"); pick == 0 {
		return term.Ite(sub(term.Bool), sub(s), sub(s))
	} else if pick == 1 {
		for _, array := range Arrays {
			if array.Elem.Same(s) {
				return term.Select(sub(array), sub(array.Key))
			}
		}
	} else if pick == 2 {
		for _, f := range functions {
			if f.Result.Same(s) {
				return term.App(f.Name, s, sub(f.Arg))
			}
		}
	}
	switch s.Kind {
	case term.KindBool:
		return formula(t, sub)
	case term.KindInt:
		return integer(t, sub)
	case term.KindString:
		return term.Concat(sub(s), sub(s))
	case term.KindFloat: // one operation at most, as solvers pay dearly for several
		sub := func(s *term.Sort) *term.Term { return Term(t, s, 0) }
		op := rapid.SampledFrom([]term.Op{term.OpFAdd, term.OpFSub, term.OpFMul, term.OpFDiv}).Draw(t, "op")
		return term.FloatOp(op, sub(s), sub(s))
	case term.KindArray:
		return term.Store(sub(s), sub(s.Key), sub(s.Elem))
	}
	return leaf(t, s)
}

func leaf(t *rapid.T, s *term.Sort) *term.Term {
	if s.Kind == term.KindArray || s.Kind == term.KindOpaque || rapid.Bool().Draw(t, "var") {
		return rapid.SampledFrom(Vars(s)).Draw(t, "name")
	}
	return Literal(t, s)
}

func formula(t *rapid.T, sub func(*term.Sort) *term.Term) *term.Term {
	switch rapid.IntRange(0, 7).Draw(t, "connective") {
	case 0:
		return term.Not(sub(term.Bool))
	case 1:
		return term.And(sub(term.Bool), sub(term.Bool), sub(term.Bool))
	case 2:
		return term.Or(sub(term.Bool), sub(term.Bool), sub(term.Bool))
	case 3:
		return term.Implies(sub(term.Bool), sub(term.Bool))
	case 4:
		return term.Le(sub(term.Int), sub(term.Int))
	case 5:
		return term.Lt(sub(term.Int), sub(term.Int))
	case 6:
		op := rapid.SampledFrom([]term.Op{term.OpFLe, term.OpFLt, term.OpFEq}).Draw(t, "op")
		return term.FloatOp(op, sub(term.Float), sub(term.Float))
	}
	s := rapid.SampledFrom(append(Arrays, Scalars...)).Draw(t, "sort")
	return term.Eq(sub(s), sub(s))
}

func integer(t *rapid.T, sub func(*term.Sort) *term.Term) *term.Term {
	switch rapid.IntRange(0, 2).Draw(t, "arithmetic") {
	case 0:
		return term.Add(sub(term.Int), sub(term.Int), sub(term.Int))
	case 1:
		return term.Mul(sub(term.Int), sub(term.Int))
	}
	return term.Sub(sub(term.Int), sub(term.Int))
}
