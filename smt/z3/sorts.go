package z3

import (
	"unsafe"

	"soma.cell/smt/term"
)

type sortFunctions struct {
	mkBoolSort          proc `c:"Z3_mk_bool_sort"`
	mkIntSort           proc `c:"Z3_mk_int_sort"`
	mkStringSort        proc `c:"Z3_mk_string_sort"`
	mkFPASortDouble     proc `c:"Z3_mk_fpa_sort_double"`
	mkBVSort            proc `c:"Z3_mk_bv_sort"`
	mkUninterpretedSort proc `c:"Z3_mk_uninterpreted_sort"`
	mkEnumerationSort   proc `c:"Z3_mk_enumeration_sort"`
	mkArraySort         proc `c:"Z3_mk_array_sort"`
}

// sort is a Z3_sort; of an enumeration, also its constants, by value and back.
type sort struct {
	handle    uintptr
	constants map[string]uintptr // Z3_func_decl
	values    map[uintptr]string
}

// unitValue is the one value of the enumeration that stands for Unit.
const unitValue = "unit"

// sort returns the Z3 sort of a sort, made once per context: making an enumeration again would
// redefine it.
func (x *z3context) sort(s *term.Sort) *sort {
	key := s.String()
	if known, ok := x.sorts[key]; ok {
		return known
	}
	made := x.makeSort(s, key)
	if x.err != nil {
		return &sort{}
	}
	x.sorts[key] = made
	return made
}

func (x *z3context) makeSort(s *term.Sort, key string) *sort {
	switch s.Kind {
	case term.KindBool:
		return &sort{handle: x.ast(x.lib.mkBoolSort)}
	case term.KindInt:
		return &sort{handle: x.ast(x.lib.mkIntSort)}
	case term.KindString:
		return &sort{handle: x.ast(x.lib.mkStringSort)}
	case term.KindFloat:
		return &sort{handle: x.ast(x.lib.mkFPASortDouble)}
	case term.KindUnit:
		return x.enumeration(key, []string{unitValue})
	case term.KindEnum:
		return x.enumeration(key, s.Values)
	case term.KindArray:
		return &sort{handle: x.ast(x.lib.mkArraySort, x.sort(s.Key).handle, x.sort(s.Elem).handle)}
	}
	return &sort{handle: x.ast(x.lib.mkUninterpretedSort, x.symbol(key))}
}

// enumeration makes an enumeration sort. It is named by all there is to know of it, as Z3 takes
// two of one name for the same; so are its values.
func (x *z3context) enumeration(key string, values []string) *sort {
	n := len(values)
	symbols, constants, testers := make([]uintptr, n), make([]uintptr, n), make([]uintptr, n)
	for i, v := range values {
		symbols[i] = x.symbol(v + " of " + key)
	}
	handle := x.ast(x.lib.mkEnumerationSort, x.symbol(key), uintptr(n),
		uintptr(unsafe.Pointer(&symbols[0])), uintptr(unsafe.Pointer(&constants[0])), uintptr(unsafe.Pointer(&testers[0])))
	made := &sort{handle: handle, constants: map[string]uintptr{}, values: map[uintptr]string{}}
	for i, v := range values {
		x.hold(constants[i])
		made.constants[v] = constants[i]
		made.values[constants[i]] = v
	}
	return made
}

// bits64 is the sort of the bit vectors that hold a double.
func (x *z3context) bits64() uintptr {
	const key = "bits64"
	if _, ok := x.sorts[key]; !ok {
		x.sorts[key] = &sort{handle: x.ast(x.lib.mkBVSort, 64)}
	}
	return x.sorts[key].handle
}
