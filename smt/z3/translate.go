package z3

import (
	"math"
	"strconv"
	"unsafe"

	"soma.cell/smt/internal/ascii"
	"soma.cell/smt/term"
)

type termFunctions struct {
	mkTrue       proc `c:"Z3_mk_true"`
	mkFalse      proc `c:"Z3_mk_false"`
	mkNumeral    proc `c:"Z3_mk_numeral"`
	mkString     proc `c:"Z3_mk_string"`
	mkConst      proc `c:"Z3_mk_const"`
	mkFuncDecl   proc `c:"Z3_mk_func_decl"`
	mkApp        proc `c:"Z3_mk_app"`
	mkNot        proc `c:"Z3_mk_not"`
	mkAnd        proc `c:"Z3_mk_and"`
	mkOr         proc `c:"Z3_mk_or"`
	mkImplies    proc `c:"Z3_mk_implies"`
	mkEq         proc `c:"Z3_mk_eq"`
	mkIte        proc `c:"Z3_mk_ite"`
	mkAdd        proc `c:"Z3_mk_add"`
	mkMul        proc `c:"Z3_mk_mul"`
	mkLe         proc `c:"Z3_mk_le"`
	mkLt         proc `c:"Z3_mk_lt"`
	mkSeqConcat  proc `c:"Z3_mk_seq_concat"`
	mkSelect     proc `c:"Z3_mk_select"`
	mkStore      proc `c:"Z3_mk_store"`
	mkFPANaN     proc `c:"Z3_mk_fpa_nan"`
	mkFPAFromBV  proc `c:"Z3_mk_fpa_to_fp_bv"`
	mkFPANearest proc `c:"Z3_mk_fpa_rne"`
	mkFPAAdd     proc `c:"Z3_mk_fpa_add"`
	mkFPASub     proc `c:"Z3_mk_fpa_sub"`
	mkFPAMul     proc `c:"Z3_mk_fpa_mul"`
	mkFPADiv     proc `c:"Z3_mk_fpa_div"`
	mkFPALeq     proc `c:"Z3_mk_fpa_leq"`
	mkFPALt      proc `c:"Z3_mk_fpa_lt"`
	mkFPAEq      proc `c:"Z3_mk_fpa_eq"`
}

// translator makes the Z3 terms of one query; a shared term is made once.
type translator struct {
	*z3context
	done map[*term.Term]uintptr
	slow bool // there are products or quotients of doubles
}

func (x *translator) translateAll(ts []*term.Term) []uintptr {
	out := make([]uintptr, len(ts))
	for i, t := range ts {
		out[i] = x.translate(t)
	}
	return out
}

// translate makes the Z3 term of a well-sorted term. It keeps the nesting on a stack of its
// own. Cost: linear in the distinct nodes.
func (x *translator) translate(t *term.Term) uintptr {
	stack := []*term.Term{t}
	for len(stack) > 0 && x.err == nil {
		top := stack[len(stack)-1]
		ready := true
		for _, a := range top.Args {
			if _, ok := x.done[a]; !ok {
				stack = append(stack, a)
				ready = false
			}
		}
		if !ready {
			continue
		}
		stack = stack[:len(stack)-1]
		if _, ok := x.done[top]; !ok {
			x.done[top] = x.node(top)
		}
	}
	return x.done[t]
}

// node makes one term whose arguments are made.
func (x *translator) node(t *term.Term) uintptr {
	if t.IsLiteral() {
		return x.literal(t)
	}
	args := make([]uintptr, len(t.Args))
	for i, a := range t.Args {
		args[i] = x.done[a]
	}
	switch t.Op {
	case term.OpVar:
		return x.ast(x.lib.mkConst, x.symbol("v:"+t.Name), x.sort(t.Sort).handle)
	case term.OpApp:
		return x.application(t, args)
	case term.OpAnd:
		return x.nary(x.lib.mkAnd, args)
	case term.OpOr:
		return x.nary(x.lib.mkOr, args)
	case term.OpAdd:
		return x.nary(x.lib.mkAdd, args)
	case term.OpMul:
		return x.nary(x.lib.mkMul, args)
	case term.OpConcat:
		return x.nary(x.lib.mkSeqConcat, args)
	case term.OpNot:
		return x.ast(x.lib.mkNot, args...)
	case term.OpImplies:
		return x.ast(x.lib.mkImplies, args...)
	case term.OpEq:
		return x.ast(x.lib.mkEq, args...)
	case term.OpIte:
		return x.ast(x.lib.mkIte, args...)
	case term.OpLe:
		return x.ast(x.lib.mkLe, args...)
	case term.OpLt:
		return x.ast(x.lib.mkLt, args...)
	case term.OpSelect:
		return x.ast(x.lib.mkSelect, args...)
	case term.OpStore:
		return x.ast(x.lib.mkStore, args...)
	case term.OpFAdd:
		return x.rounded(x.lib.mkFPAAdd, args)
	case term.OpFSub:
		return x.rounded(x.lib.mkFPASub, args)
	case term.OpFMul:
		x.slow = true
		return x.rounded(x.lib.mkFPAMul, args)
	case term.OpFDiv:
		x.slow = true
		return x.rounded(x.lib.mkFPADiv, args)
	case term.OpFLe:
		return x.ast(x.lib.mkFPALeq, args...)
	case term.OpFLt:
		return x.ast(x.lib.mkFPALt, args...)
	case term.OpFEq:
		return x.ast(x.lib.mkFPAEq, args...)
	}
	x.err = errOperator(t.Op)
	return 0
}

func (x *translator) nary(p proc, args []uintptr) uintptr {
	return x.ast(p, uintptr(len(args)), uintptr(unsafe.Pointer(&args[0])))
}

// rounded is an IEEE operation that rounds to nearest, ties to even.
func (x *translator) rounded(p proc, args []uintptr) uintptr {
	return x.ast(p, append([]uintptr{x.ast(x.lib.mkFPANearest)}, args...)...)
}

// application applies an uninterpreted function. Z3 tells functions of one name apart by their
// signatures; the prefixes "f:" and "v:" keep those without arguments apart from variables.
func (x *translator) application(t *term.Term, args []uintptr) uintptr {
	domain := make([]uintptr, len(t.Args)+1) // never empty, to have an address
	for i, a := range t.Args {
		domain[i] = x.sort(a.Sort).handle
	}
	args = append(args, 0)
	decl := x.ast(x.lib.mkFuncDecl, x.symbol("f:"+t.Name), uintptr(len(t.Args)),
		uintptr(unsafe.Pointer(&domain[0])), x.sort(t.Sort).handle)
	return x.ast(x.lib.mkApp, decl, uintptr(len(t.Args)), uintptr(unsafe.Pointer(&args[0])))
}

func (x *translator) literal(t *term.Term) uintptr {
	switch t.Op {
	case term.OpTrue:
		return x.ast(x.lib.mkTrue)
	case term.OpFalse:
		return x.ast(x.lib.mkFalse)
	case term.OpInt:
		digits := cString(t.Int.String())
		return x.ast(x.lib.mkNumeral, uintptr(unsafe.Pointer(digits)), x.sort(t.Sort).handle)
	case term.OpString:
		code := cString(ascii.Encode(t.Name))
		return x.ast(x.lib.mkString, uintptr(unsafe.Pointer(code)))
	case term.OpFloat:
		return x.double(t)
	case term.OpUnit:
		return x.constant(t.Sort, unitValue)
	}
	return x.constant(t.Sort, t.Name)
}

func (x *translator) constant(s *term.Sort, value string) uintptr {
	decl, ok := x.sort(s).constants[value]
	if !ok && x.err == nil {
		x.err = errConstant(value, s)
	}
	return x.ast(x.lib.mkApp, decl, 0, 0)
}

func (x *translator) double(t *term.Term) uintptr {
	if math.IsNaN(t.Num) {
		return x.ast(x.lib.mkFPANaN, x.sort(t.Sort).handle)
	}
	digits := cString(strconv.FormatUint(math.Float64bits(t.Num), 10))
	bits := x.ast(x.lib.mkNumeral, uintptr(unsafe.Pointer(digits)), x.bits64())
	return x.ast(x.lib.mkFPAFromBV, bits, x.sort(t.Sort).handle)
}
