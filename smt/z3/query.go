package z3

import (
	"math"
	"slices"
	"strconv"

	"soma.cell/smt"
	"soma.cell/smt/term"
)

type solverFunctions struct {
	mkSimpleSolver   proc `c:"Z3_mk_simple_solver"`
	mkSolver         proc `c:"Z3_mk_solver"`
	solverIncRef     proc `c:"Z3_solver_inc_ref"`
	solverDecRef     proc `c:"Z3_solver_dec_ref"`
	solverSetParams  proc `c:"Z3_solver_set_params"`
	solverAssert     proc `c:"Z3_solver_assert"`
	solverTrack      proc `c:"Z3_solver_assert_and_track"`
	solverCheck      proc `c:"Z3_solver_check"`
	solverGetCore    proc `c:"Z3_solver_get_unsat_core"`
	vectorIncRef     proc `c:"Z3_ast_vector_inc_ref"`
	vectorDecRef     proc `c:"Z3_ast_vector_dec_ref"`
	vectorSize       proc `c:"Z3_ast_vector_size"`
	vectorGet        proc `c:"Z3_ast_vector_get"`
	solverGetUnknown proc `c:"Z3_solver_get_reason_unknown"`
	solverStatistics proc `c:"Z3_solver_get_statistics"`
	statsIncRef      proc `c:"Z3_stats_inc_ref"`
	statsDecRef      proc `c:"Z3_stats_dec_ref"`
	statsSize        proc `c:"Z3_stats_size"`
	statsGetKey      proc `c:"Z3_stats_get_key"`
	statsIsUint      proc `c:"Z3_stats_is_uint"`
	statsGetUint     proc `c:"Z3_stats_get_uint_value"`
}

// Values of Z3_lbool.
const (
	lFalse = -1
	lTrue  = 1
)

// outcome is what came of a query.
type outcome struct {
	verdict     smt.Verdict
	values      []*term.Term
	core        []int
	words       string // of Z3, for an Unknown
	work        uint   // steps that the context has done, as the work limit counts them
	built       bool   // the query was built and Z3 set to work
	interrupted string // why, or empty
	err         error
}

// ask builds the query in the context, which is new, and decides it.
func (x *z3context) ask(q smt.Query) outcome {
	tr := &translator{z3context: x, done: map[*term.Term]uintptr{}}
	formulas, wanted := tr.translateAll(q.Assert), tr.translateAll(q.Wanted)
	solver := x.result(tr.engine())
	if x.err != nil {
		return outcome{err: x.err}
	}
	x.lib.solverIncRef.call(x.handle, solver)
	defer x.lib.solverDecRef.call(x.handle, solver)
	x.do(x.lib.solverSetParams, solver, x.params)
	if q.Core {
		return tr.decideCore(solver, formulas)
	}
	for _, f := range formulas {
		x.do(x.lib.solverAssert, solver, f)
	}
	if x.err != nil {
		return outcome{err: x.err}
	}
	return x.decide(solver, q.Wanted, wanted)
}

// decideCore asserts each formula under a name of its own, and asks which names an Unsat needs.
func (x *translator) decideCore(solver uintptr, formulas []uintptr) outcome {
	index := map[uintptr]int{}
	for i, f := range formulas {
		name := x.ast(x.lib.mkConst, x.symbol("core:"+strconv.Itoa(i)), x.sort(term.Bool).handle)
		index[name] = i
		x.do(x.lib.solverTrack, solver, f, name)
	}
	if x.err != nil {
		return outcome{err: x.err}
	}
	out := x.decide(solver, nil, nil)
	if out.verdict != smt.Unsat || out.err != nil {
		return out
	}
	core := x.result(x.lib.solverGetCore, solver)
	if x.err != nil {
		return outcome{built: true, err: x.err}
	}
	x.lib.vectorIncRef.call(x.handle, core)
	defer x.lib.vectorDecRef.call(x.handle, core)
	for k := range uint32(x.result(x.lib.vectorSize, core)) {
		if i, ok := index[x.result(x.lib.vectorGet, core, uintptr(k))]; ok {
			out.core = append(out.core, i)
		}
	}
	slices.Sort(out.core)
	return out
}

// engine is the maker of the solver. The simple one decides an ordinary query in a twentieth of
// the other's time, but does not heed its time limit while it spells out products and quotients
// of doubles.
func (x *translator) engine() proc {
	if x.slow {
		return x.lib.mkSolver
	}
	return x.lib.mkSimpleSolver
}

func (x *z3context) decide(solver uintptr, wanted []*term.Term, handles []uintptr) outcome {
	verdict := int32(x.result(x.lib.solverCheck, solver))
	out := outcome{built: true, err: x.err}
	if x.err != nil {
		return out
	}
	out.work = x.work(solver)
	switch verdict {
	case lFalse:
		out.verdict = smt.Unsat
	case lTrue:
		out.verdict = smt.Sat
		out.values = x.values(solver, wanted, handles)
	default:
		out.words = goString(x.result(x.lib.solverGetUnknown, solver))
	}
	return out
}

// work reads the count of steps from the solver's statistics. One that cannot be read counts
// as beyond any limit.
func (x *z3context) work(solver uintptr) uint {
	stats := x.result(x.lib.solverStatistics, solver)
	if stats == 0 {
		return math.MaxUint
	}
	x.lib.statsIncRef.call(x.handle, stats)
	defer x.lib.statsDecRef.call(x.handle, stats)
	for i := range uint32(x.result(x.lib.statsSize, stats)) {
		at := uintptr(i)
		if goString(x.result(x.lib.statsGetKey, stats, at)) == "rlimit count" && cBool(x.result(x.lib.statsIsUint, stats, at)) {
			return uint(uint32(x.result(x.lib.statsGetUint, stats, at)))
		}
	}
	return math.MaxUint
}
