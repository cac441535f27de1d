package z3

import (
	"math"
	"math/big"
	"unsafe"

	"soma.cell/smt/internal/ascii"
	"soma.cell/smt/term"
)

type modelFunctions struct {
	solverGetModel  proc `c:"Z3_solver_get_model"`
	modelIncRef     proc `c:"Z3_model_inc_ref"`
	modelDecRef     proc `c:"Z3_model_dec_ref"`
	modelEval       proc `c:"Z3_model_eval"`
	simplify        proc `c:"Z3_simplify"`
	getBoolValue    proc `c:"Z3_get_bool_value"`
	isNumeral       proc `c:"Z3_is_numeral_ast"`
	getNumeral      proc `c:"Z3_get_numeral_string"`
	isString        proc `c:"Z3_is_string"`
	getString       proc `c:"Z3_get_string"`
	isApp           proc `c:"Z3_is_app"`
	getAppDecl      proc `c:"Z3_get_app_decl"`
	fpaIsNumeralNaN proc `c:"Z3_fpa_is_numeral_nan"`
	fpaToBV         proc `c:"Z3_mk_fpa_to_ieee_bv"`
}

// values are the literals that the solver's model gives to the wanted terms; nil where it gives
// none. Should reading the model fail, the verdict stands without it.
func (x *z3context) values(solver uintptr, wanted []*term.Term, handles []uintptr) []*term.Term {
	out := make([]*term.Term, len(wanted))
	if len(wanted) == 0 {
		return out
	}
	model := x.result(x.lib.solverGetModel, solver)
	if model == 0 {
		return out
	}
	x.lib.modelIncRef.call(x.handle, model)
	defer x.lib.modelDecRef.call(x.handle, model)
	for i, t := range wanted {
		out[i] = x.value(model, t.Sort, handles[i])
	}
	return out
}

// value evaluates one term, completing the model where it leaves things open.
func (x *z3context) value(model uintptr, s *term.Sort, handle uintptr) *term.Term {
	const complete = 1
	var v uintptr
	if !cBool(x.result(x.lib.modelEval, model, handle, complete, uintptr(unsafe.Pointer(&v)))) || v == 0 {
		return nil
	}
	x.hold(v)
	return x.toLiteral(s, v)
}

func (x *z3context) toLiteral(s *term.Sort, v uintptr) *term.Term {
	switch s.Kind {
	case term.KindBool:
		switch int32(x.result(x.lib.getBoolValue, v)) {
		case lFalse:
			return term.False
		case lTrue:
			return term.True
		}
	case term.KindInt:
		if n := x.numeral(v); n != nil {
			return term.IntLit(n)
		}
	case term.KindString:
		if cBool(x.result(x.lib.isString, v)) {
			return decodeText(goString(x.result(x.lib.getString, v)))
		}
	case term.KindFloat:
		return x.toDouble(v)
	case term.KindUnit:
		return term.UnitLit
	case term.KindEnum:
		if !cBool(x.result(x.lib.isApp, v)) {
			return nil
		}
		if value, ok := x.sort(s).values[x.result(x.lib.getAppDecl, v)]; ok {
			return term.EnumLit(s, value)
		}
	}
	return nil
}

// decodeText reads a text of a model. One that codes no text of the language, which can only
// come from a query that leaves it quite open, is shown as it is, marked.
func decodeText(code string) *term.Term {
	if s, ok := ascii.Decode(code); ok {
		return term.StringLit(s)
	}
	return term.StringLit("<raw:" + code + ">")
}

func (x *z3context) numeral(v uintptr) *big.Int {
	if !cBool(x.result(x.lib.isNumeral, v)) {
		return nil
	}
	n, ok := new(big.Int).SetString(goString(x.result(x.lib.getNumeral, v)), 10)
	if !ok {
		return nil
	}
	return n
}

func (x *z3context) toDouble(v uintptr) *term.Term {
	if cBool(x.result(x.lib.fpaIsNumeralNaN, v)) {
		return term.FloatLit(math.NaN())
	}
	bits := x.numeral(x.ast(x.lib.simplify, x.ast(x.lib.fpaToBV, v)))
	if bits == nil || !bits.IsUint64() {
		return nil
	}
	return term.FloatLit(math.Float64frombits(bits.Uint64()))
}
