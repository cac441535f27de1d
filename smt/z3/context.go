package z3

import (
	"unsafe"

	"soma.cell/smt"
	"soma.cell/smt/internal/ascii"
)

type contextFunctions struct {
	toggleWarnings  proc `c:"Z3_toggle_warning_messages"`
	estimatedMemory proc `c:"Z3_get_estimated_alloc_size"`
	getFullVersion  proc `c:"Z3_get_full_version"`
	mkConfig        proc `c:"Z3_mk_config"`
	delConfig       proc `c:"Z3_del_config"`
	mkContextRC     proc `c:"Z3_mk_context_rc"`
	delContext      proc `c:"Z3_del_context"`
	setErrorHandler proc `c:"Z3_set_error_handler"`
	getErrorCode    proc `c:"Z3_get_error_code"`
	getErrorMsg     proc `c:"Z3_get_error_msg"`
	interrupt       proc `c:"Z3_interrupt"`
	incRef          proc `c:"Z3_inc_ref"`
	decRef          proc `c:"Z3_dec_ref"`
	mkStringSymbol  proc `c:"Z3_mk_string_symbol"`
	mkParams        proc `c:"Z3_mk_params"`
	paramsIncRef    proc `c:"Z3_params_inc_ref"`
	paramsDecRef    proc `c:"Z3_params_dec_ref"`
	paramsSetBool   proc `c:"Z3_params_set_bool"`
	paramsSetUint   proc `c:"Z3_params_set_uint"`
}

// Error codes of Z3_get_error_code.
const (
	codeOK        = 0
	codeMemoryOut = 7
)

// z3context is a Z3_context that serves one query. A used one would remember: the models it
// gives, and the work it does, would depend on the queries before. A new one costs about a
// millisecond and makes every answer a function of its query.
//
// The first error sticks: later calls do nothing.
type z3context struct {
	lib    *library
	handle uintptr
	params uintptr
	sorts  map[string]*sort
	refs   []uintptr // ASTs that are held until close
	err    error
}

func newContext(lib *library, limits smt.Limits) (*z3context, error) {
	config := lib.mkConfig.call()
	handle := lib.mkContextRC.call(config)
	lib.delConfig.call(config)
	if handle == 0 {
		return nil, errContext()
	}
	lib.setErrorHandler.call(handle, 0)
	x := &z3context{lib: lib, handle: handle, sorts: map[string]*sort{}}
	x.setParams(limits)
	if x.err != nil {
		x.close()
		return nil, x.err
	}
	return x, nil
}

// setParams makes the parameters of the context's solver: a limit of work, a fixed seed, and no
// handler of interrupt signals, which are the caller's. The time limit is kept outside, as one
// that Z3 keeps cannot be told afterwards.
func (x *z3context) setParams(limits smt.Limits) {
	x.params = x.result(x.lib.mkParams)
	if x.err != nil {
		return
	}
	x.do(x.lib.paramsIncRef, x.params)
	x.do(x.lib.paramsSetBool, x.params, x.symbol("ctrl_c"), 0)
	x.do(x.lib.paramsSetUint, x.params, x.symbol("random_seed"), uintptr(limits.Seed))
	if limits.Work > 0 {
		x.do(x.lib.paramsSetUint, x.params, x.symbol("rlimit"), uintptr(limits.Work))
	}
}

// close frees the context and all that lives in it.
func (x *z3context) close() {
	for _, ref := range x.refs {
		x.lib.decRef.call(x.handle, ref)
	}
	if x.params != 0 {
		x.lib.paramsDecRef.call(x.handle, x.params)
	}
	x.lib.delContext.call(x.handle)
}

// result calls a function of the context and notes its error.
//
//go:uintptrescapes
func (x *z3context) result(p proc, args ...uintptr) uintptr {
	if x.err != nil {
		return 0
	}
	r := p.call(append([]uintptr{x.handle}, args...)...)
	if code := uint32(x.lib.getErrorCode.call(x.handle)); code != codeOK {
		x.err = &callError{function: p.name, code: code,
			message: goString(x.lib.getErrorMsg.call(x.handle, uintptr(code)))}
		return 0
	}
	return r
}

// do is result for a function that returns nothing.
//
//go:uintptrescapes
func (x *z3context) do(p proc, args ...uintptr) { x.result(p, args...) }

// ast is result for a function that makes an AST (a term, sort or declaration), which is held
// until the context is closed.
//
//go:uintptrescapes
func (x *z3context) ast(p proc, args ...uintptr) uintptr {
	r := x.result(p, args...)
	x.hold(r)
	return r
}

func (x *z3context) hold(r uintptr) {
	if r != 0 && x.err == nil {
		x.lib.incRef.call(x.handle, r)
		x.refs = append(x.refs, r)
	}
}

// symbol is the interned name. Names are escaped as texts are, so that any two names stay two.
func (x *z3context) symbol(name string) uintptr {
	return x.result(x.lib.mkStringSymbol, uintptr(unsafe.Pointer(cString(ascii.Encode(name)))))
}
