package smtlib

import (
	"fmt"
	"math"
	"strings"

	"soma.cell/smt/internal/ascii"
	"soma.cell/smt/term"
)

const unitValue = "unit"

// sort is the text of a sort, declared at its first use where it is none of the standard's.
func (s *script) sort(of *term.Sort) string {
	switch of.Kind {
	case term.KindBool:
		return "Bool"
	case term.KindInt:
		return "Int"
	case term.KindString:
		return "String"
	case term.KindFloat:
		return "Float64"
	case term.KindArray:
		return "(Array " + s.sort(of.Key) + " " + s.sort(of.Elem) + ")"
	}
	key := of.String()
	name, ok := s.sorts[key]
	if !ok {
		name = s.declareSort(of)
		s.sorts[key] = name
	}
	return name
}

func (s *script) declareSort(of *term.Sort) string {
	switch of.Kind {
	case term.KindUnit:
		s.line("(declare-datatypes ((Unit 0)) (((" + unitValue + "))))")
		return "Unit"
	case term.KindOpaque:
		s.line("(declare-sort Opaque 0)")
		return "Opaque"
	}
	name := s.fresh("s." + of.Name)
	var b strings.Builder
	for _, v := range of.Values {
		symbol := s.fresh("c." + of.Name + "." + v)
		s.names[valueKey(of, v)] = symbol
		b.WriteString("(" + symbol + ")")
	}
	s.line("(declare-datatypes ((" + name + " 0)) ((" + b.String() + ")))")
	return name
}

func valueKey(of *term.Sort, value string) string { return ascii.Encode(value) + " of " + of.String() }

func literal(t *term.Term) string {
	switch t.Op {
	case term.OpInt:
		if t.Int.Sign() < 0 {
			return "(- " + t.Int.String()[1:] + ")"
		}
		return t.Int.String()
	case term.OpString:
		return `"` + ascii.Encode(t.Name) + `"`
	case term.OpFloat:
		return double(t.Num)
	}
	return t.Op.String() // true and false
}

// double writes the sign, exponent and significand of a double in binary.
func double(f float64) string {
	if math.IsNaN(f) {
		return "(_ NaN 11 53)"
	}
	bits := math.Float64bits(f)
	return fmt.Sprintf("(fp #b%b #b%011b #b%052b)", bits>>63, bits>>52&(1<<11-1), bits&(1<<52-1))
}
